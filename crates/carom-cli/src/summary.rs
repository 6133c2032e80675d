//! A run on one screen.

use crate::energy::Expected;
use crate::phase_space::PhaseSpace;
use crate::projected::Smooth;
use crate::table::{Table, duration, number};
use carom::model::{Digest, Finding, Impacts};
use carom::report::quasivelocities;
use carom::run::{Integrator, Plan};
use carom::{System, Understanding};
use std::path::PathBuf;

/// Significant digits of states and energies.
const DIGITS: usize = 10;
/// Significant digits of times of events.
const TIME_DIGITS: usize = 6;
/// Entries of a list that are shown; the rest is counted.
const SHOWN: usize = 5;

/// What was run.
pub struct About<'a> {
    /// The system that moved.
    pub system: &'a System,
    /// What is known about it.
    pub understood: &'a Understanding,
    /// Its Lagrangian is degenerate.
    pub is_degenerate: bool,
}

/// The summary of a run.
pub fn table(about: &About<'_>, digest: &Digest, plan: &Plan, smooth: Option<&Smooth>, files: &[PathBuf]) -> String {
    let About { system: model, understood, is_degenerate } = *about;
    let mut table = Table::default();
    table.row(["system", &system(model, understood)]);
    let promises = plan.integrator.promises(model, plan.formulation, is_degenerate);
    let direction = match smooth {
        Some(_) => ", along a smooth path",
        None if plan.backward => ", backward in time",
        None => "",
    };
    table.row(["method", &format!("{}{direction} ({promises})", digest.header.method)]);
    work(&mut table, digest, plan);
    quality(&mut table, digest, understood);
    contacts(&mut table, digest, model);
    if let Some(smooth) = smooth {
        table.row(["projection", &smooth.about]);
        table.row(["smooth path", &smooth.smoothness()]);
    }
    let mut list = Table::default();
    list.list("files", files.iter().map(|file| file.display().to_string()));
    format!("{table}\n\n{}{}\n\n{list}", findings(digest), final_state(digest, model))
}

fn system(system: &System, understood: &Understanding) -> String {
    let coordinates = count(understood.coordinates.len(), "coordinate", "coordinates");
    let freedom = match PhaseSpace::of(system, understood) {
        Some(space) => format!("phase space of {space}"),
        None => count(understood.degrees_of_freedom, "degree of freedom", "degrees of freedom"),
    };
    format!("{}: {coordinates}, {freedom}", system.name())
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// What was done and how long it took.
fn work(table: &mut Table, digest: &Digest, plan: &Plan) {
    let statistics = &digest.header.statistics;
    table.row(["steps", &steps(digest, plan)]);
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
fn steps(digest: &Digest, plan: &Plan) -> String {
    let steps = digest.header.statistics.steps;
    let size = match plan.integrator {
        Integrator::Fixed(_) => {
            // A remainder of rounding is no shorter step.
            let is_even = (plan.until / plan.step + 1e-9).fract() < 2e-9 && plan.until >= plan.step;
            let rest = if is_even { "" } else { " (the last one shorter)" };
            format!(" of {}{rest}", number(plan.step, 6))
        }
        Integrator::Energy(_) | Integrator::Taylor => ", adaptive".to_owned(),
    };
    let nodes = count(digest.nodes, "node", "nodes");
    format!("{steps}{size}, {nodes} recorded")
}

/// What should be constant, and how well it is.
fn quality(table: &mut Table, digest: &Digest, understood: &Understanding) {
    let Some((first, last)) = digest.first.as_ref().zip(digest.last.as_ref()) else { return };
    let kept = |first: f64, error: f64| format!("{}, error at most {error:.1e}", number(first, DIGITS));
    let ends = format!("from {} to {}", number(first.energy, DIGITS), number(last.energy, DIGITS));
    let error = digest.energy_error();
    let energy = match Expected::of(digest, understood) {
        // What the laws of the impacts take is no error.
        Expected::BetweenImpacts if digest.impacts.sample.count > 0 => {
            format!("{ends}; apart from the impacts, error at most {error:.1e}")
        }
        Expected::Constant | Expected::BetweenImpacts => kept(first.energy, error),
        Expected::Rubbed => format!("{ends}; impacts and sliding friction take it"),
        Expected::Driven => format!("{ends}, not conserved"),
    };
    table.row(["energy", &energy]);
    for invariant in &digest.invariants {
        table.row([&invariant.name, &kept(invariant.first.unwrap_or(f64::NAN), invariant.error)]);
    }
    if !digest.header.constraints.is_empty() {
        table.row(["constraints", &format!("residual at most {:.1e}", digest.constraint_error)]);
    }
}

/// What happened at the contacts, and how they are in the end.
fn contacts(table: &mut Table, digest: &Digest, system: &System) {
    let names = &digest.header.contacts;
    if names.is_empty() {
        return;
    }
    table.row(["impacts", &impacts(&digest.impacts)]);
    let mode = |(index, name): (usize, &String)| {
        // A contact that is closed from beginning to end has no change.
        let is_closed = system.contacts().get(index).is_some_and(|contact| contact.is_closed);
        let unchanged = if is_closed { "closed" } else { "free" };
        format!("{name} {}", digest.final_modes[index].map_or(unchanged, |mode| mode.name()))
    };
    let modes = shorten(names.iter().enumerate().map(mode), names.len());
    table.row(["contacts", &modes.join(", ")]);
}

/// How many, when, by which laws, and what they did to the energy.
fn impacts(impacts: &Impacts) -> String {
    let Some((first, last)) = impacts.times else { return "none".to_owned() };
    let (count, time) = (impacts.sample.count, |t: f64| number(t, TIME_DIGITS));
    let times = match count {
        1 => format!("at t = {}", time(first)),
        _ => format!("from t = {} to {}", time(first), time(last)),
    };
    let change = number(impacts.energy_change, TIME_DIGITS);
    format!("{count} {times} ({}), energy change {change}", impacts.laws.join(", "))
}

/// What should be looked at; with an empty line below, if there is anything.
fn findings(digest: &Digest) -> String {
    let list = &digest.findings;
    if list.count == 0 {
        return String::new();
    }
    let describe = |finding: &Finding| {
        let contact = digest.header.contacts.get(finding.contact).map_or("?", String::as_str);
        let time = number(finding.t, TIME_DIGITS);
        format!("{} {contact} at t = {time}: {}", finding.kind.name(), finding.message)
    };
    let mut table = Table::default();
    table.list("findings", shorten(list.first.iter().map(describe), list.count));
    format!("{table}\n\n")
}

/// The first texts of a list, and how many more there are.
fn shorten(texts: impl Iterator<Item = String>, all: usize) -> Vec<String> {
    // A single rest is shown rather than counted.
    let shown = if all > SHOWN + 1 { SHOWN } else { all };
    let rest = (all > shown).then(|| format!("and {} more", all - shown));
    texts.take(shown).chain(rest).collect()
}

/// The state at the last node, with its quasivelocities if there is a frame.
fn final_state(digest: &Digest, system: &System) -> String {
    let Some(last) = &digest.last else { return "no node was computed".to_owned() };
    let mut table = Table::default();
    table.row([&format!("at t = {}", number(last.t, DIGITS)), "value", "rate", "momentum"]);
    for (index, name) in digest.header.coordinates.iter().enumerate() {
        let cell = |values: &[f64]| values.get(index).map_or(String::new(), |value| number(*value, DIGITS));
        table.row([name, &cell(&last.q), &cell(&last.v), &cell(&last.p)]);
    }
    let speeds = quasivelocities(system, &last.q, &last.v);
    if speeds.is_empty() {
        return table.to_string();
    }
    let mut own = Table::default();
    own.row(["quasivelocity", "value"]);
    speeds.iter().for_each(|(name, value)| own.row([name, &number(*value, DIGITS)]));
    format!("{table}\n\n{own}")
}
