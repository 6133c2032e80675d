//! Symbolic factorisation `A = L D L^T` of a symmetric matrix of expressions.
//!
//! Mass matrices and Schur complements are mostly definite, and then no pivoting
//! is needed. A pivot that vanishes identically is noticed ([`Ldl::is_regular`]);
//! one that vanishes in some state shows as a number that is not finite, and is
//! reported as such where it appears.

use carom_expr::{Graph, Id};

/// The factors: `lower` row by row below the diagonal, and the reciprocals of `D`.
pub(crate) struct Ldl {
    n: usize,
    lower: Vec<Id>,
    inverse: Vec<Id>,
    is_regular: bool,
}

impl Ldl {
    /// Factors the matrix `a` (row by row; its lower triangle is read).
    pub(crate) fn factor(graph: &mut Graph, n: usize, a: &[Id]) -> Self {
        let zero = graph.constant(0.0);
        let one = graph.constant(1.0);
        let mut lower = vec![zero; n * n];
        let (mut inverse, mut is_regular) = (Vec::with_capacity(n), true);
        for i in 0..n {
            // Row i of L D, then of L.
            let mut scaled = Vec::with_capacity(i);
            for j in 0..i {
                let mut value = a[i * n + j];
                for (k, &left) in scaled.iter().enumerate() {
                    let product = graph.mul(left, lower[j * n + k]);
                    value = graph.sub(value, product);
                }
                scaled.push(value);
            }
            let mut pivot = a[i * n + i];
            for (j, &left) in scaled.iter().enumerate() {
                lower[i * n + j] = graph.mul(left, inverse[j]);
                let product = graph.mul(left, lower[i * n + j]);
                pivot = graph.sub(pivot, product);
            }
            is_regular &= !graph.is_zero(pivot);
            inverse.push(graph.div(one, pivot));
        }
        Self { n, lower, inverse, is_regular }
    }

    /// False if a pivot is identically zero.
    pub(crate) fn is_regular(&self) -> bool {
        self.is_regular
    }

    /// Solves `A x = b`.
    pub(crate) fn solve(&self, graph: &mut Graph, mut b: Vec<Id>) -> Vec<Id> {
        let n = self.n;
        for i in 0..n {
            for j in 0..i {
                let product = graph.mul(self.lower[i * n + j], b[j]);
                b[i] = graph.sub(b[i], product);
            }
        }
        for (value, &inverse) in b.iter_mut().zip(&self.inverse) {
            *value = graph.mul(*value, inverse);
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                let product = graph.mul(self.lower[j * n + i], b[j]);
                b[i] = graph.sub(b[i], product);
            }
        }
        b
    }
}
