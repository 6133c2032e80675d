//! The flow of a projected system: a smooth path whose projection is a motion with elastic impacts.

use crate::error::FlowError;
use crate::flow::{FlowSchedule, check_schedule};
use crate::hybrid::HybridTaylor;
use crate::options::FlowOptions;
use carom_impact::{Grid, Projected, ProjectedRun};
use carom_model::System;
use carom_model::projection::Projection;

/// Follows the smooth path of `projection` from a feasible state of `system`, by Taylor series on both sides. What breaks
/// a run off is told by the ending of its trajectory.
pub fn projected_flow(
    system: &System,
    projection: &Projection,
    options: FlowOptions,
    schedule: FlowSchedule,
    (q, v): (&[f64], &[f64]),
    observe: &mut dyn FnMut(f64) -> bool,
) -> Result<ProjectedRun, FlowError> {
    check_schedule(schedule)?;
    let mut projected = Projected::new(projection, options.backend, |_, dynamics| {
        let mut motion = HybridTaylor::new(dynamics, options)?;
        motion.limit(schedule.output.min(schedule.max_step));
        Ok::<_, FlowError>(motion)
    })?;
    let grid = Grid { count: schedule.nodes(), time: &|k| schedule.time(k), every: 1 };
    Ok(projected.run(system, "taylor", (q, v), grid, observe)?)
}
