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

use super::bifurcation::{Bifurcation, Kind, is_beside, locate};
use super::error::OrbitError;
use super::family::{Family, FamilyMap};
use super::multipliers::Multipliers;
use super::newton::{SearchOptions, difference, find};
use super::setup::OrbitChoice;
use carom_flow::FlowOptions;
use carom_linalg::{Lu, SingularValues, dot, max_abs};

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

/// Iterations of the corrector that are easy, and the most.
const EASY: usize = 4;
const MAX_CORRECTIONS: usize = 10;
/// The corrector has converged below this.
const CONVERGED: f64 = 1e-11;
/// Steps below this part of the longest are short enough, however far multipliers move.
const FINE: f64 = 0.02;
/// Steps below this part of the longest are given up.
const SHORTEST: f64 = 1e-5;
/// Singular values of `DF` below this part of the largest are zero.
const SINGULAR: f64 = 1e-9;

/// What a branch is followed with.
pub(super) struct Walker<'a> {
    pub(super) steps: FamilyMap<'a>,
    parameter: &'a str,
    pub(super) scale: f64,
    /// Components that drift stay what they are.
    frame: Vec<f64>,
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
    let (first, _) = walker.correct(&start, &start, &towards, 0.0)?.ok_or_else(|| unfollowed(from))?;
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
        derivative.iter().enumerate().map(|(k, x)| if k % (d + 1) == 0 { x + 1.0 } else { *x }).collect();
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
    Err(unfollowed(from))
}

/// How far from a period doubling the first doubled orbit is searched.
const DEPARTURES: [f64; 4] = [1e-2, 3e-3, 3e-2, 1e-3];

fn unfollowed(value: f64) -> OrbitError {
    let reason = format!("the first orbit, at {value}, cannot be corrected");
    OrbitError::NotConverged { reason, iterations: Vec::new() }
}

fn differences(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

impl Walker<'_> {
    /// Goes on from the first orbit until the parameter leaves its range.
    fn walk(
        &mut self,
        first: BranchPoint,
        (from, to): (f64, f64),
        options: BranchOptions,
        observe: &mut dyn FnMut(&BranchPoint) -> bool,
    ) -> Result<Branch, OrbitError> {
        let mut branch = Branch { points: vec![first.clone()], bifurcations: Vec::new(), ending: String::new() };
        let (mut last, mut length, side) = (first, 0.2 * options.step, (to - from).signum());
        while branch.points.len() < options.max_points {
            if !observe(&last) {
                branch.ending = format!("stopped on request at {} = {}", self.parameter, last.parameter);
                return Ok(branch);
            }
            let (next, effort) = match self.advance(&last, length)? {
                Some(found) if length <= FINE * options.step || is_beside(&last.multipliers, &found.0.multipliers) => {
                    found
                }
                None if length < SHORTEST * options.step => {
                    let value = last.parameter;
                    branch.ending = format!("the branch ends at {} = {value}: no orbit follows", self.parameter);
                    return Ok(branch);
                }
                _ => {
                    length *= 0.5;
                    continue;
                }
            };
            let is_over = (next.parameter - to) * side >= 0.0;
            let is_back = (next.parameter - from) * side < 0.0;
            let next = if is_over { self.at_value(&last, &next, to)? } else { next };
            branch.bifurcations.extend(locate(self, &last, &next)?);
            branch.points.push(next.clone());
            last = next;
            if is_over || is_back {
                if is_back {
                    branch.ending = format!("the branch turns back beyond {} = {from}", self.parameter);
                }
                observe(&last);
                return Ok(branch);
            }
            length = if effort <= EASY { (1.5 * length).min(options.step) } else { length };
        }
        branch.ending = format!("{} orbits were computed", options.max_points);
        Ok(branch)
    }

    fn size(&self) -> usize {
        self.steps.map.setup().free.len()
    }

    /// `y` of a state and a value of the parameter.
    pub(super) fn unknowns(&self, state: &[f64], parameter: f64) -> Vec<f64> {
        let free = self.steps.map.setup().free.iter().map(|&i| state[i]);
        free.chain([parameter / self.scale]).collect()
    }

    /// A point `length` ahead, and the iterations that it took; none if the corrector does not converge.
    pub(super) fn advance(
        &mut self,
        from: &BranchPoint,
        length: f64,
    ) -> Result<Option<(BranchPoint, usize)>, OrbitError> {
        let base = self.unknowns(&from.state, from.parameter);
        let guess: Vec<f64> = base.iter().zip(&from.tangent).map(|(y, tau)| y + length * tau).collect();
        self.correct(&guess, &base, &from.tangent, length)
    }

    /// The orbit at a value of the parameter between two orbits.
    fn at_value(&mut self, last: &BranchPoint, next: &BranchPoint, value: f64) -> Result<BranchPoint, OrbitError> {
        let (a, b) = (self.unknowns(&last.state, last.parameter), self.unknowns(&next.state, next.parameter));
        let share = (value - last.parameter) / (next.parameter - last.parameter);
        let mut guess: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + share * (b - a)).collect();
        let mut towards = vec![0.0; guess.len()];
        let last_entry = guess.len() - 1;
        (guess[last_entry], towards[last_entry]) = (value / self.scale, 1.0);
        let base = guess.clone();
        let found = self.correct(&guess, &base, &towards, 0.0)?;
        let (mut point, _) = found.ok_or_else(|| unfollowed(value))?;
        if dot(&point.tangent, &last.tangent) < 0.0 {
            point.tangent.iter_mut().for_each(|entry| *entry = -*entry);
        }
        point.parameter = value;
        Ok(point)
    }

    /// Newton's method on `F(y) = 0`, `tau . (y - base) = length`.
    fn correct(
        &mut self,
        guess: &[f64],
        base: &[f64],
        tau: &[f64],
        length: f64,
    ) -> Result<Option<(BranchPoint, usize)>, OrbitError> {
        let (d, mut y) = (self.size(), guess.to_vec());
        let mut smallest = f64::INFINITY;
        for effort in 0..MAX_CORRECTIONS {
            let Some((residual, slopes, point)) = self.linearise(&y)? else { return Ok(None) };
            let error = max_abs(&residual);
            let is_rounding = error >= 0.5 * smallest && error <= 100.0 * CONVERGED;
            if error <= CONVERGED || is_rounding {
                // One more correction costs one more step, and the last digits are worth it.
                if effort > 0 && (error <= 1e-3 * CONVERGED || is_rounding || effort + 1 == MAX_CORRECTIONS) {
                    return self.finish(point, &slopes, tau).map(|point| Some((point, effort)));
                }
            } else if error > 1e3 * smallest.max(CONVERGED) {
                return Ok(None);
            }
            smallest = smallest.min(error);
            let mut right: Vec<f64> = residual.iter().map(|value| -value).collect();
            right.push(length - dot(tau, &differences(&y, base)));
            let mut lu = Lu::new(d + 1);
            if lu.factor(&[&slopes[..], tau].concat()).is_err() {
                return Ok(None);
            }
            lu.solve(&mut right);
            if right.iter().any(|value| !value.is_finite()) {
                return Ok(None);
            }
            y.iter_mut().zip(&right).for_each(|(y, change)| *y += change);
        }
        Ok(None)
    }

    /// `F`, `DF` and the orbit-to-be at `y`; none where the motion does not reach its section.
    #[allow(clippy::type_complexity)] // three parts of one thing
    fn linearise(&mut self, y: &[f64]) -> Result<Option<(Vec<f64>, Vec<f64>, BranchPoint)>, OrbitError> {
        let d = self.size();
        let parameter = y[d] * self.scale;
        self.steps.set(parameter)?;
        let mut state = self.frame.clone();
        let free = self.steps.map.setup().free.clone();
        free.iter().zip(y).for_each(|(&i, &value)| state[i] = value);
        let Ok(image) = self.steps.map.step(&state) else { return Ok(None) };
        let Ok(derivative) = self.steps.map.derivative(&image) else { return Ok(None) };
        let residual = difference(&self.steps.map, &image);
        let slope = self.steps.slope(&derivative);
        let mut slopes = Vec::with_capacity(d * (d + 1));
        for i in 0..d {
            slopes.extend((0..d).map(|j| derivative.state[i * d + j] - if i == j { 1.0 } else { 0.0 }));
            slopes.push(slope[i] * self.scale);
        }
        let multipliers = Multipliers::new(&derivative.state, d)?;
        let point =
            BranchPoint { parameter, state: image.start, duration: image.duration, multipliers, tangent: Vec::new() };
        Ok(Some((residual, slopes, point)))
    }

    /// The tangent at an orbit, on the side of `tau`.
    fn finish(&self, mut point: BranchPoint, slopes: &[f64], tau: &[f64]) -> Result<BranchPoint, OrbitError> {
        let d = self.size();
        let svd = SingularValues::new(slopes, d + 1);
        if svd.rank(SINGULAR) < d {
            let parameter = self.parameter.to_owned();
            return Err(OrbitError::NotIsolated { parameter, value: point.parameter });
        }
        let sign = if dot(svd.right(d), tau) < 0.0 { -1.0 } else { 1.0 };
        point.tangent = svd.right(d).iter().map(|entry| sign * entry).collect();
        Ok(point)
    }

    /// True if the point is a fold to the sign of this number.
    pub(super) fn turning(point: &BranchPoint) -> f64 {
        point.tangent.last().copied().unwrap_or(0.0)
    }
}

impl Branch {
    /// Bifurcations of one kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Bifurcation> {
        self.bifurcations.iter().filter(move |found| found.kind == kind)
    }
}
