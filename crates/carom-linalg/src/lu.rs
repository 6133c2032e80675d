//! LU factorisation with partial pivoting.

/// A pivot vanished: the matrix is singular to working precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Singular {
    /// The column without a pivot.
    pub column: usize,
}

/// Storage for the factors `P A = L U` of an `n` by `n` matrix, reused from solve to solve.
#[derive(Clone, Debug)]
pub struct Lu {
    n: usize,
    factors: Vec<f64>,
    pivots: Vec<usize>,
    /// Reciprocals of the diagonal of `U`.
    inverse: Vec<f64>,
}

impl Lu {
    /// Storage for matrices of `n` rows.
    pub fn new(n: usize) -> Self {
        Self { n, factors: vec![0.0; n * n], pivots: vec![0; n], inverse: vec![0.0; n] }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.n
    }

    /// True for the matrix without rows.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Factors the matrix `a` (row by row).
    pub fn factor(&mut self, a: &[f64]) -> Result<(), Singular> {
        self.factors.copy_from_slice(a);
        let n = self.n;
        for k in 0..n {
            let pivot = self.pivot_row(k);
            self.pivots[k] = pivot;
            if pivot != k {
                let (upper, lower) = self.factors.split_at_mut(pivot * n);
                upper[k * n..k * n + n].swap_with_slice(&mut lower[..n]);
            }
            let diagonal = self.factors[k * n + k];
            // Also refuses not-a-number.
            if !(diagonal.abs() > f64::MIN_POSITIVE && diagonal.is_finite()) {
                return Err(Singular { column: k });
            }
            self.inverse[k] = 1.0 / diagonal;
            let (upper, lower) = self.factors.split_at_mut((k + 1) * n);
            let pivot_line = &upper[k * n + k + 1..];
            for line in lower.chunks_exact_mut(n) {
                let factor = line[k] * self.inverse[k];
                line[k] = factor;
                for (value, pivot_value) in line[k + 1..].iter_mut().zip(pivot_line) {
                    *value -= factor * pivot_value;
                }
            }
        }
        Ok(())
    }

    /// Smallest pivot against the largest one: zero for a singular matrix.
    pub fn pivot_ratio(&self) -> f64 {
        let (least, most) = self.inverse.iter().fold((f64::INFINITY, 0.0_f64), |(least, most), inverse| {
            (least.min(inverse.abs()), most.max(inverse.abs()))
        });
        if most > 0.0 { least / most } else { 1.0 }
    }

    /// The row at or below `k` with the largest entry in column `k`.
    fn pivot_row(&self, k: usize) -> usize {
        let entry = |row: usize| self.factors[row * self.n + k].abs();
        (k + 1..self.n).fold(k, |best, row| if entry(row) > entry(best) { row } else { best })
    }

    /// Solves `A x = b` in place with the last factorisation.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for i in 1..n {
            let line = &self.factors[i * n..i * n + i];
            b[i] -= crate::dot(line, &b[..i]);
        }
        for i in (0..n).rev() {
            let line = &self.factors[i * n + i + 1..i * n + n];
            b[i] = (b[i] - crate::dot(line, &b[i + 1..n])) * self.inverse[i];
        }
    }

    /// Solves `A^T x = b` in place with the last factorisation.
    pub fn solve_transposed(&self, b: &mut [f64]) {
        let n = self.n;
        // U^T y = b, then L^T z = y, column by column of the transposes.
        for i in 0..n {
            b[i] *= self.inverse[i];
            let (head, tail) = b.split_at_mut(i + 1);
            let line = &self.factors[i * n + i + 1..i * n + n];
            tail.iter_mut().zip(line).for_each(|(value, entry)| *value -= head[i] * entry);
        }
        for i in (1..n).rev() {
            let (head, tail) = b.split_at_mut(i);
            let line = &self.factors[i * n..i * n + i];
            head.iter_mut().zip(line).for_each(|(value, entry)| *value -= tail[0] * entry);
        }
        for k in (0..n).rev() {
            b.swap(k, self.pivots[k]);
        }
    }
}
