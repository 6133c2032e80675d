//! What the life of contacts asks of an integrator, and what it tells it.

use crate::geometry::Geometry;
use carom_linalg::max_abs;
use carom_model::{Closed, Finding, Impact, ModeChange};

/// A state to go on from.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// After an impact whose energy is balanced by the integrator's own segments.
    pub departure: Option<Departure>,
}

/// The variational jump: the momentum may move along `direction` until the energies of the segments
/// before and after the impact differ by `loss`.
#[derive(Clone, Debug, PartialEq)]
pub struct Departure {
    /// The normal impulses of the impact, as a covector.
    pub direction: Vec<f64>,
    /// Energy that the law takes; none if the law leaves nothing to balance, and the energies of both
    /// segments are to be reported only.
    pub loss: Option<f64>,
}

/// What a departure came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Departed {
    /// Momentum after the impact.
    pub p: Vec<f64>,
    /// Velocity after the impact.
    pub v: Vec<f64>,
    /// Energies of the segments before and after.
    pub energies: (f64, f64),
    /// True if the energies are reported, not balanced.
    pub is_report: bool,
}

/// How closely a surface is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// Not at all: the contact is closed.
    Closed,
    /// For its gap to vanish.
    Guarded,
    /// Its gap is zero now, and grows: linearly (1) after a rebound, quadratically (2) after a release.
    Leaving(usize),
}

/// A closed contact, and where its multipliers stand among those of the mode.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosedContact {
    /// Surface and hold.
    pub closed: Closed,
    /// Index of the multiplier of the gap.
    pub normal: usize,
    /// Indices of the multipliers of the tangents, if it sticks.
    pub tangential: Vec<usize>,
    /// Coefficient of friction, if there is a cone.
    pub friction: Option<f64>,
}

/// What an integrator must look out for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Watch {
    /// One per surface.
    pub surfaces: Vec<Attention>,
    /// The closed contacts.
    pub closed: Vec<ClosedContact>,
    /// Forces below this are zero.
    pub force: f64,
}

/// Gaps above this part of the configuration (at least 1) are open.
const OPEN: f64 = 1e-13;

impl Watch {
    /// After a piece of motion gaps that have opened are guarded again; `geometry` knows the gaps at `q`.
    pub fn guard_again(&mut self, geometry: &mut Geometry, q: &[f64]) {
        if !self.surfaces.iter().any(|attention| matches!(attention, Attention::Leaving(_))) {
            return;
        }
        let mut gaps = vec![0.0; self.surfaces.len()];
        geometry.gaps(q, &mut gaps);
        let open = OPEN * max_abs(q).max(1.0);
        for (attention, gap) in self.surfaces.iter_mut().zip(gaps) {
            if matches!(attention, Attention::Leaving(_)) && gap > open {
                *attention = Attention::Guarded;
            }
        }
    }
}

/// Why an integrator stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrival {
    /// The time is reached.
    End,
    /// The gap of a surface vanishes.
    Contact {
        /// Index of the surface.
        surface: usize,
        /// Interval of time that is known to hold the contact.
        bracket: (f64, f64),
        /// Iterations that it took.
        iterations: usize,
    },
    /// A closed contact no longer presses.
    Release(usize),
    /// A sticking contact reaches the edge of its cone.
    Slip(usize),
    /// A sliding contact comes to a halt.
    Halt(usize),
}

/// Smooth motion between events.
pub trait Smooth {
    /// Why it cannot go on.
    type Error: From<crate::ImpactError> + From<carom_model::LegendreError>;

    /// Goes on from a state, with some contacts closed.
    fn enter(&mut self, start: &Start, closed: &[Closed]) -> Result<(), Self::Error>;

    /// Moves on to `until`, or to the first event. Surfaces that were left behind are guarded again.
    fn advance(&mut self, until: f64, watch: &mut Watch) -> Result<Arrival, Self::Error>;

    /// The current time.
    fn time(&self) -> f64;

    /// Copies the current configuration and velocity.
    fn state(&mut self, q: &mut [f64], v: &mut [f64]) -> Result<(), Self::Error>;

    /// Multipliers of the constraints of the current mode, closed contacts included.
    fn multipliers(&mut self) -> Result<Vec<f64>, Self::Error>;

    /// What the last departure came to, once.
    fn departed(&mut self) -> Option<Departed> {
        None
    }

    /// A surface that was touched without an impact since the last call, and when.
    fn touched(&mut self) -> Option<(usize, f64)> {
        None
    }
}

/// Hears of events.
pub trait Log {
    /// An impact.
    fn impact(&mut self, impact: Impact);
    /// A change of mode.
    fn mode(&mut self, change: ModeChange);
    /// Something to look at.
    fn finding(&mut self, finding: Finding);
}

impl Log for carom_model::Trajectory {
    fn impact(&mut self, impact: Impact) {
        self.impacts.push(impact);
    }
    fn mode(&mut self, change: ModeChange) {
        self.modes.push(change);
    }
    fn finding(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}
