//! Lobatto-Galerkin rules: polynomials of degree `s`, Lobatto quadrature with `s + 1` points, order `2s`.
//!
//! The quadrature points are the control nodes. On the Hamiltonian side these
//! are the Lobatto IIIA-IIIB pairs; two points give the trapezoidal rule.

use super::{Properties, Rule, Table, galerkin};
use crate::quadrature::lobatto;

/// The Lobatto-Galerkin rule with a number of points.
#[derive(Clone, Copy, Debug)]
pub struct Lobatto {
    points: usize,
}

impl Lobatto {
    /// `points` quadrature points, both ends included, at least two.
    pub fn new(points: usize) -> Self {
        Self { points: points.max(2) }
    }
}

impl Rule for Lobatto {
    fn name(&self) -> String {
        format!("lobatto{}", self.points)
    }

    fn summary(&self) -> String {
        format!("Lobatto-Galerkin, {} points", self.points)
    }

    fn properties(&self) -> Properties {
        Properties { order: 2 * (self.points - 1), symplectic: true, symmetric: true, momentum: true }
    }

    fn table(&self) -> Table {
        let (times, weights) = lobatto(self.points - 1);
        galerkin::table(self.points - 1, &times, &weights)
    }

    fn adjoint(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }
}
