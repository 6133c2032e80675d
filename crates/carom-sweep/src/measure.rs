//! Measures with names: a column each.

use crate::SweepError;
use carom_run::{Measure, Over};

/// A measure of every motion of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMeasure {
    /// The name of its column.
    pub name: String,
    /// What is measured.
    pub measure: Measure,
}

impl NamedMeasure {
    /// Reads `NAME=FORMULA`, `NAME=largest FORMULA` or `NAME=smallest FORMULA`; a formula on its own is its own name.
    pub fn parse(text: &str) -> Result<Self, SweepError> {
        let wrong = |why: &str| SweepError::Measure { text: text.to_owned(), why: why.to_owned() };
        let (name, rest) = text.split_once('=').unwrap_or((text, text));
        let (name, rest) = (name.trim(), rest.trim());
        if name.is_empty() || rest.is_empty() {
            return Err(wrong("write `NAME=FORMULA`, `NAME=largest FORMULA` or `NAME=smallest FORMULA`"));
        }
        let (over, formula) = place(rest);
        Ok(Self { name: name.to_owned(), measure: Measure { formula: formula.to_owned(), over } })
    }
}

/// Where a measure is taken, and of what.
fn place(text: &str) -> (Over, &str) {
    let split = text.split_once(char::is_whitespace);
    let named = |word: &str| Over::NAMED.into_iter().find(|(name, _)| *name == word).map(|(_, over)| over);
    match split.and_then(|(word, rest)| Some((named(word)?, rest.trim()))) {
        Some(found) => found,
        None => (Over::End, text),
    }
}
