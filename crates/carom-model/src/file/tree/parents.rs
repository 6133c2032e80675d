//! Which body hangs on which: an order with parents first, and the cycles that prevent it.

use super::super::source::Report;
use super::super::suggest::suggest;
use super::bodies::{DeclaredBody, WORLD};
use std::collections::HashMap;

/// A body of the list, and its parent in it; none if that is the world.
pub(super) type Branch = (usize, Option<usize>);

/// The bodies, each after its parent. A parent that does not exist, or one in a cycle, is reported and becomes the world.
pub(super) fn order(report: &mut Report, bodies: &[DeclaredBody]) -> Vec<Branch> {
    let mut parents = parents(report, bodies);
    let mut state = vec![State::New; bodies.len()];
    let mut finished = Vec::with_capacity(bodies.len());
    for start in 0..bodies.len() {
        // From the body towards the world, as far as nothing is known.
        let mut path = Vec::new();
        let mut here = Some(start);
        while let Some(body) = here.filter(|&body| state[body] == State::New) {
            state[body] = State::Open;
            path.push(body);
            here = parents[body];
        }
        // What is open already belongs to this path.
        if let Some(first) = here.and_then(|body| path.iter().position(|&other| other == body)) {
            report_cycle(report, bodies, &path[first..]);
            path.last().into_iter().for_each(|&last| parents[last] = None);
        }
        for body in path.into_iter().rev() {
            state[body] = State::Done;
            finished.push((body, parents[body]));
        }
    }
    finished
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

fn parents(report: &mut Report, bodies: &[DeclaredBody]) -> Vec<Option<usize>> {
    let index: HashMap<&str, usize> = bodies.iter().enumerate().map(|(i, body)| (body.name.as_str(), i)).collect();
    let mut list = Vec::with_capacity(bodies.len());
    for body in bodies {
        let found = body.parent.as_ref().filter(|(name, _)| name != WORLD);
        let parent = found.and_then(|(name, _)| index.get(name.as_str()).copied());
        if let (Some((name, place)), None) = (found, parent) {
            let known: Vec<&str> = std::iter::once(WORLD).chain(bodies.iter().map(|body| body.name.as_str())).collect();
            let message = format!("body `{}` hangs on `{name}`, which is no body", body.name);
            report.error("unknown-name", *place, message, Some(suggest(name, "bodies", &known)));
        }
        list.push(parent);
    }
    list
}

fn report_cycle(report: &mut Report, bodies: &[DeclaredBody], cycle: &[usize]) {
    // Shown from the first in the file.
    let first = cycle.iter().enumerate().min_by_key(|(_, index)| **index).map_or(0, |(at, _)| at);
    let around = cycle[first..].iter().chain(&cycle[..first]).chain(&cycle[first..=first]);
    let names: Vec<&str> = around.map(|&index| bodies[index].name.as_str()).collect();
    let body = &bodies[cycle[first]];
    let place = body.parent.as_ref().map_or(body.place, |(_, place)| *place);
    let message = format!("body `{}` hangs on itself: {}", body.name, names.join(" -> "));
    let help = "one of them hangs on `world` or on another body; a loop that closes is written in [loops]".to_owned();
    report.error("cycle", place, message, Some(help));
}
