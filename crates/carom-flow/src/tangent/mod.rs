//! The tangent flow of one smooth mode: how the end of a motion moves with its start and with parameters.
//!
//! The series of a motion are explicit expressions `x[k](q, v, t, c)` of its state and of the values `c` that are kept
//! as variables. Their derivative along `(dq, dv, dc)`,
//!
//! ```text
//! dx[k] = dx[k]/dq dq + dx[k]/dv dv + dx[k]/dc dc
//! ```
//!
//! is the series of the variational equations `d(dx)/dt = Df dx + df/dc dc` to the same order: differentiation along
//! the state and expansion in time commute. So one function gives the motion and one column of
//!
//! ```text
//! Phi = d(q1, v1)/d(q0, v0),    Gamma = d(q1, v1)/dc
//! ```
//!
//! and the columns are carried along with the motion, in steps for which the series of all of them hold.
//!
//! With constraints (a closed contact is one) the equations are `M a + H^T lambda = b`, `G a = c`. They say what
//! happens to states off the constraints too: columns of directions that leave the constraints are those of that
//! continuation, and only combinations that stay on them mean anything.

mod variation;

use crate::error::{FlowError, FlowFailure};
use crate::options::FlowOptions;
use carom_expr::Evaluator;
use carom_linalg::{add_compensated, max_abs};
use carom_model::Dynamics;
use variation::{Sizes, Variation};

/// The end of a piece of smooth motion, and what it depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Propagated {
    /// Time.
    pub t: f64,
    /// Position.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// `Phi = d(q1, v1)/d(q0, v0)`, row by row, `2n x 2n`.
    pub state: Vec<f64>,
    /// `Gamma = d(q1, v1)/dc`, row by row, `2n x p`.
    pub kept: Vec<f64>,
}

/// Rates at one state, and how the multipliers depend on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rates {
    /// The vector field `f = (v, a)`.
    pub field: Vec<f64>,
    /// Multipliers of the constraints.
    pub multipliers: Vec<f64>,
    /// Their rates along the motion.
    pub multiplier_rates: Vec<f64>,
    /// Their derivatives with respect to `(q, v, c)`, row by row, `m x (2n + p)`.
    pub multiplier_slopes: Vec<f64>,
}

/// Integrates the equations of motion together with their variational equations.
pub struct Tangent {
    sizes: Sizes,
    series: Evaluator,
    /// Logarithm of `tolerance^(1/(P-1)) exp(-0.7/(P-1))`.
    log_factor: f64,
    max_step: f64,
    steps: usize,
}

impl Tangent {
    /// The tangent flow of `dynamics`, in which `kept` are variables ([`Dynamics::keeping`]); contacts may be closed
    /// ([`Dynamics::with_closed`]). Kept inputs hold their values over a piece of motion.
    pub fn new(dynamics: &Dynamics, kept: &[String], options: FlowOptions) -> Result<Self, FlowError> {
        let mut expressions = [&[dynamics.lagrangian][..], &dynamics.forces, &dynamics.constraints].concat();
        expressions.extend(&dynamics.velocity_constraints);
        if dynamics.graph.has_switches(&expressions) {
            let what = "the derivative of a motion with kinks or jumps in its Lagrangian, forces or constraints";
            let advice = "derivatives are for expressions without abs, sign, min, max, comparisons and if";
            return Err(FlowError::NotSupported { what: what.to_owned(), advice });
        }
        let Variation { function, sizes } = Variation::compile(dynamics, kept, options)?;
        let log_factor = (options.tolerance.ln() - 0.7) / (sizes.order as f64 - 1.0);
        Ok(Self { sizes, series: function.evaluator(), log_factor, max_step: options.max_step, steps: 0 })
    }

    /// Order of the series.
    pub fn order(&self) -> usize {
        self.sizes.order
    }

    /// Number of values that are kept as variables.
    pub fn kept_count(&self) -> usize {
        self.sizes.p
    }

    /// Steps so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Follows the motion from time, position and velocity for `duration`, with the values `kept`.
    pub fn run(
        &mut self,
        (t, q, v): (f64, &[f64], &[f64]),
        kept: &[f64],
        duration: f64,
    ) -> Result<Propagated, FlowFailure> {
        if !(duration >= 0.0 && duration.is_finite()) {
            return Err(FlowFailure::NotForward { time: t, until: t + duration });
        }
        let mut motion = Carried::new(&self.sizes, (t, q, v));
        let mut left = duration;
        while left > 0.0 {
            let outputs = self.expand(&motion, kept)?;
            let length = self.length(&motion, &outputs)?.min(left);
            if length <= f64::EPSILON * 1e-3 * duration {
                return Err(FlowFailure::StepTooSmall { time: motion.t(), length });
            }
            motion.advance(&self.sizes, &outputs, length);
            left -= length;
            self.steps += 1;
        }
        Ok(motion.finish(&self.sizes, t + duration))
    }

    /// The vector field at a state, and the multipliers with their derivatives.
    pub fn rates(&mut self, (t, q, v): (f64, &[f64], &[f64]), kept: &[f64]) -> Result<Rates, FlowFailure> {
        let sizes = self.sizes;
        let (n, m, columns) = (sizes.n, sizes.m, 2 * sizes.n + sizes.p);
        let outputs = self.expand(&Carried::new(&sizes, (t, q, v)), kept)?;
        let mut slopes = vec![0.0; m * columns];
        for (j, output) in outputs.iter().enumerate() {
            let lambda = &output[sizes.multiplier_slopes()];
            (0..m).for_each(|i| slopes[i * columns + j] = lambda[i]);
        }
        let lambda = &outputs[0][sizes.multipliers()];
        Ok(Rates {
            field: outputs[0][..2 * n].to_vec(),
            multipliers: lambda[..m].to_vec(),
            multiplier_rates: lambda[m..].to_vec(),
            multiplier_slopes: slopes,
        })
    }

    /// The series of the motion and of every column.
    fn expand(&mut self, motion: &Carried, kept: &[f64]) -> Result<Vec<Vec<f64>>, FlowFailure> {
        let Sizes { n, p, .. } = self.sizes;
        let mut outputs = Vec::with_capacity(motion.columns.len());
        for (j, column) in motion.columns.iter().enumerate() {
            let mut input = [&motion.state[..2 * n + 1], kept, column].concat();
            // A column of a kept value moves that value by one.
            input.extend((0..p).map(|k| if j == 2 * n + k { 1.0 } else { 0.0 }));
            let output = self.series.values(&input);
            if !max_abs(&output).is_finite() {
                return Err(FlowFailure::NotFinite { time: motion.t() });
            }
            outputs.push(output);
        }
        Ok(outputs)
    }

    /// The length for which all series hold, each relative to the size of what it moves, at least 1.
    fn length(&self, motion: &Carried, outputs: &[Vec<f64>]) -> Result<f64, FlowFailure> {
        let sizes = &self.sizes;
        let mut log_rho = sizes.log_radius(&outputs[0][sizes.velocity()], max_abs(&motion.state[..2 * sizes.n]));
        for (output, column) in outputs.iter().zip(&motion.columns) {
            log_rho = log_rho.min(sizes.log_radius(&output[sizes.delta()], max_abs(column)));
        }
        let length = (log_rho + self.log_factor).exp().min(self.max_step);
        if length.is_nan() { Err(FlowFailure::NotFinite { time: motion.t() }) } else { Ok(length) }
    }
}

/// A state and the columns that are carried along, with what rounding has taken from them.
struct Carried {
    /// Position, velocity, time.
    state: Vec<f64>,
    rest: Vec<f64>,
    /// Columns of `Phi`, then of `Gamma`.
    columns: Vec<Vec<f64>>,
    column_rests: Vec<Vec<f64>>,
}

impl Carried {
    fn new(sizes: &Sizes, (t, q, v): (f64, &[f64], &[f64])) -> Self {
        let size = 2 * sizes.n;
        let unit = |j: usize| (0..size).map(|i| if i == j { 1.0 } else { 0.0 }).collect();
        let columns: Vec<Vec<f64>> = (0..size + sizes.p).map(unit).collect();
        let column_rests = vec![vec![0.0; size]; columns.len()];
        Self { state: [q, v, &[t]].concat(), rest: vec![0.0; size + 1], columns, column_rests }
    }

    fn t(&self) -> f64 {
        self.state.last().copied().unwrap_or(f64::NAN)
    }

    /// Moves everything by `tau`.
    fn advance(&mut self, sizes: &Sizes, outputs: &[Vec<f64>], tau: f64) {
        let mut change = sizes.change(&outputs[0][sizes.velocity()], tau);
        change.push(tau);
        add_compensated(&mut self.state, &mut self.rest, &change);
        for (j, output) in outputs.iter().enumerate() {
            let change = sizes.change(&output[sizes.delta()], tau);
            add_compensated(&mut self.columns[j], &mut self.column_rests[j], &change);
        }
    }

    fn finish(self, sizes: &Sizes, t: f64) -> Propagated {
        let size = 2 * sizes.n;
        let rows = |columns: &[Vec<f64>]| -> Vec<f64> {
            (0..size).flat_map(|i| columns.iter().map(move |column| column[i])).collect()
        };
        let (state, kept) = self.columns.split_at(size);
        let (q, v) = (self.state[..sizes.n].to_vec(), self.state[sizes.n..size].to_vec());
        Propagated { t, q, v, state: rows(state), kept: rows(kept) }
    }
}
