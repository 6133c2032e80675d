//! `carom check`: what carom understands of a model.

mod along;
mod contacts;
mod distribution;
#[cfg(feature = "optimal-control")]
mod problem;

use super::load;
use crate::args::Check;
use crate::failure::Failure;
use crate::output::{diagnostics, print, warn};
use crate::phase_space::PhaseSpace;
use crate::table::{Table, number};
use along::Along;
use carom::expr::Graph;
use carom::model::{Regularity, Settings};
use carom::run::Plan;
use carom::{Backend, Diagnostics, Understanding, understand};
use serde_json::{Map, Value, json};

/// Significant digits of values.
const DIGITS: usize = 8;

/// Runs the command.
pub fn run(args: &Check) -> Result<(), Failure> {
    #[cfg(feature = "optimal-control")]
    if problem::is_problem(&args.model) {
        return problem::run(args);
    }
    // Settings that no method can use are mistakes of the model, too.
    let loaded = load(&args.model, &args.overrides())
        .and_then(|model| Plan::new(&model, Backend::Interpreter).map(|plan| (model, plan)).map_err(Failure::from));
    let (model, plan) = match loaded {
        Err(Failure::Model(found)) if args.json => return invalid(found),
        loaded => loaded?,
    };
    let understood = understand(&model);
    let along = along::follow(&model, &plan);
    let space = PhaseSpace::of(&model.system, &understood);
    if args.json {
        return print(&json(&understood, along.as_ref(), space));
    }
    warn(&understood.warnings);
    let mut parts = vec![header(&understood), facts(&understood, along.as_ref(), space, &model.settings).to_string()];
    if !understood.contacts.is_empty() {
        parts.push(contacts::table(&understood.contacts).to_string());
    }
    parts.push(values(&understood).to_string());
    print(&parts.join("\n\n"))
}

/// Mistakes as JSON: the message is on standard output; the exit code stays.
fn invalid(found: Diagnostics) -> Result<(), Failure> {
    print(&json!({ "valid": false, "diagnostics": diagnostics(&found.0) }))?;
    let is_unreadable = Failure::Model(found).code() == crate::failure::USAGE;
    Err(Failure::Reported { is_unreadable })
}

fn header(understood: &Understanding) -> String {
    match &understood.doc {
        Some(doc) => format!("{}: {doc}", understood.name),
        None => understood.name.clone(),
    }
}

/// What follows from the expressions.
fn facts(understood: &Understanding, along: Option<&Along>, space: Option<PhaseSpace>, settings: &Settings) -> Table {
    let mut table = Table::default();
    match space {
        Some(space) => table.row(["phase space", &format!("{space}: the equations of motion are of first order")]),
        None => table.row(["degrees of freedom", &understood.degrees_of_freedom.to_string()]),
    }
    let is_known = understood.regularity != Regularity::Unknown;
    let rank = format!("rank {} of {}, ", understood.mass_rank, understood.coordinates.len());
    table.row(["mass matrix", &format!("{}{}", if is_known { &rank } else { "" }, regularity(understood))]);
    table.row(["Lagrangian", &lagrangian(understood, space)]);
    let constraints = [
        ("constraints", &understood.constraints, understood.constraint_rank),
        ("velocity constraints", &understood.velocity_constraints, understood.velocity_constraint_rank),
    ];
    for (name, list, rank) in constraints.into_iter().filter(|(_, list, _)| !list.is_empty()) {
        table.row([name, &format!("{} (rank {rank} of {})", list.join(", "), list.len())]);
    }
    if let Some(found) = &understood.distribution {
        distribution::rows(&mut table, found);
    }
    if let Some(along) = along {
        along::rows(&mut table, along);
    }
    if let Some(frame) = &understood.frame {
        distribution::frame_rows(&mut table, frame);
    }
    table.row(["energy", if is_known { number(understood.energy, DIGITS) } else { "not known".to_owned() }.as_str()]);
    let kept = understood.conserved.iter().map(|c| format!("{}: {}", c.name, c.reason));
    table.list("conserved", kept);
    table.row(["simulation", &simulation(settings)]);
    table
}

fn regularity(understood: &Understanding) -> &'static str {
    match understood.regularity {
        Regularity::Regular => "regular",
        Regularity::SingularHere => "singular at the initial state",
        Regularity::Degenerate => "degenerate",
        Regularity::Unknown => "not known: the expressions are too large",
    }
}

fn lagrangian(understood: &Understanding, space: Option<PhaseSpace>) -> String {
    let choose = |is: bool, yes: &'static str, no: &'static str| if is { yes } else { no };
    [
        match space {
            Some(_) => "linear in the rates",
            None => choose(understood.is_quadratic, "quadratic in the rates", "not quadratic in the rates"),
        },
        choose(understood.is_time_dependent, "it or a force depends on time", "independent of time"),
        choose(understood.is_forced, "forces act", "no forces"),
    ]
    .join(", ")
}

fn simulation(settings: &Settings) -> String {
    let numbers = [("step", settings.step), ("until", settings.until), ("tolerance", settings.tolerance)];
    let method = settings.method.as_ref().map(|name| format!("method {name}"));
    let numbers = numbers.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", number(value?, DIGITS))));
    let every = settings.every.map(|every| format!("every {every}"));
    let words = [("formulation", &settings.formulation), ("jump", &settings.jump), ("multiple", &settings.multiple)];
    let words = words.into_iter().filter_map(|(name, word)| Some(format!("{name} {}", word.as_ref()?)));
    let most = settings.max_impacts.map(|most| format!("max_impacts {most}"));
    let project = settings.project.then(|| "project".to_owned());
    let given = method.into_iter().chain(numbers).chain(every).chain(words).chain(most).chain(project);
    let given: Vec<String> = given.collect();
    if given.is_empty() { "no settings".to_owned() } else { given.join(", ") }
}

/// Coordinates, parameters and inputs.
fn values(understood: &Understanding) -> Table {
    let mut table = Table::default();
    table.row(["coordinate", "initial", "rate", "unit", "meaning"]);
    for (index, coordinate) in understood.coordinates.iter().enumerate() {
        let (q, v) = (understood.initial.q[index], understood.initial.v[index]);
        let (unit, doc) = (coordinate.unit.as_deref(), coordinate.doc.as_deref());
        let doc = doc.or(coordinate.period.map(|_| "periodic"));
        table.row([&coordinate.name, &number(q, DIGITS), &number(v, DIGITS), unit.unwrap_or(""), doc.unwrap_or("")]);
    }
    if !understood.parameters.is_empty() {
        table.gap();
        table.row(["parameter", "value", "", "unit", "meaning"]);
    }
    for parameter in &understood.parameters {
        let (unit, doc) = (parameter.unit.as_deref(), parameter.doc.as_deref());
        table.row([&parameter.name, &number(parameter.value, DIGITS), "", unit.unwrap_or(""), doc.unwrap_or("")]);
    }
    if !understood.inputs.is_empty() {
        table.gap();
        table.row(["input", "", "", "unit", "meaning"]);
    }
    for input in &understood.inputs {
        table.row([&input.name, "", "", input.unit.as_deref().unwrap_or(""), input.doc.as_deref().unwrap_or("")]);
    }
    table
}

fn json(understood: &Understanding, along: Option<&Along>, space: Option<PhaseSpace>) -> Value {
    let Understanding { coordinates, initial, parameters, .. } = understood;
    let by_name = |values: &[f64]| -> Map<String, Value> {
        coordinates.iter().zip(values).map(|(coordinate, value)| (coordinate.name.clone(), (*value).into())).collect()
    };
    json!({
        "valid": true,
        "model": understood.name,
        "description": understood.doc,
        "initial": { "q": by_name(&initial.q), "v": by_name(&initial.v) },
        "parameters": parameters.iter().map(|p| (p.name.clone(), p.value.into())).collect::<Map<_, _>>(),
        "inputs": understood.inputs.iter().map(|input| &input.name).collect::<Vec<_>>(),
        "constraints": { "names": understood.constraints, "rank": understood.constraint_rank },
        "velocity_constraints":
            { "names": understood.velocity_constraints, "rank": understood.velocity_constraint_rank },
        "distribution": understood.distribution.as_ref().map(distribution::json),
        "frame": understood.frame.as_ref().map(distribution::frame_json),
        "rank_along_the_motion": along.map(along::json),
        "contacts": contacts::json(&understood.contacts),
        "degrees_of_freedom": understood.degrees_of_freedom,
        "mass_matrix": { "rank": understood.mass_rank, "regularity": regularity(understood) },
        "quadratic": understood.is_quadratic,
        "linear": space.is_some(),
        "phase_space": space.map(|space| json!({ "dimension": space.dimension, "exact": space.is_exact })),
        "time_dependent": understood.is_time_dependent,
        "forced": understood.is_forced,
        "energy": understood.energy,
        "conserved": conserved(understood, &understood.graph),
        "diagnostics": diagnostics(&understood.warnings),
    })
}

fn conserved(understood: &Understanding, graph: &Graph) -> Value {
    let describe = |quantity: &carom::model::Conserved| json!({ "name": quantity.name, "expression": graph.display(quantity.id), "reason": quantity.reason });
    understood.conserved.iter().map(describe).collect()
}
