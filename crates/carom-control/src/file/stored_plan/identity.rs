//! What a plan is about, in lines that can be compared: a plan goes on only if all of them are the same.

use crate::problem::{Condition, ControlProblem};

/// The lines of a problem with one phase.
pub(super) fn identity(problem: &ControlProblem) -> Vec<String> {
    let Some(phase) = problem.phases.first() else { return Vec::new() };
    let system = &phase.system;
    let inputs: Vec<&str> = system.inputs().iter().map(|input| input.name.as_str()).collect();
    let mut lines = vec![
        format!("coordinates {}", system.coordinate_names().join(", ")),
        format!("inputs {}", inputs.join(", ")),
        format!("duration {}", phase.duration.guess()),
        format!("Lagrangian {}", system.graph().display(system.lagrangian())),
    ];
    lines.extend(system.parameters().iter().map(|parameter| format!("{} = {}", parameter.name, parameter.value)));
    let forces = system.coordinates().iter().zip(system.forces());
    lines.extend(
        forces.map(|(coordinate, &force)| format!("force on {}: {}", coordinate.name, system.graph().display(force))),
    );
    let constraints = system.constraints().iter();
    lines.extend(constraints.map(|named| format!("constraint {}: {}", named.name, system.graph().display(named.id))));
    let contacts = system.contacts().iter();
    lines.extend(contacts.map(|contact| format!("gap of {}: {}", contact.name, system.graph().display(contact.gap))));
    let condition = |place: &str, condition: &Condition| {
        let range = condition.range;
        format!("{place} {}: [{}, {}]", condition.formula.trim(), range.lower, range.upper)
    };
    lines.extend(phase.start.iter().map(|given| condition("start", given)));
    lines.extend(phase.end.iter().map(|given| condition("end", given)));
    lines.extend(phase.path.iter().map(|given| condition("on the way", &given.condition)));
    lines.extend(
        phase.bounds.iter().map(|(name, range)| format!("bounds of {name}: [{}, {}]", range.lower, range.upper)),
    );
    lines.extend(problem.costs.iter().map(|cost| format!("cost {}: {} x {:?}", cost.name, cost.weight, cost.kind)));
    lines
}

/// The first line in which two problems differ, in words.
pub(super) fn difference(stored: &[String], given: &[String]) -> Option<String> {
    let count = stored.len().max(given.len());
    let line = |lines: &[String], k: usize| lines.get(k).map_or("nothing", String::as_str).to_owned();
    let different = (0..count).find(|&k| line(stored, k) != line(given, k))?;
    Some(format!("it has `{}`, this one `{}`", line(stored, different), line(given, different)))
}
