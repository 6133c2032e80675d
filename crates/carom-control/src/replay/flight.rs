//! Flights: the reference flow over an interval, with the controls that a solution found for it.

use super::augmented::Augmented;
use crate::controls::ControlTrack;
use crate::error::ControlError;
use crate::phase::PreparedPhase;
use crate::problem::ControlProblem;
use crate::solution::PhaseSolution;
use carom_flow::{FlowError, FlowFailure, FlowOptions, Taylor};

/// A time, a configuration and a velocity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayState {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
}

/// One Taylor step: polynomials of the time since its beginning.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) t: f64,
    pub(crate) length: f64,
    /// Position at its beginning, chains of controls included.
    pub(crate) q: Vec<f64>,
    /// Orders of the velocity.
    pub(crate) orders: Vec<Vec<f64>>,
    /// Multipliers of the constraints.
    pub(crate) multipliers: Vec<Vec<f64>>,
    /// Powers of the inputs, then of everything else, then running costs.
    pub(crate) powers: Vec<Vec<f64>>,
}

/// A flight over an interval, or over a part of it.
#[derive(Clone, Debug)]
pub(crate) struct Flight {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) end: ReplayState,
}

/// Flies over the intervals of a phase.
pub(crate) struct Pilot {
    pub(crate) augmented: Augmented,
    controls: ControlTrack,
    widths: Vec<f64>,
    taylor: Taylor,
}

impl Pilot {
    /// Derives and compiles the flow of a phase.
    pub(crate) fn new(
        place: (&ControlProblem, usize),
        phase: &PreparedPhase<'_>,
        freed: &[f64],
        found: &PhaseSolution,
        options: FlowOptions,
    ) -> Result<Self, ControlError> {
        let widths: Vec<f64> = found.times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let augmented = Augmented::new(place, phase, freed, &found.controls, &widths)?;
        let dynamics = &augmented.dynamics;
        let taylor = Taylor::watching(dynamics, &dynamics.graph, None, &augmented.powers, options);
        let taylor = taylor.map_err(|error| match error {
            FlowError::Function(error) => ControlError::Function(error),
            error => ControlError::Replay { phase: found.name.clone(), why: error.to_string() },
        })?;
        Ok(Self { augmented, controls: found.controls.clone(), widths, taylor })
    }

    /// Number of intervals.
    pub(crate) fn intervals(&self) -> usize {
        self.widths.len()
    }

    /// Width of an interval.
    pub(crate) fn width(&self, interval: usize) -> f64 {
        self.widths[interval]
    }

    /// Flies for `duration` from `start`, which lies at a `fraction` of an interval. Beyond the interval its
    /// controls go on as the same polynomials.
    pub(crate) fn fly(
        &mut self,
        place: (usize, f64),
        duration: f64,
        start: &ReplayState,
    ) -> Result<Flight, FlowFailure> {
        self.fly_with(place, duration, start, &[])
    }

    /// The state of the controls at a `fraction` of an interval, with constants added to them.
    pub(crate) fn control_state(&self, (interval, fraction): (usize, f64), more: &[f64]) -> [Vec<f64>; 2] {
        let [mut c, rates] = self.augmented.chains(&self.controls, interval, fraction, self.widths[interval]);
        for (index, change) in more.iter().enumerate() {
            let (place, factor) = self.augmented.control(index);
            c[place - self.augmented.n] += change / factor;
        }
        [c, rates]
    }

    /// The same with constants added to the controls.
    pub(crate) fn fly_with(
        &mut self,
        place: (usize, f64),
        duration: f64,
        start: &ReplayState,
        more: &[f64],
    ) -> Result<Flight, FlowFailure> {
        let [c, rates] = self.control_state(place, more);
        let (q, v) = ([&start.q[..], &c].concat(), [&start.v[..], &rates].concat());
        self.taylor.start(start.t, &q, &v)?;
        let (until, mut pieces) = (start.t + duration, Vec::new());
        loop {
            let left = self.taylor.until(until);
            if left <= f64::EPSILON * until.abs() {
                break;
            }
            let mut piece = self.piece();
            // Kinks of the forces end a step early.
            piece.length = self.taylor.step(left)?;
            pieces.push(piece);
        }
        let n = self.augmented.n;
        let (q, v) = (self.taylor.q()[..n].to_vec(), self.taylor.v()[..n].to_vec());
        Ok(Flight { pieces, end: ReplayState { t: until, q, v } })
    }

    fn piece(&self) -> Piece {
        let taylor = &self.taylor;
        Piece {
            t: taylor.t(),
            length: 0.0,
            q: taylor.q().to_vec(),
            orders: taylor.velocity_orders().map(<[f64]>::to_vec).collect(),
            multipliers: (0..taylor.multiplier_count()).map(|index| taylor.multiplier(index).collect()).collect(),
            powers: (0..self.augmented.powers.len()).map(|index| taylor.watched(index).to_vec()).collect(),
        }
    }
}

impl Piece {
    /// Position at a time since its beginning, chains of controls included.
    pub(crate) fn position(&self, tau: f64) -> Vec<f64> {
        let mut q = vec![0.0; self.q.len()];
        for (k, order) in self.orders.iter().enumerate().rev() {
            q.iter_mut().zip(order).for_each(|(q, v)| *q = *q * tau + v / (k as f64 + 1.0));
        }
        q.iter().zip(&self.q).map(|(change, q)| q + change * tau).collect()
    }

    /// Velocity at a time since its beginning.
    pub(crate) fn velocity(&self, tau: f64) -> Vec<f64> {
        let mut v = vec![0.0; self.q.len()];
        for order in self.orders.iter().rev() {
            v.iter_mut().zip(order).for_each(|(v, next)| *v = *v * tau + next);
        }
        v
    }
}
