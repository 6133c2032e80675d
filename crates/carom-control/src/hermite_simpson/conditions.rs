//! Conditions along the way: states, controls and forces are known at every node and midpoint.

use super::points::{Points, name};
use crate::assembly::Assembly;
use crate::dmoc::Place;
use crate::error::ControlError;
use crate::layout::PhaseLayout;
use crate::problem::Where;
use carom_expr::Id;

/// Rows for all conditions: those of nodes between the ends, those of samples at midpoints as well. At the two ends
/// states have conditions of their own, so that only formulas with controls or forces are asked for there.
pub(super) fn conditions(
    place: &Place<'_>,
    points: &Points,
    assembly: &mut Assembly,
    own: &PhaseLayout,
) -> Result<(), ControlError> {
    let phase = place.phase;
    let last = points.q.len() - 1;
    for path in &phase.phase.path {
        let condition = &path.condition;
        let mut graph = phase.dynamics.graph.clone();
        let id = phase.formulas(true).read(&mut graph, "the condition along the path", &condition.formula)?;
        let (n, m) = (phase.dynamics.dimension(), phase.dynamics.constraint_count());
        let (a, lambda) = (graph.variables("[a]", n), graph.variables("[lambda]", m));
        let forces: Vec<(Id, Id)> =
            phase.forces.iter().zip(&lambda).map(|(&(_, force), &lambda)| (force, graph.neg(lambda))).collect();
        let id = graph.substitute(&[id], &forces)[0];
        let pushes = graph.depends_on(id, &phase.inputs) || graph.depends_on(id, &lambda);
        let (inputs, time) = points.inputs(place, &mut graph, own, [a, lambda]);
        let id = graph.substitute(&[id], &time)[0];
        let shape = assembly.kernel(graph, &inputs, None, &[id]);
        for point in 0..=last {
            let is_asked = match (point.is_multiple_of(2), path.at) {
                (false, at) => at != Where::Nodes,
                (true, Where::Nodes) => point > 0 && point < last,
                (true, _) => pushes || point > 0 && point < last,
            };
            if is_asked {
                let row = format!("{} / {} / {}", phase.phase.name, name(point), condition.name);
                let row = assembly.row(row, condition.range, place.stage + (point / 2) as u32);
                let (variables, data) = points.at(place, own, point);
                assembly.place(&shape, &variables, &data, &[row]);
            }
        }
    }
    Ok(())
}
