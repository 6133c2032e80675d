//! Hessians with exact sparsity, reverse over reverse.
//!
//! Variables often enter through few linear combinations `z = A x`: a discrete
//! Lagrangian sees its end points through their sum and their difference, a
//! chain of links its relative angles through their sums. Then
//!
//! ```text
//! f(x) = g(A x),     Hessian f = A^T (Hessian g) A,
//! ```
//!
//! and the Hessian of `g` is the smaller and sparser one. Of the two sweeps that
//! could give a mixed derivative, the longer is taken: it is needed anyway.

use crate::graph::{Graph, Id, Node};
use crate::jacobian::SparseMatrix;
use crate::op::{Binary, Unary};
use rustc_hash::FxHashMap;

impl Graph {
    /// Lower triangle (diagonal included) of the Hessian of `f`.
    pub fn hessian(&mut self, f: Id, variables: &[Id]) -> SparseMatrix {
        self.gradient_and_hessian(f, variables).1
    }

    /// The gradient, and the lower triangle (diagonal included) of the Hessian of `f`.
    pub fn gradient_and_hessian(&mut self, f: Id, variables: &[Id]) -> (Vec<Id>, SparseMatrix) {
        let inner = self.combinations(f, variables);
        let (slopes, second) = self.inner_derivatives(f, &inner);
        let gradient = self.pull_back(&inner, &slopes, variables);

        // A^T (H A), column by column.
        let rows: Vec<Vec<Id>> = second.iter().map(|row| self.pull_back(&inner, row, variables)).collect();
        let mut entries = Vec::new();
        for column in 0..variables.len() {
            let weights: Vec<Id> = rows.iter().map(|row| row[column]).collect();
            let below = self.pull_back(&inner, &weights, &variables[column..]);
            let nonzero = below.iter().enumerate().filter(|(_, id)| !self.is_zero(**id));
            entries.extend(nonzero.map(|(offset, &id)| (column + offset, column, id)));
        }
        entries.sort_unstable();
        (gradient, SparseMatrix { rows: variables.len(), columns: variables.len(), entries })
    }

    /// Gradient and Hessian by the combinations, as if they were variables.
    fn inner_derivatives(&mut self, f: Id, inner: &[Id]) -> (Vec<Id>, Vec<Vec<Id>>) {
        // They become variables for a while: simplification must not look inside them.
        let names: Vec<Id> = (0..inner.len()).map(|i| self.variable(&format!("[inner{i}]"))).collect();
        let pairs = |from: &[Id], to: &[Id]| from.iter().copied().zip(to.iter().copied()).collect::<Vec<_>>();
        let g = self.substitute(&[f], &pairs(inner, &names))[0];
        let slopes = self.gradient(g, &names);
        let second = self.symmetric_jacobian(&slopes, &names);
        let back = self.substitute(&[slopes, second.concat()].concat(), &pairs(&names, inner));
        let (slopes, second) = back.split_at(inner.len());
        (slopes.to_vec(), second.chunks(inner.len().max(1)).map(<[Id]>::to_vec).collect())
    }

    /// `A^T w`: the derivative of `sum_k w_k z_k` by `variables`, the weights held fixed.
    fn pull_back(&mut self, inner: &[Id], weights: &[Id], variables: &[Id]) -> Vec<Id> {
        let terms = inner.iter().copied().zip(weights.iter().copied());
        let terms: Vec<(Id, Id)> = terms.filter(|(_, weight)| !self.is_zero(*weight)).collect();
        self.weighted_gradient(&terms, variables)
    }

    /// The full derivative of a gradient, each mixed entry computed once.
    fn symmetric_jacobian(&mut self, slopes: &[Id], variables: &[Id]) -> Vec<Vec<Id>> {
        // Short sweeps first: each serves those variables that have had their turn.
        let mut order: Vec<usize> = (0..slopes.len()).collect();
        order.sort_by_cached_key(|&i| self.operation_count(&[slopes[i]]));
        let mut full = vec![vec![self.constant(0.0); slopes.len()]; slopes.len()];
        for (position, &row) in order.iter().enumerate() {
            let columns = &order[..=position];
            let by: Vec<Id> = columns.iter().map(|&column| variables[column]).collect();
            for (&column, entry) in columns.iter().zip(self.gradient(slopes[row], &by)) {
                (full[row][column], full[column][row]) = (entry, entry);
            }
        }
        full
    }

    /// The sums of variables through which `f` depends on them; the variables themselves if those are fewer.
    fn combinations(&self, f: Id, variables: &[Id]) -> Vec<Id> {
        let order = self.reachable(&[f]);
        let active = self.active(&order, variables);
        let mut linear: FxHashMap<Id, ()> = variables.iter().map(|&id| (id, ())).collect();
        let mut found: Vec<Id> = Vec::new();
        for &id in order.iter().filter(|id| active.contains_key(id)) {
            let operands = || self.node(id).operands().filter(|operand| active.contains_key(operand));
            if self.is_linear(id, &active) && operands().all(|operand| linear.contains_key(&operand)) {
                linear.insert(id, ());
            } else {
                found.extend(operands().filter(|operand| linear.contains_key(operand)));
            }
        }
        found.extend(linear.contains_key(&f).then_some(f));
        // Fixed factors stay outside.
        let mut found: Vec<Id> = found.into_iter().map(|id| self.without_factors(id, &active)).collect();
        found.sort_unstable();
        found.dedup();
        if found.len() > variables.len() { variables.to_vec() } else { found }
    }

    /// True for sums, differences and products with something that is held fixed.
    fn is_linear(&self, id: Id, active: &FxHashMap<Id, ()>) -> bool {
        match self.node(id) {
            Node::Unary(Unary::Neg, _) | Node::Binary(Binary::Add | Binary::Sub, ..) => true,
            Node::Binary(Binary::Mul, a, b) => active.contains_key(&a) != active.contains_key(&b),
            Node::Binary(Binary::Div, _, b) => !active.contains_key(&b),
            _ => false,
        }
    }

    fn without_factors(&self, mut id: Id, active: &FxHashMap<Id, ()>) -> Id {
        loop {
            id = match self.node(id) {
                Node::Unary(Unary::Neg, a) => a,
                Node::Binary(Binary::Mul | Binary::Div, a, _) if active.contains_key(&a) => a,
                Node::Binary(Binary::Mul, _, b) => b,
                _ => return id,
            };
        }
    }
}
