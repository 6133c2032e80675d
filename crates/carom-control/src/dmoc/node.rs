//! Unknowns and equations of the nodes of a phase.

use super::Place;
use crate::assembly::{Assembly, Inputs};
use crate::error::ControlError;
use crate::layout::PhaseLayout;
use crate::problem::{ControlShape, Where};
use carom_discrete::Formulation;
use carom_expr::Id;
use carom_nlp::Range;

/// Configurations, impulses of constraints, momentum balances and constraints at nodes.
pub(crate) fn nodes(place: &Place<'_>, assembly: &mut Assembly, own: &mut PhaseLayout) {
    let phase = place.phase;
    let (name, intervals) = (&phase.phase.name, own.mesh.len());
    let coordinates = phase.system().coordinate_names();
    let balances = phase.balance_names();
    for k in 0..=intervals {
        let stage = place.stage + k as u32;
        let q = coordinates.iter().enumerate();
        own.q.push(
            q.map(|(i, x)| assembly.variable(format!("{name} / node {k} / {x}"), phase.coordinate_range(i), stage))
                .collect(),
        );
        let lambda = phase.dynamics.constraint_names.iter().take(phase.multipliers());
        own.lambda.push(
            lambda
                .map(|g| assembly.variable(format!("{name} / node {k} / impulse of {g}"), Range::FREE, stage))
                .collect(),
        );
        let rows = balances.iter();
        own.balances.push(
            rows.map(|row| assembly.row(format!("{name} / node {k} / {row}"), Range::fixed(0.0), stage)).collect(),
        );
    }
    for k in [0, intervals] {
        let rate = |(i, x): (usize, &String)| {
            assembly.variable(format!("{name} / node {k} / {x}'"), phase.rate_range(i), place.stage + k as u32)
        };
        own.v.push(coordinates.iter().enumerate().map(rate).collect());
    }
    constraint_forces(place, assembly, own);
    constraints(place, assembly, own);
}

/// `-G(q_k)^T lambda_k` in the momentum balances.
fn constraint_forces(place: &Place<'_>, assembly: &mut Assembly, own: &PhaseLayout) {
    let phase = place.phase;
    let m = phase.multipliers();
    if m == 0 {
        return;
    }
    let mut graph = phase.dynamics.graph.clone();
    let lambda = graph.variables("[lambda]", m);
    let directions = phase.dynamics.force_directions(&mut graph);
    let n = phase.dynamics.dimension();
    let mut forces = Vec::new();
    for k in 0..n {
        let column: Vec<Id> = (0..m).map(|row| directions[row * n + k]).collect();
        let force = graph.dot(&column, &lambda);
        forces.push(graph.neg(force));
    }
    let freed: Vec<Id> = phase.freed.iter().map(|&(_, id)| id).collect();
    let inputs = Inputs { variables: [phase.dynamics.q.clone(), lambda, freed].concat(), data: Vec::new() };
    let shape = assembly.kernel(graph, &inputs, None, &forces);
    for k in 0..own.q.len() {
        let variables = [own.q[k].clone(), own.lambda[k].clone(), place.freed()].concat();
        assembly.place(&shape, &variables, &[], &own.balances[k]);
    }
}

/// `g(q_k) = 0`, but for pins, which are bounds; values that are kept are compared from node to node.
pub(crate) fn constraints(place: &Place<'_>, assembly: &mut Assembly, own: &PhaseLayout) {
    let phase = place.phase;
    let dynamics = &phase.dynamics;
    let zeros = dynamics.constraints.len() - dynamics.kept_values;
    let freed: Vec<Id> = phase.freed.iter().map(|&(_, id)| id).collect();
    for (number, &g) in dynamics.constraints.iter().enumerate() {
        if phase.is_pin[number] {
            continue;
        }
        let name = |k: usize| format!("{} / node {k} / {}", phase.phase.name, dynamics.constraint_names[number]);
        let mut graph = dynamics.graph.clone();
        // Where a transition leads, it may have taken care of the first node.
        let first = if number < zeros && !phase.is_implied[number] { 0 } else { 1 };
        let (inputs, root) = if number < zeros {
            ([dynamics.q.clone(), freed.clone()].concat(), g)
        } else {
            let before = graph.variables("[before]", dynamics.dimension());
            let places: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(before.iter().copied()).collect();
            let kept = graph.substitute(&[g], &places)[0];
            let change = graph.sub(g, kept);
            ([dynamics.q.clone(), freed.clone(), before].concat(), change)
        };
        let shape = assembly.kernel(graph, &Inputs { variables: inputs, data: Vec::new() }, None, &[root]);
        for k in first..own.q.len() {
            let row = assembly.row(name(k), Range::fixed(0.0), place.stage + k as u32);
            let mut variables = [own.q[k].clone(), place.freed()].concat();
            if number >= zeros {
                variables.extend(&own.q[k - 1]);
            }
            assembly.place(&shape, &variables, &[], &[row]);
        }
    }
}

/// Conditions of the path at the nodes between the ends; those on forces at all nodes, ends and inner ones included, since the
/// force between two nodes where it is bounded would be free. The unknowns of the intervals are there already.
pub(crate) fn conditions(place: &Place<'_>, assembly: &mut Assembly, own: &PhaseLayout) -> Result<(), ControlError> {
    let phase = place.phase;
    for path in phase.phase.path.iter().filter(|path| path.at != Where::Samples) {
        let condition = &path.condition;
        let formulas = phase.formulas(true);
        let mut graph = phase.dynamics.graph.clone();
        let at = ("the condition along the path", condition.formula.as_str());
        let id = formulas.read(&mut graph, at.0, &condition.formula)?;
        formulas.refuse(
            &graph,
            id,
            &phase.dynamics.v,
            (at.0, at.1, "is not known at nodes; ask for it at `samples`"),
        )?;
        if phase.formulation == Formulation::NullSpace {
            let forces: Vec<Id> = phase.forces.iter().map(|&(_, force)| force).collect();
            let why = "is not known in the null space; use the formulation `multipliers`";
            formulas.refuse(&graph, id, &forces, (at.0, at.1, why))?;
        }
        if phase.phase.shape != ControlShape::Linear {
            let why = "has no value at nodes unless controls are `linear`; ask for it at `samples`, or use `bounds`";
            formulas.refuse(&graph, id, &phase.inputs, (at.0, at.1, why))?;
        }
        // Forces are impulses over the parts of both neighbouring intervals that a node stands for; normal forces push if
        // positive.
        let lambda = graph.variables("[lambda]", phase.multipliers());
        let (weight, duration) = (graph.variable("[force weight]"), graph.variable("[T]"));
        let span = graph.mul(weight, duration);
        let mut places = Vec::new();
        for (&impulse, (_, force)) in lambda.iter().zip(&phase.forces) {
            let mean = graph.div(impulse, span);
            places.push((*force, graph.neg(mean)));
        }
        let forces: Vec<Id> = phase.forces.iter().map(|&(_, force)| force).collect();
        let is_everywhere = graph.depends_on(id, &forces);
        let id = graph.substitute(&[id], &places)[0];
        let id = phase.timed(&mut graph, &[id])[0];
        let freed: Vec<Id> = phase.freed.iter().map(|&(_, id)| id).collect();
        let mut inputs = Inputs { variables: [phase.dynamics.q.clone(), lambda, freed].concat(), data: vec![weight] };
        inputs.variables.extend(if phase.phase.shape == ControlShape::Linear {
            phase.inputs.clone()
        } else {
            Vec::new()
        });
        phase.clock(&mut graph, &mut inputs);
        let shape = assembly.kernel(graph, &inputs, None, &[id]);
        let (mut before, weights) = (0.0, node_weights(&own.inner_times));
        let ends = [weights[0], weights[weights.len() - 1]];
        let last = own.mesh.len();
        for k in 0..=last {
            let mut ask = |where_: String, unknowns: [&[u32]; 3], span: f64, share: f64| {
                let name = format!("{} / {where_} / {}", phase.phase.name, condition.name);
                let row = assembly.row(name, condition.range, place.stage + k as u32);
                let [q, lambda, controls] = unknowns.map(<[u32]>::to_vec);
                let variables = [q, lambda, place.freed(), controls, own.duration.into_iter().collect()].concat();
                assembly.place(&shape, &variables, &[vec![span], phase.reading(share)].concat(), &[row]);
            };
            let is_linear = phase.phase.shape == ControlShape::Linear;
            let controls = if is_linear { own.controls_at_node(k) } else { Vec::new() };
            let width = |k: usize| own.mesh.get(k).copied().unwrap_or(0.0);
            if is_everywhere || (k > 0 && k < last) {
                let span = ends[0] * width(k) + if k > 0 { ends[1] * width(k - 1) } else { 0.0 };
                ask(format!("node {k}"), [&own.q[k], &own.lambda[k], &controls], span, before);
            }
            if is_everywhere && k < last && !is_linear {
                for (i, (q, impulses)) in
                    own.inner[k].iter().zip(own.extra[k].chunks(phase.multipliers().max(1))).enumerate()
                {
                    let share = before + own.inner_times[i] * width(k);
                    ask(format!("interval {k}.{}", i + 1), [q, impulses, &[]], weights[i + 1] * width(k), share);
                }
            }
            before += width(k);
        }
    }
    Ok(())
}

/// Shares of an interval that its nodes stand for, those inside at these fractions: integrals of the polynomials that are one
/// at one node and zero at the others. A half each if there are none inside.
pub(crate) fn node_weights(inner: &[f64]) -> Vec<f64> {
    let nodes = [&[0.0], inner, &[1.0]].concat();
    let integral = |at: f64| {
        let mut powers = vec![1.0];
        for &node in nodes.iter().filter(|&&node| node != at) {
            // Times (x - node) / (at - node).
            let mut next = vec![0.0; powers.len() + 1];
            for (k, power) in powers.iter().enumerate() {
                next[k] -= node * power / (at - node);
                next[k + 1] += power / (at - node);
            }
            powers = next;
        }
        powers.iter().enumerate().map(|(k, power)| power / (k as f64 + 1.0)).sum()
    };
    nodes.iter().map(|&at| integral(at)).collect()
}

impl PhaseLayout {
    /// Linear controls at a node: the first unknowns of its interval, or the last ones of the last interval.
    pub(crate) fn controls_at_node(&self, k: usize) -> Vec<u32> {
        let (interval, side) = if k < self.mesh.len() { (k, 0) } else { (k - 1, 1) };
        self.controls[interval].iter().map(|unknowns| unknowns[side]).collect()
    }
}
