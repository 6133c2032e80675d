//! The midpoint rule.
//!
//! ```text
//! Ld(qa, qb, h) = h L( (qa + qb)/2, (qb - qa)/h )         (Pekarek, eq. 3.1.1)
//! ```
//!
//! Second order, implicit; the implicit midpoint rule of the Hamiltonian side.

use super::{LinearRetraction, Properties, Rule, Table};

/// The midpoint rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Midpoint;

impl Rule for Midpoint {
    fn name(&self) -> String {
        "midpoint".to_owned()
    }

    fn summary(&self) -> String {
        "midpoint rule".to_owned()
    }

    fn properties(&self) -> Properties {
        Properties { order: 2, symplectic: true, symmetric: true, momentum: true }
    }

    fn table(&self) -> Table {
        LinearRetraction::MIDDLE.table()
    }

    fn adjoint(&self) -> Box<dyn Rule> {
        Box::new(Self)
    }
}
