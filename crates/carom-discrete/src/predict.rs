//! The guess that Newton's method starts from.

use crate::error::StepError;
use crate::motion::Motion;
use crate::stepper::{Stage, Stepper};
use carom_linalg::max_abs;

impl Stepper {
    /// Guess of the unknowns: extrapolation of the last solutions, or uniformly accelerated motion.
    /// Returns the size of the motion during the step.
    pub(crate) fn predict(&mut self, stage: usize, duration: f64) -> Result<f64, StepError> {
        let Stage { memory, duration: last, .. } = &mut self.stages[stage];
        if *last != duration {
            memory.clear();
            *last = duration;
        }
        if !memory.is_empty() {
            let guess = &mut self.input[..memory.unknowns()];
            memory.extrapolate(guess);
            let moving = guess.len().min(self.n * self.solvers[self.stages[stage].newton].0.segment().stages);
            return Ok(max_abs(&self.input[..moving]));
        }
        self.velocity()?;
        let Motion { state, velocity, .. } = &self.now;
        let acceleration = self.acceleration.at(&state.q, velocity, state.t).unwrap_or(&[]);
        // A degenerate Lagrangian has no acceleration to go by.
        let mut acceleration: Vec<f64> = acceleration.iter().take(self.n).copied().collect();
        acceleration.resize(self.n, 0.0);
        let newton = &mut self.solvers[self.stages[stage].newton].0;
        newton.forget();
        let segment = newton.segment();
        self.input[..segment.unknowns].fill(0.0);
        for (node, &fraction) in self.input.chunks_exact_mut(self.n).zip(&segment.nodes) {
            let time = fraction * duration;
            node.iter_mut().zip(velocity).for_each(|(d, v)| *d = time * v);
            node.iter_mut().zip(&acceleration).for_each(|(d, a)| *d += 0.5 * time * time * a);
        }
        // Both parts may cancel, so that the displacement says nothing; and a method of first order is
        // off by all of the second part.
        let mut strongest = max_abs(&acceleration);
        // A force may begin within the step.
        for part in [0.5, 1.0] {
            let time = part * duration;
            let ahead = |x: &[f64], y: &[f64]| -> Vec<f64> { x.iter().zip(y).map(|(x, y)| x + time * y).collect() };
            let (q, v) = (ahead(&state.q, velocity), ahead(velocity, &acceleration));
            if let Some(later) = self.acceleration.at(&q, &v, state.t + time) {
                strongest = strongest.max(max_abs(&later[..self.n]));
            }
        }
        Ok(duration.abs() * max_abs(velocity) + 2.0 * duration * duration * strongest)
    }
}
