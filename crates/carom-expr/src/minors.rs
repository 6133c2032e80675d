//! Minors of matrices of expressions: determinants, inverses and annihilators without a division.
//!
//! Elimination divides by pivots, which may vanish where the matrix is regular (`cos(theta)` in a
//! rotation). Expansion by minors does not divide:
//!
//! ```text
//! det A = sum_j (-1)^j a_0j det A^(0j),        A^-1 = adj A / det A.
//! ```
//!
//! Minors over the same columns are shared, so that a determinant of `n` rows costs `n 2^n` products at most, an
//! inverse `n^2` times as much, and the zeros of sparse matrices cost nothing. Meant for the few dimensions of a
//! mechanical system: callers bound the size.

use crate::graph::{Graph, Id};
use std::collections::HashMap;

/// Columns are kept as bits of a word.
const MAX_COLUMNS: usize = 64;

impl Graph {
    /// The minor of rows `0 .. columns.len()` of a matrix (row by row, `n` columns) over `columns`, which
    /// ascend.
    ///
    /// # Panics
    /// If there are more than 64 columns.
    pub fn minor(&mut self, matrix: &[Id], n: usize, columns: &[usize]) -> Id {
        assert!(n <= MAX_COLUMNS, "a matrix of {n} columns is too wide for an expansion by minors");
        let set = columns.iter().fold(0u64, |set, &column| set | 1 << column);
        expand(self, matrix, n, 0, set, &mut HashMap::new())
    }

    /// The inverse of a square matrix (row by row), and its determinant.
    pub fn inverse(&mut self, matrix: &[Id], n: usize) -> (Vec<Id>, Id) {
        let all: Vec<usize> = (0..n).collect();
        let determinant = self.minor(matrix, n, &all);
        let determinant = self.collect(determinant);
        let mut inverse = vec![determinant; n * n];
        for row in 0..n {
            let rest: Vec<Id> =
                (0..n).filter(|&i| i != row).flat_map(|i| matrix[i * n..(i + 1) * n].to_vec()).collect();
            for column in 0..n {
                let others: Vec<usize> = all.iter().copied().filter(|&j| j != column).collect();
                let cofactor = self.minor(&rest, n, &others);
                let cofactor = self.collect(cofactor);
                let cofactor = if (row + column) % 2 == 0 { cofactor } else { self.neg(cofactor) };
                inverse[column * n + row] = self.div(cofactor, determinant);
            }
        }
        (inverse, determinant)
    }

    /// `n - r` rows that annihilate the `r` rows of a matrix of `n` columns: of vector fields these are
    /// one-forms, of one-forms these are vector fields. They are independent where the minor over the `r`
    /// columns `pivots` does not vanish.
    ///
    /// The row that belongs to a column `j` outside the pivots is the expansion of the minor over
    /// `pivots + j`, in which a row that repeats one of the matrix would give zero.
    pub fn annihilator(&mut self, matrix: &[Id], n: usize, pivots: &[usize]) -> Vec<Id> {
        let mut rows = Vec::new();
        for column in (0..n).filter(|column| !pivots.contains(column)) {
            let mut columns: Vec<usize> = pivots.iter().copied().chain([column]).collect();
            columns.sort_unstable();
            let place = columns.iter().position(|&c| c == column).unwrap_or_default();
            let mut row = vec![self.constant(0.0); n];
            for (i, &at) in columns.iter().enumerate() {
                let others: Vec<usize> = columns.iter().copied().filter(|&c| c != at).collect();
                let minor = self.minor(matrix, n, &others);
                // The entry of the column itself is the minor over the pivots, with a plus.
                row[at] = if (i + place) % 2 == 0 { minor } else { self.neg(minor) };
            }
            rows.extend(row);
        }
        rows
    }
}

/// The minor of the rows from `row` on over the columns of `set`.
fn expand(graph: &mut Graph, matrix: &[Id], n: usize, row: usize, set: u64, known: &mut HashMap<u64, Id>) -> Id {
    if set == 0 {
        return graph.constant(1.0);
    }
    if let Some(&minor) = known.get(&set) {
        return minor;
    }
    let columns = (0..n).filter(|column| set >> column & 1 == 1);
    let mut sum = graph.constant(0.0);
    for (place, column) in columns.enumerate() {
        let entry = matrix[row * n + column];
        if graph.is_zero(entry) {
            continue;
        }
        let rest = expand(graph, matrix, n, row + 1, set & !(1 << column), known);
        let term = graph.mul(entry, rest);
        sum = if place % 2 == 0 { graph.add(sum, term) } else { graph.sub(sum, term) };
    }
    known.insert(set, sum);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(graph: &mut Graph, values: &[f64]) -> Vec<Id> {
        values.iter().map(|&value| graph.constant(value)).collect()
    }

    #[test]
    fn inverse_of_a_matrix_of_numbers() {
        let mut graph = Graph::new();
        let a = numbers(&mut graph, &[2.0, 1.0, 0.0, 0.0, 3.0, 4.0, 5.0, 0.0, 1.0]);
        let (inverse, determinant) = graph.inverse(&a, 3);
        assert_eq!(graph.value(determinant), Some(26.0));
        let product = |i: usize, j: usize| -> f64 {
            let value = |id: Id| graph.value(id).unwrap_or(f64::NAN);
            (0..3).map(|k| value(a[i * 3 + k]) * value(inverse[k * 3 + j])).sum()
        };
        for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
            assert!((product(i, j) - f64::from(u8::from(i == j))).abs() < 1e-15);
        }
    }

    #[test]
    fn annihilators_annihilate_and_are_independent() {
        let mut graph = Graph::new();
        let rows = numbers(&mut graph, &[1.0, 2.0, 0.5, -1.0, 0.0, 3.0, 1.0, 2.0]);
        for pivots in [[0, 1], [1, 3], [0, 2]] {
            let forms = graph.annihilator(&rows, 4, &pivots);
            let value = |id: &Id| graph.value(*id).unwrap_or(f64::NAN);
            for (form, row) in forms.chunks(4).flat_map(|form| rows.chunks(4).map(move |row| (form, row))) {
                let sum: f64 = form.iter().zip(row).map(|(a, b)| value(a) * value(b)).sum();
                assert!(sum.abs() < 1e-15, "{sum}");
            }
            let minor = graph.minor(&rows, 4, &pivots);
            let free: Vec<usize> = (0..4).filter(|c| !pivots.contains(c)).collect();
            assert_eq!(forms[free[0]], minor);
            assert_eq!(forms[4 + free[1]], minor);
        }
    }
}
