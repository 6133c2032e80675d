//! The equations of motion as expressions, and the acceleration that they give.
//!
//! From the Lagrangian, with `M = d2L/dv2` and constraints `g(q) = 0`, `omega(q) v = 0`,
//!
//! ```text
//! M a + H^T lambda = b,    b = dL/dq + F - (d/dt at constant v) dL/dv
//! G a              = c,    c = -(d/dt at constant v) (G v),         G = [dg/dq; omega]
//! ```
//!
//! the second line being holonomic constraints differentiated twice and velocity constraints once (index
//! reduction; Lagrange and d'Alembert, 003 (9)). `H = G`, but where contacts slide with friction
//! ([`Dynamics::force_directions`]). The same equations in quasivelocities are Hamel's (`crate::hamel`).

use crate::dynamics::Dynamics;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group, Id};
use carom_linalg::Lu;

/// The expressions `M`, `b`, `G`, `H` and `c` as functions of `q`, `t` and the speeds; matrices row by row.
#[derive(Clone, Debug)]
pub struct EquationsOfMotion {
    /// What the accelerations are the rates of: velocities, or quasivelocities `w`.
    pub speeds: Vec<Id>,
    /// The velocity in these speeds: itself, or `w^i u_i`.
    pub velocity: Vec<Id>,
    /// The mass matrix `M`.
    pub mass: Vec<Id>,
    /// The right-hand side `b`.
    pub bias: Vec<Id>,
    /// The constraint Jacobian `G`.
    pub jacobian: Vec<Id>,
    /// The directions `H` of the constraint forces.
    pub directions: Vec<Id>,
    /// The right-hand side `c`.
    pub curvature: Vec<Id>,
}

impl EquationsOfMotion {
    /// Derives the equations; their expressions are added to `graph`, a copy of the graph of `dynamics`.
    pub fn new(graph: &mut Graph, dynamics: &Dynamics) -> Self {
        let (q, v) = (&dynamics.q, &dynamics.v);
        let one = graph.constant(1.0);
        let mut along: Vec<(Id, Id)> = q.iter().copied().zip(v.iter().copied()).collect();
        along.push((dynamics.time, one));
        let momentum = dynamics.momentum(graph);
        let rate = graph.directional(&momentum, &along);
        let slope = graph.gradient(dynamics.lagrangian, q);
        let mut bias = Vec::with_capacity(q.len());
        for i in 0..q.len() {
            let push = graph.add(slope[i], dynamics.forces[i]);
            bias.push(graph.sub(push, rate[i]));
        }
        let mass = graph.jacobian(&momentum, v).dense(graph);
        let jacobian = dynamics.jacobian(graph);
        let directions = dynamics.force_directions(graph);
        let mut rates = graph.directional(&dynamics.constraints, &along);
        rates.extend(&dynamics.velocity_constraints);
        let curvature = graph.directional(&rates, &along).into_iter().map(|d| graph.neg(d)).collect();
        Self { speeds: v.clone(), velocity: v.clone(), mass, bias, jacobian, directions, curvature }
    }

    /// All expressions in one list: `M`, `b`, `G`, `H`, `c`, `v`.
    pub fn concat(&self) -> Vec<Id> {
        [&self.mass[..], &self.bias, &self.jacobian, &self.directions, &self.curvature, &self.velocity].concat()
    }

    /// The inverse of [`Self::concat`], for a list of the same lengths.
    pub fn split(&self, all: &[Id]) -> Self {
        let (mass, rest) = all.split_at(self.mass.len());
        let (bias, rest) = rest.split_at(self.bias.len());
        let (jacobian, rest) = rest.split_at(self.jacobian.len());
        let (directions, rest) = rest.split_at(self.directions.len());
        let (curvature, velocity) = rest.split_at(self.curvature.len());
        let own = <[Id]>::to_vec;
        Self {
            speeds: self.speeds.clone(),
            velocity: own(velocity),
            mass: own(mass),
            bias: own(bias),
            jacobian: own(jacobian),
            directions: own(directions),
            curvature: own(curvature),
        }
    }
}

/// Evaluates accelerations.
#[derive(Clone)]
pub struct Acceleration {
    n: usize,
    m: usize,
    equations: Evaluator,
    input: Vec<f64>,
    output: Vec<f64>,
    matrix: Vec<f64>,
    unknowns: Vec<f64>,
    lu: Lu,
}

impl Acceleration {
    /// Derives and compiles the equations of motion.
    pub fn new(dynamics: &Dynamics, backend: Backend) -> Result<Self, FunctionError> {
        let (n, m) = (dynamics.dimension(), dynamics.constraint_count());
        let mut graph = dynamics.graph.clone();
        let all = EquationsOfMotion::new(&mut graph, dynamics).concat();
        let time = [dynamics.time];
        let state = [Group::new("q", &dynamics.q), Group::new("v", &dynamics.v), Group::new("t", &time)];
        let function = Function::compile(&graph, &state, &[Group::new("equations", &all)], backend)?;
        Ok(Self {
            n,
            m,
            equations: function.evaluator(),
            input: vec![0.0; 2 * n + 1],
            output: vec![0.0; all.len()],
            matrix: vec![0.0; (n + m) * (n + m)],
            unknowns: vec![0.0; n + m],
            lu: Lu::new(n + m),
        })
    }

    /// The acceleration and the multipliers, one after the other; none where the equations are singular.
    pub fn at(&mut self, q: &[f64], v: &[f64], t: f64) -> Option<&[f64]> {
        let (n, m) = (self.n, self.m);
        self.input[..n].copy_from_slice(q);
        self.input[n..2 * n].copy_from_slice(v);
        self.input[2 * n] = t;
        self.equations.eval(&self.input, &mut self.output);
        let (mass, rest) = self.output.split_at(n * n);
        let (bias, rest) = rest.split_at(n);
        let (jacobian, rest) = rest.split_at(m * n);
        let (directions, rest) = rest.split_at(m * n);
        let curvature = &rest[..m];
        let size = n + m;
        self.matrix.fill(0.0);
        for i in 0..n {
            self.matrix[i * size..i * size + n].copy_from_slice(&mass[i * n..(i + 1) * n]);
            for k in 0..m {
                self.matrix[i * size + n + k] = directions[k * n + i];
                self.matrix[(n + k) * size + i] = jacobian[k * n + i];
            }
        }
        self.unknowns[..n].copy_from_slice(bias);
        self.unknowns[n..].copy_from_slice(curvature);
        self.lu.factor(&self.matrix).ok()?;
        self.lu.solve(&mut self.unknowns);
        self.unknowns.iter().all(|value| value.is_finite()).then_some(&self.unknowns)
    }
}
