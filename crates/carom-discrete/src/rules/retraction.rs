//! Linear retractions and the discretisation maps that they give (004, sections 2.1 and 2.2).
//!
//! A retraction `R_q: T_q Q -> Q` sends a velocity to a nearby point, `R_q(0) = q`, `T R_q = 1`. A
//! discretisation map turns two points into a velocity somewhere between them; the linear one at the
//! fraction `theta` is
//!
//! ```text
//! Psi_d(qa, qb) = ( (1 - theta) qa + theta qb,  (qb - qa)/h ),
//! Ld(qa, qb, h) = h L(Psi_d(qa, qb)),      omega_d(qa, qb) = omega(Psi_d(qa, qb)).
//! ```
//!
//! `theta = 0` is the retraction `q + h v` at the left end, `theta = 1` the one at the right end, `theta = 1/2`
//! the one about the midpoint: the rules `left`, `right` and `midpoint`. Their adjoints are those of
//! `1 - theta`. Other maps between two points and a velocity are other tables ([`Table`]): the Galerkin rules
//! sample several.

use super::{Left, Midpoint, Properties, Right, Rule, Table};

/// The linear retraction at the fraction `theta` of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearRetraction {
    theta: f64,
}

impl LinearRetraction {
    /// The map with its point at `theta`, between 0 and 1; none outside.
    pub fn at(theta: f64) -> Option<Self> {
        (0.0..=1.0).contains(&theta).then_some(Self { theta })
    }

    /// The rule, under its own name if it has one.
    pub fn named(self) -> Box<dyn Rule> {
        match self.theta {
            0.0 => Box::new(Left),
            0.5 => Box::new(Midpoint),
            1.0 => Box::new(Right),
            _ => Box::new(self),
        }
    }

    /// The rule `left`.
    pub(super) const LEFT: Self = Self { theta: 0.0 };
    /// The rule `midpoint`.
    pub(super) const MIDDLE: Self = Self { theta: 0.5 };
    /// The rule `right`.
    pub(super) const RIGHT: Self = Self { theta: 1.0 };
}

impl Rule for LinearRetraction {
    fn name(&self) -> String {
        format!("retraction({})", self.theta)
    }

    fn summary(&self) -> String {
        format!("linear retraction at {} of the step", self.theta)
    }

    fn properties(&self) -> Properties {
        let symmetric = self.theta == 0.5;
        Properties { order: if symmetric { 2 } else { 1 }, symplectic: true, symmetric, momentum: true }
    }

    fn table(&self) -> Table {
        Table::straight(&[(1.0, self.theta)])
    }

    fn adjoint(&self) -> Box<dyn Rule> {
        Box::new(Self { theta: 1.0 - self.theta })
    }
}
