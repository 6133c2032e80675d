//! From starts to solutions: one after the other in every thread, each through easier problems first.

use super::Gait;
use super::search::{GaitEvent, GaitOptions, GaitSearch};
use crate::error::ControlError;
use crate::guess::Guess;
use crate::problem::{ControlProblem, Phase};
use crate::solution::Solution;
use crate::solve::solve;
use carom_nlp::{Observer, Progress};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

impl Gait {
    /// One start, in this thread, iteration by iteration.
    pub(super) fn solve_only(
        &self,
        problem: &ControlProblem,
        guess: &Guess,
        options: &GaitOptions,
        observe: &mut dyn FnMut(GaitEvent<'_>) -> bool,
    ) -> GaitSearch {
        let mut is_stopped = false;
        let solution = self.solve_one(problem, guess, options, &mut |progress| {
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
        options: &GaitOptions,
        observe: &mut dyn FnMut(GaitEvent<'_>) -> bool,
    ) -> GaitSearch {
        let mut found = GaitSearch::default();
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..options.threads.clamp(1, starts.len().max(1)) {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let start = next.fetch_add(1, Ordering::Relaxed);
                        let Some(guess) = starts.get(start) else { break };
                        let mut goes_on = |_: &Progress<'_>| !stop.load(Ordering::Relaxed);
                        let solution = self.solve_one(problem, guess, options, &mut goes_on);
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
        options: &GaitOptions,
        observe: &mut Observer<'_>,
    ) -> Result<Solution, ControlError> {
        let (mut guess, mut nlp) = (guess.clone(), options.solve.clone());
        for stage in self.stages(options)? {
            let solution = solve(&stage, &guess, &nlp, observe)?;
            nlp.nlp.near |= solution.outcome.status.is_success();
            // Where an easier problem was not solved, nothing is gained by it.
            if solution.outcome.status.is_success() {
                guess = solution.guess();
            }
        }
        solve(problem, &guess, &nlp, observe)
    }

    /// Easier problems that lead to this one: on a coarser mesh, without the work.
    fn stages(&self, options: &GaitOptions) -> Result<Vec<ControlProblem>, ControlError> {
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
        Ok(stages)
    }
}
