//! Orthonormal bases of the row space and of the null space of a wide matrix,
//! by Householder reflections with column pivoting on its transpose.

/// Bases computed from an `m` by `n` matrix `G` with `m <= n`.
#[derive(Clone, Debug)]
pub struct RangeNull {
    n: usize,
    rank: usize,
    /// Row `i` is basis vector `i`: the first `rank` span the row space of `G`, the rest its null space.
    basis: Vec<f64>,
}

impl RangeNull {
    /// Decomposes `g` (row by row, `n` columns). Singular values below
    /// `tolerance` times the largest row count as zero.
    pub fn new(g: &[f64], n: usize, tolerance: f64) -> Self {
        let mut rows: Vec<Vec<f64>> = g.chunks_exact(n.max(1)).map(<[f64]>::to_vec).collect();
        let largest = rows.iter().map(|row| norm(row)).fold(0.0, f64::max);
        let mut reflectors: Vec<Vec<f64>> = Vec::new();
        // Take the row with the longest remainder, reflect it onto the next axis.
        while reflectors.len() < rows.len().min(n) {
            let k = reflectors.len();
            let remainder = |row: &Vec<f64>| norm(&row[k..]);
            let longest = (k..rows.len()).max_by(|&a, &b| remainder(&rows[a]).total_cmp(&remainder(&rows[b])));
            let Some(pivot) = longest.filter(|&row| remainder(&rows[row]) > tolerance * largest) else { break };
            rows.swap(k, pivot);
            let reflector = householder(&rows[k], k);
            rows.iter_mut().skip(k).for_each(|row| reflect(&reflector, row));
            reflectors.push(reflector);
        }
        let mut basis = vec![0.0; n * n];
        for (i, line) in basis.chunks_exact_mut(n.max(1)).enumerate() {
            line[i] = 1.0;
            reflectors.iter().rev().for_each(|reflector| reflect(reflector, line));
        }
        Self { n, rank: reflectors.len(), basis }
    }

    /// Number of linearly independent rows.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Orthonormal rows that span the row space of `G`.
    pub fn range(&self) -> &[f64] {
        &self.basis[..self.rank * self.n]
    }

    /// Orthonormal rows that span the null space `{v : G v = 0}`: the transpose of a null-space matrix `P`.
    pub fn null_space(&self) -> &[f64] {
        &self.basis[self.rank * self.n..]
    }
}

/// Number of linearly independent rows of a matrix with `n` columns.
pub fn rank(g: &[f64], n: usize, tolerance: f64) -> usize {
    RangeNull::new(g, n, tolerance).rank()
}

/// Rows that depend linearly on those before (Gram-Schmidt): what is left of them is below `tolerance`.
pub fn dependent_rows<'a>(rows: impl IntoIterator<Item = &'a [f64]>, tolerance: f64) -> Vec<usize> {
    let (mut basis, mut dependent): (Vec<Vec<f64>>, Vec<usize>) = (Vec::new(), Vec::new());
    for (index, row) in rows.into_iter().enumerate() {
        let mut rest = row.to_vec();
        for direction in &basis {
            let along = crate::dot(&rest, direction);
            rest.iter_mut().zip(direction).for_each(|(value, unit)| *value -= along * unit);
        }
        let length = norm(&rest);
        if length <= tolerance * norm(row) {
            dependent.push(index);
        } else {
            rest.iter_mut().for_each(|value| *value /= length);
            basis.push(rest);
        }
    }
    dependent
}

fn norm(v: &[f64]) -> f64 {
    crate::dot(v, v).sqrt()
}

/// The unit vector `u` whose reflection `1 - 2 u u^T` sends `row[k..]` to a multiple of the first axis.
fn householder(row: &[f64], k: usize) -> Vec<f64> {
    let mut u = row.to_vec();
    u[..k].fill(0.0);
    let length = norm(&u);
    u[k] += if u[k] < 0.0 { -length } else { length };
    let scale = 1.0 / norm(&u);
    u.iter_mut().for_each(|value| *value *= scale);
    u
}

fn reflect(u: &[f64], v: &mut [f64]) {
    let twice = 2.0 * crate::dot(u, v);
    v.iter_mut().zip(u).for_each(|(value, direction)| *value -= twice * direction);
}
