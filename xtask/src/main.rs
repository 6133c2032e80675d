//! The chores of the repository: `cargo xtask test`, `cargo xtask docs`.

mod docs;
mod paths;
mod python;
mod stages;
mod tests;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <task>

tasks:
  test            everything that must hold: format, lints, documentation, tests, those of the Python package
  docs [--check]  writes the reference pages of the book, or checks that they are up to date";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["test"] => stages::test(),
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// A file of the repository.
fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|error| format!("cannot read {path}: {error}"))
}
