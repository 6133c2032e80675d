//! Places of the boundary: where the gap vanishes along its own coordinate.

use crate::error::ControlError;
use carom_expr::{Backend, Evaluator, Function, Group, Id};
use carom_linalg::monotonic_root;
use carom_model::projection::NormalCoordinates;

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
        let found = monotonic_root(u[self.coordinate], |value| {
            u[self.coordinate] = value;
            let values = self.gap.values(&u);
            (values[0], values[1])
        });
        u[self.coordinate] = found?;
        Some(self.embedding.values(&u))
    }
}
