//! Projected systems by discrete Lagrangians: the same segments, with the Lagrangian `L(P(z), P'(z) z')` outside the
//! feasible set, closed by the boundary and opened again with the momentum that arrived there.

use crate::checks::{check_method, check_supported, check_tolerance};
use crate::contact::ContactStepper;
use crate::method::Method;
use crate::simulation::{Schedule, SimulationError};
use crate::stepper::Options;
use carom_impact::{Grid, Projected, ProjectedRun};
use carom_model::System;
use carom_model::projection::Projection;

/// Steps along the smooth path of `projection` from a feasible state of `system`. What breaks a run off is told by the
/// ending of its trajectory.
pub fn simulate_projected(
    system: &System,
    projection: &Projection,
    (method, options): (&Method, Options),
    schedule: Schedule,
    (q, v): (&[f64], &[f64]),
    observe: &mut dyn FnMut(f64) -> bool,
) -> Result<ProjectedRun, SimulationError> {
    check_tolerance(options)?;
    let (whole, rest) = schedule.steps()?;
    let mut projected = Projected::new(projection, options.backend, |side, dynamics| {
        check_supported(side)?;
        check_method(side, method, options)?;
        Ok::<_, SimulationError>(ContactStepper::new(dynamics, method, options)?)
    })?;
    // The remainder, if there is one, is the last step.
    let count = whole + 1 + usize::from(rest > 0.0);
    let time = |k: usize| if k <= whole { schedule.start + k as f64 * schedule.step } else { schedule.until };
    let grid = Grid { count, time: &time, every: schedule.every };
    Ok(projected.run(system, &method.to_string(), (q, v), grid, observe)?)
}
