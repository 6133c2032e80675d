//! A motion with events, followed and written down piece by piece.
//!
//! [`Traced`] stands between the life of contacts and the integrator: it notes where pieces of smooth motion begin and
//! end, and what ended them. At one instant a mode may be entered several times until all contacts are content; the
//! last one counts.

use crate::error::FlowError;
use crate::hybrid::HybridTaylor;
use carom_impact::{Arrival, ClosedContact, Smooth, Start, Watch};
use carom_model::Closed;

/// Time, position and velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct Instant {
    /// Time.
    pub t: f64,
    /// Position.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
}

impl Instant {
    pub(crate) fn parts(&self) -> (f64, &[f64], &[f64]) {
        (self.t, &self.q, &self.v)
    }
}

/// A piece of smooth motion in one mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The closed contacts.
    pub closed: Vec<Closed>,
    /// Its beginning.
    pub start: Instant,
    /// Its end, before a jump.
    pub end: Instant,
    /// What ended it.
    pub(crate) arrival: Arrival,
    /// The closed contact that no longer holds.
    pub(crate) loose: Option<ClosedContact>,
    /// True if an impact ended it.
    pub(crate) is_struck: bool,
}

/// Stops a motion right after an impact.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Section {
    /// Surfaces of the contact.
    pub(crate) surfaces: Vec<usize>,
    /// Impacts that are left.
    pub(crate) left: usize,
}

/// The integrator with its record.
pub(crate) struct Traced {
    pub(crate) inner: HybridTaylor,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) section: Option<Section>,
    /// True while nothing has moved since the last mode was entered.
    is_fresh: bool,
}

impl Traced {
    pub(crate) fn new(inner: HybridTaylor) -> Self {
        Self { inner, pieces: Vec::new(), section: None, is_fresh: false }
    }

    /// Forgets the last motion.
    pub(crate) fn clear(&mut self, section: Option<Section>) {
        (self.pieces, self.section, self.is_fresh) = (Vec::new(), section, false);
    }

    /// True if the section has been reached.
    pub(crate) fn is_stopped(&self) -> bool {
        self.section.as_ref().is_some_and(|section| section.left == 0)
    }

    fn here(&mut self) -> Result<Instant, FlowError> {
        let n = self.inner.dynamics.dimension();
        let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
        self.inner.state(&mut q, &mut v)?;
        Ok(Instant { t: self.inner.time(), q, v })
    }

    /// A contact was reached and the state has changed since: an impact.
    fn notice_impact(&mut self, start: &Start) {
        let Some(last) = self.pieces.last_mut() else { return };
        let Arrival::Contact { surface, .. } = last.arrival else { return };
        if last.is_struck || last.end.q == start.q && last.end.v == start.v {
            return;
        }
        last.is_struck = true;
        if let Some(section) = self.section.as_mut().filter(|section| section.surfaces.contains(&surface)) {
            section.left = section.left.saturating_sub(1);
        }
    }
}

impl Smooth for Traced {
    type Error = FlowError;

    fn enter(&mut self, start: &Start, closed: &[Closed]) -> Result<(), FlowError> {
        if !self.is_fresh {
            self.notice_impact(start);
        }
        self.inner.enter(start, closed)?;
        let here = self.here()?;
        if self.is_fresh {
            self.pieces.pop();
        }
        self.is_fresh = true;
        self.pieces.push(Piece {
            closed: closed.to_vec(),
            start: here.clone(),
            end: here,
            arrival: Arrival::End,
            loose: None,
            is_struck: false,
        });
        Ok(())
    }

    fn advance(&mut self, until: f64, watch: &mut Watch) -> Result<Arrival, FlowError> {
        if self.is_stopped() {
            return Ok(Arrival::End);
        }
        let arrival = self.inner.advance(until, watch)?;
        let end = self.here()?;
        // Nothing is fresh once something has ended it.
        self.is_fresh &= arrival == Arrival::End && self.pieces.last().is_some_and(|piece| piece.start == end);
        if let Some(piece) = self.pieces.last_mut() {
            (piece.end, piece.arrival) = (end, arrival);
            piece.loose = match arrival {
                Arrival::Release(index) | Arrival::Slip(index) | Arrival::Halt(index) => {
                    watch.closed.get(index).cloned()
                }
                _ => None,
            };
        }
        Ok(arrival)
    }

    fn time(&self) -> f64 {
        self.inner.time()
    }

    fn state(&mut self, q: &mut [f64], v: &mut [f64]) -> Result<(), FlowError> {
        self.inner.state(q, v)
    }

    fn multipliers(&mut self) -> Result<Vec<f64>, FlowError> {
        self.inner.multipliers()
    }

    fn touched(&mut self) -> Option<(usize, f64)> {
        self.inner.touched()
    }
}
