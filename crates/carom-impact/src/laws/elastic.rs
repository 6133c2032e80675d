//! The elastic impact.
//!
//! Momentum along the surface and energy are kept (Pekarek 2010, (2.2.1), (2.2.3)):
//!
//! ```text
//! P^T (p+ - p-) = 0,    E+ = E-,
//! ```
//!
//! `P` spanning the tangent space of the surface (and of the constraints). The trivial solution
//! `p+ = p-` enters the obstacle; the other one is the reflection `Lambda = -2 u- / W`.

use super::{Jump, Law, LawFailure, Outcome, Single, normal_impulse};
use carom_expr::Expr;

/// Keeps energy and tangential momentum.
#[derive(Clone, Copy, Debug)]
pub struct Elastic;

impl Law for Elastic {
    fn name(&self) -> &'static str {
        "elastic"
    }

    fn conditions<'s>(&self, jump: &Jump<'s>) -> Vec<Expr<'s>> {
        vec![jump.energy_change]
    }

    fn impulses(&self, contact: &Single) -> Result<Vec<f64>, LawFailure> {
        normal_impulse(contact, 2.0)
    }

    fn outcome(&self) -> Outcome {
        Outcome::Rebound
    }
}
