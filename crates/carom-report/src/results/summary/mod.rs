//! A run in a handful of numbers: the object of `--json`.

mod contacts;

pub(super) use contacts::finding;

use crate::Run;
use carom_model::{Ending, Trajectory};
use serde_json::{Value, json};

/// What the command line prints with `--json`.
///
/// Vectors are objects with coordinate names as keys; numbers that are not
/// finite are `null`. Of very many impacts, the first ten thousand are there, and
/// `impacts_omitted` says how many are not.
pub fn summary(run: &Run<'_>) -> Value {
    let trajectory = run.trajectory;
    let statistics = &trajectory.statistics;
    let mut object = json!({
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
    });
    contacts::describe(trajectory, &mut object);
    object["ending"] = ending(&trajectory.ending);
    object
}

/// A vector with coordinate names as keys; `null` where it has no value.
fn by_name(trajectory: &Trajectory, values: &[f64]) -> Value {
    let value = |(index, name): (usize, &String)| (name.clone(), values.get(index).copied().into());
    Value::Object(trajectory.coordinates.iter().enumerate().map(value).collect())
}

/// Time and state of the last node; `null` if there is none.
pub(super) fn final_state(trajectory: &Trajectory) -> Value {
    let Some(last) = trajectory.last() else { return Value::Null };
    let vector = |values: &[f64]| by_name(trajectory, values);
    json!({ "t": last.t, "q": vector(last.q), "v": vector(last.v), "p": vector(last.p) })
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
