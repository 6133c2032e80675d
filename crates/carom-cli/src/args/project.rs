//! What may be written after `carom project`, and what `carom simulate --projected` shares with it.

use super::assignment;
use clap::Args;
use std::path::PathBuf;

pub(super) const PROJECT: &str = "\
Examples:
  carom project papers/000/sinusoid.toml
  carom project papers/000/sinusoid.toml --impact x=pi/2 --out pictures
  carom project papers/000/bar.toml --k 40 --samples 10000
  carom project papers/000/constrained-bar.toml --json
  carom project papers/000/pendulum.toml --set xc=0.5
  carom simulate papers/000/sinusoid.toml --projected --method taylor

A projection P maps all configurations onto the feasible ones, such that smooth paths z(t) of the projected system are motions
q = P(z) with elastic impacts. It needs one contact with one smooth gap and the law `elastic`, a Lagrangian v.M(q)v/2 - V(q), and
a coordinate in which the gap is monotonic; or one periodic coordinate. What is claimed is proved by interval bounds where it can
be, and sampled in any case. Systems with two coordinates get a picture of samples, with the local projection of earlier work
beside the global one; systems with one get the graph of P. Numbers may be expressions of the model's parameters.

Exit codes: 0 a projection, 1 usage or files, 2 wrong model or settings, or no projection, 4 it did not pass its verification.";

/// Arguments of `carom project`.
#[derive(Debug, Args)]
pub struct Project {
    /// The model file
    pub model: PathBuf,
    #[command(flatten)]
    pub design: Design,
    /// Number of sampled configurations
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub samples: u32,
    /// Impact that defines the local projection of the picture, such as `x=0.5` or `x=0.5,y=-1`; what is missing is found
    /// [default: below the initial configuration]
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',', value_parser = assignment)]
    pub impact: Vec<(String, String)>,
    /// Replace a parameter, an initial value (`x`), an initial rate (`x'`) or a setting
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// Folder of the picture [default: runs/<name of the model file>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Draw no picture
    #[arg(long)]
    pub no_plots: bool,
    /// Print one JSON object, also for a model without a projection
    #[arg(long)]
    pub json: bool,
}

/// How a projection is made.
#[derive(Debug, Args)]
pub struct Design {
    /// Constant k of the projection, larger than sup |Lambda|^2 [default: twice that]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub k: Option<String>,
    /// Coordinate that the gap replaces [default: the first that will do, one with a linear gap if there is one]
    #[arg(long, value_name = "NAME")]
    pub coordinate: Option<String>,
    /// Prove and sample within these limits of a coordinate only
    #[arg(long, value_name = "NAME=FROM:TO", value_parser = range)]
    pub domain: Vec<(String, [String; 2])>,
}

/// Names of the options of [`Design`].
pub(super) const DESIGN: [&str; 3] = ["k", "coordinate", "domain"];

/// Reads `name=from:to`.
fn range(text: &str) -> Result<(String, [String; 2]), String> {
    let parts = || {
        let (name, range) = text.split_once('=')?;
        let (from, to) = range.split_once(':')?;
        let is_whole = [name, from, to].iter().all(|part| !part.trim().is_empty());
        is_whole.then(|| (name.trim().to_owned(), [from.to_owned(), to.to_owned()]))
    };
    parts().ok_or_else(|| "write NAME=FROM:TO, such as `x=-1:2*pi`".to_owned())
}
