//! One iteration after the other: barrier parameter, Newton step, line search.

use super::filter::{Filter, PHI_SHARE, THETA_SHARE};
use super::form::{Form, NONE, Slopes, Values};
use super::iterate::{
    Error, Iterate, barrier, barrier_gradient, infeasibility, push_inside, theta, to_boundary, to_zero,
};
use super::restoration::{Restoration, Seen};
use super::step::{Step, least_squares_multipliers};
use super::system::KktSystem;
use crate::nlp::{Nlp, Range};
use crate::outcome::Status;
use crate::solver::Options;
use std::cell::RefCell;
use std::rc::Rc;

/// First barrier parameter, and the one after a warm start.
const FIRST_BARRIER: f64 = 0.1;
const WARM_BARRIER: f64 = 1e-6;
/// Distance from bounds at the start, cold and warm.
const PUSH: f64 = 1e-2;
const WARM_PUSH: f64 = 1e-9;
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
/// Second-order corrections of a step.
const MAX_CORRECTIONS: usize = 4;
/// Iterations that the filter may shorten in a row before it is forgotten, and how often.
const BLOCKED_ITERATIONS: usize = 5;
const MAX_RESETS: usize = 5;
/// Iterations of one restoration, and the largest multiplier of a bound after it.
const MAX_RESTORATION: usize = 500;
const LARGEST_RESTORED: f64 = 1e3;

/// The state of the search.
pub(crate) struct Search<'a> {
    pub(crate) form: Form<'a>,
    pub(crate) system: KktSystem,
    pub(crate) iterate: Iterate,
    pub(crate) values: Values,
    pub(crate) error: Error,
    pub(crate) iteration: usize,
    pub(crate) mu: f64,
    /// Length of the last step.
    pub(crate) share: f64,
    options: &'a Options,
    slopes: Slopes,
    residual: Vec<f64>,
    gradient: Vec<f64>,
    sigma: Vec<f64>,
    step: Step,
    filter: Filter,
    theta_small: f64,
    theta_large: f64,
    acceptable: usize,
    tiny: usize,
    /// True if the last point that was refused was refused by the filter, and for how many iterations so.
    by_filter: bool,
    blocked: usize,
    resets: usize,
    /// False within a restoration, which has none of its own.
    restores: bool,
    trial: Trial,
    corrected: Vec<f64>,
    saved: Step,
}

/// A point that is tried.
#[derive(Default)]
struct Trial {
    primal: Vec<f64>,
    values: Values,
    slopes: Slopes,
    residual: Vec<f64>,
}

impl<'a> Search<'a> {
    /// Moves the start inside the bounds and finds first multipliers.
    pub(crate) fn new(mut form: Form<'a>, start: &[f64], options: &'a Options) -> Result<Self, Status> {
        let warm = options
            .warm
            .as_ref()
            .filter(|warm| warm.rows.len() == form.nlp.row_ranges().len() && warm.lower.len() == start.len());
        let push = if warm.is_some() { WARM_PUSH } else { PUSH };
        let mut primal: Vec<f64> =
            form.free.iter().zip(&form.range).map(|(&i, range)| push_inside(start[i], range, push)).collect();
        let mut values = Values::default();
        let mut slopes = Slopes::default();
        if !form.values(&primal, &mut values) || !form.slopes(&primal, &mut slopes) {
            return Err(Status::Failed("functions are not finite at the start, moved inside the bounds".to_owned()));
        }
        primal.resize(form.range.len(), 0.0);
        for (&slack, &value) in form.slack.iter().zip(&values.rows) {
            if slack != NONE {
                primal[slack] = push_inside(value, &form.range[slack], push);
            }
        }
        let one = |finite: bool| if finite { 1.0 } else { 0.0 };
        let lower = form.range.iter().map(|range| one(range.lower.is_finite())).collect();
        let upper = form.range.iter().map(|range| one(range.upper.is_finite())).collect();
        let iterate = Iterate { primal, y: vec![0.0; form.m], lower, upper };
        let system = KktSystem::new(&form, options.linear);
        let mut search = Self {
            form,
            system,
            iterate,
            values,
            error: Error::default(),
            iteration: 0,
            mu: if warm.is_some() { WARM_BARRIER } else { FIRST_BARRIER },
            share: 0.0,
            options,
            slopes,
            residual: Vec::new(),
            gradient: Vec::new(),
            sigma: Vec::new(),
            step: Step::default(),
            filter: Filter::default(),
            theta_small: 0.0,
            theta_large: 0.0,
            acceptable: 0,
            tiny: 0,
            by_filter: false,
            blocked: 0,
            resets: 0,
            restores: true,
            trial: Trial::default(),
            corrected: Vec::new(),
            saved: Step::default(),
        };
        match warm {
            Some(warm) => search.warm(warm),
            None => {
                let y = least_squares_multipliers(&search.form, &mut search.system, &search.iterate, &search.slopes);
                search.iterate.y = y;
            }
        }
        search.refresh();
        let theta = theta(&search.residual);
        (search.theta_small, search.theta_large) = (1e-4 * theta.max(1.0), 1e4 * theta.max(1.0));
        search.filter = Filter::new(search.theta_large);
        Ok(search)
    }

    /// Takes over multipliers of a neighbouring solution.
    fn warm(&mut self, warm: &crate::Multipliers) {
        let (form, iterate, mu) = (&self.form, &mut self.iterate, self.mu);
        for (k, &j) in form.rows.iter().enumerate() {
            let y = warm.rows[j] * form.objective_scale / form.row_scale[k];
            iterate.y[k] = y;
            if form.slack[k] != NONE {
                // -y = z_lower - z_upper at the slack
                (iterate.lower[form.slack[k]], iterate.upper[form.slack[k]]) = ((-y).max(0.0), y.max(0.0));
            }
        }
        for (k, &i) in form.free.iter().enumerate() {
            iterate.lower[k] = warm.lower[i] * form.objective_scale;
            iterate.upper[k] = warm.upper[i] * form.objective_scale;
        }
        for (i, range) in form.range.iter().enumerate() {
            for (z, distance) in [
                (&mut iterate.lower[i], iterate.primal[i] - range.lower),
                (&mut iterate.upper[i], range.upper - iterate.primal[i]),
            ] {
                *z = if distance.is_finite() { z.max(mu / distance.max(mu)) } else { 0.0 };
            }
        }
    }

    /// Residuals at the iterate.
    fn refresh(&mut self) {
        infeasibility(&self.form, &self.values, &self.iterate.primal, &mut self.residual);
        self.error = self.iterate.error(&self.form, &self.slopes, &self.residual, 0.0);
    }

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
        (far || self.values.objective < -DIVERGED).then_some(Status::Unbounded)
    }

    /// True if the conditions hold in the units of the program as well, roughly.
    fn holds(&self) -> bool {
        let size = (self.values.objective / self.form.objective_scale).abs().max(1.0);
        let error = &self.error;
        self.unscaled_infeasibility() <= FEASIBLE
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
    fn is_stuck(&self) -> bool {
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

    /// One step.
    pub(crate) fn iterate(&mut self) -> Result<(), Status> {
        self.lower_barrier();
        self.iteration += 1;
        if !self.form.curvature(&self.iterate.primal, 1.0, &self.iterate.y, self.system.hessian()) {
            return Err(Status::Failed("second derivatives are not finite".to_owned()));
        }
        self.system.set_jacobian(&self.slopes.jacobian);
        Step::sigma(&self.form, &self.iterate, &mut self.sigma);
        barrier_gradient(&self.slopes, &self.iterate.primal, &self.form.range, self.mu, &mut self.gradient);
        if !self.system.factor(&self.form, &self.sigma, self.mu) {
            return Err(Status::NoProgress);
        }
        while !self.newton() {
            if !self.system.raise(&self.form, &self.sigma, self.mu) {
                return Err(Status::NoProgress);
            }
        }
        self.move_on()
    }

    fn newton(&mut self) -> bool {
        let gradients = (&self.gradient[..], &self.slopes.jacobian[..]);
        let weights = (&self.sigma[..], self.mu);
        self.step.newton(&self.form, &mut self.system, &self.iterate, gradients, &self.residual, weights)
    }

    fn tau(&self) -> f64 {
        (1.0 - self.mu).max(0.99)
    }

    /// Lowers the barrier parameter as long as the barrier problem is solved well enough.
    fn lower_barrier(&mut self) {
        let least = self.options.tolerance / 10.0;
        let mut lowered = false;
        while self.mu > least {
            let error = self.iterate.error(&self.form, &self.slopes, &self.residual, self.mu);
            if error.scaled > 10.0 * self.mu && self.tiny == 0 {
                break;
            }
            self.tiny = 0;
            self.mu = least.max((0.2 * self.mu).min(self.mu.powf(1.5)));
            lowered = true;
        }
        if lowered {
            self.filter = Filter::new(self.theta_large);
        }
    }

    /// Line search along the step, and the new iterate.
    fn move_on(&mut self) -> Result<(), Status> {
        let size = |(p, d): (&f64, &f64)| d.abs() / (1.0 + p.abs());
        let largest = self.iterate.primal.iter().zip(&self.step.primal).map(size).fold(0.0, f64::max);
        let longest = to_boundary(&self.iterate.primal, &self.step.primal, &self.form.range, self.tau());
        if largest < 10.0 * f64::EPSILON {
            // Rounding decides about such steps; the barrier parameter must go on.
            self.tiny += 1;
            if self.mu <= self.options.tolerance / 10.0 || !self.evaluate(longest) {
                return Err(Status::NoProgress);
            }
            self.accept(longest);
            return Ok(());
        }
        match self.line_search(longest) {
            Some(share) => self.accept(share),
            None if self.soft_step() => {}
            None => return self.restore(),
        }
        Ok(())
    }

    /// Forgets the filter if it alone has shortened several steps in a row.
    fn unblock(&mut self) {
        self.blocked = if self.by_filter { self.blocked + 1 } else { 0 };
        self.by_filter = false;
        if self.blocked >= BLOCKED_ITERATIONS && self.resets < MAX_RESETS {
            self.filter = Filter::new(self.theta_large);
            (self.blocked, self.resets) = (0, self.resets + 1);
        }
    }

    /// The share of the step whose end is acceptable, with the trial point there.
    fn line_search(&mut self, longest: f64) -> Option<f64> {
        self.unblock();
        let theta0 = theta(&self.residual);
        let phi0 = barrier(self.values.objective, &self.iterate.primal, &self.form.range, self.mu);
        let slope: f64 = self.gradient.iter().zip(&self.step.primal).map(|(g, d)| g * d).sum();
        let least = self.shortest(theta0, slope);
        let mut share = longest;
        let mut first = true;
        while share >= least {
            if self.evaluate(share) {
                let here = Here { theta0, phi0, slope, share };
                if self.accepts(&here) {
                    self.augment(&here);
                    return Some(share);
                }
                if first && theta(&self.trial.residual) >= theta0 && self.correct(&here) {
                    return Some(share);
                }
            }
            first = false;
            share *= 0.5;
        }
        None
    }

    /// The share below which no step can be acceptable.
    fn shortest(&self, theta: f64, slope: f64) -> f64 {
        let mut least = THETA_SHARE;
        if slope < 0.0 {
            least = least.min(PHI_SHARE * theta / -slope);
            if theta <= self.theta_small {
                least = least.min(theta.powf(1.1) / (-slope).powf(2.3));
            }
        }
        (0.05 * least).max(1e-14)
    }

    /// Evaluates everything at the trial point; false if it is not defined there.
    fn evaluate(&mut self, share: f64) -> bool {
        let trial = &mut self.trial;
        trial.primal.clear();
        trial.primal.extend(self.iterate.primal.iter().zip(&self.step.primal).map(|(p, d)| p + share * d));
        if !self.form.values(&trial.primal, &mut trial.values) {
            return false;
        }
        infeasibility(&self.form, &trial.values, &trial.primal, &mut trial.residual);
        true
    }

    /// The tests of the filter line search.
    fn accepts(&mut self, here: &Here) -> bool {
        let trial = &self.trial;
        let theta = theta(&trial.residual);
        let phi = barrier(trial.values.objective, &trial.primal, &self.form.range, self.mu);
        if !phi.is_finite() || !self.filter.accepts(theta, phi) {
            self.by_filter = true;
            return false;
        }
        let rounding = 10.0 * f64::EPSILON * here.phi0.abs();
        let enough = if here.switches(self.theta_small) {
            phi - here.phi0 - rounding <= 1e-8 * here.share * here.slope
        } else {
            theta <= (1.0 - THETA_SHARE) * here.theta0 || phi - here.phi0 - rounding <= -PHI_SHARE * here.theta0
        };
        if !enough {
            self.by_filter = false;
        }
        // A point without derivatives is of no use.
        enough && self.form.slopes(&self.trial.primal, &mut self.trial.slopes)
    }

    /// Steps that are not a clear decrease of the barrier function enter the filter.
    fn augment(&mut self, here: &Here) {
        let phi = barrier(self.trial.values.objective, &self.trial.primal, &self.form.range, self.mu);
        let decreases = phi - here.phi0 <= 1e-8 * here.share * here.slope + 10.0 * f64::EPSILON * here.phi0.abs();
        if !(here.switches(self.theta_small) && decreases) {
            self.filter.add(here.theta0, here.phi0);
        }
    }

    /// Second-order corrections: the step again, with what the curvature of the rows added.
    fn correct(&mut self, here: &Here) -> bool {
        self.saved.clone_from(&self.step);
        self.corrected.clone_from(&self.residual);
        let mut share = here.share;
        let mut before = here.theta0;
        for _ in 0..MAX_CORRECTIONS {
            for (sum, value) in self.corrected.iter_mut().zip(&self.trial.residual) {
                *sum = share * *sum + value;
            }
            if !self.step.solve(&self.form, &mut self.system, &self.corrected, &self.sigma) {
                break;
            }
            share = to_boundary(&self.iterate.primal, &self.step.primal, &self.form.range, self.tau());
            if !self.evaluate(share) {
                break;
            }
            if self.accepts(here) {
                self.augment(here);
                // The trial point is the corrected one; multipliers follow the step as it was.
                std::mem::swap(&mut self.step, &mut self.saved);
                return true;
            }
            let theta = theta(&self.trial.residual);
            if theta > 0.99 * before {
                break;
            }
            before = theta;
        }
        std::mem::swap(&mut self.step, &mut self.saved);
        false
    }

    /// Takes the step all the same if it brings the optimality conditions of the barrier problem closer.
    fn soft_step(&mut self) -> bool {
        let tau = self.tau();
        let share = to_boundary(&self.iterate.primal, &self.step.primal, &self.form.range, tau)
            .min(to_zero(&self.iterate.lower, &self.step.lower, tau))
            .min(to_zero(&self.iterate.upper, &self.step.upper, tau));
        let before = self.iterate.error(&self.form, &self.slopes, &self.residual, self.mu).sum();
        if !self.evaluate(share) || !self.form.slopes(&self.trial.primal, &mut self.trial.slopes) {
            return false;
        }
        let mut next = self.iterate.clone();
        next.primal.clone_from(&self.trial.primal);
        self.step.add_multipliers(&mut next, share, share);
        let after = next.error(&self.form, &self.trial.slopes, &self.trial.residual, self.mu).sum();
        if after > (1.0 - 1e-4) * before {
            return false;
        }
        self.accept(share);
        true
    }

    /// Minimises the violation until the filter accepts a point.
    fn restore(&mut self) -> Result<(), Status> {
        let before = theta(&self.residual);
        if !self.restores || before <= self.options.tolerance * 1e-2 || self.residual.is_empty() {
            return Err(Status::NoProgress);
        }
        let phi = barrier(self.values.objective, &self.iterate.primal, &self.form.range, self.mu);
        self.filter.add(before, phi);
        let largest = self.residual.iter().fold(self.mu, |size, value| size.max(value.abs()));
        let seen = Rc::new(RefCell::new(Seen::default()));
        let mut program = Restoration::new(&mut self.form, &self.iterate.primal, &self.residual, self.mu, seen.clone());
        let start = program.start().to_vec();
        let options = Options { warm: None, start: None, extra: Vec::new(), ..self.options.clone() };
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
            if let Err(status) = inner.iterate() {
                break inner.verdict(status);
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
        };
        let (iterations, factorisations, seconds) =
            (inner.iteration, inner.system.factorisations, inner.system.seconds);
        self.iteration += iterations;
        self.system.factorisations += factorisations;
        self.system.seconds += seconds;
        if point.is_empty() || !ended.is_success() {
            return Err(if ended == Status::IterationLimit { ended } else { Status::NoProgress });
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
        if theta(&self.residual) > 0.9 * before { Err(Status::LocallyInfeasible) } else { Ok(()) }
    }

    /// The trial point becomes the iterate.
    fn accept(&mut self, share: f64) {
        let tau = self.tau();
        let dual = to_zero(&self.iterate.lower, &self.step.lower, tau).min(to_zero(
            &self.iterate.upper,
            &self.step.upper,
            tau,
        ));
        std::mem::swap(&mut self.iterate.primal, &mut self.trial.primal);
        std::mem::swap(&mut self.values, &mut self.trial.values);
        if self.trial.slopes.gradient.is_empty() || self.tiny > 0 {
            self.form.slopes(&self.iterate.primal, &mut self.trial.slopes);
        }
        std::mem::swap(&mut self.slopes, &mut self.trial.slopes);
        self.step.add_multipliers(&mut self.iterate, share, dual);
        self.iterate.keep_multipliers(&self.form.range, self.mu);
        self.share = share;
        self.refresh();
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

/// Where a line search is.
struct Here {
    theta0: f64,
    phi0: f64,
    slope: f64,
    share: f64,
}

impl Here {
    /// True if the barrier function, not infeasibility, is what a step here should improve.
    fn switches(&self, theta_small: f64) -> bool {
        self.slope < 0.0 && self.theta0 <= theta_small && self.share * (-self.slope).powf(2.3) > self.theta0.powf(1.1)
    }
}

impl Error {
    fn sum(&self) -> f64 {
        self.dual + self.primal + self.complementarity
    }
}

impl Step {
    fn add_multipliers(&self, iterate: &mut Iterate, share: f64, dual: f64) {
        let add = |to: &mut [f64], step: &[f64], share: f64| to.iter_mut().zip(step).for_each(|(z, d)| *z += share * d);
        add(&mut iterate.y, &self.y, share);
        add(&mut iterate.lower, &self.lower, dual);
        add(&mut iterate.upper, &self.upper, dual);
    }
}
