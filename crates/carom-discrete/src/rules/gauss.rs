//! Gauss-Galerkin rules: polynomials of degree `s`, Gauss quadrature with `s` points, order `2s`.
//!
//! On the Hamiltonian side these are the Gauss collocation methods;
//! `s = 1` is the midpoint rule.

use super::{Properties, Rule, Table, galerkin};
use crate::quadrature::gauss;

/// The Gauss-Galerkin rule with `s` stages.
#[derive(Clone, Copy, Debug)]
pub struct Gauss {
    stages: usize,
}

impl Gauss {
    /// `s` stages, at least one.
    pub fn new(stages: usize) -> Self {
        Self { stages: stages.max(1) }
    }
}

impl Rule for Gauss {
    fn name(&self) -> String {
        format!("gauss{}", self.stages)
    }

    fn summary(&self) -> String {
        format!("Gauss-Galerkin, {} stage(s)", self.stages)
    }

    fn properties(&self) -> Properties {
        Properties { order: 2 * self.stages, symplectic: true, symmetric: true, momentum: true }
    }

    fn table(&self) -> Table {
        let (times, weights) = gauss(self.stages);
        galerkin::table(self.stages, &times, &weights)
    }

    fn adjoint(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }
}
