//! A given map: the state after the impact is stated by the model.
//!
//! For models whose coordinates change their meaning at the impact, such as walkers that exchange their
//! legs. Nothing can be said about impulses.

use super::{Jump, Law, LawFailure, Outcome, Single};
use carom_expr::Expr;

/// The state is replaced.
#[derive(Clone, Copy, Debug)]
pub struct Reset;

impl Law for Reset {
    fn name(&self) -> &'static str {
        "reset"
    }

    fn conditions<'s>(&self, _jump: &Jump<'s>) -> Vec<Expr<'s>> {
        Vec::new()
    }

    fn impulses(&self, contact: &Single) -> Result<Vec<f64>, LawFailure> {
        Ok(vec![0.0; contact.u.len()])
    }

    fn outcome(&self) -> Outcome {
        Outcome::Reset
    }

    fn is_for_several(&self) -> bool {
        false
    }
}
