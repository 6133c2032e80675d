//! The normal form and the global projection (section III).
//!
//! With the gap itself as the first coordinate, `Psi(q) = (phi, q^2, ..., q^n)`, the feasible set is a half space and
//!
//! ```text
//! z^1 -> -z^1,      z^i -> z^i - 2 z^1 / (1 + k (z^1)^2) Delta_i          (14), (15)
//! Delta_i = (Mbar^-1)_i1 / (Mbar^-1)_11 = (M^-1 phi'^T)_i / (phi' M^-1 phi'^T)     (16)
//! ```
//!
//! is the identity on the boundary and has the elastic reflection as its Jacobian there, (13). It is invertible if
//! `k > sup |Lambda|^2`, `Lambda = d Delta/d(q^2, ..., q^n)` with the gap held (Lemma 1; that the supremum is finite
//! must be asked for, continuity is not enough). The bound is found by interval arithmetic, with derivatives along the
//! gap written in the coordinates of the system,
//!
//! ```text
//! d/d zbar^j = d/d q^j - (phi_j / phi_1) d/d q^1.
//! ```

use super::bound::Bound;
use super::error::ProjectionError;
use super::implicit::Root;
use super::monotonic::Monotonic;
use super::simple::Simple;
use carom_expr::{Graph, Id, Supremum};

/// The normal form of a system.
#[derive(Clone, Debug)]
pub struct NormalForm {
    /// The coordinate that the gap replaces.
    pub monotonic: Monotonic,
    /// Coordinates `(phi, q^2, ...)` as expressions; the gap comes first.
    pub psi: Vec<Id>,
    /// `Mbar = Psi'^-T M Psi'^-1`, row by row, as expressions of the coordinates of the system.
    pub mass: Vec<Id>,
    /// `Delta`, one for each coordinate but the first.
    pub delta: Vec<Id>,
    /// `Lambda`, row by row.
    pub lambda: Vec<Id>,
    /// What is known of `sup |Lambda|`.
    pub supremum: Supremum,
    /// The constant `k`.
    pub k: f64,
    /// Numbers of the coordinates that stay, in order.
    pub others: Vec<usize>,
}

impl NormalForm {
    /// The normal form with respect to a coordinate; `k` is chosen if it is not given.
    pub(super) fn new(
        simple: &mut Simple,
        monotonic: Monotonic,
        k: Option<f64>,
        limits: &[Option<[f64; 2]>],
    ) -> Result<Self, ProjectionError> {
        let (n, first) = (simple.dimension(), monotonic.coordinate);
        let others: Vec<usize> = (0..n).filter(|&i| i != first).collect();
        let graph = &mut simple.graph;
        let slopes = graph.gradient(simple.gap, &simple.u);
        let delta = delta(graph, &simple.mass, &slopes, &others);
        let lambda = lambda(graph, &delta, &simple.u, &slopes, (first, &others));
        let mass = transformed(graph, &simple.mass, &slopes, (first, &others));
        let psi = [simple.gap].into_iter().chain(others.iter().map(|&i| simple.u[i])).collect();
        let bound = Bound::new(simple, &lambda, others.len(), limits)?;
        let k = bound.factor(simple, k)?;
        let supremum = bound.supremum;
        Ok(Self { monotonic, psi, mass, delta, lambda, supremum, k, others })
    }

    /// The smallest `k` that is known to do.
    pub fn least_k(&self) -> f64 {
        self.supremum.upper * self.supremum.upper
    }

    /// True if interval bounds prove that the projection can be inverted; within a domain, as far as images stay in it.
    pub fn is_proved(&self) -> bool {
        self.k > self.least_k() || self.least_k() == 0.0
    }

    /// Images of the coordinates that stay, for a gap `phi` and coordinates in whose terms `delta` is written, (15).
    pub(super) fn shifted(&self, graph: &mut Graph, gap: Id, stay: &[Id], delta: &[Id]) -> Vec<Id> {
        let square = graph.mul(gap, gap);
        let scaled = graph.scale(self.k, square);
        let one = graph.constant(1.0);
        let below = graph.add(one, scaled);
        let twice = graph.scale(2.0, gap);
        let share = graph.div(twice, below);
        let moved = |(&z, &delta): (&Id, &Id)| {
            let shift = graph.mul(share, delta);
            graph.sub(z, shift)
        };
        stay.iter().zip(delta).map(moved).collect()
    }

    /// The coordinate `q^1` at which the gap has the value `target`, the others being `stay`: a formula where the gap is
    /// linear, a root otherwise.
    pub(super) fn solved(&self, simple: &mut Simple, stay: &[Id], target: Id, root: &str) -> (Id, Option<Root>) {
        let Monotonic { coordinate, is_linear, .. } = self.monotonic;
        let variable = simple.u[coordinate];
        let slope = simple.graph.gradient(simple.gap, &[variable])[0];
        let graph = &mut simple.graph;
        let mut at: Vec<(Id, Id)> = self.others.iter().map(|&i| simple.u[i]).zip(stay.iter().copied()).collect();
        if is_linear {
            // The others may themselves depend on the coordinate that is solved for.
            let zero = graph.constant(0.0);
            let rest = graph.substitute(&[simple.gap], &[(variable, zero)])[0];
            let moved = graph.substitute(&[rest, slope], &at);
            let distance = graph.sub(target, moved[0]);
            return (graph.div(distance, moved[1]), None);
        }
        let unknown = graph.variable(root);
        at.push((variable, unknown));
        let moved = graph.substitute(&[simple.gap], &at)[0];
        let equation = graph.sub(moved, target);
        (unknown, Some(Root { variable: unknown, equation, coordinate }))
    }
}

/// (16)
fn delta(graph: &mut Graph, mass: &[Id], slopes: &[Id], others: &[usize]) -> Vec<Id> {
    let n = slopes.len();
    let (inverse, _) = graph.inverse(mass, n);
    let lifted: Vec<Id> = inverse.chunks(n).map(|row| graph.dot(row, slopes)).collect();
    let below = graph.dot(slopes, &lifted);
    let below = graph.collect(below);
    others.iter().map(|&i| graph.div(lifted[i], below)).collect()
}

/// `d Delta/d(q^2, ...)` with the gap held.
fn lambda(graph: &mut Graph, delta: &[Id], u: &[Id], slopes: &[Id], (first, others): (usize, &[usize])) -> Vec<Id> {
    let mut rows = Vec::new();
    for &entry in delta {
        let all = graph.gradient(entry, u);
        for &j in others {
            let ratio = graph.div(slopes[j], slopes[first]);
            let held = graph.mul(ratio, all[first]);
            rows.push(graph.sub(all[j], held));
        }
    }
    rows
}

/// `Mbar`: velocities are `q' = Psi'^-1 qbar'`, with `q^1' = (phi' - sum phi_j q^j') / phi_1`.
fn transformed(graph: &mut Graph, mass: &[Id], slopes: &[Id], (first, others): (usize, &[usize])) -> Vec<Id> {
    let n = slopes.len();
    let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
    // Columns of Psi'^-1.
    let mut columns = vec![vec![zero; n]; n];
    columns[0][first] = graph.div(one, slopes[first]);
    for (k, &j) in others.iter().enumerate() {
        let ratio = graph.div(slopes[j], slopes[first]);
        columns[k + 1][first] = graph.neg(ratio);
        columns[k + 1][j] = one;
    }
    let mut all = Vec::with_capacity(n * n);
    for left in &columns {
        for right in &columns {
            let lifted: Vec<Id> = mass.chunks(n).map(|row| graph.dot(row, right)).collect();
            let entry = graph.dot(left, &lifted);
            all.push(graph.collect(entry));
        }
    }
    all
}
