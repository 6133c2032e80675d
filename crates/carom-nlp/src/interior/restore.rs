//! Into a restoration, and out of it.

use super::form::{Form, NONE, Values};
use super::iterate::{barrier, push_inside, theta};
use super::restoration::{Restoration, Seen};
use super::search::{Search, WARM_PUSH};
use super::step::least_squares_multipliers;
use crate::nlp::{Nlp, Range};
use crate::outcome::Status;
use crate::solver::{Observer, Options, Progress};
use std::cell::RefCell;
use std::rc::Rc;

/// Iterations of one restoration, and the largest multiplier of a bound after it.
const MAX_RESTORATION: usize = 500;
const LARGEST_RESTORED: f64 = 1e3;

impl Search<'_> {
    /// Minimises the violation until the filter accepts a point.
    pub(crate) fn restore(&mut self, observe: &mut Observer<'_>) -> Result<(), Status> {
        let before = theta(&self.residual);
        if !self.restores || before <= self.options.tolerance * 1e-2 || self.residual.is_empty() {
            return Err(Status::NoProgress);
        }
        let phi = barrier(self.values.objective, &self.iterate.primal, &self.form.range, self.mu);
        self.filter.add(before, phi);
        let largest = self.residual.iter().fold(self.mu, |size, value| size.max(value.abs()));
        let scale = self.form.objective_scale;
        let seen = Rc::new(RefCell::new(Seen::default()));
        let mut program = Restoration::new(&mut self.form, &self.iterate.primal, &self.residual, self.mu, seen.clone());
        let start = program.start().to_vec();
        let options = Options { warm: None, near: false, start: None, extra: Vec::new(), ..self.options.clone() };
        let (slack, ranges) = (program.slack().to_vec(), program.ranges().to_vec());
        let mut inner = Search::new(Form::new(&mut program, &start)?, &start, &options)?;
        (inner.mu, inner.restores) = (largest, false);
        let mut point = Vec::new();
        let ended = loop {
            if let Some(status) = inner.finished() {
                break status;
            }
            if self.iteration + inner.iteration >= self.options.max_iterations || inner.iteration >= MAX_RESTORATION {
                break Status::IterationLimit;
            }
            if let Err(status) = inner.iterate(&mut |_| true) {
                break inner.verdict(status);
            }
            if self.begin.elapsed().as_secs_f64() > self.options.max_seconds {
                break Status::TimeLimit;
            }
            // Judged by the measures of the search outside.
            let values = &seen.borrow().values;
            point = outer_point(&inner.iterate.primal, values, &slack, &ranges);
            let residual = values
                .rows
                .iter()
                .zip(&slack)
                .map(|(value, &slack)| if slack == NONE { *value } else { value - point[slack] });
            let theta: f64 = residual.map(f64::abs).sum();
            let phi = barrier(values.objective, &point, &ranges, self.mu);
            if theta <= 0.9 * before && phi.is_finite() && self.filter.accepts(theta, phi) {
                break Status::Converged;
            }
            let progress = Progress {
                solver: "interior, restoration",
                iteration: self.iteration + inner.iteration,
                objective: values.objective / scale,
                infeasibility: theta,
                stationarity: inner.error.dual,
                barrier: inner.mu,
                step: inner.share,
                point: &[],
            };
            if !observe(&progress) {
                break Status::Stopped;
            }
        };
        let (iterations, factorisations, seconds) =
            (inner.iteration, inner.system.factorisations, inner.system.seconds);
        self.iteration += iterations;
        self.system.factorisations += factorisations;
        self.system.seconds += seconds;
        if point.is_empty() || !ended.is_success() {
            let limits = [Status::IterationLimit, Status::TimeLimit, Status::Stopped];
            return Err(if limits.contains(&ended) { ended } else { Status::NoProgress });
        }
        self.leave_restoration(point, before)
    }

    /// Takes over the point that a restoration has found, with new multipliers.
    fn leave_restoration(&mut self, point: Vec<f64>, before: f64) -> Result<(), Status> {
        self.iterate.primal = point;
        if !self.form.values(&self.iterate.primal, &mut self.values)
            || !self.form.slopes(&self.iterate.primal, &mut self.slopes)
        {
            return Err(Status::NoProgress);
        }
        let mu = self.mu;
        let multiplier = |distance: f64| if distance.is_finite() { (mu / distance).min(LARGEST_RESTORED) } else { 0.0 };
        for (i, range) in self.form.range.iter().enumerate() {
            self.iterate.lower[i] = multiplier(self.iterate.primal[i] - range.lower);
            self.iterate.upper[i] = multiplier(range.upper - self.iterate.primal[i]);
        }
        self.iterate.y = least_squares_multipliers(&self.form, &mut self.system, &self.iterate, &self.slopes);
        self.refresh();
        // Converged without less violation: a minimum of the violation that is not zero.
        match theta(&self.residual) > 0.9 * before {
            false => Ok(()),
            true if self.is_feasible() => Err(Status::NoProgress),
            true => Err(Status::LocallyInfeasible),
        }
    }
}

/// The primal unknowns of the search outside: variables well within bounds, slacks as close to their rows as they may be.
fn outer_point(inner: &[f64], values: &Values, slack: &[usize], ranges: &[Range]) -> Vec<f64> {
    let n = ranges.len() - slack.iter().filter(|&&slack| slack != NONE).count();
    let mut point: Vec<f64> =
        inner[..n].iter().zip(ranges).map(|(&x, range)| push_inside(x, range, WARM_PUSH)).collect();
    point.resize(ranges.len(), 0.0);
    for (&slack, &value) in slack.iter().zip(&values.rows) {
        if slack != NONE {
            point[slack] = push_inside(value, &ranges[slack], WARM_PUSH);
        }
    }
    point
}
