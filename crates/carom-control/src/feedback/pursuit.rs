//! The motion under feedback: simulated by the flow, step after step, with pushes on the way.
//!
//! At the beginning of each interval the state is compared with the plan; the change of the controls stays constant over the
//! interval. A phase ends where its guard is met, early or late, and the plan of the next phase begins there. Beyond the
//! planned end the last controls and gains go on.

use super::{Feedback, Jump, Plan, crew};
use crate::error::ControlError;
use crate::problem::ControlProblem;
use crate::replay::flight::{Flight, ReplayState};
use crate::replay::runner::Runner;
use carom_expr::Backend;
use carom_linalg::dot;

/// How a motion is pursued.
#[derive(Clone, Debug, PartialEq)]
pub struct PursuitOptions {
    /// Passes through all phases: steps of a gait. One, if the motion is not periodic.
    pub steps: usize,
    /// A push, if there is one.
    pub push: Option<Push>,
    /// How early or late a guard may be met, in parts of the planned duration.
    pub patience: f64,
    /// A motion farther from the plan than this, in parts of its size, is lost.
    pub lost: f64,
}

impl Default for PursuitOptions {
    fn default() -> Self {
        Self { steps: 10, push: None, patience: 0.35, lost: 5.0 }
    }
}

/// A sudden change of velocities.
#[derive(Clone, Debug, PartialEq)]
pub struct Push {
    /// When, from the beginning; at the beginning of the interval that holds it.
    pub time: f64,
    /// Change of each rate; what violates the constraints of the phase is taken off.
    pub velocity: Vec<f64>,
}

/// A state on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PursuitNode {
    /// Time.
    pub t: f64,
    /// Number of the phase.
    pub phase: usize,
    /// Configuration.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// Controls over the interval that begins here, at its beginning.
    pub u: Vec<f64>,
    /// Distance from the plan, in parts of the size of the motion.
    pub distance: f64,
}

/// The end of a pass through all phases.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PursuitStep {
    /// Time.
    pub t: f64,
    /// Configuration after the last impact, in the coordinates of the first phase.
    pub q: Vec<f64>,
    /// Velocity there.
    pub v: Vec<f64>,
    /// Distance of the next beginning from the planned one.
    pub distance: f64,
    /// How late the last guard was met.
    pub late: f64,
}

/// Why a pursuit ended.
#[derive(Clone, Debug, PartialEq)]
pub enum PursuitEnd {
    /// All steps were made.
    Completed,
    /// The motion left the plan: time and distance.
    Lost {
        /// Time.
        time: f64,
        /// Distance, in parts of the motion.
        distance: f64,
    },
    /// A guard was not met in time.
    Missed {
        /// Time.
        time: f64,
        /// Name of the contact.
        contact: String,
    },
    /// The flow or a law stopped.
    Stopped {
        /// Time.
        time: f64,
        /// Why.
        why: String,
    },
}

/// A motion under feedback.
#[derive(Clone, Debug)]
pub struct Pursuit {
    /// States at the beginnings of intervals.
    pub nodes: Vec<PursuitNode>,
    /// Completed steps.
    pub steps: Vec<PursuitStep>,
    /// Least normal force of closed contacts on the way; the model holds them even where they would pull.
    pub least_force: Option<f64>,
    /// Distance from the end of the plan, in parts of the size of the motion, where that is where the motion ends: it is not
    /// periodic, and no impact follows.
    pub end_distance: Option<f64>,
    /// Why it ended.
    pub end: PursuitEnd,
}

/// Follows plans, with a regulator or without one.
pub struct Pursuer<'a> {
    runners: Vec<Runner<'a>>,
    jumpers: Vec<Jump>,
    is_periodic: bool,
}

impl<'a> Pursuer<'a> {
    /// Derives and compiles the flow of a plan; `tolerance` is its error per step.
    pub fn new(
        problem: &'a ControlProblem,
        plan: impl Into<Plan<'a>>,
        tolerance: f64,
        backend: Backend,
    ) -> Result<Self, ControlError> {
        let (runners, jumpers) = crew(problem, plan.into(), tolerance, backend)?;
        let is_periodic = jumpers.iter().any(|(from, to, _)| *from + 1 == runners.len() && *to == 0);
        Ok(Self { runners, jumpers, is_periodic })
    }

    /// Duration of a pass through all phases, as planned.
    pub fn duration(&self) -> f64 {
        self.runners.iter().map(|runner| runner.found.duration).sum()
    }

    /// Follows the plan.
    pub fn run(&mut self, feedback: Option<&Feedback>, options: &PursuitOptions) -> Pursuit {
        let mut all = Pursuit {
            nodes: Vec::new(),
            steps: Vec::new(),
            least_force: None,
            end_distance: None,
            end: PursuitEnd::Completed,
        };
        self.runners.iter_mut().for_each(|runner| runner.lookout.forget());
        let (mut state, mut push) = (self.runners[0].node(0), options.push.clone());
        let steps = if self.is_periodic { options.steps.max(1) } else { 1 };
        for _ in 0..steps {
            if let Err(why) = self.pass(&mut state, feedback, options, &mut push, &mut all) {
                all.end = why;
                break;
            }
        }
        let forces = self.runners.iter().flat_map(|runner| &runner.lookout.forces).map(|force| force.least);
        all.least_force = forces.filter(|least| least.is_finite()).reduce(f64::min);
        all
    }

    /// One pass through all phases.
    fn pass(
        &mut self,
        state: &mut ReplayState,
        feedback: Option<&Feedback>,
        options: &PursuitOptions,
        push: &mut Option<Push>,
        all: &mut Pursuit,
    ) -> Result<(), PursuitEnd> {
        for number in 0..self.runners.len() {
            let gains = feedback.map(|feedback| &feedback.phases[number].gains[..]);
            let (end, late) = phase(&mut self.runners[number], number, (state, gains), options, push, all)?;
            *state = end;
            let Some((_, to, jumper)) = self.jumpers.iter_mut().find(|(from, ..)| *from == number) else {
                if number + 1 == self.runners.len() {
                    all.end_distance = Some(end_distance(&self.runners[number], state));
                }
                continue;
            };
            let stopped =
                |error: carom_impact::ImpactError| PursuitEnd::Stopped { time: state.t, why: error.to_string() };
            *state = jumper.jump(state).map_err(stopped)?.1;
            if number + 1 == self.runners.len() {
                let planned = ReplayState { t: state.t, ..self.runners[*to].node(0) };
                let distance = self.runners[*to].size.mismatch(state, &planned).state();
                let (t, q, v) = (state.t, state.q.clone(), state.v.clone());
                all.steps.push(PursuitStep { t, q, v, distance, late });
            }
        }
        Ok(())
    }
}

/// Distance of a state from the last planned one.
fn end_distance(runner: &Runner<'_>, state: &ReplayState) -> f64 {
    let planned = runner.node(runner.pilot.intervals());
    runner.size.mismatch(state, &ReplayState { t: state.t, ..planned }).state()
}

/// One phase: where it ends, and how late.
fn phase(
    runner: &mut Runner<'_>,
    number: usize,
    (start, gains): (&ReplayState, Option<&[Vec<f64>]>),
    options: &PursuitOptions,
    push: &mut Option<Push>,
    all: &mut Pursuit,
) -> Result<(ReplayState, f64), PursuitEnd> {
    let (begins, count) = (start.t, runner.pilot.intervals());
    let planned = runner.found.times[count] - runner.found.times[0];
    let mut state = start.clone();
    let mut k = 0;
    loop {
        let elapsed = state.t - begins;
        if elapsed > planned * (1.0 + options.patience) {
            let contact = runner.guards.first().cloned().unwrap_or_default();
            return Err(PursuitEnd::Missed { time: state.t, contact });
        }
        let interval = k.min(count - 1);
        let width = runner.pilot.width(interval);
        if let Some(given) = push.take_if(|push| push.time < state.t + width) {
            state.v.iter_mut().zip(&given.velocity).for_each(|(v, push)| *v += push);
        }
        let plan = runner.node(k.min(count));
        let distance = runner.size.mismatch(&state, &ReplayState { t: state.t, ..plan.clone() }).state();
        let change = gains.map_or(Vec::new(), |gains| correction(&gains[interval], &plan, &state));
        note(runner, all, (number, interval), &state, (&change, distance));
        if distance.is_nan() || distance > options.lost {
            return Err(PursuitEnd::Lost { time: state.t, distance });
        }
        let place = (interval, if k < count { 0.0 } else { 1.0 });
        let flight = runner.pilot.fly_with(place, width, &state, &change);
        let flight = flight.map_err(|error| PursuitEnd::Stopped { time: state.t, why: error.to_string() })?;
        // What violates the constraints was taken off at the start of the flight.
        runner.lookout.observe(interval, &flight, &runner.guards.clone());
        if let Some(time) = meets(runner, &flight, begins + planned * (1.0 - options.patience)) {
            let end = flight.at(time, state.q.len());
            return Ok((end, time - begins - planned));
        }
        state = flight.end;
        k += 1;
        if k == count && runner.guards.is_empty() {
            return Ok((state, 0.0));
        }
    }
}

/// When a guard is met, not before `earliest`.
fn meets(runner: &mut Runner<'_>, flight: &Flight, earliest: f64) -> Option<f64> {
    let guards = runner.guards.clone();
    let times = guards.iter().filter_map(|guard| runner.lookout.meets(flight, guard));
    times.filter(|&time| time >= earliest).reduce(f64::min)
}

/// `K (x_k - x)`
fn correction(gain: &[f64], plan: &ReplayState, state: &ReplayState) -> Vec<f64> {
    let planned = plan.q.iter().chain(&plan.v);
    let apart: Vec<f64> = planned.zip(state.q.iter().chain(&state.v)).map(|(plan, now)| plan - now).collect();
    gain.chunks_exact(apart.len()).map(|row| dot(row, &apart)).collect()
}

fn note(
    runner: &Runner<'_>,
    all: &mut Pursuit,
    (phase, interval): (usize, usize),
    state: &ReplayState,
    (change, distance): (&[f64], f64),
) {
    let mut u = runner.found.controls.at(interval, 0.0);
    u.iter_mut().zip(change).for_each(|(u, change)| *u += change);
    let (t, q, v) = (state.t, state.q.clone(), state.v.clone());
    all.nodes.push(PursuitNode { t, phase, q, v, u, distance });
}
