//! The command line, and what the registries know.

use carom::model::schema::{SECTIONS, Section};
use carom::run::{ENERGY, TAYLOR};
use carom::{Formulation, JumpKind, Multiple};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::OsString;

/// Runs a command line; the exit code.
///
/// `words` are those after the name of the program; `again` are the words that start this program.
#[pyfunction]
pub fn main(py: Python<'_>, words: Vec<OsString>, again: Vec<OsString>) -> u8 {
    carom_cli::start_again_with(again);
    py.detach(|| carom_cli::run(std::iter::once(OsString::from("carom")).chain(words)))
}

/// The sections of a model file with their keys: `{section: [key, ...]}`.
#[pyfunction]
pub fn schema(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for Section { name, keys, .. } in &SECTIONS {
        all.set_item(name, keys.iter().map(|key| key.name).collect::<Vec<_>>())?;
    }
    Ok(all)
}

/// The names that options take: `{option: [name, ...]}`.
#[pyfunction]
pub fn methods(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    let mut methods: Vec<String> = carom::discrete::rules::all().iter().map(|rule| rule.name().to_owned()).collect();
    methods.extend(carom::Scheme::ALL.iter().map(|scheme| format!("{}(...)", scheme.name())));
    methods.extend(["retraction(...)".to_owned(), format!("{ENERGY}(...)"), TAYLOR.to_owned()]);
    all.set_item("method", methods)?;
    all.set_item("formulation", Formulation::ALL.map(Formulation::name))?;
    all.set_item("jump", JumpKind::ALL.map(JumpKind::name))?;
    all.set_item("multiple", [Multiple::Sequential, Multiple::Simultaneous].map(Multiple::name))?;
    all.set_item("law", carom::model::laws::LAWS.iter().map(|law| law.name).collect::<Vec<_>>())?;
    Ok(all)
}
