//! Momenta and velocities: the Legendre transform `p = dL/dv(q, v, t)`, its
//! inverse, and the projection of states onto constraints.
//!
//! With constraints `g(q) = 0` and `omega(q) v = 0`, `G = [dg/dq; omega]`, the admissible velocities
//! satisfy `G v = 0`. The inverse transform solves, by Newton's method in `v`,
//!
//! ```text
//! dL/dv(q, v, t) + H(q)^T mu = p,     G(q) v = 0,     H = G,
//! ```
//!
//! so that any momentum gives a tangent velocity; `p - H^T mu` is its tangent
//! part. Contacts that slide with friction take the momentum along other
//! directions `H` than `G` ([`Dynamics::force_directions`]). For a Lagrangian that is quadratic in `v` one iteration is exact.

use crate::dynamics::Dynamics;
use carom_expr::{Backend, Evaluator, FunctionError};
use carom_linalg::{Lu, max_abs};

/// Newton's method ends when a correction is this small against the velocity.
const TOLERANCE: f64 = 1e-14;
/// Below this, a correction that no longer shrinks is rounding, not error.
const ROUNDING: f64 = 1e-9;
const MAX_ITERATIONS: usize = 100;
/// Pivots this far apart ask for a look at the constraints.
const SUSPICIOUS: f64 = 1e-11;
/// A row of which less is left depends on the others.
const INDEPENDENT: f64 = 1e-12;

/// Why a state has no velocity, or cannot be brought onto the constraints.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum LegendreError {
    #[error(
        "at t = {time}: the mass matrix{} is singular, so momenta do not determine velocities; {}",
        if *constrained { " together with the constraints" } else { "" },
        if *constrained { "are two constraints the same, or does one say nothing here?" } else { "does every coordinate have mass?" }
    )]
    Degenerate { time: f64, constrained: bool },
    #[error(
        "at t = {time}: constraint `{constraint}` says nothing that the others do not say; remove it, or change the initial values if it matters elsewhere"
    )]
    Dependent { time: f64, constraint: String },
    #[error(
        "at t = {time}: the equation dL/dv = p was not solved in {iterations} iterations (residual {residual:.1e})"
    )]
    NotConverged { time: f64, iterations: usize, residual: f64 },
    #[error("at t = {time}: {what} is not a finite number")]
    NotFinite { time: f64, what: &'static str },
    #[error(
        "the configuration could not be moved onto the constraints: residual {residual:.1e} after {iterations} iterations"
    )]
    NotProjected { iterations: usize, residual: f64 },
    #[error(transparent)]
    Function(#[from] FunctionError),
}

/// Evaluates momenta, velocities, energies and constraints of one system.
#[derive(Clone)]
pub struct Legendre {
    n: usize,
    /// All constraints, and the holonomic ones among them.
    m: usize,
    holonomic: usize,
    /// Constraints that are zero; the others keep their values.
    zeros: usize,
    /// One iteration is exact.
    is_linear: bool,
    momentum: Evaluator,
    energy: Evaluator,
    constraint: Evaluator,
    /// Inputs `(q, v, t)`.
    input: Vec<f64>,
    /// Momentum, then mass matrix.
    output: Vec<f64>,
    /// Constraints, their Jacobian, the directions of their forces.
    geometry: Vec<f64>,
    matrix: Vec<f64>,
    unknowns: Vec<f64>,
    lu: Lu,
    /// Names of the constraints.
    names: Vec<String>,
}

impl Legendre {
    /// A workspace; what it evaluates is derived and compiled once per system.
    pub fn new(dynamics: &Dynamics, backend: Backend) -> Result<Self, FunctionError> {
        let (n, m) = (dynamics.dimension(), dynamics.constraint_count());
        let holonomic = dynamics.constraints.len();
        let functions = dynamics.state_functions(backend)?;
        Ok(Self {
            n,
            m,
            holonomic,
            zeros: holonomic - dynamics.kept_values,
            is_linear: functions.is_linear,
            momentum: functions.momentum.evaluator(),
            energy: functions.energy.evaluator(),
            constraint: functions.constraint.evaluator(),
            input: vec![0.0; 2 * n + 1],
            output: vec![0.0; n + n * n],
            geometry: vec![0.0; holonomic + 2 * m * n],
            matrix: vec![0.0; (n + m) * (n + m)],
            unknowns: vec![0.0; n + m],
            lu: Lu::new(n + m),
            names: dynamics.constraint_names.clone(),
        })
    }

    /// Number of constraints.
    pub fn constraint_count(&self) -> usize {
        self.m
    }

    /// Number of holonomic constraints, which come first.
    pub fn holonomic_count(&self) -> usize {
        self.holonomic
    }

    /// `p = dL/dv(q, v, t)`
    pub fn momentum(&mut self, q: &[f64], v: &[f64], t: f64, p: &mut [f64]) {
        self.evaluate_momentum(q, v, t);
        p.copy_from_slice(&self.output[..self.n]);
    }

    /// The mass matrix `d2L/dv2(q, v, t)`, row by row.
    pub fn mass(&mut self, q: &[f64], v: &[f64], t: f64) -> &[f64] {
        self.evaluate_momentum(q, v, t);
        &self.output[self.n..]
    }

    /// `E = v . dL/dv - L`
    pub fn energy(&mut self, q: &[f64], v: &[f64], t: f64) -> f64 {
        self.set_input(q, v, t);
        let mut energy = [0.0];
        self.energy.eval(&self.input, &mut energy);
        energy[0]
    }

    /// Residuals `g(q)` of the holonomic constraints, and the Jacobian `G(q)` of all.
    pub fn constraints(&mut self, q: &[f64]) -> (&[f64], &[f64]) {
        self.input[..self.n].copy_from_slice(q);
        self.constraint.eval(&self.input, &mut self.geometry);
        let (values, rest) = self.geometry.split_at(self.holonomic);
        (values, &rest[..self.m * self.n])
    }

    /// Largest constraint residual: of `g(q)`, and of `omega(q) v` relative to the sizes of both.
    pub fn constraint_error(&mut self, q: &[f64], v: &[f64]) -> f64 {
        let (n, zeros, holonomic) = (self.n, self.zeros, self.holonomic);
        let (values, jacobian) = self.constraints(q);
        let speed = max_abs(v);
        let relative = |row: &[f64]| carom_linalg::dot(row, v).abs() / (max_abs(row) * speed).max(f64::MIN_POSITIVE);
        let rates = jacobian[holonomic * n..].chunks_exact(n).map(relative);
        rates.fold(max_abs(&values[..zeros]), |largest, rate| if largest >= rate { largest } else { rate })
    }

    /// The tangent velocity behind a momentum; `v` holds a guess and receives
    /// the answer, `p` loses its part normal to the constraints, `mu` receives
    /// the multipliers of that part.
    pub fn velocity(
        &mut self,
        q: &[f64],
        t: f64,
        p: &mut [f64],
        v: &mut [f64],
        mu: &mut [f64],
    ) -> Result<(), LegendreError> {
        let (n, m) = (self.n, self.m);
        self.constraints(q);
        mu.fill(0.0);
        let (mut residual, mut last) = (f64::INFINITY, f64::INFINITY);
        let mut step = vec![0.0; if self.is_linear { 0 } else { n + m }];
        for _ in 0..MAX_ITERATIONS {
            self.evaluate_momentum(q, v, t);
            self.residual(p, v, mu);
            residual = max_abs(&self.unknowns);
            if !residual.is_finite() {
                // A correction may leave the domain of the Lagrangian (the speed of light): half of it is
                // taken back.
                if max_abs(&step) == 0.0 {
                    return Err(LegendreError::NotFinite { time: t, what: "a momentum" });
                }
                step.iter_mut().for_each(|value| *value *= 0.5);
                v.iter_mut().zip(&step).for_each(|(value, step)| *value -= step);
                mu.iter_mut().zip(&step[n..]).for_each(|(value, step)| *value -= step);
                continue;
            }
            self.assemble();
            let is_regular = self.lu.factor(&self.matrix).is_ok();
            if !is_regular || m > self.holonomic && self.lu.pivot_ratio() < SUSPICIOUS {
                self.check_independence(t)?;
            }
            if !is_regular {
                return Err(LegendreError::Degenerate { time: t, constrained: m > 0 });
            }
            self.lu.solve(&mut self.unknowns);
            step.iter_mut().zip(&self.unknowns).for_each(|(kept, step)| *kept = *step);
            let (dv, dmu) = self.unknowns.split_at(n);
            v.iter_mut().zip(dv).for_each(|(value, step)| *value += step);
            mu.iter_mut().zip(dmu).for_each(|(value, step)| *value += step);
            let (correction, scale) = (max_abs(dv), max_abs(v));
            let stalled = correction <= ROUNDING * scale && correction >= 0.5 * last;
            last = correction;
            if self.is_linear && correction.is_finite() || correction <= TOLERANCE * scale.max(TOLERANCE) || stalled {
                let directions = &self.geometry[self.holonomic + m * n..];
                for (i, value) in p.iter_mut().enumerate() {
                    *value -= (0..m).map(|k| directions[k * n + i] * mu[k]).sum::<f64>();
                }
                return Ok(());
            }
        }
        Err(LegendreError::NotConverged { time: t, iterations: MAX_ITERATIONS, residual })
    }

    /// Moves `q` onto the constraints, along the directions that change `g` most:
    /// `q -= G^T (G G^T)^-1 g`, repeated.
    pub fn project_configuration(&mut self, q: &mut [f64]) -> Result<(), LegendreError> {
        let (n, m) = (self.n, self.zeros);
        let mut lu = Lu::new(m);
        let mut residual = 0.0;
        for _ in 0..MAX_ITERATIONS {
            let (g, jacobian) = self.constraints(q);
            let mut step = g[..m].to_vec();
            residual = max_abs(&step);
            let gram: Vec<f64> = (0..m * m)
                .map(|k| {
                    carom_linalg::dot(&jacobian[k / m * n..(k / m + 1) * n], &jacobian[k % m * n..(k % m + 1) * n])
                })
                .collect();
            let jacobian = jacobian.to_vec();
            if m == 0 || lu.factor(&gram).is_err() {
                break;
            }
            lu.solve(&mut step);
            let moves: Vec<f64> = (0..n).map(|i| (0..m).map(|k| jacobian[k * n + i] * step[k]).sum()).collect();
            q.iter_mut().zip(&moves).for_each(|(value, step)| *value -= step);
            if max_abs(&moves) <= 1e-15 * max_abs(q).max(1.0) {
                return Ok(());
            }
        }
        if residual <= 1e-12 {
            Ok(())
        } else {
            Err(LegendreError::NotProjected { iterations: MAX_ITERATIONS, residual })
        }
    }

    /// Names a constraint whose row depends on those before.
    fn check_independence(&self, time: f64) -> Result<(), LegendreError> {
        let rows = self.geometry[self.holonomic..][..self.m * self.n].chunks_exact(self.n);
        match carom_linalg::dependent_rows(rows, INDEPENDENT).first() {
            Some(&row) => Err(LegendreError::Dependent { time, constraint: self.names[row].clone() }),
            None => Ok(()),
        }
    }

    fn set_input(&mut self, q: &[f64], v: &[f64], t: f64) {
        self.input[..self.n].copy_from_slice(q);
        self.input[self.n..2 * self.n].copy_from_slice(v);
        self.input[2 * self.n] = t;
    }

    fn evaluate_momentum(&mut self, q: &[f64], v: &[f64], t: f64) {
        self.set_input(q, v, t);
        self.momentum.eval(&self.input, &mut self.output);
    }

    /// Right-hand side of Newton's step, from the last evaluations.
    fn residual(&mut self, p: &[f64], v: &[f64], mu: &[f64]) {
        let (n, m) = (self.n, self.m);
        let (jacobian, directions) = self.geometry[self.holonomic..].split_at(m * n);
        for i in 0..n {
            let normal: f64 = (0..m).map(|k| directions[k * n + i] * mu[k]).sum();
            self.unknowns[i] = p[i] - self.output[i] - normal;
        }
        for k in 0..m {
            self.unknowns[n + k] = -carom_linalg::dot(&jacobian[k * n..(k + 1) * n], v);
        }
    }

    /// The matrix `[M H^T; G 0]` from the last evaluations.
    fn assemble(&mut self) {
        let (n, m) = (self.n, self.m);
        let (size, (jacobian, directions)) = (n + m, self.geometry[self.holonomic..].split_at(m * n));
        self.matrix.fill(0.0);
        for i in 0..n {
            self.matrix[i * size..i * size + n].copy_from_slice(&self.output[n + i * n..n + (i + 1) * n]);
            for k in 0..m {
                self.matrix[i * size + n + k] = directions[k * n + i];
                self.matrix[(n + k) * size + i] = jacobian[k * n + i];
            }
        }
    }
}
