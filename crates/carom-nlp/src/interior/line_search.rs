//! How far to go along a step: the filter line search (Wächter and Biegler 2006, Algorithm A).

use super::filter::{Filter, PHI_SHARE, THETA_SHARE};
use super::iterate::{Error, barrier, infeasibility, theta, to_boundary, to_zero};
use super::search::Search;

/// Second-order corrections of a step.
const MAX_CORRECTIONS: usize = 4;
/// Iterations that the filter may shorten in a row before it is forgotten, and how often.
const BLOCKED_ITERATIONS: usize = 5;
const MAX_RESETS: usize = 5;

/// Where a line search is.
#[derive(Clone, Copy)]
pub(crate) struct Here {
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

impl Search<'_> {
    /// Forgets the filter if it alone has shortened several steps in a row.
    fn unblock(&mut self) {
        self.blocked = if self.by_filter { self.blocked + 1 } else { 0 };
        self.by_filter = false;
        if self.blocked >= BLOCKED_ITERATIONS && self.resets < MAX_RESETS {
            self.filter = Filter::new(self.theta_large);
            (self.blocked, self.resets) = (0, self.resets + 1);
        }
    }

    /// Where the search stands, for a step of this length.
    pub(crate) fn here(&self, share: f64) -> Here {
        let theta0 = theta(&self.residual);
        let phi0 = barrier(self.values.objective, &self.iterate.primal, &self.form.range, self.mu);
        let slope: f64 = self.gradient.iter().zip(&self.step.primal).map(|(g, d)| g * d).sum();
        Here { theta0, phi0, slope, share }
    }

    /// The share of the step whose end is acceptable, with the trial point there; second-order corrections if
    /// `corrects`.
    pub(crate) fn line_search(&mut self, longest: f64, corrects: bool) -> Option<f64> {
        self.unblock();
        let here = self.here(longest);
        let (theta0, least) = (here.theta0, self.shortest(here.theta0, here.slope));
        let mut share = longest;
        let mut first = corrects;
        while share >= least {
            if self.evaluate(share) {
                let here = Here { share, ..here };
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
    pub(crate) fn evaluate(&mut self, share: f64) -> bool {
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
    pub(crate) fn accepts(&mut self, here: &Here) -> bool {
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
    pub(crate) fn augment(&mut self, here: &Here) {
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
    pub(crate) fn soft_step(&mut self) -> bool {
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
}
