//! What may be written after `carom sweep`.

use super::{Settings, assignment};
use clap::Args;
use std::path::PathBuf;

pub(super) const SWEEP: &str = "\
Examples:
  carom sweep papers/004/ellipse.toml --over theta=0:2*pi:50 --over \"theta'=-3:3:20\"
  carom sweep examples/bouncing-ball.toml --over e=0.1:0.9:9 --measure \"top=largest y\" --until 5
  carom sweep examples/double-pendulum.toml --over theta1=0:pi --over theta2=0:pi --random 10000 --seed 7
  carom sweep examples/kepler.toml --over method=midpoint,gauss2,trapezoidal --over step=log:0.001:0.1:9
  carom sweep examples/kepler.toml --points starts.csv
  carom sweep examples/optimal/block-move.toml --over m=1:2:5
  carom sweep papers/001/knee-design.toml --over beta=0.4:0.6:9

A sweep runs a model, solves a problem or evaluates the cost of a study at many points. Several --over make every
combination, the first one the slowest. --random draws points instead; --points reads them from a table with a line of names.
Names are those that `--set` takes; of a study, its design variables.

Every point is a row of the table, also one that fails: it has a `message`. The table is the folder `points` of --out: Parquet
files, each there as soon as it is complete. Ctrl-C, or the end of the machine, costs what was being computed; the same
command completes what is missing, and the table is the same, bit for bit, whatever the number of threads.

Exit codes: 0 done, 1 usage or files, 2 wrong model, names or settings, 3 stopped before the end (the rows are kept).";

/// Arguments of `carom sweep`.
#[derive(Debug, Args)]
pub struct Sweep {
    /// The model, problem or study file
    pub file: PathBuf,
    /// Vary a name: from:to:count, log:from:to:count, or values with commas; from:to with --random
    #[arg(long, value_name = "NAME=VALUES")]
    pub over: Vec<String>,
    /// Draw N points from the ranges of --over
    #[arg(long, value_name = "N", requires = "over")]
    pub random: Option<usize>,
    /// Which random points [default: 1]
    #[arg(long, value_name = "S", requires = "random")]
    pub seed: Option<u64>,
    /// Read the points from a table with commas, a column per name
    #[arg(long, value_name = "FILE", conflicts_with = "over")]
    pub points: Option<PathBuf>,
    /// A column of your own: a formula at the end of a run, or `largest FORMULA`, `smallest FORMULA` along it
    #[arg(long, value_name = "NAME=FORMULA")]
    pub measure: Vec<String>,
    /// Replace a parameter, an initial value (`x`), an initial rate (`x'`) or a setting at all points
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    #[command(flatten)]
    pub settings: Settings,
    /// Folder of the results [default: runs/<name of the file>-sweep]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Points of a part [default: about a second of work]
    #[arg(long, value_name = "N")]
    pub part_rows: Option<usize>,
    /// Forget what the folder has, and begin again
    #[arg(long)]
    pub fresh: bool,
    /// Draw no picture
    #[arg(long)]
    pub no_plots: bool,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub json: bool,
    /// Print neither summary nor progress
    #[arg(short, long)]
    pub quiet: bool,
}

impl Sweep {
    /// Options of the command line are settings of the file, given from outside.
    pub fn overrides(&self) -> Vec<(String, String)> {
        self.settings.overrides(&self.set)
    }
}
