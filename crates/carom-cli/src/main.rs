//! The command line of carom. `carom --help` says what there is.

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
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = match args::Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(message) => {
            // Help and version count as errors for clap, but not for us; a closed pipe is nobody's error.
            let _ = message.print();
            return if message.use_stderr() { ExitCode::from(failure::USAGE) } else { ExitCode::SUCCESS };
        }
    };
    match commands::run(&command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::complain(&failure);
            ExitCode::from(failure.code())
        }
    }
}
