//! Singular values by one-sided Jacobi rotations (Hestenes 1958): slow for large matrices, as exact as can be for
//! small ones.

use crate::dot;

/// Sweeps over all pairs of columns.
const MAX_SWEEPS: usize = 60;
/// Columns whose cosine is below this are orthogonal.
const ORTHOGONAL: f64 = 1e-16;

/// `A = U diag(s) V^T` of an `m x n` matrix, the largest singular value first.
#[derive(Clone, Debug, PartialEq)]
pub struct SingularValues {
    /// Singular values, `n` of them.
    pub values: Vec<f64>,
    /// Columns of `U diag(s)`: left vectors times singular values.
    left: Vec<Vec<f64>>,
    /// Columns of `V`.
    right: Vec<Vec<f64>>,
}

impl SingularValues {
    /// Decomposes `a` (row by row, `n` columns).
    pub fn new(a: &[f64], n: usize) -> Self {
        let mut left: Vec<Vec<f64>> = (0..n).map(|j| a.iter().skip(j).step_by(n.max(1)).copied().collect()).collect();
        let mut right: Vec<Vec<f64>> =
            (0..n).map(|j| (0..n).map(|i| if i == j { 1.0 } else { 0.0 }).collect()).collect();
        for _ in 0..MAX_SWEEPS {
            let mut is_done = true;
            for i in 0..n {
                for j in i + 1..n {
                    is_done &= rotate(&mut left, &mut right, i, j);
                }
            }
            if is_done {
                break;
            }
        }
        let norm = |column: &[f64]| dot(column, column).sqrt();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&i, &j| norm(&left[j]).total_cmp(&norm(&left[i])));
        let values = order.iter().map(|&k| norm(&left[k])).collect();
        let pick = |columns: &[Vec<f64>]| order.iter().map(|&k| columns[k].clone()).collect();
        Self { values, left: pick(&left), right: pick(&right) }
    }

    /// Number of singular values above `tolerance` times the largest.
    pub fn rank(&self, tolerance: f64) -> usize {
        let largest = self.values.first().copied().unwrap_or(0.0);
        self.values.iter().filter(|&&value| value > tolerance * largest).count()
    }

    /// Right vector `k`.
    pub fn right(&self, k: usize) -> &[f64] {
        &self.right[k]
    }

    /// Left vector `k`; its singular value must not vanish.
    pub fn left(&self, k: usize) -> Vec<f64> {
        self.left[k].iter().map(|value| value / self.values[k]).collect()
    }

    /// The shortest `x` that makes `A x - b` smallest; singular values below `tolerance` times the largest are zero.
    pub fn solve(&self, b: &[f64], tolerance: f64) -> Vec<f64> {
        let mut x = vec![0.0; self.right.len()];
        for k in 0..self.rank(tolerance) {
            let factor = dot(&self.left[k], b) / (self.values[k] * self.values[k]);
            x.iter_mut().zip(&self.right[k]).for_each(|(x, v)| *x += factor * v);
        }
        x
    }
}

/// Makes two columns orthogonal; true if they were.
fn rotate(left: &mut [Vec<f64>], right: &mut [Vec<f64>], i: usize, j: usize) -> bool {
    let (alpha, beta) = (dot(&left[i], &left[i]), dot(&left[j], &left[j]));
    let gamma = dot(&left[i], &left[j]);
    if gamma == 0.0 || gamma.abs() <= ORTHOGONAL * (alpha * beta).sqrt() {
        return true;
    }
    let zeta = (beta - alpha) / (2.0 * gamma);
    let t = 1.0_f64.copysign(zeta) / (zeta.abs() + 1.0_f64.hypot(zeta));
    let c = 1.0 / 1.0_f64.hypot(t);
    let s = c * t;
    for columns in [left, right] {
        let (low, high) = columns.split_at_mut(j);
        for (a, b) in low[i].iter_mut().zip(high[0].iter_mut()) {
            (*a, *b) = (c * *a - s * *b, s * *a + c * *b);
        }
    }
    false
}
