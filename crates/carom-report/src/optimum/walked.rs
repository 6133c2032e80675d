//! Gaits: what every start of a search led to, and what the one that was taken costs.

use super::summary::audit;
use carom_control::{GaitCandidate, GaitMeasures, GaitSearch};
use serde_json::{Value, json};

/// What a search of gaits has found.
#[derive(Clone, Debug)]
pub struct Walked {
    /// Every start; the first candidate was taken.
    pub search: GaitSearch,
    /// What the gait that was taken costs, by every definition; nothing if it is no gait.
    pub measures: Option<GaitMeasures>,
}

/// All starts and all measures, as they stand in the summary.
pub(super) fn list(found: &Walked) -> Value {
    let start = |(number, candidate): (usize, &GaitCandidate)| {
        json!({
            "taken": number == 0,
            "start": candidate.start,
            "hop": candidate.hops,
            "cost": candidate.cost(),
            "status": candidate.solution.outcome.status.to_string(),
            "converged": candidate.solution.outcome.status.is_success(),
            "tightened": candidate.rounds,
            "iterations": candidate.solution.outcome.statistics.iterations,
            "audit": candidate.audit.as_ref().map(audit),
        })
    };
    json!({
        "starts": found.search.candidates.iter().enumerate().map(start).collect::<Vec<_>>(),
        "failures": found.search.failures.iter().map(|(start, error)| json!({ "start": start, "why": error.to_string() })).collect::<Vec<_>>(),
        "measures": found.measures.as_ref().map(measures),
    })
}

fn measures(found: &GaitMeasures) -> Value {
    let energy = |energy: f64| json!({ "energy": energy, "eta": found.transport(energy) });
    json!({
        "weight": found.weight, "length": found.length, "speed": found.speed,
        "net": energy(found.net), "positive": energy(found.positive), "absolute": energy(found.absolute),
        "net_absolute": energy(found.net_absolute), "u2": found.effort, "impact_loss": found.loss,
        "largest_torque": found.largest_torque, "least_normal_force": found.least_normal_force,
        "largest_friction": found.largest_friction,
    })
}
