//! The two ends of a phase: momenta, conditions, costs.

use super::{Costs, Place};
use crate::assembly::{Assembly, Inputs};
use crate::error::ControlError;
use crate::layout::PhaseLayout;
use crate::problem::Condition;
use carom_expr::{Graph, Id};
use carom_nlp::Range;

/// Boundary momenta (4.1.1), (4.1.2), velocities on the constraints, conditions and terminal costs.
pub(crate) fn boundary(
    place: &Place<'_>,
    costs: &Costs,
    assembly: &mut Assembly,
    own: &PhaseLayout,
) -> Result<(), ControlError> {
    momenta(place, assembly, own);
    ends(place, costs, assembly, own)
}

/// `dL/dv(q_0, v_0)` and `-dL/dv(q_K, v_K)` in the momentum balances.
fn momenta(place: &Place<'_>, assembly: &mut Assembly, own: &PhaseLayout) {
    let phase = place.phase;
    for (end, sign) in [(End::Start, 1.0), (End::End, -1.0)] {
        let mut graph = phase.dynamics.graph.clone();
        let momenta = phase.dynamics.momentum(&mut graph);
        let momenta: Vec<Id> = momenta.into_iter().map(|p| graph.scale(sign, p)).collect();
        let momenta = phase.balances(&mut graph, &momenta, &phase.dynamics.q);
        place_at(place, assembly, own, end, (graph, None, &momenta, &own.balances[end.node(own)]));
    }
}

/// Everything that concerns `(q, v)` at the ends, for any transcription.
pub(crate) fn ends(
    place: &Place<'_>,
    costs: &Costs,
    assembly: &mut Assembly,
    own: &PhaseLayout,
) -> Result<(), ControlError> {
    let phase = place.phase;
    for end in [End::Start, End::End] {
        velocity_rows(place, assembly, own, end);
        let conditions = if end == End::Start { &phase.phase.start } else { &phase.phase.end };
        for condition in conditions {
            condition_row(place, assembly, own, end, condition)?;
        }
    }
    let (graph, terminal) = costs.at_end();
    if !graph.is_zero(terminal) {
        place_at(place, assembly, own, End::End, (graph, Some(terminal), &[], &[]));
    }
    if costs.time != 0.0 {
        // The cost of a given duration is a number, but part of the objective.
        let mut graph = Graph::new();
        let time = graph.variable("[T]");
        let cost = graph.scale(costs.time, time);
        let list = |is_there: bool| if is_there { vec![time] } else { Vec::new() };
        let inputs = Inputs { variables: list(own.duration.is_some()), data: list(own.duration.is_none()) };
        let shape = assembly.kernel(graph, &inputs, Some(cost), &[]);
        let variables: Vec<u32> = own.duration.into_iter().collect();
        let data = if own.duration.is_none() { vec![phase.phase.duration.guess()] } else { Vec::new() };
        assembly.place(&shape, &variables, &data, &[]);
    }
    Ok(())
}

/// One of the two ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Start,
    End,
}

impl End {
    fn node(self, own: &PhaseLayout) -> usize {
        if self == Self::Start { 0 } else { own.q.len() - 1 }
    }

    fn name(self) -> &'static str {
        if self == Self::Start { "start" } else { "end" }
    }
}

/// Adds a kernel of `(q, v, t)` at an end and places it.
fn place_at(
    place: &Place<'_>,
    assembly: &mut Assembly,
    own: &PhaseLayout,
    end: End,
    (mut graph, cost, roots, rows): (Graph, Option<Id>, &[Id], &[u32]),
) {
    let phase = place.phase;
    let all: Vec<Id> = cost.iter().chain(roots).copied().collect();
    let timed = phase.timed(&mut graph, &all);
    let (cost, roots) = timed.split_at(usize::from(cost.is_some()));
    let mut inputs = Inputs { variables: state(place), data: Vec::new() };
    phase.clock(&mut graph, &mut inputs);
    let shape = assembly.kernel(graph, &inputs, cost.first().copied(), roots);
    let mut variables = variables(place, own, end);
    variables.extend(own.duration);
    let share = if end == End::Start { 0.0 } else { 1.0 };
    assembly.place(&shape, &variables, &phase.reading(share), rows);
}

/// Variables of kernels at an end: configuration, velocity, freed parameters.
fn state(place: &Place<'_>) -> Vec<Id> {
    let dynamics = &place.phase.dynamics;
    let freed: Vec<Id> = place.phase.freed.iter().map(|&(_, id)| id).collect();
    [dynamics.q.clone(), dynamics.v.clone(), freed].concat()
}

fn variables(place: &Place<'_>, own: &PhaseLayout, end: End) -> Vec<u32> {
    let v = if end == End::Start { own.v.first() } else { own.v.last() };
    [own.q[end.node(own)].clone(), v.cloned().unwrap_or_default(), place.freed()].concat()
}

/// `G v = 0`, but for pins, whose rates are bounds.
fn velocity_rows(place: &Place<'_>, assembly: &mut Assembly, own: &PhaseLayout, end: End) {
    let phase = place.phase;
    let mut graph = phase.dynamics.graph.clone();
    let (jacobian, n) = (phase.dynamics.jacobian(&mut graph), phase.dynamics.dimension());
    let (mut roots, mut rows) = (Vec::new(), Vec::new());
    for (number, name) in phase.dynamics.constraint_names.iter().enumerate() {
        // Where a transition leads, it may have taken care of that.
        if !phase.is_pin[number] && (end == End::End || !phase.is_implied[number]) {
            roots.push(graph.dot(&jacobian[number * n..(number + 1) * n], &phase.dynamics.v));
            let row = format!("{} / {} / rate of {name}", phase.phase.name, end.name());
            rows.push(assembly.row(row, Range::fixed(0.0), place.stage + end.node(own) as u32));
        }
    }
    if !roots.is_empty() {
        place_at(place, assembly, own, end, (graph, None, &roots, &rows));
    }
}

/// A condition: bounds of a variable where it is one, else a row.
fn condition_row(
    place: &Place<'_>,
    assembly: &mut Assembly,
    own: &PhaseLayout,
    end: End,
    condition: &Condition,
) -> Result<(), ControlError> {
    let phase = place.phase;
    let formulas = phase.formulas(false);
    let mut graph = phase.dynamics.graph.clone();
    let at = if end == End::Start { "the condition at the start" } else { "the condition at the end" };
    let id = formulas.read(&mut graph, at, &condition.formula)?;
    formulas.refuse(
        &graph,
        id,
        &phase.inputs,
        (at, &condition.formula, "is a control, without a value at a single instant"),
    )?;
    let variables = variables(place, own, end);
    if let Some(index) = state(place).iter().position(|&variable| variable == id) {
        if !assembly.narrow(variables[index], condition.range) {
            let variable = &assembly.variables[variables[index] as usize];
            let (lower, upper) = (variable.range.lower, variable.range.upper);
            let name = format!("{} ({})", condition.name, end.name());
            return Err(ControlError::Crossed { phase: phase.phase.name.clone(), name, lower, upper });
        }
        return Ok(());
    }
    let name = format!("{} / {} / {}", phase.phase.name, end.name(), condition.name);
    let row = assembly.row(name, condition.range, place.stage + end.node(own) as u32);
    place_at(place, assembly, own, end, (graph, None, &[id], &[row]));
    Ok(())
}
