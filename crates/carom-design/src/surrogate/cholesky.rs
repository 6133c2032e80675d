//! `A = L L^T` of a positive definite matrix, by rows.

/// The factor, row by row; its upper half is zero.
#[derive(Clone, Debug)]
pub(super) struct Cholesky {
    n: usize,
    l: Vec<f64>,
}

impl Cholesky {
    /// Factorises; nothing if the matrix is not positive definite.
    pub fn new(mut a: Vec<f64>, n: usize) -> Option<Self> {
        for i in 0..n {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
                let rest = a[i * n + j] - known;
                if i > j {
                    a[i * n + j] = rest / a[j * n + j];
                } else if rest > 0.0 && rest.is_finite() {
                    a[i * n + i] = rest.sqrt();
                } else {
                    return None;
                }
            }
        }
        Some(Self { n, l: a })
    }

    /// `L^-1 b`
    pub fn forward(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for i in 0..self.n {
            let row = &self.l[i * self.n..i * self.n + i];
            let known: f64 = row.iter().zip(&x).map(|(l, x)| l * x).sum();
            x[i] = (x[i] - known) / self.l[i * self.n + i];
        }
        x
    }

    /// `L^-T b`
    pub fn backward(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for i in (0..self.n).rev() {
            x[i] /= self.l[i * self.n + i];
            for j in 0..i {
                x[j] -= self.l[i * self.n + j] * x[i];
            }
        }
        x
    }

    /// `A^-1 b`
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        self.backward(&self.forward(b))
    }

    /// Logarithm of the determinant of `A`.
    pub fn log_determinant(&self) -> f64 {
        2.0 * (0..self.n).map(|i| self.l[i * self.n + i].ln()).sum::<f64>()
    }
}
