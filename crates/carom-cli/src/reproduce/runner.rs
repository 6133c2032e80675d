//! Runs of a case: commands of this program in processes of their own.

use super::declaration::Run;
use crate::failure::Failure;
use crate::output::complain;
use serde_json::Value;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Characters of a message that are passed on.
const SHOWN: usize = 400;

/// What a run has left.
#[derive(Debug)]
pub struct Done {
    /// What it printed.
    pub json: Value,
    /// The folder of its results.
    pub folder: PathBuf,
}

/// How runs are made.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Without pictures.
    pub no_plots: bool,
    /// Without messages.
    pub is_quiet: bool,
}

/// Runs a command in the folder of the document; its results go to `out`.
pub fn run(run: &Run, document: &Path, out: &Path, manner: Manner) -> Result<Done, Failure> {
    let is_shown = run.is_long && !manner.is_quiet && stderr().is_terminal() && run.words[0] != "simulate";
    if !manner.is_quiet {
        let long = if run.is_long { " (this takes a while)" } else { "" };
        complain(&format!("  carom {}{long}", run.words.join(" ")));
    }
    let mut command = crate::again().map_err(|error| Failure::Run(format!("carom cannot find itself: {error}")))?;
    let folder = absolute(out)?;
    command.args(&run.words).arg("--json").arg("--out").arg(&folder).current_dir(document);
    command.args(manner.no_plots.then_some("--no-plots"));
    command.args((is_shown && run.words[0] != "project").then_some("--verbose"));
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(if is_shown { Stdio::inherit() } else { Stdio::piped() });
    let failed = |why: String| Failure::Run(format!("`carom {}` {why}", run.words.join(" ")));
    let output = command.output().map_err(|error| failed(format!("did not start: {error}")))?;
    let code = output.status.code().unwrap_or(-1);
    if code != run.exit {
        let said = String::from_utf8_lossy(&output.stderr);
        let said: String = said.trim().chars().take(SHOWN).collect();
        return Err(failed(format!("in {} ended with exit code {code}, not {}: {said}", document.display(), run.exit)));
    }
    let json = serde_json::from_slice(&output.stdout).map_err(|error| failed(format!("printed no JSON: {error}")))?;
    Ok(Done { json, folder: out.to_owned() })
}

/// The child has another folder to work in.
fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|error| Failure::File { path: path.to_owned(), why: error.to_string() })
}
