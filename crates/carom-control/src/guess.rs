//! Where a search begins: motions, from wherever they come.
//!
//! | from | how |
//! |---|---|
//! | the boundary conditions | [`Guess::interpolate`] |
//! | a simulation | [`PhaseGuess::from_trajectory`] |
//! | a solution, perhaps on another mesh | `Solution::guess` |

use crate::dmoc::node_weights;
use crate::error::ControlError;
use crate::layout::{PhaseLayout, Split};
use crate::problem::{Condition, ControlProblem, Phase};
use crate::spline::Spline;
use crate::transcription::Transcript;
use carom_model::Trajectory;
use carom_nlp::Nlp;

/// A motion to begin with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guess {
    /// One per phase.
    pub phases: Vec<PhaseGuess>,
    /// Freed parameters; the systems' own values if empty.
    pub freed: Vec<f64>,
    /// One per transition; if empty, velocities go on as the next phases begin, and impulses are zero.
    pub transitions: Vec<TransitionGuess>,
}

/// The motion of a phase: a natural cubic spline through its points, or straight lines where velocities are given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PhaseGuess {
    /// The duration.
    pub duration: f64,
    /// Times of the points as shares of the duration, ascending from 0 to 1.
    pub times: Vec<f64>,
    /// Configurations at these times.
    pub q: Vec<Vec<f64>>,
    /// Velocities at these times; differences of configurations if empty.
    pub v: Vec<Vec<f64>>,
    /// Controls at these times; zero if empty.
    pub u: Vec<Vec<f64>>,
    /// Constraint forces at these times; zero if empty.
    pub forces: Vec<Vec<f64>>,
}

/// The unknowns of a transition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransitionGuess {
    /// Velocity after the impact.
    pub v_plus: Vec<f64>,
    /// Impulses.
    pub impulses: Vec<f64>,
}

impl Guess {
    /// Straight lines from the given start to the given end of each phase. Values that are not given are kept from the
    /// phase before, or are those of `defaults`.
    pub fn interpolate(problem: &ControlProblem, defaults: &[Vec<f64>]) -> Self {
        let mut phases: Vec<PhaseGuess> = Vec::new();
        for (number, phase) in problem.phases.iter().enumerate() {
            let n = phase.system.dimension();
            let own = defaults.get(number).filter(|q| q.len() == n).cloned();
            let previous = phases.last().map(|last| last.q[last.q.len() - 1].clone()).filter(|q| q.len() == n);
            let base = previous.or(own).unwrap_or_else(|| vec![0.0; n]);
            let start = given(phase, &phase.start, &base);
            let end = given(phase, &phase.end, &start);
            phases.push(PhaseGuess {
                duration: phase.duration.guess(),
                times: vec![0.0, 1.0],
                q: vec![start, end],
                ..PhaseGuess::default()
            });
        }
        Self { phases, ..Self::default() }
    }

    /// Writes the guess into the start of a program.
    pub fn apply(&self, problem: &ControlProblem, transcript: &mut Transcript) -> Result<(), ControlError> {
        if self.phases.len() != problem.phases.len() {
            let what = format!("{} phases for {}", self.phases.len(), problem.phases.len());
            return Err(ControlError::GuessShape { what });
        }
        let layout = transcript.layout.clone();
        let mut start = vec![0.0; transcript.program.variables().len()];
        for (index, (&variable, freed)) in layout.freed.iter().zip(&problem.freed).enumerate() {
            let parameters = problem.phases.iter().flat_map(|phase| phase.system.parameters());
            let own = parameters.into_iter().find(|parameter| parameter.name == freed.name).map_or(0.0, |p| p.value);
            start[variable as usize] = self.freed.get(index).copied().or(freed.guess).unwrap_or(own);
        }
        for ((guess, own), phase) in self.phases.iter().zip(&layout.phases).zip(&problem.phases) {
            guess.check(phase)?;
            guess.fill(own, phase, &mut start);
        }
        let links = crate::dmoc::transitions(problem);
        for (number, (own, link)) in layout.transitions.iter().zip(links).enumerate() {
            if let Some(known) = self.transitions.get(number) {
                let pairs = own.v_plus.iter().zip(&known.v_plus).chain(own.impulses.iter().zip(&known.impulses));
                pairs.for_each(|(&to, &value)| start[to as usize] = value);
                continue;
            }
            // After the impact: as the next phase begins, if it has the same coordinates.
            let next = &layout.phases[link.to].v[0];
            if next.len() == own.v_plus.len() && link.map.is_empty() {
                own.v_plus.iter().zip(next).for_each(|(&to, &from)| start[to as usize] = start[from as usize]);
            }
        }
        for (freed, &variable) in problem.freed.iter().zip(&layout.freed) {
            let (name, value) = (freed.name.clone(), start[variable as usize]);
            if !value.is_finite() {
                return Err(ControlError::Guess { phase: "all".to_owned(), node: 0, name, value });
            }
        }
        // Where values are fixed or bounded, a guess cannot help.
        for (value, variable) in start.iter_mut().zip(transcript.program.variables()) {
            *value = value.max(variable.range.lower).min(variable.range.upper);
        }
        fill_parts(transcript, &mut start);
        transcript.program.set_start(&start);
        Ok(())
    }
}

/// Positive and negative parts of what is split, `w+ = max(w, 0)` and `w- = max(-w, 0)`; a value that
/// is not finite is left to the solver, which tells it by name.
fn fill_parts(transcript: &mut Transcript, start: &mut [f64]) {
    let splits: Vec<Split> = transcript.layout.phases.iter().flat_map(|phase| phase.splits.iter().copied()).collect();
    if splits.is_empty() {
        return;
    }
    let mut rows = vec![0.0; transcript.program.row_ranges().len()];
    transcript.program.values(start, &mut rows);
    for split in splits {
        let value = rows[split.row as usize];
        if value.is_finite() {
            start[split.plus as usize] = value.max(0.0);
            start[split.minus as usize] = (-value).max(0.0);
        }
    }
}

/// Values that conditions on single coordinates fix.
fn given(phase: &Phase, conditions: &[Condition], base: &[f64]) -> Vec<f64> {
    let mut q = base.to_vec();
    for (value, coordinate) in q.iter_mut().zip(phase.system.coordinates()) {
        let of = |condition: &&Condition| condition.formula.trim() == coordinate.name;
        for condition in conditions.iter().filter(of) {
            let inside = value.max(condition.range.lower).min(condition.range.upper);
            *value = inside;
        }
    }
    q
}

impl PhaseGuess {
    /// The motion of a simulation between two times; controls are zero.
    pub fn from_trajectory(trajectory: &Trajectory, from: f64, to: f64) -> Self {
        let nodes = (0..trajectory.len()).map(|k| trajectory.node(k)).filter(|node| node.t >= from && node.t <= to);
        let duration = to - from;
        let (mut times, mut q, mut v) = (Vec::new(), Vec::new(), Vec::new());
        for node in nodes {
            times.push((node.t - from) / duration);
            q.push(node.q.to_vec());
            v.push(node.v.to_vec());
        }
        Self { duration, times, q, v, ..Self::default() }
    }

    /// Configuration at a share of the duration.
    pub fn at(&self, time: f64) -> Vec<f64> {
        interpolate(&self.times, &self.q, time)
    }

    /// Velocity at a share of the duration.
    pub fn velocity(&self, time: f64) -> Vec<f64> {
        if !self.v.is_empty() {
            return interpolate(&self.times, &self.v, time);
        }
        let (a, b) = ((time - 1e-4).max(0.0), (time + 1e-4).min(1.0));
        let (before, after) = (self.at(a), self.at(b));
        before.iter().zip(&after).map(|(x, y)| (y - x) / ((b - a) * self.duration)).collect()
    }

    /// Controls at a share of the duration.
    pub fn control(&self, time: f64, count: usize) -> Vec<f64> {
        if self.u.is_empty() { vec![0.0; count] } else { interpolate(&self.times, &self.u, time) }
    }

    /// Refuses guesses that are not finite or do not fit.
    fn check(&self, phase: &Phase) -> Result<(), ControlError> {
        let (n, inputs) = (phase.system.dimension(), phase.system.inputs().len());
        let ascends = self.times.windows(2).all(|pair| pair[0] <= pair[1]);
        let is_finite = self.times.iter().chain(self.forces.iter().flatten()).all(|value| value.is_finite());
        if self.times.is_empty() || self.times.len() != self.q.len() || !ascends || !is_finite {
            let what =
                format!("phase `{}`: {} times for {} configurations", phase.name, self.times.len(), self.q.len());
            return Err(ControlError::GuessShape { what });
        }
        for list in [&self.v, &self.u, &self.forces] {
            if !list.is_empty() && list.len() != self.times.len() {
                let what = format!("phase `{}`: {} times for {} values", phase.name, self.times.len(), list.len());
                return Err(ControlError::GuessShape { what });
            }
        }
        let coordinates = phase.system.coordinate_names();
        let rates: Vec<String> = coordinates.iter().map(|name| format!("{name}'")).collect();
        let controls: Vec<String> = phase.system.inputs().iter().map(|input| input.name.clone()).collect();
        for (list, names, count) in [(&self.q, &coordinates, n), (&self.v, &rates, n), (&self.u, &controls, inputs)] {
            for (node, values) in list.iter().enumerate() {
                if values.len() != count {
                    let what = format!("phase `{}`, node {node}: {} values for {count}", phase.name, values.len());
                    return Err(ControlError::GuessShape { what });
                }
                if let Some(index) = values.iter().position(|value| !value.is_finite()) {
                    let (phase, name, value) = (phase.name.clone(), names[index].clone(), values[index]);
                    return Err(ControlError::Guess { phase, node, name, value });
                }
            }
        }
        if !(self.duration > 0.0 && self.duration.is_finite()) {
            return Err(ControlError::Duration { phase: phase.name.clone(), value: self.duration });
        }
        Ok(())
    }

    fn fill(&self, own: &PhaseLayout, phase: &Phase, start: &mut [f64]) {
        let mut set = |variables: &[u32], values: &[f64]| {
            variables.iter().zip(values).for_each(|(&variable, &value)| start[variable as usize] = value);
        };
        let inputs = phase.system.inputs().len();
        let motion = Spline::new(&self.times, &self.q);
        let position = |time: f64| if self.v.is_empty() { motion.at(time).0 } else { self.at(time) };
        let velocity = |time: f64| match self.v.is_empty() {
            true => motion.at(time).1.iter().map(|slope| slope / self.duration).collect(),
            false => self.velocity(time),
        };
        let mut before = 0.0;
        for k in 0..own.q.len() {
            set(&own.q[k], &position(before));
            if own.v.len() == own.q.len() {
                set(&own.v[k], &velocity(before));
            }
            let Some(share) = own.mesh.get(k) else { break };
            for (node, time) in own.inner[k].iter().zip(&own.inner_times) {
                set(node, &position(before + time * share));
            }
            for (node, time) in own.inner_v.get(k).into_iter().flatten().zip(&own.inner_times) {
                set(node, &velocity(before + time * share));
            }
            for (index, unknowns) in own.controls[k].iter().enumerate() {
                let times: Vec<f64> = match unknowns.len() {
                    1 => vec![0.5],
                    count if count == own.sample_times.len() && phase.shape == crate::ControlShape::Samples => {
                        own.sample_times.clone()
                    }
                    _ => vec![0.0, 1.0],
                };
                let values = times.iter().map(|time| self.control(before + time * share, inputs)[index]);
                set(unknowns, &values.collect::<Vec<f64>>());
            }
            before += share;
        }
        self.fill_forces(own, &mut set);
        if own.v.len() == 2 {
            set(&own.v[0], &velocity(0.0));
            set(&own.v[1], &velocity(1.0));
        }
        if let Some(duration) = own.duration {
            start[duration as usize] = self.duration;
        }
        let mut time = 0.0;
        for (k, &variable) in own.times.iter().enumerate() {
            start[variable as usize] = time;
            time += own.mesh.get(k).unwrap_or(&0.0) * self.duration;
        }
    }
}

impl PhaseGuess {
    /// Impulses `lambda = -force * width` of the constraints, where they are unknowns.
    fn fill_forces(&self, own: &PhaseLayout, set: &mut impl FnMut(&[u32], &[f64])) {
        // Collocation knows forces, not impulses, and keeps them elsewhere.
        if self.forces.is_empty() || own.lambda.len() != own.q.len() || !own.inner_v.is_empty() {
            return;
        }
        let weights = node_weights(&own.inner_times);
        let width = |k: usize| own.mesh.get(k).copied().unwrap_or(0.0) * self.duration;
        let impulse = |time: f64, span: f64| -> Vec<f64> {
            interpolate(&self.times, &self.forces, time).into_iter().map(|force| -force * span).collect()
        };
        let mut before = 0.0;
        for (k, lambda) in own.lambda.iter().enumerate() {
            let span = weights[0] * width(k) + if k > 0 { weights[weights.len() - 1] * width(k - 1) } else { 0.0 };
            set(lambda, &impulse(before, span));
            if lambda.is_empty() || k == own.mesh.len() {
                continue;
            }
            for ((inner, time), weight) in own.extra[k].chunks(lambda.len()).zip(&own.inner_times).zip(&weights[1..]) {
                set(inner, &impulse(before + time * own.mesh[k], weight * width(k)));
            }
            before += own.mesh[k];
        }
    }
}

/// Linear interpolation, constant beyond the ends.
fn interpolate(times: &[f64], values: &[Vec<f64>], time: f64) -> Vec<f64> {
    let after = times.partition_point(|&known| known <= time).min(times.len() - 1);
    let before = after.saturating_sub(1);
    let width = times[after] - times[before];
    let share = if width > 0.0 { ((time - times[before]) / width).clamp(0.0, 1.0) } else { 1.0 };
    values[before].iter().zip(&values[after]).map(|(a, b)| a + share * (b - a)).collect()
}
