//! Interpolation, defects and costs of the intervals.

use super::SIMPSON;
use super::points::Points;
use crate::assembly::{Assembly, Inputs};
use crate::dmoc::{Costs, Place};
use crate::layout::{PhaseLayout, Split};
use crate::problem::ControlShape;
use carom_discrete::SampledState;
use carom_expr::{Graph, Id};
use carom_nlp::Range;

/// The variables of an interval as expressions: at the left end, the middle and the right end.
pub(super) struct IntervalExpressions {
    pub(super) graph: Graph,
    pub(super) q: [Vec<Id>; 3],
    pub(super) v: [Vec<Id>; 3],
    a: [Vec<Id>; 3],
    pub(super) u: [Vec<Id>; 3],
    gamma: Vec<Id>,
    pub(super) h: Id,
    pub(super) ta: Id,
    pub(super) samples: Vec<SampledState>,
}

impl IntervalExpressions {
    pub(super) fn new(place: &Place<'_>) -> Self {
        let (phase, dynamics) = (place.phase, &place.phase.dynamics);
        let mut graph = dynamics.graph.clone();
        let (n, inputs) = (dynamics.dimension(), phase.inputs.len());
        let mut three =
            |what: &str, count: usize| [0, 1, 2].map(|i| graph.variables(&format!("[{what} at {i}]"), count));
        let (q, v, a, u) = (three("q", n), three("v", n), three("a", n), three("u", inputs));
        let drifting = (0..dynamics.constraints.len()).filter(|&number| !phase.is_pin[number]).count();
        let gamma = graph.variables("[gamma]", drifting);
        let (h, ta) = (graph.variable("[h]"), graph.variable("[ta]"));
        let mut samples = Vec::new();
        for (i, (time, weight)) in SIMPSON.into_iter().enumerate() {
            let elapsed = graph.scale(time, h);
            let now = graph.add(ta, elapsed);
            let from = [&dynamics.q[..], &dynamics.v, &phase.inputs, &[dynamics.time]].concat();
            let to = [&q[i][..], &v[i], &u[i], &[now]].concat();
            samples.push(SampledState { weight, time, places: from.into_iter().zip(to).collect() });
        }
        Self { graph, q, v, a, u, gamma, h, ta, samples }
    }

    /// Interpolation and defects of a coordinate that is not pinned: of `q` and of `v`.
    fn defects(&mut self, k: usize, correction: Option<Id>) -> [Id; 4] {
        let positions = [0, 1, 2].map(|i| self.q[i][k]);
        let rates = [0, 1, 2].map(|i| self.v[i][k]);
        let accelerations = [0, 1, 2].map(|i| self.a[i][k]);
        let mut corrected = rates;
        if let Some(correction) = correction {
            corrected[1] = self.graph.add(rates[1], correction);
        }
        let [hermite_q, hermite_v] =
            [(positions, rates), (rates, accelerations)].map(|(value, rate)| self.hermite(value, rate));
        let [simpson_q, simpson_v] =
            [(positions, corrected), (rates, accelerations)].map(|(value, rate)| self.simpson(value, rate));
        [hermite_q, hermite_v, simpson_q, simpson_v]
    }

    /// `x_m - (x_0 + x_1)/2 - h/8 (x'_0 - x'_1)`
    fn hermite(&mut self, [x0, xm, x1]: [Id; 3], [r0, _, r1]: [Id; 3]) -> Id {
        let graph = &mut self.graph;
        let sum = graph.add(x0, x1);
        let mean = graph.scale(0.5, sum);
        let difference = graph.sub(r0, r1);
        let bulge = graph.mul(self.h, difference);
        let bulge = graph.scale(0.125, bulge);
        let off = graph.sub(xm, mean);
        graph.sub(off, bulge)
    }

    /// `x_1 - x_0 - h/6 (x'_0 + 4 x'_m + x'_1)`
    fn simpson(&mut self, [x0, _, x1]: [Id; 3], rates: [Id; 3]) -> Id {
        let graph = &mut self.graph;
        let terms = [0, 1, 2].map(|i| graph.scale(SIMPSON[i].1, rates[i]));
        let mean = graph.sum(terms);
        let step = graph.mul(self.h, mean);
        let change = graph.sub(x1, x0);
        graph.sub(change, step)
    }

    /// `G(q_m)^T gamma`
    fn corrections(&mut self, place: &Place<'_>) -> Vec<Option<Id>> {
        let (phase, dynamics) = (place.phase, &place.phase.dynamics);
        if self.gamma.is_empty() {
            return vec![None; dynamics.dimension()];
        }
        let drifting: Vec<Id> =
            (0..dynamics.constraints.len()).filter(|&i| !phase.is_pin[i]).map(|i| dynamics.constraints[i]).collect();
        let jacobian = self.graph.jacobian(&drifting, &dynamics.q).dense(&mut self.graph);
        let jacobian = self.graph.substitute(&jacobian, &self.samples[1].places);
        let n = dynamics.dimension();
        let correction = |k: usize| {
            let column: Vec<Id> = (0..drifting.len()).map(|row| jacobian[row * n + k]).collect();
            Some(self.graph.dot(&column, &self.gamma))
        };
        (0..n).map(correction).collect()
    }
}

/// Places the kernel of all intervals.
pub(super) fn intervals(
    place: &Place<'_>,
    points: &Points,
    costs: &Costs,
    assembly: &mut Assembly,
    own: &mut PhaseLayout,
) {
    let phase = place.phase;
    let mut interval = IntervalExpressions::new(place);
    let (mut rows, mut names) = (Vec::new(), Vec::new());
    let corrections = interval.corrections(place);
    let coordinates = phase.system().coordinate_names();
    let moving: Vec<usize> = (0..coordinates.len()).filter(|&k| phase.pinned[k].is_none()).collect();
    for &k in &moving {
        rows.extend(interval.defects(k, corrections[k]));
        let x = &coordinates[k];
        names.extend([format!("middle {x}"), format!("middle {x}'"), format!("step of {x}"), format!("step of {x}'")]);
    }
    if phase.phase.shape == ControlShape::Linear {
        for (i, input) in phase.system().inputs().iter().enumerate() {
            let sum = interval.graph.add(interval.u[0][i], interval.u[2][i]);
            let mean = interval.graph.scale(0.5, sum);
            rows.push(interval.graph.sub(interval.u[1][i], mean));
            names.push(format!("middle {}", input.name));
        }
    }
    // A split value is w = plus - minus, with both parts as unknowns.
    let (mut cost, splits) = costs.integrals(&mut interval.graph, &interval.samples, interval.h);
    let mut parts = Vec::new();
    let graph = &mut interval.graph;
    for (number, split) in splits.iter().enumerate() {
        let [plus, minus] = [format!("[plus{number}]"), format!("[minus{number}]")].map(|name| graph.variable(&name));
        let difference = graph.sub(plus, minus);
        rows.push(graph.sub(split.value, difference));
        names.push(split.name.clone());
        for (part, weight) in [(plus, split.weights[0]), (minus, split.weights[1])] {
            let term = graph.scale(weight, part);
            cost = graph.add(cost, term);
        }
        parts.extend([plus, minus]);
    }
    // Durations are shares of that of the phase.
    let [share, before, begins, duration] = ["[share]", "[before]", "[begins]", "[T]"].map(|name| graph.variable(name));
    let elapsed = graph.mul(before, duration);
    let times = [(interval.h, graph.mul(share, duration)), (interval.ta, graph.add(begins, elapsed))];
    let replaced = graph.substitute(&[&rows[..], &[cost]].concat(), &times);
    let freed: Vec<Id> = phase.freed.iter().map(|&(_, id)| id).collect();
    let three = [interval.q.concat(), interval.v.concat(), interval.a.concat(), interval.u.concat()].concat();
    let mut inputs =
        Inputs { variables: [three, interval.gamma, parts, freed].concat(), data: vec![share, before, begins] };
    if own.duration.is_some() {
        inputs.variables.push(duration)
    } else {
        inputs.data.push(duration)
    }
    let shape = assembly.kernel(interval.graph, &inputs, Some(replaced[rows.len()]), &replaced[..rows.len()]);
    for k in 0..own.mesh.len() {
        let stage = place.stage + k as u32;
        let at = format!("{} / interval {k}", phase.phase.name);
        let rows: Vec<u32> =
            names.iter().map(|name| assembly.row(format!("{at} / {name}"), Range::fixed(0.0), stage)).collect();
        // The step of the velocity is the balance of momentum.
        own.balances.push((0..moving.len()).map(|i| rows[4 * i + 3]).collect());
        let three = |list: &[Vec<u32>]| list[2 * k..2 * k + 3].concat();
        let mut variables =
            [three(&points.q), three(&points.v), three(&points.a), three(&points.u), points.gamma[k].clone()].concat();
        let splitting = rows[rows.len() - splits.len()..].iter().copied();
        for (split, row) in splits.iter().zip(splitting) {
            let mut part =
                |sign: &str| assembly.variable(format!("{at} / {} {sign}", split.name), Range::at_least(0.0), stage);
            let split = Split { plus: part("+"), minus: part("-"), row };
            variables.extend([split.plus, split.minus]);
            own.splits.push(split);
        }
        variables.extend(place.freed());
        variables.extend(own.duration);
        let data = [own.mesh[k], points.shares[2 * k], phase.begins, phase.phase.duration.guess()];
        assembly.place(&shape, &variables, &data, &rows);
    }
}
