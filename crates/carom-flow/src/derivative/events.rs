//! One event of a motion: its guard, its jump, and the fields on both sides; or why it has no derivative.

use super::HybridTangent;
use super::error::DerivativeError;
use super::guards::Guard;
use super::motion::Motion;
use super::saltation::JumpSlopes;
use super::trace::Piece;
use crate::tangent::Rates;
use carom_impact::{Arrival, ClosedContact, GuardTangent, NotDifferentiable};
use carom_linalg::max_abs;
use carom_model::{Closed, FindingKind, Impact};

/// Guards that move slower than this part of their terms graze: half of the digits of the derivative are gone.
const GRAZING: f64 = 1e-8;
/// Impacts that follow each other within this part of the time are one.
const AT_ONCE: f64 = 1e-12;
/// Pieces shorter than this part of the time are the rounding of an impact that was just left.
const ROUNDING: f64 = 1e-9;

/// What the derivative needs to know about an event.
pub(super) struct Event {
    pub(super) contact: usize,
    pub(super) kind: &'static str,
    pub(super) guard: Guard,
    pub(super) jump: JumpSlopes,
    /// The vector fields before and after.
    pub(super) before: Vec<f64>,
    pub(super) after: Vec<f64>,
}

impl HybridTangent {
    /// What makes the whole motion not differentiable.
    pub(super) fn refuse(&self, motion: &Motion) -> Result<(), DerivativeError> {
        let contact = |index: usize| self.names[index].clone();
        if let Some(impact) = motion.impacts.first().filter(|_| motion.strikes_at_once) {
            let first = impact.impulses.first().map_or(0, |impulse| impulse.contact);
            return Err(DerivativeError::AtStart { time: impact.t, contact: contact(first) });
        }
        if let Some(change) = motion.modes.iter().find(|change| change.reason == "accumulation") {
            let (time, contact) = (change.t, contact(change.contact));
            return Err(NotDifferentiable::Accumulation { time, contact }.into());
        }
        match motion.findings.iter().find(|finding| finding.kind == FindingKind::Grazing) {
            Some(finding) => {
                let (time, contact) = (finding.t, contact(finding.contact));
                Err(NotDifferentiable::Grazing { time, contact, rate: 0.0 }.into())
            }
            None => Ok(()),
        }
    }

    /// The event between two pieces; none if nothing happened but rounding.
    pub(super) fn event(
        &mut self,
        (piece, next): (&Piece, &Piece),
        impact: Option<&Impact>,
        kept: &[f64],
    ) -> Result<Option<Event>, DerivativeError> {
        let (t, q, v) = piece.end.parts();
        let (from, to) = (self.mode(&piece.closed)?, self.mode(&next.closed)?);
        let before = self.modes[from].1.rates(piece.end.parts(), kept)?;
        let after = self.modes[to].1.rates(next.start.parts(), kept)?.field;
        let (surface, kind, guard) = match (piece.arrival, &piece.loose) {
            (Arrival::Contact { surface, .. }, _) => {
                (surface, "impact", Guard::new(self.guards.gap(surface, (q, v, kept)), &before.field))
            }
            (Arrival::Halt(_), Some(contact)) => {
                let surface = contact.closed.surface;
                (surface, "halt", Guard::new(self.guards.slip(surface, (q, v, kept)), &before.field))
            }
            (Arrival::Release(_), Some(contact)) => {
                (contact.closed.surface, "release", force(&before, &[(contact.normal, -1.0)]))
            }
            (Arrival::Slip(_), Some(contact)) => {
                (contact.closed.surface, "slip", force(&before, &edge(contact, &before)))
            }
            _ => return Ok(None),
        };
        let contact = self.dynamics.surfaces[surface].contact;
        let is_short = piece.end.t - piece.start.t <= ROUNDING * t.abs().max(1e-3);
        if kind == "impact" && impact.is_none() && is_short {
            return Ok(None);
        }
        let scale = guard.scale(&before.field).max(f64::MIN_POSITIVE);
        let rate = guard.rate.abs() / scale;
        let threshold = if matches!(kind, "impact" | "halt") { GRAZING } else { f64::EPSILON };
        if kind == "impact" && impact.is_none() || rate.is_nan() || rate <= threshold {
            let contact = self.names[contact].clone();
            return Err(NotDifferentiable::Grazing { time: t, contact, rate: guard.rate }.into());
        }
        if kind == "impact" && self.grazes(piece, surface, kept) {
            let contact = self.names[contact].clone();
            return Err(NotDifferentiable::Grazing { time: t, contact, rate: guard.rate }.into());
        }
        let jump = match impact {
            None => JumpSlopes::identity(before.field.len(), kept.len()),
            Some(impact) => {
                let staying = self.staying(piece, impact)?;
                let jump = self.jumps.at(impact, &staying, kept)?;
                JumpSlopes { state: jump.state, time: jump.time, kept: jump.parameters }
            }
        };
        Ok(Some(Event { contact, kind, guard, jump, before: before.field, after }))
    }

    /// True if the motion would reach no deeper than rounding at the end of a piece.
    fn grazes(&mut self, piece: &Piece, surface: usize, kept: &[f64]) -> bool {
        let index = match self.grazing.iter().position(|(closed, _)| *closed == piece.closed) {
            Some(index) => index,
            None => {
                let dynamics = self.dynamics.with_closed(&piece.closed);
                let guards = GuardTangent::new(dynamics, &self.kept, self.options.backend);
                self.grazing.push((piece.closed.clone(), guards));
                self.grazing.len() - 1
            }
        };
        let state = [&piece.end.q[..], &piece.end.v, &[piece.end.t], kept].concat();
        // What cannot be decided is refused.
        self.grazing[index].1.grazes(surface, &state).map_or(true, |rate| rate.is_some())
    }

    /// Closed contacts that take part in an impact; several that strike are refused.
    fn staying(&self, piece: &Piece, impact: &Impact) -> Result<Vec<Closed>, DerivativeError> {
        let is_closed = |surface: usize| piece.closed.iter().any(|closed| closed.surface == surface);
        let striking = impact.impulses.iter().filter(|impulse| !is_closed(impulse.surface));
        let mut names: Vec<String> = striking.map(|impulse| format!("`{}`", self.names[impulse.contact])).collect();
        // An impact right after another one is the same event.
        let duration = piece.end.t - piece.start.t;
        let is_again = duration <= AT_ONCE * impact.t.abs().max(1e-3);
        if names.len() > 1 || is_again {
            names.dedup();
            let (time, contacts) = (impact.t, names.join(" and "));
            return Err(NotDifferentiable::Simultaneous { time, contacts }.into());
        }
        let takes_part = |closed: &&Closed| impact.impulses.iter().any(|impulse| impulse.surface == closed.surface);
        Ok(piece.closed.iter().filter(takes_part).copied().collect())
    }
}

/// The combination of multipliers that vanishes at the edge of the cone, `mu N - |T|`.
fn edge(contact: &ClosedContact, before: &Rates) -> Vec<(usize, f64)> {
    let mu = contact.friction.unwrap_or(0.0);
    let tangential = contact.tangential.iter().map(|&place| (place, -before.multipliers[place].signum()));
    std::iter::once((contact.normal, -mu)).chain(tangential).collect()
}

/// A guard that is a combination of multipliers.
fn force(before: &Rates, terms: &[(usize, f64)]) -> Guard {
    let (size, m) = (before.field.len(), before.multipliers.len().max(1));
    let columns = before.multiplier_slopes.len() / m;
    let combine =
        |values: &dyn Fn(usize) -> f64| terms.iter().map(|&(place, factor)| factor * values(place)).sum::<f64>();
    let slopes: Vec<f64> =
        (0..columns).map(|j| combine(&|place| before.multiplier_slopes[place * columns + j])).collect();
    let mut guard = Guard::new(slopes, &before.field);
    // The rate along the motion, explicit time included.
    guard.rate = combine(&|place| before.multiplier_rates[place]);
    debug_assert!(guard.state.len() == size && !max_abs(&guard.state).is_nan());
    guard
}
