//! Values of what equations define, by Newton's method.

use super::implicit::Root;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group, Id};
use carom_linalg::monotonic_root;

/// Solves for roots, one after the other.
pub struct RootSolver {
    /// `(variables, roots so far) -> e, de/dr`
    equations: Vec<Evaluator>,
    /// Where searches begin: values found last, or given.
    last: Vec<f64>,
    first: Vec<f64>,
    /// The coordinate that each root is a value of.
    coordinates: Vec<usize>,
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
        let coordinates: Vec<usize> = roots.iter().map(|root| root.coordinate).collect();
        Ok(Self { last: vec![0.0; equations.len()], first: vec![0.0; equations.len()], coordinates, equations })
    }

    /// Number of roots.
    pub fn len(&self) -> usize {
        self.equations.len()
    }

    /// True if everything has a formula.
    pub fn is_empty(&self) -> bool {
        self.equations.is_empty()
    }

    /// Searches begin at the values of these coordinates.
    pub fn begin_at(&mut self, u: &[f64]) {
        for (first, &coordinate) in self.first.iter_mut().zip(&self.coordinates) {
            *first = u[coordinate];
        }
        self.last.clone_from(&self.first);
    }

    /// Appends the roots to the values of the variables; false, and not-a-number, if one cannot be had.
    pub fn append(&mut self, point: &mut Vec<f64>) -> bool {
        for ((equation, last), &first) in self.equations.iter_mut().zip(&mut self.last).zip(&self.first) {
            let found = if last.is_finite() { solve(equation, point, *last) } else { None };
            *last = found.or_else(|| solve(equation, point, first)).unwrap_or(f64::NAN);
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
