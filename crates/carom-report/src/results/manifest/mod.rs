//! The manifest: what was run, with what, how it ended, and which files belong to it.

mod parse;

pub(super) use parse::{Files, Print, parse};

use super::summary;
use crate::Run;
use crate::file::Written;
use carom_model::{Coordinate, Digest, Statistics};
use serde_json::{Value, json};

/// What tells a carom manifest from other files of this name.
const FORMAT: &str = "carom-result";
/// Rises when a reader of the former version would misunderstand a result.
const VERSION: u64 = 1;

/// The manifest of a run whose tables are `files`.
pub(super) fn describe(run: &Run<'_>, digest: &Digest, files: &[Written]) -> Value {
    let header = &digest.header;
    let mut manifest = json!({
        "format": FORMAT,
        "format_version": VERSION,
        "carom_version": env!("CARGO_PKG_VERSION"),
        "name": run.system.name(),
        "method": header.method,
        "settings": run.settings,
        "nodes": digest.nodes,
        "coordinates": header.coordinates.iter().map(|name| coordinate(run, name)).collect::<Vec<_>>(),
        "constraints": header.constraints,
        "contacts": header.contacts,
        "quasivelocities": header.quasivelocities.iter().map(|name| quasivelocity(run, name)).collect::<Vec<_>>(),
        "impact_count": digest.impacts.sample.count,
        "invariants": summary::invariants(digest),
        "findings": digest.findings.first.iter().map(|found| summary::finding(header, found)).collect::<Vec<_>>(),
        "statistics": statistics(&header.statistics),
        "ending": summary::ending(&header.ending),
        "final": summary::final_state(run.system, digest),
        "energy": summary::energy(digest),
        "files": files.iter().map(file).collect::<Vec<_>>(),
        "source": run.source,
    });
    if let Some(path) = run.path {
        manifest["path"] = summary::summarize_path(path);
    }
    if digest.findings.omitted() > 0 {
        manifest["findings_omitted"] = digest.findings.omitted().into();
    }
    manifest
}

fn coordinate(run: &Run<'_>, name: &str) -> Value {
    let known = run.system.coordinates().iter().find(|coordinate| coordinate.name == name);
    let Coordinate { unit, period, doc, .. } = known.cloned().unwrap_or_default();
    json!({ "name": name, "unit": unit, "period": period, "doc": doc })
}

fn quasivelocity(run: &Run<'_>, name: &str) -> Value {
    let known = run.quasivelocities.iter().find(|speed| speed.name == name);
    let (unit, doc) = known.map_or((None, None), |speed| (speed.unit.clone(), speed.doc.clone()));
    json!({ "name": name, "unit": unit, "doc": doc })
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
