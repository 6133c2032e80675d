//! A sweep on one screen, and as one object.

use crate::table::{Table, duration, number};
use carom::sweep::{Dataset, Ran, Summary, Worker};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A sweep that has ended, or was stopped.
pub struct Done<'a> {
    /// What was computed.
    pub worker: &'a Worker,
    /// Where it is.
    pub dataset: &'a Dataset,
    /// How much of it now.
    pub ran: Ran,
    /// What the rows say.
    pub summary: Summary,
    /// How long it took.
    pub seconds: f64,
    /// On how many threads.
    pub threads: usize,
    /// The picture, if there is one.
    pub picture: Option<PathBuf>,
}

impl Done<'_> {
    /// Points per second.
    fn rate(&self) -> f64 {
        self.ran.computed as f64 / self.seconds.max(1e-9)
    }
}

/// The summary of a sweep.
pub fn table(done: &Done<'_>) -> String {
    let (sweep, ran) = (done.worker.sweep(), &done.ran);
    let mut table = Table::default();
    table.row(["sweep", &format!("{} of {} over {}", sweep.kind.name(), sweep.file, sweep.points.names().join(", "))]);
    let mut points = vec![format!("{}", done.worker.points())];
    points.extend((ran.known > 0).then(|| format!("{} known already", ran.known)));
    points.extend((ran.missing > 0).then(|| format!("{} missing", ran.missing)));
    table.row(["points", &points.join(", ")]);
    let Summary { failed, commonest, .. } = &done.summary;
    table.row(["failed", &failed.to_string()]);
    if let Some((message, count)) = commonest {
        table.row(["", &format!("{count} times: {message}")]);
    }
    let (rate, threads) = (number(done.rate(), 3), done.threads);
    table.row(["time", &format!("{}, {rate} points/s on {threads} threads", duration(done.seconds))]);
    let folder = done.dataset.table();
    table.row(["table", &format!("{} in {} parts", folder.display(), sweep.parts())]);
    table.row(["columns", &done.worker.columns().join(", ")]);
    if let Some(picture) = &done.picture {
        table.row(["picture", &picture.display().to_string()]);
    }
    table.row(["to read it", &format!("pandas.read_parquet(\"{}\")", folder.display())]);
    table.to_string()
}

/// The same as JSON.
pub fn object(done: &Done<'_>) -> Value {
    let (sweep, ran) = (done.worker.sweep(), &done.ran);
    json!({
        "kind": sweep.kind.name(),
        "file": sweep.file,
        "over": sweep.points.names(),
        "points": done.worker.points(),
        "known": ran.known,
        "computed": ran.computed,
        "missing": ran.missing,
        "failed": done.summary.failed,
        "message": done.summary.commonest.as_ref().map(|(message, _)| message),
        "parts": sweep.parts(),
        "columns": done.worker.columns(),
        "wall_s": done.seconds,
        "points_per_s": done.rate(),
        "folder": done.dataset.folder().to_string_lossy(),
        "table": done.dataset.table().to_string_lossy(),
        "picture": done.picture.as_ref().map(|path| path.to_string_lossy()),
    })
}
