//! The predictor and the corrector of continuation, see [`super::branch`].

use super::bifurcation::{is_beside, locate};
use super::branch::{Branch, BranchOptions, BranchPoint, uncorrected};
use super::error::OrbitError;
use super::family::FamilyMap;
use super::multipliers::Multipliers;
use super::newton::difference;
use carom_linalg::{Lu, SingularValues, dot, max_abs};

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
    pub(super) parameter: &'a str,
    pub(super) scale: f64,
    /// Components that drift stay what they are.
    pub(super) frame: Vec<f64>,
}

fn differences(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

impl Walker<'_> {
    /// Goes on from the first orbit until the parameter leaves its range.
    pub(super) fn walk(
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
            let found = match self.advance(&last, length) {
                Ok(found) => found,
                // Beyond what the model allows: nearer, or the branch as far as it is known.
                Err(error) if length < SHORTEST * options.step => {
                    let value = last.parameter;
                    branch.ending =
                        format!("the branch cannot be followed beyond {} = {value}: {error}", self.parameter);
                    return Ok(branch);
                }
                Err(_) => None,
            };
            let (next, effort) = match found {
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
        let (most, value) = (options.max_points, last.parameter);
        branch.ending = format!("{most} orbits were computed, up to {} = {value}: raise `--points`", self.parameter);
        Ok(branch)
    }

    pub(super) fn size(&self) -> usize {
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
        let (mut point, _) = found.ok_or_else(|| uncorrected(value))?;
        if dot(&point.tangent, &last.tangent) < 0.0 {
            point.tangent.iter_mut().for_each(|entry| *entry = -*entry);
        }
        point.parameter = value;
        Ok(point)
    }

    /// Newton's method on `F(y) = 0`, `tau . (y - base) = length`.
    pub(super) fn correct(
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
        for (i, (row, slope)) in derivative.state.chunks_exact(d).zip(slope).enumerate() {
            slopes.extend(row.iter().enumerate().map(|(j, entry)| entry - if i == j { 1.0 } else { 0.0 }));
            slopes.push(slope * self.scale);
        }
        let multipliers = Multipliers::of(&image.motion, &derivative.state, d)?;
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
