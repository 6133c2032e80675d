//! Design variables as unknowns of the inner problem: one problem, solved once.

use super::{End, Method};
use crate::error::DesignError;
use crate::evaluator::{Evaluator, Halt};
use crate::study::Study;

/// The design is found by the inner problem.
#[derive(Clone, Copy, Debug)]
pub struct Simultaneous;

impl Method for Simultaneous {
    fn name(&self) -> &'static str {
        "simultaneous"
    }

    fn summary(&self) -> &'static str {
        "the design variables become unknowns of the control problem, which is solved once; a local optimum"
    }

    fn search(&self, _study: &Study, evaluator: &mut Evaluator<'_>) -> Result<End, Halt> {
        let objective = evaluator.objective();
        if !objective.is_free() {
            let (what, objective) = ("unknowns of an optimal control problem", objective.kind());
            let instead = "`kriging` or `smf`";
            return Err(DesignError::Missing { method: "simultaneous", what, objective, instead }.into());
        }
        evaluator.free("simultaneous")?;
        match evaluator.samples().last() {
            Some(sample) if sample.cost.is_some() => Ok(End::converged("motion and design are optimal together")),
            Some(sample) => Ok(End::stalled(sample.note.clone())),
            None => Ok(End::stalled("nothing was evaluated")),
        }
    }
}
