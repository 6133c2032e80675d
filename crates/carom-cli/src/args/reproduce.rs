//! What may be written after `carom reproduce`.

use clap::Args;
use std::path::PathBuf;

pub(super) const REPRODUCE: &str = "\
Examples:
  carom reproduce --list
  carom reproduce ellipse pendulum
  carom reproduce --all --quick
  carom reproduce --all --report
  carom reproduce wedge --json --out results

A case is declared in `expected.toml` of a folder of `papers`: what is run, as commands that can be typed, what is measured,
what the document prints, what is right, and the verdict that follows. Verdicts: `agrees`, `paper in error` (ours is the
reference, and not what is printed), `not stated in the paper` (ours is the reference, and no number is printed
that could be compared); else `disagrees`, and `not run` for what --quick leaves out. What is printed in words is shown, not compared.

Every finished case is kept in the folder of the results; a second call takes it from there, unless files of its folder have changed or
--fresh is given.

Exit codes: 0 all verdicts are the expected ones, 1 usage or files, 2 a mistake in a declaration, 3 a run failed, 4 a check
disagrees.";

/// Arguments of `carom reproduce`.
#[derive(Debug, Args)]
pub struct Reproduce {
    /// Names of cases; --list shows them, --all runs them all
    #[arg(value_name = "CASE", conflicts_with = "all")]
    pub cases: Vec<String>,
    /// Run every case
    #[arg(long)]
    pub all: bool,
    /// List the cases instead
    #[arg(long, conflicts_with_all = ["all", "report"])]
    pub list: bool,
    /// Leave out runs that take long; what depends on them is marked `not run`
    #[arg(long)]
    pub quick: bool,
    /// Run cases again that have been run
    #[arg(long)]
    pub fresh: bool,
    /// Folder with the documents
    #[arg(long, value_name = "DIR", default_value = "papers")]
    pub papers: PathBuf,
    /// Folder of the results
    #[arg(long, value_name = "DIR", default_value = "runs/reproduce")]
    pub out: PathBuf,
    /// Draw no pictures
    #[arg(long, conflicts_with = "report")]
    pub no_plots: bool,
    /// Also write `REPORT.md` and its figures into the folder of each document; needs --all
    #[arg(long, requires = "all", conflicts_with = "quick")]
    pub report: bool,
    /// Print JSON instead of tables: an object, or an array for several cases
    #[arg(long)]
    pub json: bool,
    /// Print neither tables nor progress
    #[arg(short, long)]
    pub quiet: bool,
}
