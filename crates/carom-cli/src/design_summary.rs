//! A study on one screen, and as one object.

use crate::table::{Table, duration, number};
use carom::control::Audit;
use carom::design::{Outcome, Reason, Sample, StudyFile};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Significant digits of costs and designs.
const DIGITS: usize = 10;
/// Significant digits of derivatives.
const SLOPE_DIGITS: usize = 6;

/// An evaluation in a line, below the names of the columns if it is the first.
pub fn evaluation(file: &StudyFile, sample: &Sample, is_first: bool) -> String {
    let names = file.study.variables.iter().map(|variable| format!("{:>14}", variable.name));
    let design = sample.design.iter().map(|value| format!("{:>14}", number(*value, DIGITS)));
    let cost = sample.cost.map_or_else(|| "failed".to_owned(), |cost| format!("{cost:.9e}"));
    let (count, phase) = (sample.number + 1, &sample.phase);
    let note = if sample.is_cached { "known already" } else { &sample.note };
    let line = format!("{count:>6}{}  {cost:>17}  {phase:<12} {note}", design.collect::<String>());
    let head = format!("{:>6}{}  {:>17}  why", "number", names.collect::<String>(), "cost");
    let line = line.trim_end().to_owned();
    if is_first { format!("{head}\n{line}") } else { line }
}

/// The summary of a study.
pub fn table(file: &StudyFile, outcome: &Outcome, audit: Option<&Audit>, files: &[PathBuf]) -> String {
    let study = &file.study;
    let mut table = Table::default();
    let kind = file.inner.objective().kind();
    let names: Vec<&str> = study.variables.iter().map(|variable| variable.name.as_str()).collect();
    table.row(["study", &format!("{}: {kind} over {}", study.name, names.join(", "))]);
    table.row(["method", &method(file)]);
    table.row(["ended", &outcome.reason.to_string()]);
    let failed = outcome.samples.iter().filter(|sample| sample.cost.is_none()).count();
    let cached = outcome.samples.iter().filter(|sample| sample.is_cached).count();
    let seconds = outcome.samples.iter().map(|sample| sample.seconds).sum();
    let mut work = vec![format!("{}", outcome.samples.len()), format!("{} inner solves", outcome.solves())];
    work.extend((failed > 0).then(|| format!("{failed} failed")));
    work.extend((cached > 0).then(|| format!("{cached} known already")));
    table.row(["evaluations", &format!("{}, {}", work.join(", "), duration(seconds))]);
    if let Some(audit) = audit {
        table.row(["audit", &audit.verdict()]);
    }
    match outcome.best() {
        None => table.row(["best", "no evaluation succeeded"]),
        Some(best) => {
            let cost = best.cost.unwrap_or(f64::NAN);
            table.row(["best cost", &format!("{} at evaluation {}", number(cost, DIGITS), best.number + 1)]);
            for (variable, value) in study.variables.iter().zip(&best.design) {
                let unit = variable.unit.as_ref().map_or(String::new(), |unit| format!(" {unit}"));
                table.row([
                    "",
                    &format!("{} = {}{unit}{}", variable.name, number(*value, DIGITS), bound(variable, *value)),
                ]);
            }
        }
    }
    let mut list = Table::default();
    list.list("files", files.iter().map(|file| file.display().to_string()));
    [table.to_string(), samples(file, outcome).to_string(), list.to_string()].join("\n\n")
}

fn method(file: &StudyFile) -> String {
    let name = &file.study.method;
    carom::design::method(name).map_or_else(|_| name.clone(), |method| format!("{name}: {}", method.summary()))
}

/// Says so if a variable ends at a bound.
fn bound(variable: &carom::design::Variable, value: f64) -> &'static str {
    if value == variable.lower {
        ", its lower bound"
    } else if value == variable.upper {
        ", its upper bound"
    } else {
        ""
    }
}

/// Every evaluation.
fn samples(file: &StudyFile, outcome: &Outcome) -> Table {
    let mut table = Table::default();
    let names: Vec<&str> = file.study.variables.iter().map(|variable| variable.name.as_str()).collect();
    let has_slopes = outcome.samples.iter().any(|sample| !sample.slope.is_empty());
    let slope = if has_slopes { "slope" } else { "" };
    table.row(["number", "why", &names.join(", "), "cost", slope, "solves", "iterations", "note"]);
    let best = outcome.best().map(|best| best.number);
    for sample in &outcome.samples {
        let list = |values: &[f64], digits: usize| {
            values.iter().map(|value| number(*value, digits)).collect::<Vec<_>>().join(", ")
        };
        let cost = sample.cost.map_or_else(|| "failed".to_owned(), |cost| number(cost, DIGITS));
        let slope = if sample.cost.is_some() { list(&sample.slope, SLOPE_DIGITS) } else { String::new() };
        let note = if best == Some(sample.number) { "best" } else { &sample.note };
        let (count, solves) = ((sample.number + 1).to_string(), sample.solves.to_string());
        let design = list(&sample.design, DIGITS);
        let iterations = if sample.iterations > 0 { sample.iterations.to_string() } else { String::new() };
        table.row([&count, &sample.phase, &design, &cost, &slope, &solves, &iterations, note]);
    }
    table
}

/// The object of `--json`, and of `study.json`.
pub fn object(file: &StudyFile, outcome: &Outcome, audit: Option<&Audit>) -> Value {
    let study = &file.study;
    let named = |values: &[f64]| -> Value {
        let pairs = study.variables.iter().zip(values).map(|(variable, value)| (variable.name.clone(), json!(value)));
        Value::Object(pairs.collect())
    };
    let describe = |sample: &Sample| {
        json!({
            "number": sample.number + 1, "phase": sample.phase, "design": named(&sample.design), "cost": sample.cost,
            "slope": if sample.cost.is_some() { named(&sample.slope) } else { json!({}) }, "solves": sample.solves,
            "iterations": sample.iterations, "note": sample.note, "cached": sample.is_cached, "wall_s": sample.seconds,
        })
    };
    json!({
        "study": study.name,
        "method": study.method,
        "seed": study.seed,
        "evaluates": file.inner.objective().kind(),
        "converged": matches!(outcome.reason, Reason::Converged(_)),
        "reason": outcome.reason.to_string(),
        "solves": outcome.solves(),
        "best": outcome.best().map(describe),
        "audit": audit.map(|audit| json!({ "passed": audit.passed, "verdict": audit.verdict() })),
        "evaluations": outcome.samples.iter().map(describe).collect::<Vec<_>>(),
    })
}
