//! The largest value seen, and the search for larger ones.
//!
//! Hooke and Jeeves' pattern search ("Direct search" solution of numerical and statistical problems, J. ACM 8,
//! 1961): steps along each variable, then once more the way they led together; shorter steps if none helps. It
//! needs no derivatives, so kinks and jumps do not stop it, and near a smooth maximum the value is as good as the
//! square of the step.

use super::region::{Region, inside, is_bounded};
use crate::compile::{Backend, Evaluator, Function, FunctionError, Group};
use crate::graph::{Graph, Id};
use crate::interval::Interval;

/// Along sides without an end, points are looked for up to 2 to this power; bounds hold further out.
const DOUBLINGS: i32 = 30;
/// Rounds of a climb. Fifty halvings find a maximum in the box, the others follow a ridge.
const MAX_ROUNDS: usize = 150;
/// Steps below this part of the first one, or of the point, change nothing: at a kink the value is only as good as
/// the step.
const SHORTEST: f64 = 1e-15;

pub(super) struct Peak {
    /// The largest value; minus infinity before there is one.
    pub(super) value: f64,
    /// Where it was seen.
    pub(super) at: Vec<f64>,
    evaluator: Evaluator,
    /// Where points are looked for.
    reach: Region,
    domain: Region,
}

impl Peak {
    pub(super) fn new(graph: &Graph, f: Id, variables: &[Id], domain: &Region) -> Result<Self, FunctionError> {
        let (inputs, outputs) = ([Group::new("x", variables)], [f]);
        let function = Function::compile(graph, &inputs, &[Group::new("f", &outputs)], Backend::Interpreter)?;
        Ok(Self {
            value: f64::NEG_INFINITY,
            at: Vec::new(),
            evaluator: function.evaluator(),
            reach: domain.iter().map(|&side| reach(side)).collect(),
            domain: domain.clone(),
        })
    }

    /// Looks at a point; true if its value is the largest. Undefined and infinite values are passed over.
    fn visit(&mut self, mut point: Vec<f64>) -> bool {
        for (x, reach) in point.iter_mut().zip(&self.reach) {
            *x = x.clamp(reach.lo, reach.hi);
        }
        let mut value = [f64::NAN];
        self.evaluator.eval(&point, &mut value);
        let larger = value[0].is_finite() && value[0] > self.value;
        if larger {
            (self.value, self.at) = (value[0], point);
        }
        larger
    }

    /// Looks at a point well inside a box.
    pub(super) fn visit_inside(&mut self, region: &Region) -> bool {
        self.visit(region.iter().map(|&side| inside(side)).collect())
    }

    /// Looks for larger values near the best point, with first steps as wide as the box.
    pub(super) fn climb(&mut self, region: &Region) {
        let widths = region.iter().zip(&self.at).map(|(&side, x)| match is_bounded(side) {
            true => 0.5 * side.width(),
            false => 0.5 * x.abs().max(1.0),
        });
        let mut steps: Vec<f64> = widths.collect();
        let shortest: Vec<f64> = steps.iter().zip(&self.at).map(|(s, x)| SHORTEST * s.max(x.abs())).collect();
        for _ in 0..MAX_ROUNDS {
            let before = self.at.clone();
            if self.step_along_each(&steps) {
                // Once more the same way.
                self.visit(self.at.iter().zip(&before).map(|(x, before)| 2.0 * x - before).collect());
                continue;
            }
            steps.iter_mut().for_each(|step| *step *= 0.5);
            if steps.iter().zip(&shortest).all(|(step, shortest)| step <= shortest) {
                break;
            }
        }
    }

    /// A step forwards or backwards along each variable; true if one of them led higher.
    fn step_along_each(&mut self, steps: &[f64]) -> bool {
        let mut higher = false;
        for (i, &step) in steps.iter().enumerate().filter(|(_, step)| **step > 0.0) {
            let moved = |at: &[f64], step: f64| {
                let mut point = at.to_vec();
                point[i] += step;
                point
            };
            higher |= self.visit(moved(&self.at, step)) || self.visit(moved(&self.at, -step));
        }
        higher
    }

    /// Follows the sides that have no end outwards, in doubling steps.
    pub(super) fn grow(&mut self) {
        let domain = self.domain.clone();
        let start =
            if self.at.is_empty() { domain.iter().map(|&side| inside(side)).collect() } else { self.at.clone() };
        let before = self.value;
        for i in (0..domain.len()).filter(|&i| !is_bounded(domain[i])) {
            for distance in (0..=DOUBLINGS).flat_map(|k| [2.0_f64.powi(k), -(2.0_f64.powi(k))]) {
                let mut point = start.clone();
                point[i] = distance;
                self.visit(point);
            }
        }
        if self.value > before {
            // The function may vary quickly out there: steps of order one find a crest.
            let near = |&x: &f64| Interval::new(x - 1.0, x + 1.0);
            self.climb(&self.at.iter().map(near).collect());
        }
    }
}

/// The part of a side where points are looked for.
fn reach(side: Interval) -> Interval {
    let far = 2.0_f64.powi(DOUBLINGS);
    // A domain that begins beyond has some room, too.
    let hi = if side.hi.is_finite() { side.hi } else { far.max(2.0 * side.lo).min(f64::MAX) };
    let lo = if side.lo.is_finite() { side.lo } else { (-far).min(2.0 * side.hi).max(f64::MIN) };
    Interval { lo, hi }
}
