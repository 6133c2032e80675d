//! What may be written after `carom optimise`.

use super::assignment;
use carom::control::SETTING;
use clap::Args;
use std::path::PathBuf;

pub(super) const OPTIMISE: &str = "\
Examples:
  carom optimise examples/optimal/swing-up.toml
  carom optimise examples/optimal/swing-up.toml --method gauss2 --intervals 50 --solver interior
  carom optimise examples/optimal/swing-up.toml --accuracy 1e-6
  carom optimise examples/optimal/bounce.toml --set g=1.62 --json
  carom optimise examples/optimal/swing-up.toml --resume runs/swing-up --intervals 200
  carom optimise examples/optimal/unknown-bounces.toml --verbose
  carom optimise papers/002/plan.toml --out plan
  carom optimise papers/002/plan.toml --resume plan --out plan
  carom optimise papers/001/planar-gait-work.toml --starts 20 --seed 2

On a terminal, every iteration is a line: objective, largest violation of a constraint, residual of
stationarity, barrier parameter, length of the step. Ctrl-C ends the search with the best point so far, whose
results are written; a second Ctrl-C ends the command at once.

--discover searches the number, the order and the times of impacts: the problem has one phase, and its contacts may be
hit along it. Motions with different sequences are found, solved exactly and audited; the cheapest one that passes
is written, the others are listed. The section [discover] of the problem says more.

The section [plan] of a problem plans the motion of a fully actuated system whose impacts nobody has counted: descent over smooth
paths of the projected system, a search over numbers of impacts, and the best motion with each number; the cheapest
that passes its audit is written, and `plan.json` beside it. A plan that was ended early goes on with --resume.
Without a search (`search = false`) the result is a spline, which misses its end a little.

The section [gait] of a problem is one step of a biped: every start is solved, the cheapest that passes its audit is written, and
conditions that are exceeded between nodes are tightened until they hold.

Every optimum is replayed by an integrator that the search does not use, and its numbers are audited. What fails
is written all the same, and is labelled so.

Exit codes: 0 converged and audited, 1 usage or files, 2 wrong problem or settings, 3 not converged, 4 audit not
passed (results are written in the last two cases).";

/// Arguments of `carom optimise`.
#[derive(Debug, Args)]
pub struct Optimise {
    /// The problem file
    pub problem: PathBuf,
    /// Transcription: a rule of discrete mechanics, or another one; `carom methods` lists them
    #[arg(long, value_name = "M")]
    pub method: Option<String>,
    /// Solver of the nonlinear program; `carom methods` lists them
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Intervals of every phase
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub intervals: Option<String>,
    /// Refine the mesh until the error of the optimal cost is below this
    #[arg(long, value_name = "EPS", allow_negative_numbers = true)]
    pub accuracy: Option<String>,
    /// Largest residual of the optimality conditions
    #[arg(long, value_name = "TOL", allow_negative_numbers = true)]
    pub tolerance: Option<String>,
    /// Most iterations
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_iterations: Option<String>,
    /// Most seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub max_seconds: Option<String>,
    /// How functions are executed: automatic, interpreter or native
    #[arg(long, value_name = "NAME")]
    pub backend: Option<String>,
    /// Replace a parameter of the model
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// Search the number, the order and the times of impacts, as the section [discover] does
    #[arg(long)]
    pub discover: bool,
    /// Starts of a search of gaits
    #[arg(long, value_name = "N")]
    pub starts: Option<usize>,
    /// Seed of the variations of these starts
    #[arg(long, value_name = "N")]
    pub seed: Option<usize>,
    /// Hops from each of the cheapest optima of a search of gaits, 0 for none
    #[arg(long, value_name = "N")]
    pub hops: Option<usize>,
    /// Begin with an earlier result: its motion, and its multipliers if the mesh is the same; or go on with a plan
    #[arg(long, value_name = "DIR", conflicts_with = "discover")]
    pub resume: Option<PathBuf>,
    /// Also write the nonlinear program, with the point where its search begins, for `carom solve` and bug reports
    #[arg(long, value_name = "FILE")]
    pub dump: Option<PathBuf>,
    /// Folder of the results [default: runs/<name of the problem file>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Also write the tables as text
    #[arg(long)]
    pub csv: bool,
    /// Draw no pictures
    #[arg(long)]
    pub no_plots: bool,
    /// Draw the costates too
    #[arg(long, conflicts_with = "no_plots")]
    pub costates: bool,
    /// Do not replay and audit the optimum; it is labelled as not audited
    #[arg(long)]
    pub no_audit: bool,
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

impl Optimise {
    /// Options of the command line are settings of the problem, given from outside.
    pub fn overrides(&self) -> Vec<(String, String)> {
        let options = [
            ("method", &self.method),
            ("solver", &self.solver),
            ("intervals", &self.intervals),
            ("accuracy", &self.accuracy),
            ("tolerance", &self.tolerance),
            ("max_iterations", &self.max_iterations),
            ("max_seconds", &self.max_seconds),
            ("backend", &self.backend),
        ];
        let given = options.into_iter().filter_map(|(name, value)| Some((name, value.clone()?)));
        let given = given.map(|(name, value)| (format!("{SETTING}{name}"), value));
        self.set.iter().cloned().chain(given).collect()
    }
}
