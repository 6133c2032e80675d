//! Motions that a search of impacts has found: one is taken, the others are listed.

use super::summary::audit;
use carom_control::{Audit, Candidate, ClosedContact, ControlProblem, Phase, ProblemFile, StoredSolution, Transition};
use serde_json::{Value, json};

/// What a search of impacts has found.
#[derive(Clone, Debug)]
pub struct Discovered {
    /// Motions with different sequences of impacts.
    pub candidates: Vec<Candidate>,
    /// What the audit of each says, if there was one.
    pub audits: Vec<Option<Audit>>,
    /// Number of the motion that was taken.
    pub taken: usize,
    /// Name of the phase that was divided.
    pub phase: String,
}

/// All motions, as they stand in the summary.
pub(super) fn list(found: &Discovered) -> Value {
    let motion = |(number, candidate): (usize, &Candidate)| {
        let hit = |(contact, time): &(String, f64)| json!({ "contact": contact, "t": time });
        json!({
            "taken": number == found.taken,
            "sequence": candidate.sequence,
            "impacts": candidate.impacts.iter().map(hit).collect::<Vec<_>>(),
            "cost": candidate.cost,
            "status": candidate.status.to_string(),
            "converged": candidate.status.is_success(),
            "depth": if candidate.depth.is_finite() { candidate.depth.into() } else { Value::Null },
            "audit": found.audits.get(number).and_then(Option::as_ref).map(audit),
        })
    };
    found.candidates.iter().enumerate().map(motion).collect()
}

/// The phases and transitions of the motion that was taken, from which its problem can be told again.
pub(super) fn sequence(divided: &str, problem: &ControlProblem) -> Value {
    let closed = |closed: &ClosedContact| json!({ "contact": closed.contact, "sticks": closed.sticks });
    let phase =
        |phase: &Phase| json!({ "name": phase.name, "closed": phase.closed.iter().map(closed).collect::<Vec<_>>() });
    let link =
        |link: &Transition| json!({ "name": link.name, "from": link.from, "to": link.to, "guards": link.guards });
    json!({
        "divided": divided,
        "phases": problem.phases.iter().map(phase).collect::<Vec<_>>(),
        "transitions": problem.transitions.iter().map(link).collect::<Vec<_>>(),
    })
}

/// Divides the only phase of a problem as [`sequence`] says.
pub(super) fn divide(file: &mut ProblemFile, sequence: &Value) {
    let (Some(whole), Some(&model)) = (file.problem.phases.first().cloned(), file.phase_models.first()) else { return };
    let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let closed = |value: &Value| ClosedContact {
        contact: text(&value["contact"]),
        sticks: value["sticks"].as_bool().unwrap_or_default(),
    };
    let phase = |value: &Value| Phase {
        name: text(&value["name"]),
        closed: items(&value["closed"]).iter().map(closed).collect(),
        ..whole.clone()
    };
    let phases: Vec<Phase> = items(&sequence["phases"]).iter().map(phase).collect();
    let number = |value: &Value| value.as_u64().map(|number| number as usize).filter(|&number| number < phases.len());
    let link = |value: &Value| {
        let (from, to) = (number(&value["from"])?, number(&value["to"])?);
        let guards = items(&value["guards"]).iter().map(&text).collect();
        Some(Transition { name: text(&value["name"]), guards, ..Transition::smooth(from, to) })
    };
    if !phases.is_empty() {
        file.problem.transitions = items(&sequence["transitions"]).iter().filter_map(link).collect();
        file.phase_models = vec![model; phases.len()];
        file.problem.phases = phases;
    }
}

/// The beginning of a divided motion under the name of the phase that was divided, for whoever reads a guess.
pub(super) fn undivided(solution: &StoredSolution, sequence: &Value) -> StoredSolution {
    let mut whole = solution.clone();
    if let (Some(phase), Some(name)) = (whole.phases.first_mut(), sequence["divided"].as_str()) {
        phase.name = name.to_owned();
        whole.phases.truncate(1);
        whole.transitions.clear();
    }
    whole
}
