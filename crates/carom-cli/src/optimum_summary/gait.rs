//! A search of gaits: its starts, and what the gait that was taken costs.

use super::{DIGITS, TIME_DIGITS};
use crate::table::{Table, number};
use carom::control::GaitMeasures;
use carom::report::optimum::Walked;

/// Starts that are listed; the others are counted.
const LISTED: usize = 8;

/// Starts and measures.
pub(super) fn tables(found: &Walked) -> Vec<String> {
    let mut parts = Vec::new();
    if found.search.candidates.len() > 1 {
        parts.push(starts(found).to_string());
    }
    parts.extend(found.measures.as_ref().map(|found| measures(found).to_string()));
    parts
}

fn starts(found: &Walked) -> Table {
    let mut table = Table::default();
    table.row(["gait", "start", "cost", "status", "audit"]);
    for (index, candidate) in found.search.candidates.iter().enumerate().take(LISTED) {
        let taken = if index == 0 { "taken" } else { "-" };
        let audit = match &candidate.audit {
            Some(audit) if audit.passed && candidate.rounds > 0 => "passed, limits tightened",
            Some(audit) if audit.passed => "passed",
            Some(_) => "not passed",
            None => "not audited",
        };
        let status = candidate.solution.outcome.status.to_string();
        let start = match candidate.hops {
            0 => candidate.start.to_string(),
            hop => format!("{}, hop {hop}", candidate.start),
        };
        // What has not converged has no cost that says anything.
        let is_optimum = candidate.solution.outcome.status.is_success();
        let cost = if is_optimum { number(candidate.cost(), DIGITS) } else { "-".to_owned() };
        table.row([taken, &start, &cost, &status, audit]);
    }
    let more = found.search.candidates.len().saturating_sub(LISTED);
    let more = (more > 0).then(|| format!("and {more} more"));
    table.list("", more);
    let failed = found.search.failures.iter().map(|(start, error)| format!("start {start}: {error}"));
    table.list("failed", failed);
    table
}

fn measures(found: &GaitMeasures) -> Table {
    let mut table = Table::default();
    table.row(["work of the joints", "J", "over weight and length"]);
    let energies = [
        ("net", found.net),
        ("positive", found.positive),
        ("absolute", found.absolute),
        ("net, absolute by interval", found.net_absolute),
        ("loss of the impact", found.loss),
    ];
    for (name, energy) in energies {
        table.row([name, &number(energy, TIME_DIGITS), &number(found.transport(energy), TIME_DIGITS)]);
    }
    table.gap();
    table.row(["squared torques", &format!("{} N^2 m^2 s", number(found.effort, DIGITS))]);
    table.row(["largest torque", &number(found.largest_torque, TIME_DIGITS)]);
    if found.least_normal_force.is_finite() {
        table.row(["least normal force", &number(found.least_normal_force, TIME_DIGITS)]);
        table.row(["largest friction", &number(found.largest_friction, TIME_DIGITS)]);
    }
    table
}
