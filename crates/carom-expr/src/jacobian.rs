//! Jacobians and Hessians with exact sparsity.
//!
//! An entry is stored if its expression is not identically zero; since the
//! graph folds zeros away, the pattern is exact by construction.

use crate::graph::{Graph, Id};

/// A sparse matrix of expressions, entries sorted by row, then column.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseMatrix {
    rows: usize,
    columns: usize,
    entries: Vec<(usize, usize, Id)>,
}

impl SparseMatrix {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The structurally nonzero entries `(row, column, expression)`.
    pub fn entries(&self) -> &[(usize, usize, Id)] {
        &self.entries
    }

    /// The expressions alone, in the order of [`Self::entries`].
    pub fn expressions(&self) -> Vec<Id> {
        self.entries.iter().map(|entry| entry.2).collect()
    }

    /// The pattern alone, in the order of [`Self::entries`].
    pub fn pattern(&self) -> Vec<(usize, usize)> {
        self.entries.iter().map(|entry| (entry.0, entry.1)).collect()
    }

    /// All entries, row by row, zeros written out.
    pub fn dense(&self, graph: &mut Graph) -> Vec<Id> {
        let mut full = vec![graph.constant(0.0); self.rows * self.columns];
        for &(row, column, id) in &self.entries {
            full[row * self.columns + column] = id;
        }
        full
    }
}

impl Graph {
    /// Jacobian `d results_i / d variables_j`, one reverse sweep per result.
    pub fn jacobian(&mut self, results: &[Id], variables: &[Id]) -> SparseMatrix {
        let mut entries = Vec::new();
        for (row, &result) in results.iter().enumerate() {
            let gradient = self.gradient(result, variables);
            entries.extend(self.nonzeros(row, 0, &gradient));
        }
        SparseMatrix { rows: results.len(), columns: variables.len(), entries }
    }

    /// Lower triangle (diagonal included) of the Hessian of `f`, reverse over reverse.
    pub fn hessian(&mut self, f: Id, variables: &[Id]) -> SparseMatrix {
        let gradient = self.gradient(f, variables);
        self.hessian_of_gradient(&gradient, variables)
    }

    /// Lower triangle of the Hessian whose gradient is known already.
    pub fn hessian_of_gradient(&mut self, gradient: &[Id], variables: &[Id]) -> SparseMatrix {
        let mut entries = Vec::new();
        for (row, &slope) in gradient.iter().enumerate() {
            let second = self.gradient(slope, &variables[..=row]);
            entries.extend(self.nonzeros(row, 0, &second));
        }
        SparseMatrix { rows: gradient.len(), columns: variables.len(), entries }
    }

    fn nonzeros(&self, row: usize, first: usize, line: &[Id]) -> Vec<(usize, usize, Id)> {
        let kept = line.iter().enumerate().filter(|(_, id)| !self.is_zero(**id));
        kept.map(|(column, &id)| (row, first + column, id)).collect()
    }
}
