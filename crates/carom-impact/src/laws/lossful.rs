//! Impacts with a contact force field `F = (F_t, F_q)`.
//!
//! Pekarek (2010), (2.3.1) and (2.3.3), with the sign of the energy as it follows from the variation:
//!
//! ```text
//! P^T (p+ - p- - F_q) = 0,    E+ - E- = -F_t.
//! ```
//!
//! A loss is positive. With `u` the gap rate and `e` the energy that `F_q` alone would give, the normal
//! impulse follows from `W Lambda^2/2 + u Lambda + F_t + e = 0`, on the branch that leaves:
//! `u+ = sqrt(u^2 - 2 W (F_t + e))`.

use super::{Jump, Law, LawFailure, Outcome, Single};
use carom_expr::Expr;

/// Energy lost and tangential momentum gained are given.
#[derive(Clone, Copy, Debug)]
pub struct Lossful;

impl Law for Lossful {
    fn name(&self) -> &'static str {
        "lossful"
    }

    fn conditions<'s>(&self, jump: &Jump<'s>) -> Vec<Expr<'s>> {
        vec![jump.energy_change + jump.loss]
    }

    fn impulses(&self, contact: &Single) -> Result<Vec<f64>, LawFailure> {
        let (w, u) = (contact.w(0, 0), contact.u[0]);
        if w.is_nan() || w <= 0.0 {
            return Err(LawFailure::Stuck);
        }
        let square = u * u - 2.0 * w * contact.loss;
        if square < 0.0 {
            return Err(LawFailure::TooLossful { loss: contact.loss, available: 0.5 * u * u / w });
        }
        let mut impulses = vec![0.0; contact.u.len()];
        impulses[0] = (square.sqrt() - u) / w;
        Ok(impulses)
    }

    fn outcome(&self) -> Outcome {
        Outcome::Rebound
    }

    fn is_for_several(&self) -> bool {
        false
    }
}

/// The elastic law with a momentum balance that is wrong: (i) of Theorem 3.1 in Rodriguez Abella and
/// Colombo, *Variational collision integrators for nonholonomic systems*, taken component by component.
/// There the momentum before the impact loses its component along the coordinate that the surface is a
/// graph of, so that `P^T p+ = P^T (p- - p-_k e_k)`. The same as a contact force `F_q = -p-_k e_k`
/// without loss. With it the ellipse of section 4.2 shows the one impact in 2 s that the paper prints.
#[derive(Clone, Copy, Debug)]
pub struct Literal;

impl Law for Literal {
    fn name(&self) -> &'static str {
        "literal"
    }

    fn conditions<'s>(&self, jump: &Jump<'s>) -> Vec<Expr<'s>> {
        Lossful.conditions(jump)
    }

    fn impulses(&self, contact: &Single) -> Result<Vec<f64>, LawFailure> {
        Lossful.impulses(contact)
    }

    fn outcome(&self) -> Outcome {
        Outcome::Rebound
    }

    fn is_for_several(&self) -> bool {
        false
    }
}
