//! Searches from several starts: gaits have many local optima.
//!
//! ```text
//! for each start, in parallel:    solve, perhaps on a coarser mesh and with the effort alone before
//! from the cheapest on:           audit; contacts that leave their limits between nodes tighten the limits, and it is solved again
//! ```
//!
//! Which start is solved when does not matter for what is found: every run with the same seed finds the same.

use super::Gait;
use crate::audit::{Audit, AuditKind, AuditOptions, audit};
use crate::error::ControlError;
use crate::guess::Guess;
use crate::problem::{ControlProblem, Phase};
use crate::solution::Solution;
use crate::solve::{SolveOptions, solve};
use carom_nlp::{Observer, Progress};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Names of the conditions of contacts: the swing foot keeps off the ground, the stance foot pushes and holds.
const CONTACTS: [&str; 5] = ["clearance", "normal force", "friction cone", "friction forward", "friction backward"];
/// Limits are tightened by this many times what they were exceeded by.
const MARGIN: f64 = 1.2;
/// Costs that differ by less than this, relatively, belong to the same optimum.
const SAME: f64 = 1e-6;
/// How often they are tightened.
const ROUNDS: usize = 4;

/// How gaits are searched.
#[derive(Clone, Debug)]
pub struct GaitOptions {
    /// Number of starts.
    pub starts: usize,
    /// Seed of their variations.
    pub seed: u64,
    /// How far postures and bends vary, in the units of the coordinates.
    pub spread: f64,
    /// True if the effort alone is minimised before the work.
    pub effort_first: bool,
    /// Intervals of a coarser mesh that is solved first, if any.
    pub coarse: Option<usize>,
    /// Starts that are solved at the same time.
    pub threads: usize,
    /// False if the cheapest is taken as it is.
    pub is_audited: bool,
    /// How each of them is solved.
    pub solve: SolveOptions,
    /// Limits of the audit.
    pub audit: AuditOptions,
}

impl Default for GaitOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        // Limits of contacts hold between nodes too, since they are tightened until they do.
        let (solve, audit) = (SolveOptions::default(), AuditOptions { path: 1e-3, ..AuditOptions::default() });
        Self {
            starts: 1,
            seed: 1,
            spread: 0.4,
            effort_first: false,
            coarse: None,
            threads,
            is_audited: true,
            solve,
            audit,
        }
    }
}

/// What one start led to.
#[derive(Clone, Debug)]
pub struct GaitCandidate {
    /// Number of the start.
    pub start: usize,
    /// The problem, perhaps with tightened limits.
    pub problem: ControlProblem,
    /// The solution, converged or not.
    pub solution: Solution,
    /// Its audit, if there was reason for one.
    pub audit: Option<Audit>,
}

impl GaitCandidate {
    /// The objective.
    pub fn cost(&self) -> f64 {
        self.solution.outcome.objective
    }

    /// True if it converged and passed its audit.
    pub fn passed(&self) -> bool {
        self.audit.as_ref().is_some_and(|audit| audit.passed)
    }

    /// What they are ordered by: those that pass, those that converged, the others; the cheapest first.
    fn rank(&self) -> (bool, bool, f64) {
        (!self.passed(), !self.solution.outcome.status.is_success(), self.cost())
    }
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct GaitSearch {
    /// One per start that was solved; those that pass their audit come first, the cheapest of them at the very first.
    pub candidates: Vec<GaitCandidate>,
    /// Starts that could not be solved at all, and why.
    pub failures: Vec<(usize, ControlError)>,
    /// True if it was stopped.
    pub is_stopped: bool,
}

/// What happens during a search.
#[derive(Clone, Debug)]
pub enum GaitEvent<'a> {
    /// An iteration of the only start.
    Iteration(&'a Progress<'a>),
    /// A start was solved.
    Solved {
        /// Number of the start.
        start: usize,
        /// Its solution.
        solution: &'a Solution,
    },
    /// A solution was audited.
    Audited {
        /// Number of the start.
        start: usize,
        /// How often its limits were tightened before.
        round: usize,
        /// The audit.
        audit: &'a Audit,
    },
}

impl Gait {
    /// Solves the problem from each of `starts`, audits the cheapest, and goes on until one passes. `observe` stops the search by
    /// returning false.
    pub fn search(
        &self,
        starts: &[Guess],
        options: &GaitOptions,
        observe: &mut dyn FnMut(GaitEvent<'_>) -> bool,
    ) -> Result<GaitSearch, ControlError> {
        let problem = self.problem()?;
        let mut found = match starts {
            [only] => self.solve_only(&problem, only, options, observe),
            _ => self.solve_all(&problem, starts, options, observe),
        };
        found.candidates.sort_by(order);
        let (mut judged, mut best) = (f64::NEG_INFINITY, f64::INFINITY);
        for candidate in &mut found.candidates {
            // The same optimum from another start meets the same audit.
            if candidate.cost() - judged < SAME * candidate.cost().abs() {
                continue;
            }
            // Tightened limits may have made the best one dearer than those that follow.
            if candidate.cost() >= best {
                break;
            }
            if found.is_stopped || !options.is_audited || !candidate.solution.outcome.status.is_success() {
                break;
            }
            judged = candidate.cost();
            found.is_stopped |= !settle(&problem, candidate, options, observe)?;
            if candidate.passed() {
                best = best.min(candidate.cost());
            }
        }
        found.candidates.sort_by(order);
        match found.failures.first() {
            Some((_, error)) if found.candidates.is_empty() => Err(error.clone()),
            _ => Ok(found),
        }
    }

    /// One start, in this thread, iteration by iteration.
    fn solve_only(
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

    fn solve_all(
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
        let mut guess = guess.clone();
        for stage in self.stages(options)? {
            let solution = solve(&stage, &guess, &options.solve, observe)?;
            // Where an easier problem was not solved, nothing is gained by it.
            if solution.outcome.status.is_success() {
                guess = solution.guess();
            }
        }
        solve(problem, &guess, &options.solve, observe)
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

impl GaitSearch {
    /// Takes what a start led to; false if the search shall end.
    fn take(
        &mut self,
        problem: &ControlProblem,
        start: usize,
        solution: Result<Solution, ControlError>,
        observe: &mut dyn FnMut(GaitEvent<'_>) -> bool,
    ) -> bool {
        match solution {
            Ok(solution) => {
                let goes_on = observe(GaitEvent::Solved { start, solution: &solution });
                let (problem, audit) = (problem.clone(), None);
                self.candidates.push(GaitCandidate { start, problem, solution, audit });
                goes_on
            }
            Err(error) => {
                self.failures.push((start, error));
                true
            }
        }
    }
}

/// Order of candidates, also if a cost is not a number.
fn order(a: &GaitCandidate, b: &GaitCandidate) -> std::cmp::Ordering {
    let (a, b) = ((a.rank(), a.start), (b.rank(), b.start));
    let costs = a.0.2.total_cmp(&b.0.2);
    (a.0.0, a.0.1).cmp(&(b.0.0, b.0.1)).then(costs).then(a.1.cmp(&b.1))
}

/// Audits a candidate against the `problem` as it is asked, and tightens limits of contacts that are exceeded between nodes; false
/// if it was stopped.
fn settle(
    problem: &ControlProblem,
    candidate: &mut GaitCandidate,
    options: &GaitOptions,
    observe: &mut dyn FnMut(GaitEvent<'_>) -> bool,
) -> Result<bool, ControlError> {
    let mut best = candidate.clone();
    for round in 0..=ROUNDS {
        let found = audit(problem, &best.solution, &options.audit)?;
        let goes_on = observe(GaitEvent::Audited { start: best.start, round, audit: &found });
        let tighter = tightened(&best.problem, &found);
        best.audit = Some(found);
        if round == 0 || best.passed() {
            *candidate = best.clone();
        }
        let (Some(problem), true, false) = (tighter, goes_on && round < ROUNDS, best.passed()) else {
            return Ok(goes_on);
        };
        // The same program but for its limits: it goes on from the point and the multipliers.
        let mut again = options.solve.clone();
        again.nlp.start = Some(best.solution.outcome.point.clone());
        again.nlp.warm = Some(best.solution.outcome.multipliers.clone());
        let solution = solve(&problem, &best.solution.guess(), &again, &mut |_| true)?;
        if !solution.outcome.status.is_success() {
            return Ok(true);
        }
        best = GaitCandidate { start: best.start, problem, solution, audit: None };
    }
    Ok(true)
}

/// The problem with limits of contacts that make up for what they were exceeded by; nothing if something else is wrong.
fn tightened(problem: &ControlProblem, found: &Audit) -> Option<ControlProblem> {
    let is_contact = |kind: &AuditKind| match kind {
        AuditKind::Path(name) => CONTACTS.contains(&name.as_str()),
        AuditKind::Pull(_) | AuditKind::Friction(_) | AuditKind::Depth(_) => true,
        _ => false,
    };
    if found.findings.is_empty() || !found.findings.iter().all(|finding| is_contact(&finding.kind)) {
        return None;
    }
    let (mut problem, mut is_tighter) = (problem.clone(), false);
    for (phase, replay) in problem.phases.iter_mut().zip(&found.replay.phases) {
        for path in phase.path.iter_mut().filter(|path| CONTACTS.contains(&path.condition.name.as_str())) {
            let excess = replay.excesses.iter().find(|excess| excess.condition == path.condition.name);
            let by = excess.map_or(0.0, |excess| MARGIN * excess.value);
            path.condition.range.lower += by;
            is_tighter |= by > 0.0;
        }
    }
    is_tighter.then_some(problem)
}
