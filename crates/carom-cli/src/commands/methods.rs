//! `carom methods`: what there is, and what it promises; read off the registries.

use crate::args::Methods;
use crate::failure::Failure;
use crate::output::print;
use crate::table::Table;
use carom::discrete::rules::{self, Properties};
use carom::run::{ENERGY, TAYLOR};
use carom::{Formulation, Method, Scheme};
use serde_json::{Value, json};

/// The base of the examples of compositions; the schemes that refuse it get the other one.
const BASES: [&str; 2] = ["midpoint", "left"];

/// Runs the command.
pub fn run(args: &Methods) -> Result<(), Failure> {
    if args.json { print(&json()) } else { print(&text()) }
}

/// A scheme around the first base that it accepts.
fn example(scheme: Scheme) -> Option<Method> {
    BASES.iter().find_map(|base| Method::parse(&format!("{}({base})", scheme.name())).ok())
}

fn text() -> String {
    let mut table = Table::default();
    table.row(["method", "order", "symplectic", "symmetric", "momenta", "what it is"]);
    for rule in rules::all() {
        row(&mut table, &rule.name(), rule.properties(), &rule.summary());
    }
    table.gap();
    for method in Scheme::ALL.into_iter().filter_map(example) {
        let steps = format!("composition of {} steps of any method that fits", method.substeps().len());
        row(&mut table, &method.to_string(), method.properties(), &steps);
    }
    table.gap();
    table.row([&format!("{ENERGY}(RULE)"), "", "", "", "", ENERGY_SUMMARY]);
    table.row([TAYLOR, "", "", "", "", TAYLOR_SUMMARY]);
    let formulations = Formulation::ALL.map(Formulation::name).join(", ");
    let text = format!("{table}\n\nConstraints are treated by --formulation {formulations}.");
    #[cfg(feature = "optimal-control")]
    let text = format!("{text}\n\n{}", optimise::text());
    text
}

const ENERGY_SUMMARY: &str = "variable steps of a rule that keep its discrete energy; may end at turning points";
const TAYLOR_SUMMARY: &str = "reference flow by Taylor series: adaptive, to rounding; not symplectic";

fn row(table: &mut Table, name: &str, properties: Properties, summary: &str) {
    let word = |is: bool| if is { "yes" } else { "no" };
    let Properties { order, symplectic, symmetric, momentum } = properties;
    table.row([name, &order.to_string(), word(symplectic), word(symmetric), word(momentum), summary]);
}

fn json() -> Value {
    let rule = |rule: Box<dyn rules::Rule>| describe(&rule.name(), rule.properties(), &rule.summary());
    let scheme = |scheme: Scheme| {
        let method = example(scheme)?;
        let mut object = describe(&method.to_string(), method.properties(), "");
        object["scheme"] = scheme.name().into();
        object["steps"] = method.substeps().len().into();
        Some(object)
    };
    #[cfg_attr(not(feature = "optimal-control"), allow(unused_mut))]
    let mut all = json!({
        "rules": rules::all().into_iter().map(rule).collect::<Vec<_>>(),
        "compositions": Scheme::ALL.into_iter().filter_map(scheme).collect::<Vec<_>>(),
        "others": [
            { "name": format!("{ENERGY}(RULE)"), "summary": ENERGY_SUMMARY },
            { "name": TAYLOR, "summary": TAYLOR_SUMMARY },
        ],
        "formulations": Formulation::ALL.map(Formulation::name),
    });
    #[cfg(feature = "optimal-control")]
    optimise::add(&mut all);
    all
}

fn describe(name: &str, properties: Properties, summary: &str) -> Value {
    let Properties { order, symplectic, symmetric, momentum } = properties;
    json!({
        "name": name,
        "order": order,
        "symplectic": symplectic,
        "symmetric": symmetric,
        "momentum": momentum,
        "summary": summary,
    })
}

/// What `carom optimise` takes.
#[cfg(feature = "optimal-control")]
mod optimise {
    use crate::table::Table;
    use carom::control::{Transcription, transcriptions};
    use carom::nlp::{Solver, solvers};
    use serde_json::{Value, json};

    pub fn text() -> String {
        let mut table = Table::default();
        table.row(["transcription", "order", "what it is"]);
        for method in transcriptions() {
            table.row([&method.name(), &method.order().to_string(), &method.summary()]);
        }
        table.gap();
        table.row(["solver", "", "what it is"]);
        for solver in solvers() {
            table.row([solver.name(), "", solver.summary()]);
        }
        let mut outer = Table::default();
        outer.row(["outer method", "what it is"]);
        for method in carom::design::methods() {
            outer.row([method.name(), method.summary()]);
        }
        format!("For `carom optimise`:\n\n{table}\n\nFor `carom design`:\n\n{outer}")
    }

    pub fn add(all: &mut Value) {
        let method = |method: Box<dyn Transcription>| json!({ "name": method.name(), "order": method.order(), "summary": method.summary() });
        let solver = |solver: Box<dyn Solver>| json!({ "name": solver.name(), "summary": solver.summary() });
        all["transcriptions"] = transcriptions().into_iter().map(method).collect();
        all["solvers"] = solvers().into_iter().map(solver).collect();
        let outer = carom::design::methods();
        let outer = outer.iter().map(|method| json!({ "name": method.name(), "summary": method.summary() }));
        all["outer_methods"] = outer.collect();
    }
}
