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
use carom_expr::{Graph, Id, Supremum, SupremumOptions, Unary, supremum};

/// `k` is so many times the least possible one, if it is to be chosen.
const MARGIN: f64 = 2.0;
/// A bound that is only sampled is doubled.
const SAMPLED: f64 = 2.0;
/// Suprema that are reached farther out than this are not reached.
const FAR: f64 = 1e4;

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

    /// True if interval bounds prove that the projection can be inverted.
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

/// Bounds of `sup |Lambda|`: exact for one entry, by the sum of squares for more.
fn largest(
    simple: &mut Simple,
    lambda: &[Id],
    size: usize,
    limits: &[Option<[f64; 2]>],
) -> Result<Supremum, ProjectionError> {
    let graph = &mut simple.graph;
    let entries: Vec<Id> = lambda.iter().copied().filter(|&entry| !graph.is_zero(entry)).collect();
    let domain = Domain::limited(graph, &entries, &simple.u, limits);
    let options = SupremumOptions::default();
    let sup = |graph: &Graph, f: Id| supremum(graph, f, &domain.variables, &domain.ranges, options);
    if let [entry] = entries[..] {
        let minus = graph.neg(entry);
        let (above, below) = (sup(graph, entry)?, sup(graph, minus)?);
        let (lower, at) = if above.lower >= below.lower { (above.lower, above.at) } else { (below.lower, below.at) };
        let boxes = above.boxes + below.boxes;
        return Ok(Supremum { lower, at, upper: above.upper.max(below.upper), boxes });
    }
    let square = match size {
        0 | 1 => graph.dot(&entries, &entries),
        2 => spectral(graph, lambda),
        _ => graph.dot(&entries, &entries),
    };
    let found = sup(graph, square)?;
    Ok(Supremum { lower: found.lower.max(0.0).sqrt(), upper: found.upper.max(0.0).sqrt(), ..found })
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
    let is_far = at.iter().any(|value| value.abs() > FAR);
    if !lower.is_finite() || upper.is_infinite() && is_far {
        return Err(ProjectionError::Unbounded { value: *lower, point: simple.point(at) });
    }
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
