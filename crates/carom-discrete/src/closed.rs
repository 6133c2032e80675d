//! Events of closed contacts: forces that vanish or leave their cone, slip that ends.
//!
//! Forces at a node follow from its state, so that an event is a root of a function of the state at the
//! end of a step, as the duration of the step varies.

use crate::contact::ContactStepper;
use crate::error::StepError;
use carom_impact::{Arrival, Watch};
use carom_linalg::{FalsePosition, dot};
use carom_model::Hold;

/// Repetitions of a step to locate an event.
const MAX_REPETITIONS: usize = 80;

impl ContactStepper {
    /// The event of a closed contact in the step that was just taken; the state moves back to it.
    pub(crate) fn closed_event(&mut self, watch: &Watch) -> Result<Option<Arrival>, StepError> {
        let after = self.guards(watch)?;
        if after.iter().all(|(_, value)| *value >= 0.0) {
            return Ok(None);
        }
        let (start, end) = (self.stepper().state_before().t, self.stepper().state().t);
        self.stepper().undo();
        let before = self.guards(watch)?;
        let mut first: Option<(usize, f64)> = None;
        for (index, (_, value)) in after.iter().enumerate() {
            // One that holds neither before nor after is due at once.
            let limit = first.map_or(end - start, |(_, duration)| duration);
            if *value < 0.0 {
                let duration = if before[index].1 <= 0.0 { 0.0 } else { self.locate(watch, index, limit)? };
                first = Some((index, duration));
            }
        }
        let Some((index, duration)) = first else { return Ok(None) };
        if duration > 0.0 {
            self.stepper().step(duration)?;
        }
        Ok(Some(after[index].0))
    }

    /// The duration at whose end a guard vanishes.
    fn locate(&mut self, watch: &Watch, index: usize, limit: f64) -> Result<f64, StepError> {
        let value = |all: &mut Self, duration: f64| {
            all.stepper().step(duration)?;
            let value = all.guards(watch)?[index].1;
            all.stepper().undo();
            Ok::<f64, StepError>(value)
        };
        let (low, high) = (0.0, limit);
        let (at_low, at_high) = (self.guards(watch)?[index].1, value(self, high)?);
        // It may hold again at an earlier limit.
        if at_high >= 0.0 {
            return Ok(limit);
        }
        let mut best = (high, at_high.abs());
        let mut ends = FalsePosition::new((low, at_low), (high, at_high));
        for _ in 0..MAX_REPETITIONS {
            let Some(next) = ends.next().filter(|_| ends.high - ends.low > 4.0 * f64::EPSILON * ends.high) else {
                break;
            };
            let here = value(self, next)?;
            if here.abs() < best.1 {
                best = (next, here.abs());
            }
            ends.update(next, here, here >= 0.0);
            if here == 0.0 {
                break;
            }
        }
        Ok(best.0)
    }

    /// What must not be negative as long as the contacts stay as they are.
    fn guards(&mut self, watch: &Watch) -> Result<Vec<(Arrival, f64)>, StepError> {
        let multipliers = self.stepper().multipliers()?;
        let (q, v, t) = self.here()?;
        self.geometry.at(&q, &v, t);
        let mut all = Vec::new();
        for (index, contact) in watch.closed.iter().enumerate() {
            let push = -multipliers[contact.normal];
            all.push((Arrival::Release(index), push + watch.force));
            match (contact.closed.hold, contact.friction) {
                (Hold::Stick, Some(mu)) => {
                    let forces: Vec<f64> = contact.tangential.iter().map(|&place| multipliers[place]).collect();
                    all.push((Arrival::Slip(index), mu * push + watch.force - dot(&forces, &forces).sqrt()));
                }
                (Hold::Slide { friction, direction }, _) if friction > 0.0 => {
                    let slip = dot(self.geometry.tangent(contact.closed.surface, 0), &v);
                    all.push((Arrival::Halt(index), slip * direction));
                }
                _ => {}
            }
        }
        Ok(all)
    }
}
