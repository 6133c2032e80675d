//! Efficient global optimisation (Jones, Schonlau, Welch 1998): a Gaussian process, and samples where it promises most.
//!
//! ```text
//! Latin hypercube of n + 1 designs for n variables, at least 4
//! repeat   fit the process,   x = argmax EI,   sample at x
//! until   max EI < tolerance |best|
//! ```
//!
//! An improvement that is expected close to the best sample only sharpens what is known; one that is expected elsewhere may be a
//! surprise. Expected improvement weighs both. Samples that failed are left out of the process, and
//! their surroundings are avoided: there the improvement is multiplied by `1 - exp(-d^2/(2 r^2))`, `d` the distance to the failure as a
//! share of the ranges and `r` = 0.1.

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
        evaluator.batch("initial", &super::initial(study, (dimension + 1).max(4)))?;
        let tolerance = study.options.tolerance.unwrap_or(TOLERANCE);
        loop {
            let Some(process) = process(study, evaluator.samples()) else {
                return Ok(End::stalled("no initial sample succeeded; widen `initial`, or look at why they fail"));
            };
            let best = evaluator.best().and_then(|sample| sample.cost).unwrap_or(f64::INFINITY);
            let (points, _) = known(study, evaluator.samples());
            let failed = failed(study, evaluator.samples());
            let (at, improvement) =
                promise(&process, best, &points, &failed, study.seed + evaluator.samples().len() as u64);
            if improvement < tolerance * best.abs() || points.iter().any(|point| super::distance(point, &at) < SAME) {
                return Ok(End::converged(format!("the largest expected improvement is {improvement:.1e}")));
            }
            evaluator.one("improvement", &at)?;
        }
    }
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
    let (lower, upper) = (vec![0.0; dimension], vec![1.0; dimension]);
    let wanted = Compass { lower: &lower, upper: &upper, step: 0.05, finest: 1e-6, limit: 400 * dimension };
    let found = ranked.iter().map(|(_, start)| compass(&mut cost, start, &wanted));
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
