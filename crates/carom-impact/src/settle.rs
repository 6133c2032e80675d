//! Which closed contacts stay closed, and how.
//!
//! A closed contact pushes: its normal force `N = -lambda_N` is not negative. Where it would pull, the
//! contact is released. A contact that sticks needs a tangential force `T` in the cone, `|T| <= mu N`;
//! where it leaves the cone, the bodies slip against `T`. Contacts are changed one at a time, the worst
//! first, until all are content.

use crate::error::ImpactError;
use crate::impact::PROGRESS;
use crate::life::Life;
use crate::redundant::Redundant;
use crate::smooth::{Attention, ClosedContact, Log, Smooth, Start};
use carom_expr::Backend;
use carom_linalg::{max_abs, multiply};
use carom_model::{Acceleration, Closed, ContactMode, Hold};
use std::sync::PoisonError;

/// Forces below this part of all forces are zero.
const NO_FORCE: f64 = 1e-10;
/// Changes of mode at one instant.
const MAX_CHANGES: usize = 100;
/// So many changes in a row, each right after the other, have no end: a body that slips where it cannot stick, and halts
/// where it cannot slip.
const ENDLESS: usize = 1000;

/// What a closed contact does not bear.
enum Violation {
    Pulls(usize),
    Slips(usize, f64),
}

impl Life {
    /// Closes a contact: the bodies stick if they do not slip, and if there is something to hold them.
    pub(crate) fn close(&mut self, surface: usize, v: &[f64]) {
        let law = &self.resolver.laws[self.resolver.contact_of[surface]];
        let tangents = self.geometry.tangent_count(surface);
        let slip: Vec<f64> = (0..tangents).map(|k| carom_linalg::dot(self.geometry.tangent(surface, k), v)).collect();
        let still = 1e-12 * max_abs(v).max(f64::MIN_POSITIVE);
        self.modes[surface] = match law.friction {
            _ if tangents == 0 => (ContactMode::Sliding, 0.0),
            None if law.law.is_plastic() => (ContactMode::Sticking, 0.0),
            None => (ContactMode::Sliding, 0.0),
            Some(_) if max_abs(&slip) <= still => (ContactMode::Sticking, 0.0),
            Some(_) => (ContactMode::Sliding, slip[0].signum()),
        };
        self.watch.surfaces[surface] = Attention::Closed;
    }

    /// The closed contacts with the places of their multipliers: gaps first, tangents after all gaps.
    pub(crate) fn closed_contacts(&self) -> Vec<ClosedContact> {
        let own = self.dynamics.constraints.len();
        let mut all = Vec::new();
        for (surface, &(mode, direction)) in self.modes.iter().enumerate() {
            let law = &self.resolver.laws[self.resolver.contact_of[surface]];
            let is_loose = self.redundant[surface] == Redundant::Tangents;
            let hold = match mode {
                _ if self.redundant[surface] == Redundant::All => continue,
                ContactMode::Free => continue,
                ContactMode::Sticking if is_loose => Hold::Slide { friction: 0.0, direction: 0.0 },
                ContactMode::Sticking => Hold::Stick,
                ContactMode::Sliding => Hold::Slide { friction: law.friction.unwrap_or(0.0), direction },
            };
            let closed = Closed { surface, hold };
            let normal = own + all.len();
            all.push(ClosedContact { closed, normal, tangential: Vec::new(), friction: law.friction });
        }
        let mut next = own + all.len();
        for contact in &mut all {
            if contact.closed.hold == Hold::Stick {
                let count = self.geometry.tangent_count(contact.closed.surface);
                contact.tangential = (next..next + count).collect();
                next += count;
            }
        }
        all
    }

    /// Enters a state with contacts that are content.
    pub(crate) fn settle<S: Smooth>(
        &mut self,
        smooth: &mut S,
        mut start: Start,
        log: &mut dyn Log,
    ) -> Result<(), S::Error> {
        let mut last = 0;
        for _ in 0..MAX_CHANGES {
            self.find_redundant(&start.q);
            let closed = self.closed_contacts();
            self.refuse_plane_friction(&closed, &start)?;
            if !closed.is_empty() {
                start.departure = start.departure.filter(|departure| departure.loss.is_none());
            }
            let list: Vec<Closed> = closed.iter().map(|contact| contact.closed).collect();
            smooth.enter(&start, &list)?;
            self.keep_ledger(&list, &start);
            if closed.is_empty() {
                self.watch.closed.clear();
                self.tell_changes(start.t, log);
                return Ok(());
            }
            // Forces may vanish for a while; what counts as zero does not.
            let scale = self.force_scale(&start) + max_abs(&smooth.multipliers()?);
            self.force_scale = self.force_scale.max(scale);
            match self.violation(&closed, &smooth.multipliers()?) {
                None => {
                    (self.watch.closed, self.watch.force) = (closed, NO_FORCE * self.force_scale + f64::MIN_POSITIVE);
                    self.tell_changes(start.t, log);
                    return Ok(());
                }
                Some(Violation::Pulls(index)) => {
                    last = closed[index].closed.surface;
                    self.refuse_painleve(closed[index].closed, &start)?;
                    self.open(last);
                }
                Some(Violation::Slips(index, direction)) => {
                    last = closed[index].closed.surface;
                    self.modes[last] = (ContactMode::Sliding, direction);
                }
            }
        }
        let contact = self.resolver.names[self.resolver.contact_of[last]].clone();
        Err(ImpactError::Undecided { time: start.t, contact }.into())
    }

    /// The bodies leave each other without an impact.
    fn open(&mut self, surface: usize) {
        self.modes[surface] = (ContactMode::Free, 0.0);
        self.watch.surfaces[surface] = Attention::Leaving(2);
    }

    /// The worst that a contact does not bear.
    fn violation(&self, closed: &[ClosedContact], multipliers: &[f64]) -> Option<Violation> {
        let tolerance = NO_FORCE * self.force_scale;
        let push = |contact: &ClosedContact| -multipliers[contact.normal];
        let weakest = (0..closed.len()).min_by(|&a, &b| push(&closed[a]).total_cmp(&push(&closed[b])))?;
        if push(&closed[weakest]) < -tolerance {
            return Some(Violation::Pulls(weakest));
        }
        closed.iter().enumerate().find_map(|(index, contact)| {
            let friction = contact.friction?;
            let forces: Vec<f64> = contact.tangential.iter().map(|&place| -multipliers[place]).collect();
            let size = carom_linalg::dot(&forces, &forces).sqrt();
            let slips = size > friction * push(contact).max(0.0) + tolerance;
            slips.then(|| Violation::Slips(index, -forces[0].signum()))
        })
    }

    /// A closed contact no longer presses.
    pub(crate) fn release<S: Smooth>(
        &mut self,
        smooth: &mut S,
        index: usize,
        log: &mut dyn Log,
    ) -> Result<(), S::Error> {
        let closed = self.closed_contacts()[index].closed;
        let start = self.here(smooth)?;
        self.count_change(start.t, closed.surface)?;
        self.open(closed.surface);
        self.settle(smooth, start, log)
    }

    /// A sticking contact reaches the edge of its cone: the bodies slip against the force that held them.
    pub(crate) fn slip<S: Smooth>(&mut self, smooth: &mut S, index: usize, log: &mut dyn Log) -> Result<(), S::Error> {
        let contact = self.closed_contacts().swap_remove(index);
        let force = -smooth.multipliers()?[contact.tangential[0]];
        let start = self.here(smooth)?;
        self.count_change(start.t, contact.closed.surface)?;
        self.modes[contact.closed.surface] = (ContactMode::Sliding, -force.signum());
        self.settle(smooth, start, log)
    }

    /// A sliding contact has come to a halt: it sticks, or slips again where the cone does not hold it.
    pub(crate) fn halt<S: Smooth>(&mut self, smooth: &mut S, index: usize, log: &mut dyn Log) -> Result<(), S::Error> {
        let surface = self.closed_contacts()[index].closed.surface;
        let start = self.here(smooth)?;
        self.count_change(start.t, surface)?;
        self.modes[surface] = (ContactMode::Sticking, 0.0);
        self.settle(smooth, start, log)
    }

    /// Refuses changes that do not come to an end.
    fn count_change(&mut self, time: f64, surface: usize) -> Result<(), ImpactError> {
        let (count, last) = self.changes;
        let has_moved = time - last > PROGRESS * time.abs().max(1e-3);
        self.changes = (if has_moved { 1 } else { count + 1 }, time);
        if self.changes.0 <= ENDLESS {
            return Ok(());
        }
        let contact = self.resolver.names[self.resolver.contact_of[surface]].clone();
        Err(ImpactError::Undecided { time, contact })
    }

    fn here<S: Smooth>(&mut self, smooth: &mut S) -> Result<Start, S::Error> {
        let (mut q, mut v) = self.state.clone();
        smooth.state(&mut q, &mut v)?;
        self.geometry.at(&q, &v, smooth.time());
        Ok(Start { t: smooth.time(), q, v, departure: None })
    }

    /// Without friction of sliding contacts the energy of the motion is known.
    fn keep_ledger(&mut self, closed: &[Closed], start: &Start) {
        let rubs = |contact: &Closed| matches!(contact.hold, Hold::Slide { friction, .. } if friction > 0.0);
        if closed.iter().any(rubs) {
            self.ledger = None;
        } else if self.ledger.is_none() && self.is_conservative {
            self.ledger = Some(self.legendre.energy(&start.q, &start.v, start.t));
        }
    }

    /// Reports surfaces whose mode is another one than before.
    fn tell_changes(&mut self, now: f64, log: &mut dyn Log) {
        for surface in 0..self.modes.len() {
            let (was, is) = (self.told[surface], self.modes[surface].0);
            if was != is {
                let (t, reason) = self.reasons[surface].take().unwrap_or((now, reason(was, is)));
                self.tell(t, surface, was, reason, log);
                self.told[surface] = is;
            }
            self.reasons[surface] = None;
        }
    }

    /// The size of the forces at a state.
    fn force_scale(&mut self, start: &Start) -> f64 {
        let n = start.q.len();
        let Some(acceleration) = self.acceleration((start.t, &start.q, &start.v), &[]) else { return 0.0 };
        let mut force = vec![0.0; n];
        multiply(self.legendre.mass(&start.q, &start.v, start.t), &acceleration, &mut force);
        max_abs(&force)
    }

    /// The acceleration with some contacts closed.
    pub(crate) fn acceleration(&mut self, start: (f64, &[f64], &[f64]), closed: &[Closed]) -> Option<Vec<f64>> {
        let known = self.accelerations.iter().position(|(list, _)| list == closed);
        let index = match known {
            Some(index) => index,
            None => {
                let new = self.derived_acceleration(closed)?;
                self.accelerations.push((closed.to_vec(), new));
                self.accelerations.len() - 1
            }
        };
        let (t, q, v) = start;
        let all = self.accelerations[index].1.at(q, v, t)?;
        Some(all[..q.len()].to_vec())
    }

    /// The acceleration with some contacts closed, derived if no copy has done so.
    fn derived_acceleration(&self, closed: &[Closed]) -> Option<Acceleration> {
        let mut derived = self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = derived.iter().find(|(list, _)| list == closed) {
            return Some(known.clone());
        }
        let new = Acceleration::new(&self.dynamics.with_closed(closed), Backend::Interpreter).ok()?;
        derived.push((closed.to_vec(), new.clone()));
        Some(new)
    }
}

fn reason(was: ContactMode, is: ContactMode) -> &'static str {
    match (was, is) {
        (_, ContactMode::Free) => "release",
        (ContactMode::Sticking, ContactMode::Sliding) => "slip",
        (ContactMode::Sliding, ContactMode::Sticking) => "halt",
        _ => "touch",
    }
}
