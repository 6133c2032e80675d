//! Files that a problem or a study names: a sweep carries their texts, for workers have no files.

use carom_model::Diagnostics;
use carom_model::reading::{Report, Source};

/// Something, or a message for its row.
pub(crate) type Found<T> = Result<T, String>;

/// The text of a file that the sweep carries.
pub(crate) fn opened(beside: &[(String, String)], name: &str) -> Result<String, Diagnostics> {
    let known = beside.iter().find(|(known, _)| known == name);
    known.map(|(_, text)| text.clone()).ok_or_else(|| absent(name))
}

fn absent(name: &str) -> Diagnostics {
    let report = Report::new(Source::new(name, ""));
    let place = carom_model::reading::Place::in_file(0..1);
    let message = "the sweep does not carry this file".to_owned();
    let severity = carom_model::Severity::Error;
    Diagnostics(vec![report.diagnostic(severity, "unreadable", place, message, None)])
}
