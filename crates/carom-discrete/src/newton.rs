//! Newton's method for one segment, with the exact Jacobian.
//!
//! The factored Jacobian is kept from iteration to iteration and from step to
//! step as long as it contracts well, because for larger systems factoring
//! costs more than a few extra iterations. Iteration goes on until the next
//! correction would be below rounding: what is conserved by the exact equations
//! is then conserved to rounding, too.

use crate::segment::Segment;
use carom_expr::Evaluator;
use carom_linalg::{Lu, RangeNull, max_abs};

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

/// How the constraint forces are dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Formulation {
    /// Multipliers are unknowns (3.1.5).
    #[default]
    Multipliers,
    /// Momentum balances are projected onto the null space of the constraints (3.1.8).
    NullSpace,
}

impl Formulation {
    /// Every formulation.
    pub const ALL: [Self; 2] = [Self::Multipliers, Self::NullSpace];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Multipliers => "multipliers",
            Self::NullSpace => "null-space",
        }
    }

    /// The formulation called `name`.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|formulation| formulation.name() == name)
    }
}

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
pub(crate) struct Newton {
    segment: Segment,
    formulation: Formulation,
    residual: Evaluator,
    newton: Evaluator,
    /// Residual, then Jacobian.
    output: Vec<f64>,
    step: Vec<f64>,
    lu: Lu,
    reduced: Vec<f64>,
    factored: bool,
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
        let result = self.iterate(input, tolerance, reach);
        self.factored &= result.is_ok();
        result
    }

    fn iterate(&mut self, input: &mut [f64], tolerance: f64, reach: Option<f64>) -> Result<(), NewtonFailure> {
        let size = self.segment.unknowns;
        let always = size <= SMALL || self.formulation == Formulation::NullSpace;
        let (mut last, mut last_residual) = (f64::INFINITY, f64::INFINITY);
        let mut renew = always || !self.factored;
        let (mut damping, mut was_fresh) = (1.0, false);
        let most = if reach.is_some() { MAX_ITERATIONS } else { 4 * MAX_ITERATIONS };
        for _ in 0..most {
            self.effort.iterations += 1;
            let residual = self.evaluate(input, renew)?;
            // A full correction that made things worse is taken back in part.
            if residual > 2.0 * last_residual && last > ROUNDING && damping > MIN_DAMPING {
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
            let rounding = correction <= ROUNDING * scale && last.is_finite() && contraction >= 0.25;
            if settled || rounding {
                return Ok(());
            }
            let astray = reach.is_some_and(|reach| {
                if last.is_finite() { fresh && was_fresh && contraction > MIN_CONTRACTION } else { correction > reach }
            });
            if astray {
                break;
            }
            let remaining = (f64::EPSILON * scale / correction).ln() / contraction.min(0.99).ln();
            renew = always || last.is_finite() && remaining > PATIENCE;
            (last, was_fresh) = (correction, fresh);
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

    /// Null-space method: every momentum balance is multiplied by `P(Q_i)^T`, which removes the
    /// multipliers; they follow from the normal part, `G^T dlambda = J dd - r`.
    ///
    /// At the solution `r_i` is normal, so that `d(P^T r) = P^T (dr - d(G^T lambda))`: the rows
    /// of the multiplier form, projected, are the exact Jacobian.
    fn projected_correction(&mut self) -> Result<(), NewtonFailure> {
        let Segment { n, m, stages: s, unknowns: size, .. } = self.segment;
        let order = self.lu.len();
        let (residual, jacobian) = self.output.split_at(size);
        // Columns of the displacements and, if unknown, of the duration.
        let column = |k: usize| if k < n * s { k } else { k + m * s };
        let blocks: Vec<Vec<f64>> = (0..s).map(|i| self.constraint_jacobian(i)).collect();
        let mut row = 0;
        for (i, g) in blocks.iter().enumerate() {
            let bases = RangeNull::new(g, n, 1e-12);
            if bases.rank() < m {
                return Err(NewtonFailure::Singular);
            }
            for p in bases.null_space().chunks_exact(n) {
                self.step[row] = carom_linalg::dot(p, &residual[i * n..(i + 1) * n]);
                for k in 0..order {
                    let entry = |a: usize| p[a] * jacobian[(i * n + a) * size + column(k)];
                    self.reduced[row * order + k] = (0..n).map(entry).sum();
                }
                row += 1;
            }
        }
        for k in n * s..size {
            self.step[row] = residual[k];
            (0..order).for_each(|c| self.reduced[row * order + c] = jacobian[k * size + column(c)]);
            row += 1;
        }
        self.effort.factorisations += 1;
        self.lu.factor(&self.reduced).map_err(|_| NewtonFailure::Singular)?;
        self.lu.solve(&mut self.step[..order]);
        // Make room for the multipliers.
        self.step.copy_within(n * s..order, n * s + m * s);
        for (i, g) in blocks.iter().enumerate() {
            self.multiplier_correction(i, g)?;
        }
        Ok(())
    }

    /// `G(Q_i)`: minus its transpose stands in the multiplier columns of block `i`.
    fn constraint_jacobian(&self, i: usize) -> Vec<f64> {
        let Segment { n, m, stages: s, unknowns: size, .. } = self.segment;
        let jacobian = &self.output[size..];
        (0..m * n).map(|k| -jacobian[(i * n + k % n) * size + n * s + i * m + k / n]).collect()
    }

    /// `G G^T dlambda = G (J dd - r)` for block `i`.
    fn multiplier_correction(&mut self, i: usize, g: &[f64]) -> Result<(), NewtonFailure> {
        let Segment { n, m, stages: s, unknowns: size, .. } = self.segment;
        let (residual, jacobian) = self.output.split_at(size);
        let moved = |row: usize| {
            let line = &jacobian[row * size..(row + 1) * size];
            let displacements = carom_linalg::dot(&line[..n * s], &self.step[..n * s]);
            displacements + carom_linalg::dot(&line[n * s + m * s..], &self.step[n * s + m * s..]) - residual[row]
        };
        let unbalanced: Vec<f64> = (i * n..(i + 1) * n).map(moved).collect();
        let line = |k: usize| &g[k * n..(k + 1) * n];
        let gram: Vec<f64> = (0..m * m).map(|k| carom_linalg::dot(line(k / m), line(k % m))).collect();
        let mut lu = Lu::new(m);
        lu.factor(&gram).map_err(|_| NewtonFailure::Singular)?;
        let part = &mut self.step[n * s + i * m..n * s + (i + 1) * m];
        carom_linalg::multiply(g, &unbalanced, part);
        lu.solve(part);
        Ok(())
    }

    /// Subtracts the correction; its size and the scale of the displacements.
    fn apply(&mut self, input: &mut [f64]) -> (f64, f64) {
        let moving = self.segment.n * self.segment.stages;
        input.iter_mut().zip(&self.step).for_each(|(value, step)| *value -= step);
        let qa = self.segment.unknowns;
        // A displacement is exact enough when the configuration is: one part in 1e3 of its rounding.
        let configuration = 1e-3 * max_abs(&input[qa..qa + self.segment.n]);
        (max_abs(&self.step[..moving]), max_abs(&input[..moving]).max(configuration).max(f64::MIN_POSITIVE))
    }

    /// Takes half of the remaining correction back.
    fn take_back(&mut self, input: &mut [f64], damping: f64) {
        input.iter_mut().zip(&self.step).for_each(|(value, step)| *value += 0.5 * damping * step);
    }
}
