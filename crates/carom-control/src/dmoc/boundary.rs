//! The two ends of a phase: momenta, conditions, costs.

use super::{Costs, Place};
use crate::assembly::{Assembly, Inputs};
use crate::error::ControlError;
use crate::layout::PhaseLayout;
use crate::problem::Condition;
use carom_expr::Id;
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
        let shape = assembly.kernel(graph, &inputs(place), None, &momenta);
        let node = end.node(own);
        assembly.place(&shape, &variables(place, own, end), &data(place, end), &own.balances[node]);
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
        // Velocities along the constraints; where a transition leads, it has taken care of that.
        if end == End::End || !phase.is_entered {
            velocity_rows(place, assembly, own, end);
        }
        let conditions = if end == End::Start { &phase.phase.start } else { &phase.phase.end };
        for condition in conditions {
            condition_row(place, assembly, own, end, condition)?;
        }
    }
    let (graph, terminal) = costs.at_end();
    if !graph.is_zero(terminal) {
        let shape = assembly.kernel(graph, &inputs(place), Some(terminal), &[]);
        assembly.place(&shape, &variables(place, own, End::End), &data(place, End::End), &[]);
    }
    if let (Some(duration), true) = (own.duration, costs.time != 0.0) {
        let mut graph = carom_expr::Graph::new();
        let time = graph.variable("[T]");
        let cost = graph.scale(costs.time, time);
        let shape = assembly.kernel(graph, &Inputs { variables: vec![time], data: Vec::new() }, Some(cost), &[]);
        assembly.place(&shape, &[duration], &[], &[]);
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

fn inputs(place: &Place<'_>) -> Inputs {
    let dynamics = &place.phase.dynamics;
    let freed: Vec<Id> = place.phase.freed.iter().map(|&(_, id)| id).collect();
    Inputs { variables: [dynamics.q.clone(), dynamics.v.clone(), freed].concat(), data: vec![dynamics.time] }
}

fn variables(place: &Place<'_>, own: &PhaseLayout, end: End) -> Vec<u32> {
    let v = if end == End::Start { own.v.first() } else { own.v.last() };
    [own.q[end.node(own)].clone(), v.cloned().unwrap_or_default(), place.freed()].concat()
}

fn data(place: &Place<'_>, end: End) -> [f64; 1] {
    let phase = place.phase;
    [if end == End::Start { phase.begins } else { phase.begins + phase.phase.duration.guess() }]
}

/// `G v = 0`, but for pins, whose rates are bounds.
fn velocity_rows(place: &Place<'_>, assembly: &mut Assembly, own: &PhaseLayout, end: End) {
    let phase = place.phase;
    let mut graph = phase.dynamics.graph.clone();
    let (jacobian, n) = (phase.dynamics.jacobian(&mut graph), phase.dynamics.dimension());
    let (mut roots, mut rows) = (Vec::new(), Vec::new());
    for (number, name) in phase.dynamics.constraint_names.iter().enumerate() {
        if !phase.is_pin[number] {
            roots.push(graph.dot(&jacobian[number * n..(number + 1) * n], &phase.dynamics.v));
            let row = format!("{} / {} / rate of {name}", phase.phase.name, end.name());
            rows.push(assembly.row(row, Range::fixed(0.0), place.stage + end.node(own) as u32));
        }
    }
    if !roots.is_empty() {
        let shape = assembly.kernel(graph, &inputs(place), None, &roots);
        assembly.place(&shape, &variables(place, own, end), &data(place, end), &rows);
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
    let (inputs, variables) = (inputs(place), variables(place, own, end));
    if let Some(index) = inputs.variables.iter().position(|&variable| variable == id) {
        if !assembly.narrow(variables[index], condition.range) {
            let variable = &assembly.variables[variables[index] as usize];
            let (lower, upper) = (variable.range.lower, variable.range.upper);
            let name = format!("{} ({})", condition.name, end.name());
            return Err(ControlError::Crossed { phase: phase.phase.name.clone(), name, lower, upper });
        }
        return Ok(());
    }
    let shape = assembly.kernel(graph, &inputs, None, &[id]);
    let name = format!("{} / {} / {}", phase.phase.name, end.name(), condition.name);
    let row = assembly.row(name, condition.range, place.stage + end.node(own) as u32);
    assembly.place(&shape, &variables, &data(place, end), &[row]);
    Ok(())
}
