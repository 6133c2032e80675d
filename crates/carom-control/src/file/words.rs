//! Words out of a list.

use carom_model::reading::{Entry, Place, Report, suggest, suggest_from};

/// What a word stands for.
pub(super) fn word<T: Copy>(report: &mut Report, entry: &Entry<'_>, known: &[(&str, T)]) -> Option<T> {
    let name = report.string(entry)?;
    named(report, &entry.key, &name, entry.place, known)
}

/// The same for a word that was read already.
pub(super) fn named<T: Copy>(
    report: &mut Report,
    key: &str,
    name: &str,
    place: Place,
    known: &[(&str, T)],
) -> Option<T> {
    let found = known.iter().find(|(word, _)| *word == name).map(|(_, value)| *value);
    if found.is_none() {
        let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
        let help = suggest_from(name, "allowed values", &words);
        report.error("unknown-value", place, format!("`{key}` cannot be `{name}`"), Some(help));
    }
    found
}

/// True if there is something of this name.
pub(super) fn one_of(report: &mut Report, name: &str, place: Place, what: &str, known: &[String]) -> bool {
    let is_known = known.iter().any(|known| known == name);
    if !is_known {
        let help = match known.is_empty() {
            true => "it has none".to_owned(),
            false => suggest(name, "there are", known),
        };
        report.error("unknown-name", place, format!("the model has no {what} `{name}`"), Some(help));
    }
    is_known
}
