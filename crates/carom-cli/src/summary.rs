//! A run on one screen.

use crate::plan::Plan;
use crate::table::{Table, duration, number};
use carom::{Run, Trajectory, Understanding};
use std::path::PathBuf;

/// Significant digits of states and energies.
const DIGITS: usize = 10;

/// The summary of a run.
pub fn table(run: &Run<'_>, plan: &Plan, understood: &Understanding, files: &[PathBuf]) -> String {
    let mut table = Table::default();
    let count = understood.coordinates.len();
    let freedom = understood.degrees_of_freedom;
    table.row(["system", &format!("{}: {count} coordinates, {freedom} degrees of freedom", run.system.name())]);
    table.row(["method", &format!("{} ({})", run.trajectory.method, plan.integrator.promises())]);
    work(&mut table, run.trajectory, plan);
    quality(&mut table, run.trajectory, understood);
    let mut list = Table::default();
    list.list("files", files.iter().map(|file| file.display().to_string()));
    format!("{table}\n\n{}\n\n{list}", final_state(run.trajectory))
}

/// What was done and how long it took.
fn work(table: &mut Table, trajectory: &Trajectory, plan: &Plan) {
    let statistics = &trajectory.statistics;
    let steps = statistics.steps;
    let reached = trajectory.t.last().map_or("none reached".to_owned(), |t| format!("up to t = {}", number(*t, DIGITS)));
    table.row(["steps", &format!("{steps}, {reached}; {} nodes every {}", trajectory.len(), interval(plan))]);
    let each = statistics.wall_seconds / steps.max(1) as f64;
    let (all, setup) = (duration(statistics.wall_seconds), duration(statistics.setup_seconds));
    table.row(["time", &format!("{all}, {} per step; {setup} to derive and compile", duration(each))]);
}

/// Time between two nodes.
fn interval(plan: &Plan) -> String {
    let step = number(plan.step, 6);
    if plan.every == 1 { step } else { format!("{} x {step}", plan.every) }
}

/// What should be constant, and how well it is.
fn quality(table: &mut Table, trajectory: &Trajectory, understood: &Understanding) {
    let error = |name: &str, first: Option<&f64>, error: f64| {
        let first = first.map_or("none".to_owned(), |value| number(*value, DIGITS));
        (name.to_owned(), format!("{first}, error at most {error:.1e}"))
    };
    let is_kept = understood.conserved.iter().any(|quantity| quantity.name == "energy");
    if is_kept {
        let (name, text) = error("energy", trajectory.energy.first(), trajectory.energy_error());
        table.row([&name, &text]);
    } else if let (Some(first), Some(last)) = (trajectory.energy.first(), trajectory.energy.last()) {
        table.row(["energy", &format!("from {} to {} (not conserved)", number(*first, DIGITS), number(*last, DIGITS))]);
    }
    for invariant in &trajectory.invariants {
        let (name, text) = error(&invariant.name, invariant.values.first(), invariant.error());
        table.row([&name, &text]);
    }
    if !trajectory.constraints.is_empty() {
        table.row(["constraints", &format!("residual at most {:.1e}", trajectory.constraint_error())]);
    }
}

/// The state at the last node.
fn final_state(trajectory: &Trajectory) -> String {
    let Some(last) = trajectory.last() else { return "no node was computed".to_owned() };
    let mut table = Table::default();
    table.row([&format!("at t = {}", number(last.t, DIGITS)), "value", "rate", "momentum"]);
    for (index, name) in trajectory.coordinates.iter().enumerate() {
        let cell = |values: &[f64]| values.get(index).map_or(String::new(), |value| number(*value, DIGITS));
        table.row([name, &cell(last.q), &cell(last.v), &cell(last.p)]);
    }
    table.to_string()
}
