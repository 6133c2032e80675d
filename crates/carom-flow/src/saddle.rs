//! The linear system of the equations of motion, in expressions.

use crate::equations::minus_product;
use crate::ldl::Ldl;
use carom_expr::{Graph, Id};

/// The matrix `K = [M H^T; G 0]`, `H` being the directions of the constraint forces.
pub(crate) enum Saddle {
    /// Solved through its Schur complement `S = G M^-1 G^T`.
    Schur { n: usize, mass: Ldl, jacobian: Vec<Id>, schur: Ldl },
    /// Solved by elimination where `H` is not `G` and `S = G M^-1 H^T` not symmetric.
    Friction { n: usize, mass: Ldl, jacobian: Vec<Id>, directions: Vec<Id>, schur: Elimination },
    /// Solved through its square `K^T K`, where the mass matrix cannot be eliminated in order: that is
    /// definite whenever `K` is regular.
    Square { n: usize, matrix: Vec<Id>, square: Ldl },
}

impl Saddle {
    /// Factors the matrix; all parts row by row.
    pub(crate) fn new(graph: &mut Graph, n: usize, entries: Vec<Id>, jacobian: Vec<Id>, directions: Vec<Id>) -> Self {
        let mass = Ldl::factor(graph, n, &entries);
        if !mass.is_regular() {
            return Self::square(graph, n, &entries, &jacobian, &directions);
        }
        let m = jacobian.len() / n;
        let lifted: Vec<Vec<Id>> = directions.chunks(n).map(|row| mass.solve(graph, row.to_vec())).collect();
        let mut schur = Vec::new();
        for row in jacobian.chunks(n) {
            schur.extend(lifted.iter().map(|column| graph.dot(row, column)));
        }
        if jacobian == directions {
            let schur = Ldl::factor(graph, m, &schur);
            return Self::Schur { n, mass, jacobian, schur };
        }
        let schur = Elimination::new(graph, m, schur);
        Self::Friction { n, mass, jacobian, directions, schur }
    }

    fn square(graph: &mut Graph, n: usize, mass: &[Id], jacobian: &[Id], directions: &[Id]) -> Self {
        let size = n + jacobian.len() / n;
        let zero = graph.constant(0.0);
        let entry = |i: usize, j: usize| match (i < n, j < n) {
            (true, true) => mass[i * n + j],
            (false, true) => jacobian[(i - n) * n + j],
            (true, false) => directions[(j - n) * n + i],
            (false, false) => zero,
        };
        // Columns of K are rows of its transpose.
        let matrix: Vec<Id> = (0..size * size).map(|k| entry(k % size, k / size)).collect();
        let row = |k: usize| &matrix[k * size..(k + 1) * size];
        let product: Vec<Id> = (0..size * size).map(|k| graph.dot(row(k / size), row(k % size))).collect();
        let square = Ldl::factor(graph, size, &product);
        Self::Square { n, matrix, square }
    }

    /// Accelerations and multipliers for `M a + H^T lambda = balance`, `G a = closure`.
    pub(crate) fn solve(&self, graph: &mut Graph, balance: Vec<Id>, closure: &[Id]) -> (Vec<Id>, Vec<Id>) {
        match self {
            Self::Square { n, matrix, square } => {
                let right = [&balance[..], closure].concat();
                let right = matrix.chunks(right.len()).map(|row| graph.dot(row, &right)).collect();
                let mut all = square.solve(graph, right);
                let lambda = all.split_off(*n);
                (all, lambda)
            }
            Self::Schur { mass, .. } if closure.is_empty() => (mass.solve(graph, balance), Vec::new()),
            Self::Schur { n, mass, jacobian, schur } => {
                let excess = excess(graph, mass, jacobian, &balance, closure, *n);
                let lambda = schur.solve(graph, excess);
                (forced(graph, mass, jacobian, balance, &lambda, *n), lambda)
            }
            Self::Friction { n, mass, jacobian, directions, schur } => {
                let excess = excess(graph, mass, jacobian, &balance, closure, *n);
                let lambda = schur.solve(graph, excess);
                (forced(graph, mass, directions, balance, &lambda, *n), lambda)
            }
        }
    }
}

/// `G M^-1 balance - closure`, the right-hand side of `S lambda`.
fn excess(graph: &mut Graph, mass: &Ldl, jacobian: &[Id], balance: &[Id], closure: &[Id], n: usize) -> Vec<Id> {
    let free = mass.solve(graph, balance.to_vec());
    let mut excess = Vec::new();
    for (row, &target) in jacobian.chunks(n).zip(closure) {
        let value = graph.dot(row, &free);
        excess.push(graph.sub(value, target));
    }
    excess
}

/// `M^-1 (balance - H^T lambda)`
fn forced(graph: &mut Graph, mass: &Ldl, directions: &[Id], balance: Vec<Id>, lambda: &[Id], n: usize) -> Vec<Id> {
    let mut rest = balance;
    for (row, &multiplier) in directions.chunks(n).zip(lambda) {
        for (value, &entry) in rest.iter_mut().zip(row) {
            *value = minus_product(graph, *value, entry, multiplier);
        }
    }
    mass.solve(graph, rest)
}

/// `A = L U` without pivoting, in expressions. A pivot that vanishes shows as a number that is not finite.
pub(crate) struct Elimination {
    n: usize,
    factors: Vec<Id>,
}

impl Elimination {
    fn new(graph: &mut Graph, n: usize, mut a: Vec<Id>) -> Self {
        for k in 0..n {
            for i in k + 1..n {
                a[i * n + k] = graph.div(a[i * n + k], a[k * n + k]);
                for j in k + 1..n {
                    a[i * n + j] = minus_product(graph, a[i * n + j], a[i * n + k], a[k * n + j]);
                }
            }
        }
        Self { n, factors: a }
    }

    fn solve(&self, graph: &mut Graph, mut b: Vec<Id>) -> Vec<Id> {
        let n = self.n;
        for i in 0..n {
            for j in 0..i {
                b[i] = minus_product(graph, b[i], self.factors[i * n + j], b[j]);
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                b[i] = minus_product(graph, b[i], self.factors[i * n + j], b[j]);
            }
            b[i] = graph.div(b[i], self.factors[i * n + i]);
        }
        b
    }
}
