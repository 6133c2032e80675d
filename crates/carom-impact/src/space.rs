//! An impact as the contacts see it.
//!
//! With rows `D` (gradients of gaps and tangents) and constraints `A v = 0`, impulses `Lambda` change
//! the velocity by
//!
//! ```text
//! M dv = D^T Lambda + A^T kappa,    A dv = 0,    so that    D v+ = D v- + W Lambda,
//! ```
//!
//! `W = D M_c^-1 D^T` being Delassus' matrix and `M_c^-1` the inverse of the mass matrix on the
//! constraints. `M_c^-1 D^T` is what the projections `Q_N`, `Q_S` of Pekarek (2010), 2.4, are made of.

use carom_linalg::{Lu, Singular, dot};

/// Rows, their lifts `M_c^-1 D^T`, and Delassus' matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactSpace {
    n: usize,
    /// The rows of `D`.
    pub rows: Vec<f64>,
    /// The columns of `M_c^-1 D^T`, one after the other.
    pub lifted: Vec<f64>,
    /// `W`, row by row.
    pub w: Vec<f64>,
}

impl ContactSpace {
    /// Lifts `rows` with the mass matrix and the constraint Jacobian, all row by row with `n` columns.
    pub fn new(n: usize, mass: &[f64], constraints: &[f64], rows: Vec<f64>) -> Result<Self, Singular> {
        let saddle = Saddle::new(n, mass, constraints)?;
        let lifted: Vec<f64> = rows.chunks_exact(n).flat_map(|row| saddle.lift(row)).collect();
        Ok(Self::with_lifts(n, rows, lifted))
    }

    /// Rows whose lifts are known.
    pub(crate) fn with_lifts(n: usize, rows: Vec<f64>, lifted: Vec<f64>) -> Self {
        let mut w = Vec::new();
        for row in rows.chunks_exact(n) {
            w.extend(lifted.chunks_exact(n).map(|column| dot(row, column)));
        }
        Self { n, rows, lifted, w }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len() / self.n.max(1)
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// `D v`
    pub fn rates(&self, v: &[f64]) -> Vec<f64> {
        self.rows.chunks_exact(self.n).map(|row| dot(row, v)).collect()
    }

    /// The entry `W_ij`.
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        self.w[i * self.len() + j]
    }

    /// Adds `M_c^-1 D^T Lambda` to a velocity.
    pub fn apply(&self, impulses: &[f64], v: &mut [f64]) {
        for (column, impulse) in self.lifted.chunks_exact(self.n).zip(impulses) {
            v.iter_mut().zip(column).for_each(|(value, direction)| *value += impulse * direction);
        }
    }

    /// The part of the space that belongs to some of the rows.
    pub fn part(&self, chosen: &[usize]) -> Self {
        let pick = |all: &[f64]| chosen.iter().flat_map(|&i| all[i * self.n..(i + 1) * self.n].to_vec()).collect();
        let w = chosen.iter().flat_map(|&i| chosen.iter().map(move |&j| self.entry(i, j))).collect();
        Self { n: self.n, rows: pick(&self.rows), lifted: pick(&self.lifted), w }
    }
}

/// The matrix `[M A^T; A 0]`, factored.
pub struct Saddle {
    n: usize,
    size: usize,
    lu: Lu,
}

impl Saddle {
    /// Factors the matrix of a mass matrix and a constraint Jacobian.
    pub fn new(n: usize, mass: &[f64], constraints: &[f64]) -> Result<Self, Singular> {
        let m = constraints.len() / n.max(1);
        let size = n + m;
        let mut matrix = vec![0.0; size * size];
        for i in 0..n {
            matrix[i * size..i * size + n].copy_from_slice(&mass[i * n..(i + 1) * n]);
            for k in 0..m {
                matrix[i * size + n + k] = constraints[k * n + i];
                matrix[(n + k) * size + i] = constraints[k * n + i];
            }
        }
        let mut lu = Lu::new(size);
        lu.factor(&matrix)?;
        Ok(Self { n, size, lu })
    }

    /// `M_c^-1 f` for a covector `f`.
    pub fn lift(&self, covector: &[f64]) -> Vec<f64> {
        let mut unknowns = vec![0.0; self.size];
        unknowns[..self.n].copy_from_slice(covector);
        self.lu.solve(&mut unknowns);
        unknowns.truncate(self.n);
        unknowns
    }
}
