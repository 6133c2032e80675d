//! What contacts do along flights: open ones must stay open, closed ones must push.

use super::flight::{Flight, Piece};
use super::polynomial::{samples, value};
use crate::phase::PreparedPhase;
use carom_expr::{Backend, FunctionError};
use carom_impact::Geometry;
use carom_impact::path::{Path, PathSearch};
use carom_impact::polynomial::FirstRoot;
use carom_model::Dynamics;

/// A contact that should be open, and how deep it was passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// Name of the contact.
    pub contact: String,
    /// How far its gap falls below zero.
    pub depth: f64,
    /// When it is deepest.
    pub time: f64,
    /// In which interval.
    pub interval: usize,
}

/// The force of a closed contact along a phase.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactForce {
    /// Name of the contact.
    pub contact: String,
    /// Least normal force; below zero the contact pulls.
    pub least: f64,
    /// When it is least.
    pub least_time: f64,
    /// In which interval.
    pub least_interval: usize,
    /// Largest size of the normal force.
    pub largest: f64,
    /// Largest `|T| - mu N`, if the contact sticks and has a coefficient of friction.
    pub excess: Option<f64>,
    /// When that is largest.
    pub excess_time: f64,
    /// In which interval.
    pub excess_interval: usize,
}

/// A closed contact among the constraints.
struct Held {
    normal: usize,
    tangential: Vec<usize>,
    friction: Option<f64>,
}

/// Follows the contacts of a phase.
pub(crate) struct Lookout {
    search: PathSearch,
    geometry: Geometry,
    path: Path,
    /// Surfaces that are open: index and name.
    open: Vec<(usize, String)>,
    held: Vec<Held>,
    /// Gaps below this are zero where a flight begins.
    near: f64,
    pub(crate) touches: Vec<Touch>,
    pub(crate) forces: Vec<ContactForce>,
}

impl Lookout {
    pub(crate) fn new(phase: &PreparedPhase<'_>, dynamics: &Dynamics, near: f64) -> Result<Self, FunctionError> {
        let closed = &phase.phase.closed;
        let is_open = |name: &str| !closed.iter().any(|closed| closed.contact == name);
        let surfaces = dynamics.surfaces.iter().enumerate();
        let open = surfaces.filter(|(_, surface)| is_open(&surface.name)).map(|(i, surface)| (i, surface.name.clone()));
        // Holonomic constraints come first, then gaps of closed contacts, then tangents of those that stick.
        let first = phase.system().constraints().len();
        let (mut held, mut tangent) = (Vec::new(), first + closed.len());
        for (index, contact) in closed.iter().enumerate() {
            let surface = dynamics.surfaces.iter().find(|surface| surface.name == contact.contact);
            let count = surface.filter(|_| contact.sticks).map_or(0, |surface| surface.tangents.len());
            let parameters = surface.map(|surface| &dynamics.law_parameters[surface.contact]);
            let friction = parameters.and_then(|all| all.iter().find(|parameter| parameter.name == "friction"));
            held.push(Held {
                normal: first + index,
                tangential: (tangent..tangent + count).collect(),
                friction: friction.and_then(|parameter| dynamics.graph.value(parameter.id)).filter(|_| count > 0),
            });
            tangent += count;
        }
        let force = |(contact, held): (&crate::ClosedContact, &Held)| ContactForce {
            contact: contact.contact.clone(),
            least: f64::INFINITY,
            least_time: 0.0,
            least_interval: 0,
            largest: 0.0,
            excess: held.friction.map(|_| f64::NEG_INFINITY),
            excess_time: 0.0,
            excess_interval: 0,
        };
        Ok(Self {
            search: PathSearch::new(dynamics)?,
            geometry: Geometry::new(dynamics, Backend::Interpreter)?,
            path: Path::new(dynamics.dimension()),
            open: open.collect(),
            forces: closed.iter().zip(&held).map(force).collect(),
            held,
            near,
            touches: Vec::new(),
        })
    }

    /// Forgets what was noted.
    pub(crate) fn forget(&mut self) {
        self.touches.clear();
        for force in &mut self.forces {
            (force.least, force.largest) = (f64::INFINITY, 0.0);
            force.excess = force.excess.map(|_| f64::NEG_INFINITY);
        }
    }

    /// Notes forces and touches of a flight; contacts in `expected` may be met.
    pub(crate) fn observe(&mut self, interval: usize, flight: &Flight, expected: &[String]) {
        for piece in &flight.pieces {
            self.note_forces(interval, piece);
            for (surface, name) in self.open.clone() {
                if !expected.contains(&name) {
                    self.note_touch(interval, piece, surface, name);
                }
            }
        }
    }

    /// When a contact is first met along a flight.
    pub(crate) fn meets(&mut self, flight: &Flight, contact: &str) -> Option<f64> {
        let surfaces: Vec<usize> =
            self.open.iter().filter(|(_, name)| name == contact).map(|(surface, _)| *surface).collect();
        for piece in &flight.pieces {
            let crossings = surfaces.iter().filter_map(|&surface| self.crossing(piece, surface));
            if let Some(tau) = crossings.min_by(f64::total_cmp) {
                return Some(piece.t + tau);
            }
        }
        None
    }

    /// Where a gap first vanishes within a piece.
    fn crossing(&mut self, piece: &Piece, surface: usize) -> Option<f64> {
        let (gap, rate) = self.geometry.closing(surface, &piece.q, &piece.orders[0]);
        let multiplicity = match gap {
            gap if gap > self.near => 0,
            // A gap that has just opened, by an impact or by a release.
            _ if rate * piece.length > self.near => 1,
            _ if rate * piece.length > -self.near => 2,
            gap if gap > 0.0 => 0,
            _ => return Some(0.0),
        };
        self.path.series(&piece.q, piece.orders.iter().map(Vec::as_slice), piece.length);
        match self.search.first_root(surface, &self.path, multiplicity) {
            FirstRoot::Crossing { at, bracket } => Some(self.polish(piece, surface, at, bracket)),
            FirstRoot::None => None,
        }
    }

    /// Newton's method inside the bracket of a crossing.
    fn polish(&mut self, piece: &Piece, surface: usize, at: f64, bracket: (f64, f64)) -> f64 {
        let mut tau = at * piece.length;
        for _ in 0..20 {
            let (gap, rate) = self.geometry.closing(surface, &piece.position(tau), &piece.velocity(tau));
            let next = (tau - gap / rate).clamp(bracket.0 * piece.length, bracket.1 * piece.length);
            if !next.is_finite() || (next - tau).abs() <= 1e-15 * piece.length {
                break;
            }
            tau = next;
        }
        tau
    }

    /// The deepest place of an open contact within a piece.
    fn note_touch(&mut self, interval: usize, piece: &Piece, surface: usize, contact: String) {
        // Bounds prove that most pieces stay clear.
        let (gap, _) = self.geometry.closing(surface, &piece.q, &piece.orders[0]);
        if gap > self.near && self.crossing(piece, surface).is_none() {
            return;
        }
        for tau in samples(piece.length) {
            let (q, v) = (piece.position(tau), piece.velocity(tau));
            self.geometry.at(&q, &v, piece.t + tau);
            let depth = -self.geometry.gap(surface);
            if depth <= 0.0 || !self.geometry.is_active(surface) {
                continue;
            }
            let touch = Touch { contact: contact.clone(), depth, time: piece.t + tau, interval };
            match self.touches.iter_mut().find(|touch| touch.contact == contact) {
                Some(known) if known.depth >= depth => {}
                Some(known) => *known = touch,
                None => self.touches.push(touch),
            }
        }
    }

    fn note_forces(&mut self, interval: usize, piece: &Piece) {
        for (held, force) in self.held.iter().zip(&mut self.forces) {
            for tau in samples(piece.length) {
                let along = |index: &usize| value(&piece.multipliers[*index], tau);
                let normal = -along(&held.normal);
                force.largest = force.largest.max(normal.abs());
                if normal < force.least {
                    (force.least, force.least_time, force.least_interval) = (normal, piece.t + tau, interval);
                }
                let tangential = held.tangential.iter().map(|index| along(index).powi(2)).sum::<f64>().sqrt();
                let excess = held.friction.map(|friction| tangential - friction * normal);
                if excess > force.excess {
                    (force.excess, force.excess_time, force.excess_interval) = (excess, piece.t + tau, interval);
                }
            }
        }
    }
}
