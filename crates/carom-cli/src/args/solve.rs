//! What may be written after `carom solve`.

use clap::Args;
use std::path::PathBuf;

pub(super) const SOLVE: &str = "\
Examples:
  carom optimise examples/optimal/swing-up.toml --dump swing-up.json
  carom solve swing-up.json --solver interior --tolerance 1e-10
  carom solve swing-up.json --max-iterations 20 --json

A dump is a nonlinear program with names for everything, and the point where its search begins. It needs neither the
problem nor the model behind it: it is what a report about a search that fails should come with.

Exit codes: 0 converged, 1 usage or files, also damaged ones, 2 wrong settings, 3 not converged.";

/// Arguments of `carom solve`.
#[derive(Debug, Args)]
pub struct Solve {
    /// A nonlinear program that `carom optimise --dump` has written
    pub dump: PathBuf,
    /// Solver of the nonlinear program; `carom methods` lists them
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Largest residual of the optimality conditions
    #[arg(long, value_name = "TOL", allow_negative_numbers = true)]
    pub tolerance: Option<String>,
    /// Most iterations
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_iterations: Option<String>,
    /// Most seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub max_seconds: Option<String>,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub json: bool,
    /// Print neither summary nor progress
    #[arg(long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print every iteration, also if standard error is no terminal
    #[arg(long)]
    pub verbose: bool,
}
