//! A run in a handful of numbers: the object of `--json`.

use crate::Run;
use carom_model::{Ending, Trajectory};
use serde_json::{Map, Value, json};

/// What the command line prints with `--json`.
///
/// Vectors are objects with coordinate names as keys; numbers that are not
/// finite are `null`.
pub fn summary(run: &Run<'_>) -> Value {
    let trajectory = run.trajectory;
    let statistics = &trajectory.statistics;
    json!({
        "model": run.system.name(),
        "method": trajectory.method,
        "steps": statistics.steps,
        "nodes": trajectory.len(),
        "wall_s": statistics.wall_seconds,
        "setup_s": statistics.setup_seconds,
        "iterations": statistics.iterations,
        "factorisations": statistics.factorisations,
        "retries": statistics.retries,
        "final": final_state(trajectory),
        "energy": energy(trajectory),
        "constraints": { "max_abs": trajectory.constraint_error() },
        "invariants": invariants(trajectory),
        "impacts": [],
        "ending": ending(&trajectory.ending),
    })
}

/// Time and state of the last node; `null` if there is none.
pub(super) fn final_state(trajectory: &Trajectory) -> Value {
    let Some(last) = trajectory.len().checked_sub(1) else { return Value::Null };
    let start = last * trajectory.dimension();
    let by_name = |values: &[f64]| -> Map<String, Value> {
        let value = |(index, name): (usize, &String)| (name.clone(), values.get(start + index).copied().into());
        trajectory.coordinates.iter().enumerate().map(value).collect()
    };
    json!({
        "t": trajectory.t[last],
        "q": by_name(&trajectory.q),
        "v": by_name(&trajectory.v),
        "p": by_name(&trajectory.p),
    })
}

pub(super) fn energy(trajectory: &Trajectory) -> Value {
    json!({
        "initial": trajectory.energy.first(),
        "final": trajectory.energy.last(),
        "max_abs_error": trajectory.energy_error(),
    })
}

pub(super) fn invariants(trajectory: &Trajectory) -> Vec<Value> {
    let describe = |invariant: &carom_model::Invariant| {
        json!({
            "name": invariant.name,
            "initial": invariant.values.first(),
            "max_abs_error": invariant.error(),
        })
    };
    trajectory.invariants.iter().map(describe).collect()
}

pub(super) fn ending(ending: &Ending) -> Value {
    match ending {
        Ending::Completed => json!({ "status": "completed" }),
        Ending::Failed { time, message } => json!({ "status": "failed", "time": time, "message": message }),
    }
}
