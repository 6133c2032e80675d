//! The manifest: what was asked, how it was solved, what came out, and which files belong to it.

use super::{Optimum, discovered, planned, summary};
use crate::file::Written;
use carom_control::ProblemFile;
use serde_json::{Map, Value, json};

/// What tells the manifest of an optimal control problem from others.
pub(super) const FORMAT: &str = "carom-optimum";
/// Rises when a reader of the former version would misunderstand a result.
pub(super) const VERSION: u64 = 1;

/// The manifest of a solution whose tables are `files`.
pub(super) fn describe(optimum: &Optimum<'_>, files: &[Written]) -> Value {
    let divided = optimum.discovered.map(|found| found.phase.as_str());
    let divided = divided.or(optimum.planned.map(|planned| planned.phase.as_str()));
    let mut manifest = json!({
        "format": FORMAT,
        "format_version": VERSION,
        "carom_version": env!("CARGO_PKG_VERSION"),
        "settings": optimum.settings,
        "result": planned::shortened(summary(optimum)),
        "sequence": divided.map(|phase| discovered::sequence(phase, &optimum.file.problem)),
    });
    if let (Value::Object(all), Value::Object(sources)) = (&mut manifest, sources(optimum.file, files)) {
        all.extend(sources);
    }
    manifest
}

/// Where a result comes from, so that its problem can be told again, and which files belong to it.
pub(super) fn sources(problem: &ProblemFile, files: &[Written]) -> Value {
    let file = |written: &Written| {
        let name = written.path.file_name().unwrap_or_default().to_string_lossy();
        json!({ "name": name, "bytes": written.print.bytes, "fnv1a": written.print.hex() })
    };
    // A model inside the problem has no text of its own.
    let named = problem.models.iter().filter(|model| !model.file.is_empty());
    let models: Map<String, Value> = named.map(|model| (model.file.clone(), model.source.clone().into())).collect();
    json!({
        "set": problem.set.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>(),
        "files": files.iter().map(file).collect::<Vec<_>>(),
        "source": problem.source,
        "models": models,
    })
}
