//! Efficient global optimisation (Jones, Schonlau, Welch 1998): a Gaussian process, and samples where it promises most.
//!
//! ```text
//! Latin hypercube of max(n + 1, 5) designs for n variables
//! repeat   fit the process,   x = argmax EI,   sample at x
//!          from 2 (n + 1) samples on also at the minimum of the process, after each of these
//! until   max EI < tolerance max(|best|, spread/100)                    spread: largest minus smallest cost
//! ```
//!
//! An improvement that is expected close to the best sample only sharpens what is known; one that is expected elsewhere may be a
//! surprise. Expected improvement weighs both. Where the minimum is flat it goes on looking elsewhere for long; the samples at the
//! minimum of the process settle what is near meanwhile. They are left out within a thousandth of the ranges of a known sample.
//!
//! There are few initial designs: what the process asks for tells more than what is drawn. Samples that failed are left out of the
//! process, and their surroundings are avoided: there the improvement is multiplied by `1 - exp(-d^2/(2 r^2))`, `d` the distance to
//! the failure as a share of the ranges and `r` = 0.1.

use super::{End, Method, SAME, failed, known, process};
use crate::evaluator::{Evaluator, Halt};
use crate::study::Study;
use crate::surrogate::{Compass, Process, compass, expected_improvement, latin_hypercube, log_expected_improvement};

/// Expected improvement that is not worth an evaluation, as a share of the best cost.
const TOLERANCE: f64 = 1e-4;
/// Points at which the improvement is looked at first, per variable.
const CANDIDATES: usize = 300;
/// The best of them are searched from.
const STARTS: usize = 6;
/// Samples per variable, and once more, from which the minimum of the process is sampled too.
const SETTLED: usize = 2;
/// Distance to a sample below which it is not.
const CLOSE: f64 = 1e-3;
/// Distance to failures that are avoided.
const AVOIDED: f64 = 0.1;

/// Kriging with expected improvement.
#[derive(Clone, Copy, Debug)]
pub struct Kriging;

impl Method for Kriging {
    fn name(&self) -> &'static str {
        "kriging"
    }

    fn summary(&self) -> &'static str {
        "a Gaussian process through all samples; samples where the expected improvement is largest; global"
    }

    fn search(&self, study: &Study, evaluator: &mut Evaluator<'_>) -> Result<End, Halt> {
        let dimension = study.variables.len();
        evaluator.batch("initial", &super::initial(study, super::few(dimension)))?;
        let tolerance = study.options.tolerance.unwrap_or(TOLERANCE);
        loop {
            let Some(process) = process(study, evaluator.samples()) else {
                return Ok(End::stalled("no initial sample succeeded; widen `initial`, or look at why they fail"));
            };
            let best = evaluator.best().and_then(|sample| sample.cost).unwrap_or(f64::INFINITY);
            let (points, costs) = known(study, evaluator.samples());
            let spread = costs.iter().fold(best, |most, cost| most.max(*cost)) - best;
            let failed = failed(study, evaluator.samples());
            let (at, improvement) =
                promise(&process, best, &points, &failed, study.seed.wrapping_add(evaluator.samples().len() as u64));
            if improvement < tolerance * best.abs().max(0.01 * spread)
                || points.iter().any(|point| super::distance(point, &at) < SAME)
            {
                return Ok(End::converged(format!("the largest expected improvement is {improvement:.1e}")));
            }
            evaluator.one("improvement", &at)?;
            if evaluator.samples().len() >= SETTLED * (dimension + 1) {
                settle(study, evaluator)?;
            }
        }
    }
}

/// Samples at the minimum of the process next to the best sample, unless it is known well enough.
fn settle(study: &Study, evaluator: &mut Evaluator<'_>) -> Result<(), Halt> {
    let Some(process) = process(study, evaluator.samples()) else { return Ok(()) };
    let (points, costs) = known(study, evaluator.samples());
    let Some(best) = (0..points.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b])) else { return Ok(()) };
    let (at, _) = search(&mut |x: &[f64]| process.predict(x).mean, &points[best]);
    if points.iter().all(|point| super::distance(point, &at) > CLOSE) {
        evaluator.one("minimum", &at)?;
    }
    Ok(())
}

/// The minimum of a cheap function in the unit cube, next to a point.
fn search(cost: &mut dyn FnMut(&[f64]) -> f64, start: &[f64]) -> (Vec<f64>, f64) {
    let (lower, upper) = (vec![0.0; start.len()], vec![1.0; start.len()]);
    compass(cost, start, &Compass { lower: &lower, upper: &upper, step: 0.05, finest: 1e-6, limit: 400 * start.len() })
}

/// Where the expected improvement is largest, and how large it is.
fn promise(process: &Process, best: f64, points: &[Vec<f64>], failed: &[Vec<f64>], seed: u64) -> (Vec<f64>, f64) {
    let dimension = points.first().map_or(1, Vec::len);
    let mut cost = |x: &[f64]| {
        let avoided: f64 = failed.iter().map(|point| avoidance(x, point).max(f64::MIN_POSITIVE).ln()).sum();
        -log_expected_improvement(process.predict(x), best) - avoided
    };
    // All over the box, and around the samples.
    let mut candidates = latin_hypercube(CANDIDATES * dimension, dimension, seed);
    candidates.extend(points.iter().cloned());
    let mut ranked: Vec<(f64, Vec<f64>)> = candidates.into_iter().map(|x| (cost(&x), x)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked.truncate(STARTS);
    let found = ranked.iter().map(|(_, start)| search(&mut cost, start));
    let found = found.reduce(|a, b| if b.1 < a.1 { b } else { a });
    let at = found.map_or_else(|| vec![0.5; dimension], |found| found.0);
    let improvement = expected_improvement(process.predict(&at), best);
    (at, improvement)
}

/// Zero at a failure, one far from it.
fn avoidance(x: &[f64], failure: &[f64]) -> f64 {
    let d2: f64 = x.iter().zip(failure).map(|(a, b)| (a - b) * (a - b)).sum();
    1.0 - (-0.5 * d2 / (AVOIDED * AVOIDED)).exp()
}
