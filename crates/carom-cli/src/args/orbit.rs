//! What may be written after `carom orbit`.

use super::{assignment, whole};
use clap::Args;
use std::path::PathBuf;

pub(super) const ORBIT: &str = "\
Examples:
  carom orbit examples/simplest-walker.toml
  carom orbit examples/compass-gait.toml --continue slope --to 5
  carom orbit examples/compass-gait.toml --continue slope --from 3 --to 4.8 --double
  carom orbit examples/simplest-walker.toml --basin 'theta0=0.1:0.3,omega0=-0.3:-0.1' --cells 80
  carom orbit examples/rimless-wheel.toml --set gamma=0.1 --json

A step is the motion up to an impact of a contact, or of a given duration; then coordinates may exchange their meaning. The
section [orbit] of the model says which. An orbit is a motion that comes back after a step, but for what drifts. It is searched by
Newton's method with the exact derivative through the impacts, from the initial state of the model. Multipliers are the
eigenvalues of that derivative. --continue follows the orbit as a parameter changes, and finds folds, period doublings and
Neimark-Sacker points on the way. --basin follows a grid of starts. Its axes are coordinates (`x`) and rates (`x'`), the others
being those of the orbit; or parameters that nothing but the initial state depends on. Numbers may be expressions of the
model's parameters.

Exit codes: 0 an orbit, 1 usage or files, 2 wrong model or settings, 3 no orbit was found, or it has no derivative.";

/// Arguments of `carom orbit`.
#[derive(Debug, Args)]
pub struct Orbit {
    /// The model file
    pub model: PathBuf,
    /// Contact whose impact ends a step [default: that of [orbit], else the first]
    #[arg(long, value_name = "NAME", conflicts_with = "period")]
    pub contact: Option<String>,
    /// Number of its impacts in a step
    #[arg(long, value_name = "N", conflicts_with = "period", allow_negative_numbers = true, value_parser = whole::<u32>(1))]
    pub count: Option<u32>,
    /// Duration of a step that no impact ends
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub period: Option<String>,
    /// Longest duration of a step
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub within: Option<String>,
    /// Coordinates (`x`) and rates (`x'`) that need not come back, besides those of [orbit]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub drift: Vec<String>,
    /// Steps that are walked before the search begins
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u32>(0))]
    pub settle: u32,
    /// Follow the orbit in a parameter
    #[arg(long = "continue", value_name = "PARAMETER")]
    pub continue_in: Option<String>,
    /// First value of the parameter [default: that of the model]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, requires = "continue_in")]
    pub from: Option<String>,
    /// Last value of the parameter
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, requires = "continue_in")]
    pub to: Option<String>,
    /// Most orbits of the branch
    #[arg(long, value_name = "N", default_value_t = 400, requires = "continue_in", allow_negative_numbers = true, value_parser = whole::<u32>(1))]
    pub points: u32,
    /// Follow the orbit of twice the period that begins at the first period doubling, too
    #[arg(long, requires = "continue_in")]
    pub double: bool,
    /// Two axes of a grid of starts, such as `theta=0:0.3,theta'=-0.4:0`
    #[arg(long, value_name = "X=FROM:TO,Y=FROM:TO", allow_hyphen_values = true)]
    pub basin: Option<String>,
    /// Cells of the grid along each axis
    #[arg(long, value_name = "N", default_value_t = 60, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=2000), requires = "basin")]
    pub cells: u32,
    /// Most steps of a start
    #[arg(long, value_name = "N", default_value_t = 50, requires = "basin", allow_negative_numbers = true, value_parser = whole::<u32>(0))]
    pub steps: u32,
    /// Replace a parameter, an initial value (`x`), an initial rate (`x'`) or a setting
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// Folder of results and pictures [default: runs/<name of the model file>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Draw no pictures
    #[arg(long)]
    pub no_plots: bool,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub json: bool,
    /// Print neither summary nor progress
    #[arg(long)]
    pub quiet: bool,
    /// Interpret functions instead of compiling them to machine code
    #[arg(long)]
    pub interpret: bool,
}
