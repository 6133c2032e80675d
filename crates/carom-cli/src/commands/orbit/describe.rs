//! The summary of `carom orbit`.

use super::Found;
use crate::table::{Table, number};
use carom::control::orbit::{Branch, Fate, Multipliers, Orbit, StepEnd};

/// Significant digits of states and multipliers.
const DIGITS: usize = 15;
/// Drifts below this part of the state are none.
const NO_DRIFT: f64 = 1e-12;

/// Multipliers with a relative error above this are said to have one.
const FEW_DIGITS: f64 = 1e-9;

/// The summary.
pub(super) fn table(found: &Found<'_>) -> Table {
    let mut table = Table::default();
    let orbit = &found.orbit;
    table.row(["model", found.model.system.name()]);
    table.row(["step", &step(found)]);
    let iterations = orbit.iterations.len();
    let word = if iterations == 1 { "iteration" } else { "iterations" };
    let what = if found.is_equilibrium { "equilibrium" } else { "orbit" };
    table.row([what, &format!("found in {iterations} {word}, residual {:.1e}", orbit.residual)]);
    if !found.is_equilibrium {
        table.row(["period", &number(orbit.duration, DIGITS)]);
    }
    table.list("state", states(found, orbit));
    table.list("drift", drifts(found, orbit));
    table.list("multipliers", multipliers(&orbit.multipliers));
    table.row(["verdict", &verdict(&orbit.multipliers)]);
    for (k, branch) in found.branches.iter().enumerate() {
        table.list(if k == 0 { "branch" } else { "doubled" }, branch_lines(found, branch));
    }
    if let Some((basin, _)) = &found.basin {
        table.row(["basin", &fates(&basin.fates)]);
    }
    table.list("files", found.files.iter().map(|file| file.display().to_string()));
    table
}

fn step(found: &Found<'_>) -> String {
    match found.setup.end {
        StepEnd::Period(period) => format!("a duration of {}", number(period, DIGITS)),
        StepEnd::Impact { contact, count, .. } => {
            let name = &found.model.system.contacts()[contact].name;
            if count == 1 { format!("up to an impact of `{name}`") } else { format!("{count} impacts of `{name}`") }
        }
    }
}

fn states(found: &Found<'_>, orbit: &Orbit) -> Vec<String> {
    let shown = found.setup.free.iter();
    shown.map(|&i| format!("{} = {}", found.names[i], number(orbit.state[i], DIGITS))).collect()
}

/// What a step adds to coordinates that drift.
fn drifts(found: &Found<'_>, orbit: &Orbit) -> Vec<String> {
    let change = |i: usize| orbit.image[i] - orbit.state[i];
    let scale = orbit.state.iter().fold(1.0_f64, |largest, value| largest.max(value.abs()));
    let drifting = (0..orbit.state.len()).filter(|i| !found.setup.free.contains(i));
    let drifting = drifting.filter(|&i| change(i).abs() > NO_DRIFT * scale);
    drifting.map(|i| format!("{} by {} per step", found.names[i], number(change(i), DIGITS))).collect()
}

fn multipliers(multipliers: &Multipliers) -> Vec<String> {
    let mut lines = Vec::new();
    for &(re, im) in multipliers.values.iter().filter(|value| value.1 >= 0.0) {
        let size = number(re.hypot(im), 6);
        lines.push(match im == 0.0 {
            true => number(re, DIGITS),
            false => format!("{} +- {} i, size {size}", number(re, DIGITS), number(im, DIGITS)),
        });
    }
    let smallest = multipliers.values.iter().map(|(re, im)| re.hypot(*im)).fold(f64::INFINITY, f64::min);
    if multipliers.accuracy > FEW_DIGITS * smallest {
        lines.push(format!(
            "to about {:.0e}: the largest ones leave no more digits to the smallest",
            multipliers.accuracy
        ));
    }
    if multipliers.zeros > 0 {
        let times = if multipliers.zeros == 1 { "once".to_owned() } else { format!("{} times", multipliers.zeros) };
        lines.push(format!("0 ({times}: what the section and the impact forget)"));
    }
    lines
}

fn verdict(multipliers: &Multipliers) -> String {
    format!("{}: the largest multiplier has size {}", multipliers.stability().name(), number(multipliers.largest(), 6))
}

fn branch_lines(found: &Found<'_>, branch: &Branch) -> Vec<String> {
    let name = &found.parameter;
    let ends = branch.points.first().zip(branch.points.last());
    let mut lines: Vec<String> = ends
        .map(|(first, last)| {
            let (count, from, to) = (branch.points.len(), number(first.parameter, 6), number(last.parameter, 6));
            format!("{count} orbits from {name} = {from} to {to}")
        })
        .into_iter()
        .collect();
    for found in &branch.bifurcations {
        let at = number(found.orbit.parameter, 13);
        lines.push(format!("{} at {name} = {at} (to {:.0e})", found.kind.name(), found.uncertainty.max(1e-15)));
    }
    if !branch.ending.is_empty() {
        lines.push(branch.ending.clone());
    }
    lines
}

fn fates(fates: &[Fate]) -> String {
    let count = |wanted: fn(&Fate) -> bool| fates.iter().filter(|fate| wanted(fate)).count();
    let reached = count(|fate| matches!(fate, Fate::Reaches(_)));
    let (elsewhere, failed) = (count(|fate| *fate == Fate::Elsewhere), count(|fate| matches!(fate, Fate::Fails(_))));
    let all = fates.len();
    format!(
        "of {all} starts {reached} reach the orbit, {elsewhere} are not there after the steps that were tried, {failed} come to no further step"
    )
}
