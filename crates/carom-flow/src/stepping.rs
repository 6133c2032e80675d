//! Steps along a series.

use crate::error::FlowFailure;
use crate::taylor::Taylor;
use carom_linalg::{add_compensated, max_abs};

impl Taylor {
    /// Moves to the end of the current series, or by `limit` if that is shorter, and expands anew.
    pub fn step(&mut self, limit: f64) -> Result<f64, FlowFailure> {
        let size = self.n + self.k;
        let mut tau = self.length.min(limit);
        if !(tau > 0.0 && tau.is_finite()) {
            return Err(FlowFailure::NotForward { time: self.t(), until: self.t() + tau });
        }
        self.extrapolate(tau);
        if self.is_checked {
            tau = self.shorten(tau)?;
        }
        let velocity = (self.m > 0).then(|| self.velocity_after(tau));
        add_compensated(&mut self.state[..size], &mut self.rest, &self.change);
        let before = self.t();
        add_compensated(&mut self.state[size..], std::slice::from_mut(&mut self.time_rest), &[tau]);
        if let Some(velocity) = velocity {
            self.project(velocity)?;
        }
        if self.t() == before {
            return Err(self.failure(FlowFailure::StepTooSmall { time: before, length: tau }));
        }
        if self.is_checked && self.state == self.next {
            // The check has expanded the motion there already.
            std::mem::swap(&mut self.output, &mut self.next_output);
            self.measure()?;
        } else {
            self.expand()?;
        }
        Ok(tau)
    }

    /// Moves by exactly `tau`, within the current series, without a new one: for motions that are about to
    /// jump. [`Self::refresh`] expands if the motion goes on after all.
    pub(crate) fn leap(&mut self, tau: f64) -> Result<(), FlowFailure> {
        let size = self.n + self.k;
        self.extrapolate(tau);
        let velocity = self.frame.is_some().then(|| self.velocity_after(tau));
        add_compensated(&mut self.state[..size], &mut self.rest, &self.change);
        add_compensated(&mut self.state[size..], std::slice::from_mut(&mut self.time_rest), &[tau]);
        let velocity = velocity.as_deref().unwrap_or(&self.state[self.n..size]);
        self.output[..self.n].copy_from_slice(velocity);
        self.is_stale = true;
        if max_abs(&self.state).is_finite() { Ok(()) } else { Err(FlowFailure::NotFinite { time: self.t() }) }
    }

    /// Expands the motion if a leap has left its series behind.
    pub(crate) fn refresh(&mut self) -> Result<(), FlowFailure> {
        if self.is_stale { self.expand() } else { Ok(()) }
    }

    /// True if steps are neither checked at their ends nor projected.
    pub(crate) fn may_leap(&self) -> bool {
        !self.is_checked && self.m == 0
    }

    /// Change of the state after `tau`, into `self.change`.
    pub(crate) fn extrapolate(&mut self, tau: f64) {
        let mut change = std::mem::take(&mut self.change);
        self.horner(tau, &mut change);
        self.change = change;
    }

    /// Moves exactly to the time `until`.
    pub fn propagate(&mut self, until: f64) -> Result<(), FlowFailure> {
        loop {
            let left = self.until(until);
            let rounding = f64::EPSILON * until.abs();
            // Also refuses what is not a number.
            if !(left >= -rounding && left.is_finite()) {
                return Err(FlowFailure::NotForward { time: self.t(), until });
            }
            if left <= rounding {
                // What is left is not worth a step, and not forgotten either.
                (self.state[self.n + self.k], self.time_rest) = (until, -left);
                return Ok(());
            }
            self.step(left)?;
        }
    }
}
