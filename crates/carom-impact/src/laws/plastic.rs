//! Plastic impacts: the bodies stay together, on a manifold `S`.
//!
//! Pekarek (2010), (2.4.3) and (2.4.4): the momentum after the impact is the projection of the one
//! before,
//!
//! ```text
//! p+ = Q_S p-,    Q_S = 1 - G_S^T (G_S M^-1 G_S^T)^-1 G_S M^-1,
//! ```
//!
//! that is, `G_S v+ = 0` with impulses along `G_S^T` alone. Sliding: `G_S = G`. Sticking: `G_S` has the
//! tangents as well. With a coefficient of friction the contact sticks as long as that stays in the cone,
//! and slides otherwise (Moreau's law with `e = 0`).
//!
//! A transition (2.5) is the same projection with other contacts released before it: the manifold that
//! the bodies lived on before need not hold them after.

use super::moreau::{friction_conditions, with_friction};
use super::{Jump, Law, LawFailure, Outcome, Single};
use carom_expr::Expr;

/// The bodies stay together; under another name, others let go before.
#[derive(Clone, Copy, Debug)]
pub struct Plastic {
    name: &'static str,
}

impl Plastic {
    /// The plastic impact.
    pub const PLASTIC: Self = Self { name: "plastic" };
    /// The transition of constraints: who lets go is said by the contact.
    pub const TRANSITION: Self = Self { name: "transition" };
}

impl Law for Plastic {
    fn name(&self) -> &'static str {
        self.name
    }

    fn conditions<'s>(&self, jump: &Jump<'s>) -> Vec<Expr<'s>> {
        let mut all = vec![jump.u[1]];
        all.extend(friction_conditions(jump));
        all
    }

    fn impulses(&self, contact: &Single) -> Result<Vec<f64>, LawFailure> {
        match contact.friction {
            Some(mu) => with_friction(contact, 0.0, mu),
            None => contact.impulses_for(&vec![0.0; contact.u.len()]).ok_or(LawFailure::Stuck),
        }
    }

    fn outcome(&self) -> Outcome {
        Outcome::Attach
    }

    fn has_friction(&self) -> bool {
        true
    }

    fn is_plastic(&self) -> bool {
        true
    }
}
