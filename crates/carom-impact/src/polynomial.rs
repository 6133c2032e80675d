//! The first root of a polynomial, by bounds from its Bernstein coefficients.
//!
//! On `[0, 1]` a polynomial lies between the smallest and the largest of its Bernstein coefficients
//!
//! ```text
//! b_i = sum_(j<=i) binomial(i, j) / binomial(P, j) c_j,
//! ```
//!
//! and has at most as many roots as they have changes of sign (Farouki 2012, *The Bernstein polynomial
//! basis: a centennial retrospective*). No change of sign proves that there is no root; one change
//! isolates one. Otherwise the interval is halved by de Casteljau's scheme, left half first: what is
//! found is the first root, not some root.

/// Where a polynomial first reaches zero from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstRoot {
    /// It stays positive.
    None,
    /// It becomes negative here.
    Crossing {
        /// Where.
        at: f64,
        /// Interval that is known to hold the root.
        bracket: (f64, f64),
    },
}

/// Halvings down to which roots are separated.
const MAX_DEPTH: u32 = 40;
/// Steps of the root finder.
const MAX_ITERATIONS: usize = 60;

/// Workspace for polynomials up to some degree.
#[derive(Clone, Debug, Default)]
pub struct RootFinder {
    /// Bernstein coefficients of the pieces that are still to be looked at.
    stack: Vec<f64>,
    /// Their intervals.
    pieces: Vec<(f64, f64, u32)>,
    /// Where the last polynomial came so close to zero that rounding decides whether it crosses.
    pub touched: Option<f64>,
}

impl RootFinder {
    /// The first root in `(0, length]` of `sum_k c_k tau^k`, which is positive at zero, or has a root of
    /// some `multiplicity` there that is divided out. `noise` is the size of what rounding and
    /// truncation leave undecided.
    pub fn first_root(&mut self, coefficients: &[f64], length: f64, multiplicity: usize, noise: f64) -> FirstRoot {
        let coefficients = &coefficients[multiplicity..];
        let noise = noise / length.powi(multiplicity as i32);
        self.touched = None;
        if is_clearly_positive(coefficients, length, noise) {
            return FirstRoot::None;
        }
        self.stack.clear();
        self.pieces.clear();
        push_bernstein(&mut self.stack, coefficients, length);
        self.pieces.push((0.0, 1.0, 0));
        let count = coefficients.len();
        while let Some((low, high, depth)) = self.pieces.pop() {
            let begin = self.stack.len() - count;
            let piece = &self.stack[begin..];
            let (first, last) = (piece[0], piece[count - 1]);
            let smallest = piece.iter().copied().fold(f64::INFINITY, f64::min);
            let changes = piece.windows(2).filter(|pair| (pair[0] > 0.0) != (pair[1] > 0.0)).count();
            let is_above = smallest > 0.0 || changes == 0 && first > 0.0;
            if is_above {
                self.stack.truncate(begin);
                continue;
            }
            if first < -noise && depth > 0 || changes == 1 && last < -noise && first > 0.0 {
                let at = if first <= 0.0 { low } else { isolate(coefficients, length, low, high) };
                return FirstRoot::Crossing { at: at * length, bracket: (low * length, high * length) };
            }
            if depth >= MAX_DEPTH || smallest.abs().max(first.abs()) <= noise && high - low < 1e-3 {
                self.touched = Some(0.5 * (low + high) * length);
                self.stack.truncate(begin);
                continue;
            }
            let middle = 0.5 * (low + high);
            halve(&mut self.stack, begin);
            // The left half lies on top.
            self.pieces.push((middle, high, depth + 1));
            self.pieces.push((low, middle, depth + 1));
        }
        FirstRoot::None
    }
}

/// `c_0 > sum_(k>=1) |c_k| length^k`: cheap, and true for most steps.
fn is_clearly_positive(coefficients: &[f64], length: f64, noise: f64) -> bool {
    let rest = coefficients[1..].iter().rev().fold(0.0, |sum, c| (sum + c.abs()) * length);
    coefficients[0] > rest + noise
}

/// Appends the Bernstein coefficients of a polynomial on `[0, length]`.
fn push_bernstein(stack: &mut Vec<f64>, coefficients: &[f64], length: f64) {
    let degree = coefficients.len() - 1;
    let begin = stack.len();
    let (mut power, mut binomial) = (1.0, 1.0);
    for (k, c) in coefficients.iter().enumerate() {
        stack.push(c * power / binomial);
        power *= length;
        binomial *= (degree - k) as f64 / (k as f64 + 1.0);
    }
    // Running sums, order by order: b_i = sum_j binomial(i, j) c_j / binomial(P, j).
    let values = &mut stack[begin..];
    for order in 1..=degree {
        for i in (order..=degree).rev() {
            values[i] += values[i - 1];
        }
    }
}

/// Replaces the last piece by its right half, and its left half on top.
fn halve(stack: &mut Vec<f64>, begin: usize) {
    let count = stack.len() - begin;
    for i in 0..count {
        // The left half collects the first value of every row of de Casteljau's triangle.
        let first = stack[begin];
        stack.push(first);
        let row = &mut stack[begin..begin + count - i];
        for k in 1..row.len() {
            row[k - 1] = 0.5 * (row[k - 1] + row[k]);
        }
        // What is left behind in the row is the right half, from its end.
    }
}

/// The only root between `low` and `high`, as parts of `length`: Newton's method inside a bracket.
fn isolate(coefficients: &[f64], length: f64, mut low: f64, mut high: f64) -> f64 {
    let mut x = 0.5 * (low + high);
    for _ in 0..MAX_ITERATIONS {
        let (value, slope) = evaluate(coefficients, x * length);
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / (slope * length);
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - x).abs() <= f64::EPSILON * next || high - low <= f64::EPSILON * high {
            return next;
        }
        x = next;
    }
    x
}

/// Value and slope of `sum_k c_k tau^k`.
pub fn evaluate(coefficients: &[f64], tau: f64) -> (f64, f64) {
    coefficients.iter().rev().fold((0.0, 0.0), |(value, slope), c| (value * tau + c, slope * tau + value))
}
