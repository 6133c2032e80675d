//! Where searches begin: the guess, and the guess bent so that it touches a contact some number of times.
//!
//! At the share `s` of the duration the configuration is moved along the gradient of the gap until
//!
//! ```text
//! phi(q) = |cos(pi b s)| phi(q_guess),        b touches at s = (j - 1/2) / b, none of them at the ends
//! ```
//!
//! Times can be warped, so that all touches come a little earlier or later: ground that is not flat has several
//! optima with the same number of impacts.
//!
//! Rates and impulses begin with what that motion needs: `Lambda = max(0, sigma_k - sigma_(k-1)) / (G M^-1 G^T)`.

use super::contacts::Touchable;
use super::program::Relaxed;
use crate::error::ControlError;
use crate::extract::numbers;
use crate::guess::{Guess, PhaseGuess};
use crate::phase::PreparedPhase;
use carom_expr::{Backend, Evaluator, Function, Group, Id};
use carom_linalg::{Lu, dot};
use carom_model::Legendre;
use carom_nlp::Nlp;

/// Steps of Newton's method along the gradient.
const STEPS: usize = 20;

/// Gap and slope of a contact.
pub(super) struct Gap {
    evaluator: Evaluator,
    legendre: Legendre,
}

impl Gap {
    pub(super) fn new(phase: &PreparedPhase<'_>, contact: &Touchable, freed: &[f64]) -> Result<Self, ControlError> {
        let dynamics = numbers(phase, freed);
        let mut graph = dynamics.graph.clone();
        let places: Vec<(Id, Id)> = phase.freed.iter().map(|&(i, id)| (id, graph.constant(freed[i]))).collect();
        let gap = graph.substitute(&[contact.surface.gap], &places)[0];
        let mut outputs = vec![gap];
        outputs.extend(graph.gradient(gap, &dynamics.q));
        let (inputs, outputs) = ([Group::new("q", &dynamics.q)], [Group::new("gap", &outputs)]);
        let evaluator = Function::compile(&graph, &inputs, &outputs, Backend::Interpreter)?.evaluator();
        Ok(Self { evaluator, legendre: Legendre::new(&dynamics, Backend::Interpreter)? })
    }

    /// The gap at a configuration.
    pub(super) fn at(&mut self, q: &[f64]) -> f64 {
        self.evaluator.values(q)[0]
    }

    /// Moves `q` along the gradient until the gap is `target`.
    fn reach(&mut self, q: &mut [f64], target: f64) {
        for _ in 0..STEPS {
            let values = self.evaluator.values(q);
            let (gap, slope) = (values[0] - target, &values[1..]);
            let size = dot(slope, slope);
            if !(size > 0.0 && gap.is_finite()) {
                return;
            }
            q.iter_mut().zip(slope).for_each(|(q, slope)| *q -= gap * slope / size);
        }
    }

    /// `1 / (G M^-1 G^T)`
    fn mass(&mut self, q: &[f64]) -> f64 {
        let normal = self.evaluator.values(q)[1..].to_vec();
        let mass = self.legendre.mass(q, &vec![0.0; q.len()], 0.0).to_vec();
        let (mut lu, mut direction) = (Lu::new(q.len()), normal.clone());
        if lu.factor(&mass).is_err() {
            return 1.0;
        }
        lu.solve(&mut direction);
        let inverse = dot(&normal, &direction);
        if inverse > 0.0 && inverse.is_finite() { 1.0 / inverse } else { 1.0 }
    }
}

/// The guess, bent to touch the contact `touches` times, each of them later by `shift` of the time between them.
pub(super) fn bent(
    guess: &PhaseGuess,
    gap: &mut Gap,
    (touches, shift): (usize, f64),
    intervals: usize,
    inputs: usize,
) -> PhaseGuess {
    let (count, half) = (touches as f64, 0.5 / touches as f64);
    let (first, last) = ((0.5 + shift) / count, (count - 0.5 + shift) / count);
    // Linear before the first touch, between touches, and after the last one.
    let warped = |time: f64| match time {
        time if time < first => time / first * half,
        time if time > last => 1.0 - (1.0 - time) / (1.0 - last) * half,
        time => time - shift / count,
    };
    let times: Vec<f64> = (0..=intervals).map(|k| k as f64 / intervals as f64).collect();
    let mut moved = |&time: &f64| {
        let mut q = guess.at(time);
        let share = (std::f64::consts::PI * count * warped(time)).cos().abs();
        let target = share * gap.at(&q);
        gap.reach(&mut q, target);
        q
    };
    let q = times.iter().map(&mut moved).collect();
    let u = if inputs == 0 { Vec::new() } else { times.iter().map(|&time| guess.control(time, inputs)).collect() };
    PhaseGuess { duration: guess.duration, times, q, u, ..PhaseGuess::default() }
}

/// Writes a guess into the start of the program, with rates and impulses that fit.
pub(super) fn apply(
    relaxed: &mut Relaxed,
    problem: &crate::problem::ControlProblem,
    guess: &Guess,
    gaps: &mut [Gap],
) -> Result<(), ControlError> {
    guess.apply(problem, &mut relaxed.transcript)?;
    let own = &relaxed.transcript.layout.phases[0];
    let mut start = relaxed.transcript.program.start().to_vec();
    let value = |start: &[f64], variables: &[u32]| -> Vec<f64> {
        variables.iter().map(|&variable| start[variable as usize]).collect()
    };
    let times = value(&start, &own.times);
    for (contact, gap) in relaxed.contacts.all.iter().zip(gaps) {
        let nodes: Vec<Vec<f64>> = own.q.iter().map(|q| value(&start, q)).collect();
        let values: Vec<f64> = nodes.iter().map(|q| gap.at(q)).collect();
        let rates: Vec<f64> =
            (0..contact.rates.len()).map(|k| (values[k + 1] - values[k]) / (times[k + 1] - times[k])).collect();
        contact.rates.iter().zip(&rates).for_each(|(&variable, &rate)| start[variable as usize] = rate);
        let steepest = (1..rates.len()).map(|k| rates[k] - rates[k - 1]).fold(0.0, f64::max);
        for k in 1..rates.len() {
            // Only kinks are impacts; what bends smoothly is pushed by controls.
            if let (Some(impulse), true) = (contact.impulses[k], rates[k] - rates[k - 1] > 0.5 * steepest) {
                start[impulse as usize] = (rates[k] - rates[k - 1]) * gap.mass(&nodes[k]);
            }
        }
    }
    relaxed.transcript.program.set_start(&start);
    Ok(())
}
