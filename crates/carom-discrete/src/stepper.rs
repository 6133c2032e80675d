//! The stepper: segments one after the other, in position-momentum form.

use crate::error::StepError;
use crate::implicit::Implicit;
use crate::memory::Memory;
use crate::method::Method;
use crate::motion::{Motion, PhaseState};
use crate::newton::{Effort, Newton};
use crate::null_space::Formulation;
use crate::regular::determinant;
use crate::segment::{Closure, Layout, Opening, Segment};
use crate::tape::Tape;
use carom_expr::{Backend, Evaluator, FunctionError};
use carom_impact::ContactOptions;
use carom_linalg::max_abs;
use carom_model::{Acceleration, Dynamics, Legendre, LegendreError, Recorder, Snapshot};

/// A guess that is off by more than this part of the motion during the step is not worth following:
/// the solution near it may belong to another branch.
const REACH: f64 = 0.5;
/// A step that fails is divided at most this often by two.
const MAX_HALVINGS: u32 = 6;

/// Settings of a stepper.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Newton's method ends when a correction is smaller than this fraction of the
    /// displacement; the default iterates to rounding.
    pub tolerance: f64,
    /// How constraint forces are dealt with.
    pub formulation: Formulation,
    /// How functions are executed.
    pub backend: Backend,
    /// How impacts are dealt with.
    pub contacts: ContactOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tolerance: 1e-15,
            formulation: Formulation::default(),
            backend: Backend::fastest(),
            contacts: ContactOptions::default(),
        }
    }
}

/// One rule of a method, with the memory of its last solutions.
#[derive(Clone)]
pub(crate) struct Stage {
    pub(crate) newton: usize,
    fraction: f64,
    /// True if velocity constraints reflect the momentum before the step.
    reflects: bool,
    /// Solutions of the last steps of equal duration.
    pub(crate) memory: Memory,
    pub(crate) duration: f64,
}

/// Advances a state by steps of a method.
#[derive(Clone)]
pub struct Stepper {
    pub(crate) n: usize,
    /// All constraints, and the velocity constraints among them.
    pub(crate) m: usize,
    pub(crate) velocity_constraints: usize,
    options: Options,
    pub(crate) solvers: Vec<(Newton, Evaluator)>,
    pub(crate) stages: Vec<Stage>,
    pub(crate) legendre: Legendre,
    pub(crate) acceleration: Acceleration,
    /// Velocities of a degenerate Lagrangian.
    implicit: Option<Implicit>,
    /// The determinant of the frame, where momenta along its fields are balanced.
    pub(crate) determinant: Option<Evaluator>,
    /// Names of the velocity constraints, and the greatest lengths that their one-forms have had.
    pub(crate) constraint_names: Vec<String>,
    pub(crate) longest: Vec<f64>,
    /// The one-forms at the start of the last segment.
    pub(crate) earlier_forms: Vec<f64>,
    pub(crate) now: Motion,
    pub(crate) before: Motion,
    pub(crate) input: Vec<f64>,
    change: Vec<f64>,
    repeated: usize,
    divided: usize,
    pub(crate) is_whole: bool,
    /// Segments as they were solved, if somebody wants to know.
    pub(crate) tape: Option<Tape>,
}

impl Stepper {
    /// Derives and compiles `method` for `dynamics`.
    pub fn new(dynamics: &Dynamics, method: &Method, options: Options) -> Result<Self, FunctionError> {
        let (n, m) = (dynamics.dimension(), dynamics.constraint_count());
        let mut segments: Vec<(String, Segment)> = Vec::new();
        let mut keys: Vec<(String, u64)> = Vec::new();
        let (mut solvers, mut stages) = (Vec::new(), Vec::new());
        for (rule, fraction) in method.substeps() {
            if !segments.iter().any(|(name, _)| *name == rule.name()) {
                let ends = (Opening::Smooth, Closure::Grid);
                // Steps that reflect know nothing of velocity constraints.
                let free = rule.reflects().then(|| dynamics.without_velocity_constraints());
                let dynamics = free.as_ref().unwrap_or(dynamics);
                let segment = Segment::new(dynamics, &rule.table(), ends, options.formulation, options.backend)?;
                segments.push((rule.name(), segment));
            }
            // Kept factors belong to one duration: every fraction has a solver of its own.
            let key = (rule.name(), fraction.to_bits());
            let newton = keys.iter().position(|known| *known == key).unwrap_or(keys.len());
            if newton == keys.len()
                && let Some((_, segment)) = segments.iter().find(|(name, _)| *name == key.0)
            {
                let formulation = options.formulation.for_dynamics(dynamics);
                solvers.push((Newton::new(segment.clone(), formulation), segment.advance.evaluator()));
                keys.push(key);
            }
            let reflects = rule.reflects() && !dynamics.velocity_constraints.is_empty();
            stages.push(Stage { newton, fraction, reflects, memory: Memory::default(), duration: 0.0 });
        }
        let longest = solvers.iter().map(|(newton, _)| newton.segment().unknowns).max().unwrap_or(0);
        Ok(Self {
            n,
            m,
            velocity_constraints: dynamics.velocity_constraints.len(),
            options,
            solvers,
            stages,
            legendre: Legendre::new(dynamics, options.backend)?,
            acceleration: Acceleration::new(dynamics, Backend::Interpreter)?,
            implicit: Implicit::new(dynamics)?,
            determinant: match options.formulation {
                Formulation::Hamel => determinant(dynamics)?,
                _ => None,
            },
            earlier_forms: Vec::new(),
            longest: vec![0.0; dynamics.velocity_constraints.len()],
            constraint_names: dynamics.constraint_names[dynamics.constraints.len()..].to_vec(),
            now: Motion::new(n, m),
            before: Motion::new(n, m),
            input: vec![0.0; Layout::new(longest, n).len],
            change: vec![0.0; n + 2],
            repeated: 0,
            divided: 0,
            is_whole: true,
            tape: None,
        })
    }

    /// Sets the state by position and velocity; both are moved onto the constraints.
    pub fn start(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), StepError> {
        self.now.state.t = t;
        self.now.state.q.copy_from_slice(q);
        self.legendre.project_configuration(&mut self.now.state.q)?;
        self.legendre.momentum(&self.now.state.q, v, t, &mut self.now.state.p);
        if max_abs(&self.now.state.p).is_nan() {
            return Err(LegendreError::NotFinite { time: t, what: "the initial momentum" }.into());
        }
        self.now.velocity.copy_from_slice(v);
        self.set_phase()?;
        // What was not tangent in the given velocity is no force.
        self.now.normal.fill(0.0);
        Ok(())
    }

    /// Sets the state by position and momentum, as they are.
    pub fn start_phase(&mut self, t: f64, q: &[f64], p: &[f64]) -> Result<(), StepError> {
        self.now.state.t = t;
        self.now.state.q.copy_from_slice(q);
        self.now.state.p.copy_from_slice(p);
        self.set_phase()
    }

    fn set_phase(&mut self) -> Result<(), StepError> {
        self.now.position_rest.fill(0.0);
        self.now.momentum_rest.fill(0.0);
        self.now.state.discrete_energy = f64::NAN;
        self.now.duration = f64::NAN;
        self.stages.iter_mut().for_each(|stage| stage.memory.clear());
        self.solvers.iter_mut().for_each(|(newton, _)| newton.forget());
        self.now.state.impulses.fill(0.0);
        if let Some(implicit) = &mut self.implicit {
            let Motion { state, velocity, .. } = &mut self.now;
            implicit.start((&state.q, &state.p, state.t), velocity)?;
        }
        self.mark_distribution();
        self.refresh_velocity()
    }

    /// The current state.
    pub fn state(&self) -> &PhaseState {
        &self.now.state
    }

    /// The velocity of the current state.
    pub fn velocity(&mut self) -> Result<&[f64], StepError> {
        if self.m == 0 && self.implicit.is_none() {
            self.refresh_velocity()?;
        }
        Ok(&self.now.velocity)
    }

    /// The multipliers `lambda` of the constraint forces `-G^T lambda` in the current state.
    pub fn multipliers(&mut self) -> Result<Vec<f64>, StepError> {
        self.velocity()?;
        if self.implicit.is_some() {
            // The impulse of the last node, as a force.
            let duration = if self.now.duration.is_nan() { 1.0 } else { self.now.duration };
            return Ok(self.now.state.impulses.iter().map(|impulse| impulse / duration).collect());
        }
        let Motion { state, velocity, .. } = &self.now;
        let singular = StepError::Singular { time: state.t };
        let all = self.acceleration.at(&state.q, velocity, state.t);
        Ok(all.ok_or(singular)?[self.n..].to_vec())
    }

    /// Writes the current state into a trajectory.
    pub(crate) fn record(&mut self, recorder: &mut Recorder) -> Result<(), StepError> {
        let multipliers = if self.m > 0 { self.multipliers()? } else { Vec::new() };
        self.velocity()?;
        let Motion { state: PhaseState { t, q, p, .. }, velocity: v, .. } = &self.now;
        recorder.record(Snapshot { t: *t, q, v, p, multipliers: &multipliers }, &mut self.legendre)?;
        Ok(())
    }

    /// Multipliers of the projection at the current node.
    pub(crate) fn normal(&self) -> &[f64] {
        &self.now.normal
    }

    /// What a segment that was solved elsewhere knows about the current state.
    pub(crate) fn set_segment(&mut self, impulses: &[f64], discrete_energy: f64) {
        self.now.state.impulses.copy_from_slice(impulses);
        self.now.state.discrete_energy = discrete_energy;
    }

    /// Momenta, energies and constraints of the same system.
    pub fn legendre(&mut self) -> &mut Legendre {
        &mut self.legendre
    }

    /// Replaces the sum of the durations by the exact time of the grid.
    pub(crate) fn set_time(&mut self, time: f64) {
        self.now.state.t = time;
    }

    /// Work so far.
    pub fn effort(&self) -> Effort {
        self.solvers.iter().fold(Effort::default(), |sum, (newton, _)| Effort {
            iterations: sum.iterations + newton.effort.iterations,
            factorisations: sum.factorisations + newton.effort.factorisations,
        })
    }

    /// Steps that were repeated from another guess.
    pub fn repeated(&self) -> usize {
        self.repeated
    }

    /// Steps that were divided: there the method changed its step, and its symmetry was lost.
    pub fn divided(&self) -> usize {
        self.divided
    }

    /// Takes one step of duration `h` (negative steps go back in time).
    ///
    /// A step that does not converge is divided, up to 64 parts. After an error the state is the
    /// one before the step.
    pub fn step(&mut self, h: f64) -> Result<(), StepError> {
        let is_extrapolated = self.stages.iter().any(|stage| !stage.memory.is_empty());
        let Err(first) = self.attempt(h, 1) else { return Ok(()) };
        self.repeated += 1;
        let mut last = first;
        // The first repetition starts from accelerated motion instead of an extrapolation, the others
        // divide the step.
        for halvings in u32::from(!is_extrapolated)..=MAX_HALVINGS {
            self.divided += usize::from(halvings == 1);
            match self.attempt(h, 1 << halvings) {
                Ok(()) => return Ok(()),
                Err(failure) => last = failure,
            }
        }
        let time = self.now.state.t;
        Err(match last {
            StepError::NotConverged { residual, .. } => {
                StepError::NotConverged { time, parts: 1 << MAX_HALVINGS, residual }
            }
            other => other,
        })
    }

    /// One step that is not divided.
    pub(crate) fn whole_step(&mut self, h: f64) -> Result<(), StepError> {
        self.attempt(h, 1)
    }

    /// The unknowns of the last segment: displacements, then multipliers.
    pub(crate) fn solution(&self, unknowns: usize) -> &[f64] {
        &self.input[..unknowns]
    }

    /// The whole step in equal parts, or nothing.
    fn attempt(&mut self, h: f64, parts: u32) -> Result<(), StepError> {
        self.before.copy_from(&self.now);
        self.tape.iter_mut().for_each(Tape::mark);
        self.now.state.discrete_energy = 0.0;
        // In the shortest parts every guess is followed.
        let reach = if parts < 1 << MAX_HALVINGS { REACH } else { f64::INFINITY };
        for _ in 0..parts {
            for stage in 0..self.stages.len() {
                let duration = h / f64::from(parts) * self.stages[stage].fraction;
                let share = self.stages[stage].fraction / f64::from(parts);
                if let Err(error) = self.advance(stage, duration, share, reach) {
                    self.undo();
                    return Err(error);
                }
            }
        }
        self.is_whole = parts == 1;
        // Sums of fractions round; the grid does not.
        self.now.state.t = self.before.state.t + h;
        Ok(())
    }

    /// One segment.
    fn advance(&mut self, stage: usize, duration: f64, share: f64, reach: f64) -> Result<(), StepError> {
        let (n, m, time) = (self.n, self.m, self.now.state.t);
        if self.stages[stage].reflects {
            self.reflect(duration)?;
        }
        let is_linear = self.solvers[self.stages[stage].newton].0.is_linear();
        let motion = if is_linear { f64::INFINITY } else { self.predict(stage, duration)? };
        // The guess of a degenerate motion may be as bad as its velocity.
        let reach = if self.implicit.is_some() { f64::INFINITY } else { reach };
        // Infinity times a motion of size zero is no bound either.
        let reach = if reach.is_finite() { reach * motion } else { reach };
        let now = &mut self.now;
        let Stage { newton, .. } = self.stages[stage];
        let (newton, advance) = &mut self.solvers[newton];
        let unknowns = newton.segment().unknowns;
        let layout = newton.segment().layout();
        let input = &mut self.input[..layout.len];
        input[layout.q..layout.q + n].copy_from_slice(&now.state.q);
        input[layout.p..layout.p + n].copy_from_slice(&now.state.p);
        input[layout.duration] = duration;
        input[layout.time] = time;
        newton.solve(input, self.options.tolerance, Some(reach)).map_err(|failure| failure.at(time))?;

        advance.eval(input, &mut self.change);
        if !max_abs(&self.change).is_finite() {
            return Err(StepError::NotFinite { time });
        }
        let stages = newton.segment().stages;
        let last = &input[n * (stages - 1)..n * stages];
        if let Some(tape) = &mut self.tape {
            tape.push(self.stages[stage].newton, input, layout);
        }
        // The composed action of a step has the energy `-dLd/dh = sum gamma_i E_i`.
        now.state.discrete_energy += self.change[n] * share;
        let first = &input[n * stages..n * stages + newton.segment().m];
        now.arrive(last, first, &self.change[..n], duration);
        if let Some(implicit) = &mut self.implicit {
            let Motion { state, velocity, .. } = now;
            implicit.arrive((&state.q, &state.p, state.t), last, duration, velocity)?;
        }
        let Stage { memory, duration: last, .. } = &mut self.stages[stage];
        if is_linear {
            if *last != duration {
                memory.clear();
                *last = duration;
            }
            memory.keep(&self.input[..unknowns]);
        } else {
            memory.remember(&self.input[..unknowns]);
        }
        if m > 0 {
            self.refresh_velocity()?;
        }
        self.check_distribution(time, n * (stages - 1)..n * stages)
    }

    /// Velocity and tangent momentum of the current state.
    pub(crate) fn refresh_velocity(&mut self) -> Result<(), StepError> {
        if self.implicit.is_some() {
            return Ok(());
        }
        let Motion { state, velocity, normal, .. } = &mut self.now;
        self.legendre.velocity(&state.q, state.t, &mut state.p, velocity, normal)?;
        Ok(())
    }
}
