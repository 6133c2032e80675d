//! The program `carom`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(carom_cli::run(std::env::args_os()))
}
