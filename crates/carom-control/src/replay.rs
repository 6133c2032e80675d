//! Replay of a solution by the continuous reference flow, which knows nothing of the transcription.
//!
//! The controls that a solution found are polynomials on each interval. The flow of `carom-flow` follows the
//! Euler-Lagrange equations under them, with the closed contacts of a phase as constraints, in three ways:
//!
//! | way | begins at | tells |
//! |---|---|---|
//! | interval by interval | every node of the solution | the defect `flow(x_k) - x_(k+1)`: the error of the mesh, work, forces, touches |
//! | phase by phase | the first node of each phase | how far errors grow within a phase, when the guard is met |
//! | chained | the first node of all | how far they grow over all phases, through the jumps of the laws |
//!
//! Unstable motions (a pole kept upright) amplify every defect, so that the first way is the robust measure; the other two
//! say what becomes of the plan without feedback. All mismatches are in parts of the size of the motion ([`MotionSize`]).

pub(crate) mod augmented;
mod excess;
pub(crate) mod flight;
pub(crate) mod jump;
mod lookout;
mod polynomial;
pub(crate) mod runner;
mod running;

pub use excess::Excess;
pub use flight::ReplayState;
pub use lookout::{ContactForce, Touch};

use crate::dmoc::{prepare, transitions};
use crate::error::ControlError;
use crate::problem::ControlProblem;
use crate::solution::Solution;
use carom_expr::Backend;
use carom_flow::{FlowFailure, FlowOptions};
use carom_impact::ImpactError;
use jump::Jumper;
use runner::Runner;

/// How a solution is replayed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplayOptions {
    /// Error per step of the flow, relative to `max(1, |state|)`.
    pub tolerance: f64,
    /// Longest step of the flow, for forces with features that a series does not see.
    pub max_step: f64,
    /// How long a motion may go on beyond the end of a phase to meet its guard, in parts of the duration.
    pub patience: f64,
    /// How functions are executed.
    pub backend: Backend,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        // A tolerance of 1e-13 is far below any defect; the longest step is that of the series.
        Self { tolerance: 1e-13, max_step: f64::INFINITY, patience: 0.05, backend: Backend::fastest() }
    }
}

/// A replayed solution.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// One per phase.
    pub phases: Vec<PhaseReplay>,
    /// One per transition.
    pub transitions: Vec<TransitionReplay>,
}

/// The replay of a phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseReplay {
    /// Name of the phase.
    pub name: String,
    /// What mismatches are measured against.
    pub size: MotionSize,
    /// Every interval from its own node.
    pub intervals: Vec<IntervalReplay>,
    /// The end of the phase from its own first node.
    pub own: Option<PhaseEnd>,
    /// The end of the phase from the first node of all.
    pub chained: Option<PhaseEnd>,
    /// Contacts that should be open and are passed, each at its deepest place.
    pub touches: Vec<Touch>,
    /// Forces of closed contacts.
    pub forces: Vec<ContactForce>,
    /// Conditions along the way, each where it is exceeded most.
    pub excesses: Vec<Excess>,
    /// Change of the energy from the first node to the last.
    pub energy_change: f64,
    /// Why the flow stopped, and in which interval.
    pub failure: Option<(usize, FlowFailure)>,
}

/// The size of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionSize {
    /// Range of each coordinate, at least a thousandth of the largest one.
    pub q: Vec<f64>,
    /// Largest size of each rate, at least a thousandth of the largest one.
    pub v: Vec<f64>,
    /// The largest of: range of the energy, kinetic energy, absolute work of the inputs.
    pub energy: f64,
}

/// Differences, in parts of the size of the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mismatch {
    /// Of configurations.
    pub q: f64,
    /// Of velocities.
    pub v: f64,
    /// Of the energy.
    pub energy: f64,
}

impl Mismatch {
    /// The larger one of configuration and velocity.
    pub fn state(&self) -> f64 {
        // Not `max`, which would drop what is not a number.
        if self.v.is_nan() || self.v > self.q { self.v } else { self.q }
    }
}

/// An interval, flown from its own node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IntervalReplay {
    /// Time at its beginning.
    pub time: f64,
    /// Flow minus solution at the next node.
    pub defect: Mismatch,
    /// Work of each input along the flow.
    pub work: Vec<f64>,
    /// Integral of the absolute power of each input.
    pub absolute_work: Vec<f64>,
    /// Work of everything else: damping, forces that depend on time.
    pub other_work: f64,
    /// Integrals of running costs along the flow, weights included: number of the cost, and value. Work and costs with
    /// kinks are not among them.
    pub costs: Vec<(usize, f64)>,
}

/// Where a replayed phase ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PhaseEnd {
    /// Its state at the planned time.
    pub state: ReplayState,
    /// Against the planned state.
    pub mismatch: Mismatch,
    /// The guards of the transition that follows.
    pub guards: Vec<GuardReplay>,
}

/// A guard, and when the replayed motion meets it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GuardReplay {
    /// Name of the contact.
    pub contact: String,
    /// Time at which it is met, minus the planned one; absent if it is not met.
    pub late: Option<f64>,
}

/// The replay of a transition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransitionReplay {
    /// Name of the transition.
    pub name: String,
    /// The law's velocity after the impact against the solution's, from the solution's own state before.
    pub jump: Mismatch,
    /// The state that the next phase should begin with against the one it begins with.
    pub next: Mismatch,
    /// The same after the chained replay.
    pub chained: Option<Mismatch>,
    /// Why the law has no answer.
    pub failure: Option<ImpactError>,
}

/// Replays the controls of a solution.
pub fn replay(problem: &ControlProblem, solution: &Solution, options: &ReplayOptions) -> Result<Replay, ControlError> {
    let (prepared, links) = (prepare(problem)?, transitions(problem));
    let freed: Vec<f64> = solution.freed.iter().map(|freed| freed.1).collect();
    let flow = FlowOptions {
        tolerance: options.tolerance,
        max_step: options.max_step,
        backend: options.backend,
        ..FlowOptions::default()
    };
    let mut jumpers = Vec::new();
    for link in &links {
        jumpers.push(Jumper::new(link, &prepared[link.from], &prepared[link.to], &freed)?);
    }
    let mut replay = Replay::default();
    // States that transitions hand over, as far as the chain has come.
    let mut handed: Vec<Option<ReplayState>> = vec![None; links.len()];
    for (number, phase) in prepared.iter().enumerate() {
        let leaving = links.iter().position(|link| link.from == number);
        let guards = leaving.map_or(Vec::new(), |link| links[link].guards.clone());
        let mut runner = Runner::new((problem, number), phase, &freed, &solution.phases[number], flow, guards)?;
        let mut found = runner.intervals()?;
        let start = runner.node(0);
        found.own = runner.whole(&start, options.patience, &mut found.failure).map(|(end, _)| end);
        // A periodic transition leads back to a phase that has been replayed already.
        let entering = links.iter().position(|link| link.to == number && link.from < number);
        let start = match entering {
            Some(link) => handed[link].clone(),
            None => Some(start),
        };
        let chained = start.and_then(|start| runner.whole(&start, options.patience, &mut found.failure));
        if let (Some(link), Some((_, state))) = (leaving, &chained) {
            handed[link] = jumpers[link].jump(state).ok().map(|(_, next)| next);
        }
        found.chained = chained.map(|(end, _)| end);
        replay.phases.push(found);
    }
    for ((link, jumper), (handed, known)) in
        links.iter().zip(&mut jumpers).zip(handed.iter().zip(&solution.transitions))
    {
        let (before, after) = (&replay.phases[link.from].size, &replay.phases[link.to].size);
        let first =
            ReplayState { t: 0.0, q: solution.phases[link.to].q[0].clone(), v: solution.phases[link.to].v[0].clone() };
        let state = ReplayState { t: known.time, q: known.q.clone(), v: known.v_minus.clone() };
        let mut found = TransitionReplay { name: link.name.clone(), ..TransitionReplay::default() };
        match jumper.jump(&state) {
            Ok((v_plus, next)) => {
                found.jump.v = before.velocity(&v_plus, &known.v_plus);
                found.next = after.mismatch(&next, &first);
                found.chained = handed.as_ref().map(|next| after.mismatch(next, &first));
            }
            Err(error) => found.failure = Some(error),
        }
        replay.transitions.push(found);
    }
    Ok(replay)
}
