//! Projected quasi-Newton with the exact derivative of the optimal cost, which the envelope theorem gives for free.
//!
//! ```text
//! d = -H g   over the variables that no bound holds,      x+ = P(x + d)        P: projection onto the ranges
//! H <- BFGS update by  s = x+ - x,  y = g+ - g
//! ```
//!
//! Designs are shares of their ranges. The first step goes a quarter of a range. A step that does not bring a share of the
//! decrease that its slope promises is shortened to the minimum of the cubic through both costs and slopes; one that failed
//! is halved. Where the cost is not convex along a step, `H` is doubled instead of updated.
//!
//! It ends when the quadratic model promises less than `tolerance` times the cost, when the slopes over the ranges are smaller than
//! that, or when bounds hold every variable.

use super::{End, Method, distance};
use crate::error::DesignError;
use crate::evaluator::{Evaluator, Halt};
use crate::shares::share;
use crate::study::{Sample, Study};

/// Decrease that is not worth an evaluation, as a share of the cost.
const TOLERANCE: f64 = 1e-7;
/// Share of the range that the first step goes.
const FIRST: f64 = 0.25;
/// Share of the promised decrease that a step must bring.
const ARMIJO: f64 = 1e-4;
/// Shortest step, as a share of the ranges.
const SHORTEST: f64 = 1e-9;

/// Quasi-Newton steps between bounds.
#[derive(Clone, Copy, Debug)]
pub struct Gradient;

/// A design with its cost and slope, in shares of the ranges.
#[derive(Clone, Debug)]
struct Place {
    x: Vec<f64>,
    cost: f64,
    g: Vec<f64>,
}

impl Method for Gradient {
    fn name(&self) -> &'static str {
        "gradient"
    }

    fn summary(&self) -> &'static str {
        "projected BFGS with the exact derivative of the optimal cost (envelope theorem); a local optimum"
    }

    fn search(&self, study: &Study, evaluator: &mut Evaluator<'_>) -> Result<End, Halt> {
        if !evaluator.objective().has_slopes() {
            let (what, objective) = ("derivatives of the cost", evaluator.objective().kind());
            let instead = "`kriging` or `smf`";
            return Err(DesignError::Missing { method: "gradient", what, objective, instead }.into());
        }
        let first = match study.options.designs.first() {
            Some(design) => design.clone(),
            None => study.variables.iter().map(|variable| variable.first()).collect(),
        };
        let sample = evaluator.one("first", &share(study, &first))?;
        let Some(mut here) = place(study, &sample) else {
            let why = if sample.note.is_empty() { "no derivatives".to_owned() } else { sample.note };
            return Err(DesignError::FirstFailed { method: "gradient", why }.into());
        };
        let tolerance = study.options.tolerance.unwrap_or(TOLERANCE);
        let mut h = Inverse::new(&here);
        loop {
            let free = free(&here);
            if !free.contains(&true) {
                return Ok(End::converged("bounds hold every variable, and the slopes push against them"));
            }
            // A whole range would bring no more than this.
            let slope =
                here.g.iter().zip(&free).filter(|(_, free)| **free).fold(0.0f64, |most, (g, _)| most.max(g.abs()));
            if slope <= tolerance * here.cost.abs() {
                return Ok(End::converged("the slopes vanish"));
            }
            let direction = h.direction(&here.g, &free);
            let promised = -0.5 * dot(&here.g, &direction);
            if h.is_updated && promised < tolerance * here.cost.abs() {
                return Ok(End::converged(format!("a further decrease of {promised:.1e} is expected")));
            }
            let Some(next) = step(study, evaluator, &here, &direction)? else {
                return Ok(End::stalled("no shorter step is better: the costs are not exact enough for more"));
            };
            h.update(&here, &next);
            here = next;
        }
    }
}

/// A sample in shares; nothing if it failed.
fn place(study: &Study, sample: &Sample) -> Option<Place> {
    let cost = sample.cost?;
    if sample.slope.len() != study.variables.len() {
        return None;
    }
    let widths = study.variables.iter().map(|own| own.upper - own.lower);
    let g = sample.slope.iter().zip(widths).map(|(slope, width)| slope * width).collect();
    Some(Place { x: share(study, &sample.design), cost, g })
}

/// Which variables may move: those that no bound holds.
fn free(here: &Place) -> Vec<bool> {
    let is_free = |(x, g): (&f64, &f64)| !(*x <= 0.0 && *g > 0.0 || *x >= 1.0 && *g < 0.0);
    here.x.iter().zip(&here.g).map(is_free).collect()
}

/// A better place along a direction; nothing if there is none.
fn step(study: &Study, evaluator: &mut Evaluator<'_>, here: &Place, direction: &[f64]) -> Result<Option<Place>, Halt> {
    let project = |length: f64| -> Vec<f64> {
        here.x.iter().zip(direction).map(|(x, d)| (x + length * d).clamp(0.0, 1.0)).collect()
    };
    let mut length = 1.0;
    loop {
        let target = project(length);
        if distance(&target, &here.x) < SHORTEST {
            return Ok(None);
        }
        let sample = evaluator.one(if length == 1.0 { "step" } else { "shorter step" }, &target)?;
        let Some(there) = place(study, &sample) else {
            length *= 0.5;
            continue;
        };
        let s: Vec<f64> = there.x.iter().zip(&here.x).map(|(a, b)| a - b).collect();
        let slopes = [dot(&here.g, &s), dot(&there.g, &s)];
        if there.cost <= here.cost + ARMIJO * slopes[0] {
            return Ok(Some(there));
        }
        length *= cubic_minimum([here.cost, there.cost], slopes).clamp(0.1, 0.7);
    }
}

/// Where between 0 and 1 the cubic through two costs and slopes is smallest (Nocedal, Wright, 3.59).
fn cubic_minimum([f0, f1]: [f64; 2], [g0, g1]: [f64; 2]) -> f64 {
    let d1 = g0 + g1 - 3.0 * (f1 - f0);
    let d2 = (d1 * d1 - g0 * g1).max(0.0).sqrt();
    let at = 1.0 - (g1 + d2 - d1) / (g1 - g0 + 2.0 * d2);
    if at.is_finite() { at } else { 0.5 }
}

/// The inverse Hessian.
struct Inverse {
    h: Vec<Vec<f64>>,
    /// True once a step has told something about it.
    is_updated: bool,
}

impl Inverse {
    /// A multiple of the identity, with which the first step goes a share of a range.
    fn new(here: &Place) -> Self {
        let largest = here.g.iter().fold(0.0f64, |largest, g| largest.max(g.abs()));
        let scale = if largest > 0.0 { FIRST / largest } else { 1.0 };
        let n = here.x.len();
        let row = |i: usize| (0..n).map(|j| if i == j { scale } else { 0.0 }).collect();
        Self { h: (0..n).map(row).collect(), is_updated: false }
    }

    /// `-H g` over the free variables.
    fn direction(&self, g: &[f64], free: &[bool]) -> Vec<f64> {
        let masked: Vec<f64> = g.iter().zip(free).map(|(g, free)| if *free { *g } else { 0.0 }).collect();
        let direction = self.h.iter().zip(free).map(|(row, free)| if *free { -dot(row, &masked) } else { 0.0 });
        direction.collect()
    }

    /// BFGS, or twice as far where the cost is not convex.
    fn update(&mut self, here: &Place, next: &Place) {
        let s: Vec<f64> = next.x.iter().zip(&here.x).map(|(a, b)| a - b).collect();
        let y: Vec<f64> = next.g.iter().zip(&here.g).map(|(a, b)| a - b).collect();
        let (sy, n) = (dot(&s, &y), s.len());
        if sy <= 1e-12 * dot(&s, &s).sqrt() * dot(&y, &y).sqrt() {
            self.h.iter_mut().flatten().for_each(|entry| *entry *= 2.0);
            return;
        }
        if !self.is_updated {
            // The size of the curvature that was met (Nocedal, Wright, 6.20).
            let scale = sy / dot(&y, &y);
            for i in 0..n {
                (0..n).for_each(|j| self.h[i][j] = if i == j { scale } else { 0.0 });
            }
        }
        let hy: Vec<f64> = self.h.iter().map(|row| dot(row, &y)).collect();
        let factor = 1.0 + dot(&y, &hy) / sy;
        for i in 0..n {
            for j in 0..n {
                self.h[i][j] += (factor * s[i] * s[j] - hy[i] * s[j] - s[i] * hy[j]) / sy;
            }
        }
        self.is_updated = true;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
