//! Steps that end at a contact.

use crate::contact::{ContactStepper, Mode};
use crate::error::StepError;
use crate::landing::Given;
use crate::segment::{Closure, Opening};
use crate::tracking::Found;
use carom_impact::{Arrival, Smooth, Watch};

/// Contacts within this part of a step from its end are at its end.
pub(crate) const AT_THE_END: f64 = 1e-6;
/// How often the surface that is reached first is found to be another one.
const MAX_REPETITIONS: usize = 20;
/// Steps below this part of a step mean nothing.
const SHORTEST: f64 = 1e-12;
/// Corrections of a duration below this part of a step may be rounding.
const STALLED: f64 = 1e-9;
/// How often a composition is repeated with another duration.
const MAX_DURATIONS: usize = 60;

impl ContactStepper {
    /// Ends the step at the contact that was found, or at an earlier one. None, and the whole step, if no
    /// shorter step ends at the contact: a path that grazes it is drawn a little too close.
    pub(crate) fn land(&mut self, mut found: Found, watch: &Watch, h: f64) -> Result<Option<Arrival>, StepError> {
        for _ in 0..MAX_REPETITIONS {
            let Some((duration, iterations)) = self.reach(found, h)? else {
                let start = self.stepper().state().t;
                self.touched.push((found.surface, start + found.at * h));
                self.stepper().step(h)?;
                return Ok(None);
            };
            match self.earlier(found.surface, watch, duration)? {
                Some(other) => {
                    // As a part of the whole step.
                    found = Found { at: other.at * duration / h, ..other };
                    self.stepper().undo();
                }
                None => {
                    let start = self.stepper().state_before().t;
                    let bracket = (start + found.bracket.0 * h, start + found.bracket.1 * h);
                    return Ok(Some(Arrival::Contact { surface: found.surface, bracket, iterations }));
                }
            }
        }
        Err(self.no_landing(found.surface))
    }

    /// Another contact before the end of the segment that has just landed.
    fn earlier(&mut self, landed: usize, watch: &Watch, duration: f64) -> Result<Option<Found>, StepError> {
        if watch.surfaces.len() == 1 {
            return Ok(None);
        }
        self.draw_cubic(duration)?;
        let found = self.along_path(watch, duration, Some(landed));
        Ok(found.filter(|found| found.at < 1.0 - AT_THE_END))
    }

    /// Takes the step back and repeats it up to the contact; its duration, and iterations.
    pub(crate) fn reach(&mut self, found: Found, h: f64) -> Result<Option<(f64, usize)>, StepError> {
        let nodes = self.modes[self.current].stepper.nodes().map(<[f64]>::to_vec);
        let guess = nodes.map(|nodes| self.guess(&nodes, found.at));
        self.stepper().undo();
        if let Some(guess) = guess
            && let Some(landed) = self.solve_landing(found, &guess, h)?
        {
            return Ok(Some(landed));
        }
        match self.repeat_until_contact(found, h)? {
            Some(landed) => Ok(Some(landed)),
            None => self.halve_until_contact(found, h),
        }
    }

    /// Displacements at the nodes of a shorter step, from the path; multipliers start from zero.
    pub(crate) fn guess(&mut self, nodes: &[f64], part: f64) -> Vec<f64> {
        let n = self.dynamics.dimension();
        let m = self.modes[self.current].dynamics.constraint_count();
        let mut guess = Vec::with_capacity(nodes.len() * (n + m));
        for node in nodes {
            let tau = node * part;
            let orders = self.path.coefficients().chunks_exact(n).skip(1).rev();
            let displacement =
                orders.fold(vec![0.0; n], |sum, order| sum.iter().zip(order).map(|(sum, c)| (sum + c) * tau).collect());
            guess.extend(displacement);
        }
        guess.resize(nodes.len() * (n + m), 0.0);
        guess
    }

    /// One Newton solve for the segment and its duration; none if it fails or leaves the step.
    fn solve_landing(&mut self, found: Found, guess: &[f64], h: f64) -> Result<Option<(f64, usize)>, StepError> {
        let ends = (Opening::Smooth, Closure::Contact(found.surface));
        let index = self.landing(ends)?;
        let tolerance = self.options.tolerance;
        let Mode { stepper, landings, .. } = &mut self.modes[self.current];
        let landing = &mut landings[index];
        let before = landing.iterations();
        let given = Given { state: stepper.state(), duration: found.at * h, energy: 0.0, direction: &[] };
        let solved = landing.solve(&given, guess, tolerance);
        let duration = landing.duration();
        let is_inside = duration > 0.0 && duration <= h * (1.0 + AT_THE_END);
        if solved.is_err() || !is_inside {
            return Ok(None);
        }
        stepper.mark();
        stepper.arrive(landing)?;
        Ok(Some((duration, landing.iterations() - before)))
    }

    /// Repeats the step with other durations until it ends at the contact, by Newton's method: for
    /// compositions. None if that does not converge.
    fn repeat_until_contact(&mut self, found: Found, h: f64) -> Result<Option<(f64, usize)>, StepError> {
        let mut duration = found.at * h;
        let mut last_change = f64::INFINITY;
        for iterations in 1..=MAX_DURATIONS {
            self.stepper().step(duration)?;
            let (gap, rate) = self.closing(found.surface)?;
            let (change, t) = (gap / rate, self.time());
            let is_rounding = change.abs() <= 4.0 * f64::EPSILON * duration.max(t.abs());
            let is_stalled = change.abs() <= STALLED * h && change.abs() >= last_change;
            if is_rounding || iterations > 8 && is_stalled {
                return Ok(Some((duration, iterations)));
            }
            self.stepper().undo();
            last_change = change.abs();
            duration = (duration - change).clamp(SHORTEST * h, 2.0 * h);
            if !change.is_finite() {
                break;
            }
        }
        Ok(None)
    }

    /// The same by halving, if the whole step ends inside; none if it does not.
    fn halve_until_contact(&mut self, found: Found, h: f64) -> Result<Option<(f64, usize)>, StepError> {
        let (mut low, mut high) = (0.0, h);
        self.stepper().step(h)?;
        let is_inside = self.closing(found.surface)?.0 < 0.0;
        self.stepper().undo();
        if !is_inside {
            return Ok(None);
        }
        for iterations in 1..=MAX_DURATIONS {
            let duration = 0.5 * (low + high);
            self.stepper().step(duration)?;
            let (gap, _) = self.closing(found.surface)?;
            if high - low <= f64::EPSILON * h.max(self.time().abs()) {
                return Ok(Some((duration, iterations)));
            }
            self.stepper().undo();
            if gap < 0.0 {
                high = duration;
            } else {
                low = duration;
            }
        }
        Err(self.no_landing(found.surface))
    }

    /// Gap and rate of a surface in the current state.
    fn closing(&mut self, surface: usize) -> Result<(f64, f64), StepError> {
        let (q, v, _) = self.here()?;
        Ok(self.geometry.closing(surface, &q, &v))
    }

    fn no_landing(&self, surface: usize) -> StepError {
        StepError::NoLanding { time: self.time(), contact: self.dynamics.surfaces[surface].name.clone() }
    }
}
