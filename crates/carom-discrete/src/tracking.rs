//! Gaps along the path of a step: where is the first contact?
//!
//! Most steps are far from every surface, and a box around them shows it: the ends of the step, with a
//! margin for what the path bends. Otherwise the path is drawn, and the contact is looked for along it by
//! interval bounds ([`carom_impact::path`]).

use crate::contact::ContactStepper;
use crate::error::StepError;
use carom_expr::Interval;
use carom_impact::polynomial::FirstRoot;
use carom_impact::{Attention, Watch};

/// A contact along a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) surface: usize,
    /// As a part of the step.
    pub(crate) at: f64,
    pub(crate) bracket: (f64, f64),
}

impl ContactStepper {
    /// The first contact along the step of duration `h` that was just taken.
    pub(crate) fn first_contact(&mut self, watch: &Watch, h: f64) -> Result<Option<Found>, StepError> {
        let has_box = self.set_box();
        let is_far = |all: &mut Self, (surface, attention): (usize, &Attention)| match attention {
            Attention::Closed => true,
            Attention::Guarded => has_box && all.search.is_clear(surface, &all.box_),
            Attention::Leaving(_) => false,
        };
        if watch.surfaces.iter().enumerate().all(|each| is_far(self, each)) {
            return Ok(None);
        }
        // The rule's own polynomial begins with a slope that is a little wrong: too wrong for slow rebounds.
        if watch.surfaces.iter().any(|attention| matches!(attention, Attention::Leaving(_))) {
            self.draw_cubic(h)?;
        } else {
            self.draw(h)?;
        }
        Ok(self.along_path(watch, h, None))
    }

    /// The first contact along the path, but for one surface.
    pub(crate) fn along_path(&mut self, watch: &Watch, h: f64, but: Option<usize>) -> Option<Found> {
        let start = self.modes[self.current].stepper.state_before().t;
        let mut first: Option<Found> = None;
        for (surface, attention) in watch.surfaces.iter().enumerate() {
            let multiplicity = match attention {
                _ if but == Some(surface) => continue,
                Attention::Closed => continue,
                Attention::Guarded if self.is_behind(surface) => continue,
                Attention::Guarded => 0,
                // A velocity that cannot be had is reported by the next step.
                Attention::Leaving(2) if self.is_open(surface).unwrap_or(false) => continue,
                Attention::Leaving(multiplicity) => *multiplicity,
            };
            let root = self.search.first_root(surface, &self.path, multiplicity);
            if let Some(at) = self.search.touched {
                self.touched.push((surface, start + at * h));
            }
            let FirstRoot::Crossing { at, bracket } = root else { continue };
            let found = Found { surface, at, bracket };
            if first.is_none_or(|first| at < first.at) && self.is_live(found, h) {
                first = Some(found);
            }
        }
        first
    }

    /// Contacts that do not exist everywhere may be passed.
    fn is_live(&mut self, found: Found, h: f64) -> bool {
        if self.dynamics.surfaces[found.surface].active.is_none() {
            return true;
        }
        let n = self.dynamics.dimension();
        let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
        self.path.at(found.at, &mut q, &mut v);
        v.iter_mut().for_each(|rate| *rate /= h);
        let time = self.modes[self.current].stepper.state_before().t + found.at * h;
        self.geometry.at(&q, &v, time);
        self.geometry.is_active(found.surface)
    }

    /// True if a contact that was released is open at the end of the step, or opens there: it opens with the
    /// third power of time, as slowly as the path is wrong, and its beginning says nothing.
    fn is_open(&mut self, surface: usize) -> Result<bool, StepError> {
        let stepper = &mut self.modes[self.current].stepper;
        let v = stepper.velocity()?.to_vec();
        let (gap, rate) = self.geometry.closing(surface, &stepper.state().q, &v);
        Ok(gap >= 0.0 || rate > 0.0)
    }

    /// True if a contact that does not exist everywhere was passed, and comes back from behind.
    fn is_behind(&mut self, surface: usize) -> bool {
        if self.dynamics.surfaces[surface].active.is_none() {
            return false;
        }
        let mut gaps = vec![0.0; self.geometry.len()];
        self.geometry.gaps(&self.modes[self.current].stepper.state_before().q, &mut gaps);
        gaps[surface] <= 0.0
    }

    /// A box around the step: the two ends, and as much again as the displacement has changed since the
    /// last step, which is eight times what a smooth path bends away from its chord. False if that is
    /// not known.
    fn set_box(&mut self) -> bool {
        let stepper = &self.modes[self.current].stepper;
        if !stepper.is_whole() || !self.basis.is_empty() || stepper.nodes().is_none() {
            return false;
        }
        let Some(earlier) = stepper.earlier_displacement() else { return false };
        let ends = stepper.state_before().q.iter().zip(&stepper.state().q);
        for ((range, (before, after)), earlier) in self.box_.iter_mut().zip(ends).zip(earlier) {
            let margin = (after - before - earlier).abs();
            *range = Interval { lo: before.min(*after) - margin, hi: before.max(*after) + margin };
        }
        true
    }

    /// The path of the step that was just taken: the rule's own polynomial, or the cubic.
    pub(crate) fn draw(&mut self, h: f64) -> Result<(), StepError> {
        let stepper = &mut self.modes[self.current].stepper;
        if self.basis.is_empty() || !stepper.is_whole() {
            return self.draw_cubic(h);
        }
        let count = self.basis.len() * stepper.state().q.len();
        self.path.displaced(&stepper.state_before().q, stepper.solution(count), &self.basis);
        Ok(())
    }

    /// The cubic through positions and velocities at both ends of the last step.
    pub(crate) fn draw_cubic(&mut self, h: f64) -> Result<(), StepError> {
        let stepper = &mut self.modes[self.current].stepper;
        let v0 = stepper.velocity_before()?;
        let v1 = stepper.velocity()?.to_vec();
        self.path.hermite([&stepper.state_before().q, &stepper.state().q], [&v0, &v1], h);
        Ok(())
    }
}
