//! A run on one screen.

use crate::integrator::Integrator;
use crate::plan::Plan;
use crate::table::{Table, duration, number};
use carom::{Run, Trajectory, Understanding};
use std::path::PathBuf;

/// Significant digits of states and energies.
const DIGITS: usize = 10;

/// The summary of a run.
pub fn table(run: &Run<'_>, plan: &Plan, understood: &Understanding, files: &[PathBuf]) -> String {
    let mut table = Table::default();
    table.row(["system", &system(run, understood)]);
    let promises = plan.integrator.promises(run.system.is_forced());
    table.row(["method", &format!("{} ({promises})", run.trajectory.method)]);
    work(&mut table, run.trajectory, plan);
    quality(&mut table, run.trajectory, understood);
    let mut list = Table::default();
    list.list("files", files.iter().map(|file| file.display().to_string()));
    format!("{table}\n\n{}\n\n{list}", final_state(run.trajectory))
}

fn system(run: &Run<'_>, understood: &Understanding) -> String {
    let coordinates = count(understood.coordinates.len(), "coordinate", "coordinates");
    let freedom = count(understood.degrees_of_freedom, "degree of freedom", "degrees of freedom");
    format!("{}: {coordinates}, {freedom}", run.system.name())
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// What was done and how long it took.
fn work(table: &mut Table, trajectory: &Trajectory, plan: &Plan) {
    let statistics = &trajectory.statistics;
    table.row(["steps", &steps(trajectory, plan)]);
    let each = statistics.wall_seconds / statistics.steps.max(1) as f64;
    let (all, setup) = (duration(statistics.wall_seconds), duration(statistics.setup_seconds));
    table.row(["time", &format!("{all}, {} per step; {setup} to derive and compile", duration(each))]);
    // Flows adapt their steps as a matter of course; steppers should not have to.
    if statistics.retries > 0 && matches!(plan.integrator, Integrator::Fixed(_)) {
        let advice = "the method is not symplectic there; take a smaller --step";
        let divided = count(statistics.retries, "step", "steps");
        table.row(["divided", &format!("{divided} that did not converge in one piece: {advice}")]);
    }
}

/// Steps, and the nodes that were recorded.
fn steps(trajectory: &Trajectory, plan: &Plan) -> String {
    let steps = trajectory.statistics.steps;
    let size = match plan.integrator {
        Integrator::Fixed(_) => {
            // A remainder of rounding is no shorter step.
            let is_even = (plan.until / plan.step + 1e-9).fract() < 2e-9 && plan.until >= plan.step;
            let rest = if is_even { "" } else { " (the last one shorter)" };
            format!(" of {}{rest}", number(plan.step, 6))
        }
        Integrator::Energy(_) | Integrator::Taylor => ", adaptive".to_owned(),
    };
    let nodes = count(trajectory.len(), "node", "nodes");
    format!("{steps}{size}, {nodes} recorded")
}

/// What should be constant, and how well it is.
fn quality(table: &mut Table, trajectory: &Trajectory, understood: &Understanding) {
    let Some((first, last)) = trajectory.energy.first().zip(trajectory.energy.last()) else { return };
    let kept = |first: f64, error: f64| format!("{}, error at most {error:.1e}", number(first, DIGITS));
    if understood.conserved.iter().any(|quantity| quantity.name == "energy") {
        table.row(["energy", &kept(*first, trajectory.energy_error())]);
    } else {
        table.row(["energy", &format!("from {} to {}, not conserved", number(*first, DIGITS), number(*last, DIGITS))]);
    }
    for invariant in &trajectory.invariants {
        let first = invariant.values.first().copied().unwrap_or(f64::NAN);
        table.row([&invariant.name, &kept(first, invariant.error())]);
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
