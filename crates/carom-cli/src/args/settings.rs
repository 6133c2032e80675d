//! Settings of runs, for the commands that run models.

use super::{SETTING, with_projection};
use clap::Args;

/// Settings of runs.
#[derive(Debug, Args)]
pub struct Settings {
    /// Method of integration; `carom methods` lists them
    #[arg(long, value_name = "M")]
    pub method: Option<String>,
    /// Time step (of `taylor`: time between two nodes; of `energy(...)`: first step)
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub step: Option<String>,
    /// Final time
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub until: Option<String>,
    /// Record every K-th step
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub every: Option<String>,
    /// Relative tolerance of the solver of a step (of `taylor`: of the series)
    #[arg(long, value_name = "TOL", allow_negative_numbers = true)]
    pub tolerance: Option<String>,
    /// Treatment of constraints: multipliers, null-space or hamel
    #[arg(long, value_name = "NAME")]
    pub formulation: Option<String>,
    /// Balances that hold at an impact: pointwise, variational or modified (`taylor` is always pointwise)
    #[arg(long, value_name = "NAME")]
    pub jump: Option<String>,
    /// Several contacts at once: sequential or simultaneous
    #[arg(long, value_name = "NAME")]
    pub multiple: Option<String>,
    /// Most impacts of a run
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_impacts: Option<String>,
    /// Start with the nearest velocity that the velocity constraints admit, if the given one violates them
    #[arg(long)]
    pub project: bool,
}

impl Settings {
    /// Those that are given, by name.
    pub fn given(&self) -> Vec<(&'static str, String)> {
        let options = [
            ("method", &self.method),
            ("step", &self.step),
            ("until", &self.until),
            ("every", &self.every),
            ("tolerance", &self.tolerance),
            ("formulation", &self.formulation),
            ("jump", &self.jump),
            ("multiple", &self.multiple),
            ("max_impacts", &self.max_impacts),
        ];
        options.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))).collect()
    }

    /// What decides where a run starts: enough to read the model again.
    pub fn state(&self, set: &[(String, String)]) -> Vec<(String, String)> {
        with_projection(set, self.project)
    }

    /// Options of the command line are settings of the file, given from outside.
    pub fn overrides(&self, set: &[(String, String)]) -> Vec<(String, String)> {
        let given = self.given().into_iter().map(|(name, value)| (format!("{SETTING}{name}"), value));
        self.state(set).into_iter().chain(given).collect()
    }
}
