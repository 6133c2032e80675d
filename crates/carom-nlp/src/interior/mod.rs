//! Interior point (stub until its algorithm lands in the next commit).
use crate::nlp::Nlp;
use crate::outcome::*;
use crate::solver::*;
/// An interior point method.
pub struct InteriorPoint;
impl Solver for InteriorPoint {
    fn name(&self) -> &'static str {
        "interior"
    }
    fn summary(&self) -> &'static str {
        "interior point along the chain"
    }
    fn solve(&self, nlp: &mut dyn Nlp, _options: &Options, _observe: &mut Observer<'_>) -> Outcome {
        let point = nlp.start().to_vec();
        Outcome {
            status: Status::Failed("not there yet".into()),
            solver: self.name().into(),
            point,
            objective: 0.0,
            multipliers: Multipliers::default(),
            residuals: Default::default(),
            statistics: Statistics::default(),
        }
    }
}
