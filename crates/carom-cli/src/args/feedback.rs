//! What may be written after `carom feedback`.

use super::whole;
use clap::Args;
use std::path::PathBuf;

pub(super) const FEEDBACK: &str = "\
Examples:
  carom optimise papers/001/planar-gait.toml --method gauss3
  carom feedback runs/planar-gait
  carom feedback runs/planar-gait --push \"th1'=-0.3\" --at 0.2 --steps 12
  carom feedback runs/planar-gait --input-weight 10 --json --no-plots

The time-varying linear-quadratic regulator of the motion: gains for every interval, from the tangent flow between impacts and the
derivatives of the jumps at them. For a periodic motion its multipliers without and with feedback: the factors by which small changes
grow from one step to the next. Then the motion is pushed and followed by an integrator that knows nothing of the search, with
feedback and without; and pushes of many sizes at many times are tried.

A state counts in parts of the size of the motion, an input in parts of the largest planned one; the weights multiply their squares.
Closed contacts are held even where they would have to pull: the least normal force on the way is reported.

Exit codes: 0 done, 1 usage or files, 2 wrong settings, 3 no regulator, or a periodic motion that it does not stabilise.";

/// Arguments of `carom feedback`.
#[derive(Debug, Args)]
pub struct Feedback {
    /// A folder that `carom optimise` has written
    pub folder: PathBuf,
    /// Change of a rate; 0 follows the motion as it is [default: a fifth of the fastest one, against its motion]
    #[arg(long, value_name = "RATE=VALUE", value_parser = super::assignment)]
    pub push: Vec<(String, String)>,
    /// Time of the push [default: a third of the motion]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// Steps of a periodic motion that are followed
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true, value_parser = whole::<usize>(0))]
    pub steps: usize,
    /// Weight of deviations of the state
    #[arg(long, value_name = "W", default_value_t = 1.0, allow_negative_numbers = true)]
    pub state_weight: f64,
    /// Weight of changes of the inputs
    #[arg(long, value_name = "W", default_value_t = 1.0, allow_negative_numbers = true)]
    pub input_weight: f64,
    /// Sizes of pushes that are tried for the picture of robustness, an odd number from 3, each at half as many times; 0 tries none
    #[arg(long, value_name = "N", default_value_t = 15, allow_negative_numbers = true, value_parser = whole::<usize>(0))]
    pub pushes: usize,
    /// Folder of the results [default: the same folder]
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
}
