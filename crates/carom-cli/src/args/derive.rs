//! What may be written after `carom derive`.

use super::{SETTING, assignment};
use clap::Args;
use std::path::PathBuf;

pub(super) const DERIVE: &str = "\
Examples:
  carom derive papers/004/ellipse.toml --until 2 --by a,b,g
  carom derive papers/004/ellipse.toml --until 2 --method taylor --by g --json
  carom derive examples/ball-on-slope.toml --until 1 --by e
  carom derive examples/double-pendulum.toml --until 2 --by l --second theta2

How the end of a run moves with its initial state and with parameters, through every impact, attachment, release, slip and halt. For
methods with steps it is the exact derivative of the computed motion: the equations of every step and every jump are differentiated
where they were solved, never the iterations. For `taylor` the variational equations are expanded along with the motion. Every event is
listed with its saltation matrix. Parameters that are formulas of others follow them; the initial state is held, even where the
model makes it a formula of parameters.

`--second` adds the matrix of second derivatives by initial state and parameters, of steps without events and constraints.

Where motions nearby do something else there is no derivative, and none is printed: grazing, contacts that strike at the same instant,
accumulating impacts, the edge of a friction cone.

Exit codes: 0 done, 1 usage or files, 2 wrong model or settings, 3 the run failed, or there is no derivative.";

/// Arguments of `carom derive`.
#[derive(Debug, Args)]
pub struct Derive {
    /// The model file
    pub model: PathBuf,
    /// Parameters, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub by: Vec<String>,
    /// Second derivatives of a coordinate or a rate at the end as well, of smooth runs
    #[arg(long, value_name = "NAME")]
    pub second: Option<String>,
    /// Method of integration; `carom methods` lists them
    #[arg(long, value_name = "M")]
    pub method: Option<String>,
    /// Time step
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub step: Option<String>,
    /// Final time
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub until: Option<String>,
    /// Balances that hold at an impact: pointwise, variational or modified (`taylor` is always pointwise)
    #[arg(long, value_name = "NAME")]
    pub jump: Option<String>,
    /// Replace a parameter, an initial value (`x`), an initial rate (`x'`) or a setting
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// Print one JSON object instead of the tables
    #[arg(long)]
    pub json: bool,
    /// Interpret functions instead of compiling them to machine code
    #[arg(long)]
    pub interpret: bool,
}

impl Derive {
    /// Options of the command line are settings of the model, given from outside.
    pub fn overrides(&self) -> Vec<(String, String)> {
        let options = [("method", &self.method), ("step", &self.step), ("until", &self.until), ("jump", &self.jump)];
        let given = options.into_iter().filter_map(|(name, value)| Some((name, value.clone()?)));
        let given = given.map(|(name, value)| (format!("{SETTING}{name}"), value));
        self.set.iter().cloned().chain(given).collect()
    }
}
