//! The Newton system of an iteration, with its inertia set right.
//!
//! With slacks and bound multipliers eliminated,
//!
//! ```text
//! [ W + Sigma_x + delta_w    J^T ] [ dx ]     [ r_x          ]
//! [ J                        -D  ] [ dy ] = - [ c - s + D r_s ],
//! ```
//!
//! `D = delta_c` for equalities, `1 / (Sigma_s + delta_w)` for rows with a slack. A step goes towards a minimum
//! if the matrix has as many positive eigenvalues as there are variables and as many negative ones as
//! there are rows; `delta_w` and `delta_c` are raised until it has (Wächter and Biegler 2006, Algorithm IC).

use super::form::{Form, NONE};
use crate::factor::{Chain, Factorisation, Inertia, levels};
use crate::nlp::Pattern;
use crate::solver::Linear;

/// First, smallest and largest perturbation of the Hessian.
const FIRST: f64 = 1e-4;
const SMALLEST: f64 = 1e-20;
const LARGEST: f64 = 1e20;
/// Relative residual that refinement aims at, and the one at which a solution is refused.
const REFINED: f64 = 1e-11;
const REFUSED: f64 = 1e-5;
/// Chains with wider fronts than this are left to the general factorisation, if they are hardly chains.
#[cfg(feature = "pounce")]
const WIDE: usize = 300;
/// Programs without stages up to this size are one dense front.
const SMALL: usize = 120;

/// The KKT matrix and its factorisation.
pub(crate) struct KktSystem {
    factorisation: Box<dyn Factorisation>,
    pattern: Pattern,
    /// Hessian, Jacobian, diagonal of the variables, diagonal of the rows.
    values: Vec<f64>,
    offsets: [usize; 3],
    n: usize,
    m: usize,
    last: f64,
    /// Perturbations of the present factors.
    pub(crate) delta_w: f64,
    delta_c: f64,
    /// Unknowns without a pivot of their own when the matrix was last factorised without perturbation.
    pub(crate) vanished: Vec<u32>,
    residual: Vec<f64>,
    correction: Vec<f64>,
    pub(crate) factorisations: usize,
    pub(crate) seconds: f64,
}

impl KktSystem {
    pub(crate) fn new(form: &Form<'_>, linear: Linear) -> Self {
        let (n, m) = (form.n, form.m);
        let mut pattern = Pattern::default();
        let mut push = |row: usize, column: usize| {
            pattern.rows.push(row as u32);
            pattern.columns.push(column as u32);
        };
        form.hessian.iter().for_each(|&(_, i, j)| push(i.max(j) as usize, i.min(j) as usize));
        form.jacobian.iter().for_each(|&(_, row, column)| push(n + row as usize, column as usize));
        (0..n + m).for_each(|i| push(i, i));
        let offsets = [
            form.hessian.len(),
            form.hessian.len() + form.jacobian.len(),
            form.hessian.len() + form.jacobian.len() + n,
        ];
        Self {
            factorisation: factorisation(form, &pattern, linear),
            values: vec![0.0; pattern.len()],
            pattern,
            offsets,
            n,
            m,
            last: 0.0,
            delta_w: 0.0,
            delta_c: 0.0,
            vanished: Vec::new(),
            residual: vec![0.0; n + m],
            correction: vec![0.0; n + m],
            factorisations: 0,
            seconds: 0.0,
        }
    }

    /// Room for the entries of the Hessian.
    pub(crate) fn hessian(&mut self) -> &mut [f64] {
        &mut self.values[..self.offsets[0]]
    }

    pub(crate) fn set_jacobian(&mut self, jacobian: &[f64]) {
        self.values[self.offsets[0]..self.offsets[1]].copy_from_slice(jacobian);
    }

    /// Factorises with the diagonal `sigma` of `(x, s)`, perturbed as much as needed. False if nothing helps.
    pub(crate) fn factor(&mut self, form: &Form<'_>, sigma: &[f64], barrier: f64) -> bool {
        let begin = std::time::Instant::now();
        let found = self.search(form, sigma, barrier);
        self.seconds += begin.elapsed().as_secs_f64();
        found
    }

    fn search(&mut self, form: &Form<'_>, sigma: &[f64], barrier: f64) -> bool {
        (self.delta_w, self.delta_c) = (0.0, 0.0);
        let mut inertia = self.attempt(form, sigma);
        self.vanished.clear();
        self.vanished.extend_from_slice(self.factorisation.vanished());
        if self.is_right(inertia) {
            return true;
        }
        if inertia.zero > 0 {
            self.delta_c = 1e-8 * barrier.powf(0.25);
            inertia = self.attempt(form, sigma);
            if self.is_right(inertia) {
                return true;
            }
        }
        self.delta_w = if self.last == 0.0 { FIRST } else { (self.last / 3.0).max(SMALLEST) };
        while self.delta_w < LARGEST {
            inertia = self.attempt(form, sigma);
            if self.is_right(inertia) {
                self.last = self.delta_w;
                return true;
            }
            if inertia.zero > 0 && self.delta_c == 0.0 {
                self.delta_c = 1e-8 * barrier.powf(0.25);
            }
            self.delta_w *= if self.last == 0.0 { 100.0 } else { 8.0 };
        }
        false
    }

    /// Raises the perturbation after a solution that could not be trusted.
    pub(crate) fn raise(&mut self, form: &Form<'_>, sigma: &[f64], barrier: f64) -> bool {
        self.delta_c = 1e-8 * barrier.powf(0.25);
        self.delta_w = if self.delta_w == 0.0 { FIRST } else { self.delta_w * 8.0 };
        self.delta_w < LARGEST && {
            let inertia = self.attempt(form, sigma);
            self.last = self.delta_w;
            self.is_right(inertia) || self.raise(form, sigma, barrier)
        }
    }

    fn is_right(&self, inertia: Inertia) -> bool {
        inertia == Inertia { positive: self.n, negative: self.m, zero: 0 }
    }

    fn attempt(&mut self, form: &Form<'_>, sigma: &[f64]) -> Inertia {
        let [_, diagonal, rows] = self.offsets;
        for (value, sigma) in self.values[diagonal..rows].iter_mut().zip(sigma) {
            *value = sigma + self.delta_w;
        }
        for (value, &slack) in self.values[rows..].iter_mut().zip(&form.slack) {
            *value = -if slack == NONE { self.delta_c } else { 1.0 / (sigma[slack] + self.delta_w) };
        }
        self.factorisations += 1;
        self.factorisation.factor(&self.values)
    }

    /// Solves for `rhs`, with iterative refinement. False if the solution cannot be trusted.
    pub(crate) fn solve(&mut self, rhs: &[f64], solution: &mut Vec<f64>) -> bool {
        let begin = std::time::Instant::now();
        let size = rhs.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
        solution.clear();
        solution.extend_from_slice(rhs);
        self.factorisation.solve(solution);
        let mut error = self.measure(rhs, solution);
        for _ in 0..6 {
            let largest = solution.iter().fold(size, |size, value| size.max(value.abs()));
            if error <= REFINED * largest.min(1e6 * size) || error == 0.0 {
                break;
            }
            self.correction.copy_from_slice(&self.residual);
            self.factorisation.solve(&mut self.correction);
            solution.iter_mut().zip(&self.correction).for_each(|(x, c)| *x += c);
            let before = std::mem::replace(&mut error, self.measure(rhs, solution));
            if error > 0.5 * before {
                break;
            }
        }
        self.seconds += begin.elapsed().as_secs_f64();
        let largest = solution.iter().fold(size, |size, value| size.max(value.abs()));
        error <= REFUSED * largest.min(1e6 * size).max(f64::MIN_POSITIVE) && largest.is_finite()
    }

    /// `residual = rhs - K x`, and its size.
    fn measure(&mut self, rhs: &[f64], x: &[f64]) -> f64 {
        self.residual.copy_from_slice(rhs);
        for ((i, j), value) in self.pattern.entries().zip(&self.values) {
            self.residual[i] -= value * x[j];
            if i != j {
                self.residual[j] -= value * x[i];
            }
        }
        self.residual.iter().fold(0.0, |size, value| if value.is_nan() { f64::INFINITY } else { size.max(value.abs()) })
    }
}

/// Along the chain of the program, along level sets of its own pattern, or in general.
fn factorisation(form: &Form<'_>, pattern: &Pattern, linear: Linear) -> Box<dyn Factorisation> {
    let dimension = form.n + form.m;
    #[cfg(feature = "pounce")]
    if linear == Linear::General {
        return Box::new(crate::factor::General::new(dimension, pattern));
    }
    let _ = linear;
    let stages = match form.nlp.stages() {
        Some(stages) => {
            let variables = form.free.iter().map(|&i| stages.variables[i]);
            variables.chain(form.rows.iter().map(|&j| stages.rows[j])).collect()
        }
        None if dimension <= SMALL => vec![0; dimension],
        None => levels(dimension, pattern),
    };
    let chain = Chain::new(dimension, pattern, &stages);
    // A row over everything makes one front of everything.
    #[cfg(feature = "pounce")]
    if linear == Linear::Automatic && chain.width() > WIDE && chain.width() > dimension / 4 {
        return Box::new(crate::factor::General::new(dimension, pattern));
    }
    Box::new(chain)
}
