//! Matrices of expressions and Jacobians, with exact sparsity.
//!
//! An entry is stored if its expression is not identically zero; since the
//! graph folds zeros away, the pattern is exact by construction.

use crate::graph::{Graph, Id};

/// A sparse matrix of expressions, entries sorted by row, then column.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseMatrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) entries: Vec<(usize, usize, Id)>,
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
            let nonzero = gradient.iter().enumerate().filter(|(_, id)| !self.is_zero(**id));
            entries.extend(nonzero.map(|(column, &id)| (row, column, id)));
        }
        SparseMatrix { rows: results.len(), columns: variables.len(), entries }
    }
}
