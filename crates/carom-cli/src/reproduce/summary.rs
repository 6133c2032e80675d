//! Cases on a screen, and as JSON.

use super::declaration::{Paper, Printed, Verdict};
use super::verdict::{Checked, Result as CaseResult};
use crate::table::{Table, duration, number};
use serde_json::Value;

/// Significant digits.
const DIGITS: usize = 12;
/// Significant digits of errors.
const ERROR_DIGITS: usize = 2;
/// Verdicts in the order of a summary.
const ALL: [Verdict; 5] =
    [Verdict::Agrees, Verdict::PaperInError, Verdict::NotStated, Verdict::Disagrees, Verdict::NotRun];

/// All cases by name.
pub fn list(papers: &[Paper]) -> String {
    let mut table = Table::default();
    table.row(["case", "document", "about"]);
    for paper in papers {
        for case in &paper.cases {
            let long = if case.runs.iter().any(|run| run.is_long) { " (long)" } else { "" };
            table.row([&case.name, &format!("{}, {}", paper.number, case.source), &format!("{}{long}", case.title)]);
        }
    }
    table.to_string()
}

/// A case with its checks.
pub fn table(result: &CaseResult, is_kept: bool) -> String {
    let mut table = Table::default();
    table.row(["check", "printed", "reference", "ours", "error", "tolerance", "verdict"]);
    for check in &result.checks {
        let [printed, reference, ours, error] = cells(check);
        let tolerance = number(check.tolerance, ERROR_DIGITS);
        table.row([&check.name, &printed, &reference, &ours, &error, &tolerance, check.verdict.name()]);
    }
    let kept = if is_kept { ", kept from an earlier call" } else { "" };
    let head = format!("{} ({}), {}{kept}", result.case, result.source, duration(result.wall_s));
    let mut files = Table::default();
    files.list("figures", result.figures.iter().cloned());
    let files = if result.figures.is_empty() { String::new() } else { format!("\n{files}") };
    format!("{head}\n{table}{files}\n")
}

/// Printed, reference, ours and error, in words.
pub fn cells(check: &Checked) -> [String; 4] {
    let printed = match &check.printed {
        Printed::Nothing => "-".to_owned(),
        Printed::Number(value) => number(*value, DIGITS),
        Printed::Words(words) => words.clone(),
    };
    let ours = check.ours.map_or("-".to_owned(), |ours| number(ours, DIGITS));
    let error = check.ours.map_or("-".to_owned(), |ours| number((ours - check.reference).abs(), ERROR_DIGITS));
    [printed, number(check.reference, DIGITS), ours, error]
}

/// Verdicts counted, and what does not come out.
pub fn counts(results: &[CaseResult]) -> String {
    let count = |verdict: Verdict| results.iter().map(|result| result.count(verdict)).sum::<usize>();
    let parts = ALL.into_iter().filter(|verdict| count(*verdict) > 0);
    let parts: Vec<String> = parts.map(|verdict| format!("{} {}", count(verdict), verdict.name())).collect();
    let seconds = results.iter().map(|result| result.wall_s).sum();
    let cases = if results.len() == 1 { "case" } else { "cases" };
    format!("{} {cases}, {}: {}", results.len(), duration(seconds), parts.join(", "))
}

/// One object, or an array of several.
pub fn json(results: &[CaseResult]) -> Value {
    match results {
        [only] => only.json(),
        several => several.iter().map(CaseResult::json).collect(),
    }
}
