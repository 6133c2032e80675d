//! The way back towards feasible points.
//!
//! Where no step is acceptable, the violation itself is minimised, close to where the search stands:
//!
//! ```text
//! minimise   rho sum (p + n) + (eta/2) |D (x - x_R)|^2
//! subject to c(x) - p + n within its bounds,   p, n >= 0,   bounds of x
//! ```
//!
//! (Wächter and Biegler 2006, 3.3.) That is a program of the same pattern along the same chain, and the same search solves
//! it; it ends as soon as the filter of the search outside accepts a point with less violation. If it
//! converges before, the violation has a local minimum.

use super::form::{Form, NONE, Slopes, Values};
use crate::nlp::{Nlp, Pattern, Range, Stages};
use std::cell::RefCell;
use std::rc::Rc;

/// Weight of the violation.
const VIOLATION: f64 = 1000.0;

/// The last point at which the functions outside were evaluated.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) values: Values,
}

/// The program that minimises the violation.
pub(crate) struct Restoration<'a, 'b> {
    form: &'a mut Form<'b>,
    start: Vec<f64>,
    reference: Vec<f64>,
    weights: Vec<f64>,
    variables: Vec<Range>,
    rows: Vec<Range>,
    jacobian: Pattern,
    hessian: Pattern,
    stages: Option<Stages>,
    slopes: Slopes,
    seen: Rc<RefCell<Seen>>,
}

impl<'a, 'b> Restoration<'a, 'b> {
    /// Begins at `primal`, whose rows are violated by `residual`.
    pub(crate) fn new(
        form: &'a mut Form<'b>,
        primal: &[f64],
        residual: &[f64],
        mu: f64,
        seen: Rc<RefCell<Seen>>,
    ) -> Self {
        let (n, m) = (form.n, form.m);
        let reference = primal[..n].to_vec();
        let eta = mu.sqrt();
        let weights = reference.iter().map(|x| eta * (1.0 / x.abs().max(1.0)).powi(2)).collect();
        let rows: Vec<Range> =
            form.slack.iter().map(|&slack| if slack == NONE { Range::fixed(0.0) } else { form.range[slack] }).collect();
        let variables = [form.range[..n].to_vec(), vec![Range::at_least(0.0); 2 * m]].concat();
        let (positive, negative): (Vec<f64>, Vec<f64>) = residual.iter().map(|&c| parts(c, mu)).unzip();
        let start = [reference.clone(), positive, negative].concat();

        let mut jacobian = Pattern::default();
        form.jacobian.iter().for_each(|&(_, row, column)| push(&mut jacobian, row, column));
        for side in 0..2 {
            (0..m as u32).for_each(|row| push(&mut jacobian, row, (n + side * m) as u32 + row));
        }
        let mut hessian = Pattern::default();
        form.hessian.iter().for_each(|&(_, i, j)| push(&mut hessian, i.max(j), i.min(j)));
        // The diagonal, where it is not there already.
        let mut has = vec![false; n];
        form.hessian.iter().filter(|entry| entry.1 == entry.2).for_each(|entry| has[entry.1 as usize] = true);
        (0..n).filter(|&i| !has[i]).for_each(|i| push(&mut hessian, i as u32, i as u32));
        let stages = form.nlp.stages().map(|stages| {
            let rows: Vec<u32> = form.rows.iter().map(|&j| stages.rows[j]).collect();
            let own: Vec<u32> = form.free.iter().map(|&i| stages.variables[i]).collect();
            Stages { variables: [own, rows.clone(), rows.clone()].concat(), rows }
        });
        let slopes = Slopes::default();
        Self { form, start, reference, weights, variables, rows, jacobian, hessian, stages, slopes, seen }
    }

    /// Places of the slacks of the search outside.
    pub(crate) fn slack(&self) -> &[usize] {
        &self.form.slack
    }

    /// Bounds of the search outside.
    pub(crate) fn ranges(&self) -> &[Range] {
        &self.form.range
    }
}

/// `p - n = c` where the barrier of both is smallest.
fn parts(c: f64, mu: f64) -> (f64, f64) {
    let half = (mu - VIOLATION * c) / (2.0 * VIOLATION);
    let negative = half + (half * half + mu * c / (2.0 * VIOLATION)).max(0.0).sqrt();
    (c + negative, negative)
}

fn push(pattern: &mut Pattern, row: u32, column: u32) {
    pattern.rows.push(row);
    pattern.columns.push(column);
}

impl Nlp for Restoration<'_, '_> {
    fn variable_ranges(&self) -> &[Range] {
        &self.variables
    }

    fn row_ranges(&self) -> &[Range] {
        &self.rows
    }

    fn start(&self) -> &[f64] {
        &self.start
    }

    fn variable_name(&self, index: usize) -> String {
        format!("restoration {index}")
    }

    fn row_name(&self, index: usize) -> String {
        format!("restoration {index}")
    }

    fn jacobian_pattern(&self) -> &Pattern {
        &self.jacobian
    }

    fn hessian_pattern(&self) -> &Pattern {
        &self.hessian
    }

    fn stages(&self) -> Option<&Stages> {
        self.stages.as_ref()
    }

    fn values(&mut self, x: &[f64], rows: &mut [f64]) -> f64 {
        let (n, m) = (self.form.n, self.form.m);
        let mut seen = self.seen.borrow_mut();
        self.form.values(&x[..n], &mut seen.values);
        for (j, row) in rows.iter_mut().enumerate() {
            *row = seen.values.rows[j] - x[n + j] + x[n + m + j];
        }
        let near: f64 =
            self.weights.iter().zip(&x[..n]).zip(&self.reference).map(|((w, x), r)| w * (x - r) * (x - r)).sum();
        VIOLATION * x[n..].iter().sum::<f64>() + 0.5 * near
    }

    fn slopes(&mut self, x: &[f64], gradient: &mut [f64], jacobian: &mut [f64]) {
        let (n, m) = (self.form.n, self.form.m);
        self.form.slopes(&x[..n], &mut self.slopes);
        for (i, slope) in gradient[..n].iter_mut().enumerate() {
            *slope = self.weights[i] * (x[i] - self.reference[i]);
        }
        gradient[n..].fill(VIOLATION);
        let own = self.slopes.jacobian.len();
        jacobian[..own].copy_from_slice(&self.slopes.jacobian);
        jacobian[own..own + m].fill(-1.0);
        jacobian[own + m..].fill(1.0);
    }

    fn curvature(&mut self, x: &[f64], weight: f64, y: &[f64], hessian: &mut [f64]) {
        let (n, own) = (self.form.n, self.form.hessian.len());
        self.form.curvature(&x[..n], 0.0, y, &mut hessian[..own]);
        hessian[own..].fill(0.0);
        // The distance from where the search stands.
        for ((i, j), entry) in self.hessian.entries().zip(hessian) {
            if i == j {
                *entry += weight * self.weights[i];
            }
        }
    }
}
