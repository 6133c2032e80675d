//! A run on one screen.

use crate::energy::Expected;
use crate::integrator::Integrator;
use crate::plan::Plan;
use crate::table::{Table, duration, number};
use carom::model::{Finding, Impact};
use carom::{Run, Trajectory, Understanding};
use std::path::PathBuf;

/// Significant digits of states and energies.
const DIGITS: usize = 10;
/// Significant digits of times of events.
const TIME_DIGITS: usize = 6;
/// Entries of a list that are shown; the rest is counted.
const SHOWN: usize = 5;

/// The summary of a run.
pub fn table(run: &Run<'_>, plan: &Plan, understood: &Understanding, files: &[PathBuf]) -> String {
    let mut table = Table::default();
    table.row(["system", &system(run, understood)]);
    let promises = plan.integrator.promises(run.system.is_forced());
    table.row(["method", &format!("{} ({promises})", run.trajectory.method)]);
    work(&mut table, run.trajectory, plan);
    quality(&mut table, run.trajectory, understood);
    contacts(&mut table, run);
    let mut list = Table::default();
    list.list("files", files.iter().map(|file| file.display().to_string()));
    format!("{table}\n\n{}{}\n\n{list}", findings(run.trajectory), final_state(run.trajectory))
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
    let ends = format!("from {} to {}", number(*first, DIGITS), number(*last, DIGITS));
    let error = trajectory.energy_error();
    let energy = match Expected::of(trajectory, understood) {
        // What the laws of the impacts take is no error.
        Expected::BetweenImpacts if !trajectory.impacts.is_empty() => {
            format!("{ends}; apart from the impacts, error at most {error:.1e}")
        }
        Expected::Constant | Expected::BetweenImpacts => kept(*first, error),
        Expected::Rubbed => format!("{ends}; impacts and sliding friction take it"),
        Expected::Driven => format!("{ends}, not conserved"),
    };
    table.row(["energy", &energy]);
    for invariant in &trajectory.invariants {
        let first = invariant.values.first().copied().unwrap_or(f64::NAN);
        table.row([&invariant.name, &kept(first, invariant.error())]);
    }
    if !trajectory.constraints.is_empty() {
        table.row(["constraints", &format!("residual at most {:.1e}", trajectory.constraint_error())]);
    }
}

/// What happened at the contacts, and how they are in the end.
fn contacts(table: &mut Table, run: &Run<'_>) {
    let trajectory = run.trajectory;
    if trajectory.contacts.is_empty() {
        return;
    }
    table.row(["impacts", &impacts(&trajectory.impacts)]);
    let mode = |(index, name): (usize, &String)| {
        let last = trajectory.modes.iter().rev().find(|change| change.contact == index);
        // A contact that is closed from beginning to end has no change.
        let is_closed = run.system.contacts().get(index).is_some_and(|contact| contact.is_closed);
        let unchanged = if is_closed { "closed" } else { "free" };
        format!("{name} {}", last.map_or(unchanged, |change| change.to.name()))
    };
    let modes = shorten(trajectory.contacts.iter().enumerate().map(mode), trajectory.contacts.len());
    table.row(["contacts", &modes.join(", ")]);
}

/// How many, when, by which laws, and what they did to the energy.
fn impacts(list: &[Impact]) -> String {
    let (Some(first), Some(last)) = (list.first(), list.last()) else { return "none".to_owned() };
    let time = |impact: &Impact| number(impact.t, TIME_DIGITS);
    let times = match list.len() {
        1 => format!("at t = {}", time(first)),
        _ => format!("from t = {} to {}", time(first), time(last)),
    };
    let mut laws: Vec<&str> = Vec::new();
    for impact in list {
        if !laws.contains(&impact.law.as_str()) {
            laws.push(&impact.law);
        }
    }
    let change = number(energy_change(list), TIME_DIGITS);
    format!("{} {times} ({}), energy change {change}", list.len(), laws.join(", "))
}

fn energy_change(impacts: &[Impact]) -> f64 {
    impacts.iter().map(|impact| impact.energy_change).sum()
}

/// What should be looked at; with an empty line below, if there is anything.
fn findings(trajectory: &Trajectory) -> String {
    let list = &trajectory.findings;
    if list.is_empty() {
        return String::new();
    }
    let describe = |finding: &Finding| {
        let contact = trajectory.contacts.get(finding.contact).map_or("?", String::as_str);
        let time = number(finding.t, TIME_DIGITS);
        format!("{} {contact} at t = {time}: {}", finding.kind.name(), finding.message)
    };
    let mut table = Table::default();
    table.list("findings", shorten(list.iter().map(describe), list.len()));
    format!("{table}\n\n")
}

/// The first texts of a list, and how many more there are.
fn shorten(texts: impl Iterator<Item = String>, all: usize) -> Vec<String> {
    // A single rest is shown rather than counted.
    let shown = if all > SHOWN + 1 { SHOWN } else { all };
    let rest = (all > shown).then(|| format!("and {} more", all - shown));
    texts.take(shown).chain(rest).collect()
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
