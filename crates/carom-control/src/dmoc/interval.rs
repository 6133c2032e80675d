//! Unknowns and equations of the intervals of a phase.

use super::node::conditions;
use super::{Costs, Place};
use crate::assembly::{Assembly, Inputs, Shape};
use crate::error::ControlError;
use crate::layout::{PhaseLayout, Split};
use crate::problem::{ControlShape, Where};
use carom_discrete::Interval;
use carom_discrete::rules::Rule;
use carom_expr::{Graph, Id};
use carom_nlp::Range;

/// What decides how long an interval lasts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clock {
    /// Its share of the given duration of the phase.
    Given,
    /// Its share of the duration, which is unknown.
    Duration,
    /// The times of its two nodes, which are unknown.
    Nodes,
}

impl Clock {
    fn of(own: &PhaseLayout) -> Self {
        match (own.times.is_empty(), own.duration) {
            (false, _) => Self::Nodes,
            (true, Some(_)) => Self::Duration,
            (true, None) => Self::Given,
        }
    }
}

impl PhaseLayout {
    /// Unknowns that decide how long interval `k` lasts.
    pub(crate) fn clock(&self, k: usize) -> Vec<u32> {
        if self.times.is_empty() { self.duration.into_iter().collect() } else { self.times[k..k + 2].to_vec() }
    }
}

/// The kernel of all intervals of a phase.
struct IntervalKernel {
    shape: Shape,
    inner_rows: usize,
    velocity_rows: usize,
    /// Conditions of the path at samples: name and range.
    conditions: Vec<(String, Range)>,
    splits: Vec<String>,
}

pub(crate) fn intervals(
    place: &Place<'_>,
    rule: &dyn Rule,
    costs: &Costs,
    assembly: &mut Assembly,
    own: &mut PhaseLayout,
) -> Result<(), ControlError> {
    let (phase, table) = (place.phase, rule.table());
    if phase.phase.shape == ControlShape::Linear
        && table.samples.iter().all(|sample| sample.time == table.samples[0].time)
    {
        return Err(ControlError::Unseen { phase: phase.phase.name.clone(), rule: rule.name() });
    }
    let interval = Interval::new(&phase.dynamics, &table, &phase.inputs);
    own.sample_times = table.samples.iter().map(|sample| sample.time).collect();
    own.inner_times = table.nodes[..table.stages() - 1].to_vec();
    unknowns(place, &interval, assembly, own);
    let kernel = kernel(place, interval, costs, assembly, Clock::of(own))?;
    let name = &phase.phase.name;
    let mut share = 0.0;
    for k in 0..own.mesh.len() {
        let stage = place.stage + k as u32;
        let mut row = |what: &str, range: Range| assembly.row(format!("{name} / interval {k} / {what}"), range, stage);
        let mut rows = [own.balances[k].clone(), own.balances[k + 1].clone()].concat();
        rows.extend((0..kernel.inner_rows).map(|_| row("internal balance", Range::fixed(0.0))));
        rows.extend((0..kernel.velocity_rows).map(|_| row("velocity constraint", Range::fixed(0.0))));
        rows.extend(kernel.conditions.iter().map(|(what, range)| row(what, *range)));
        let splitting: Vec<u32> = kernel.splits.iter().map(|what| row(what, Range::fixed(0.0))).collect();
        rows.extend(&splitting);
        let mut variables =
            [own.q[k].clone(), own.inner[k].concat(), own.q[k + 1].clone(), own.extra[k].clone()].concat();
        // Linear controls share their unknowns with the next interval.
        variables.extend(own.controls[k].concat());
        for (split, row) in kernel.splits.iter().zip(splitting) {
            let mut part = |sign: &str| {
                assembly.variable(format!("{name} / interval {k} / {split} {sign}"), Range::at_least(0.0), stage)
            };
            let split = Split { plus: part("+"), minus: part("-"), row };
            variables.extend([split.plus, split.minus]);
            own.splits.push(split);
        }
        variables.extend(place.freed());
        variables.extend(own.clock(k));
        assembly.place(
            &kernel.shape,
            &variables,
            &[own.mesh[k], share, phase.begins, phase.phase.duration.guess()],
            &rows,
        );
        share += own.mesh[k];
    }
    // At nodes they may ask for controls, which exist by now.
    conditions(place, assembly, own)
}

/// Nodes inside intervals, their impulses, controls.
fn unknowns(place: &Place<'_>, interval: &Interval, assembly: &mut Assembly, own: &mut PhaseLayout) {
    let phase = place.phase;
    let (name, shape) = (&phase.phase.name, phase.phase.shape);
    let coordinates = phase.system().coordinate_names();
    let inputs: Vec<String> = phase.system().inputs().iter().map(|input| input.name.clone()).collect();
    let count = match shape {
        ControlShape::Samples => interval.samples.len(),
        _ => 1,
    };
    let mut control = |k: usize, input: &String, c: usize, stage: u32| {
        let which = if count > 1 { format!("{input}[{c}]") } else { input.clone() };
        let at = if shape == ControlShape::Linear { "node" } else { "interval" };
        assembly.variable(format!("{name} / {at} {k} / {which}"), phase.range(input), stage)
    };
    let points = own.mesh.len() + usize::from(shape == ControlShape::Linear);
    let all: Vec<Vec<Vec<u32>>> = (0..points)
        .map(|k| {
            inputs
                .iter()
                .map(|input| (0..count).map(|c| control(k, input, c, place.stage + k as u32)).collect())
                .collect()
        })
        .collect();
    own.controls = match shape {
        ControlShape::Linear => {
            let pair = |k: usize| all[k].iter().zip(&all[k + 1]).map(|(a, b)| vec![a[0], b[0]]).collect();
            (0..own.mesh.len()).map(pair).collect()
        }
        _ => all,
    };
    for k in 0..own.mesh.len() {
        let stage = place.stage + k as u32;
        let inner = 1..interval.nodes.len() - 1;
        let mut node = |i: usize| {
            let names = coordinates.iter().enumerate();
            let variable = |(c, x): (usize, &String)| {
                assembly.variable(format!("{name} / interval {k}.{i} / {x}"), phase.coordinate_range(c), stage)
            };
            names.map(variable).collect::<Vec<u32>>()
        };
        own.inner.push(inner.clone().map(&mut node).collect());
        let mut extra = Vec::new();
        for (i, lambda) in interval.lambda.iter().enumerate() {
            for (g, _) in phase.dynamics.constraint_names.iter().zip(lambda) {
                extra.push(assembly.variable(
                    format!("{name} / interval {k}.{} / impulse of {g}", i + 1),
                    Range::FREE,
                    stage,
                ));
            }
        }
        own.extra.push(extra);
    }
}

/// Costs, balances and conditions of one interval.
fn kernel(
    place: &Place<'_>,
    interval: Interval,
    costs: &Costs,
    assembly: &mut Assembly,
    clock: Clock,
) -> Result<IntervalKernel, ControlError> {
    let phase = place.phase;
    let Interval { mut graph, nodes, lambda, controls, h, ta, left, right, inner, velocity, samples, .. } = interval;
    let left = phase.balances(&mut graph, &left, &nodes[0]);
    let right = phase.balances(&mut graph, &right, &nodes[nodes.len() - 1]);
    let mut rows = [left, right].concat();
    let (inner_rows, velocity_rows) = (inner.len(), velocity.len());
    rows.extend(inner);
    rows.extend(velocity);

    let (mut cost, mut splits) = costs.integrals(&mut graph, &samples, h);
    let mut conditions = Vec::new();
    for path in phase.phase.path.iter().filter(|path| path.at != Where::Nodes) {
        let formulas = phase.formulas(false);
        let id = formulas.read(&mut graph, "the condition along the path", &path.condition.formula)?;
        for (j, sample) in samples.iter().enumerate() {
            rows.push(graph.substitute(&[id], &sample.places)[0]);
            let which = if samples.len() > 1 {
                format!("sample {j} / {}", path.condition.name)
            } else {
                path.condition.name.clone()
            };
            conditions.push((which, path.condition.range));
        }
    }
    // A split value is w = plus - minus, with both parts as unknowns.
    let mut parts = Vec::new();
    for (number, split) in splits.iter_mut().enumerate() {
        let [plus, minus] = [format!("[plus{number}]"), format!("[minus{number}]")].map(|name| graph.variable(&name));
        let difference = graph.sub(plus, minus);
        rows.push(graph.sub(split.value, difference));
        for (part, weight) in [(plus, split.weights[0]), (minus, split.weights[1])] {
            let term = graph.scale(weight, part);
            cost = graph.add(cost, term);
        }
        parts.extend([plus, minus]);
    }

    // Durations are shares of that of the phase, or differences of times; controls take their shape.
    let [share, before, begins, duration] = ["[share]", "[before]", "[begins]", "[T]"].map(|name| graph.variable(name));
    let ends = ["[left time]", "[right time]"].map(|name| graph.variable(name));
    let mut places = if clock == Clock::Nodes {
        vec![(h, graph.sub(ends[1], ends[0])), (ta, graph.add(begins, ends[0]))]
    } else {
        let elapsed = graph.mul(before, duration);
        vec![(h, graph.mul(share, duration)), (ta, graph.add(begins, elapsed))]
    };
    let mut unknowns = Vec::new();
    for values in &controls {
        unknowns.extend(shape_controls(&mut graph, phase.phase.shape, values, &samples, &mut places));
    }
    let replaced = graph.substitute(&[&rows[..], &[cost]].concat(), &places);
    let (rows, cost) = (replaced[..rows.len()].to_vec(), replaced[rows.len()]);

    let freed: Vec<Id> = phase.freed.iter().map(|&(_, id)| id).collect();
    let mut inputs = Inputs {
        variables: [nodes.concat(), lambda.concat(), unknowns, parts, freed].concat(),
        data: vec![share, before, begins],
    };
    match clock {
        Clock::Given => inputs.data.push(duration),
        Clock::Duration => inputs.variables.push(duration),
        Clock::Nodes => inputs.variables.extend(ends),
    }
    let shape = assembly.kernel(graph, &inputs, Some(cost), &rows);
    let splits = splits.into_iter().map(|split| split.name).collect();
    Ok(IntervalKernel { shape, inner_rows, velocity_rows, conditions, splits })
}

/// Replaces the values of a control at the samples by what its shape allows; returns its unknowns.
pub(crate) fn shape_controls(
    graph: &mut Graph,
    shape: ControlShape,
    values: &[Id],
    samples: &[carom_discrete::SampledState],
    places: &mut Vec<(Id, Id)>,
) -> Vec<Id> {
    match shape {
        ControlShape::Samples => values.to_vec(),
        ControlShape::Constant => {
            places.extend(values[1..].iter().map(|&value| (value, values[0])));
            vec![values[0]]
        }
        ControlShape::Linear => {
            let name = graph.variable_name(values[0]).unwrap_or("u").to_owned();
            let [a, b] = [format!("{name} left"), format!("{name} right")].map(|name| graph.variable(&name));
            for (&value, sample) in values.iter().zip(samples) {
                let (before, after) = (graph.scale(1.0 - sample.time, a), graph.scale(sample.time, b));
                places.push((value, graph.add(before, after)));
            }
            vec![a, b]
        }
    }
}
