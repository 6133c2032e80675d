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
use crate::newton::Newton;
use crate::rules::Rule;
use crate::segment::{Closure, Layout, Segment};
use crate::stepper::{Options, Stepper};
use carom_expr::{Evaluator, FunctionError};
use carom_model::Dynamics;

/// A duration that grows or shrinks by more than this factor in one step is another solution branch.
const MAX_CHANGE: f64 = 4.0;

/// Takes steps that conserve the discrete energy.
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
}

impl EnergyStepper {
    /// Derives and compiles the extended equations of a rule.
    pub fn new(dynamics: &Dynamics, rule: Box<dyn Rule>, options: Options) -> Result<Self, FunctionError> {
        let segment = Segment::new(dynamics, &rule.table(), Closure::Energy, options.backend)?;
        let n = dynamics.dimension();
        Ok(Self {
            grid: Stepper::new(dynamics, &crate::Method::Rule(rule.into()), options)?,
            input: vec![0.0; Layout::len(segment.unknowns, n)],
            advance: segment.advance.evaluator(),
            newton: Newton::new(segment, options.formulation),
            options,
            change: vec![0.0; n + 1],
            energy: f64::NAN,
            duration: f64::NAN,
        })
    }

    /// Sets the state and takes a first, fixed step of duration `h`, which defines the energy.
    pub fn start(&mut self, t: f64, q: &[f64], v: &[f64], h: f64) -> Result<(), StepError> {
        self.grid.start(t, q, v)?;
        // The first displacement is the guess for the second.
        let before = self.grid.state().q.clone();
        self.grid.step(h)?;
        let state = self.grid.state();
        (self.energy, self.duration) = (state.discrete_energy, h);
        self.input.fill(0.0);
        let nodes = self.newton.segment().nodes.clone();
        for (node, time) in self.input.chunks_exact_mut(before.len()).zip(nodes) {
            let moves = state.q.iter().zip(&before).map(|(now, before)| time * (now - before));
            node.iter_mut().zip(moves).for_each(|(d, change)| *d = change);
        }
        Ok(())
    }

    /// The current state.
    pub fn state(&self) -> &PhaseState {
        self.grid.state()
    }

    /// The stepper behind the first step, for velocities and energies.
    pub fn grid(&mut self) -> &mut Stepper {
        &mut self.grid
    }

    /// Takes one step; its duration. After an error the state is the one before the step.
    pub fn step(&mut self) -> Result<f64, StepError> {
        let segment = self.newton.segment();
        let (n, unknowns, stages) = (segment.n, segment.unknowns, segment.stages);
        let state = self.grid.state();
        let time = state.t;
        let missing = StepError::NoEnergyStep { time, duration: self.duration };
        let guess = self.input[..n * stages].to_vec();
        self.input[unknowns - 1] = self.duration;
        let configuration = Layout::configuration(unknowns);
        self.input[configuration..configuration + n].copy_from_slice(&state.q);
        let momentum = Layout::momentum(unknowns, n);
        self.input[momentum..momentum + n].copy_from_slice(&state.p);
        let rest = Layout::energy(unknowns, n);
        self.input[rest..].copy_from_slice(&[self.energy, 0.0, time]);

        self.newton.forget();
        let solved = self.newton.solve(&mut self.input, self.options.tolerance, None);
        let duration = self.input[unknowns - 1];
        let sensible = duration > self.duration / MAX_CHANGE && duration < self.duration * MAX_CHANGE;
        if solved.is_err() || !sensible {
            self.input[..n * stages].copy_from_slice(&guess);
            return Err(missing);
        }
        self.advance.eval(&self.input, &mut self.change);
        let add = |old: &[f64], change: &[f64]| -> Vec<f64> { old.iter().zip(change).map(|(a, b)| a + b).collect() };
        let q = add(&state.q, &self.input[n * (stages - 1)..n * stages]);
        let p = add(&state.p, &self.change[..n]);
        self.grid.start_phase(time + duration, &q, &p)?;
        self.duration = duration;
        Ok(duration)
    }

    /// The discrete energy that the steps keep, and its value for the last step.
    pub fn energies(&self) -> (f64, f64) {
        let last = self.change.last().copied().unwrap_or(f64::NAN);
        (self.energy, last)
    }
}
