//! Holonomic constraints solved for coordinates: the map `P_h` of section IV.

use super::domain::Domain;
use super::error::ProjectionError;
use super::monotonic::{Slope, slope_of};
use crate::dynamics::Dynamics;
use crate::system::System;
use carom_expr::{Graph, Id};

/// Coordinates that constraints determine, as expressions of those that are left.
pub(super) fn solve(
    graph: &mut Graph,
    system: &System,
    dynamics: &Dynamics,
) -> Result<Vec<(usize, Id)>, ProjectionError> {
    let names = system.coordinate_names();
    let mut solved: Vec<(usize, Id)> = Vec::new();
    for (constraint, &id) in system.constraints().iter().zip(&dynamics.constraints) {
        let known: Vec<(Id, Id)> = solved.iter().map(|&(place, value)| (dynamics.q[place], value)).collect();
        let equation = graph.substitute(&[id], &known)[0];
        let equation = graph.collect(equation);
        let mut reasons = Vec::new();
        let mut best: Option<(bool, usize, Id)> = None;
        for place in (0..dynamics.dimension()).filter(|place| !solved.iter().any(|(done, _)| done == place)) {
            let variable = dynamics.q[place];
            match closed_form(graph, equation, variable, &dynamics.q)? {
                // A coordinate that the gap does not see is the best one to give up.
                Ok(value) => {
                    let is_seen = graph.depends_on(dynamics.surfaces[0].gap, &[variable]);
                    if best.is_none_or(|(seen, ..)| seen && !is_seen) {
                        best = Some((is_seen, place, value));
                    }
                }
                Err(why) => reasons.push(format!("  {}: {why}", names[place])),
            }
        }
        let Some((_, place, value)) = best else {
            let constraint = constraint.name.clone();
            return Err(ProjectionError::NotSolvable { constraint, reasons: reasons.join("\n") });
        };
        for (_, known) in &mut solved {
            *known = graph.substitute(&[*known], &[(dynamics.q[place], value)])[0];
        }
        solved.push((place, value));
    }
    Ok(solved)
}

/// The value of `variable` where `equation` vanishes, or why there is no formula for it.
fn closed_form(
    graph: &mut Graph,
    equation: Id,
    variable: Id,
    all: &[Id],
) -> Result<Result<Id, String>, ProjectionError> {
    let slope = graph.gradient(equation, &[variable])[0];
    if graph.is_zero(slope) {
        return Ok(Err("does not occur".to_owned()));
    }
    if graph.depends_on(slope, &[variable]) {
        return Ok(Err("occurs nonlinearly".to_owned()));
    }
    let domain = Domain::whole(graph, &[slope], all);
    let verdict = slope_of(graph, slope, &domain)?;
    if !matches!(verdict, Slope::Positive(_) | Slope::Negative(_)) {
        return Ok(Err(format!("its factor {} may vanish", graph.display(slope))));
    }
    // x = -f(0) / f' for f linear in x.
    let zero = graph.constant(0.0);
    let rest = graph.substitute(&[equation], &[(variable, zero)])[0];
    let ratio = graph.div(rest, slope);
    Ok(Ok(graph.neg(ratio)))
}
