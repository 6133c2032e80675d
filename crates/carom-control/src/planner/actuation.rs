//! Inputs that go with a path, and the cost in the names of the system.

use super::task::refuse;
use crate::error::ControlError;
use crate::phase::PreparedPhase;
use crate::problem::{ControlProblem, CostKind, Norm};
use carom_expr::{Graph, Id};
use carom_model::projection::Simple;

/// Accelerations as variables, and the inputs that go with them.
pub(super) fn actuation(simple: &mut Simple, inputs: &[String]) -> Result<(Vec<Id>, Vec<Id>), ControlError> {
    let n = simple.dimension();
    let graph = &mut simple.graph;
    let acceleration = graph.variables("[u'']", n);
    let inputs: Vec<Id> = inputs.iter().map(|name| graph.variable(name)).collect();
    if inputs.len() != n {
        let what = if inputs.len() < n { "is not fully actuated" } else { "has more inputs than it needs" };
        return refuse(format!(
            "it {what}: {n} coordinates can move, and there are {} inputs; see [discover] for that",
            inputs.len()
        ));
    }
    let mut along: Vec<(Id, Id)> = simple.u.iter().copied().zip(simple.du.iter().copied()).collect();
    along.extend(simple.du.iter().copied().zip(acceleration.iter().copied()));
    along.push((simple.time, graph.constant(1.0)));
    let momenta = graph.gradient(simple.lagrangian, &simple.du);
    let rates = graph.directional(&momenta, &along);
    let slopes = graph.gradient(simple.lagrangian, &simple.u);
    // What the inputs must provide, and how they do.
    let zero: Vec<(Id, Id)> = inputs.iter().map(|&input| (input, graph.constant(0.0))).collect();
    let drift = graph.substitute(&simple.forces, &zero);
    let matrix = graph.jacobian(&simple.forces, &inputs).dense(graph);
    if matrix.iter().any(|&entry| graph.depends_on(entry, &inputs)) {
        return refuse("forces are not linear in the inputs");
    }
    let needed: Vec<Id> = (0..n)
        .map(|k| {
            let inertia = graph.sub(rates[k], slopes[k]);
            graph.sub(inertia, drift[k])
        })
        .collect();
    let (inverse, determinant) = graph.inverse(&matrix, n);
    if graph.is_zero(determinant) {
        return refuse("it is not fully actuated: the inputs push in fewer directions than it can move");
    }
    let controls = inverse.chunks(n).map(|row| graph.dot(row, &needed)).collect();
    Ok((acceleration, controls))
}

/// Running and terminal cost, in the names of the system.
pub(super) fn costs(
    problem: &ControlProblem,
    phase: &PreparedPhase<'_>,
    graph: &mut Graph,
) -> Result<(Id, Id), ControlError> {
    let formulas = phase.formulas(false);
    let (mut density, mut ending) = (graph.constant(0.0), graph.constant(0.0));
    for cost in &problem.costs {
        let place = format!("cost `{}`", cost.name);
        let (total, texts, power) = match &cost.kind {
            CostKind::Integral(text) => (&mut density, vec![text], 1),
            CostKind::Terminal(text) => (&mut ending, vec![text], 1),
            CostKind::Residual { formulas, norm: Norm::Square } => (&mut density, formulas.iter().collect(), 2),
            CostKind::Residual { .. } | CostKind::Work { .. } | CostKind::Time => {
                return refuse(format!(
                    "{place} is not smooth, or needs what a path of fixed duration does not have; costs of plans are `integral`, `terminal` and squared `residual`"
                ));
            }
        };
        for text in texts {
            let read = formulas.read(graph, &place, text)?;
            let term = if power == 2 { graph.mul(read, read) } else { read };
            let weighted = graph.scale(cost.weight, term);
            *total = graph.add(*total, weighted);
        }
    }
    Ok((density, ending))
}
