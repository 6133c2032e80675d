//! Searches from several starts: gaits have many local optima.
//!
//! ```text
//! for each start, in parallel:    solve, perhaps on a coarser mesh, with the effort alone or with net work before
//! from the cheapest optima:       hop to cheaper ones nearby
//! from the cheapest on:           audit; conditions that are exceeded between nodes are tightened, and it is solved again
//! ```
//!
//! Which start is solved when does not matter for what is found: every run with the same seed finds the same.

use super::Gait;
use super::hopping::hop;
use super::run::Run;
use super::settle::settle;
use crate::audit::{Audit, AuditOptions};
use crate::error::ControlError;
use crate::guess::Guess;
use crate::problem::ControlProblem;
use crate::solution::Solution;
use crate::solve::SolveOptions;
use carom_nlp::Progress;

/// Costs of candidates that differ by less than this, relatively, belong to the same optimum.
pub(super) const SAME: f64 = 1e-6;

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
    /// True if net work is minimised before positive or absolute work, which gradually takes its place.
    pub net_first: bool,
    /// Intervals of a coarser mesh that is solved first, if any.
    pub coarse: Option<usize>,
    /// Hops from each of the cheapest optima.
    pub hops: usize,
    /// Starts that are solved at the same time.
    pub threads: usize,
    /// False if the cheapest is taken as it is.
    pub is_audited: bool,
    /// How each of them is solved; the limit of time is that of all starts and hops.
    pub solve: SolveOptions,
    /// Solver of all starts if none converges with the first.
    pub otherwise: Option<String>,
    /// Limits of the audit.
    pub audit: AuditOptions,
}

impl Default for GaitOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        // Limits of forces hold between nodes too, since they are tightened until they do.
        let (solve, audit) = (SolveOptions::default(), AuditOptions { path: 1e-3, ..AuditOptions::default() });
        Self {
            starts: 1,
            seed: 1,
            spread: 0.4,
            effort_first: false,
            net_first: false,
            coarse: None,
            hops: 0,
            threads,
            is_audited: true,
            solve,
            otherwise: None,
            audit,
        }
    }
}

/// What one start led to.
#[derive(Clone, Debug)]
pub struct GaitCandidate {
    /// Number of the start.
    pub start: usize,
    /// Number of the hop that led to it; 0 if the start itself did.
    pub hops: usize,
    /// The problem, perhaps with tightened limits.
    pub problem: ControlProblem,
    /// The solution, converged or not.
    pub solution: Solution,
    /// Its audit, if there was reason for one.
    pub audit: Option<Audit>,
    /// How often its limits were tightened.
    pub rounds: usize,
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
    /// What starts and hops led to; those that pass their audit come first, the cheapest of them at the very first.
    pub candidates: Vec<GaitCandidate>,
    /// Starts whose search, hops or audit ended with an error.
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
    /// A hop has ended.
    Hopped {
        /// Number of the start.
        start: usize,
        /// Number of the hop.
        hop: usize,
        /// The cost of the optimum that it led to, if it led to one.
        cost: Option<f64>,
    },
    /// A solution was audited.
    Audited {
        /// Number of the start.
        start: usize,
        /// Number of the hop that led to it; 0 if the start itself did.
        hop: usize,
        /// How often its limits were tightened before.
        round: usize,
        /// The audit.
        audit: &'a Audit,
    },
}

impl Gait {
    /// Solves the problem from each of `starts`, hops from the cheapest optima, audits the cheapest, and goes on
    /// until one passes. `observe` stops the search by returning false.
    pub fn search(
        &self,
        starts: &[Guess],
        options: &GaitOptions,
        observe: &mut dyn FnMut(GaitEvent<'_>) -> bool,
    ) -> Result<GaitSearch, ControlError> {
        let (problem, lift_off) = (self.problem()?, self.lift_off());
        let run = Run::new(options);
        let mut found = match starts {
            [only] => self.solve_only(&problem, only, &run, observe),
            _ => self.solve_all(&problem, starts, &run, observe),
        };
        if let (Some(solver), false) = (&options.otherwise, found.has_optimum() || found.is_stopped || run.is_over()) {
            let mut again = options.clone();
            again.solve.solver = solver.clone();
            found = self.solve_all(&problem, starts, &run.with(&again), observe);
        }
        found.candidates.sort_by(order);
        hop(&problem, &mut found, &run, observe);
        found.candidates.sort_by(order);
        let (mut judged, mut best) = (f64::NEG_INFINITY, f64::INFINITY);
        for candidate in &mut found.candidates {
            // The same optimum from another start meets the same audit.
            if candidate.cost() - judged < SAME * candidate.cost().abs() {
                continue;
            }
            // When the time is over, one is looked at.
            if run.is_over() && judged > f64::NEG_INFINITY {
                break;
            }
            // Tightened limits may have made the best one dearer than those that follow.
            if candidate.cost() >= best {
                break;
            }
            if found.is_stopped || !options.is_audited || !candidate.solution.outcome.status.is_success() {
                break;
            }
            judged = candidate.cost();
            match settle((&problem, &lift_off), candidate, &run, observe) {
                Ok(goes_on) => found.is_stopped |= !goes_on,
                Err(error) => found.failures.push((candidate.start, error)),
            }
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
}

impl GaitSearch {
    /// True if something converged.
    fn has_optimum(&self) -> bool {
        self.candidates.iter().any(|candidate| candidate.solution.outcome.status.is_success())
    }

    /// Takes what a start led to; false if the search shall end.
    pub(super) fn take(
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
                self.candidates.push(GaitCandidate { start, hops: 0, problem, solution, audit, rounds: 0 });
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
    let (a, b) = ((a.rank(), (a.start, a.hops)), (b.rank(), (b.start, b.hops)));
    let costs = a.0.2.total_cmp(&b.0.2);
    (a.0.0, a.0.1).cmp(&(b.0.0, b.0.1)).then(costs).then(a.1.cmp(&b.1))
}
