//! The command line of carom, for whatever starts it: the program `carom`, or `python -m carom`.
//! `carom --help` says what there is.

mod args;
mod commands;
#[cfg(feature = "optimal-control")]
mod design_summary;
mod energy;
mod failure;
mod interrupt;
#[cfg(feature = "optimal-control")]
mod iterations;
#[cfg(feature = "optimal-control")]
mod optimum_summary;
mod output;
mod phase_space;
#[cfg(feature = "optimal-control")]
mod plan_summary;
mod progress;
mod projected;
mod projection;
mod reproduce;
mod streaming;
mod summary;
mod sweep_summary;
mod table;

use clap::Parser;
use std::ffi::OsString;
use std::process::Command;
use std::sync::OnceLock;

/// What starts this program, if it is not the file that runs.
static AGAIN: OnceLock<Vec<OsString>> = OnceLock::new();

/// Says what starts this program once more: commands that run others need to know. The first call counts.
pub fn start_again_with(words: Vec<OsString>) {
    let _ = AGAIN.set(words);
}

/// A call of this program.
fn again() -> std::io::Result<Command> {
    if let Some((program, words)) = AGAIN.get().and_then(|words| words.split_first()) {
        let mut command = Command::new(program);
        command.args(words);
        return Ok(command);
    }
    std::env::current_exe().map(Command::new)
}

/// Runs a command line, its first word the name of the program; the exit code.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let command = match args::Cli::try_parse_from(words) {
        Ok(cli) => cli.command,
        Err(message) => {
            // Help and version count as errors for clap, but not for us; a closed pipe is nobody's error.
            let _ = message.print();
            return if message.use_stderr() { failure::USAGE } else { 0 };
        }
    };
    match commands::run(&command) {
        Ok(()) => 0,
        Err(failure) => {
            output::complain(&failure);
            failure.code()
        }
    }
}
