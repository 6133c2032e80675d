//! A simulation of the model as a guess: phases end at its impacts.

use crate::guess::{Guess, PhaseGuess};
use crate::problem::{self, Condition, ControlProblem, Phase, Transition};
use carom_discrete::{Method, Options, Schedule, Simulation, SimulationError};
use carom_model::{InitialState, System, Trajectory};
use std::time::{Duration, Instant};

/// How much longer than the guessed durations an impact is waited for.
const PATIENCE: f64 = 3.0;
/// Most steps.
const MAX_STEPS: usize = 100_000;
/// Steps of a motion without inputs.
const UNFORCED: f64 = 500.0;
/// A guess is not worth more time.
const MAX_TIME: Duration = Duration::from_secs(5);

/// A guess, and what it could not do.
pub(super) fn simulate(problem: &ControlProblem, initial: &InitialState) -> Result<(Guess, Vec<String>), String> {
    let first = problem.phases.first().ok_or("there is no phase")?;
    let system = &first.system;
    if problem.phases.iter().any(|phase| !std::sync::Arc::ptr_eq(&phase.system, system)) {
        return Err("its phases have different models".to_owned());
    }
    if problem.transitions.iter().any(|transition| !transition.map.is_empty()) {
        return Err("a transition relabels the coordinates".to_owned());
    }
    let total: f64 = problem.phases.iter().map(|phase| phase.duration.guess()).sum();
    let intervals: usize = problem.phases.iter().map(|phase| phase.intervals).sum();
    let step = total / intervals.clamp(50, MAX_STEPS / 4) as f64;
    let trajectory = run(system, first, initial, PATIENCE * total, step)?;
    let mut doubts = Vec::new();
    let mut begin = 0.0;
    let mut guesses = Vec::new();
    for (number, phase) in problem.phases.iter().enumerate() {
        let leaving = problem.transitions.iter().find(|transition| transition.from == number);
        let end = end_of(phase, leaving, &trajectory, begin, &mut doubts);
        guesses.push(piece(system, phase, &trajectory, begin, end));
        begin = end;
    }
    Ok((Guess { phases: guesses, ..Guess::default() }, doubts))
}

impl super::ProblemFile {
    /// The motion from the start without any inputs, for so long; nothing if the model has signals for them, or if it
    /// cannot be simulated.
    pub fn unforced(&self, duration: f64) -> Option<Trajectory> {
        let model = self.models.get(*self.phase_models.first()?)?;
        let system = &model.system;
        if !system.inputs().iter().all(|input| system.graph().is_zero(input.signal)) {
            return None;
        }
        run(system, self.problem.phases.first()?, &model.initial, duration, duration / UNFORCED).ok()
    }
}

fn run(system: &System, first: &Phase, initial: &InitialState, until: f64, step: f64) -> Result<Trajectory, String> {
    let names = system.coordinate_names();
    let given = |names: &[String], own: &[f64]| -> Vec<f64> {
        let fixed = |name: &String| {
            let is_it = |condition: &&Condition| condition.formula.trim() == name && condition.range.is_fixed();
            first.start.iter().find(is_it).map(|condition| condition.range.lower)
        };
        names.iter().zip(own).map(|(name, &own)| fixed(name).unwrap_or(own)).collect()
    };
    let rates: Vec<String> = names.iter().map(|name| format!("{name}'")).collect();
    let (q, v) = (given(&names, &initial.q), given(&rates, &initial.v));
    let method = Method::parse("midpoint").map_err(|error| error.to_string())?;
    let simulation = Simulation::new(system, &method, Options::default()).map_err(|error| error.to_string())?;
    let schedule = Schedule { start: 0.0, until, step, every: 1 };
    let begin = Instant::now();
    match simulation.run(&q, &v, schedule, &mut |_| begin.elapsed() < MAX_TIME) {
        Ok(trajectory) => Ok(trajectory),
        // What was computed until then may be enough.
        Err(SimulationError::Stopped { trajectory, .. }) if trajectory.len() > 1 => Ok(*trajectory),
        Err(error) => Err(error.to_string()),
    }
}

/// When a phase ends: at the impact of its guards, or after its own duration.
fn end_of(
    phase: &Phase,
    leaving: Option<&Transition>,
    trajectory: &Trajectory,
    begin: f64,
    doubts: &mut Vec<String>,
) -> f64 {
    let planned = begin + phase.duration.guess();
    let Some(leaving) = leaving.filter(|transition| !transition.guards.is_empty()) else { return planned };
    let is_guard = |contact: usize| trajectory.contacts.get(contact).is_some_and(|name| leaving.guards.contains(name));
    let mut impacts = trajectory.impacts.iter().filter(|impact| impact.t > begin);
    match impacts.find(|impact| impact.impulses.iter().any(|impulse| is_guard(impulse.contact))) {
        Some(impact) => match phase.duration {
            problem::Duration::Free { range, .. } => {
                begin + (impact.t - begin).clamp(range.lower.max(1e-6), range.upper)
            }
            problem::Duration::Fixed(_) => planned,
        },
        None => {
            let guards = leaving.guards.join(", ");
            doubts.push(format!("the simulation meets no impact of {guards} at the end of phase `{}`", phase.name));
            planned
        }
    }
}

/// The motion between two times, with the states beside impacts, and the signals of the inputs.
fn piece(system: &System, phase: &Phase, trajectory: &Trajectory, begin: f64, end: f64) -> PhaseGuess {
    let mut points: Vec<(f64, Vec<f64>, Vec<f64>)> = Vec::new();
    for impact in trajectory.impacts.iter().filter(|impact| impact.t == begin) {
        points.push((begin, impact.q_plus.clone(), impact.v_plus.clone()));
    }
    let nodes = (0..trajectory.len()).map(|k| trajectory.node(k));
    points.extend(
        nodes.filter(|node| node.t >= begin && node.t < end).map(|node| (node.t, node.q.to_vec(), node.v.to_vec())),
    );
    for impact in trajectory.impacts.iter().filter(|impact| impact.t == end) {
        points.push((end, impact.q.clone(), impact.v_minus.clone()));
    }
    // The simulation may have ended before.
    if points.is_empty() {
        let last = trajectory.last().map(|node| (begin, node.q.to_vec(), node.v.to_vec()));
        points.extend(last);
    }
    let duration = end - begin;
    let (mut times, mut q, mut v, mut u) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut graph = system.graph().clone();
    let signals: Vec<_> = system.inputs().iter().map(|input| input.signal).collect();
    let signals = system.specialise(&mut graph, &signals);
    for (t, position, velocity) in points {
        let state = system.q().iter().zip(&position).chain(system.v().iter().zip(&velocity));
        let mut values: Vec<_> = state.map(|(&id, &value)| (id, value)).collect();
        values.push((system.time(), t));
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        u.push(graph.evaluate(&signals, &values).into_iter().map(finite).collect());
        times.push(((t - begin) / duration).clamp(0.0, 1.0));
        q.push(position);
        v.push(velocity);
    }
    let u = if phase.system.inputs().is_empty() { Vec::new() } else { u };
    PhaseGuess { duration, times, q, v, u, ..PhaseGuess::default() }
}
