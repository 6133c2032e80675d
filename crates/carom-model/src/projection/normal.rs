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

use super::domain::Domain;
use super::error::ProjectionError;
use super::implicit::Root;
use super::monotonic::Monotonic;
use super::simple::Simple;
use carom_expr::{Graph, Id, Interval, Supremum, SupremumOptions, Unary, supremum};

/// `k` is so many times the least possible one, if it is to be chosen.
const MARGIN: f64 = 2.0;
/// A bound that is only sampled is doubled.
const SAMPLED: f64 = 2.0;
/// Where no bound is proved, values within these distances are compared.
const FAR: [f64; 2] = [1e2, 1e4];
/// Values farther out may be larger by this factor, to what sampling can tell.
const GROWTH: f64 = 1.05;
/// Parts into which the boxes of that comparison are divided.
const SAMPLED_BOXES: usize = 5_000;

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
        let supremum = largest(simple, &lambda, others.len(), limits)?;
        let k = factor(simple, &supremum, k)?;
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

/// Bounds of `sup |Lambda|`: by its one entry, by the eigenvalue of two rows, or by the sum of squares of more.
fn largest(
    simple: &mut Simple,
    lambda: &[Id],
    size: usize,
    limits: &[Option<[f64; 2]>],
) -> Result<Supremum, ProjectionError> {
    let graph = &mut simple.graph;
    let entries: Vec<Id> = lambda.iter().copied().filter(|&entry| !graph.is_zero(entry)).collect();
    let square = if size == 2 && entries.len() > 1 { spectral(graph, lambda) } else { graph.dot(&entries, &entries) };
    let domain = Domain::limited(graph, &entries, &simple.u, limits);
    let within = |graph: &Graph, ranges: &[Interval], max_boxes: usize| -> Result<Supremum, ProjectionError> {
        let options = SupremumOptions { max_boxes, ..SupremumOptions::default() };
        let found = supremum(graph, square, &domain.variables, ranges, options)?;
        Ok(Supremum { lower: found.lower.max(0.0).sqrt(), upper: found.upper.max(0.0).sqrt(), ..found })
    };
    let found = within(graph, &domain.ranges, SupremumOptions::default().max_boxes)?;
    if found.upper.is_finite() {
        return Ok(found);
    }
    // No bound was proved: farther out there should be no larger values.
    let [near, far] = FAR.map(|distance| {
        let cut = |range: &Interval| Interval::new(range.lo.max(-distance), range.hi.min(distance));
        within(graph, &domain.ranges.iter().map(cut).collect::<Vec<_>>(), SAMPLED_BOXES)
    });
    let (near, far) = (near?, far?);
    let grows = far.lower > GROWTH * near.lower || found.lower > GROWTH * far.lower;
    if grows || !far.lower.is_finite() {
        let worst = if found.lower > far.lower { found } else { far };
        return Err(ProjectionError::Unbounded { value: worst.lower, point: simple.point(&worst.at) });
    }
    Ok(found)
}

/// The largest eigenvalue of `Lambda^T Lambda` for two rows: `(t + sqrt((a - d)^2 + 4 b^2)) / 2`.
fn spectral(graph: &mut Graph, lambda: &[Id]) -> Id {
    let column = |k: usize| [lambda[k], lambda[2 + k]];
    let a = graph.dot(&column(0), &column(0));
    let b = graph.dot(&column(0), &column(1));
    let d = graph.dot(&column(1), &column(1));
    let (sum, difference) = (graph.add(a, d), graph.sub(a, d));
    let twice = graph.scale(2.0, b);
    let square = graph.dot(&[difference, twice], &[difference, twice]);
    let root = graph.unary(Unary::Sqrt, square);
    let both = graph.add(sum, root);
    graph.scale(0.5, both)
}

/// The constant `k`, chosen or checked.
fn factor(simple: &Simple, supremum: &Supremum, given: Option<f64>) -> Result<f64, ProjectionError> {
    let Supremum { lower, at, upper, .. } = supremum;
    let bound = if upper.is_finite() { *upper } else { SAMPLED * lower };
    let Some(k) = given else {
        return Ok(if bound > 0.0 { MARGIN * bound * bound } else { 1.0 });
    };
    let is_number = k.is_finite() && k > 0.0;
    if !is_number || k <= lower * lower {
        let (value, point) = (*lower, simple.point(at));
        return Err(ProjectionError::SmallFactor { k, value, point, bound: lower * lower });
    }
    Ok(k)
}
