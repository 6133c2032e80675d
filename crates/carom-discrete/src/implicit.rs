//! Velocities of degenerate Lagrangians, in the Pontryagin variables `(q, v, p)`.
//!
//! Steps need positions and momenta alone, `p_k + D_1 Ld(q_k, q_(k+1)) = omega^T lambda` (004, (1)), and are
//! solvable where `D_1 D_2 Ld` is regular on the distribution although `d2L/dv2` is not. The velocity of a
//! node is then what the equations say about it, and where these say nothing the extrapolated motion:
//!
//! ```text
//! (d2L/dv2) v = p - (dL/dv at v = 0)    along the distribution, where there is inertia
//! N (dL/dq + F - (d/dt at constant v) dL/dv) = 0     along its null directions N, an equation for v
//! |v - v*| smallest                      otherwise, v* extrapolated from the last displacements
//! ```

use crate::error::StepError;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Group, Id};
use carom_linalg::{Lu, RangeNull, dot, max_abs};
use carom_model::{Dynamics, EquationsOfMotion};

/// What counts as zero in a mass matrix, against its largest row.
const TOLERANCE: f64 = 1e-10;
/// Forces that should balance do so to this part at the start.
const CONSISTENT: f64 = 1e-7;
/// Newton's method for velocities; one step is exact for Lagrangians that are quadratic in them.
const MAX_ITERATIONS: usize = 20;

/// Evaluates velocities of one degenerate system.
#[derive(Clone)]
pub(crate) struct Implicit {
    n: usize,
    /// Momentum, mass matrix, force `b`, its derivative by `v`, constraints, at `(q, v, t)`.
    equations: Evaluator,
    values: Vec<f64>,
    /// Mean velocity and duration of the last segment.
    last: Option<(Vec<f64>, f64)>,
}

impl Implicit {
    /// Derives what velocities must satisfy; none if the Lagrangian is regular.
    pub(crate) fn new(dynamics: &Dynamics) -> Result<Option<Self>, FunctionError> {
        if dynamics.degeneracy() == 0 {
            return Ok(None);
        }
        let n = dynamics.dimension();
        let mut graph = dynamics.graph.clone();
        let motion = EquationsOfMotion::new(&mut graph, dynamics);
        let momentum = dynamics.momentum(&mut graph);
        let by_velocity = graph.jacobian(&motion.bias, &dynamics.v).dense(&mut graph);
        let all: Vec<Id> = [&momentum[..], &motion.mass, &motion.bias, &by_velocity, &motion.jacobian].concat();
        let time = [dynamics.time];
        let state = [Group::new("q", &dynamics.q), Group::new("v", &dynamics.v), Group::new("t", &time)];
        let function = Function::compile(&graph, &state, &[Group::new("equations", &all)], Backend::Interpreter)?;
        Ok(Some(Self { n, equations: function.evaluator(), values: vec![0.0; all.len()], last: None }))
    }

    /// Begins a motion with a velocity that fits. Conditions on positions alone, which a degenerate
    /// Lagrangian may hide, must hold.
    pub(crate) fn start(&mut self, (q, p, t): (&[f64], &[f64], f64), v: &mut [f64]) -> Result<(), StepError> {
        self.last = None;
        self.correct((q, p, t), v)?;
        let residual = self.hidden_residual(q, v, t);
        if residual > CONSISTENT { Err(StepError::Inconsistent { time: t, residual }) } else { Ok(()) }
    }

    /// How far forces along directions without inertia are from balance, relative to the forces.
    fn hidden_residual(&mut self, q: &[f64], v: &[f64], t: f64) -> f64 {
        let n = self.n;
        self.equations.eval(&[q, v, &[t]].concat(), &mut self.values);
        let (mass, rest) = self.values[n..].split_at(n * n);
        let (bias, rest) = rest.split_at(n);
        let tangent = RangeNull::new(&rest[n * n..], n, TOLERANCE).null_space().to_vec();
        let inertia = restrict(mass, &tangent, n);
        let still = still_directions(&inertia, &tangent, n);
        let largest = still.iter().map(|direction| dot(direction, bias).abs()).fold(0.0, f64::max);
        // Forces that depend on the velocity may balance the others: each counts by itself.
        let turning = |row: &[f64]| row.iter().zip(v).map(|(slope, v)| (slope * v).abs()).sum::<f64>();
        let turning = rest[..n * n].chunks_exact(n).map(turning).fold(0.0, f64::max);
        largest / (max_abs(bias) + turning).max(f64::MIN_POSITIVE)
    }

    /// The velocity at the end of a segment.
    pub(crate) fn arrive(
        &mut self,
        (q, p, t): (&[f64], &[f64], f64),
        displacement: &[f64],
        h: f64,
        velocity: &mut [f64],
    ) -> Result<(), StepError> {
        let mean: Vec<f64> = displacement.iter().map(|d| d / h).collect();
        let share = match &self.last {
            Some((_, before)) if before * h > 0.0 => h / (h + before),
            _ => 0.0,
        };
        let before = self.last.as_ref().map_or(&mean, |(mean, _)| mean);
        velocity.iter_mut().zip(mean.iter().zip(before)).for_each(|(v, (now, old))| *v = now + share * (now - old));
        self.last = Some((mean, h));
        self.correct((q, p, t), velocity)
    }

    /// Moves a velocity to the nearest one that fits the equations.
    pub(crate) fn correct(&mut self, (q, p, t): (&[f64], &[f64], f64), v: &mut [f64]) -> Result<(), StepError> {
        for _ in 0..MAX_ITERATIONS {
            let change = self.correction((q, p, t), v);
            v.iter_mut().zip(&change).for_each(|(value, change)| *value += change);
            if !max_abs(v).is_finite() {
                return Err(StepError::NotFinite { time: t });
            }
            if max_abs(&change) <= 1e-14 * max_abs(v) {
                break;
            }
        }
        Ok(())
    }

    /// The smallest change that satisfies the equations to first order.
    fn correction(&mut self, (q, p, t): (&[f64], &[f64], f64), v: &[f64]) -> Vec<f64> {
        let n = self.n;
        self.equations.eval(&[q, v, &[t]].concat(), &mut self.values);
        let (momentum, rest) = self.values.split_at(n);
        let (mass, rest) = rest.split_at(n * n);
        let (bias, rest) = rest.split_at(n);
        let (by_velocity, constraints) = rest.split_at(n * n);
        let tangent = RangeNull::new(constraints, n, TOLERANCE).null_space().to_vec();
        // Rows with inertia, constraints, and rows without inertia.
        let inertia = restrict(mass, &tangent, n);
        let mut rows = inertia.clone();
        let mut right: Vec<f64> = tangent
            .chunks_exact(n)
            .map(|r| r.iter().zip(p.iter().zip(momentum)).map(|(r, (p, own))| r * (p - own)).sum())
            .collect();
        for row in constraints.chunks_exact(n) {
            rows.extend(row);
            right.push(-dot(row, v));
        }
        for still in still_directions(&inertia, &tangent, n) {
            rows.extend(restrict(by_velocity, &still, n));
            right.push(-dot(&still, bias));
        }
        smallest_solution(&rows, &right, n)
    }
}

/// Rows times a matrix of `n` columns.
fn restrict(matrix: &[f64], rows: &[f64], n: usize) -> Vec<f64> {
    let row = |r: &[f64]| (0..n).map(|k| (0..n).map(|i| r[i] * matrix[i * n + k]).sum()).collect::<Vec<f64>>();
    rows.chunks_exact(n).flat_map(row).collect()
}

/// Combinations of the tangent directions whose rows of the mass matrix vanish.
fn still_directions(inertia: &[f64], tangent: &[f64], n: usize) -> Vec<Vec<f64>> {
    let count = tangent.len() / n;
    // Columns of this matrix belong to the tangent directions.
    let transposed: Vec<f64> = (0..n * count).map(|place| inertia[place % count * n + place / count]).collect();
    let largest = max_abs(&transposed);
    let combinations = match largest > 0.0 {
        true => RangeNull::new(&transposed, count, TOLERANCE).null_space().to_vec(),
        false => (0..count * count).map(|place| f64::from(u8::from(place / count == place % count))).collect(),
    };
    let mix = |weights: &[f64]| -> Vec<f64> {
        (0..n).map(|k| weights.iter().enumerate().map(|(i, w)| w * tangent[i * n + k]).sum()).collect()
    };
    combinations.chunks_exact(count.max(1)).map(mix).collect()
}

/// The shortest least-squares solution of `A x = b`.
fn smallest_solution(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    let bases = RangeNull::new(a, n, TOLERANCE);
    let range = bases.range();
    let rank = bases.rank();
    // In the row space, A^T A is regular.
    let images: Vec<Vec<f64>> =
        range.chunks_exact(n).map(|r| a.chunks_exact(n).map(|row| dot(row, r)).collect()).collect();
    let gram: Vec<f64> = (0..rank * rank).map(|k| dot(&images[k / rank], &images[k % rank])).collect();
    let mut y: Vec<f64> = images.iter().map(|image| dot(image, b)).collect();
    let mut lu = Lu::new(rank);
    if rank == 0 || lu.factor(&gram).is_err() {
        return vec![0.0; n];
    }
    lu.solve(&mut y);
    (0..n).map(|k| y.iter().zip(range.chunks_exact(n)).map(|(y, row)| y * row[k]).sum()).collect()
}
