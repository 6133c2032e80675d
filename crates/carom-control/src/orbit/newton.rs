//! Fixed points of the step map by Newton's method.
//!
//! ```text
//! (I - DP) dz = P(z) - z
//! ```
//!
//! in the sense of least squares, the shortest `dz`: where something is conserved, or a phase is free, a multiplier is
//! one and the orbit is not isolated, but there is a nearest one. Steps are damped until the residual shrinks and the
//! motion reaches its section.

use super::error::OrbitError;
use super::multipliers::Multipliers;
use super::step::{StepDerivative, StepImage, StepMap};
use carom_linalg::{SingularValues, max_abs};

/// One iteration of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// `|P(z) - z|`
    pub residual: f64,
    /// Length of the step that follows.
    pub step: f64,
    /// Part of the step that was taken.
    pub damping: f64,
}

/// How a search is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchOptions {
    /// Residuals below this part of the state (at least 1) are zero.
    pub tolerance: f64,
    /// Most iterations.
    pub max_iterations: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { tolerance: 1e-13, max_iterations: 50 }
    }
}

/// A periodic motion.
#[derive(Clone, Debug)]
pub struct Orbit {
    /// The state `(q, v)` at the beginning of a step.
    pub state: Vec<f64>,
    /// The state after the step; differs in what drifts.
    pub image: Vec<f64>,
    /// The duration of a step.
    pub duration: f64,
    /// The derivative of the step.
    pub derivative: StepDerivative,
    /// Its multipliers.
    pub multipliers: Multipliers,
    /// Residual `|P(z) - z|` that is left.
    pub residual: f64,
    /// The iterations of the search.
    pub iterations: Vec<Iteration>,
    /// The motion of one step.
    pub step: StepImage,
}

/// Singular values of `I - DP` below this part of the largest are zero.
const SINGULAR: f64 = 1e-9;
/// The shortest part of a step that is tried.
const SHORTEST: f64 = 1.0 / 1024.0;
/// A residual that no longer shrinks is rounding if it is below this part of the state.
const ROUNDING: f64 = 1e-10;

/// Searches an orbit near `guess`, a state `(q, v)`.
pub fn find(map: &mut StepMap, guess: &[f64], options: SearchOptions) -> Result<Orbit, OrbitError> {
    let mut iterations = Vec::new();
    let mut image = map.step(guess)?;
    let mut best: Option<(f64, StepImage)> = None;
    for _ in 0..options.max_iterations {
        let residual = difference(map, &image);
        let (size, scale) = (max_abs(&residual), max_abs(&image.start).max(1.0));
        let is_smallest = best.as_ref().is_none_or(|(smallest, _)| size < *smallest);
        if is_smallest {
            best = Some((size, image.clone()));
        }
        let is_rounding = !is_smallest && size <= ROUNDING * scale;
        if size <= options.tolerance * scale || is_rounding {
            break;
        }
        let derivative = map.derivative(&image)?;
        let change = correction(&derivative.state, &residual);
        let (next, damping) = advance(map, &image, &change, size, scale);
        iterations.push(Iteration { residual: size, step: max_abs(&change), damping });
        match next {
            Some(next) => image = next,
            None if size <= ROUNDING * scale => break,
            None => {
                let reason =
                    "no part of the last step brings the motion nearer to an orbit; start nearer to one".to_owned();
                return Err(OrbitError::NotConverged { reason, iterations });
            }
        }
    }
    match best {
        Some((residual, step)) if residual <= ROUNDING * max_abs(&step.start).max(1.0) => {
            conclude(map, step, residual, iterations)
        }
        _ => {
            let reason = format!("{} iterations were not enough", options.max_iterations);
            Err(OrbitError::NotConverged { reason, iterations })
        }
    }
}

fn conclude(
    map: &mut StepMap,
    step: StepImage,
    residual: f64,
    iterations: Vec<Iteration>,
) -> Result<Orbit, OrbitError> {
    let derivative = map.derivative(&step)?;
    let multipliers = Multipliers::of(&step.motion, &derivative.state, map.setup().free.len())?;
    let (state, image, duration) = (step.start.clone(), step.state.clone(), step.duration);
    Ok(Orbit { state, image, duration, derivative, multipliers, residual, iterations, step })
}

/// `P(z) - z`
pub(super) fn difference(map: &StepMap, image: &StepImage) -> Vec<f64> {
    map.setup().free.iter().map(|&i| image.state[i] - image.start[i]).collect()
}

/// The shortest solution of `(I - DP) dz = r`.
fn correction(derivative: &[f64], residual: &[f64]) -> Vec<f64> {
    let d = residual.len();
    let entry = |k: usize| if k.is_multiple_of(d + 1) { 1.0 - derivative[k] } else { -derivative[k] };
    let matrix: Vec<f64> = (0..d * d).map(entry).collect();
    SingularValues::new(&matrix, d).solve(residual, SINGULAR)
}

/// The longest part of a step after which the residual is smaller.
fn advance(map: &mut StepMap, image: &StepImage, change: &[f64], size: f64, scale: f64) -> (Option<StepImage>, f64) {
    let mut damping = 1.0;
    while damping >= SHORTEST {
        let mut state = image.start.clone();
        let free = map.setup().free.clone();
        free.iter().zip(change).for_each(|(&i, change)| state[i] += damping * change);
        if let Ok(next) = map.step(&state) {
            let found = max_abs(&difference(map, &next));
            // Close to the end rounding decides which residual is smaller.
            if found < size || found <= ROUNDING * scale {
                return (Some(next), damping);
            }
        }
        damping *= 0.5;
    }
    (None, damping)
}
