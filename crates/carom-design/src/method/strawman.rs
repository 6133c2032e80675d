//! The strawman of Serafini, as chapter 5.3 of the thesis uses it.
//!
//! ```text
//! two samples;   repeat   s = cubic spline through the samples,   sample at the minimum of s
//! until          a sample changes the smallest cost by less than 1e-5 percent
//! ```
//!
//! The thesis does not say what the spline does outside of the samples, nor which end conditions it has. Here it is the natural one,
//! which goes on as its tangents: two samples make a line, whose minimum lies at a bound of the range, and a bound
//! that was sampled is a sample like others. A sample beyond all others widens the spline, and tells nothing about convergence; a
//! minimum that is a sample already would change nothing, and ends the search. So does, by the criterion of the thesis, the first
//! sample that is no better than the others, also if the spline is still a bad one: it is a strawman.
//! A sample that failed is left out of the spline; the design half-way from it to the best sample is asked for instead.
//! One variable alone: splines have no simple counterpart for several, for which `kriging` and `smf` are there.

use super::{End, Method, SAME, known};
use crate::error::DesignError;
use crate::evaluator::{Evaluator, Halt};
use crate::shares::share;
use crate::study::Study;
use crate::surrogate::CubicSpline;

/// Change of the smallest cost that ends the search: 1e-5 percent.
const TOLERANCE: f64 = 1e-7;
/// The two samples, as shares of the range, if none are given.
const INITIAL: [f64; 2] = [1.0 / 3.0, 2.0 / 3.0];
/// How often a sample that failed is replaced by one closer to the best, in a row.
const RETREATS: usize = 8;

/// Samples at the minimum of a cubic spline.
#[derive(Clone, Copy, Debug)]
pub struct Strawman;

impl Method for Strawman {
    fn name(&self) -> &'static str {
        "strawman"
    }

    fn summary(&self) -> &'static str {
        "samples at the minimum of the cubic spline through all samples; one variable (thesis 5.3)"
    }

    fn search(&self, study: &Study, evaluator: &mut Evaluator<'_>) -> Result<End, Halt> {
        if study.variables.len() != 1 {
            let (count, instead) = (study.variables.len(), "`kriging` or `smf`");
            return Err(DesignError::OneVariable { method: "strawman", count, instead }.into());
        }
        let initial = match study.options.designs.is_empty() {
            true => INITIAL.iter().map(|&share| vec![share]).collect(),
            false => super::initial(study, 2),
        };
        evaluator.batch("initial", &initial)?;
        let tolerance = study.options.tolerance.unwrap_or(TOLERANCE);
        loop {
            let (points, costs) = known(study, evaluator.samples());
            let points: Vec<[f64; 2]> = points.iter().zip(&costs).map(|(point, &cost)| [point[0], cost]).collect();
            let (Some(spline), Some(best)) = (CubicSpline::new(&points), evaluator.best().cloned()) else {
                return Ok(End::stalled("a spline takes two samples that do not fail; give others as `initial`"));
            };
            let (before, at) = (best.cost.unwrap_or(f64::INFINITY), spline.minimiser(0.0, 1.0));
            if points.iter().any(|point| (point[0] - at).abs() < SAME) {
                return Ok(End::converged("the minimum of the spline is a sample already"));
            }
            let Some(cost) = sample(evaluator, at, share(study, &best.design)[0])? else {
                return Ok(End::stalled("evaluations fail on the way to the minimum of the spline"));
            };
            let change = (before - cost.min(before)) / before.abs();
            let is_between = points.iter().any(|point| point[0] < at) && points.iter().any(|point| point[0] > at);
            if change < tolerance && is_between {
                let percent = 100.0 * tolerance;
                return Ok(End::converged(format!(
                    "the last sample changed the smallest cost by less than {percent:.0e} %"
                )));
            }
        }
    }
}

/// A cost at `at`, or on the way from there to the best sample; nothing if all of them fail.
fn sample(evaluator: &mut Evaluator<'_>, mut at: f64, best: f64) -> Result<Option<f64>, Halt> {
    for _ in 0..RETREATS {
        let found = evaluator.one("minimum of the spline", &[at])?;
        if found.cost.is_some() {
            return Ok(found.cost);
        }
        at = 0.5 * (at + best);
    }
    Ok(None)
}
