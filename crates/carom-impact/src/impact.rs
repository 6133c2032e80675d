//! One impact: who takes part, what changes, what is recorded.

use crate::error::ImpactError;
use crate::laws::Outcome;
use crate::life::Life;
use crate::options::JumpKind;
use crate::resolver::{Before, Resolved};
use crate::smooth::{Attention, Departure, Log, Smooth, Start};
use carom_linalg::max_abs;
use carom_model::{Balance, Closed, ContactImpulse, ContactMode, Impact, ModeChange};

/// Gaps below this part of the size of the configuration (at least 1) are zero: their contacts belong to
/// the event set.
pub(crate) const TOUCHING: f64 = 1e-10;
/// Rates below this part of the velocity are zero.
const RESTING: f64 = 1e-12;
/// A rebound that rises less than this part of the size of the configuration is no flight any more.
const LOWEST_FLIGHT: f64 = 1e-13;
/// A correction of the energy may change the closing speed by this part of its square, no more.
const MAX_CORRECTION: f64 = 0.25;
/// So many impacts in a row, each right after the other, are a storm.
const STORM: usize = 1000;
/// So many contacts that open at one instant cannot be told from impacts.
const MAX_PASSES: usize = 100;
/// Time moves on if it does so by this part of itself.
pub(crate) const PROGRESS: f64 = 1e-9;

impl Life {
    /// The contact of `surface` has been reached.
    pub(crate) fn strike<S: Smooth>(
        &mut self,
        smooth: &mut S,
        surface: usize,
        bracket: (f64, f64),
        iterations: usize,
        log: &mut dyn Log,
    ) -> Result<(), S::Error> {
        let t = smooth.time();
        let (mut q, mut v) = std::mem::take(&mut self.state);
        smooth.state(&mut q, &mut v)?;
        self.state = (q.clone(), v.clone());
        self.geometry.at(&q, &v, t);
        let rate = self.geometry.rate(surface, &v);
        if rate >= 0.0 {
            return self.pass(smooth, surface, Start { t, q, v, departure: None }, log);
        }
        self.count(t, surface, &v)?;
        let set = self.event_set(surface, &q, &v);
        let correction = self.correct(t, &q, &mut v, surface, &set)?;
        let before = Before { t, q: &q, v: &v };
        let resolved = self.resolver.resolve(before, &set, &self.geometry, &mut self.legendre)?;
        let law_change = self.legendre.energy(&resolved.q_plus, &resolved.v_plus, t) - self.legendre.energy(&q, &v, t);
        if let Some(ledger) = &mut self.ledger {
            *ledger += law_change;
        }
        let v_minus = std::mem::take(&mut self.state.1);
        let impact = self.record((t, &q, &v_minus), &set, &resolved, (correction, law_change), bracket, iterations);
        self.state.1 = v_minus;
        let departure = self.departure(&set, &resolved, law_change);
        self.pending = Some(impact);
        self.after_impact(&set, &resolved, (t, &v))?;
        let Resolved { q_plus, v_plus, .. } = resolved;
        self.settle(smooth, Start { t, q: q_plus, v: v_plus, departure }, log)
    }

    /// The gap is zero to rounding, and opens: no impact.
    fn pass<S: Smooth>(
        &mut self,
        smooth: &mut S,
        surface: usize,
        start: Start,
        log: &mut dyn Log,
    ) -> Result<(), S::Error> {
        let is_new = start.t - self.passes.1 > PROGRESS * start.t.abs().max(1e-3);
        self.passes = if is_new { (1, start.t) } else { (self.passes.0 + 1, self.passes.1) };
        if self.passes.0 > MAX_PASSES {
            let contact = self.resolver.names[self.resolver.contact_of[surface]].clone();
            return Err(ImpactError::Undecided { time: start.t, contact }.into());
        }
        self.watch.surfaces[surface] = Attention::Leaving(2);
        self.settle(smooth, start, log)
    }

    /// Refuses storms and runs that are too long.
    fn count(&mut self, time: f64, surface: usize, v: &[f64]) -> Result<(), ImpactError> {
        self.impacts += 1;
        let (count, last) = self.storm;
        let has_moved = time - last > PROGRESS * time.abs().max(1e-3);
        self.storm = (if has_moved { 1 } else { count + 1 }, time);
        let contact = self.resolver.names[self.resolver.contact_of[surface]].clone();
        if self.storm.0 > STORM {
            let rate = self.geometry.rate(surface, v);
            return Err(ImpactError::Storm { time, contact, count: STORM, rate });
        }
        let limit = self.options.max_impacts;
        if self.impacts > limit { Err(ImpactError::TooManyImpacts { time, contact, limit }) } else { Ok(()) }
    }

    /// The surface that was reached, all others that touch, and all closed contacts but those that the
    /// law lets go.
    fn event_set(&mut self, reached: usize, q: &[f64], v: &[f64]) -> Vec<usize> {
        let scale = max_abs(q).max(1.0);
        let released = self.resolver.laws[self.resolver.contact_of[reached]].releases.clone();
        let takes_part = |surface: &usize| {
            let is_closed = self.modes[*surface].0 != ContactMode::Free;
            let touches = self.geometry.gap(*surface).abs() <= TOUCHING * scale && self.geometry.is_active(*surface);
            let stays = !released.contains(&self.resolver.contact_of[*surface]);
            let leaves = self.geometry.rate(*surface, v) > self.rest_rate(*surface, v);
            *surface == reached || stays && (is_closed || touches && !leaves)
        };
        (0..self.geometry.len()).filter(takes_part).collect()
    }

    /// Gap rates below this are zero.
    pub(crate) fn rest_rate(&self, surface: usize, v: &[f64]) -> f64 {
        let gradient = self.geometry.gradient(surface);
        let each = gradient.iter().zip(v).map(|(slope, rate)| (slope * rate).abs());
        RESTING * each.fold(0.0, f64::max)
    }

    /// Brings the energy before the impact to what it should be, along the normal: `u^2 += 2 W (E0 - E)`.
    /// Returns the normal impulse that this takes.
    fn correct(&mut self, t: f64, q: &[f64], v: &mut [f64], surface: usize, set: &[usize]) -> Result<f64, ImpactError> {
        let Some(wanted) = self.ledger.filter(|_| self.options.jump == JumpKind::Modified && set.len() == 1) else {
            return Ok(0.0);
        };
        let missing = wanted - self.legendre.energy(q, v, t);
        let constraints = self.legendre.constraints(q).1.to_vec();
        let mass = self.legendre.mass(q, v, t);
        let normal = self.geometry.gradient(surface).to_vec();
        let Ok(space) = crate::space::ContactSpace::new(q.len(), mass, &constraints, normal) else { return Ok(0.0) };
        let (u, w) = (self.geometry.rate(surface, v), space.w[0]);
        let change = 2.0 * w * missing;
        // A grazing impact has no speed to spare.
        if !(change.abs() <= MAX_CORRECTION * u * u && w > 0.0) {
            return Ok(0.0);
        }
        // Exact for small changes: u' - u = change / (u' + u).
        let correction = change / (w * (u - (u * u + change).sqrt()));
        space.apply(&[correction], v);
        Ok(correction)
    }

    /// The direction in which the integrator may change the momentum to balance its own energies.
    fn departure(&self, set: &[usize], resolved: &Resolved, law_change: f64) -> Option<Departure> {
        let rebounds = set.iter().all(|&surface| {
            let law = &self.resolver.laws[self.resolver.contact_of[surface]].law;
            !law.is_plastic() && law.outcome() != Outcome::Reset
        });
        if self.options.jump != JumpKind::Variational {
            return None;
        }
        if !rebounds {
            return Some(Departure { direction: Vec::new(), loss: None });
        }
        let mut direction = vec![0.0; resolved.v_plus.len()];
        for impulse in &resolved.impulses {
            let gradient = self.geometry.gradient(impulse.surface);
            direction.iter_mut().zip(gradient).for_each(|(sum, slope)| *sum += impulse.values[0] * slope);
        }
        Some(Departure { direction, loss: Some(-law_change) })
    }

    fn record(
        &mut self,
        (t, q, v_minus): (f64, &[f64], &[f64]),
        set: &[usize],
        resolved: &Resolved,
        (correction, law_change): (f64, f64),
        bracket: (f64, f64),
        iterations: usize,
    ) -> Impact {
        let momentum = |legendre: &mut carom_model::Legendre, q: &[f64], v: &[f64]| {
            let mut p = vec![0.0; q.len()];
            legendre.momentum(q, v, t, &mut p);
            p
        };
        let legendre = &mut self.legendre;
        let energy_minus = legendre.energy(q, v_minus, t);
        let energy_plus = legendre.energy(&resolved.q_plus, &resolved.v_plus, t);
        let impulses = resolved.impulses.iter().map(|impulse| ContactImpulse {
            contact: self.resolver.contact_of[impulse.surface],
            surface: impulse.surface,
            normal: impulse.values[0] + if impulse.surface == set[0] { correction } else { 0.0 },
            tangential: impulse.values[1..].to_vec(),
        });
        let mut names: Vec<&str> =
            set.iter().map(|&surface| self.resolver.laws[self.resolver.contact_of[surface]].law.name()).collect();
        names.dedup();
        Impact {
            t,
            bracket,
            impulses: impulses.collect(),
            law: names.join("+"),
            q: q.to_vec(),
            q_plus: resolved.q_plus.clone(),
            p_minus: momentum(legendre, q, v_minus),
            p_plus: momentum(legendre, &resolved.q_plus, &resolved.v_plus),
            v_minus: v_minus.to_vec(),
            v_plus: resolved.v_plus.clone(),
            energy_minus,
            energy_change: energy_plus - energy_minus,
            balance: Balance {
                kind: self.options.jump.name(),
                energies: (energy_plus - law_change, energy_plus),
                loss: -law_change,
                push: resolved.push.clone(),
                correction,
            },
            iterations: iterations + resolved.rounds,
        }
    }

    /// Modes after an impact: what leaves is free, what stays is closed, what hardly leaves is at the end
    /// of a sequence of impacts.
    fn after_impact(
        &mut self,
        set: &[usize],
        resolved: &Resolved,
        (t, v_minus): (f64, &[f64]),
    ) -> Result<(), ImpactError> {
        let before: Vec<f64> = set.iter().map(|&surface| self.geometry.rate(surface, v_minus)).collect();
        let closed = |surface: &usize| self.modes[*surface].0 != ContactMode::Free && !set.contains(surface);
        let released: Vec<usize> = (0..self.geometry.len()).filter(closed).collect();
        released.iter().for_each(|&surface| self.modes[surface] = (ContactMode::Free, 0.0));
        self.geometry.at(&resolved.q_plus, &resolved.v_plus, t);
        let scale = max_abs(&resolved.q_plus).max(1.0);
        // A contact that was closed leaves because another one strikes.
        let hardest = before.iter().copied().fold(0.0, f64::min);
        let mut last = 0.0_f64;
        self.refuse_endless_resets(set, hardest, resolved, t)?;
        let mut leaving = Vec::new();
        for &surface in set {
            let outcome = self.resolver.laws[self.resolver.contact_of[surface]].law.outcome();
            let rate = self.geometry.rate(surface, &resolved.v_plus);
            let still = self.rest_rate(surface, &resolved.v_plus).max(RESTING * hardest.abs());
            self.reasons[surface] = Some((t, "impact"));
            if outcome == Outcome::Reset {
                let leaves = self.geometry.gap(surface).abs() <= TOUCHING * scale;
                self.watch.surfaces[surface] = if leaves { Attention::Leaving(1) } else { Attention::Guarded };
            } else if rate <= still {
                self.close(surface, &resolved.v_plus);
            } else {
                self.modes[surface] = (ContactMode::Free, 0.0);
                self.watch.surfaces[surface] = Attention::Leaving(1);
                leaving.push((surface, rate));
            }
        }
        // Which flights are any depends on who stays closed.
        for (surface, rate) in leaving {
            if let Some(rest_time) = self.rests(surface, (hardest, rate), resolved, t) {
                self.close(surface, &resolved.v_plus);
                last = last.max(rest_time);
            }
        }
        last = last.max(self.release_others(&released, hardest, resolved, t)?);
        // The last of infinitely many impacts closes all contacts that take part.
        if last > 0.0 {
            for &surface in set.iter().chain(&released).filter(|&&s| self.modes[s].0 != ContactMode::Free) {
                self.reasons[surface] = Some((t + last, "accumulation"));
            }
        }
        Ok(())
    }

    /// A state that is replaced cannot be held: where flights have become too low, nothing is left.
    fn refuse_endless_resets(
        &mut self,
        set: &[usize],
        hardest: f64,
        resolved: &Resolved,
        time: f64,
    ) -> Result<(), ImpactError> {
        let outcome = |surface: usize| self.resolver.laws[self.resolver.contact_of[surface]].law.outcome();
        if outcome(set[0]) != Outcome::Reset {
            return Ok(());
        }
        let scale = max_abs(&resolved.q_plus).max(1.0);
        for surface in 0..self.geometry.len() {
            let rate = self.geometry.rate(surface, &resolved.v_plus);
            if self.geometry.gap(surface).abs() > TOUCHING * scale || rate <= 0.0 {
                continue;
            }
            if let Some(rest_time) = self.rests(surface, (hardest, rate), resolved, time) {
                let contact = self.resolver.names[self.resolver.contact_of[surface]].clone();
                return Err(ImpactError::Accumulation { time, contact, end: time + rest_time });
            }
        }
        Ok(())
    }

    /// The time until the bodies rest, if their flights have become too low to be told from rest: impacts
    /// follow each other in intervals that shrink by the factor `r`, and the rest of them takes
    /// `2 u / (|phi''| (1 - r))`.
    fn rests(&mut self, surface: usize, (before, rate): (f64, f64), resolved: &Resolved, t: f64) -> Option<f64> {
        let others: Vec<Closed> =
            self.closed_contacts().iter().map(|contact| contact.closed).filter(|c| c.surface != surface).collect();
        let acceleration = self.acceleration((t, &resolved.q_plus, &resolved.v_plus), &others)?;
        let pull = self.geometry.rate(surface, &acceleration) + self.geometry.curvature(surface);
        let height = rate * rate / (2.0 * -pull);
        if pull >= 0.0 || height > LOWEST_FLIGHT * max_abs(&resolved.q_plus).max(1.0) {
            return None;
        }
        let factor = (rate / before.abs()).min(1.0);
        let flight = 2.0 * rate / -pull;
        Some(if factor < 1.0 { flight / (1.0 - factor) } else { 0.0 })
    }

    /// Contacts that a transition lets go must not press. Where they would fall back at once, feet change
    /// for the last time, and both stay; the time until then.
    fn release_others(
        &mut self,
        released: &[usize],
        before: f64,
        resolved: &Resolved,
        t: f64,
    ) -> Result<f64, ImpactError> {
        let mut last = 0.0_f64;
        for &surface in released {
            let v = &resolved.v_plus;
            let (rate, rest) = (self.geometry.rate(surface, v), self.rest_rate(surface, v));
            if rate < -(1e3 * rest).max(RESTING * before.abs()) {
                let contact = self.resolver.names[self.resolver.contact_of[surface]].clone();
                return Err(ImpactError::PressedAtRelease { time: t, contact, rate });
            }
            self.modes[surface] = (ContactMode::Free, 0.0);
            if let Some(rest_time) = self.rests(surface, (before, rate), resolved, t).filter(|time| *time > 0.0) {
                self.close(surface, v);
                last = last.max(rest_time);
            } else {
                self.watch.surfaces[surface] = Attention::Leaving(if rate > rest { 1 } else { 2 });
                self.reasons[surface] = Some((t, "transition"));
            }
        }
        Ok(last)
    }

    /// Reports the mode that a surface has now.
    pub(crate) fn tell(&self, t: f64, surface: usize, from: ContactMode, reason: &'static str, log: &mut dyn Log) {
        let (contact, to) = (self.resolver.contact_of[surface], self.modes[surface].0);
        log.mode(ModeChange { t, contact, from, to, reason });
    }
}
