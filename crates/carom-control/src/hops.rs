//! Hops: from a local optimum to others, the cheapest of which are kept.
//!
//! Absolute work, contacts and limits of joints give a problem very many local optima, and a start leads to one of
//! them by chance. Most have cheaper neighbours (basin hopping: Wales and Doye, J. Phys. Chem. A 101, 1997).
//!
//! ```text
//! x          an optimum
//! y          x, changed at random:   not at all, one time in five
//!                                    some coordinates, by bumps  a (4 s (1 - s))^2 exp(-((s - c)/w)^2)
//!                                    solved with another weight of one of the costs
//!                                    solved on another mesh
//! z          solved near y, with a first barrier between 1e-6 and 1e-4: the larger, the farther it strays
//! x <- z     if f(z) < f(x) (1 + e),     e exponentially distributed with mean 0.005
//! ```
//!
//! What comes out is no proof: nobody knows whether there is a better one.

use crate::error::ControlError;
use crate::guess::{Guess, PhaseGuess};
use crate::problem::ControlProblem;
use crate::solution::Solution;
use crate::solve::{SolveOptions, solve};
use carom_model::Random;
use carom_nlp::Observer;

/// How much dearer an optimum may be from which it goes on, relatively: the mean of an exponential distribution.
const SLACK: f64 = 5e-3;
/// Optima whose costs differ by less than this, relatively, are not worth keeping both.
const SAME: f64 = 1e-5;
/// Iterations after which a hop has lost its way.
const ITERATIONS: usize = 400;
/// Decimal logarithms of the first barrier of a hop: the least, and how many more at most.
const BARRIER: [f64; 2] = [-6.0, 2.0];
/// Costs are weighed up to this many powers of ten more or less.
const WEIGHT: f64 = 0.8;
/// Most bumps of a hop, and their widths: shares of the duration.
const BUMPS: f64 = 3.0;
const WIDTH: [f64; 2] = [0.01, 0.2];
/// Optima that are kept beside the best one, for the case that it fails its audit.
const KEPT: usize = 4;

/// Hops from an optimum.
pub struct Hopper<'a> {
    problem: &'a ControlProblem,
    options: SolveOptions,
    spread: f64,
    random: Random,
    current: Solution,
    found: Vec<(usize, Solution)>,
    hops: usize,
}

impl<'a> Hopper<'a> {
    /// Begins at an optimum of `problem`. Bumps are about a quarter of `spread` high, in the units of the coordinates.
    pub fn new(problem: &'a ControlProblem, from: Solution, options: &SolveOptions, spread: f64, seed: u64) -> Self {
        // A hop that fails is another one's chance: no solver stands behind the first.
        let mut options = SolveOptions { solver: "interior".to_owned(), ..options.clone() };
        options.nlp.max_iterations = options.nlp.max_iterations.min(ITERATIONS);
        options.nlp.near = true;
        Self { problem, options, spread, random: Random(seed), current: from, found: Vec::new(), hops: 0 }
    }

    /// One hop: the cost of the optimum that it led to, if it led to one.
    pub fn hop(&mut self, observe: &mut Observer<'_>) -> Result<Option<f64>, ControlError> {
        self.hops += 1;
        let barrier = 10_f64.powf(BARRIER[0] + BARRIER[1] * self.share());
        let Some(guess) = self.changed(observe)? else { return Ok(None) };
        let Some(solution) = self.solve(self.problem, &guess, barrier, observe)? else { return Ok(None) };
        let (cost, before) = (solution.outcome.objective, self.current.outcome.objective);
        let allowed = -SLACK * (1.0 - self.share()).max(f64::MIN_POSITIVE).ln();
        if cost - before < allowed * before.abs() {
            self.current = solution.clone();
        }
        self.keep(solution);
        Ok(Some(cost))
    }

    /// The cheapest optima that were found, each with the number of its hop, the cheapest first.
    pub fn found(self) -> Vec<(usize, Solution)> {
        self.found
    }

    /// A change of the motion where it is now; nothing if it led nowhere.
    fn changed(&mut self, observe: &mut Observer<'_>) -> Result<Option<Guess>, ControlError> {
        let guess = self.current.guess();
        let other = match (self.share() * 5.0) as usize {
            0 => return Ok(Some(guess)),
            1 | 2 => return Ok(Some(self.bent(guess))),
            3 => self.weighed(),
            _ => self.remeshed(),
        };
        let Some(other) = other else { return Ok(Some(self.bent(guess))) };
        let barrier = 10_f64.powf(BARRIER[0] + BARRIER[1] * self.share());
        Ok(self.solve(&other, &guess, barrier, observe)?.map(|solution| solution.guess()))
    }

    /// Bumps of coordinates that move.
    fn bent(&mut self, mut guess: Guess) -> Guess {
        let count = 1 + (BUMPS * self.share()) as usize;
        for _ in 0..count {
            let phase = ((guess.phases.len() as f64 * self.share()) as usize).min(guess.phases.len() - 1);
            let moving = moving(&guess.phases[phase]);
            if moving.is_empty() {
                continue;
            }
            let joint = moving[((moving.len() as f64 * self.share()) as usize).min(moving.len() - 1)];
            // Most bumps are narrow.
            let (center, narrow) = (self.share(), self.share());
            let width = WIDTH[0] + WIDTH[1] * narrow * narrow;
            let height = 0.25 * self.spread * (self.random.next() + self.random.next());
            bump(&mut guess.phases[phase], joint, [center, width, height]);
        }
        guess
    }

    /// The problem with another weight of one of its costs, if it has several.
    fn weighed(&mut self) -> Option<ControlProblem> {
        let count = self.problem.costs.len();
        let (which, power) = ((count as f64 * self.share()) as usize, WEIGHT * self.random.next());
        let mut problem = self.problem.clone();
        problem.costs.get_mut(which).filter(|_| count > 1)?.weight *= 10_f64.powf(power);
        Some(problem)
    }

    /// The problem on a mesh of 3/4 to 3/2 as many intervals.
    fn remeshed(&mut self) -> Option<ControlProblem> {
        let factor = 0.75 * 2_f64.powf(self.share());
        let mut problem = self.problem.clone();
        for phase in &mut problem.phases {
            if !phase.shares.is_empty() {
                return None;
            }
            phase.intervals = ((phase.intervals as f64 * factor) as usize).max(1);
        }
        Some(problem)
    }

    fn solve(
        &self,
        problem: &ControlProblem,
        guess: &Guess,
        barrier: f64,
        observe: &mut Observer<'_>,
    ) -> Result<Option<Solution>, ControlError> {
        let mut options = self.options.clone();
        options.nlp.barrier = Some(barrier);
        let solution = solve(problem, guess, &options, observe)?;
        Ok(Some(solution).filter(|found| found.outcome.status.is_success() && found.outcome.objective.is_finite()))
    }

    /// Keeps an optimum if it is among the cheapest, and new.
    fn keep(&mut self, solution: Solution) {
        let cost = |own: &(usize, Solution)| own.1.outcome.objective;
        let new = (self.hops, solution);
        if self.found.iter().all(|own| (cost(own) - cost(&new)).abs() > SAME * cost(own).abs()) {
            self.found.push(new);
            self.found.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
            self.found.truncate(1 + KEPT);
        }
    }

    /// A number in [0, 1].
    fn share(&mut self) -> f64 {
        0.5 + 0.5 * self.random.next()
    }
}

/// Coordinates that move.
fn moving(phase: &PhaseGuess) -> Vec<usize> {
    let Some(first) = phase.q.first() else { return Vec::new() };
    let moves = |i: &usize| phase.q.iter().any(|q| (q[*i] - first[*i]).abs() > 1e-9);
    (0..first.len()).filter(moves).collect()
}

/// Adds `height (4 s (1 - s))^2 exp(-((s - center)/width)^2)` to a
/// coordinate, and its rate: both ends stay as they are.
fn bump(phase: &mut PhaseGuess, joint: usize, [center, width, height]: [f64; 3]) {
    let duration = phase.duration;
    for (k, &s) in phase.times.iter().enumerate() {
        let (z, edge) = ((s - center) / width, 4.0 * s * (1.0 - s));
        let bell = height * (-z * z).exp();
        phase.q[k][joint] += edge * edge * bell;
        if let Some(v) = phase.v.get_mut(k) {
            let slope = 8.0 * edge * (1.0 - 2.0 * s) - 2.0 * edge * edge * z / width;
            v[joint] += slope * bell / duration;
        }
    }
}

#[cfg(test)]
mod tests;
