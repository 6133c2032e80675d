//! The commands, one file each.

mod check;
mod methods;
mod plot;
mod simulate;

use crate::args::{Command, SETTING};
use crate::failure::Failure;
use carom::{Diagnostic, Diagnostics, Model};
use std::path::Path;

/// Does what was asked.
pub fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Simulate(args) => simulate::run(args),
        Command::Check(args) => check::run(args),
        Command::Plot(args) => plot::run(args),
        Command::Methods(args) => methods::run(args),
    }
}

/// Reads a model; mistakes in options point at the option.
fn load(path: &Path, overrides: &[(String, String)]) -> Result<Model, Failure> {
    let as_written = |found: Diagnostics| Failure::Model(Diagnostics(found.0.into_iter().map(at_option).collect()));
    Model::from_path(path, overrides).map_err(as_written)
}

/// `--step 0` reaches the model as `--set simulation.step=0`; the message shows what was written.
pub(crate) fn at_option(diagnostic: Diagnostic) -> Diagnostic {
    let written = diagnostic.source_line.strip_prefix(SETTING).and_then(|rest| rest.split_once('='));
    match written {
        Some((option, value)) if diagnostic.file == "--set" => {
            let before = SETTING.len() + option.chars().count() + 1;
            Diagnostic {
                file: format!("--{}", option.replace('_', "-")),
                column: diagnostic.column.saturating_sub(before).max(1),
                source_line: value.to_owned(),
                ..diagnostic
            }
        }
        _ => diagnostic,
    }
}
