//! Full steps on trial, where the line search has become timid.
//!
//! Near a solution the filter may refuse good steps, since they follow the tangent of curved rows (Maratos' effect): the search creeps.
//! After some shortened steps in a row, full steps are taken without any test, a few of them; if one of their ends is
//! acceptable for the point where they began, that was right, and else the search goes back there (Wächter and Biegler 2006, 3.2).

use super::form::{Slopes, Values};
use super::iterate::Iterate;
use super::line_search::Here;
use super::search::Search;
use super::step::Step;

/// Shortened steps in a row after which full ones are tried.
const PATIENCE: usize = 10;
/// Full steps that are tried.
const TRIALS: usize = 3;

/// Where full steps began.
pub(crate) struct Watch {
    iterate: Iterate,
    values: Values,
    slopes: Slopes,
    residual: Vec<f64>,
    gradient: Vec<f64>,
    step: Step,
    here: Here,
    trials: usize,
}

/// What has become of a step.
pub(crate) enum Watched {
    /// There is nothing to watch.
    No,
    /// The step was taken.
    Taken,
    /// The search is back where full steps began, with the step of that time.
    Back,
}

impl Search<'_> {
    /// Takes a full step on trial, if the search is on trial or has reason to be.
    pub(crate) fn watch(&mut self, longest: f64) -> Watched {
        if self.watch.is_none() {
            if self.shortened < PATIENCE {
                return Watched::No;
            }
            self.watch = Some(Box::new(Watch {
                iterate: self.iterate.clone(),
                values: self.values.clone(),
                slopes: self.slopes.clone(),
                residual: self.residual.clone(),
                gradient: self.gradient.clone(),
                step: self.step.clone(),
                here: self.here(longest),
                trials: 0,
            }));
        }
        let Some(mut watch) = self.watch.take() else { return Watched::No };
        let is_defined = self.evaluate(longest);
        if is_defined && self.accepts(&watch.here) {
            self.augment(&watch.here);
            self.shortened = 0;
            self.accept(longest);
            return Watched::Taken;
        }
        watch.trials += 1;
        let goes_on = watch.trials < TRIALS && is_defined;
        if goes_on && self.form.slopes(&self.trial.primal, &mut self.trial.slopes) {
            self.watch = Some(watch);
            self.accept(longest);
            return Watched::Taken;
        }
        let Watch { iterate, values, slopes, residual, gradient, step, .. } = *watch;
        (self.iterate, self.values, self.slopes) = (iterate, values, slopes);
        (self.residual, self.gradient, self.step) = (residual, gradient, step);
        self.shortened = 0;
        Watched::Back
    }
}
