//! The page of study files.

use super::{capital, keys};
use carom_design::schema::SECTIONS;
use carom_model::schema::{Form, Section};
use std::fmt::Write;

/// What stands above the sections.
const INTRODUCTION: &str = "\
# Study file

A study file is TOML. It names design variables with their bounds, says what is evaluated (`problem`, or `model` with
`measure`, or `command`) and which outer method decides where. `carom design` runs it. Single values stand above the first section.
Numbers may be expressions of numbers, in quotes.
";

/// The page.
pub fn page() -> String {
    let mut text = INTRODUCTION.to_owned();
    for Section { name, form, doc, example, keys: list } in &SECTIONS {
        let title = match form {
            Form::Value => (*name).to_owned(),
            Form::Table | Form::Names => format!("[{name}]"),
            Form::List => format!("[[{name}]]"),
        };
        _ = write!(text, "\n## {title}\n\n{}.\n\n```toml\n{example}\n```\n", capital(doc));
        keys(&mut text, list);
    }
    text
}
