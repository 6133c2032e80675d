//! The manifest: what was run, with what, how it ended, and which files belong to it.

use super::{NODES, summary};
use crate::Run;
use crate::error::ReportError;
use crate::file::Written;
use carom_model::{Coordinate, Ending, Invariant, Statistics, Trajectory};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// What tells a carom manifest from other files of this name.
const FORMAT: &str = "carom-result";
/// Rises when a reader of the former version would misunderstand a result.
const VERSION: u64 = 1;

/// The manifest of a run whose tables are `files`.
pub(super) fn describe(run: &Run<'_>, files: &[Written]) -> Value {
    let trajectory = run.trajectory;
    json!({
        "format": FORMAT,
        "format_version": VERSION,
        "carom_version": env!("CARGO_PKG_VERSION"),
        "name": run.system.name(),
        "method": trajectory.method,
        "settings": run.settings,
        "nodes": trajectory.len(),
        "coordinates": trajectory.coordinates.iter().map(|name| coordinate(run, name)).collect::<Vec<_>>(),
        "constraints": trajectory.constraints,
        "invariants": summary::invariants(trajectory),
        "statistics": statistics(&trajectory.statistics),
        "ending": summary::ending(&trajectory.ending),
        "final": summary::final_state(trajectory),
        "energy": summary::energy(trajectory),
        "files": files.iter().map(file).collect::<Vec<_>>(),
        "source": run.source,
    })
}

fn coordinate(run: &Run<'_>, name: &str) -> Value {
    let known = run.system.coordinates().iter().find(|coordinate| coordinate.name == name);
    let Coordinate { unit, period, doc, .. } = known.cloned().unwrap_or_default();
    json!({ "name": name, "unit": unit, "period": period, "doc": doc })
}

fn statistics(statistics: &Statistics) -> Value {
    json!({
        "steps": statistics.steps,
        "iterations": statistics.iterations,
        "factorisations": statistics.factorisations,
        "retries": statistics.retries,
        "wall_s": statistics.wall_seconds,
        "setup_s": statistics.setup_seconds,
    })
}

fn file(written: &Written) -> Value {
    let name = written.path.file_name().unwrap_or_default().to_string_lossy();
    json!({ "name": name, "bytes": written.print.bytes, "fnv1a": written.print.hex() })
}

/// What the reader takes from a manifest.
pub(super) struct Parsed {
    pub value: Value,
    pub source: String,
    pub nodes_bytes: u64,
    pub nodes_checksum: String,
    pub empty_trajectory: Trajectory,
}

/// Reads a manifest and checks everything that the reader relies on.
pub(super) fn parse(path: &Path) -> Result<Parsed, ReportError> {
    let bytes = fs::read(path).map_err(|source| ReportError::Read { path: path.to_owned(), source })?;
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| ReportError::NotAManifest { path: path.to_owned(), found: error.to_string() })?;
    check_version(path, &value)?;
    let fields = Fields { path, value: &value };
    let is_nodes = |file: &&Value| file["name"] == NODES;
    let nodes = value["files"].as_array().and_then(|files| files.iter().find(is_nodes));
    let nodes = nodes.ok_or_else(|| fields.bad("files", "a list with `nodes.parquet`"))?;
    Ok(Parsed {
        source: fields.text("/source")?,
        nodes_bytes: nodes["bytes"].as_u64().ok_or_else(|| fields.bad("files.bytes", "a number"))?,
        nodes_checksum: nodes["fnv1a"].as_str().ok_or_else(|| fields.bad("files.fnv1a", "a text"))?.to_owned(),
        empty_trajectory: fields.trajectory()?,
        value,
    })
}

fn check_version(path: &Path, value: &Value) -> Result<(), ReportError> {
    if value["format"] != FORMAT {
        let found = format!("`format` is {}, not \"{FORMAT}\"", value.get("format").unwrap_or(&Value::Null));
        return Err(ReportError::NotAManifest { path: path.to_owned(), found });
    }
    let found = &value["format_version"];
    if found.as_u64() != Some(VERSION) {
        return Err(ReportError::Version { path: path.to_owned(), found: found.to_string(), known: VERSION });
    }
    Ok(())
}

/// Access to fields, with errors that name them.
struct Fields<'a> {
    path: &'a Path,
    value: &'a Value,
}

impl Fields<'_> {
    fn bad(&self, field: &str, expected: &'static str) -> ReportError {
        ReportError::BadField { path: self.path.to_owned(), field: field.replace('/', "."), expected }
    }

    fn text(&self, pointer: &str) -> Result<String, ReportError> {
        let text = self.value.pointer(pointer).and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| self.bad(&pointer[1..], "a text"))
    }

    fn count(&self, pointer: &str) -> Result<usize, ReportError> {
        let count = self.value.pointer(pointer).and_then(Value::as_u64);
        let count = count.and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| self.bad(&pointer[1..], "a whole number"))
    }

    /// A number; `null` stands for one that is not finite.
    fn number(&self, pointer: &str) -> Result<f64, ReportError> {
        match self.value.pointer(pointer) {
            Some(Value::Null) => Ok(f64::NAN),
            other => other.and_then(Value::as_f64).ok_or_else(|| self.bad(&pointer[1..], "a number")),
        }
    }

    /// The names in a list of texts or of objects with a `name`.
    fn names(&self, field: &str) -> Result<Vec<String>, ReportError> {
        let bad = || self.bad(field, "a list of names");
        let name = |item: &Value| item.as_str().or(item["name"].as_str()).map(str::to_owned);
        let list = self.value[field].as_array().ok_or_else(bad)?;
        list.iter().map(|item| name(item).ok_or_else(bad)).collect()
    }

    fn trajectory(&self) -> Result<Trajectory, ReportError> {
        let method = self.text("/method")?;
        let invariant = |name| Invariant { name, values: Vec::new() };
        Ok(Trajectory {
            invariants: self.names("invariants")?.into_iter().map(invariant).collect(),
            statistics: self.statistics()?,
            ending: self.ending()?,
            ..Trajectory::new(self.names("coordinates")?, self.names("constraints")?, &method)
        })
    }

    fn statistics(&self) -> Result<Statistics, ReportError> {
        Ok(Statistics {
            steps: self.count("/statistics/steps")?,
            iterations: self.count("/statistics/iterations")?,
            factorisations: self.count("/statistics/factorisations")?,
            retries: self.count("/statistics/retries")?,
            wall_seconds: self.number("/statistics/wall_s")?,
            setup_seconds: self.number("/statistics/setup_s")?,
        })
    }

    fn ending(&self) -> Result<Ending, ReportError> {
        match self.text("/ending/status")?.as_str() {
            "completed" => Ok(Ending::Completed),
            "failed" => {
                Ok(Ending::Failed { time: self.number("/ending/time")?, message: self.text("/ending/message")? })
            }
            _ => Err(self.bad("ending.status", "`completed` or `failed`")),
        }
    }
}
