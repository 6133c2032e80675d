//! A piece of path between two nodes: a polynomial `q(tau)`, `0 <= tau <= 1`, with bounds over its parts.

mod search;

pub use search::PathSearch;

use carom_expr::Interval;

/// A polynomial path `q(tau) = sum_j c_j tau^j`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    n: usize,
    /// Coefficients, all of one order together.
    coefficients: Vec<f64>,
    /// The same, all of one coordinate together.
    columns: Vec<f64>,
}

impl Path {
    /// An empty path of `n` coordinates.
    pub fn new(n: usize) -> Self {
        Self { n, coefficients: Vec::new(), columns: Vec::new() }
    }

    /// The polynomial with these coefficients, all of one order together.
    pub fn polynomial(&mut self, coefficients: Vec<f64>) {
        self.coefficients = coefficients;
        // Bounds want a rate, and have room for so many orders.
        let orders = (self.coefficients.len() / self.n).clamp(2, MAX_DEGREE + 1);
        self.coefficients.resize(orders * self.n, 0.0);
        self.transpose();
    }

    /// Coefficients, all of one order together.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// The cubic with given values and rates at both ends (Hermite).
    pub fn hermite(&mut self, [q0, q1]: [&[f64]; 2], [v0, v1]: [&[f64]; 2], h: f64) {
        let n = self.n;
        self.coefficients.resize(4 * n, 0.0);
        for k in 0..n {
            let (change, left, right) = (q1[k] - q0[k], h * v0[k], h * v1[k]);
            let all = [q0[k], left, 3.0 * change - 2.0 * left - right, left + right - 2.0 * change];
            all.into_iter().enumerate().for_each(|(j, value)| self.coefficients[j * n + k] = value);
        }
        self.transpose();
    }

    /// The polynomial `q0 + sum_i alpha_i(tau) d_i`; `basis` holds the coefficients of `alpha_i`, from the
    /// first order on.
    pub fn displaced(&mut self, q0: &[f64], displacements: &[f64], basis: &[Vec<f64>]) {
        let n = self.n;
        self.coefficients.clear();
        self.coefficients.extend(q0);
        self.coefficients.resize((basis.len() + 1) * n, 0.0);
        for (d, weights) in displacements.chunks_exact(n).zip(basis) {
            for (j, weight) in weights.iter().enumerate() {
                let order = &mut self.coefficients[(j + 1) * n..(j + 2) * n];
                order.iter_mut().zip(d).for_each(|(c, d)| *c += weight * d);
            }
        }
        self.transpose();
    }

    /// The Taylor series `q0 + tau h (v[0] + tau h v[1] / 2 + ...)` on a step of duration `h`, as far as its
    /// terms count; `v` holds all components of one order together.
    pub fn series<'a>(&mut self, q0: &[f64], orders: impl Iterator<Item = &'a [f64]>, h: f64) {
        let n = self.n;
        self.coefficients.clear();
        self.coefficients.extend(q0);
        let (mut power, mut degree) = (1.0, 1);
        for (k, order) in orders.enumerate().take(MAX_DEGREE - 1) {
            power *= h / (k as f64 + 1.0) * if k == 0 { 1.0 } else { k as f64 };
            let begin = self.coefficients.len();
            self.coefficients.extend(order.iter().map(|v| v * power));
            let counts = |(c, q): (&f64, &f64)| c.abs() > NEGLIGIBLE * q.abs().max(f64::MIN_POSITIVE);
            if self.coefficients[begin..].iter().zip(q0).any(counts) {
                degree = k + 1;
            }
        }
        self.coefficients.truncate((degree + 1) * n);
        self.transpose();
    }

    /// The configuration at its beginning.
    pub(super) fn start(&self) -> &[f64] {
        &self.coefficients[..self.n]
    }

    fn transpose(&mut self) {
        self.columns.clear();
        for k in 0..self.n {
            self.columns.extend(self.coefficients.iter().skip(k).step_by(self.n));
        }
    }

    /// Coefficients of one coordinate.
    fn column(&self, k: usize) -> &[f64] {
        let count = self.coefficients.len() / self.n;
        &self.columns[k * count..(k + 1) * count]
    }

    /// Position and rate (per unit of `tau`) at one place.
    pub fn at(&self, tau: f64, q: &mut [f64], rate: &mut [f64]) {
        for (k, (q, rate)) in q.iter_mut().zip(rate).enumerate() {
            let term = |(x, slope): (f64, f64), c: &f64| (x * tau + c, slope * tau + x);
            (*q, *rate) = self.column(k).iter().rev().fold((0.0, 0.0), term);
        }
    }

    /// One coordinate at one place.
    pub(super) fn position(&self, k: usize, tau: f64) -> f64 {
        self.column(k).iter().rev().fold(0.0, |sum, c| sum * tau + c)
    }

    /// Bounds of some positions and rates (per unit of `tau`) over `[low, high]`.
    pub(super) fn bounds(&self, which: &[usize], (low, high): (f64, f64), q: &mut [Interval], rate: &mut [Interval]) {
        let width = high - low;
        let mut room = [0.0; MAX_DEGREE + 1];
        for &k in which {
            let (degree, tail) = self.degree_for(k, width);
            // The polynomial about the left end of the part.
            let local = &mut room[..=degree];
            local.copy_from_slice(&self.column(k)[..=degree]);
            for i in 0..degree {
                let mut above = local[degree];
                for value in local[i..degree].iter_mut().rev() {
                    *value += low * above;
                    above = *value;
                }
            }
            let mut position = [local[0] - tail, local[0] + tail];
            let slope = degree_slope(tail, self.column(k).len() - 1);
            let mut speed = [local[1] - slope, local[1] + slope];
            let mut power = width;
            for (j, &c) in local.iter().enumerate().take(degree + 1).skip(1) {
                widen(&mut position, c * power);
                if j < degree {
                    widen(&mut speed, (j + 1) as f64 * local[j + 1] * power);
                }
                power *= width;
            }
            q[k] = Interval::new(position[0], position[1]);
            rate[k] = Interval::new(speed[0], speed[1]);
        }
    }

    /// The degree up to which terms of a coordinate are worth moving to a part of this width, and what the
    /// others sum up to at most. Bounds are no narrower than the part.
    fn degree_for(&self, k: usize, width: f64) -> (usize, f64) {
        let column = self.column(k);
        let full = column.len() - 1;
        let total: f64 = column[1..].iter().map(|c| c.abs()).sum();
        let (mut degree, mut tail) = (full, 0.0);
        for c in column.iter().skip(3).rev() {
            if degree_slope(tail + c.abs(), full) > UNSHIFTED * width * total {
                break;
            }
            tail += c.abs();
            degree -= 1;
        }
        (degree, tail)
    }
}

/// What terms of this sum do to the rate at most.
fn degree_slope(tail: f64, degree: usize) -> f64 {
    tail * degree as f64
}

/// Terms that are left out of a shift widen the bounds by this part of their width.
const UNSHIFTED: f64 = 0.01;

/// Terms below this part of the position do not count.
const NEGLIGIBLE: f64 = 1e-19;

/// Highest degree of a path.
pub const MAX_DEGREE: usize = 64;

/// A term that goes from zero to `end`.
fn widen(range: &mut [f64; 2], end: f64) {
    range[0] += end.min(0.0);
    range[1] += end.max(0.0);
}
