//! From starts to solutions: one after the other in every thread, each through easier problems first.
//!
//! ```text
//! coarse        the same problem on fewer intervals
//! effort_first  eps h sum |u|^2 alone
//! net_first     sum w + s (E - sum w) + eps h sum |u|^2,   s = 0.02, 0.08, 0.32       and s = 1 is the problem itself
//! ```
//!
//! `E - sum w` is the work that joints take back, once with positive work and twice with absolute
//! work. Net work is smooth, and starts agree on its optimum; braking becomes dearer from there. `E >=
//! sum w` for every walk, so the least cost does not decrease with `s`: what is found on the way
//! bounds the cost on the same mesh from below, as far as it is the least.

use super::Gait;
use super::run::Run;
use super::search::{GaitEvent, GaitOptions, GaitSearch};
use crate::error::ControlError;
use crate::guess::Guess;
use crate::problem::{ControlProblem, Cost, CostKind, Phase, WorkPart};
use crate::solution::Solution;
use crate::solve::solve;
use carom_nlp::{Observer, Progress};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Shares `s` of the difference of `E` and net work, before the whole of it.
const CHARGED: [f64; 3] = [0.02, 0.08, 0.32];
/// First barrier after the first stage, where net work comes first: with a
/// larger one the search strays from where it is.
const BARRIER: f64 = 1e-5;

impl Gait {
    /// One start, in this thread, iteration by iteration.
    pub(super) fn solve_only(
        &self,
        problem: &ControlProblem,
        guess: &Guess,
        run: &Run<'_>,
        observe: &mut dyn FnMut(GaitEvent<'_>) -> bool,
    ) -> GaitSearch {
        let mut is_stopped = false;
        let solution = self.solve_one(problem, guess, run, &mut |progress| {
            is_stopped |= !observe(GaitEvent::Iteration(progress));
            !is_stopped
        });
        let mut found = GaitSearch { is_stopped, ..GaitSearch::default() };
        found.take(problem, 0, solution, observe);
        found
    }

    pub(super) fn solve_all(
        &self,
        problem: &ControlProblem,
        starts: &[Guess],
        run: &Run<'_>,
        observe: &mut dyn FnMut(GaitEvent<'_>) -> bool,
    ) -> GaitSearch {
        let mut found = GaitSearch::default();
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..run.options.threads.clamp(1, starts.len().max(1)) {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let start = next.fetch_add(1, Ordering::Relaxed);
                        let Some(guess) = starts.get(start).filter(|_| start == 0 || !run.is_over()) else { break };
                        let mut goes_on = |_: &Progress<'_>| !stop.load(Ordering::Relaxed);
                        let solution = self.solve_one(problem, guess, run, &mut goes_on);
                        if sender.send((start, solution)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for (start, solution) in receiver {
                let goes_on = found.take(problem, start, solution, observe);
                stop.fetch_or(!goes_on, Ordering::Relaxed);
            }
        });
        found.failures.sort_by_key(|(start, _)| *start);
        found.is_stopped = stop.into_inner();
        found
    }

    fn solve_one(
        &self,
        problem: &ControlProblem,
        guess: &Guess,
        run: &Run<'_>,
        observe: &mut Observer<'_>,
    ) -> Result<Solution, ControlError> {
        let (mut guess, mut nlp) = (guess.clone(), run.options.solve.clone());
        let barrier = self.begins_with_net_work(run.options).then_some(BARRIER);
        for stage in self.stages(problem, run.options)? {
            let solution = solve(&stage, &guess, &run.rest(&nlp), observe)?;
            if solution.outcome.status.is_success() {
                guess = solution.guess();
                nlp.nlp.near = true;
                nlp.nlp.barrier = nlp.nlp.barrier.or(barrier);
            } else if run.is_over() {
                // Where there is no time left, this is what was found.
                guess = solution.guess();
                break;
            }
            // Where an easier problem was not solved, nothing is gained by it.
        }
        solve(problem, &guess, &run.rest(&nlp), observe)
    }

    fn begins_with_net_work(&self, options: &GaitOptions) -> bool {
        options.net_first && self.work.is_some_and(|part| part != WorkPart::Net)
    }

    /// Easier problems that lead to this one: on a coarser mesh, without the work, with net work.
    fn stages(&self, problem: &ControlProblem, options: &GaitOptions) -> Result<Vec<ControlProblem>, ControlError> {
        let is_easier = options.effort_first && self.work.is_some() && self.effort != 0.0;
        let easy = if is_easier { Gait { work: None, ..self.clone() } } else { self.clone() };
        let mut stages = Vec::new();
        if let Some(intervals) = options.coarse.filter(|&coarse| coarse < self.step.intervals) {
            let step = Phase { intervals, shares: Vec::new(), ..self.step.clone() };
            stages.push(Gait { step, ..easy.clone() }.problem()?);
        }
        if is_easier {
            stages.push(easy.problem()?);
        }
        if self.begins_with_net_work(options) {
            stages.extend(CHARGED.iter().map(|&share| charged(problem, share)));
        }
        Ok(stages)
    }
}

/// The problem with the work `s E + (1 - s) sum w` in the place of the work `E`, its first cost.
fn charged(problem: &ControlProblem, share: f64) -> ControlProblem {
    let mut problem = problem.clone();
    let work = &mut problem.costs[0];
    let kind = CostKind::Work { inputs: Vec::new(), part: WorkPart::Net };
    let net = Cost { name: "net work".to_owned(), weight: (1.0 - share) * work.weight, kind, ..work.clone() };
    work.weight *= share;
    problem.costs.push(net);
    problem
}
