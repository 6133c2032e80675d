//! A projection in words.

use super::report::Report;
use crate::table::{Table, number};
use carom::expr::{Id, Supremum};
use carom::model::projection::{Arc, NormalForm, ProjectionKind};
use std::path::PathBuf;

/// Significant digits.
const DIGITS: usize = 8;
/// Longer formulas are not read by anyone.
const LONGEST: usize = 90;
/// Couplings of constraints and gap below this are rounding.
pub(super) const SEPARABLE: f64 = 1e-9;

/// Everything, one table after the other.
pub fn text(report: &Report<'_>, impact: Option<&[f64]>, files: &[PathBuf]) -> String {
    let mut facts = Table::default();
    facts.row(["contact", &report.simple().contact]);
    facts.row(["gap", &formula(report, report.simple().gap)]);
    constraints(&mut facts, report);
    match report.projection.kind() {
        ProjectionKind::Global(normal) => global(&mut facts, report, normal),
        ProjectionKind::Circle(arc) => circle(&mut facts, report, arc),
        ProjectionKind::Local(_) => {}
    }
    if let Some(impact) = impact {
        facts.row(["local, to compare", &format!("impact at {}", report.point(impact))]);
    }
    let mut parts = vec![header(report), facts.to_string(), checks(report)];
    if !files.is_empty() {
        let mut list = Table::default();
        list.list("files", files.iter().map(|file| file.display().to_string()));
        parts.push(list.to_string());
    }
    parts.join("\n\n")
}

fn header(report: &Report<'_>) -> String {
    let kind = match report.projection.kind() {
        ProjectionKind::Global(_) => "global projection through the normal form",
        ProjectionKind::Circle(_) => "projection of the circle onto an arc",
        ProjectionKind::Local(_) => "local projection",
    };
    format!("{}: {kind}", report.model.system.name())
}

/// Constraints, and what they determine.
fn constraints(table: &mut Table, report: &Report<'_>) {
    let solved = report.solved();
    if solved.is_empty() {
        return;
    }
    let names: Vec<&str> = report.model.system.constraints().iter().map(|c| c.name.as_str()).collect();
    table.row(["constraints", &format!("{}; left: {}", names.join(", "), report.names().join(", "))]);
    table.list("solved for", solved.into_iter().map(|(name, id)| format!("{name} = {}", formula(report, id))));
}

fn global(table: &mut Table, report: &Report<'_>, normal: &NormalForm) {
    let names = report.names();
    let monotonic = normal.monotonic;
    let name = names[monotonic.coordinate];
    let (sign, bound) = if monotonic.grows { (">=", monotonic.least) } else { ("<=", -monotonic.least) };
    let how = if monotonic.is_linear { "the gap is linear in it" } else { "its value is found by Newton's method" };
    table.row([
        "replaced",
        &format!("{name} by the gap: d gap/d{name} {sign} {}, proved; {how}", number(bound, DIGITS)),
    ]);
    let others: Vec<&str> = normal.others.iter().map(|&other| names[other]).collect();
    let rows = normal.delta.iter().zip(&others).map(|(&id, other)| format!("{other}: {}", formula(report, id)));
    table.list("Delta", listed(report, &normal.delta, rows.collect()));
    table.list("Lambda", matrix(report, &normal.lambda, &others));
    let all: Vec<&str> = std::iter::once("gap").chain(others.iter().copied()).collect();
    table.list("Mbar", matrix(report, &normal.mass, &all));
    table.row(["sup |Lambda|", &supremum(report, &normal.supremum)]);
    let is_limited = report.projection.limits().iter().any(Option::is_some);
    let proof = match (normal.is_proved(), is_limited) {
        (false, _) => "sampled, not proved",
        (true, false) => "proved",
        (true, true) => "proved as far as images stay in the domain",
    };
    let least = match normal.supremum.upper.is_finite() {
        true => format!("any above {} will do", number(normal.least_k(), DIGITS)),
        false => "the least one is not known".to_owned(),
    };
    let k = format!("{} ({least}); invertible: {proof}", number(normal.k, DIGITS));
    table.row(["k", &k]);
}

fn supremum(report: &Report<'_>, found: &Supremum) -> String {
    let Supremum { lower, at, upper, boxes } = found;
    if *upper == 0.0 {
        return "0: Delta is constant along the boundary".to_owned();
    }
    let bound = match upper.is_finite() {
        true => format!("at most {}, proved with {boxes} boxes", number(*upper, DIGITS)),
        false => format!("no bound found with {boxes} boxes"),
    };
    format!("{} at {}; {bound}", number(*lower, DIGITS), report.point(at))
}

fn circle(table: &mut Table, report: &Report<'_>, arc: &Arc) {
    let name = report.names()[0];
    let digits = |value: f64| number(value, DIGITS);
    let share = 2.0 * arc.half / arc.period;
    let (from, to) = (digits(arc.centre - arc.half), digits(arc.centre + arc.half));
    table.row(["circle", &format!("{name}, of period {}", digits(arc.period))]);
    table.row(["feasible arc", &format!("[{from}, {to}], {} of the period", number(share, 4))]);
    let centre = if arc.centre == 0.0 { String::new() } else { format!("{} + ", digits(arc.centre)) };
    table.row(["P outside", &format!("{centre}b1*s + b3*s^3, s = {name} - {}", digits(arc.opposite()))]);
    table.row(["b1", &format!("{}, the slope at the far side, which must be negative", digits(arc.b1))]);
    table.row(["b3", &digits(arc.b3)]);
}

/// What was sampled, and what Lemma 3 asks for.
fn checks(report: &Report<'_>) -> String {
    let mut table = Table::default();
    table.row(["check", "", "worst", "bound", "samples", "where"]);
    for check in &report.verification.checks {
        let verdict = if check.holds() { "holds" } else { "FAILS" };
        let [worst, bound] = [check.worst, check.bound].map(residual);
        table.row([check.name, verdict, &worst, &bound, &check.samples.to_string(), &check.point]);
    }
    if report.verification.checks.is_empty() {
        table.row(["none", "", "", "", "0", "no sample lies outside the feasible set or on its boundary"]);
    }
    let mut text = table.to_string();
    if let Some((coupling, point)) = &report.verification.separability {
        let (what, why) = match *coupling <= SEPARABLE {
            true => ("are separable", "as Lemma 3 asks"),
            false => ("are not separable", "which Lemma 3 asks for and this projection does not need"),
        };
        let size = residual(*coupling);
        text += &format!("\n\nconstraints and gap {what}: coupling at most {size}, at {point}, {why}");
    }
    text
}

fn residual(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:.1e}") }
}

/// A formula, or how long it is.
fn formula(report: &Report<'_>, id: Id) -> String {
    let text = report.formula(id);
    if text.len() <= LONGEST { text } else { format!("an expression of {} operations", report.size(&[id])) }
}

/// Rows if all of them are short, else how long they are together.
fn listed(report: &Report<'_>, ids: &[Id], rows: Vec<String>) -> Vec<String> {
    let is_short = ids.iter().all(|&id| report.formula(id).len() <= LONGEST);
    match is_short {
        true if rows.is_empty() => vec!["none: there is one coordinate".to_owned()],
        true => rows,
        false if ids.len() == 1 => vec![format!("an expression of {} operations", report.size(ids))],
        false => vec![format!("{} entries, together of {} operations", ids.len(), report.size(ids))],
    }
}

/// The entries of a square matrix that are not zero; of a symmetric one both halves.
fn matrix(report: &Report<'_>, ids: &[Id], names: &[&str]) -> Vec<String> {
    let n = names.len();
    let entry = |k: usize| format!("{}, {}: {}", names[k / n], names[k % n], report.formula(ids[k]));
    let is_zero = |k: &usize| report.projection.graph().is_zero(ids[*k]);
    let rows: Vec<String> = (0..ids.len()).filter(|k| !is_zero(k)).map(entry).collect();
    if rows.is_empty() && n > 0 { vec!["0".to_owned()] } else { listed(report, ids, rows) }
}
