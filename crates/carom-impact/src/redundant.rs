//! Closed contacts that need more than a push: those that others hold already, and those that have no motion.

use crate::error::ImpactError;
use crate::life::Life;
use crate::smooth::{ClosedContact, Start};
use crate::space::ContactSpace;
use carom_linalg::rank;
use carom_model::{Closed, ContactMode, Hold};

/// What others hold already of a closed contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Redundant {
    Nothing,
    Tangents,
    All,
}

/// Rows closer to dependent than this are dependent.
const DEPENDENT: f64 = 1e-9;

impl Life {
    /// Closed contacts that others hold already: a table on four legs, a wedge on two feet that stick.
    /// They stay closed without a force of their own.
    pub(crate) fn find_redundant(&mut self, q: &[f64]) {
        let n = q.len();
        let mut rows = self.legendre.constraints(q).1.to_vec();
        self.redundant.fill(Redundant::Nothing);
        let mut is_new = |row: &[f64]| {
            let before = rows.len() / n;
            rows.extend(row);
            let is_new = rank(&rows, n, DEPENDENT) > before;
            if !is_new {
                rows.truncate(before * n);
            }
            is_new
        };
        let closed = |(surface, (mode, _)): (usize, &(ContactMode, f64))| {
            (*mode != ContactMode::Free).then_some((surface, *mode))
        };
        let closed: Vec<(usize, ContactMode)> = self.modes.iter().enumerate().filter_map(closed).collect();
        for &(surface, _) in &closed {
            if !is_new(self.geometry.gradient(surface)) {
                self.redundant[surface] = Redundant::All;
            }
        }
        for &(surface, mode) in closed.iter().filter(|(_, mode)| *mode == ContactMode::Sticking) {
            let all_new = (0..self.geometry.tangent_count(surface)).all(|k| is_new(self.geometry.tangent(surface, k)));
            if !all_new && self.redundant[surface] == Redundant::Nothing && mode == ContactMode::Sticking {
                self.redundant[surface] = Redundant::Tangents;
            }
        }
    }

    /// Sliding friction in a plane would change its direction all the time.
    pub(crate) fn refuse_plane_friction(&self, closed: &[ClosedContact], start: &Start) -> Result<(), ImpactError> {
        let is_plane = |contact: &&ClosedContact| {
            let surface = contact.closed.surface;
            matches!(contact.closed.hold, Hold::Slide { friction, .. } if friction > 0.0)
                && self.geometry.tangent_count(surface) > 1
        };
        match closed.iter().find(is_plane) {
            None => Ok(()),
            Some(contact) => {
                let contact = self.resolver.names[self.resolver.contact_of[contact.closed.surface]].clone();
                Err(ImpactError::PlaneFriction { time: start.t, contact })
            }
        }
    }

    /// A sliding contact that pulls because friction turns its own push around has no motion at all.
    pub(crate) fn refuse_painleve(&mut self, closed: Closed, start: &Start) -> Result<(), ImpactError> {
        let Hold::Slide { friction, direction } = closed.hold else { return Ok(()) };
        if friction == 0.0 {
            return Ok(());
        }
        let surface = closed.surface;
        let constraints = self.legendre.constraints(&start.q).1.to_vec();
        let rows = [self.geometry.gradient(surface), self.geometry.tangent(surface, 0)].concat();
        let mass = self.legendre.mass(&start.q, &start.v, start.t);
        let Ok(space) = ContactSpace::new(start.q.len(), mass, &constraints, rows) else { return Ok(()) };
        if space.entry(0, 0) - friction * direction * space.entry(0, 1) > 0.0 {
            return Ok(());
        }
        let contact = self.resolver.names[self.resolver.contact_of[surface]].clone();
        Err(ImpactError::Painleve { time: start.t, contact })
    }
}
