//! The rectangle rules: the two symplectic Euler methods.
//!
//! ```text
//! left:   Ld(qa, qb, h) = h L(qa, (qb - qa)/h)
//! right:  Ld(qa, qb, h) = h L(qb, (qb - qa)/h)
//! ```
//!
//! First order and adjoint to each other. The left rule is the one that the
//! linear retraction at the left end gives.

use super::{LinearRetraction, Properties, Rule, Table};

const PROPERTIES: Properties = Properties { order: 1, symplectic: true, symmetric: false, momentum: true };

/// The rectangle rule at the left end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Left;

/// The rectangle rule at the right end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Right;

impl Rule for Left {
    fn name(&self) -> String {
        "left".to_owned()
    }

    fn summary(&self) -> String {
        "left rectangle rule (symplectic Euler)".to_owned()
    }

    fn properties(&self) -> Properties {
        PROPERTIES
    }

    fn table(&self) -> Table {
        LinearRetraction::LEFT.table()
    }

    fn adjoint(&self) -> Box<dyn Rule> {
        Box::new(Right)
    }
}

impl Rule for Right {
    fn name(&self) -> String {
        "right".to_owned()
    }

    fn summary(&self) -> String {
        "right rectangle rule (symplectic Euler, adjoint of left)".to_owned()
    }

    fn properties(&self) -> Properties {
        PROPERTIES
    }

    fn table(&self) -> Table {
        LinearRetraction::RIGHT.table()
    }

    fn adjoint(&self) -> Box<dyn Rule> {
        Box::new(Left)
    }
}
