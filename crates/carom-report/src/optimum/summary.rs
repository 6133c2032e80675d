//! A solution in a handful of numbers: the object of `--json`.

use super::{Optimum, discovered, walked};
use carom_control::{Audit, AuditFinding, PhaseAudit, PhaseSolution, TransitionSolution};
use carom_nlp::{Place, Violation};
use serde_json::{Map, Value, json};

/// Constraints that are listed.
const WORST: usize = 5;

/// What is wrong with a solution, in a word or two; empty if it is an optimum.
pub fn label(optimum: &Optimum<'_>) -> String {
    let status = &optimum.solution.outcome.status;
    match optimum.audit {
        _ if !status.is_success() => format!("not an optimum: {status}"),
        Some(audit) if !audit.passed => "audit not passed".to_owned(),
        None => "not audited".to_owned(),
        _ => String::new(),
    }
}

/// What the command line prints with `--json`.
pub fn summary(optimum: &Optimum<'_>) -> Value {
    let solution = optimum.solution;
    let outcome = &solution.outcome;
    let (residuals, statistics) = (&outcome.residuals, &outcome.statistics);
    let mut object = json!({
        "problem": optimum.file.problem.name,
        "method": solution.method,
        "solver": outcome.solver,
        "status": outcome.status.to_string(),
        "converged": outcome.status.is_success(),
        "optimum": label(optimum).is_empty(),
        "label": label(optimum),
        "objective": outcome.objective,
        "costs": object(&solution.costs),
        "freed": object(&solution.freed),
        "duration": solution.duration(),
        "phases": solution.phases.iter().map(phase).collect::<Vec<_>>(),
        "transitions": solution.transitions.iter().map(|link| transition(link, &solution.phases)).collect::<Vec<_>>(),
        "residuals": {
            "feasibility": residuals.feasibility,
            "stationarity": residuals.stationarity,
            "complementarity": residuals.complementarity,
        },
        "worst": solution.worst.iter().take(WORST).map(violation).collect::<Vec<_>>(),
        "variables": solution.size[0],
        "rows": solution.size[1],
        "iterations": statistics.iterations,
        "evaluations": statistics.evaluations,
        "factorisations": statistics.factorisations,
        "wall_s": statistics.seconds,
        "setup_s": solution.seconds_setup,
        "dependent": outcome.dependent.iter().map(place).collect::<Vec<_>>(),
        "audit": optimum.audit.map(audit),
    });
    if let Some(found) = optimum.discovered {
        object["discovery"] = discovered::list(found);
    }
    if let Some(planned) = optimum.planned {
        object["plan"] = planned.plan.summary();
    }
    if let Some(found) = optimum.walked {
        object["gait"] = walked::list(found);
    }
    object
}

fn object(list: &[(String, f64)]) -> Value {
    list.iter().map(|(name, value)| (name.clone(), Value::from(*value))).collect::<Map<_, _>>().into()
}

fn vector(names: &[String], values: &[f64]) -> Value {
    names.iter().zip(values).map(|(name, value)| (name.clone(), Value::from(*value))).collect::<Map<_, _>>().into()
}

fn phase(phase: &PhaseSolution) -> Value {
    let state = |node: usize| {
        json!({
            "t": phase.times[node],
            "q": vector(&phase.coordinates, &phase.q[node]),
            "v": vector(&phase.coordinates, &phase.v[node]),
        })
    };
    json!({
        "name": phase.name,
        "begins": phase.begins,
        "duration": phase.duration,
        "intervals": phase.times.len() - 1,
        "start": state(0),
        "end": state(phase.times.len() - 1),
    })
}

fn transition(link: &TransitionSolution, phases: &[PhaseSolution]) -> Value {
    let names = phases.get(link.phases[0]).map_or(&[][..], |phase| &phase.coordinates);
    json!({
        "name": link.name,
        "from": phases.get(link.phases[0]).map(|phase| &phase.name),
        "to": phases.get(link.phases[1]).map(|phase| &phase.name),
        "t": link.time,
        "q": vector(names, &link.q),
        "v_minus": vector(names, &link.v_minus),
        "v_plus": vector(names, &link.v_plus),
        "impulses": object(&link.impulses),
        "energy_minus": link.energies[0],
        "energy_plus": link.energies[1],
    })
}

/// A constraint that does not hold.
pub fn violation(violation: &Violation) -> Value {
    let mut object = place(&violation.place);
    object["violation"] = violation.amount.into();
    object
}

/// A place of a program, by kind and name.
pub fn place(place: &Place) -> Value {
    let (kind, name) = match place {
        Place::Row(name) => ("row", name.as_str()),
        Place::Variable(name) => ("variable", name.as_str()),
        Place::Objective => ("objective", ""),
    };
    json!({ "kind": kind, "name": name })
}

/// A phase whose end is not judged.
fn unstable(phase: &PhaseAudit) -> Value {
    json!({ "phase": phase.name, "amplification": phase.amplification })
}

/// The audit: its numbers and every finding.
pub(super) fn audit(audit: &Audit) -> Value {
    let finding = |finding: &AuditFinding| {
        json!({
            "message": finding.to_string(),
            "place": finding.place,
            "interval": finding.interval,
            "t": finding.time,
            "value": finding.value,
            "limit": finding.limit,
        })
    };
    json!({
        "passed": audit.passed,
        "verdict": audit.verdict(),
        "optimality": audit.optimality,
        "mesh_error": audit.mesh,
        "end": { "q": audit.end.q, "v": audit.end.v, "energy": audit.end.energy },
        "chained": { "q": audit.chained.q, "v": audit.chained.v, "energy": audit.chained.energy },
        "cost_error": audit.cost,
        "unstable": audit.phases.iter().filter(|phase| phase.is_unstable).map(unstable).collect::<Vec<_>>(),
        "findings": audit.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}
