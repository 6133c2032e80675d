//! The Newton step of an iteration.

use super::form::{Form, NONE};
use super::iterate::Iterate;
use super::system::KktSystem;

/// Changes of all unknowns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    pub(crate) primal: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    rhs: Vec<f64>,
    solution: Vec<f64>,
    stationarity: Vec<f64>,
}

impl Step {
    /// `Sigma = z_lower / (p - lower) + z_upper / (upper - p)`
    pub(crate) fn sigma(form: &Form<'_>, iterate: &Iterate, out: &mut Vec<f64>) {
        out.clear();
        for (i, range) in form.range.iter().enumerate() {
            let p = iterate.primal[i];
            out.push(iterate.lower[i] / (p - range.lower) + iterate.upper[i] / (range.upper - p));
        }
    }

    /// Solves for the step; `gradient` is that of the barrier function. False if it cannot be trusted.
    pub(crate) fn newton(
        &mut self,
        form: &Form<'_>,
        system: &mut KktSystem,
        iterate: &Iterate,
        (gradient, jacobian): (&[f64], &[f64]),
        residual: &[f64],
        (sigma, mu): (&[f64], f64),
    ) -> bool {
        self.stationarity.clear();
        self.stationarity.extend_from_slice(gradient);
        Iterate::add_constraint_forces(form, jacobian, &iterate.y, &mut self.stationarity);
        if !self.solve(form, system, residual, sigma) {
            return false;
        }
        self.lower.clear();
        self.upper.clear();
        for (i, range) in form.range.iter().enumerate() {
            let (p, d) = (iterate.primal[i], self.primal[i]);
            let (below, above) = (p - range.lower, range.upper - p);
            let (lower, upper) = (iterate.lower[i], iterate.upper[i]);
            self.lower.push(if below.is_finite() { (mu - lower * d) / below - lower } else { 0.0 });
            self.upper.push(if above.is_finite() { (mu + upper * d) / above - upper } else { 0.0 });
        }
        true
    }

    /// The primal step towards `c - s = -residual` with the stationarity of the last [`Step::newton`].
    pub(crate) fn solve(&mut self, form: &Form<'_>, system: &mut KktSystem, residual: &[f64], sigma: &[f64]) -> bool {
        self.rhs.clear();
        self.rhs.extend(self.stationarity[..form.n].iter().map(|value| -value));
        for (&slack, &c) in form.slack.iter().zip(residual) {
            let through = if slack == NONE { 0.0 } else { self.stationarity[slack] / (sigma[slack] + system.delta_w) };
            self.rhs.push(-c - through);
        }
        if !system.solve(&self.rhs, &mut self.solution) {
            return false;
        }
        let (dx, dy) = self.solution.split_at(form.n);
        self.primal.clear();
        self.primal.extend_from_slice(dx);
        self.primal.resize(form.range.len(), 0.0);
        self.y.clear();
        self.y.extend_from_slice(dy);
        for (&slack, dy) in form.slack.iter().zip(dy) {
            if slack != NONE {
                self.primal[slack] = (dy - self.stationarity[slack]) / (sigma[slack] + system.delta_w);
            }
        }
        true
    }
}

/// Multipliers of the rows that make the dual residual smallest; zero if they come out large.
///
/// ```text
/// [ I  J^T ] [ w ]     [ df/dx - z_lower + z_upper ]
/// [ J   0  ] [ y ] = - [ 0                         ]
/// ```
pub(crate) fn least_squares_multipliers(
    form: &Form<'_>,
    system: &mut KktSystem,
    iterate: &Iterate,
    slopes: &super::form::Slopes,
) -> Vec<f64> {
    const LARGEST: f64 = 1e3;
    system.hessian().fill(0.0);
    system.set_jacobian(&slopes.jacobian);
    let ones = vec![1.0; form.range.len()];
    let dual = |i: usize| slopes.gradient.get(i).unwrap_or(&0.0) - iterate.lower[i] + iterate.upper[i];
    let zero = vec![0.0; form.m];
    if !system.factor(form, &ones, 1e-8) {
        return zero;
    }
    let mut step = Step { stationarity: (0..form.range.len()).map(dual).collect(), ..Step::default() };
    if !step.solve(form, system, &zero, &ones) || !step.y.iter().all(|y| y.abs() <= LARGEST) {
        return zero;
    }
    step.y
}
