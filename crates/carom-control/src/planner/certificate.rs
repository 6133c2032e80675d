//! Optimality of a motion with impacts: the conditions of Lemma 3 of 002, corrected.
//!
//! With inputs eliminated the cost is `int k(q, q', q'') dt`, a Lagrangian of second order, with Ostrogradsky's momenta
//!
//! ```text
//! pi2 = dk/dq'',     pi1 = dk/dq' - d/dt pi2,     E = pi1 q' + pi2 q'' - k
//! ```
//!
//! Between impacts `dk/dq - d/dt pi1 = 0` (18). An impact at `t_i` with `q'+ = R(q) q'-` may be varied in its velocity
//! before, in its time, and in its place along the boundary:
//!
//! ```text
//! pi2- - pi2+ R = 0                                                                       (19)
//! E- - E+ = 0                                                                            (20), corrected
//! (pi1- - pi1+ - pi2+ (R' .) q'-) dq = 0        for dq along the boundary                    (21)
//! ```
//!
//! The printed (20) lacks `pi2 q''` and has a term with `R'` instead: it forgets that `t_i` is varied. Its residual is
//! reported beside the corrected one. All residuals are relative to the sizes of the terms in them.
//!
//! Inputs of a solution are known at samples; their derivatives are not. So (18) is integrated twice (du Bois-Reymond),
//!
//! ```text
//! pi2 = int dk/dq' - int int dk/dq + a + b t,        pi1 = int dk/dq - b
//! ```
//!
//! with the same `a`, `b` along a whole flight: they are fitted, and what is left is the residual.

use super::line::Line;
use super::task::Task;
use crate::error::ControlError;
use crate::solution::{PhaseSolution, Solution};
use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group, Id};
use carom_linalg::dot;

/// Residuals of the conditions at one impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Corner {
    /// Time of the impact.
    pub time: f64,
    /// (19): variation of the velocity before the impact.
    pub velocity: f64,
    /// (20), corrected: variation of the time.
    pub energy: f64,
    /// (21): variation of the place along the boundary.
    pub place: f64,
    /// (20) as printed.
    pub printed: f64,
}

/// Residuals of the conditions of optimality.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Certificate {
    /// One per impact.
    pub corners: Vec<Corner>,
    /// (18): the largest residual between impacts.
    pub flights: f64,
}

impl Certificate {
    /// The largest residual of all corrected conditions.
    pub fn worst(&self) -> f64 {
        let corners = self.corners.iter().flat_map(|corner| [corner.velocity, corner.energy, corner.place]);
        corners.fold(self.flights, f64::max)
    }
}

/// Ostrogradsky's quantities at an end of a flight.
struct Quantities {
    v: Vec<f64>,
    pi1: Vec<f64>,
    pi2: Vec<f64>,
    cost: f64,
    /// `pi2 q''`
    bend: f64,
}

impl Quantities {
    fn energy(&self) -> f64 {
        dot(&self.pi1, &self.v) + self.bend - self.cost
    }
}

/// Evaluates conditions.
struct Conditions {
    n: usize,
    places: Vec<usize>,
    /// `(u, u', inputs, t) -> k, u'', dk/du'', dk/du', dk/du`
    momenta: Evaluator,
    /// `(u, w, v) -> R, d(w R v)/du, phi'`
    reflection: Evaluator,
}

/// The certificate of a solution of the problem with fixed sequence.
pub(super) fn certificate(task: &Task, solution: &Solution) -> Result<Certificate, ControlError> {
    let mut conditions = Conditions::new(task)?;
    let mut found = Certificate::default();
    let mut ends: Vec<[Quantities; 2]> = Vec::new();
    for phase in &solution.phases {
        let (quantities, residual) = conditions.flight(phase);
        // Not-a-number is as bad as can be.
        found.flights = if residual <= found.flights { found.flights } else { residual };
        ends.push(quantities);
    }
    for (pair, phase) in ends.windows(2).zip(&solution.phases[1..]) {
        let u = conditions.pick(&phase.q[0]);
        found.corners.push(conditions.corner((phase.begins, phase.duration), &u, &pair[0][1], &pair[1][0]));
    }
    Ok(found)
}

impl Conditions {
    fn new(task: &Task) -> Result<Self, FunctionError> {
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
        let compile = |graph: &Graph, inputs: &[Id], outputs: &[Id]| {
            let (inputs, outputs) = ([Group::new("in", inputs)], [Group::new("out", outputs)]);
            Function::compile(graph, &inputs, &outputs, Backend::Interpreter).map(|function| function.evaluator())
        };
        let momenta = compile(&graph, &[&simple.u[..], &simple.du, &inputs, &[simple.time]].concat(), &outputs)?;
        let weights = graph.variables("[w]", n);
        let outputs = reflection(&mut graph, task, &weights);
        let reflection = compile(&graph, &[&simple.u[..], &weights, &simple.du].concat(), &outputs)?;
        Ok(Self { n, places: simple.places.clone(), momenta, reflection })
    }

    fn pick(&self, all: &[f64]) -> Vec<f64> {
        self.places.iter().map(|&place| all[place]).collect()
    }

    /// Velocity, then `k, u'', dk/du'', dk/du', dk/du`, at a share of an interval.
    fn at(&mut self, phase: &PhaseSolution, interval: usize, share: f64) -> (Vec<f64>, Vec<f64>) {
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

    /// The quantities at both ends of a flight, and the residual of (18).
    fn flight(&mut self, phase: &PhaseSolution) -> ([Quantities; 2], f64) {
        let n = self.n;
        let fractions = phase.controls.fractions.clone();
        let mut samples = Vec::new();
        for interval in 0..phase.times.len() - 1 {
            samples.push(fractions.iter().map(|&share| self.at(phase, interval, share).1).collect::<Vec<_>>());
        }
        let last = phase.times.len() - 2;
        let [first, end] = [(0, 0.0), (last, 1.0)].map(|(interval, share)| self.at(phase, interval, share));
        let mut quantities = [first, end].map(|(v, values)| Quantities {
            bend: 0.0,
            cost: values[0],
            pi1: Vec::new(),
            pi2: values[1..1 + n].to_vec(),
            v,
        });
        let mut residual = 0.0f64;
        for i in 0..n {
            let part = |place: usize| -> Vec<Vec<f64>> {
                samples.iter().map(|all| all.iter().map(|values| values[1 + place * n + i]).collect()).collect()
            };
            let line = Line::fit(&phase.times, &fractions, [part(1), part(2), part(3)]);
            residual = if line.residual <= residual { residual } else { line.residual };
            for (at, [pi1, pi2]) in quantities.iter_mut().zip(line.ends) {
                // The place of the acceleration gives way to what it is multiplied with.
                at.bend += pi2 * at.pi2[i];
                at.pi2[i] = pi2;
                at.pi1.push(pi1);
            }
        }
        (quantities, residual)
    }

    fn corner(&mut self, (time, duration): (f64, f64), u: &[f64], before: &Quantities, after: &Quantities) -> Corner {
        let n = self.n;
        let values = self.reflection.values(&[u, &after.pi2, &before.v].concat());
        let (reflection, rest) = values.split_at(n * n);
        let (turned, normal) = rest.split_at(n);
        let size = |all: &[f64]| dot(all, all).sqrt();
        let kept = |k: usize| (0..n).map(|i| after.pi2[i] * reflection[i * n + k]).sum::<f64>();
        let velocity: Vec<f64> = (0..n).map(|k| before.pi2[k] - kept(k)).collect();
        let mut place: Vec<f64> = (0..n).map(|k| before.pi1[k] - after.pi1[k] - turned[k]).collect();
        let share = dot(&place, normal) / dot(normal, normal);
        place.iter_mut().zip(normal).for_each(|(value, normal)| *value -= share * normal);
        let powers = [before, after].map(|at| dot(&at.pi1, &at.v).abs() + at.bend.abs() + at.cost.abs());
        let scale = powers[0].max(powers[1]).max(f64::MIN_POSITIVE);
        // Both sides of (19) may vanish: what they could be is the change of pi2 over the flight.
        let bend = size(&before.pi2) + duration * size(&after.pi1);
        let printed = |at: &Quantities| dot(&at.pi1, &at.v) - at.cost;
        let along: f64 = dot(turned, &before.v);
        Corner {
            time,
            velocity: size(&velocity) / bend.max(f64::MIN_POSITIVE),
            energy: (before.energy() - after.energy()).abs() / scale,
            place: size(&place) / (size(&before.pi1) + size(&after.pi1) + size(turned)).max(f64::MIN_POSITIVE),
            printed: (printed(after) - printed(before) + along).abs() / scale,
        }
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
