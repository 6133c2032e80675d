//! Design variables as unknowns of the inner problem.
//!
//! The problem is solved at the guess of the design first, and from there once more with the design free between its bounds: that
//! is easier than to look for everything at once.

use super::{End, Method};
use crate::error::DesignError;
use crate::evaluator::{Evaluator, Halt};
use crate::shares::share;
use crate::study::Study;

/// The design is found by the inner problem.
#[derive(Clone, Copy, Debug)]
pub struct Simultaneous;

impl Method for Simultaneous {
    fn name(&self) -> &'static str {
        "simultaneous"
    }

    fn summary(&self) -> &'static str {
        "the design variables become unknowns of the control problem, found together with the motion; a local optimum"
    }

    fn search(&self, study: &Study, evaluator: &mut Evaluator<'_>) -> Result<End, Halt> {
        let objective = evaluator.objective();
        if !objective.is_free() {
            let (what, objective) = ("unknowns of an optimal control problem", objective.kind());
            let instead = "`kriging` or `smf`";
            return Err(DesignError::Missing { method: "simultaneous", what, objective, instead }.into());
        }
        let first: Vec<f64> = study.variables.iter().map(|variable| variable.first()).collect();
        evaluator.one("first", &share(study, &first))?;
        evaluator.free("simultaneous")?;
        match evaluator.samples().last() {
            Some(sample) if sample.cost.is_some() => Ok(End::converged("motion and design are optimal together")),
            Some(sample) => Ok(End::stalled(sample.note.clone())),
            None => Ok(End::stalled("nothing was evaluated")),
        }
    }
}
