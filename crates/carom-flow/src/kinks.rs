//! Kinks and jumps: steps end on them.

use crate::error::FlowFailure;
use crate::taylor::Taylor;
use carom_linalg::max_abs;

/// A predicted acceleration that is off by more than this many tolerances is not a truncation error,
/// nor is one that is off by more than this part of the motion.
const GROSS: f64 = 1e6;
const VISIBLE: f64 = 1e-8;
/// What is left of it when the step ends on the discontinuity.
const FINE: f64 = 1.0;
/// Shortest step on the way to a discontinuity, as a part of the time.
const SHORTEST: f64 = 4e-16;
/// So many discontinuities within this part of a step are chattering.
const MAX_KINKS: usize = 500;
const CHATTER: f64 = 1e-2;

impl Taylor {
    /// The longest step up to `tau` whose end the series predicts; `self.change` belongs to it.
    pub(crate) fn shorten(&mut self, mut tau: f64) -> Result<f64, FlowFailure> {
        let time = self.t();
        let shortest = SHORTEST * time.abs().max(self.max_step.min(1.0));
        // Loose tolerances must not hide what can be seen, nor call their own error a kink.
        let gross = GROSS.min((VISIBLE / self.tolerance).max(1e3));
        let (mut factor, mut is_kink) = (gross, false);
        loop {
            let (defect, unit) = self.defect(tau);
            if defect <= factor * unit || tau <= shortest {
                if is_kink {
                    self.count_kink(time)?;
                }
                return Ok(tau);
            }
            (factor, is_kink) = (FINE * f64::EPSILON / self.tolerance, true);
            tau *= 0.5;
            self.extrapolate(tau);
        }
    }

    /// Gives up where discontinuities follow each other without end.
    fn count_kink(&mut self, time: f64) -> Result<(), FlowFailure> {
        let (count, since) = self.kinks;
        if time - since > CHATTER * self.max_step.min(1.0) {
            self.kinks = (1, time);
        } else {
            self.kinks = (count + 1, since);
        }
        if self.kinks.0 > MAX_KINKS { Err(self.failure(FlowFailure::Chattering { time })) } else { Ok(()) }
    }

    /// How far the acceleration at the end of a step is from the predicted one, times the step; and
    /// what one tolerance amounts to.
    fn defect(&mut self, tau: f64) -> (f64, f64) {
        let (size, width) = (self.n + self.k, self.k);
        // The very numbers that the step will end with.
        for (i, value) in self.next[..size].iter_mut().enumerate() {
            *value = self.state[i] + (self.change[i] + self.rest[i]);
        }
        self.next[size] = self.state[size] + (tau + self.time_rest);
        self.series.eval(&self.next, &mut self.next_output);
        let speeds = &self.output[self.speeds..];
        let predicted =
            |i: usize| (1..=self.order).rev().fold(0.0, |a, k| a * tau + k as f64 * speeds[(k - 1) * width + i]);
        let found = &self.next_output[self.speeds..self.speeds + width];
        let differences: Vec<f64> = found.iter().enumerate().map(|(i, found)| found - predicted(i)).collect();
        let defect = max_abs(&differences) * tau;
        let size = max_abs(&self.next[..size]).max(1.0) + max_abs(found) * tau;
        // Not-a-number beyond a singularity counts as any distance.
        if !defect.is_finite() || !size.is_finite() {
            return (f64::INFINITY, 1.0);
        }
        (defect, self.order as f64 * self.tolerance * size)
    }
}
