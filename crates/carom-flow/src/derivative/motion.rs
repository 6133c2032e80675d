//! A motion with impacts from a state to a time, or to a section: the n-th impact of a contact.

use super::trace::{Instant, Piece, Section, Traced};
use crate::error::{FlowError, FlowFailure};
use crate::flow::prepare;
use crate::options::FlowOptions;
use carom_impact::{ContactOptions, Life};
use carom_model::{Finding, Impact, ModeChange, System, Trajectory};

/// Where a motion ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// At a time.
    Time(f64),
    /// Right after an impact of a contact.
    Impact {
        /// Index of the contact.
        contact: usize,
        /// Which impact: the first is 1.
        count: usize,
        /// The motion is not followed beyond this time.
        latest: f64,
    },
}

/// A motion, piece by piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Pieces of smooth motion; one event stands between two of them.
    pub pieces: Vec<Piece>,
    /// Impacts, in order.
    pub impacts: Vec<Impact>,
    /// Changes of mode, in order.
    pub modes: Vec<ModeChange>,
    /// What should be looked at.
    pub findings: Vec<Finding>,
    /// True if it ends right after the impact that was asked for.
    pub is_at_section: bool,
    /// True if an impact happens at once.
    pub strikes_at_once: bool,
}

impl Motion {
    /// The end of the motion.
    pub fn end(&self) -> &Instant {
        // A motion has a piece at least: it was begun.
        &self.pieces[self.pieces.len() - 1].end
    }
}

/// Follows motions of one system.
pub struct Follower {
    traced: Traced,
    life: Life,
    closed: Vec<bool>,
    /// Contact of each surface.
    contact_of: Vec<usize>,
}

impl Follower {
    /// Derives and compiles the flow of `system`.
    pub fn new(system: &System, options: FlowOptions, contacts: ContactOptions) -> Result<Self, FlowError> {
        let (motion, life) = prepare(system, options, contacts)?;
        let closed = system.contacts().iter().map(|contact| contact.is_closed).collect();
        let contact_of = system.dynamics().surfaces.iter().map(|surface| surface.contact).collect();
        Ok(Self { traced: Traced::new(motion), life, closed, contact_of })
    }

    /// Limits the steps, and has their ends checked for kinks of the forces.
    pub fn limit(&mut self, max_step: f64) {
        self.traced.inner.limit(max_step);
    }

    /// The motion from time, position and velocity.
    pub fn follow(&mut self, (t, q, v): (f64, &[f64], &[f64]), until: Until) -> Result<Motion, FlowError> {
        let (section, last) = match until {
            Until::Time(time) => (None, time),
            Until::Impact { contact, count, latest } => {
                let surfaces = (0..self.contact_of.len()).filter(|&s| self.contact_of[s] == contact).collect();
                (Some(Section { surfaces, left: count.max(1) }), latest)
            }
        };
        if !(last >= t && last.is_finite()) {
            return Err(FlowFailure::NotForward { time: t, until: last }.into());
        }
        let mut log = Trajectory::new(Vec::new(), Vec::new(), "taylor");
        self.traced.clear(section);
        self.life.begin(&mut self.traced, (t, q, v), &self.closed, &mut log)?;
        let strikes_at_once = self.life.impacts() > 0;
        self.life.advance(&mut self.traced, last, &mut log)?;
        Ok(Motion {
            is_at_section: self.traced.is_stopped(),
            pieces: std::mem::take(&mut self.traced.pieces),
            impacts: log.impacts,
            modes: log.modes,
            findings: log.findings,
            strikes_at_once,
        })
    }
}
