//! Constraints of a phase: closed contacts, coordinates that are held, what transitions see to.

use super::{contact_names, unknown};
use crate::dmoc::transitions;
use crate::error::ControlError;
use crate::formula::axis_suffix;
use crate::problem::{ClosedContact, ControlProblem, Phase, Transition};
use carom_expr::Id;
use carom_model::{Closed, Dynamics, Hold};

/// The same constraint name twice would hide one of them.
pub(super) fn name_forces(phase: &Phase, dynamics: &mut Dynamics) {
    let holonomic = phase.system.constraints().len();
    let mut held = holonomic + phase.closed.len();
    for closed in phase.closed.iter().filter(|closed| closed.sticks) {
        let contact = phase.system.contacts().iter().find(|contact| contact.name == closed.contact);
        for axis in 0..contact.map_or(0, |contact| contact.tangents.len()) {
            dynamics.constraint_names[held] = format!("{}_t{}", closed.contact, axis_suffix(axis));
            held += 1;
        }
    }
}

/// The closed contacts of a phase.
pub(super) fn closed(phase: &Phase) -> Result<Vec<Closed>, ControlError> {
    for closed in phase.closed.iter().filter(|closed| !closed.sticks) {
        let contact = phase.system.contacts().iter().find(|contact| contact.name == closed.contact);
        if contact.is_some_and(|contact| contact.parameter("friction").is_some()) {
            return Err(ControlError::Rubs { phase: phase.name.clone(), contact: closed.contact.clone() });
        }
    }
    let dynamics = phase.system.dynamics();
    let find = |contact: &crate::problem::ClosedContact| {
        let surface = dynamics.surfaces.iter().position(|surface| surface.name == contact.contact);
        let hold = if contact.sticks { Hold::Stick } else { Hold::Slide { friction: 0.0, direction: 0.0 } };
        surface
            .map(|surface| Closed { surface, hold })
            .ok_or_else(|| unknown(phase, "contact", &contact.contact, contact_names(phase)))
    };
    phase.closed.iter().map(find).collect()
}

/// Coordinates that constraints hold at a number: `x - c = 0`, or a held tangent `x` with a given start.
pub(super) fn pins(phase: &Phase, dynamics: &Dynamics) -> (Vec<Option<f64>>, Vec<bool>) {
    let n = dynamics.dimension();
    let mut pinned = vec![None; n];
    let zeros = dynamics.constraints.len() - dynamics.kept_values;
    let mut graph = dynamics.graph.clone();
    let mut pin = |number: usize, &g: &Id| {
        let slopes = graph.gradient(g, &dynamics.q);
        let moves: Vec<usize> = (0..n).filter(|&k| !graph.is_zero(slopes[k])).collect();
        let [k] = moves[..] else { return false };
        let (Some(slope), origin) = (graph.value(slopes[k]), graph.constant(0.0)) else { return false };
        let rest = graph.substitute(&[g], &[(dynamics.q[k], origin)])[0];
        let value = if number < zeros {
            graph.value(rest).map(|rest| (0.0 - rest) / slope)
        } else {
            let name = &phase.system.coordinates()[k].name;
            phase
                .start
                .iter()
                .find(|start| &start.formula == name && start.range.is_fixed())
                .map(|start| start.range.lower)
        };
        // Two constraints on one coordinate are not a pin twice.
        match value {
            Some(value) if pinned[k].is_none() => {
                pinned[k] = Some(value);
                true
            }
            _ => false,
        }
    };
    let mut is_pin: Vec<bool> = dynamics.constraints.iter().enumerate().map(|(number, g)| pin(number, g)).collect();
    is_pin.extend(vec![false; dynamics.velocity_constraints.len()]);
    (pinned, is_pin)
}

/// Constraints that hold at the start since the transitions that lead here see to it: those that hold before as well, and
/// contacts that close without rebound. With a relabelling the names before are others: an impact is trusted then.
pub(super) fn implied(problem: &ControlProblem, number: usize, dynamics: &Dynamics) -> Vec<bool> {
    let links = transitions(problem);
    let leading: Vec<_> = links.iter().filter(|link| link.to == number && link.from < problem.phases.len()).collect();
    let by = |link: &&Transition, name: &String| {
        let from = &problem.phases[link.from];
        let system = from.system.constraints().iter().chain(from.system.velocity_constraints());
        let closes = |guard: &String| {
            let contact = from.system.contacts().iter().find(|contact| &contact.name == guard);
            let stays = contact.is_some_and(|contact| matches!(contact.law.as_str(), "plastic" | "transition"));
            stays && (name == guard || name.starts_with(&format!("{guard}_t")))
        };
        let held =
            |closed: &ClosedContact| name == &closed.contact || name.starts_with(&format!("{}_t", closed.contact));
        let goes_on = system.map(|named| &named.name).any(|known| known == name) || from.closed.iter().any(held);
        if link.map.is_empty() { goes_on || link.guards.iter().any(closes) } else { goes_on || !link.guards.is_empty() }
    };
    let holds = |name: &String| !leading.is_empty() && leading.iter().all(|link| by(link, name));
    dynamics.constraint_names.iter().map(holds).collect()
}
