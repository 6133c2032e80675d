//! One line per iteration of a search.

use crate::output::complain;
use carom::nlp::{Outcome, Progress};
use std::io::{IsTerminal, stderr};

/// Lines after which the names of the columns are repeated.
const PAGE: usize = 25;

/// Shows how a search goes on.
pub struct Iterations {
    is_wanted: bool,
    shown: usize,
    solver: String,
}

impl Iterations {
    /// Nothing if quiet, or if nobody looks and nobody asked.
    pub fn new(is_quiet: bool, is_verbose: bool) -> Self {
        let is_wanted = !is_quiet && (is_verbose || stderr().is_terminal());
        Self { is_wanted, shown: 0, solver: String::new() }
    }

    /// True if someone looks.
    pub fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Hears of an iteration.
    pub fn show(&mut self, progress: &Progress<'_>) {
        if !self.is_wanted {
            return;
        }
        // A search begins with iteration 0; there is one for every mesh.
        if self.solver != progress.solver || progress.iteration == 0 || self.shown.is_multiple_of(PAGE) {
            self.shown = 0;
            self.solver = progress.solver.to_owned();
            let names = ["objective", "violation", "stationarity", "barrier", "step"];
            let [objective, violation, stationarity, barrier, step] = names;
            let solver = &self.solver;
            complain(&format!(
                "{solver:>9}  {objective:>17}  {violation:>9}  {stationarity:>12}  {barrier:>8}  {step:>8}"
            ));
        }
        self.shown += 1;
        let Progress { iteration, objective, infeasibility, stationarity, barrier, step, .. } = progress;
        complain(&format!(
            "{iteration:>9}  {objective:>17.9e}  {infeasibility:>9.1e}  {stationarity:>12.1e}  {barrier:>8.1e}  {step:>8.1e}"
        ));
    }

    /// Hears of the end: the values of the point that is returned, measured again and without any scaling.
    pub fn finish(&mut self, outcome: &Outcome) {
        // Without iterations there is nothing to end.
        if !self.is_wanted || self.shown == 0 {
            return;
        }
        let (objective, residuals, status) = (outcome.objective, &outcome.residuals, &outcome.status);
        let (violation, stationarity) = (residuals.feasibility, residuals.stationarity);
        complain(&format!("{:>9}  {objective:>17.9e}  {violation:>9.1e}  {stationarity:>12.1e}  {status}", "end"));
        self.shown = 0;
    }
}
