//! The tables of a solution.

use super::Optimum;
use crate::results::table::Table;
use carom_control::{PhaseSolution, Solution, TransitionSolution};
use std::rc::Rc;

/// Every table.
pub(super) fn tables<'a>(optimum: &Optimum<'a>) -> Vec<Table<'a>> {
    let solution = optimum.solution;
    let mut tables = vec![nodes(solution), controls(solution), intervals(optimum)];
    if solution.transitions.iter().any(|link| !link.impulses.is_empty()) {
        tables.push(impacts(solution));
    }
    tables
}

/// Names in the order in which they appear, each once.
pub(super) fn union<'a>(phases: &'a [PhaseSolution], list: impl Fn(&'a PhaseSolution) -> &'a [String]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for name in phases.iter().flat_map(list) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// `phase, node, t, q.*, v.*, force.*, costate.*`
fn nodes(solution: &Solution) -> Table<'_> {
    let phases = &solution.phases[..];
    let rows: Vec<(usize, usize)> =
        (0..phases.len()).flat_map(|number| (0..phases[number].times.len()).map(move |node| (number, node))).collect();
    let rows = Rc::new(rows);
    let mut table = Table::new("nodes", rows.len());
    let at = |rows: &Rc<Vec<(usize, usize)>>| rows.clone();
    let list = at(&rows);
    table.text("phase", move |k| phases[list[k].0].name.as_str());
    let list = at(&rows);
    table.count("node", move |k| list[k].1);
    let list = at(&rows);
    table.number("t", move |k| phases[list[k].0].times[list[k].1]);
    type Values = fn(&PhaseSolution) -> &[Vec<f64>];
    type Names = fn(&PhaseSolution) -> &[String];
    let vectors: [(&str, Names, Values); 4] = [
        ("q", |phase| &phase.coordinates, |phase| &phase.q),
        ("v", |phase| &phase.coordinates, |phase| &phase.v),
        ("force", |phase| &phase.constraints, |phase| &phase.forces),
        ("costate", |phase| &phase.coordinates, |phase| &phase.costates),
    ];
    for (prefix, names, values) in vectors {
        for name in union(phases, names) {
            let list = at(&rows);
            let value = move |k: usize| {
                let (phase, node) = (&phases[list[k].0], list[k].1);
                let column = names(phase).iter().position(|known| known == name)?;
                values(phase).get(node)?.get(column).copied()
            };
            // Costates of collocation belong to intervals, those of pinned coordinates do not exist.
            table.maybe_number(&format!("{prefix}.{name}"), value);
        }
    }
    table
}

/// `phase, interval, t, u.*`
fn controls(solution: &Solution) -> Table<'_> {
    let phases = &solution.phases[..];
    let mut rows: Vec<(usize, usize, usize)> = Vec::new();
    for (number, phase) in phases.iter().enumerate() {
        let samples = phase.controls.fractions.len();
        rows.extend((0..phase.controls.values.len()).flat_map(|k| (0..samples).map(move |sample| (number, k, sample))));
    }
    let rows = Rc::new(rows);
    let mut table = Table::new("controls", rows.len());
    let list = rows.clone();
    table.text("phase", move |k| phases[list[k].0].name.as_str());
    let list = rows.clone();
    table.count("interval", move |k| list[k].1);
    let list = rows.clone();
    table.number("t", move |k| {
        let (phase, interval) = (&phases[list[k].0], list[k].1);
        let [a, b] = [phase.times[interval], phase.times[interval + 1]];
        a + phase.controls.fractions[list[k].2] * (b - a)
    });
    for name in union(phases, |phase| &phase.inputs) {
        let list = rows.clone();
        table.maybe_number(&format!("u.{name}"), move |k| {
            let (phase, interval, sample) = (&phases[list[k].0], list[k].1, list[k].2);
            let input = phase.inputs.iter().position(|known| known == name)?;
            phase.controls.values[interval].get(input)?.get(sample).copied()
        });
    }
    table
}

/// `phase, interval, t, duration, work.*`, and the defect if there was an audit.
fn intervals<'a>(optimum: &Optimum<'a>) -> Table<'a> {
    let phases = &optimum.solution.phases[..];
    let rows: Vec<(usize, usize)> = (0..phases.len())
        .flat_map(|number| (0..phases[number].times.len().saturating_sub(1)).map(move |k| (number, k)))
        .collect();
    let rows = Rc::new(rows);
    let mut table = Table::new("intervals", rows.len());
    let list = rows.clone();
    table.text("phase", move |k| phases[list[k].0].name.as_str());
    let list = rows.clone();
    table.count("interval", move |k| list[k].1);
    let list = rows.clone();
    table.number("t", move |k| phases[list[k].0].times[list[k].1]);
    let list = rows.clone();
    table.number("duration", move |k| {
        let times = &phases[list[k].0].times;
        times[list[k].1 + 1] - times[list[k].1]
    });
    for name in union(phases, |phase| &phase.inputs) {
        let list = rows.clone();
        table.maybe_number(&format!("work.{name}"), move |k| {
            let phase = &phases[list[k].0];
            let input = phase.inputs.iter().position(|known| known == name)?;
            phase.work.get(list[k].1)?.get(input).copied()
        });
    }
    table
}

/// `transition, from, to, t, impulse, value, energy_minus, energy_plus`
fn impacts(solution: &Solution) -> Table<'_> {
    let links = &solution.transitions[..];
    let rows: Vec<(usize, usize)> =
        (0..links.len()).flat_map(|number| (0..links[number].impulses.len()).map(move |k| (number, k))).collect();
    let rows = Rc::new(rows);
    let mut table = Table::new("impacts", rows.len());
    let list = rows.clone();
    table.text("transition", move |k| links[list[k].0].name.as_str());
    for (column, end) in [("from", 0), ("to", 1)] {
        let list = rows.clone();
        table.text(column, move |k| solution.phases[links[list[k].0].phases[end]].name.as_str());
    }
    let list = rows.clone();
    table.text("impulse", move |k| links[list[k].0].impulses[list[k].1].0.as_str());
    type Number = fn(&TransitionSolution, usize) -> f64;
    let numbers: [(&str, Number); 4] = [
        ("t", |link, _| link.time),
        ("value", |link, impulse| link.impulses[impulse].1),
        ("energy_minus", |link, _| link.energies[0]),
        ("energy_plus", |link, _| link.energies[1]),
    ];
    for (name, number) in numbers {
        let list = rows.clone();
        table.number(name, move |k| number(&links[list[k].0], list[k].1));
    }
    table
}
