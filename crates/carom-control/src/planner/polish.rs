//! The best motions on a finer mesh, with their conditions of optimality.

use super::certificate::certificate;
use super::flights::{Flight, Flights};
use super::plan::{PlanEvent, PlannedMotion, Planning};
use crate::error::ControlError;
use crate::implicit::depth;
use crate::solve::solve;
use carom_nlp::Observer;

/// Motions with one number of impacts that are polished.
const POLISHED: usize = 2;

impl Planning<'_> {
    /// The best of the motions with the same number of impacts, on a finer mesh.
    pub(super) fn polished(
        &self,
        flights: &Flights<'_>,
        candidates: &[Flight],
        watch: &mut dyn FnMut(PlanEvent<'_>) -> bool,
    ) -> Result<Option<PlannedMotion>, ControlError> {
        let mut best: Option<PlannedMotion> = None;
        for flight in candidates.iter().filter(|flight| flight.is_solved()).take(POLISHED) {
            for with_gaps in [true, false] {
                let motion = self.on_finer_mesh(flights, flight, with_gaps, watch)?;
                let is_motion = motion.is_motion();
                let rank = |motion: &PlannedMotion| (!motion.is_motion(), motion.cost);
                if best.as_ref().is_none_or(|best| rank(&motion) < rank(best)) {
                    best = Some(motion);
                }
                // Without bounds of gaps only if these were in the way.
                if is_motion {
                    break;
                }
            }
        }
        Ok(best)
    }

    fn on_finer_mesh(
        &self,
        flights: &Flights<'_>,
        flight: &Flight,
        with_gaps: bool,
        watch: &mut dyn FnMut(PlanEvent<'_>) -> bool,
    ) -> Result<PlannedMotion, ControlError> {
        let mut problem = flights.fixed(flight.times.len(), with_gaps)?;
        problem.phases.iter_mut().for_each(|phase| phase.intervals = self.options.intervals);
        let observe: &mut Observer<'_> = &mut |progress| {
            // Few iterations are left: what was found is worth them, even after a stop.
            watch(PlanEvent::Solving(progress));
            true
        };
        let solution = solve(&problem, &flight.guess, &self.options.polish, observe)?;
        Ok(PlannedMotion {
            times: solution.transitions.iter().map(|transition| transition.time).collect(),
            cost: solution.outcome.objective,
            certificate: certificate(self.task, &solution)?,
            violation: solution.outcome.residuals.feasibility,
            depth: depth(&problem, &solution)?,
            problem,
            solution,
        })
    }
}
