//! Places of the boundary: where the gap vanishes along its own coordinate.

use crate::error::ControlError;
use carom_expr::{Backend, Evaluator, Function, Group, Id};
use carom_model::projection::NormalCoordinates;

/// Steps of Newton's method.
const STEPS: usize = 60;

/// The boundary of the feasible set, as a graph over the coordinates that stay.
pub(super) struct Boundary {
    /// The coordinate that the gap replaces, among those that are left.
    coordinate: usize,
    /// Places of those among all coordinates.
    places: Vec<usize>,
    /// `u -> phi, dphi/du^1`
    gap: Evaluator,
    /// `u -> q`
    embedding: Evaluator,
}

impl Boundary {
    pub(super) fn new(normal: &NormalCoordinates) -> Result<Self, ControlError> {
        let simple = &normal.simple;
        let coordinate = normal.normal.monotonic.coordinate;
        let mut graph = simple.graph.clone();
        let slope = graph.gradient(simple.gap, &[simple.u[coordinate]])[0];
        let compile = |outputs: &[Id]| {
            let (inputs, outputs) = ([Group::new("u", &simple.u)], [Group::new("out", outputs)]);
            Function::compile(&graph, &inputs, &outputs, Backend::Interpreter).map(|function| function.evaluator())
        };
        let (gap, embedding) = (compile(&[simple.gap, slope])?, compile(&simple.embedding)?);
        Ok(Self { coordinate, places: simple.places.clone(), gap, embedding })
    }

    /// All coordinates of the system.
    pub(super) fn whole(&mut self, u: &[f64]) -> Vec<f64> {
        self.embedding.values(u)
    }

    /// The configuration that touches, with the other coordinates as in `q`.
    pub(super) fn below(&mut self, q: &[f64]) -> Option<Vec<f64>> {
        let mut u: Vec<f64> = self.places.iter().map(|&place| q[place]).collect();
        for _ in 0..STEPS {
            let values = self.gap.values(&u);
            let step = values[0] / values[1];
            u[self.coordinate] -= step;
            if !step.is_finite() {
                return None;
            }
            if step.abs() <= 1e-14 * u[self.coordinate].abs().max(1.0) {
                return Some(self.embedding.values(&u));
            }
        }
        None
    }
}
