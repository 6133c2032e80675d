//! `cargo xtask test`: one stage after the other, until one fails.

use crate::{docs, paths, python, root, tests};
use std::process::Command;
use std::time::Instant;

/// A part of the test.
enum Stage {
    /// A call of cargo, with an environment variable.
    Cargo(&'static [&'static str], Option<(&'static str, &'static str)>),
    /// A check of our own.
    Check(fn() -> Result<(), String>),
}

/// The stages, cheap ones first. Tests run optimised: they integrate long motions. All features are on but `egobox` of
/// `carom-design`, whose library takes minutes to build.
const STAGES: [(&str, Stage); 9] = [
    ("paths in documents", Stage::Check(paths::check)),
    ("tests that are not run", Stage::Check(tests::check)),
    ("format", Stage::Cargo(&["fmt", "--all", "--check"], None)),
    (
        "lints",
        Stage::Cargo(
            &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--features",
                "carom-nlp/ipopt",
                "--quiet",
                "--",
                "-D",
                "warnings",
            ],
            None,
        ),
    ),
    (
        "documentation of the code",
        Stage::Cargo(
            &["doc", "--workspace", "--no-deps", "--features", "carom-nlp/ipopt", "--quiet"],
            Some(("RUSTDOCFLAGS", "-D warnings")),
        ),
    ),
    ("tests", Stage::Cargo(&["test", "--workspace", "--release", "--features", "carom-nlp/ipopt", "--quiet"], None)),
    ("tests without native code", Stage::Cargo(&["test", "--package", "carom-expr", "--release", "--quiet"], None)),
    ("reference pages", Stage::Check(docs::check)),
    ("Python package", Stage::Check(python::test)),
];

/// Runs all stages.
pub fn test() -> Result<(), String> {
    for (name, stage) in &STAGES {
        eprintln!("xtask: {name} ...");
        let clock = Instant::now();
        stage.run().map_err(|message| format!("xtask: {name} FAILED: {message}"))?;
        eprintln!("xtask: {name} passed in {:.1} s", clock.elapsed().as_secs_f64());
    }
    eprintln!("xtask: {} stages passed", STAGES.len());
    Ok(())
}

impl Stage {
    fn run(&self) -> Result<(), String> {
        match self {
            Self::Check(check) => check(),
            Self::Cargo(args, variable) => {
                let mut command = cargo(args);
                command.envs(variable.iter().copied());
                let status = command.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
                let line = format!("`cargo {}` ended with {status}", args.join(" "));
                if status.success() { Ok(()) } else { Err(line) }
            }
        }
    }
}

/// A call of the cargo that runs us, at the root of the repository.
pub fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}
