//! The program as the interior point sees it: scaled, with slacks, fixed variables left out.
//!
//! ```text
//! minimise  sigma f(x)   subject to   d_j (c_j(x) - b_j) = 0        equality rows
//!                                     d_j c_j(x) - s_j = 0,  l <= (x, s) <= u
//! ```
//!
//! The scale factors bring the largest slope of the objective and of each row at the start down to 100; ranges
//! without interior are relaxed by 1e-8 (Wächter and Biegler 2006, 3.5 and 3.8).

use super::iterate::push_inside;
use super::search::PUSH;
use crate::guard::undefined;
use crate::nlp::{Nlp, Pattern, Range};
use crate::outcome::{Place, Status};

/// Slopes above this are scaled down.
const LARGEST_SLOPE: f64 = 100.0;
/// Scale factors are not smaller than this.
const SMALLEST_SCALE: f64 = 1e-8;
/// Ranges narrower than this, relative to their bounds, are relaxed.
const THIN: f64 = 1e-6;
/// ... by this much.
const RELAXATION: f64 = 1e-8;
/// No index.
pub(crate) const NONE: usize = usize::MAX;

/// The scaled program.
pub(crate) struct Form<'a> {
    pub(crate) nlp: &'a mut dyn Nlp,
    /// Number of free variables.
    pub(crate) n: usize,
    /// Number of rows.
    pub(crate) m: usize,
    /// Variable of the program behind each free variable.
    pub(crate) free: Vec<usize>,
    /// Row of the program behind each row.
    pub(crate) rows: Vec<usize>,
    /// For each row the place of its slack among the primal unknowns `(x, s)`, or [`NONE`].
    pub(crate) slack: Vec<usize>,
    /// Bounds of `(x, s)`, relaxed.
    pub(crate) range: Vec<Range>,
    /// Scale factor of the objective.
    pub(crate) objective_scale: f64,
    /// Scale factors of the rows.
    pub(crate) row_scale: Vec<f64>,
    target: Vec<f64>,
    /// Entries of the Jacobian that count: place in the program's list, row, free variable.
    pub(crate) jacobian: Vec<(usize, u32, u32)>,
    /// Entries of the Hessian that count.
    pub(crate) hessian: Vec<(usize, u32, u32)>,
    full_x: Vec<f64>,
    full_rows: Vec<f64>,
    full_gradient: Vec<f64>,
    full_jacobian: Vec<f64>,
    full_hessian: Vec<f64>,
    full_y: Vec<f64>,
    pub(crate) evaluations: usize,
    pub(crate) seconds: f64,
}

/// Function values at a point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    /// Scaled objective.
    pub(crate) objective: f64,
    /// Scaled rows, less their target for equalities; slacks are not subtracted.
    pub(crate) rows: Vec<f64>,
}

/// First derivatives at a point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slopes {
    pub(crate) gradient: Vec<f64>,
    /// In the order of [`Form::jacobian`].
    pub(crate) jacobian: Vec<f64>,
}

impl<'a> Form<'a> {
    /// Sorts variables and rows, and measures the scale at `x`.
    pub(crate) fn new(nlp: &'a mut dyn Nlp, x: &[f64]) -> Result<Self, Status> {
        let ranges = nlp.variable_ranges().to_vec();
        let full_x: Vec<f64> = x.iter().zip(&ranges).map(|(&x, range)| x.max(range.lower).min(range.upper)).collect();
        // Functions may end at a bound, as a logarithm does: then scales are measured inside.
        let push = if undefined(nlp, &full_x).is_some() { PUSH } else { 0.0 };
        let inside: Vec<f64> = full_x.iter().zip(&ranges).map(|(&x, range)| push_inside(x, range, push)).collect();
        let used = used(nlp, &inside);
        let free: Vec<usize> = (0..ranges.len()).filter(|&i| !ranges[i].is_fixed() && used[i]).collect();
        let mut number = vec![NONE; ranges.len()];
        free.iter().enumerate().for_each(|(k, &i)| number[i] = k);
        let (m, entries) = (nlp.row_ranges().len(), nlp.jacobian_pattern().len());
        let (hessian_entries, n) = (nlp.hessian_pattern().len(), free.len());
        let mut form = Self {
            n,
            m: 0,
            rows: Vec::new(),
            slack: Vec::new(),
            range: free.iter().map(|&i| relaxed(ranges[i], 1.0)).collect(),
            objective_scale: 1.0,
            row_scale: Vec::new(),
            target: Vec::new(),
            jacobian: Vec::new(),
            hessian: counted(nlp.hessian_pattern(), |i| number[i], |j| number[j]),
            full_rows: vec![0.0; m],
            full_gradient: vec![0.0; ranges.len()],
            full_jacobian: vec![0.0; entries],
            full_hessian: vec![0.0; hessian_entries],
            full_y: vec![0.0; m],
            full_x,
            free,
            nlp,
            evaluations: 0,
            seconds: 0.0,
        };
        let outside = std::mem::replace(&mut form.full_x, inside);
        form.measure(&number)?;
        form.full_x = outside;
        Ok(form)
    }

    /// Scale factors, and the rows that anything can be done about.
    fn measure(&mut self, number: &[usize]) -> Result<(), Status> {
        let objective = self.nlp.values(&self.full_x, &mut self.full_rows);
        if !objective.is_finite() {
            return Err(Status::Undefined(Place::Objective));
        }
        if let Some(j) = self.full_rows.iter().position(|value| !value.is_finite()) {
            return Err(Status::Undefined(Place::Row(self.nlp.row_name(j))));
        }
        self.nlp.slopes(&self.full_x, &mut self.full_gradient, &mut self.full_jacobian);
        let mut largest = vec![f64::NAN; self.full_rows.len()];
        for ((row, column), &value) in self.nlp.jacobian_pattern().entries().zip(&self.full_jacobian) {
            if number[column] != NONE {
                largest[row] = largest[row].max(value.abs());
            }
        }
        let slope = self.free.iter().fold(0.0_f64, |size, &i| size.max(self.full_gradient[i].abs()));
        self.objective_scale = scale(slope);
        let mut row_number = vec![NONE; self.full_rows.len()];
        for (j, range) in self.nlp.row_ranges().to_vec().into_iter().enumerate() {
            if largest[j].is_nan() {
                // Nothing can move this row.
                let value = self.full_rows[j];
                if range.violation(value) > 1e-8 * value.abs().max(1.0) {
                    return Err(Status::Inconsistent(Place::Row(self.nlp.row_name(j))));
                }
                continue;
            }
            if range.lower == f64::NEG_INFINITY && range.upper == f64::INFINITY {
                continue;
            }
            row_number[j] = self.rows.len();
            let factor = scale(largest[j]);
            self.rows.push(j);
            self.row_scale.push(factor);
            self.target.push(if range.is_fixed() { range.lower } else { 0.0 });
            self.slack.push(if range.is_fixed() { NONE } else { self.range.len() });
            if !range.is_fixed() {
                self.range.push(relaxed(Range::new(range.lower * factor, range.upper * factor), largest[j].min(1.0)));
            }
        }
        self.m = self.rows.len();
        self.jacobian = counted(self.nlp.jacobian_pattern(), |j| row_number[j], |i| number[i]);
        Ok(())
    }

    fn spread(&mut self, primal: &[f64]) {
        self.free.iter().zip(primal).for_each(|(&i, &x)| self.full_x[i] = x);
    }

    /// Objective and rows; false if any of them is not finite.
    pub(crate) fn values(&mut self, primal: &[f64], out: &mut Values) -> bool {
        let begin = std::time::Instant::now();
        self.evaluations += 1;
        self.spread(primal);
        out.objective = self.objective_scale * self.nlp.values(&self.full_x, &mut self.full_rows);
        out.rows.clear();
        for ((&j, &factor), &target) in self.rows.iter().zip(&self.row_scale).zip(&self.target) {
            out.rows.push(factor * (self.full_rows[j] - target));
        }
        self.seconds += begin.elapsed().as_secs_f64();
        out.objective.is_finite() && out.rows.iter().all(|value| value.is_finite())
    }

    /// First derivatives; false if any of them is not finite.
    pub(crate) fn slopes(&mut self, primal: &[f64], out: &mut Slopes) -> bool {
        let begin = std::time::Instant::now();
        self.spread(primal);
        self.nlp.slopes(&self.full_x, &mut self.full_gradient, &mut self.full_jacobian);
        out.gradient.clear();
        out.gradient.extend(self.free.iter().map(|&i| self.objective_scale * self.full_gradient[i]));
        out.jacobian.clear();
        let entry = |&(at, row, _): &(usize, u32, u32)| self.row_scale[row as usize] * self.full_jacobian[at];
        out.jacobian.extend(self.jacobian.iter().map(entry));
        self.seconds += begin.elapsed().as_secs_f64();
        out.gradient.iter().chain(&out.jacobian).all(|value| value.is_finite())
    }

    /// Entries of the Hessian of the Lagrangian, the objective with a weight, in the order of [`Form::hessian`].
    pub(crate) fn curvature(&mut self, primal: &[f64], weight: f64, y: &[f64], out: &mut [f64]) -> bool {
        let begin = std::time::Instant::now();
        self.spread(primal);
        for ((&j, &factor), &y) in self.rows.iter().zip(&self.row_scale).zip(y) {
            self.full_y[j] = factor * y;
        }
        self.nlp.curvature(&self.full_x, weight * self.objective_scale, &self.full_y, &mut self.full_hessian);
        out.iter_mut().zip(&self.hessian).for_each(|(out, entry)| *out = self.full_hessian[entry.0]);
        self.seconds += begin.elapsed().as_secs_f64();
        out.iter().all(|value| value.is_finite())
    }

    /// The point of the program that belongs to `primal`. It may lie outside its bounds by the little room they were
    /// given: moving it back would disturb the rows, which may be steep.
    pub(crate) fn point(&self, primal: &[f64]) -> Vec<f64> {
        let mut x = self.full_x.clone();
        self.free.iter().zip(primal).for_each(|(&i, &value)| x[i] = value);
        x
    }
}

/// Variables on which anything depends: the others stay where they are.
fn used(nlp: &mut dyn Nlp, x: &[f64]) -> Vec<bool> {
    let mut gradient = vec![0.0; x.len()];
    let mut jacobian = vec![0.0; nlp.jacobian_pattern().len()];
    nlp.slopes(x, &mut gradient, &mut jacobian);
    let mut used: Vec<bool> = gradient.iter().map(|&slope| slope != 0.0).collect();
    nlp.jacobian_pattern().columns.iter().for_each(|&i| used[i as usize] = true);
    nlp.hessian_pattern().entries().for_each(|(i, j)| (used[i], used[j]) = (true, true));
    used
}

/// The entries of a pattern that have numbers on both sides.
fn counted(pattern: &Pattern, row: impl Fn(usize) -> usize, column: impl Fn(usize) -> usize) -> Vec<(usize, u32, u32)> {
    let numbered = pattern.entries().enumerate().map(|(at, (i, j))| (at, row(i), column(j)));
    numbered.filter(|entry| entry.1 != NONE && entry.2 != NONE).map(|(at, i, j)| (at, i as u32, j as u32)).collect()
}

fn scale(slope: f64) -> f64 {
    if slope > LARGEST_SLOPE { (LARGEST_SLOPE / slope).max(SMALLEST_SCALE) } else { 1.0 }
}

/// The range; with a little room outside where it has no interior to speak of.
fn relaxed(range: Range, slope: f64) -> Range {
    let size = range.lower.abs().min(range.upper.abs()).max(1.0);
    if range.upper - range.lower > THIN * size {
        return range;
    }
    let margin = |bound: f64| (RELAXATION * slope).max(4.0 * f64::EPSILON * bound.abs());
    Range::new(range.lower - margin(range.lower), range.upper + margin(range.upper))
}
