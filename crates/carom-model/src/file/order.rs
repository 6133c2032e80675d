//! The order in which named expressions can be computed, and the cycles that prevent it.

use super::declarations::Declared;
use super::document::Value;
use super::source::Report;
use carom_expr::text::names_in;
use std::collections::HashMap;

/// An order in which every entry comes after those that it uses; entries that
/// use themselves are reported and left out.
pub(super) fn order(report: &mut Report, entries: &[Declared], kind: &str) -> Vec<usize> {
    let uses = dependencies(entries);
    let mut state = vec![State::New; entries.len()];
    let mut finished = Vec::new();
    let mut in_cycle = vec![false; entries.len()];
    for start in 0..entries.len() {
        // Depth first, with a stack of our own: chains can be as long as the file.
        let mut path: Vec<(usize, usize)> = Vec::new();
        if state[start] == State::New {
            state[start] = State::Open;
            path.push((start, 0));
        }
        while let Some((index, next)) = path.last_mut() {
            let Some(&used) = uses[*index].get(*next) else {
                state[*index] = State::Done;
                finished.push(*index);
                path.pop();
                continue;
            };
            *next += 1;
            match state[used] {
                State::New => {
                    state[used] = State::Open;
                    path.push((used, 0));
                }
                State::Open => {
                    let first = path.iter().position(|(index, _)| *index == used).unwrap_or(0);
                    let cycle: Vec<usize> = path[first..].iter().map(|(index, _)| *index).collect();
                    report_cycle(report, entries, &cycle, kind, &mut in_cycle);
                }
                State::Done => {}
            }
        }
    }
    finished.retain(|&index| !in_cycle[index]);
    finished
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

/// Which entries each entry uses.
fn dependencies(entries: &[Declared]) -> Vec<Vec<usize>> {
    let index: HashMap<&str, usize> = entries.iter().enumerate().map(|(i, e)| (e.name.as_str(), i)).collect();
    let used = |entry: &Declared| match &entry.value {
        Some(Value::Expression(text)) => {
            names_in(&text.string).iter().filter_map(|name| index.get(name.as_str()).copied()).collect()
        }
        _ => Vec::new(),
    };
    entries.iter().map(used).collect()
}

fn report_cycle(report: &mut Report, entries: &[Declared], cycle: &[usize], kind: &str, in_cycle: &mut [bool]) {
    // One report is enough for entries that are in several cycles.
    let known = cycle.iter().any(|&index| in_cycle[index]);
    cycle.iter().for_each(|&index| in_cycle[index] = true);
    // Shown from the first in the file.
    let first = cycle.iter().enumerate().min_by_key(|(_, index)| **index).map_or(0, |(at, _)| at);
    let around = cycle[first..].iter().chain(&cycle[..first]).chain(&cycle[first..=first]);
    let names: Vec<&str> = around.map(|&index| entries[index].name.as_str()).collect();
    if known {
        return;
    }
    let entry = &entries[cycle[first]];
    let message = format!("{kind} `{}` depends on itself: {}", entry.name, names.join(" -> "));
    let help = Some(format!("give one {kind} of the cycle a value that does not use the others"));
    report.error("cycle", entry.place, message, help);
}
