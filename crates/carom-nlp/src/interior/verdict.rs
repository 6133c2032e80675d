//! When a search is over, and what it amounts to.

use super::iterate::Iterate;
use super::search::Search;
use crate::outcome::Status;

/// Iterations at the acceptable level after which the search ends.
const ACCEPTABLE_ITERATIONS: usize = 15;
/// Unknowns beyond this are on their way to infinity.
const DIVERGED: f64 = 1e15;
/// Largest violation, in units of the program, that counts as feasible.
const FEASIBLE: f64 = 1e-6;
/// Largest residuals of stationarity and complementarity, in units of the objective.
const STATIONARY: f64 = 1.0;
const COMPLEMENTARY: f64 = 1e-4;
/// Slope of the violation, against its size, below which it has a minimum.
const FLAT: f64 = 1e-5;

impl Search<'_> {
    /// Largest violation of a row in units of the program.
    pub(crate) fn unscaled_infeasibility(&self) -> f64 {
        let scaled = self.residual.iter().zip(&self.form.row_scale);
        scaled.fold(0.0, |size, (value, scale)| size.max(value.abs() / scale))
    }

    /// The status, if the search has come to an end.
    pub(crate) fn finished(&mut self) -> Option<Status> {
        let holds = self.holds();
        if self.error.scaled <= self.options.tolerance && holds {
            return Some(Status::Converged);
        }
        self.acceptable = if self.error.scaled <= self.options.acceptable && holds { self.acceptable + 1 } else { 0 };
        if self.acceptable >= ACCEPTABLE_ITERATIONS {
            return Some(Status::Acceptable);
        }
        let far = self.iterate.primal[..self.form.n].iter().any(|x| x.abs() > DIVERGED);
        // So far out, rounding is all that is left of the rows.
        let size = self.iterate.primal[..self.form.n].iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        let is_near = self.unscaled_infeasibility() <= FEASIBLE * size;
        let is_endless = self.values.objective < -DIVERGED || far && is_near;
        match is_endless {
            true => Some(Status::Unbounded),
            false => far.then_some(Status::NoProgress),
        }
    }

    /// True if no row is violated by more than counts, in units of the program.
    pub(crate) fn is_feasible(&self) -> bool {
        self.unscaled_infeasibility() <= FEASIBLE
    }

    /// True if the conditions hold in the units of the program as well, roughly.
    pub(crate) fn holds(&self) -> bool {
        let size = (self.values.objective / self.form.objective_scale).abs().max(1.0);
        let error = &self.error;
        self.is_feasible()
            && error.dual <= STATIONARY * size * self.form.objective_scale
            && error.complementarity <= COMPLEMENTARY * size * self.form.objective_scale
    }

    /// What a search that came to a halt amounts to.
    pub(crate) fn verdict(&self, status: Status) -> Status {
        if self.error.scaled <= self.options.acceptable && self.holds() {
            return Status::Acceptable;
        }
        if status == Status::NoProgress && self.unscaled_infeasibility() > FEASIBLE && self.is_stuck() {
            return Status::LocallyInfeasible;
        }
        status
    }

    /// True if the violation of the rows has no slope along which variables and slacks could move.
    pub(crate) fn is_stuck(&self) -> bool {
        let mut slope = vec![0.0; self.iterate.primal.len()];
        Iterate::add_constraint_forces(&self.form, &self.slopes.jacobian, &self.residual, &mut slope);
        let free = slope.iter().zip(&self.iterate.primal).zip(&self.form.range).map(|((&slope, &p), range)| {
            // Against a bound nothing moves: the way to it counts.
            let room = if slope > 0.0 { p - range.lower } else { range.upper - p };
            slope.abs() * room.min(1.0)
        });
        let size = self.residual.iter().map(|value| value * value).sum::<f64>();
        free.fold(0.0, f64::max) <= FLAT * size.sqrt()
    }
}
