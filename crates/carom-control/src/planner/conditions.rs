//! What conditions of optimality are made of: derivatives of the cost, the reflection, the end.

use super::task::Task;
use crate::solution::PhaseSolution;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group, Id};
use carom_linalg::{dot, max_abs};

/// Rows of the end that are shorter than this part of themselves after elimination depend on others.
const DEPENDENT: f64 = 1e-10;

/// Evaluates what the conditions are made of.
pub(super) struct Conditions {
    pub(super) n: usize,
    places: Vec<usize>,
    /// `(u, u', inputs, t) -> k, u'', dk/du'', dk/du', dk/du`
    momenta: Evaluator,
    /// `(u, w, v) -> R, d(w R v)/du, phi'`
    pub(super) reflection: Evaluator,
    /// `(u, u') -> dPhi, de`, derivatives with respect to `(u, u')`
    end: Evaluator,
    /// `(u, u', u'', t) -> inputs`
    controls: Evaluator,
}

impl Conditions {
    pub(super) fn new(task: &Task) -> Result<Self, FunctionError> {
        let simple = &task.normal.simple;
        let n = simple.dimension();
        let mut graph = simple.graph.clone();
        let inputs: Vec<Id> = task.inputs.iter().map(|name| graph.variable(name)).collect();
        // Derivatives of k with accelerations as variables, then with what they are.
        let acceleration = accelerations(&mut graph, task);
        let at: Vec<(Id, Id)> = task.acceleration.iter().copied().zip(acceleration.iter().copied()).collect();
        let mut outputs = vec![task.density];
        outputs.extend(&task.acceleration);
        outputs.extend(graph.gradient(task.density, &[&task.acceleration[..], &simple.du, &simple.u].concat()));
        let outputs = graph.substitute(&outputs, &at);
        let compile = |graph: &Graph, inputs: &[&[Id]], outputs: &[Id]| {
            let inputs = inputs.concat();
            let (inputs, outputs) = ([Group::new("in", &inputs)], [Group::new("out", outputs)]);
            Function::compile(graph, &inputs, &outputs, Backend::Interpreter).map(|function| function.evaluator())
        };
        let (u, du, time) = (&simple.u[..], &simple.du[..], [simple.time]);
        let momenta = compile(&graph, &[u, du, &inputs, &time], &outputs)?;
        let weights = graph.variables("[w]", n);
        let outputs = reflection(&mut graph, task, &weights);
        let reflection = compile(&graph, &[u, &weights, du], &outputs)?;
        let ending = [&[task.ending], &task.errors[..]].concat();
        let outputs = graph.jacobian(&ending, &[u, du].concat()).dense(&mut graph);
        let end = compile(&graph, &[u, du, &time], &outputs)?;
        let controls = compile(&graph, &[u, du, &task.acceleration, &time], &task.controls)?;
        Ok(Self { n, places: simple.places.clone(), momenta, reflection, end, controls })
    }

    pub(super) fn pick(&self, all: &[f64]) -> Vec<f64> {
        self.places.iter().map(|&place| all[place]).collect()
    }

    /// Velocity, then `k, u'', dk/du'', dk/du', dk/du`, at a share of an interval.
    pub(super) fn at(&mut self, phase: &PhaseSolution, interval: usize, share: f64) -> (Vec<f64>, Vec<f64>) {
        let n = self.n;
        let h = phase.times[interval + 1] - phase.times[interval];
        let ends = [interval, interval + 1].map(|k| (self.pick(&phase.q[k]), self.pick(&phase.v[k])));
        let mut state = vec![0.0; 2 * n];
        for i in 0..n {
            let values = ([ends[0].0[i], ends[1].0[i]], [h * ends[0].1[i], h * ends[1].1[i]]);
            let (value, slope) = crate::ladder::hermite(values.0, values.1, share);
            (state[i], state[n + i]) = (value, slope / h);
        }
        state.extend(phase.controls.at(interval, share));
        state.push(phase.times[interval] + share * h);
        let values = self.momenta.values(&state);
        (state[n..2 * n].to_vec(), values)
    }

    /// Sizes of `dk/du''` and of `k` where the system is held at rest at its start, or pushed by unit inputs if it stays
    /// there by itself.
    pub(super) fn still(&mut self, task: &Task) -> (f64, f64) {
        let n = self.n;
        let rest = vec![0.0; n];
        let inputs = self.controls.values(&[&task.start[0][..], &rest, &rest, &[0.0]].concat());
        let mut size = |inputs: &[f64]| {
            let values = self.momenta.values(&[&task.start[0][..], &rest, inputs, &[0.0]].concat());
            (max_abs(&values[1 + n..1 + 2 * n]), values[0].abs())
        };
        let held = size(&inputs);
        let found = if held.0 > 0.0 { held } else { size(&vec![1.0; n]) };
        let number = |value: f64| if value.is_finite() { value } else { 0.0 };
        (number(found.0).max(f64::MIN_POSITIVE), number(found.1))
    }

    /// What is left of `(pi1 + dPhi/du, pi2 + dPhi/du')` along directions that no condition at the end fixes.
    pub(super) fn transversality(
        &mut self,
        (u, v): (&[f64], &[f64]),
        (pi1, pi2): (&[f64], &[f64]),
        (push, bend): (f64, f64),
    ) -> f64 {
        let n = self.n;
        let values = self.end.values(&[u, v, &[0.0]].concat());
        // In units of the momenta, so that both halves count.
        let scaled = |row: &[f64], sign: f64| -> Vec<f64> {
            let unit = |i: usize| if i < n { push } else { bend };
            row.iter().enumerate().map(|(i, value)| value * unit(i).powf(sign)).collect()
        };
        let mut left: Vec<f64> =
            [pi1, pi2].concat().iter().zip(&values[..2 * n]).map(|(pi, slope)| pi + slope).collect();
        left = scaled(&left, -1.0);
        let mut basis: Vec<Vec<f64>> = Vec::new();
        for row in values[2 * n..].chunks(2 * n) {
            let mut row = scaled(row, -1.0);
            let whole = dot(&row, &row).sqrt();
            remove(&mut row, &basis);
            let size = dot(&row, &row).sqrt();
            if size > DEPENDENT * whole {
                row.iter_mut().for_each(|value| *value /= size);
                basis.push(row);
            }
        }
        remove(&mut left, &basis);
        max_abs(&left)
    }
}

/// Takes the parts along an orthonormal basis out of a row, twice against rounding.
fn remove(row: &mut [f64], basis: &[Vec<f64>]) {
    for direction in basis.iter().chain(basis) {
        let share = dot(row, direction);
        row.iter_mut().zip(direction).for_each(|(value, part)| *value -= share * part);
    }
}

/// `u'' = M^-1 (dL/du + F - d/dt(dL/du') at u'' = 0)`
fn accelerations(graph: &mut Graph, task: &Task) -> Vec<Id> {
    let simple = &task.normal.simple;
    let n = simple.dimension();
    let mut along: Vec<(Id, Id)> = simple.u.iter().copied().zip(simple.du.iter().copied()).collect();
    along.push((simple.time, graph.constant(1.0)));
    let momenta = graph.gradient(simple.lagrangian, &simple.du);
    let rates = graph.directional(&momenta, &along);
    let slopes = graph.gradient(simple.lagrangian, &simple.u);
    let balance: Vec<Id> = (0..n)
        .map(|k| {
            let force = graph.add(slopes[k], simple.forces[k]);
            graph.sub(force, rates[k])
        })
        .collect();
    let (inverse, _) = graph.inverse(&simple.mass, n);
    inverse.chunks(n).map(|row| graph.dot(row, &balance)).collect()
}

/// `R` row by row, `d(w R v)/du` with `w` and `v` held, and `phi'`.
fn reflection(graph: &mut Graph, task: &Task, weights: &[Id]) -> Vec<Id> {
    let simple = &task.normal.simple;
    let n = simple.dimension();
    let slopes = graph.gradient(simple.gap, &simple.u);
    let (inverse, _) = graph.inverse(&simple.mass, n);
    let lifted: Vec<Id> = inverse.chunks(n).map(|row| graph.dot(row, &slopes)).collect();
    let below = graph.dot(&slopes, &lifted);
    let mut outputs = Vec::new();
    for (i, &lift) in lifted.iter().enumerate() {
        for (j, &slope) in slopes.iter().enumerate() {
            let product = graph.mul(lift, slope);
            let twice = graph.scale(2.0, product);
            let share = graph.div(twice, below);
            let one = graph.constant(f64::from(u8::from(i == j)));
            outputs.push(graph.sub(one, share));
        }
    }
    let turned: Vec<Id> = outputs.chunks(n).map(|row| graph.dot(row, &simple.du)).collect();
    let product = graph.dot(weights, &turned);
    outputs.extend(graph.gradient(product, &simple.u));
    outputs.extend(slopes);
    outputs
}
