//! A solved problem on one screen.

mod gait;

use crate::table::{Table, duration, number};
use carom::control::{LadderEnd, PhaseAudit, Rung, transcription};
use carom::nlp::{Place, Residuals};
use carom::report::optimum::{Discovered, Optimum, label};
use std::path::PathBuf;

/// Significant digits of costs and parameters.
const DIGITS: usize = 10;
/// Significant digits of times and impulses.
const TIME_DIGITS: usize = 6;
/// Findings and violations that are shown.
const SHOWN: usize = 5;

/// The summary of a search.
pub fn table(optimum: &Optimum<'_>, ladder: Option<(&[Rung], LadderEnd)>, files: &[PathBuf]) -> String {
    let solution = optimum.solution;
    let mut table = Table::default();
    let phases = count(solution.phases.len(), "phase", "phases");
    let [variables, rows] = solution.size;
    let name = &optimum.file.problem.name;
    table.row(["problem", &format!("{name}: {phases}, {variables} unknowns, {rows} rows")]);
    table.row(["method", &method(optimum)]);
    table.row(["status", &status(optimum)]);
    table.row(["objective", &objective(optimum, ladder)]);
    table.row(["residuals", &residuals(&solution.outcome.residuals)]);
    if !solution.outcome.dependent.is_empty() {
        let rows = places(&solution.outcome.dependent).join(", ");
        table.row(["", &format!("rows that depend on others: {rows}")]);
    }
    if let Some((rungs, end)) = ladder {
        meshes(&mut table, rungs, end);
    }
    audit(&mut table, optimum);
    let mut parts = vec![table.to_string()];
    if !solution.outcome.status.is_success() && !solution.worst.is_empty() {
        let mut worst = Table::default();
        let list = solution.worst.iter().take(SHOWN);
        worst.list("violated", list.map(|violation| format!("{}: by {:.1e}", violation.place, violation.amount)));
        parts.push(worst.to_string());
    }
    if let Some(found) = optimum.discovered {
        parts.push(motions(found).to_string());
    }
    if let Some(found) = optimum.walked {
        parts.extend(gait::tables(found));
    }
    parts.push(values(optimum).to_string());
    if solution.transitions.iter().any(|link| !link.impulses.is_empty()) {
        parts.push(impacts(optimum).to_string());
    }
    let mut list = Table::default();
    list.list("files", files.iter().map(|file| file.display().to_string()));
    parts.push(list.to_string());
    parts.join("\n\n")
}

/// Residuals of the optimality conditions.
pub fn residuals(residuals: &Residuals) -> String {
    [
        format!("feasibility {:.1e}", residuals.feasibility),
        format!("stationarity {:.1e}", residuals.stationarity),
        format!("complementarity {:.1e}", residuals.complementarity),
    ]
    .join(", ")
}

/// The first places of a program by name, and how many there are besides.
pub fn places(list: &[Place]) -> Vec<String> {
    let more = list.len().saturating_sub(SHOWN);
    let named = list.iter().take(SHOWN).map(Place::to_string);
    named.chain((more > 0).then(|| format!("and {more} more"))).collect()
}

/// A number with its noun.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn method(optimum: &Optimum<'_>) -> String {
    let solution = optimum.solution;
    let intervals: usize = solution.phases.iter().map(|phase| phase.times.len() - 1).sum();
    let order = transcription(&solution.method).map_or(String::new(), |method| format!(" (order {})", method.order()));
    let intervals = count(intervals, "interval", "intervals");
    format!("{}{order}, {intervals}; solver {}", solution.method, solution.outcome.solver)
}

fn status(optimum: &Optimum<'_>) -> String {
    let outcome = &optimum.solution.outcome;
    let (all, setup) = (duration(outcome.statistics.seconds), duration(optimum.solution.seconds_setup));
    let iterations = count(outcome.statistics.iterations, "iteration", "iterations");
    let status = &outcome.status;
    let word = if status.is_success() { status.to_string() } else { format!("NOT CONVERGED: {status}") };
    format!("{word} after {iterations} in {all}; {setup} to derive and compile")
}

fn objective(optimum: &Optimum<'_>, ladder: Option<(&[Rung], LadderEnd)>) -> String {
    let value = number(optimum.solution.outcome.objective, DIGITS);
    let error = ladder.and_then(|(rungs, _)| rungs.last()?.error);
    let value = error.map_or(value.clone(), |error| format!("{value}, error about {error:.1e}"));
    // A number that is no optimum must not pass for one.
    match label(optimum).as_str() {
        "" => value,
        label => format!("{value} ({label})"),
    }
}

fn meshes(table: &mut Table, rungs: &[Rung], end: LadderEnd) {
    let rung = |rung: &Rung| {
        let error = rung.error.map_or(String::new(), |error| format!(", error about {error:.1e}"));
        format!("{} intervals: {}{error}", rung.intervals, number(rung.cost, DIGITS))
    };
    table.list("meshes", rungs.iter().map(rung));
    let why = match end {
        LadderEnd::Accurate => return,
        LadderEnd::NotSolved => "the last mesh was not solved",
        LadderEnd::IntervalLimit => "the next mesh would have too many intervals",
        LadderEnd::RoundLimit => "there were as many meshes as allowed",
    };
    table.row(["", &format!("NOT ACCURATE: {why}")]);
}

fn audit(table: &mut Table, optimum: &Optimum<'_>) {
    let Some(audit) = optimum.audit else {
        table.row(["audit", "none"]);
        return;
    };
    table.row(["mesh", &format!("error of an interval at most {:.1e} of the motion", audit.mesh)]);
    let replay =
        format!("replayed: state off by {:.1e}, energy by {:.1e}", audit.end.q.max(audit.end.v), audit.end.energy);
    let verdict = if audit.passed { "passed" } else { "NOT PASSED" };
    table.row(["audit", &format!("{verdict}; {replay}")]);
    let several = audit.phases.len() > 1;
    let unstable = |phase: &PhaseAudit| {
        let place = if several { format!("{}: ", phase.name) } else { String::new() };
        let growth = phase.amplification;
        format!("{place}unstable: defects grow {growth:.1e}-fold, the end of the replay is not judged")
    };
    table.list("", audit.phases.iter().filter(|phase| phase.is_unstable).map(unstable));
    let more = audit.findings.len().saturating_sub(SHOWN);
    let findings = audit.findings.iter().take(SHOWN).map(|finding| finding.to_string());
    table.list("", findings.chain((more > 0).then(|| format!("and {more} more"))));
}

/// What a search of impacts has found.
fn motions(found: &Discovered) -> Table {
    let mut table = Table::default();
    table.row(["motion", "impacts", "cost", "status", "audit", "at", "sequence"]);
    for (index, candidate) in found.candidates.iter().enumerate() {
        let taken = if index == found.taken { "taken" } else { "-" };
        let audit = match found.audits.get(index).and_then(Option::as_ref) {
            Some(audit) if audit.passed => "passed",
            Some(_) => "not passed",
            None if candidate.status.is_success() && !candidate.is_motion() => "passes a contact",
            None => "none",
        };
        let times: Vec<String> = candidate.impacts.iter().map(|(_, time)| number(*time, TIME_DIGITS)).collect();
        let (impacts, cost, times) = (times.len().to_string(), number(candidate.cost, DIGITS), times.join(", "));
        let times = if times.is_empty() { "-" } else { &times };
        table.row([taken, &impacts, &cost, &candidate.status.to_string(), audit, times, &candidate.sequence]);
    }
    table
}

/// Costs, durations and parameters.
fn values(optimum: &Optimum<'_>) -> Table {
    let solution = optimum.solution;
    let mut table = Table::default();
    table.row(["cost", "value"]);
    for (name, value) in &solution.costs {
        table.row([name, &number(*value, DIGITS)]);
    }
    if !solution.freed.is_empty() {
        table.gap();
        table.row(["parameter", "found"]);
    }
    for (name, value) in &solution.freed {
        table.row([name, &number(*value, DIGITS)]);
    }
    table.gap();
    table.row(["phase", "begins", "lasts"]);
    for phase in &solution.phases {
        table.row([&phase.name, &number(phase.begins, TIME_DIGITS), &number(phase.duration, DIGITS)]);
    }
    table
}

/// When, by which impulse, and what it does to the energy.
fn impacts(optimum: &Optimum<'_>) -> Table {
    let mut table = Table::default();
    table.row(["impact", "time", "energy change", "impulses"]);
    for link in optimum.solution.transitions.iter().filter(|link| !link.impulses.is_empty()) {
        let impulses: Vec<String> =
            link.impulses.iter().map(|(name, value)| format!("{name} {}", number(*value, TIME_DIGITS))).collect();
        let change = number(link.energies[1] - link.energies[0], TIME_DIGITS);
        table.row([&link.name, &number(link.time, TIME_DIGITS), &change, &impulses.join(", ")]);
    }
    table
}
