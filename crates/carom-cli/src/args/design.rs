//! What may be written after `carom design`.

use super::{assignment, whole};
use clap::Args;
use std::path::PathBuf;

pub(super) const STUDY: &str = "\
Examples:
  carom design papers/001/knee-design.toml
  carom design papers/001/knee-design.toml --method strawman --json
  carom design papers/001/knee-design.toml --method kriging --seed 3 --out runs/knee-3
  carom design papers/001/knee-design.toml --method kriging --seed 3 --out runs/knee-3 --resume

A study minimises an expensive cost over a few design variables: the optimal cost of a control problem, a measure of a
simulation, or the last line that a command prints. Outer methods: strawman (cubic spline, one variable), kriging
(Gaussian process, expected improvement), smf (surrogate and pattern search), gradient (exact derivative of the
optimal cost, for control problems), simultaneous (the design becomes an unknown of the control problem).

Every evaluation is a line of `evaluations.jsonl` as soon as it is known. Ctrl-C ends the study after that; with --resume it
goes on, and ends with the same numbers as if it had never been interrupted. Without --resume, evaluations that the folder of the
results has already are moved to a folder `earlier-1` (-2, ...) in it. Evaluations that fail are tried again from
neighbouring designs, and kept out of the surrogate. The best motion of a control problem is audited, and written to
the folder `best`.

Exit codes: 0 the method has found what it looks for, 1 usage or files, 2 wrong study or settings, 3 stopped, used up or without
progress (results are written), 4 the best motion did not pass its audit (results are written).";

/// Arguments of `carom design`.
#[derive(Debug, Args)]
pub struct DesignStudy {
    /// The study file
    pub study: PathBuf,
    /// Outer method: strawman, kriging, smf, gradient or simultaneous
    #[arg(long, value_name = "M")]
    pub method: Option<String>,
    /// Most evaluations
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(0))]
    pub max_evaluations: Option<usize>,
    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0))]
    pub seed: Option<u64>,
    /// Evaluations at the same time
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(0))]
    pub threads: Option<usize>,
    /// Replace a parameter of the model
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// Folder of the results [default: runs/<name of the study file>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with the evaluations that the folder of the results knows already
    #[arg(long)]
    pub resume: bool,
    /// Draw no pictures
    #[arg(long)]
    pub no_plots: bool,
    /// Neither audit nor write the best motion of a control problem
    #[arg(long)]
    pub no_audit: bool,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub json: bool,
    /// Print neither summary nor progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print every evaluation, also if standard error is no terminal
    #[arg(long)]
    pub verbose: bool,
}
