//! The extended discrete Euler-Lagrange equations: steps whose duration is
//! chosen such that the discrete energy is conserved.
//!
//! ```text
//! D_2 Ld(q_(k-1), q_k, h_(k-1)) + D_1 Ld(q_k, q_(k+1), h_k) = 0        (3.1.3)
//! D_3 Ld(q_(k-1), q_k, h_(k-1)) = D_3 Ld(q_k, q_(k+1), h_k)            (3.1.4)
//! ```
//!
//! `n + 1` equations for `q_(k+1)` and `h_k`. They need not have a solution:
//! near turning points of the motion there may be none, and then the step ends
//! with [`StepError::NoEnergyStep`]. Fixed steps are the method of choice;
//! these equations matter because impacts rest on them.

use crate::error::StepError;
use crate::motion::PhaseState;
use crate::newton::{Effort, Newton};
use crate::rules::Rule;
use crate::segment::{Closure, Opening, Segment};
use crate::stepper::{Options, Stepper};
use carom_expr::{Evaluator, FunctionError};
use carom_model::Dynamics;
use std::sync::Arc;

/// Durations that are looked at: the last one times `2^(k/4)`, up to a factor of four either way.
const SEARCH: i32 = 8;
/// Halvings of the interval that holds a solution, before Newton's method takes over.
const BISECTIONS: usize = 12;

/// Takes steps that conserve the discrete energy.
#[derive(Clone)]
pub struct EnergyStepper {
    grid: Stepper,
    newton: Newton,
    advance: Evaluator,
    options: Options,
    input: Vec<f64>,
    change: Vec<f64>,
    /// The discrete energy that all steps share.
    energy: f64,
    /// Duration of the last step.
    duration: f64,
    /// Multipliers of the projection at the current node.
    normal: Vec<f64>,
}

impl EnergyStepper {
    /// Derives and compiles the extended equations of a rule.
    pub fn new(dynamics: &Dynamics, rule: Arc<dyn Rule>, options: Options) -> Result<Self, FunctionError> {
        let ends = (Opening::Smooth, Closure::Energy);
        let segment = Segment::new(dynamics, &rule.table(), ends, options.formulation, options.backend)?;
        let n = dynamics.dimension();
        Ok(Self {
            grid: Stepper::new(dynamics, &crate::Method::Rule(rule), options)?,
            input: vec![0.0; segment.layout().len],
            advance: segment.advance.evaluator(),
            newton: Newton::new(segment, options.formulation),
            options,
            change: vec![0.0; n + 2],
            energy: f64::NAN,
            duration: f64::NAN,
            normal: vec![0.0; dynamics.constraint_count()],
        })
    }

    /// Sets the state and takes a first, fixed step of duration `h`, which defines the energy.
    pub fn start(&mut self, t: f64, q: &[f64], v: &[f64], h: f64) -> Result<(), StepError> {
        self.grid.start(t, q, v)?;
        self.grid.whole_step(h)?;
        (self.energy, self.duration) = (self.grid.state().discrete_energy, h);
        self.normal.copy_from_slice(self.grid.normal());
        Ok(())
    }

    /// The current state.
    pub fn state(&self) -> &PhaseState {
        self.grid.state()
    }

    /// Duration of the last step.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Work so far.
    pub fn effort(&self) -> Effort {
        let (grid, own) = (self.grid.effort(), self.newton.effort);
        Effort {
            iterations: grid.iterations + own.iterations,
            factorisations: grid.factorisations + own.factorisations,
        }
    }

    /// The stepper behind the first step, for velocities and energies.
    pub fn grid(&mut self) -> &mut Stepper {
        &mut self.grid
    }

    /// Takes one step; its duration. After an error the state is the one before the step.
    pub fn step(&mut self) -> Result<f64, StepError> {
        let before = self.grid.state().clone();
        let missing = StepError::NoEnergyStep { time: before.t, duration: self.duration };
        let guess = self.search(&before)?.ok_or(missing.clone())?;
        let duration = self.polish(&before, guess).ok_or(missing)?;
        let segment = self.newton.segment();
        let (n, stages) = (segment.n, segment.stages);
        let add = |old: &[f64], change: &[f64]| -> Vec<f64> { old.iter().zip(change).map(|(a, b)| a + b).collect() };
        let q = add(&before.q, &self.input[n * (stages - 1)..n * stages]);
        let p = add(&before.p, &self.change[..n]);
        let first = &self.input[n * stages..n * stages + self.normal.len()];
        let impulses: Vec<f64> = first.iter().zip(&self.normal).map(|(now, old)| now + old).collect();
        if let Err(error) = self.grid.start_phase(before.t + duration, &q, &p) {
            self.grid.start_phase(before.t, &before.q, &before.p)?;
            return Err(error);
        }
        self.normal.copy_from_slice(self.grid.normal());
        self.grid.set_segment(&impulses, self.change[n]);
        self.duration = duration;
        Ok(duration)
    }

    /// The discrete energy that the steps keep, and its value for the last step.
    pub fn energies(&self) -> (f64, f64) {
        let last = self.change.last().copied().unwrap_or(f64::NAN);
        (self.energy, last)
    }

    /// A duration close to one with the right energy: the excess of energy of fixed steps changes
    /// its sign there. None if it does not, within the durations that are looked at.
    fn search(&mut self, before: &PhaseState) -> Result<Option<f64>, StepError> {
        let duration = |k: i32| self.duration * 2_f64.powf(f64::from(k) / 4.0);
        let durations: Vec<f64> = (-SEARCH..=SEARCH).map(duration).collect();
        let mut excess = Vec::with_capacity(durations.len());
        for &h in &durations {
            excess.push(self.excess(before, h)?);
        }
        // The pair closest to the last duration.
        let middle = SEARCH as usize;
        let changes = |i: &usize| excess[*i] * excess[*i + 1] <= 0.0;
        let distance = |i: &usize| if *i < middle { middle - *i } else { *i - middle + 1 };
        let Some(pair) = (0..durations.len() - 1).filter(changes).min_by_key(distance) else { return Ok(None) };
        let (mut low, mut high, mut sign) = (durations[pair], durations[pair + 1], excess[pair]);
        for _ in 0..BISECTIONS {
            let half = 0.5 * (low + high);
            let value = self.excess(before, half)?;
            if value * sign > 0.0 {
                (low, sign) = (half, value);
            } else {
                high = half;
            }
        }
        Ok(Some(0.5 * (low + high)))
    }

    /// Discrete energy of a fixed step minus the wanted one; not-a-number if the step cannot be taken.
    fn excess(&mut self, before: &PhaseState, h: f64) -> Result<f64, StepError> {
        self.grid.start_phase(before.t, &before.q, &before.p)?;
        let energy = match self.grid.whole_step(h) {
            Ok(()) => self.grid.state().discrete_energy,
            Err(_) => f64::NAN,
        };
        self.grid.start_phase(before.t, &before.q, &before.p)?;
        Ok(energy - self.energy)
    }

    /// Solves the extended equations from a good guess; the duration.
    fn polish(&mut self, before: &PhaseState, guess: f64) -> Option<f64> {
        self.grid.whole_step(guess).ok()?;
        let segment = self.newton.segment();
        let (n, unknowns) = (segment.n, segment.unknowns);
        self.input[..unknowns - 1].copy_from_slice(self.grid.solution(unknowns - 1));
        self.input[unknowns - 1] = guess;
        let layout = segment.layout();
        self.input[layout.q..layout.q + n].copy_from_slice(&before.q);
        self.input[layout.p..layout.p + n].copy_from_slice(&before.p);
        self.input[layout.energy] = self.energy;
        self.input[layout.time] = before.t;
        let _ = self.grid.start_phase(before.t, &before.q, &before.p);

        self.newton.forget();
        self.newton.solve(&mut self.input, self.options.tolerance, None).ok()?;
        self.advance.eval(&self.input, &mut self.change);
        let duration = self.input[unknowns - 1];
        // Another branch is no continuation of the motion.
        (duration > 0.5 * guess && duration < 2.0 * guess).then_some(duration)
    }
}
