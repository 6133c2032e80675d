//! Frames of vector fields, and what they say about velocities.
//!
//! Fields `u_i(q) = psi_i^k d/dq^k`, as many as there are coordinates, are a frame; the components of a
//! velocity with respect to them are its quasivelocities, `v = w^i u_i` (Anahory Simoes and Colombo, 003,
//! (2)). The first `rank` fields span the distribution of admissible velocities, the others complete the
//! frame. From the fields follow
//!
//! ```text
//! dual frame             theta^m = (psi^-1)^m_k dq^k,        theta^m(u_i) = delta^m_i
//! bracket                [u_i, u_j]^k = (d psi_j^k/dq^l) psi_i^l - (d psi_i^k/dq^l) psi_j^l
//! structure functions    [u_i, u_j] = c_ij^m u_m,            c_ij^m = theta^m([u_i, u_j])      (4)
//! ```
//!
//! (The formula of the paper for `c_ij^m` has its indices in the wrong places.) One-forms `omega` that
//! annihilate a distribution and fields that span it determine each other by minors
//! ([`carom_expr::Graph::annihilator`]); there is no division, so a frame is regular wherever its pivots are.

use carom_expr::{Graph, Id};
use carom_linalg::max_abs;

/// A vector field `psi^k(q) d/dq^k`.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorField {
    /// Name of the field and of its quasivelocity.
    pub name: String,
    /// `psi^k`, one per coordinate.
    pub components: Vec<Id>,
}

/// Vector fields, the first of which span the distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The fields: those of the distribution, then those that complete the frame, if they are known.
    pub fields: Vec<VectorField>,
    /// How many of them span the distribution.
    pub rank: usize,
}

impl Frame {
    /// A frame that is adapted to the one-forms `omega` (row by row, `n` columns): its fields are solved
    /// for the columns `pivots` ([`pivots`]), and completed by the forms as vectors.
    pub fn adapted(graph: &mut Graph, omega: &[Id], n: usize, pivots: &[usize]) -> Self {
        let span = graph.annihilator(omega, n, pivots);
        let rank = span.len() / n;
        let rows = span.chunks_exact(n).chain(omega.chunks_exact(n)).enumerate();
        let fields = rows.map(|(i, row)| VectorField { name: format!("u{}", i + 1), components: row.to_vec() });
        Self { fields: fields.collect(), rank }
    }

    /// The fields of the distribution.
    pub fn span(&self) -> &[VectorField] {
        &self.fields[..self.rank]
    }

    /// All components, field by field.
    pub fn matrix(&self) -> Vec<Id> {
        self.fields.iter().flat_map(|field| field.components.clone()).collect()
    }

    /// The same frame with other expressions for its components, in the same order.
    pub fn with_components(&self, components: &[Id]) -> Self {
        let n = self.fields.first().map_or(1, |field| field.components.len());
        let named = self.fields.iter().zip(components.chunks_exact(n));
        let fields = named.map(|(field, row)| VectorField { name: field.name.clone(), components: row.to_vec() });
        Self { fields: fields.collect(), rank: self.rank }
    }

    /// `v = w^i u_i` over the distribution.
    pub fn velocity(&self, graph: &mut Graph, w: &[Id]) -> Vec<Id> {
        let n = self.fields.first().map_or(0, |field| field.components.len());
        (0..n)
            .map(|k| {
                let terms: Vec<Id> = self.span().iter().map(|field| field.components[k]).collect();
                graph.dot(&terms, w)
            })
            .collect()
    }

    /// `[u_i, u_j]`
    pub fn bracket(&self, graph: &mut Graph, q: &[Id], i: usize, j: usize) -> Vec<Id> {
        bracket(graph, q, &self.fields[i].components, &self.fields[j].components)
    }

    /// The dual frame, form by form, and the determinant of the frame; none if the frame is not complete, or
    /// larger than [`MAX_DUAL`].
    pub fn dual(&self, graph: &mut Graph) -> Option<(Vec<Id>, Id)> {
        let n = self.fields.len();
        if n > MAX_DUAL || self.fields.iter().any(|field| field.components.len() != n) {
            return None;
        }
        let (inverse, determinant) = graph.inverse(&self.matrix(), n);
        // Rows of psi are fields, so forms are the columns of the inverse.
        let forms = (0..n * n).map(|place| inverse[place % n * n + place / n]).collect();
        Some((forms, determinant))
    }

    /// The structure functions `c_ij^m` at `(i n + j) n + m`; none if the frame is not complete.
    pub fn structure(&self, graph: &mut Graph, q: &[Id]) -> Option<Vec<Id>> {
        let n = self.fields.len();
        let (dual, _) = self.dual(graph)?;
        let zero = graph.constant(0.0);
        let mut all = vec![zero; n * n * n];
        for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let bracket = self.bracket(graph, q, i, j);
            for m in 0..n {
                let value = graph.dot(&dual[m * n..(m + 1) * n], &bracket);
                let value = graph.collect(value);
                all[(i * n + j) * n + m] = value;
                all[(j * n + i) * n + m] = graph.neg(value);
            }
        }
        Some(all)
    }
}

/// Most coordinates of a frame whose dual is derived: minors grow like `2^n`.
pub const MAX_DUAL: usize = 10;
/// Most products that an expansion by minors may take.
const MAX_PRODUCTS: usize = 20_000;

/// True if fields can be solved for `r` one-forms on `n` coordinates, or one-forms for fields, by minors.
pub fn is_solvable(n: usize, r: usize) -> bool {
    let minors = (n - r.min(n)) * (r + 1);
    n <= 64 && r <= 12 && minors.saturating_mul(r << r) <= MAX_PRODUCTS
}

/// The bracket of two vector fields.
pub(crate) fn bracket(graph: &mut Graph, q: &[Id], x: &[Id], y: &[Id]) -> Vec<Id> {
    let along = |field: &[Id]| q.iter().copied().zip(field.iter().copied()).collect::<Vec<(Id, Id)>>();
    let forward = graph.directional(y, &along(x));
    let backward = graph.directional(x, &along(y));
    forward.into_iter().zip(backward).map(|(a, b)| graph.sub(a, b)).collect()
}

/// The columns that elimination with complete pivoting chooses in a matrix of numbers (row by row, `n`
/// columns), ascending; none if its rows are dependent.
pub fn pivots(matrix: &[f64], n: usize) -> Option<Vec<usize>> {
    // Rows may have different units.
    let unit = |row: &[f64]| {
        let size = max_abs(row);
        row.iter().map(|value| value / size).collect::<Vec<f64>>()
    };
    let mut rows: Vec<Vec<f64>> = matrix.chunks_exact(n.max(1)).map(unit).collect();
    let mut columns = Vec::new();
    while !rows.is_empty() {
        let places = (0..rows.len()).flat_map(|i| (0..n).map(move |j| (i, j)));
        let (i, j) = places.max_by(|a, b| rows[a.0][a.1].abs().total_cmp(&rows[b.0][b.1].abs()))?;
        let row = rows.swap_remove(i);
        // A comparison that also refuses what is not a number.
        if !(row[j].abs() > 1e-12 && row[j].is_finite()) {
            return None;
        }
        for other in &mut rows {
            let factor = other[j] / row[j];
            other.iter_mut().zip(&row).for_each(|(value, pivot)| *value -= factor * pivot);
        }
        columns.push(j);
    }
    columns.sort_unstable();
    Some(columns)
}
