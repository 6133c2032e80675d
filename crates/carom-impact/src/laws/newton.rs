//! Newton's restitution.
//!
//! ```text
//! u+ = -e u-,    P^T (p+ - p-) = 0
//! ```
//!
//! The energy `(1 - e^2) u-^2 / (2 W)` is lost: in the words of Pekarek (2010), (2.3.1), that is the
//! time component `F_t` of the contact force field.

use super::{Jump, Law, LawFailure, Outcome, Single, normal_impulse};
use carom_expr::Expr;

/// Reverses the gap rate and multiplies it by the coefficient of restitution.
#[derive(Clone, Copy, Debug)]
pub struct Newton;

impl Law for Newton {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn conditions<'s>(&self, jump: &Jump<'s>) -> Vec<Expr<'s>> {
        let [before, after] = jump.u;
        vec![after + jump.restitution * before]
    }

    fn impulses(&self, contact: &Single) -> Result<Vec<f64>, LawFailure> {
        normal_impulse(contact, 1.0 + contact.restitution)
    }

    fn outcome(&self) -> Outcome {
        Outcome::Attach
    }
}
