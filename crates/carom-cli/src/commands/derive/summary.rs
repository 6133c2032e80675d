//! Derivatives of a run: as JSON, and as tables.

use super::{Event, Found, Integrator, Plan};
use crate::table::{Table, number};
use carom::Model;
use serde_json::{Value, json};

/// Significant digits of derivatives.
const DIGITS: usize = 10;

/// Names of coordinates and rates.
pub(super) fn names(model: &Model) -> Vec<String> {
    let names = model.system.coordinate_names();
    let rates = names.iter().map(|name| format!("{name}'")).collect();
    [names, rates].concat()
}

/// The object of `--json`.
pub(super) fn describe(model: &Model, plan: &Plan, by: &[&str], found: &Found) -> Value {
    let names = names(model);
    let rows = |matrix: &[f64], width: usize| -> Vec<Vec<f64>> {
        if width == 0 { Vec::new() } else { matrix.chunks_exact(width).map(<[f64]>::to_vec).collect() }
    };
    let event = |event: &Event| {
        json!({
            "t": event.t, "contact": event.contact, "kind": event.kind, "saltation": rows(&event.saltation, names.len()),
            "time_by_state": event.time[0], "time_by_parameters": event.time[1],
        })
    };
    json!({
        "model": model.system.name(),
        "method": plan.integrator.to_string(),
        "t": found.t,
        "names": names,
        "end": found.end,
        "by_state": rows(&found.state, names.len()),
        "parameters": by,
        "by_parameters": rows(&found.parameters, by.len()),
        "events": found.events.iter().map(event).collect::<Vec<_>>(),
        "second": found.second.as_ref().map(|(place, hessian)| {
            json!({ "of": names[*place], "hessian": rows(hessian, names.len() + by.len()) })
        }),
    })
}

/// Matrices with names of rows and columns.
pub(super) fn tables(model: &Model, plan: &Plan, by: &[&str], found: &Found) -> String {
    let names = names(model);
    let mut parts = vec![heading(model, plan)];
    parts.push(matrix(&format!("end, t = {}", number(found.t, DIGITS)), &names, "value", &found.end));
    let by_state: Vec<String> = names.iter().map(|name| format!("by {name}")).collect();
    parts.push(grid("initial state", &names, &by_state, &found.state));
    if !by.is_empty() {
        let by: Vec<String> = by.iter().map(|name| format!("by {name}")).collect();
        parts.push(grid("parameters", &names, &by, &found.parameters));
    }
    if let Some((place, hessian)) = &found.second {
        let all: Vec<String> = names.iter().cloned().chain(by.iter().map(|name| (*name).to_owned())).collect();
        let columns: Vec<String> = all.iter().map(|name| format!("by {name}")).collect();
        parts.push(grid(&format!("second derivatives of {}", names[*place]), &all, &columns, hessian));
    }
    for event in &found.events {
        let head = format!("{} of {}, t = {}", event.kind, event.contact, number(event.t, DIGITS));
        parts.push(format!("{head}: saltation matrix\n{}", grid("", &names, &names, &event.saltation)));
    }
    parts.join("\n\n")
}

/// What was run.
fn heading(model: &Model, plan: &Plan) -> String {
    let mut table = Table::default();
    table.row(["model", model.system.name()]);
    table.row(["method", &plan.integrator.to_string()]);
    // The reference flow chooses its own steps.
    if !matches!(plan.integrator, Integrator::Taylor) {
        table.row(["step", &number(plan.step, DIGITS)]);
    }
    table.to_string()
}

fn matrix(head: &str, names: &[String], column: &str, values: &[f64]) -> String {
    grid(head, names, &[column.to_owned()], values)
}

/// A matrix with names of rows and columns.
fn grid(head: &str, rows: &[String], columns: &[String], values: &[f64]) -> String {
    let mut table = Table::default();
    table.cells([head.to_owned()].into_iter().chain(columns.iter().cloned()));
    for (name, row) in rows.iter().zip(values.chunks_exact(columns.len())) {
        table.cells([name.clone()].into_iter().chain(row.iter().map(|&value| number(value, DIGITS))));
    }
    table.to_string()
}
