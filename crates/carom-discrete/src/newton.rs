//! Newton's method for one segment, with the exact Jacobian.
//!
//! The factored Jacobian is kept from iteration to iteration and from step to
//! step as long as it contracts well, because for larger systems factoring
//! costs more than a few extra iterations. Iteration goes on until the next
//! correction would be below rounding: what is conserved by the exact equations
//! is then conserved to rounding, too.

use crate::null_space::Formulation;
use crate::segment::{Linearity, Segment};
use carom_expr::Evaluator;
use carom_linalg::{Lu, max_abs};

/// Most iterations of one solve. An iteration that wanders longer than this is likely to end on
/// another solution branch, far from the motion; a divided step is the better answer.
const MAX_ITERATIONS: usize = 16;
/// Corrections must shrink by this factor from one iteration to the next, for the same reason:
/// then the solution is no farther from the guess than twice the first correction.
const MIN_CONTRACTION: f64 = 0.5;
/// A kept Jacobian is renewed when it would need more iterations than this to reach rounding.
const PATIENCE: f64 = 4.0;
/// Systems up to this size factor anew in every iteration: that is cheaper than one more iteration.
const SMALL: usize = 6;
/// The next correction may be ignored below this fraction of the displacement.
const NEGLIGIBLE: f64 = 1e-17;
/// Corrections below this fraction that stop shrinking are rounding.
const ROUNDING: f64 = 1e-10;
/// Smallest damping factor that is tried.
const MIN_DAMPING: f64 = 1.0 / 256.0;

/// Why a segment was not solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NewtonFailure {
    /// The iteration did not settle.
    NotConverged {
        /// Largest residual at the end.
        residual: f64,
    },
    /// The Jacobian is singular.
    Singular,
    /// A residual is not a finite number.
    NotFinite,
}

/// Work of the solver so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Iterations.
    pub iterations: usize,
    /// Jacobians evaluated and factored.
    pub factorisations: usize,
}

/// Solver and workspace of one segment.
#[derive(Clone)]
pub(crate) struct Newton {
    pub(crate) segment: Segment,
    formulation: Formulation,
    residual: Evaluator,
    newton: Evaluator,
    /// Residual, then Jacobian.
    pub(crate) output: Vec<f64>,
    /// The correction of all unknowns.
    pub(crate) step: Vec<f64>,
    pub(crate) lu: Lu,
    /// The projected Jacobian.
    pub(crate) reduced: Vec<f64>,
    factored: bool,
    /// The duration that kept factors of linear equations belong to.
    duration: f64,
    pub(crate) effort: Effort,
}

impl Newton {
    pub(crate) fn new(segment: Segment, formulation: Formulation) -> Self {
        let size = segment.unknowns;
        // The projected system lacks the multipliers.
        let projected = formulation == Formulation::NullSpace && segment.m > 0;
        let order = if projected { size - segment.m * segment.stages } else { size };
        Self {
            formulation: if projected { Formulation::NullSpace } else { Formulation::Multipliers },
            residual: segment.residual.evaluator(),
            newton: segment.newton.evaluator(),
            output: vec![0.0; size + size * size],
            step: vec![0.0; size],
            lu: Lu::new(order),
            reduced: vec![0.0; order * order],
            factored: false,
            duration: f64::NAN,
            effort: Effort::default(),
            segment,
        }
    }

    pub(crate) fn segment(&self) -> &Segment {
        &self.segment
    }

    /// Forgets the kept factors (the duration has changed).
    pub(crate) fn forget(&mut self) {
        self.factored = false;
    }

    /// Solves for the unknowns, which stand first in `input` and hold a guess. The first
    /// correction must not exceed `reach`, and the following ones must shrink; without a `reach`
    /// the iteration may wander.
    pub(crate) fn solve(&mut self, input: &mut [f64], tolerance: f64, reach: Option<f64>) -> Result<(), NewtonFailure> {
        let is_plain = self.formulation == Formulation::Multipliers;
        let result = if self.segment.linearity != Linearity::Nonlinear && is_plain {
            self.solve_linear(input)
        } else {
            self.iterate(input, tolerance, reach)
        };
        self.factored &= result.is_ok();
        result
    }

    /// True if no guess is needed.
    pub(crate) fn is_linear(&self) -> bool {
        self.segment.linearity != Linearity::Nonlinear && self.formulation == Formulation::Multipliers
    }

    /// One correction from zero.
    fn solve_linear(&mut self, input: &mut [f64]) -> Result<(), NewtonFailure> {
        let (size, duration) = (self.segment.unknowns, input[self.segment.layout().duration]);
        input[..size].fill(0.0);
        let is_kept = self.factored && self.segment.linearity == Linearity::Constant && self.duration == duration;
        self.effort.iterations += 1;
        self.evaluate(input, !is_kept)?;
        self.correction(!is_kept)?;
        self.duration = duration;
        input.iter_mut().zip(&self.step).for_each(|(value, step)| *value = -step);
        Ok(())
    }

    fn iterate(&mut self, input: &mut [f64], tolerance: f64, reach: Option<f64>) -> Result<(), NewtonFailure> {
        let size = self.segment.unknowns;
        let always = size <= SMALL || self.formulation == Formulation::NullSpace;
        let (mut last, mut last_scale, mut last_residual) = (f64::INFINITY, 0.0, f64::INFINITY);
        let mut renew = always || !self.factored;
        let (mut damping, mut was_fresh) = (1.0, false);
        let most = if reach.is_some() { MAX_ITERATIONS } else { 4 * MAX_ITERATIONS };
        for _ in 0..most {
            self.effort.iterations += 1;
            let residual = self.evaluate(input, renew)?;
            // A full correction that made things worse is taken back in part.
            if residual > 2.0 * last_residual && last > ROUNDING * last_scale && damping > MIN_DAMPING {
                self.take_back(input, damping);
                damping *= 0.5;
                renew = true;
                continue;
            }
            let fresh = renew;
            self.correction(renew)?;
            damping = 1.0;
            last_residual = residual;
            let (correction, scale) = self.apply(input);
            let contraction = if last.is_finite() { correction / last } else { 1.0 };
            // Estimate of the next correction: linear with kept factors, quadratic with fresh ones.
            let next = if fresh { correction * contraction.min(1.0).powi(2) } else { correction * contraction };
            let settled = correction <= tolerance * scale || next <= NEGLIGIBLE * scale;
            // With kept factors a correction that does not shrink may be the factors' fault.
            let stalled = correction <= ROUNDING * scale && last.is_finite() && contraction >= 0.25;
            if settled || stalled && fresh {
                return Ok(());
            }
            let astray = reach.is_some_and(|reach| {
                if last.is_finite() { fresh && was_fresh && contraction > MIN_CONTRACTION } else { correction > reach }
            });
            if astray {
                break;
            }
            let remaining = (f64::EPSILON * scale / correction).ln() / contraction.min(0.99).ln();
            renew = always || stalled || last.is_finite() && remaining > PATIENCE;
            (last, last_scale, was_fresh) = (correction, scale, fresh);
        }
        Err(NewtonFailure::NotConverged { residual: last_residual })
    }

    /// Evaluates the equations; largest residual.
    fn evaluate(&mut self, input: &[f64], jacobian: bool) -> Result<f64, NewtonFailure> {
        let size = self.segment.unknowns;
        if jacobian {
            self.newton.eval(input, &mut self.output);
        } else {
            self.residual.eval(input, &mut self.output[..size]);
        }
        let residual = max_abs(&self.output[..size]);
        if residual.is_finite() { Ok(residual) } else { Err(NewtonFailure::NotFinite) }
    }

    /// Puts the correction of all unknowns into `self.step`.
    fn correction(&mut self, renew: bool) -> Result<(), NewtonFailure> {
        let size = self.segment.unknowns;
        if self.formulation == Formulation::NullSpace {
            return self.projected_correction();
        }
        if renew {
            self.effort.factorisations += 1;
            self.lu.factor(&self.output[size..]).map_err(|_| NewtonFailure::Singular)?;
            self.factored = true;
        }
        self.step.copy_from_slice(&self.output[..size]);
        self.lu.solve(&mut self.step);
        Ok(())
    }

    /// Subtracts the correction; its size and the scale of the displacements.
    fn apply(&mut self, input: &mut [f64]) -> (f64, f64) {
        let moving = self.segment.n * self.segment.stages;
        input.iter_mut().zip(&self.step).for_each(|(value, step)| *value -= step);
        let qa = self.segment.unknowns;
        // A displacement is exact enough when the configuration is: one part in 1e3 of its rounding.
        let configuration = 1e-3 * max_abs(&input[qa..qa + self.segment.n]);
        let scale = max_abs(&input[..moving]).max(configuration).max(f64::MIN_POSITIVE);
        // Durations and impulses, if they are unknown, count by their own sizes: displacements may not depend on them.
        let rest = moving + self.segment.m * self.segment.stages;
        let relative = |k: usize| self.step[k].abs() / input[k].abs().max(1e-3);
        let others = (rest..qa).map(relative).fold(0.0, f64::max);
        (max_abs(&self.step[..moving]).max(others * scale), scale)
    }

    /// Takes half of the remaining correction back.
    fn take_back(&mut self, input: &mut [f64], damping: f64) {
        input.iter_mut().zip(&self.step).for_each(|(value, step)| *value += 0.5 * damping * step);
    }
}
