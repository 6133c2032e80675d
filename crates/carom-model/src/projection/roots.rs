//! Values of what equations define, by Newton's method.

use super::implicit::Root;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group, Id};
use carom_linalg::monotonic_root;

/// Solves for roots, one after the other.
pub struct RootSolver {
    /// `(variables, roots so far) -> e, de/dr`
    equations: Vec<Evaluator>,
    /// Values found last.
    last: Vec<f64>,
}

impl RootSolver {
    /// Compiles the equations of `roots` in `variables`.
    pub fn new(graph: &Graph, roots: &[Root], variables: &[Id]) -> Result<Self, FunctionError> {
        let mut graph = graph.clone();
        let mut inputs = variables.to_vec();
        let mut equations = Vec::new();
        for root in roots {
            inputs.push(root.variable);
            let outputs = [root.equation, graph.gradient(root.equation, &[root.variable])[0]];
            let groups = ([Group::new("in", &inputs)], [Group::new("out", &outputs)]);
            equations.push(Function::compile(&graph, &groups.0, &groups.1, Backend::Interpreter)?.evaluator());
        }
        Ok(Self { last: vec![0.0; equations.len()], equations })
    }

    /// Number of roots.
    pub fn len(&self) -> usize {
        self.equations.len()
    }

    /// True if everything has a formula.
    pub fn is_empty(&self) -> bool {
        self.equations.is_empty()
    }

    /// Appends the roots to the values of the variables; false, and not-a-number, if one cannot be had.
    pub fn append(&mut self, point: &mut Vec<f64>) -> bool {
        for (equation, last) in self.equations.iter_mut().zip(&mut self.last) {
            let start = if last.is_finite() { *last } else { 0.0 };
            *last = solve(equation, point, start).unwrap_or(f64::NAN);
            point.push(*last);
        }
        self.last.iter().all(|value| value.is_finite())
    }
}

/// The root of one equation, given the values before it.
fn solve(equation: &mut Evaluator, point: &mut Vec<f64>, start: f64) -> Option<f64> {
    let place = point.len();
    point.push(start);
    let found = monotonic_root(start, |r| {
        point[place] = r;
        let values = equation.values(point);
        (values[0], values[1])
    });
    point.truncate(place);
    found
}
