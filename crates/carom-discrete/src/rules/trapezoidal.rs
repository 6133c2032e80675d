//! The trapezoidal rule: the Störmer-Verlet method.
//!
//! ```text
//! Ld(qa, qb, h) = h/2 [ L(qa, (qb - qa)/h) + L(qb, (qb - qa)/h) ]
//! ```
//!
//! Second order; with constraints it is RATTLE (and SHAKE in positions).

use super::{Properties, Rule, Table};

/// The trapezoidal rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trapezoidal;

impl Rule for Trapezoidal {
    fn name(&self) -> String {
        "trapezoidal".to_owned()
    }

    fn summary(&self) -> String {
        "trapezoidal rule (Störmer-Verlet; RATTLE with constraints)".to_owned()
    }

    fn properties(&self) -> Properties {
        Properties { order: 2, symplectic: true, symmetric: true, momentum: true }
    }

    fn table(&self) -> Table {
        Table::straight(&[(0.5, 0.0), (0.5, 1.0)])
    }

    fn adjoint(&self) -> Box<dyn Rule> {
        Box::new(Self)
    }
}
