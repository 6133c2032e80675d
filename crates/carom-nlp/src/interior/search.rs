//! One iteration after the other: barrier parameter, Newton step, line search.

use super::filter::Filter;
use super::form::{Form, NONE, Slopes, Values};
use super::iterate::{Error, Iterate, barrier_gradient, infeasibility, push_inside, theta, to_boundary, to_zero};
use super::step::{Step, least_squares_multipliers};
use super::system::KktSystem;
use super::watchdog::{Watch, Watched};
use crate::outcome::Status;
use crate::solver::{Observer, Options};
use std::time::Instant;

/// First barrier parameter, the one after a warm start, and the one near a solution.
const FIRST_BARRIER: f64 = 0.1;
const WARM_BARRIER: f64 = 1e-6;
const NEAR_BARRIER: f64 = 1e-4;
/// Distance from bounds at the start, cold and warm.
pub(crate) const PUSH: f64 = 1e-2;
pub(crate) const WARM_PUSH: f64 = 1e-9;

/// The state of the search.
pub(crate) struct Search<'a> {
    pub(crate) form: Form<'a>,
    pub(crate) system: KktSystem,
    pub(crate) iterate: Iterate,
    pub(crate) values: Values,
    pub(crate) error: Error,
    pub(crate) iteration: usize,
    /// When the search began.
    pub(crate) begin: Instant,
    pub(crate) mu: f64,
    /// Length of the last step.
    pub(crate) share: f64,
    pub(crate) options: &'a Options,
    pub(crate) slopes: Slopes,
    pub(crate) residual: Vec<f64>,
    pub(crate) gradient: Vec<f64>,
    pub(crate) sigma: Vec<f64>,
    pub(crate) step: Step,
    pub(crate) filter: Filter,
    pub(crate) theta_small: f64,
    pub(crate) theta_large: f64,
    pub(crate) acceptable: usize,
    pub(crate) tiny: usize,
    /// True if the last point that was refused was refused by the filter, and for how many iterations so.
    pub(crate) by_filter: bool,
    pub(crate) blocked: usize,
    pub(crate) resets: usize,
    /// Steps in a row that the line search has shortened.
    pub(crate) shortened: usize,
    /// Where full steps on trial began.
    pub(crate) watch: Option<Box<Watch>>,
    /// False within a restoration, which has none of its own.
    pub(crate) restores: bool,
    pub(crate) trial: Trial,
    pub(crate) corrected: Vec<f64>,
    pub(crate) saved: Step,
}

/// A point that is tried.
#[derive(Default)]
pub(crate) struct Trial {
    pub(crate) primal: Vec<f64>,
    pub(crate) values: Values,
    pub(crate) slopes: Slopes,
    pub(crate) residual: Vec<f64>,
}

impl<'a> Search<'a> {
    /// Moves the start inside the bounds and finds first multipliers.
    pub(crate) fn new(mut form: Form<'a>, start: &[f64], options: &'a Options) -> Result<Self, Status> {
        let warm = options.warm.as_ref().filter(|warm| fits(warm, form.nlp.row_ranges().len(), start.len()));
        let push = if warm.is_some() || options.near { WARM_PUSH } else { PUSH };
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
        let mu = options.barrier.unwrap_or(match (&warm, options.near) {
            (Some(_), _) => WARM_BARRIER,
            (None, true) => NEAR_BARRIER,
            (None, false) => FIRST_BARRIER,
        });
        // Near a solution the bounds that act are those whose distance is small.
        let near = options.near && warm.is_none();
        let first = |distance: f64| match distance.is_finite() {
            false => 0.0,
            true if near => (mu / distance).min(1.0),
            true => 1.0,
        };
        let lower = primal.iter().zip(&form.range).map(|(p, range)| first(p - range.lower)).collect();
        let upper = primal.iter().zip(&form.range).map(|(p, range)| first(range.upper - p)).collect();
        let iterate = Iterate { primal, y: vec![0.0; form.m], lower, upper };
        let system = KktSystem::new(&form, options.linear);
        let mut search = Self {
            form,
            system,
            iterate,
            values,
            error: Error::default(),
            iteration: 0,
            begin: Instant::now(),
            mu,
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
            shortened: 0,
            watch: None,
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
    pub(crate) fn refresh(&mut self) {
        infeasibility(&self.form, &self.values, &self.iterate.primal, &mut self.residual);
        self.error = self.iterate.error(&self.form, &self.slopes, &self.residual, 0.0);
    }

    /// One step.
    pub(crate) fn iterate(&mut self, observe: &mut Observer<'_>) -> Result<(), Status> {
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
        self.move_on(observe)
    }

    fn newton(&mut self) -> bool {
        let gradients = (&self.gradient[..], &self.slopes.jacobian[..]);
        let weights = (&self.sigma[..], self.mu);
        self.step.newton(&self.form, &mut self.system, &self.iterate, gradients, &self.residual, weights)
    }

    pub(crate) fn tau(&self) -> f64 {
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
            // Another problem: what was watched has no meaning.
            (self.watch, self.shortened) = (None, 0);
        }
    }

    /// Line search along the step, and the new iterate.
    fn move_on(&mut self, observe: &mut Observer<'_>) -> Result<(), Status> {
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
        let (longest, corrects) = match self.watch(longest) {
            Watched::Taken => return Ok(()),
            Watched::No => (longest, true),
            // The factors at hand belong to another point.
            Watched::Back => {
                (to_boundary(&self.iterate.primal, &self.step.primal, &self.form.range, self.tau()), false)
            }
        };
        match self.line_search(longest, corrects) {
            Some(share) => {
                self.shortened = if share < longest { self.shortened + 1 } else { 0 };
                self.accept(share);
            }
            None if self.soft_step() => {}
            None => return self.restore(observe),
        }
        Ok(())
    }

    /// The trial point becomes the iterate.
    pub(crate) fn accept(&mut self, share: f64) {
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

impl Step {
    pub(crate) fn add_multipliers(&self, iterate: &mut Iterate, share: f64, dual: f64) {
        let add = |to: &mut [f64], step: &[f64], share: f64| to.iter_mut().zip(step).for_each(|(z, d)| *z += share * d);
        add(&mut iterate.y, &self.y, share);
        add(&mut iterate.lower, &self.lower, dual);
        add(&mut iterate.upper, &self.upper, dual);
    }
}

/// True if multipliers are for a program of this size, and numbers.
fn fits(warm: &crate::Multipliers, rows: usize, variables: usize) -> bool {
    let lists = [&warm.rows, &warm.lower, &warm.upper];
    let sizes = lists.map(Vec::len) == [rows, variables, variables];
    sizes && lists.into_iter().flatten().all(|value| value.is_finite())
}
