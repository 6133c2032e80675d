//! Runs over the intervals of one phase.

use super::excess::Conditions;
use super::flight::{Flight, Pilot, ReplayState};
use super::lookout::Lookout;
use super::polynomial::{absolute_integral, integral};
use super::{GuardReplay, IntervalReplay, Mismatch, MotionSize, PhaseEnd, PhaseReplay};
use crate::error::ControlError;
use crate::extract::numbers;
use crate::phase::PreparedPhase;
use crate::problem::ControlProblem;
use crate::solution::PhaseSolution;
use carom_expr::Backend;
use carom_flow::{FlowFailure, FlowOptions};
use carom_linalg::max_abs;
use carom_model::Legendre;

/// Sizes below this part of the largest one do not count as scales of their own.
const SMALLEST: f64 = 1e-3;
/// Motions smaller than this, in parts of the configuration, are measured by it.
const STILL: f64 = 1e-4;
/// Gaps below this part of the motion are zero where a flight begins: programs are solved no better.
const NEAR: f64 = 1e-6;

/// Replays one phase.
pub(crate) struct Runner<'a> {
    pub(crate) found: &'a PhaseSolution,
    pub(crate) pilot: Pilot,
    pub(crate) lookout: Lookout,
    conditions: Conditions,
    legendre: Legendre,
    pub(crate) size: MotionSize,
    pub(crate) guards: Vec<String>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(
        (problem, number): (&ControlProblem, usize),
        phase: &PreparedPhase<'_>,
        freed: &[f64],
        found: &'a PhaseSolution,
        options: FlowOptions,
        guards: Vec<String>,
    ) -> Result<Self, ControlError> {
        let mut legendre = Legendre::new(&numbers(phase, freed), Backend::Interpreter)?;
        let pilot = Pilot::new((problem, number), phase, freed, found, options)?;
        let size = MotionSize::new(found, &mut legendre);
        let lookout = Lookout::new(phase, &pilot.augmented.dynamics, NEAR * max_abs(&size.q))?;
        let conditions = Conditions::new(phase, &pilot.augmented.dynamics, &pilot.augmented.places)?;
        Ok(Self { found, pilot, lookout, conditions, legendre, size, guards })
    }

    /// The state of the solution at a node.
    pub(crate) fn node(&self, k: usize) -> ReplayState {
        ReplayState { t: self.found.times[k], q: self.found.q[k].clone(), v: self.found.v[k].clone() }
    }

    fn energy(&mut self, state: &ReplayState) -> f64 {
        self.legendre.energy(&state.q, &state.v, state.t)
    }

    /// Every interval from its own node.
    pub(crate) fn intervals(&mut self) -> Result<PhaseReplay, ControlError> {
        let last = self.pilot.intervals() - 1;
        let mut all = PhaseReplay { name: self.found.name.clone(), ..PhaseReplay::default() };
        let mut arrivals = Vec::new();
        for k in 0..=last {
            let flight = match self.pilot.fly((k, 0.0), self.pilot.width(k), &self.node(k)) {
                Ok(flight) => flight,
                Err(failure) => {
                    all.failure = Some((k, failure));
                    break;
                }
            };
            // The guard is met about the end of the last interval.
            let expected: &[String] = if k == last { &self.guards } else { &[] };
            self.lookout.observe(k, &flight, expected);
            flight.pieces.iter().for_each(|piece| self.conditions.observe(k, piece));
            all.intervals.push(measure(
                &flight,
                self.found.times[k],
                self.found.inputs.len(),
                &self.pilot.augmented.costs,
            ));
            arrivals.push(flight.end);
        }
        let absolute: f64 = all.intervals.iter().flat_map(|interval| &interval.absolute_work).sum();
        self.size.energy = self.size.energy.max(absolute);
        for (k, (interval, arrival)) in all.intervals.iter_mut().zip(&arrivals).enumerate() {
            interval.defect = self.mismatch(arrival, &self.node(k + 1));
        }
        all.energy_change = self.energy(&self.node(last + 1)) - self.energy(&self.node(0));
        (all.touches, all.forces) = (self.lookout.touches.clone(), self.lookout.forces.clone());
        all.excesses = self.conditions.found.clone();
        all.size = self.size.clone();
        Ok(all)
    }

    fn mismatch(&mut self, found: &ReplayState, planned: &ReplayState) -> Mismatch {
        let energy = (self.energy(found) - self.energy(planned)).abs() / self.size.energy;
        Mismatch { energy, ..self.size.mismatch(found, planned) }
    }

    /// The whole phase from one state; also where it goes over into the next: at the guard if it is met.
    pub(crate) fn whole(
        &mut self,
        start: &ReplayState,
        patience: f64,
        failure: &mut Option<(usize, FlowFailure)>,
    ) -> Option<(PhaseEnd, ReplayState)> {
        let last = self.pilot.intervals() - 1;
        let (mut state, begins) = (start.clone(), start.t);
        let mut met: Vec<Option<f64>> = vec![None; self.guards.len()];
        let mut leaves: Option<ReplayState> = None;
        let planned = self.found.times[last + 1] - self.found.times[0];
        // Touches on the way are told by the intervals; a guard is met towards the end.
        let towards_end = begins + (1.0 - patience) * planned;
        let mut fly = |own: &mut Self, place: (usize, f64), duration: f64, state: &ReplayState| {
            let flight = own.pilot.fly(place, duration, state);
            let flight = flight.map_err(|error| failure.get_or_insert((place.0, error)).0).ok()?;
            for (guard, met) in own.guards.clone().iter().zip(&mut met).filter(|(_, met)| met.is_none()) {
                *met = own.lookout.meets(&flight, guard).filter(|&time| time >= towards_end);
                if let (Some(time), None) = (*met, &leaves) {
                    leaves = Some(flight.at(time, state.q.len()));
                }
            }
            Some(flight.end)
        };
        for k in 0..=last {
            let width = self.pilot.width(k);
            state = fly(self, (k, 0.0), width, &state)?;
        }
        if !self.guards.is_empty() {
            // A guard that is late is waited for, while the controls go on.
            let _ = fly(self, (last, 1.0), patience * planned, &state);
        }
        let late = |time: Option<f64>| time.map(|time| time - begins - planned);
        let guards = self.guards.iter().zip(&met);
        let guards = guards.map(|(contact, &met)| GuardReplay { contact: contact.clone(), late: late(met) }).collect();
        let mismatch = self.mismatch(&state, &self.node(last + 1));
        let leaves = leaves.unwrap_or_else(|| state.clone());
        Some((PhaseEnd { state, mismatch, guards }, leaves))
    }
}

impl Flight {
    /// The mechanical state at a time.
    pub(crate) fn at(&self, time: f64, n: usize) -> ReplayState {
        let piece = self.pieces.iter().rev().find(|piece| piece.t <= time).unwrap_or(&self.pieces[0]);
        let (mut q, mut v) = (piece.position(time - piece.t), piece.velocity(time - piece.t));
        q.truncate(n);
        v.truncate(n);
        ReplayState { t: time, q, v }
    }
}

/// Work and running costs along a flight.
fn measure(flight: &Flight, time: f64, inputs: usize, costs: &[usize]) -> IntervalReplay {
    let sum = |index: usize, integral: &dyn Fn(&[f64], f64) -> f64| {
        flight.pieces.iter().map(|piece| integral(&piece.powers[index], piece.length)).sum::<f64>()
    };
    IntervalReplay {
        time,
        defect: Mismatch::default(),
        work: (0..inputs).map(|index| sum(index, &integral)).collect(),
        absolute_work: (0..inputs).map(|index| sum(index, &absolute_integral)).collect(),
        other_work: sum(inputs, &integral),
        costs: costs.iter().enumerate().map(|(place, &cost)| (cost, sum(inputs + 1 + place, &integral))).collect(),
    }
}

impl MotionSize {
    fn new(found: &PhaseSolution, legendre: &mut Legendre) -> Self {
        let n = found.coordinates.len();
        let column = |list: &[Vec<f64>], j: usize| list.iter().map(|values| values[j]).collect::<Vec<f64>>();
        let range = |values: &[f64]| {
            let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
            high - low
        };
        let mut energies = Vec::new();
        let mut kinetic = 0.0_f64;
        for ((q, v), &t) in found.q.iter().zip(&found.v).zip(&found.times) {
            let energy = legendre.energy(q, v, t);
            kinetic = kinetic.max((energy - legendre.energy(q, &vec![0.0; n], t)).abs());
            energies.push(energy);
        }
        let energy = range(&energies).max(kinetic);
        // A motion that is hardly one is measured by where it is.
        let still = STILL * found.q.iter().map(|q| max_abs(q)).fold(1.0, f64::max);
        let duration = found.times[found.times.len() - 1] - found.times[0];
        Self {
            q: floored((0..n).map(|j| range(&column(&found.q, j))).collect(), still),
            v: floored((0..n).map(|j| max_abs(&column(&found.v, j))).collect(), still / duration),
            energy: energy.max(STILL * max_abs(&energies).max(1.0)),
        }
    }

    /// Largest difference of velocities.
    pub(crate) fn velocity(&self, found: &[f64], planned: &[f64]) -> f64 {
        largest(found, planned, &self.v)
    }

    /// Differences of configuration and velocity.
    pub(crate) fn mismatch(&self, found: &ReplayState, planned: &ReplayState) -> Mismatch {
        let (q, v) = (largest(&found.q, &planned.q, &self.q), self.velocity(&found.v, &planned.v));
        Mismatch { q, v, energy: 0.0 }
    }
}

/// Small sizes raised to a part of the largest, and to `still`.
fn floored(sizes: Vec<f64>, still: f64) -> Vec<f64> {
    let floor = (SMALLEST * max_abs(&sizes)).max(still);
    sizes.into_iter().map(|size| size.max(floor)).collect()
}

fn largest(found: &[f64], planned: &[f64], sizes: &[f64]) -> f64 {
    let each = found.iter().zip(planned).zip(sizes).map(|((a, b), size)| (a - b).abs() / size);
    // Not `max`, which would drop what is not a number.
    each.fold(0.0, |worst, value| if value.is_nan() || value > worst { value } else { worst })
}
