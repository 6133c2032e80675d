//! The series of a motion and of its variation along one direction, as one compiled function.

use crate::equations::{MAX_NODES, expand};
use crate::options::FlowOptions;
use crate::taylor::{MAX_ORDER, MIN_ORDER};
use carom_expr::{Function, FunctionError, Group, Id};
use carom_linalg::max_abs;
use carom_model::Dynamics;
use std::ops::Range;

/// What the output of the function consists of: `v[0..=P]`, `lambda[0..2]`, `dv[0..=P]`, `dlambda[0]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Coordinates.
    pub(crate) n: usize,
    /// Multipliers.
    pub(crate) m: usize,
    /// Kept values.
    pub(crate) p: usize,
    /// Order of the velocity.
    pub(crate) order: usize,
}

impl Sizes {
    pub(crate) fn velocity(&self) -> Range<usize> {
        0..self.n * (self.order + 1)
    }

    pub(crate) fn multipliers(&self) -> Range<usize> {
        let begin = self.velocity().end;
        begin..begin + 2 * self.m
    }

    pub(crate) fn delta(&self) -> Range<usize> {
        let begin = self.multipliers().end;
        begin..begin + self.velocity().end
    }

    pub(crate) fn multiplier_slopes(&self) -> Range<usize> {
        let begin = self.delta().end;
        begin..begin + self.m
    }

    /// Logarithm of the radius of convergence, from the last two orders of velocity and position.
    pub(crate) fn log_radius(&self, velocity: &[f64], size: f64) -> f64 {
        let n = self.n;
        let row = |k: usize| max_abs(&velocity[k * n..(k + 1) * n]);
        let radius = |k: usize| (size.max(1.0).ln() - row(k).max(row(k - 1) / k as f64).ln()) / k as f64;
        radius(self.order).min(radius(self.order - 1))
    }

    /// Change of position and velocity after `tau`.
    pub(crate) fn change(&self, velocity: &[f64], tau: f64) -> Vec<f64> {
        let n = self.n;
        let mut change = vec![0.0; 2 * n];
        for i in 0..n {
            let (mut q, mut v) = (0.0, 0.0);
            for k in (1..=self.order).rev() {
                let term = velocity[k * n + i];
                q = (q + term / (k as f64 + 1.0)) * tau;
                v = (v + term) * tau;
            }
            (change[i], change[n + i]) = ((q + velocity[i]) * tau, v);
        }
        change
    }
}

/// The compiled function `(q, v, t, c, dq, dv, dc)` to series and their derivatives.
pub(crate) struct Variation {
    pub(crate) function: Function,
    pub(crate) sizes: Sizes,
}

impl Variation {
    /// Derives and compiles; orders that are too large for a back end are lowered.
    pub(crate) fn compile(dynamics: &Dynamics, kept: &[String], options: FlowOptions) -> Result<Self, FunctionError> {
        let cheapest = (1.0 - 0.5 * options.tolerance.ln()).ceil() as usize;
        let mut order = options.order.unwrap_or(cheapest).clamp(MIN_ORDER, MAX_ORDER);
        loop {
            let (result, reached, size) = Self::attempt(dynamics, kept, options, order);
            match result {
                Err(FunctionError::TooLarge { .. }) if reached > MIN_ORDER => {
                    order = (reached * 3 / 4).max(MIN_ORDER);
                }
                // A cut series is too short for the step control.
                Ok(_) if reached < MIN_ORDER => {
                    return Err(FunctionError::TooLarge { needed: size, limit: MAX_NODES });
                }
                result => return result,
            }
        }
    }

    /// One order; also the order that was reached and the size of the graph.
    fn attempt(
        dynamics: &Dynamics,
        kept: &[String],
        options: FlowOptions,
        order: usize,
    ) -> (Result<Self, FunctionError>, usize, usize) {
        let (n, m) = (dynamics.dimension(), dynamics.constraint_count());
        // In coordinates, whatever the frame: the state is (q, v).
        let mut all = expand(dynamics, &dynamics.graph, None, &[], order);
        let graph = &mut all.graph;
        let variables = |graph: &mut carom_expr::Graph, names: &[String]| -> Vec<Id> {
            names.iter().map(|name| graph.variable(name)).collect()
        };
        let values = variables(graph, kept);
        let mut directions = |kind: &str, count: usize| -> Vec<Id> {
            let names: Vec<String> = (0..count).map(|i| format!("variation {kind} {i}")).collect();
            variables(graph, &names)
        };
        let (dq, dv, dc) = (directions("q", n), directions("v", n), directions("c", kept.len()));
        let seeds: Vec<(Id, Id)> = dynamics
            .q
            .iter()
            .chain(&dynamics.v)
            .chain(&values)
            .copied()
            .zip(dq.iter().chain(&dv).chain(&dc).copied())
            .collect();
        let lambda = all.multipliers[..(2 * m).min(all.multipliers.len())].to_vec();
        let results = [&all.velocity[..], &lambda[..m.min(lambda.len())]].concat();
        let mut delta = graph.directional(&results, &seeds);
        let delta_lambda = delta.split_off(all.velocity.len());
        let time = [dynamics.time];
        let inputs = [
            Group::new("q", &dynamics.q),
            Group::new("v", &dynamics.v),
            Group::new("t", &time),
            Group::new("kept", &values),
            Group::new("dq", &dq),
            Group::new("dv", &dv),
            Group::new("dkept", &dc),
        ];
        let outputs = [
            Group::new("velocity", &all.velocity),
            Group::new("multipliers", &lambda),
            Group::new("delta", &delta),
            Group::new("delta multipliers", &delta_lambda),
        ];
        let sizes = Sizes { n, m, p: kept.len(), order: all.order };
        let function = Function::compile(graph, &inputs, &outputs, options.backend);
        (function.map(|function| Self { function, sizes }), all.order, all.graph.len())
    }
}
