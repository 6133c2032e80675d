//! The surrogate management framework (Booker, Dennis, Frank, Serafini, Torczon, Trosset 1999): thesis 5.2.
//!
//! ```text
//! initial design;   repeat, on a mesh around the best sample:
//!   search:   sample at the minimum of the surrogate, moved to the mesh;      better?  once more
//!   poll:     sample the neighbours of the best sample on the mesh;           better?  go there
//!   otherwise the mesh is made twice as fine                                  until it is fine enough
//! ```
//!
//! The poll makes it converge to a local minimum of a smooth cost, however bad the surrogate may be (Torczon 1997); the search
//! makes it quick. All neighbours of a poll are evaluated, in parallel. A sample that fails is no improvement.

use super::{End, Method, SAME, distance, known, process};
use crate::evaluator::{Evaluator, Halt};
use crate::shares::share;
use crate::study::{Sample, Study};
use crate::surrogate::{Compass, compass};

/// Surrogate and pattern search.
#[derive(Clone, Copy, Debug)]
pub struct Smf;

impl Method for Smf {
    fn name(&self) -> &'static str {
        "smf"
    }

    fn summary(&self) -> &'static str {
        "surrogate management framework: search steps on a Gaussian process, polls of a pattern search (thesis 5.2)"
    }

    fn search(&self, study: &Study, evaluator: &mut Evaluator<'_>) -> Result<End, Halt> {
        evaluator.batch("initial", &super::initial(study, study.variables.len() + 1))?;
        let mut mesh = study.options.mesh;
        while mesh >= study.options.finest {
            let Some(best) = evaluator.best().cloned() else {
                return Ok(End::stalled("no initial sample succeeded; give others as `initial`"));
            };
            let here = share(study, &best.design);
            if let Some(at) = proposal(study, evaluator.samples(), &here, mesh) {
                evaluator.one("search", &at)?;
                if is_better(evaluator, &best) {
                    continue;
                }
            }
            let neighbours = neighbours(study, evaluator.samples(), &here, mesh);
            evaluator.batch("poll", &neighbours)?;
            if !is_better(evaluator, &best) {
                mesh *= 0.5;
            }
        }
        Ok(End::converged(format!("no neighbour is better at {mesh:.1e} of the ranges", mesh = 2.0 * mesh)))
    }
}

fn is_better(evaluator: &Evaluator<'_>, before: &Sample) -> bool {
    evaluator.best().is_some_and(|best| best.number != before.number)
}

/// The minimum of the surrogate on the mesh around `here`; nothing if it was sampled already.
fn proposal(study: &Study, samples: &[Sample], here: &[f64], mesh: f64) -> Option<Vec<f64>> {
    let process = process(study, samples)?;
    let (points, costs) = known(study, samples);
    let (lower, upper) = (vec![0.0; here.len()], vec![1.0; here.len()]);
    let wanted = Compass { lower: &lower, upper: &upper, step: 0.1, finest: 1e-5, limit: 400 * here.len() };
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| costs[a].total_cmp(&costs[b]));
    let mut cost = |x: &[f64]| process.predict(x).mean;
    let found = order.iter().take(4).map(|&start| compass(&mut cost, &points[start], &wanted));
    let (found, _) = found.reduce(|a, b| if b.1 < a.1 { b } else { a })?;
    let onto = |(x, base): (&f64, &f64)| (base + ((x - base) / mesh).round() * mesh).clamp(0.0, 1.0);
    let at: Vec<f64> = found.iter().zip(here).map(onto).collect();
    is_new(study, samples, &at).then_some(at)
}

/// The neighbours on the mesh that were not sampled yet.
fn neighbours(study: &Study, samples: &[Sample], here: &[f64], mesh: f64) -> Vec<Vec<f64>> {
    let mut found: Vec<Vec<f64>> = Vec::new();
    for axis in 0..here.len() {
        for sign in [1.0, -1.0] {
            let mut at = here.to_vec();
            at[axis] = (at[axis] + sign * mesh).clamp(0.0, 1.0);
            let is_other = found.iter().all(|other| distance(other, &at) >= SAME);
            if is_other && is_new(study, samples, &at) {
                found.push(at);
            }
        }
    }
    found
}

fn is_new(study: &Study, samples: &[Sample], at: &[f64]) -> bool {
    samples.iter().all(|sample| distance(&share(study, &sample.design), at) >= SAME)
}
