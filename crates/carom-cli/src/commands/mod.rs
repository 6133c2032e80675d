//! The commands, one file each.

mod check;
mod derive;
#[cfg(feature = "optimal-control")]
mod design;
#[cfg(feature = "optimal-control")]
mod feedback;
mod import;
mod methods;
#[cfg(feature = "optimal-control")]
mod optimise;
#[cfg(feature = "optimal-control")]
mod orbit;
pub(crate) mod plot;
mod project;
mod reproduce;
mod simulate;
#[cfg(feature = "optimal-control")]
mod solve;
mod sweep;

use crate::args::{Command, SETTING};
use crate::failure::Failure;
use carom::{Diagnostic, Diagnostics, Model};
use std::path::{Path, PathBuf};

/// Does what was asked.
pub fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Simulate(args) => simulate::run(args),
        Command::Sweep(args) => sweep::run(args),
        #[cfg(feature = "optimal-control")]
        Command::Optimise(args) => optimise::run(args),
        #[cfg(feature = "optimal-control")]
        Command::Feedback(args) => feedback::run(args),
        #[cfg(feature = "optimal-control")]
        Command::Orbit(args) => orbit::run(args),
        #[cfg(feature = "optimal-control")]
        Command::Solve(args) => solve::run(args),
        #[cfg(feature = "optimal-control")]
        Command::Design(args) => design::run(args),
        Command::Derive(args) => derive::run(args),
        Command::Check(args) => check::run(args),
        Command::Project(args) => project::run(args),
        Command::Import(args) => import::run(args),
        Command::Plot(args) => plot::run(args),
        Command::Reproduce(args) => reproduce::run(args),
        Command::Methods(args) => methods::run(args),
    }
}

/// Reads a model; mistakes in options point at the option.
fn load(path: &Path, overrides: &[(String, String)]) -> Result<Model, Failure> {
    let as_written = |found: Diagnostics| Failure::Model(Diagnostics(found.0.into_iter().map(at_option).collect()));
    #[cfg(feature = "optimal-control")]
    if carom::model::reading::open(path).is_ok_and(|text| carom::ProblemFile::is_problem(&text)) {
        let file = path.display();
        return Err(Failure::Settings(format!("`{file}` is a problem, not a model; use `carom optimise {file}`")));
    }
    #[cfg(feature = "optimal-control")]
    refuse_study(path)?;
    Model::from_path(path, overrides).map_err(as_written)
}

/// A study is neither a model nor a problem.
#[cfg(feature = "optimal-control")]
fn refuse_study(path: &Path) -> Result<(), Failure> {
    if carom::model::reading::open(path).is_ok_and(|text| carom::design::StudyFile::is_study(&text)) {
        let file = path.display();
        return Err(Failure::Settings(format!("`{file}` is a study; use `carom design {file}`")));
    }
    Ok(())
}

/// Where the results of a model go, if nothing else is said.
fn default_folder(model: &Path) -> PathBuf {
    PathBuf::from("runs").join(model.file_stem().unwrap_or_default())
}

/// Stands before the names of settings of a model, or of a problem.
const PREFIXES: [&str; 2] = [SETTING, "problem."];

/// `--step 0` reaches the model as `--set simulation.step=0`; the message shows what was written.
pub(crate) fn at_option(diagnostic: Diagnostic) -> Diagnostic {
    let line = &diagnostic.source_line;
    let prefix = PREFIXES.into_iter().find(|prefix| line.starts_with(prefix)).unwrap_or(SETTING);
    let written = line.strip_prefix(prefix).and_then(|rest| rest.split_once('='));
    match written {
        Some((option, value)) if diagnostic.file == "--set" => {
            let before = prefix.len() + option.chars().count() + 1;
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
