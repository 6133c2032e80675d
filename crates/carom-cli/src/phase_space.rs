//! Lagrangians that are linear in the rates: their coordinates are those of a phase space.
//!
//! `L = a_i(q) q_i' - H(q)` has the equations of first order `(da_j/dq_i - da_i/dq_j) q_j' = dH/dq_i`; with
//! this form regular, the coordinates alone are the state.

use carom::expr::Id;
use carom::model::pivots;
use carom::{System, Understanding};
use std::fmt;

/// The phase space of a Lagrangian that is linear in the rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseSpace {
    /// Directions that the constraints leave free.
    pub dimension: usize,
    /// The form is regular at the initial state, and there are no constraints: the dimension is no mere bound.
    pub is_exact: bool,
}

impl PhaseSpace {
    /// None if the Lagrangian is not linear in the rates.
    pub fn of(system: &System, understood: &Understanding) -> Option<Self> {
        let dynamics = system.dynamics();
        let mut graph = dynamics.graph.clone();
        let momentum = dynamics.momentum(&mut graph);
        let mass = graph.jacobian(&momentum, &dynamics.v).dense(&mut graph);
        if mass.iter().any(|&entry| !graph.is_zero(entry)) {
            return None;
        }
        let slopes = graph.jacobian(&momentum, &dynamics.q).dense(&mut graph);
        let start = dynamics.q.iter().copied().zip(understood.initial.q.iter().copied());
        let start: Vec<(Id, f64)> = start.chain([(dynamics.time, 0.0)]).collect();
        let (slopes, n) = (graph.evaluate(&slopes, &start), dynamics.dimension());
        let form: Vec<f64> = (0..n * n).map(|place| slopes[place] - slopes[place % n * n + place / n]).collect();
        let is_exact = understood.degrees_of_freedom == n && pivots(&form, n).is_some();
        Some(Self { dimension: understood.degrees_of_freedom, is_exact })
    }
}

impl fmt::Display for PhaseSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = if self.is_exact { "" } else { " at most" };
        write!(f, "dimension {}{bound}", self.dimension)
    }
}
