//! The mesh ladder: the same problem on finer and finer meshes, until its optimal cost is known well enough.
//!
//! ```text
//! J_r - J = C D_r + ...           D_r: sum of the defects of all intervals of round r, measured by the replay
//! error of J_r = (J_(r-1) - J_r) theta / (1 - theta)
//! ```
//!
//! with `theta = D_r / D_(r-1)`, and not less than `2^-p` for the declared order `p` of the transcription if every
//! interval was halved (Richardson). Costs may converge more slowly than defects, where inequalities begin to hold: then the
//! order is that of the last three meshes (`estimate`). Intervals are divided whose defect is above its share, and
//! each round begins from the solution of the one before.
//!
//! A rule that is symmetric has an expansion in even powers of `h`. If the ladder is told to extrapolate, it halves all
//! intervals and eliminates one power after the other (Romberg):
//!
//! ```text
//! T_(r,0) = J_r,   T_(r,m) = T_(r,m-1) + (T_(r,m-1) - T_(r-1,m-1)) / (2^(p + 2(m-1)) - 1)
//! ```

mod estimate;
mod mesh;
mod transfer;

use crate::error::ControlError;
use crate::guess::Guess;
use crate::problem::{ControlProblem, Phase};
use crate::replay::{ReplayOptions, replay};
use crate::solution::Solution;
use crate::solve::{SolveOptions, solve_with};
use crate::transcription::transcription;
use carom_nlp::{Multipliers, Observer, Options, Status};
use estimate::Romberg;
use transfer::Names;
pub(crate) use transfer::{hermite, phase_guess};

/// Relative change of the cost from one mesh to the next that speaks of another optimum.
const ANOTHER: f64 = 0.5;
/// Multipliers of bounds that act, in parts of the largest multiplier.
const ACTING: f64 = 1e-6;

/// How far a ladder goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LadderOptions {
    /// Error of the optimal cost that is asked for.
    pub accuracy: f64,
    /// Most intervals of all phases together.
    pub max_intervals: usize,
    /// Most meshes.
    pub max_rounds: usize,
    /// True if the extrapolated cost is what must be accurate: all intervals are halved in every round.
    pub extrapolate: bool,
    /// True if multipliers are handed over to the next mesh, besides the motion: about half of the iterations are saved.
    /// Collocation gets the motion alone.
    pub warm: bool,
    /// How solutions are replayed.
    pub replay: ReplayOptions,
}

impl Default for LadderOptions {
    fn default() -> Self {
        Self {
            accuracy: 1e-6,
            max_intervals: 20_000,
            max_rounds: 12,
            extrapolate: false,
            warm: true,
            replay: ReplayOptions::default(),
        }
    }
}

/// One mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rung {
    /// Intervals of all phases.
    pub intervals: usize,
    /// The optimal cost.
    pub cost: f64,
    /// Its estimated error; absent at first.
    pub error: Option<f64>,
    /// The cost without the errors that are known by their order.
    pub extrapolated: f64,
    /// Change of the extrapolated cost against the mesh before.
    pub extrapolated_error: Option<f64>,
    /// Largest defect of an interval, in parts of the size of the motion.
    pub largest_defect: f64,
    /// Sum of the defects.
    pub total_defect: f64,
    /// Iterations of the solver.
    pub iterations: usize,
    /// Seconds of deriving, solving and replaying.
    pub seconds: f64,
    /// True if the solver converged.
    pub is_solved: bool,
}

/// Why a ladder ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LadderEnd {
    /// The cost is as accurate as was asked for.
    Accurate,
    /// The solver did not converge on the last mesh.
    NotSolved,
    /// The next mesh would have too many intervals.
    IntervalLimit,
    /// As many meshes as allowed.
    RoundLimit,
}

/// All meshes of a problem.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// One per mesh.
    pub rungs: Vec<Rung>,
    /// The solution on the finest mesh that was solved; on the first one if none was.
    pub solution: Solution,
    /// The problem with that mesh.
    pub problem: ControlProblem,
    /// Why it ended.
    pub end: LadderEnd,
}

impl Ladder {
    /// The best value of the optimal cost.
    pub fn extrapolated(&self) -> f64 {
        self.rungs.iter().rfind(|rung| rung.is_solved).map_or(f64::NAN, |rung| rung.extrapolated)
    }
}

/// Solves on finer and finer meshes until the optimal cost is known to `ladder.accuracy`.
pub fn solve_to_accuracy(
    problem: &ControlProblem,
    guess: &Guess,
    options: &SolveOptions,
    ladder: &LadderOptions,
    observe: &mut Observer<'_>,
) -> Result<Ladder, ControlError> {
    let order = transcription(&options.transcription)?.order();
    let phases: Vec<String> = problem.phases.iter().map(|phase| phase.name.clone()).collect();
    let (mut problem, mut guess) = (problem.clone(), guess.clone());
    let (mut rungs, mut handed): (Vec<Rung>, Option<(Names, Multipliers)>) = (Vec::new(), None);
    let mut history = Romberg::new(order);
    // The first step halves everything: it tells what the order is worth here.
    let (mut is_halved, mut confirms) = (true, false);
    let mut best: Option<(ControlProblem, Solution)> = None;
    loop {
        let clock = std::time::Instant::now();
        let mut names = None;
        let mut warm = |transcript: &crate::Transcript| {
            let new = Names::new(transcript, &phases);
            let old = handed.as_ref().filter(|_| ladder.warm);
            let multipliers = old.and_then(|(old, multipliers)| old.transfer(multipliers, &new));
            names = Some(new);
            multipliers
        };
        // On a finer mesh the search begins at a solution: a second solver, from elsewhere, would find another one.
        let solver = if handed.is_some() && options.solver == "automatic" { "interior" } else { &options.solver };
        let options = &SolveOptions { solver: solver.to_owned(), ..options.clone() };
        let mut solution = solve_with(&problem, &guess, options, &mut warm, observe)?;
        if handed.is_some() && ladder.warm {
            // Multipliers of another mesh may mislead; the motion alone does so less, with a small barrier first.
            let before = rungs.last().map(|rung: &Rung| rung.cost);
            for near in [true, false] {
                if solution.outcome.status == Status::Stopped || stays(&solution, before) {
                    break;
                }
                let options = SolveOptions { nlp: Options { near, ..options.nlp.clone() }, ..options.clone() };
                let other = solve_with(&problem, &guess, &options, &mut |_| None, observe)?;
                if !solution.outcome.status.is_success() || stays(&other, before) {
                    solution = other;
                }
            }
        }
        let is_solved = solution.outcome.status.is_success();
        let replay = replay(&problem, &solution, &ladder.replay)?;
        let defects = mesh::defects(&replay);
        let mut rung = Rung {
            intervals: mesh::count(&problem),
            cost: solution.outcome.objective,
            extrapolated: solution.outcome.objective,
            largest_defect: defects.iter().flatten().copied().fold(0.0, f64::max),
            total_defect: defects.iter().flatten().sum(),
            iterations: solution.outcome.statistics.iterations,
            is_solved,
            ..Rung::default()
        };
        let is_told = is_solved && history.estimate(&mut rung, &rungs, is_halved);
        if let (true, Some(before)) = (confirms, rungs.last()) {
            rung.error = Some((rung.cost - before.cost).abs());
        }
        rung.seconds = clock.elapsed().as_secs_f64();
        let reached = if ladder.extrapolate { rung.extrapolated_error } else { rung.error };
        rungs.push(rung);
        if !is_solved {
            let (problem, solution) = best.unwrap_or((problem, solution));
            return Ok(Ladder { rungs, solution, problem, end: LadderEnd::NotSolved });
        }
        let is_accurate = reached.is_some_and(|error| error <= ladder.accuracy);
        // Where an inequality begins to act within an interval, defects do not show it: half the intervals do.
        let is_confirmed = confirms || is_halved || !has_inequalities(&problem, &solution);
        if is_accurate && is_confirmed {
            return Ok(Ladder { rungs, solution, problem, end: LadderEnd::Accurate });
        }
        confirms = is_accurate;
        if rungs.len() >= ladder.max_rounds {
            return Ok(Ladder { rungs, solution, problem, end: LadderEnd::RoundLimit });
        }
        // Where defects tell nothing, everything is halved.
        let finer = match reached.filter(|_| is_told && !ladder.extrapolate && !confirms) {
            Some(error) => mesh::refine(&problem, &defects, ladder.accuracy / error, order),
            None => None,
        };
        is_halved = finer.is_none();
        let finer = finer.unwrap_or_else(|| mesh::halve(&problem));
        if mesh::count(&finer) > ladder.max_intervals {
            return Ok(Ladder { rungs, solution, problem, end: LadderEnd::IntervalLimit });
        }
        guess = solution.guess();
        handed = names.map(|names| (names, solution.outcome.multipliers.clone()));
        best = Some((std::mem::replace(&mut problem, finer), solution));
    }
}

/// True for a success that is not another optimum than that of the mesh before.
fn stays(solution: &Solution, before: Option<f64>) -> bool {
    let near = |cost: f64| (solution.outcome.objective - cost).abs() <= ANOTHER * cost.abs().max(1.0);
    solution.outcome.status.is_success() && before.is_none_or(near)
}

/// True if conditions along the way may act on parts of it, or bounds do.
fn has_inequalities(problem: &ControlProblem, solution: &Solution) -> bool {
    let conditions = |phase: &Phase| phase.path.iter().any(|path| !path.condition.range.is_fixed());
    let multipliers = &solution.outcome.multipliers;
    let size = multipliers.rows.iter().fold(1.0_f64, |size, y| size.max(y.abs()));
    let acts = |z: &f64| *z > ACTING * size;
    problem.phases.iter().any(conditions) || multipliers.lower.iter().chain(&multipliers.upper).any(acts)
}
