//! Numbers of the geometry at an impact.

use super::JumpState;
use crate::space::Saddle;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Group, Id};
use carom_linalg::{Lu, dot, gram, max_abs};
use carom_model::Dynamics;

/// Rows of constraints and surfaces, mass matrix and momenta at one state.
pub(super) struct Numbers {
    n: usize,
    m: usize,
    /// First row of each surface, and the number of all rows.
    first: Vec<usize>,
    evaluator: Evaluator,
    /// Constraint rows, surface rows, mass matrix, momentum.
    values: Vec<f64>,
    /// Momentum after the impact minus momentum before.
    change: Vec<f64>,
    /// Size of the terms of the equations.
    size: f64,
    /// Friction of each contact.
    friction: Vec<Option<Evaluator>>,
}

impl Numbers {
    pub(super) fn new(dynamics: &Dynamics, kept: &[String], backend: Backend) -> Result<Self, FunctionError> {
        let n = dynamics.dimension();
        let mut graph = dynamics.graph.clone();
        let mut outputs = dynamics.jacobian(&mut graph);
        let m = outputs.len() / n;
        let (mut first, mut count) = (Vec::new(), 0);
        for surface in &dynamics.surfaces {
            first.push(count);
            for &place in [surface.gap].iter().chain(&surface.tangents) {
                outputs.extend(graph.gradient(place, &dynamics.q));
                count += 1;
            }
        }
        let momentum = dynamics.momentum(&mut graph);
        outputs.extend(graph.jacobian(&momentum, &dynamics.v).dense(&mut graph));
        outputs.extend(&momentum);
        let (time, kept): ([Id; 1], Vec<Id>) =
            ([dynamics.time], kept.iter().map(|name| graph.variable(name)).collect());
        let inputs = [
            Group::new("q", &dynamics.q),
            Group::new("v", &dynamics.v),
            Group::new("t", &time),
            Group::new("kept", &kept),
        ];
        let compile = |outputs: &[Id]| {
            Ok::<_, FunctionError>(
                Function::compile(&graph, &inputs, &[Group::new("all", outputs)], backend)?.evaluator(),
            )
        };
        let friction = dynamics.law_parameters.iter().map(|all| {
            let found = all.iter().find(|parameter| parameter.name == "friction");
            found.map(|parameter| compile(&[parameter.id])).transpose()
        });
        let friction = friction.collect::<Result<_, _>>()?;
        let evaluator = compile(&outputs)?;
        let (values, change) = (vec![0.0; outputs.len()], vec![0.0; n]);
        Ok(Self { n, m, first, evaluator, values, change, size: 0.0, friction })
    }

    pub(super) fn evaluate(&mut self, state: JumpState<'_>, kept: &[f64]) {
        let mut momentum = |v: &[f64]| {
            self.evaluator.eval(&[state.q, v, &[state.t], kept].concat(), &mut self.values);
            self.values[self.values.len() - self.n..].to_vec()
        };
        let after = momentum(state.v_plus);
        let before = momentum(state.v_minus);
        self.change = after.iter().zip(&before).map(|(after, before)| after - before).collect();
        let energy = dot(&before, state.v_minus).abs().max(dot(&after, state.v_plus).abs());
        self.size =
            max_abs(&before).max(max_abs(&after)).max(energy).max(max_abs(state.v_minus)).max(f64::MIN_POSITIVE);
    }

    /// Size of what the equations balance.
    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// `p+ - p-`
    pub(super) fn momentum_change(&self) -> Vec<f64> {
        self.change.clone()
    }

    /// The rows of the constraints.
    pub(super) fn constraints(&self) -> Vec<&[f64]> {
        self.values[..self.m * self.n].chunks_exact(self.n).collect()
    }

    /// The gradient of the gap of a surface (0), or of a tangent (1, 2).
    pub(super) fn row(&self, surface: usize, row: usize) -> &[f64] {
        let start = (self.m + self.first[surface] + row) * self.n;
        &self.values[start..start + self.n]
    }

    /// The multipliers `kappa` that explain `rest = A^T kappa`.
    pub(super) fn multipliers(&self, rest: &[f64]) -> Vec<f64> {
        let rows = self.constraints();
        let mut kappa: Vec<f64> = rows.iter().map(|row| dot(row, rest)).collect();
        let mut lu = Lu::new(rows.len());
        if lu.factor(&gram(&rows)).is_ok() {
            lu.solve(&mut kappa);
        }
        kappa
    }

    /// The lift `M_c^-1 row` and its multipliers.
    pub(super) fn lift(&self, row: &[f64], n: usize) -> Vec<f64> {
        let start = self.values.len() - n - n * n;
        let mass = &self.values[start..start + n * n];
        let Ok(saddle) = Saddle::new(n, mass, &self.values[..self.m * n]) else { return vec![f64::NAN; n + self.m] };
        let lifted = saddle.lift(row);
        let pushed = mass.chunks_exact(n).map(|line| dot(line, &lifted));
        let rest: Vec<f64> = row.iter().zip(pushed).map(|(row, pushed)| row - pushed).collect();
        [lifted, self.multipliers(&rest)].concat()
    }

    /// The coefficient of friction of a contact, if it has a cone.
    pub(super) fn friction(&self, contact: usize, state: JumpState<'_>, kept: &[f64]) -> Option<f64> {
        let mut evaluator = self.friction[contact].as_ref()?.function().evaluator();
        Some(evaluator.values(&[state.q, state.v_minus, &[state.t], kept].concat())[0])
    }
}
