//! A plan on one screen.

use crate::optimum_summary::count;
use crate::table::{Table, number};
use carom::control::planner::{DescentStatus, Iteration};
use carom::control::{StoredMotion, StoredPlan};
use carom::report::optimum::SplinePlan;
use std::path::PathBuf;

/// Significant digits of costs, and of times.
const DIGITS: [usize; 2] = [10, 6];

/// How it was planned, and the best motion with each number of impacts.
pub fn table(plan: &StoredPlan) -> String {
    let mut facts = Table::default();
    facts.list("plan", steps(plan));
    let mut motions = Table::default();
    motions.row(["impacts", "cost", "impact times", "worst corner residual", ""]);
    for (index, motion) in plan.motions.iter().enumerate() {
        let times: Vec<String> = motion.impacts.iter().map(|(time, _)| number(*time, DIGITS[1])).collect();
        let times = if times.is_empty() { "-".to_owned() } else { times.join(", ") };
        let corner = motion.worst_corner().map_or("-".to_owned(), |worst| format!("{worst:.1e}"));
        let (impacts, cost) = (motion.impacts.len().to_string(), number(motion.cost, DIGITS[0]));
        motions.row([&impacts, &cost, &times, &corner, remark(plan, index, motion)]);
    }
    [facts.to_string(), motions.to_string()].join("\n\n")
}

fn remark(plan: &StoredPlan, index: usize, motion: &StoredMotion) -> &'static str {
    match motion.is_motion {
        _ if plan.taken == Some(index) => "taken",
        true => "",
        false if motion.status == "converged" => "passes the contact",
        false => "not converged",
    }
}

/// A plan whose result is a path.
pub fn spline(spline: &SplinePlan<'_>, files: &[PathBuf]) -> String {
    let plan = spline.plan;
    let mut table = Table::default();
    table.row(["problem", &spline.file.problem.name]);
    table.list("plan", steps(plan));
    if let Some(last) = plan.descent.last() {
        let costs = &last.costs;
        let price = costs.total - costs.integral - costs.ending;
        let parts = [("integral", costs.integral), ("terminal", costs.ending), ("price of missing the end", price)];
        let parts = parts.into_iter().filter(|(_, value)| *value != 0.0);
        let parts: Vec<String> = parts.map(|(name, value)| format!("{name} {}", number(value, DIGITS[1]))).collect();
        table.row(["cost", &format!("{}: {}", number(costs.total, DIGITS[0]), parts.join(", "))]);
        let missed = number(costs.miss.max(0.0).sqrt(), 3);
        table.row(["end", &format!("MISSED by {missed}: a spline pays for it, and does not reach it")]);
        let times: Vec<String> = last.crossings.iter().map(|time| number(*time, DIGITS[1])).collect();
        let times = if times.is_empty() { "none".to_owned() } else { format!("at {}", times.join(", ")) };
        table.row(["impacts", &times]);
    }
    let mut list = Table::default();
    list.list("files", files.iter().map(|file| file.display().to_string()));
    [table.to_string(), list.to_string()].join("\n\n")
}

/// What was done, a line for each step.
fn steps(plan: &StoredPlan) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(last) = plan.descent.last() {
        let status = match plan.status {
            Some(DescentStatus::Converged) => "converged",
            Some(DescentStatus::Stalled) => "no way down any more",
            Some(DescentStatus::Limit) => "limit of iterations",
            Some(DescentStatus::Stopped) | None => "STOPPED",
        };
        let parameters = plan.parameters.len();
        lines.push(format!("descent over {parameters} parameters: {}; {status}", iteration(last)));
        if let Some(first) = plan.descent.iter().find(|iteration| !iteration.crossings.is_empty()) {
            lines.push(format!("the first impact came at iteration {}", first.number));
        }
    }
    for (price, last) in &plan.freed {
        lines.push(format!("free knots, penalty {}: {}", number(*price, DIGITS[1]), iteration(last)));
    }
    if let Some(search) = &plan.search {
        let most = count(search.options.impacts, "impact", "impacts");
        let programs = count(search.solved, "program", "programs");
        let end = if search.is_finished() { "finished" } else { "NOT FINISHED" };
        lines.push(format!("search of up to {most}: {programs}; {end}"));
    }
    lines
}

fn iteration(last: &Iteration) -> String {
    let (iterations, impacts) =
        (count(last.number, "iteration", "iterations"), count(last.crossings.len(), "impact", "impacts"));
    let (cost, missed) = (number(last.costs.total, DIGITS[1]), number(last.costs.miss.max(0.0).sqrt(), 3));
    format!("{iterations}, {impacts}, cost {cost}, end missed by {missed}")
}
