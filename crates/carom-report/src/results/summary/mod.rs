//! A run in a handful of numbers: the object of `--json`.

mod contacts;
mod path;

pub(super) use contacts::finding;
pub use path::summarize_path;

use crate::Run;
use crate::frame::quasivelocities;
use carom_model::{Deviation, Digest, Ending, State, System, Trajectory};
use serde_json::{Map, Value, json};

/// What the command line prints with `--json`.
///
/// Vectors are objects with coordinate names as keys; numbers that are not
/// finite are `null`. Of very many impacts, the first ten thousand are there, and
/// `impacts_omitted` says how many are not.
pub fn summary(run: &Run<'_>) -> Value {
    summarize(run.system, &Digest::of(run.trajectory))
}

/// The same of a motion whose nodes have gone.
pub fn summarize(system: &System, digest: &Digest) -> Value {
    let header = &digest.header;
    let statistics = &header.statistics;
    let mut object = json!({
        "model": system.name(),
        "method": header.method,
        "steps": statistics.steps,
        "nodes": digest.nodes,
        "wall_s": statistics.wall_seconds,
        "setup_s": statistics.setup_seconds,
        "iterations": statistics.iterations,
        "factorisations": statistics.factorisations,
        "retries": statistics.retries,
        "final": final_state(system, digest),
        "energy": energy(digest),
        "constraints": { "max_abs": digest.constraint_error },
        "invariants": invariants(digest),
    });
    contacts::describe(digest, &mut object);
    object["ending"] = ending(&header.ending);
    object
}

/// A vector with coordinate names as keys; `null` where it has no value.
fn by_name(header: &Trajectory, values: &[f64]) -> Value {
    let value = |(index, name): (usize, &String)| (name.clone(), values.get(index).copied().into());
    Value::Object(header.coordinates.iter().enumerate().map(value).collect())
}

/// Time and state of the last node, with its quasivelocities `w` if there is a frame; `null` if there is none.
pub(super) fn final_state(system: &System, digest: &Digest) -> Value {
    let Some(last) = &digest.last else { return Value::Null };
    let vector = |values: &[f64]| by_name(&digest.header, values);
    let mut state = json!({ "t": last.t, "q": vector(&last.q), "v": vector(&last.v), "p": vector(&last.p) });
    let speeds = quasivelocities(system, &last.q, &last.v);
    if !speeds.is_empty() {
        state["w"] = speeds.into_iter().map(|(name, value)| (name, value.into())).collect::<Map<_, _>>().into();
    }
    state
}

pub(super) fn energy(digest: &Digest) -> Value {
    let at = |node: &Option<State>| node.as_ref().map(|node| node.energy);
    json!({
        "initial": at(&digest.first),
        "final": at(&digest.last),
        "max_abs_error": digest.energy_error(),
    })
}

pub(super) fn invariants(digest: &Digest) -> Vec<Value> {
    let describe = |invariant: &Deviation| {
        json!({
            "name": invariant.name,
            "initial": invariant.first,
            "max_abs_error": invariant.error,
        })
    };
    digest.invariants.iter().map(describe).collect()
}

pub(super) fn ending(ending: &Ending) -> Value {
    match ending {
        Ending::Completed => json!({ "status": "completed" }),
        Ending::Failed { time, message } => json!({ "status": "failed", "time": time, "message": message }),
    }
}
