//! Branches of orbits: continuation in a parameter by pseudo-arclength (Keller 1977).
//!
//! With `y = (z, p/scale)` the branch is the curve `F(y) = P(z, p) - z = 0`. Its tangent `tau` spans the null space of
//! `DF`. From a point on it the corrector solves
//!
//! ```text
//! F(y) = 0,    tau . (y - y0) = s
//! ```
//!
//! by Newton's method with exact derivatives; `s` grows where that is easy and shrinks where it is not. The branch turns
//! around folds, where `p` cannot be the parameter.

use super::bifurcation::{Bifurcation, Kind};
use super::error::OrbitError;
use super::family::{Family, FamilyMap};
use super::multipliers::Multipliers;
use super::newton::{SearchOptions, find};
use super::setup::OrbitChoice;
use super::walker::Walker;
use carom_flow::FlowOptions;
use carom_linalg::SingularValues;

/// An orbit on a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchPoint {
    /// Value of the parameter.
    pub parameter: f64,
    /// State `(q, v)` at the beginning of a step.
    pub state: Vec<f64>,
    /// Duration of a step.
    pub duration: f64,
    /// Multipliers.
    pub multipliers: Multipliers,
    /// Unit tangent of the branch, in the free components of the state and the scaled parameter.
    pub(super) tangent: Vec<f64>,
}

/// A branch of orbits.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// Orbits, in order.
    pub points: Vec<BranchPoint>,
    /// Where the branch turns or others begin.
    pub bifurcations: Vec<Bifurcation>,
    /// Why it ends before the last value of the parameter; empty if it does not.
    pub ending: String,
}

/// How a branch is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BranchOptions {
    /// Longest step, as a part of the range of the parameter.
    pub step: f64,
    /// Most orbits.
    pub max_points: usize,
}

impl Default for BranchOptions {
    fn default() -> Self {
        Self { step: 0.05, max_points: 400 }
    }
}

/// Follows the branch through the orbit near `guess` from one value of a parameter to another; `observe` hears of
/// every orbit and may stop by returning false.
pub fn follow_branch(
    family: &Family,
    choice: &OrbitChoice,
    guess: &[f64],
    (from, to): (f64, f64),
    (flow, options): (FlowOptions, BranchOptions),
    observe: &mut dyn FnMut(&BranchPoint) -> bool,
) -> Result<Branch, OrbitError> {
    let mut steps = FamilyMap::new(family, from, choice, 1, flow)?;
    let first = find(&mut steps.map, guess, SearchOptions::default())?;
    let scale = (to - from).abs().max(f64::MIN_POSITIVE);
    let mut walker = Walker { steps, parameter: &family.parameter, scale, frame: first.state.clone() };
    let mut towards = vec![0.0; walker.size() + 1];
    towards[walker.size()] = (to - from).signum();
    let start = walker.unknowns(&first.state, from);
    let (first, _) = walker.correct(&start, &start, &towards, 0.0)?.ok_or_else(|| uncorrected(from))?;
    walker.walk(first, (from, to), options, observe)
}

/// Follows the branch of twice the period from the period doubling where it begins; its orbits leave the doubling
/// along the vector of the multiplier -1.
pub fn double_branch(
    family: &Family,
    choice: &OrbitChoice,
    doubling: &Bifurcation,
    to: f64,
    (flow, options): (FlowOptions, BranchOptions),
    observe: &mut dyn FnMut(&BranchPoint) -> bool,
) -> Result<Branch, OrbitError> {
    let from = doubling.orbit.parameter;
    let mut steps = FamilyMap::new(family, from, choice, 1, flow)?;
    let image = steps.map.step(&doubling.orbit.state)?;
    let derivative = steps.map.derivative(&image)?.state;
    let d = steps.map.setup().free.len();
    let shifted: Vec<f64> =
        derivative.iter().enumerate().map(|(k, x)| if k.is_multiple_of(d + 1) { x + 1.0 } else { *x }).collect();
    let mut along = SingularValues::new(&shifted, d).right(d - 1).to_vec();
    along.push(0.0);
    let steps = FamilyMap::new(family, from, choice, 2, flow)?;
    let scale = (to - from).abs().max(f64::MIN_POSITIVE);
    let mut walker = Walker { steps, parameter: &family.parameter, scale, frame: image.start.clone() };
    let base = walker.unknowns(&doubling.orbit.state, from);
    for distance in DEPARTURES {
        let guess: Vec<f64> = base.iter().zip(&along).map(|(y, tau)| y + distance * tau).collect();
        if let Some((first, _)) = walker.correct(&guess, &base, &along, distance)? {
            let end = if first.parameter > from { from.max(to) } else { from.min(to) };
            // The branch may leave to the other side; then it is followed as far there.
            let end = if end == from { 2.0 * from - to } else { end };
            return walker.walk(first, (from, end), options, observe);
        }
    }
    Err(uncorrected(from))
}

/// How far from a period doubling the first doubled orbit is searched.
const DEPARTURES: [f64; 4] = [1e-2, 3e-3, 3e-2, 1e-3];

/// A first orbit that is none after all.
pub(super) fn uncorrected(value: f64) -> OrbitError {
    let reason = format!("the first orbit, at {value}, cannot be corrected");
    OrbitError::NotConverged { reason, iterations: Vec::new() }
}

impl Branch {
    /// Bifurcations of one kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Bifurcation> {
        self.bifurcations.iter().filter(move |found| found.kind == kind)
    }
}
