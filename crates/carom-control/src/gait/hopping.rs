//! Hops from the cheapest optima of a search, each of which begins a chain of its own.
//!
//! ```text
//! for each of the cheapest optima that differ, in parallel:    hop after hop, each from where the last one led to
//! ```
//!
//! Chains do not know of each other: what is found does not depend on how many of them are at work at the same time.

use super::run::Run;
use super::search::{GaitCandidate, GaitEvent, GaitSearch, SAME};
use crate::error::ControlError;
use crate::hops::Hopper;
use crate::problem::ControlProblem;
use crate::solution::Solution;
use carom_nlp::Progress;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

/// Chains at most.
const CHAINS: usize = 4;

/// What a chain tells.
enum Told {
    /// A hop has ended, with a cost if it led to an optimum.
    Hop(usize, usize, Option<f64>),
    /// The chain has ended.
    End(usize, Vec<(usize, Solution)>, Option<ControlError>),
}

/// Adds what hops lead to, to candidates that are sorted.
pub(super) fn hop(
    problem: &ControlProblem,
    found: &mut GaitSearch,
    run: &Run<'_>,
    observe: &mut dyn FnMut(GaitEvent<'_>) -> bool,
) {
    let chains = chains(&found.candidates);
    if run.options.hops == 0 || chains.is_empty() || found.is_stopped || run.is_over() {
        return;
    }
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = channel();
    let mut ended = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..run.options.threads.clamp(1, chains.len()) {
            let (sender, next, stop, chains) = (sender.clone(), &next, &stop, &chains);
            scope.spawn(move || {
                while let Some(chain) = chains.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let led = follow(problem, chain, run, stop, &sender);
                    if sender.send(Told::End(chain.start, led.0, led.1)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for told in receiver {
            match told {
                Told::Hop(start, hop, cost) => {
                    let goes_on = observe(GaitEvent::Hopped { start, hop, cost });
                    stop.fetch_or(!goes_on, Ordering::Relaxed);
                }
                Told::End(start, led, error) => ended.push((start, led, error)),
            }
        }
    });
    found.is_stopped |= stop.into_inner();
    ended.sort_by_key(|(start, ..)| *start);
    for (start, led, error) in ended {
        found.candidates.extend(led.into_iter().map(|(hops, solution)| {
            let problem = problem.clone();
            GaitCandidate { start, hops, problem, solution, audit: None, rounds: 0 }
        }));
        found.failures.extend(error.map(|error| (start, error)));
    }
}

/// Where chains begin: the cheapest optima, each of them once.
fn chains(sorted: &[GaitCandidate]) -> Vec<GaitCandidate> {
    let mut chains: Vec<GaitCandidate> = Vec::new();
    for candidate in sorted.iter().filter(|candidate| candidate.solution.outcome.status.is_success()) {
        let is_new = chains.last().is_none_or(|last| candidate.cost() - last.cost() > SAME * last.cost().abs());
        if is_new && chains.len() < CHAINS {
            chains.push(candidate.clone());
        }
    }
    chains
}

/// The hops of a chain: what they led to, and what ended it before its time.
fn follow(
    problem: &ControlProblem,
    chain: &GaitCandidate,
    run: &Run<'_>,
    stop: &AtomicBool,
    sender: &Sender<Told>,
) -> (Vec<(usize, Solution)>, Option<ControlError>) {
    let options = run.options;
    // Chains differ by their starts, and starts by the seed.
    let seed = options.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(chain.start as u64);
    let mut hopper = Hopper::new(problem, chain.solution.clone(), &options.solve, options.spread, seed);
    let goes_on = || !stop.load(Ordering::Relaxed) && !run.is_over();
    for hop in 1..=options.hops {
        let cost = match hopper.hop(&mut |_: &Progress<'_>| goes_on()) {
            Ok(cost) => cost,
            Err(error) => return (hopper.found(), Some(error)),
        };
        if !goes_on() || sender.send(Told::Hop(chain.start, hop, cost)).is_err() {
            break;
        }
    }
    (hopper.found(), None)
}
