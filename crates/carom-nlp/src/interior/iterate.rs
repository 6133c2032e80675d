//! The iterate, and the quantities by which it is judged.

use super::form::{Form, NONE, Slopes, Values};
use crate::nlp::Range;

/// Damping of unknowns with one bound only, as a share of the barrier parameter.
pub(crate) const DAMPING: f64 = 1e-5;

/// Primal unknowns `p = (x, s)` and multipliers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Iterate {
    pub(crate) primal: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
}

/// Scaled residuals of the barrier problem.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Error {
    pub(crate) dual: f64,
    pub(crate) primal: f64,
    pub(crate) complementarity: f64,
    /// Largest of the three, scaled by the size of the multipliers.
    pub(crate) scaled: f64,
}

/// `c - s` of every row.
pub(crate) fn infeasibility(form: &Form<'_>, values: &Values, primal: &[f64], out: &mut Vec<f64>) {
    out.clear();
    let residual = |(value, &slack): (&f64, &usize)| if slack == NONE { *value } else { value - primal[slack] };
    out.extend(values.rows.iter().zip(&form.slack).map(residual));
}

/// `theta`, the sum of all infeasibilities.
pub(crate) fn theta(residual: &[f64]) -> f64 {
    residual.iter().map(|value| value.abs()).sum()
}

/// The barrier function `f - mu sum log(distance)`, with damping.
pub(crate) fn barrier(objective: f64, primal: &[f64], ranges: &[Range], mu: f64) -> f64 {
    let mut logarithms = 0.0;
    let mut damping = 0.0;
    for (&p, range) in primal.iter().zip(ranges) {
        let (below, above) = (p - range.lower, range.upper - p);
        match (below.is_finite(), above.is_finite()) {
            (true, true) => logarithms += (below * above).ln(),
            (true, false) => (logarithms, damping) = (logarithms + below.ln(), damping + below),
            (false, true) => (logarithms, damping) = (logarithms + above.ln(), damping + above),
            (false, false) => {}
        }
    }
    objective - mu * logarithms + DAMPING * mu * damping
}

/// Gradient of the barrier function by `(x, s)`.
pub(crate) fn barrier_gradient(slopes: &Slopes, primal: &[f64], ranges: &[Range], mu: f64, out: &mut Vec<f64>) {
    out.clear();
    out.extend_from_slice(&slopes.gradient);
    out.resize(primal.len(), 0.0);
    for ((out, &p), range) in out.iter_mut().zip(primal).zip(ranges) {
        let (below, above) = (p - range.lower, range.upper - p);
        if below.is_finite() {
            *out -= mu / below;
        }
        if above.is_finite() {
            *out += mu / above;
        }
        if below.is_finite() != above.is_finite() {
            *out += DAMPING * mu * if below.is_finite() { 1.0 } else { -1.0 };
        }
    }
}

impl Iterate {
    /// `out += J^T y`, with the slacks' part `-y`.
    pub(crate) fn add_constraint_forces(form: &Form<'_>, jacobian: &[f64], y: &[f64], out: &mut [f64]) {
        for (&(_, row, column), value) in form.jacobian.iter().zip(jacobian) {
            out[column as usize] += y[row as usize] * value;
        }
        for (&slack, y) in form.slack.iter().zip(y) {
            if slack != NONE {
                out[slack] -= y;
            }
        }
    }

    /// Residuals of the optimality conditions of the barrier problem; of the program itself for `mu = 0`.
    pub(crate) fn error(&self, form: &Form<'_>, slopes: &Slopes, residual: &[f64], mu: f64) -> Error {
        let mut dual = slopes.gradient.clone();
        dual.resize(self.primal.len(), 0.0);
        Self::add_constraint_forces(form, &slopes.jacobian, &self.y, &mut dual);
        let mut complementarity = 0.0_f64;
        let (mut size_z, mut count) = (0.0, 0.0_f64);
        for (i, range) in form.range.iter().enumerate() {
            dual[i] += self.upper[i] - self.lower[i];
            for (z, distance) in
                [(self.lower[i], self.primal[i] - range.lower), (self.upper[i], range.upper - self.primal[i])]
            {
                if distance.is_finite() {
                    complementarity = complementarity.max((z * distance - mu).abs());
                    size_z += z.abs();
                    count += 1.0;
                }
            }
        }
        let size_y: f64 = self.y.iter().map(|y| y.abs()).sum();
        // Large multipliers loosen the conditions (Wächter and Biegler 2006, (5)).
        let by_size = |size: f64, count: f64| (size / count.max(1.0)).max(100.0) / 100.0;
        // Not `max`, which would drop what is not a number.
        let worse = |size: f64, value: &f64| if value.is_nan() { f64::INFINITY } else { size.max(value.abs()) };
        let largest = |list: &[f64]| list.iter().fold(0.0_f64, worse);
        let (dual, primal) = (largest(&dual), largest(residual));
        let dual_scaled = dual / by_size(size_y + size_z, count + self.y.len() as f64);
        let scaled = dual_scaled.max(primal).max(complementarity / by_size(size_z, count));
        Error { dual, primal, complementarity, scaled }
    }

    /// Keeps bound multipliers within a huge factor of `mu / distance`.
    pub(crate) fn keep_multipliers(&mut self, ranges: &[Range], mu: f64) {
        const FACTOR: f64 = 1e10;
        let keep = |z: &mut f64, distance: f64| {
            if distance.is_finite() {
                *z = z.min(FACTOR * mu / distance).max(mu / (FACTOR * distance));
            }
        };
        for (i, range) in ranges.iter().enumerate() {
            keep(&mut self.lower[i], self.primal[i] - range.lower);
            keep(&mut self.upper[i], range.upper - self.primal[i]);
        }
    }
}

/// Moves a value well inside its bounds.
pub(crate) fn push_inside(value: f64, range: &Range, push: f64) -> f64 {
    let width = range.upper - range.lower;
    let margin = |bound: f64| (push * bound.abs().max(1.0)).min(push * width);
    let mut inside = value;
    if range.lower.is_finite() {
        inside = inside.max(range.lower + margin(range.lower));
    }
    if range.upper.is_finite() {
        inside = inside.min(range.upper - margin(range.upper));
    }
    inside
}

/// The largest share of the step that leaves `1 - tau` of every distance.
pub(crate) fn to_boundary(primal: &[f64], step: &[f64], ranges: &[Range], tau: f64) -> f64 {
    let mut share = 1.0_f64;
    for ((&p, &d), range) in primal.iter().zip(step).zip(ranges) {
        let distance = if d < 0.0 { p - range.lower } else { range.upper - p };
        if d.abs() * share > tau * distance {
            share = tau * distance / d.abs();
        }
    }
    share
}

/// The same for multipliers, which stay positive.
pub(crate) fn to_zero(z: &[f64], step: &[f64], tau: f64) -> f64 {
    z.iter().zip(step).fold(1.0, |share: f64, (&z, &d)| if d < 0.0 { share.min(-tau * z / d) } else { share })
}
