//! Running costs as expressions that the flow integrates, independent of any quadrature.

use crate::error::ControlError;
use crate::phase::PreparedPhase;
use crate::problem::{ControlProblem, CostKind, Norm};
use carom_expr::{Binary, Graph, Id, Node, Unary};

/// Integrands of the costs of a phase with their weights: number of the cost, and expression in `graph`, which extends that
/// of the dynamics. Costs of work are measured as work; those with kinks have no series and are left out.
pub(crate) fn integrands(
    problem: &ControlProblem,
    number: usize,
    phase: &PreparedPhase<'_>,
    graph: &mut Graph,
) -> Result<Vec<(usize, Id)>, ControlError> {
    let formulas = phase.formulas(false);
    let mut all = Vec::new();
    for (index, cost) in problem.costs.iter().enumerate() {
        if !cost.phases.is_empty() && !cost.phases.contains(&number) {
            continue;
        }
        let place = format!("cost `{}`", cost.name);
        let mut sum = graph.constant(0.0);
        match &cost.kind {
            CostKind::Integral(formula) => sum = formulas.read(graph, &place, formula)?,
            CostKind::Residual { formulas: parts, norm: Norm::Square } => {
                for formula in parts {
                    let part = formulas.read(graph, &place, formula)?;
                    let square = graph.mul(part, part);
                    sum = graph.add(sum, square);
                }
            }
            _ => continue,
        }
        if !has_kinks(graph, sum) {
            let weighted = graph.scale(cost.weight, sum);
            all.push((index, formulas.per(graph, cost, weighted)?));
        }
    }
    Ok(all)
}

/// True if an expression is not smooth.
fn has_kinks(graph: &Graph, root: Id) -> bool {
    graph.reachable(&[root]).iter().any(|&id| match graph.node(id) {
        Node::Unary(op, _) => matches!(op, Unary::Abs | Unary::Sign),
        Node::Binary(op, ..) => {
            matches!(op, Binary::Min | Binary::Max | Binary::Less | Binary::LessEqual | Binary::Equal)
        }
        Node::Select(..) => true,
        _ => false,
    })
}
