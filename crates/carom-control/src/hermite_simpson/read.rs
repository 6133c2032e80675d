//! The motion of a point of the collocation.

use super::interval::IntervalExpressions;
use crate::dmoc::Place;
use crate::error::ControlError;
use crate::extract::{PhasePoint, Reader};
use crate::measure::{MeasuredInterval, Measures};
use crate::solution::PhaseSolution;

/// Reads velocities and forces, which are unknowns, and measures costs by Simpson's rule.
pub(super) struct CollocationReader;

impl Reader for CollocationReader {
    fn measure(
        &self,
        point: &PhasePoint<'_>,
        found: &mut PhaseSolution,
        costs: &mut [(String, f64)],
    ) -> Result<Option<String>, ControlError> {
        let own = point.own;
        let place = Place { phase: point.phase, stage: 0, freed: &[] };
        let IntervalExpressions { graph, q, v, u, h, ta, samples, .. } = IntervalExpressions::new(&place);
        let inputs = [q.concat(), v.concat(), u.concat(), vec![h, ta]].concat();
        let interval = MeasuredInterval { graph, inputs, samples, h, outputs: Vec::new() };
        let mut measures = Measures::new(point.problem, point.number, point.phase, interval)?;
        for k in 0..own.mesh.len() {
            let states = [&own.q[k], &own.inner[k][0], &own.q[k + 1], &own.v[k], &own.inner_v[k][0], &own.v[k + 1]];
            let mut inputs: Vec<f64> = states.into_iter().flat_map(|variables| point.pick(variables)).collect();
            own.sample_times.iter().for_each(|&time| inputs.extend(found.controls.at(k, time)));
            inputs.extend([found.times[k + 1] - found.times[k], found.times[k]]);
            measures.interval(&inputs, point.freed, costs, found);
        }
        found.v = own.v.iter().map(|v| point.pick(v)).collect();
        let push = |lambda: &Vec<u32>| point.pick(lambda).into_iter().map(|lambda| -lambda).collect();
        found.forces = own.lambda.iter().map(push).collect();
        measures.end(&found.q[own.mesh.len()], &found.v[own.mesh.len()], point.freed, found, costs);
        Ok(None)
    }
}
