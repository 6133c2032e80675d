//! Texts of expressions read back to the same values, bit for bit.

use carom_expr::text::{NameError, Names, parse};
use carom_expr::{Graph, Id, Scope, ids};
use std::collections::HashMap;

/// Variables, and definitions that were read before.
struct Known(HashMap<String, Id>);

impl Names for Known {
    fn resolve(&mut self, graph: &mut Graph, name: &str, _primes: usize) -> Result<Id, NameError> {
        Ok(self.0.get(name).copied().unwrap_or_else(|| graph.variable(name)))
    }

    fn known(&self) -> Vec<String> {
        Vec::new()
    }
}

fn read_back(graph: &mut Graph, roots: &[Id]) -> Vec<Id> {
    let written = graph.written(roots, |k| format!("part{k}"));
    let mut known = Known(HashMap::new());
    for (name, text) in written.definitions {
        let id = parse(graph, &text, &mut known).expect("a definition");
        known.0.insert(name, id);
    }
    written.texts.iter().map(|text| parse(graph, text, &mut known).expect("a text")).collect()
}

#[test]
fn what_is_written_reads_back_to_the_same_values() {
    let scope = Scope::new(Graph::new());
    let (x, y) = (scope.variable("x"), scope.variable("y"));
    let expressions = [
        x + (y + (x + 2.5)),
        (x - (y - x)) * (x * (y * -3.0)),
        -(x + y).pow(2.0) / (x / (y / -0.1)),
        (-x).pow(y).pow(0.5),
        x.pow(y.pow(2.0)),
        (x - y).sin().atan2(y.exp()) - x.less(y).select(1e-300, -(x * y)),
        x.min(y).max(0.3) - (-y) - (-2.0),
    ];
    let roots = ids(&expressions);
    let mut graph = scope.into_graph();
    let back = read_back(&mut graph, &roots);
    for point in [[0.3, 0.7], [1.7, 0.2], [2.5, 3.5]] {
        let variables: Vec<(Id, f64)> =
            ["x", "y"].map(|name| graph.find_variable(name).expect("it is there")).into_iter().zip(point).collect();
        let (old, new) = (graph.evaluate(&roots, &variables), graph.evaluate(&back, &variables));
        for (a, b) in old.iter().zip(&new) {
            assert!(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(), "{old:?} {new:?}");
        }
    }
}

#[test]
fn shared_parts_are_written_once() {
    let scope = Scope::new(Graph::new());
    let (x, y) = (scope.variable("x"), scope.variable("y"));
    let mut value = x;
    for _ in 0..60 {
        value = (value * y + x).sin() + value * value;
    }
    let root = value.id();
    let mut graph = scope.into_graph();
    let written = graph.written(&[root], |k| format!("part{k}"));
    let length: usize = written.definitions.iter().map(|(_, text)| text.len()).sum();
    assert!(length < 10_000, "{length}");
    assert_eq!(read_back(&mut graph, &[root]), [root]);
}
