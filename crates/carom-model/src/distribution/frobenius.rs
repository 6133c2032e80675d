//! What brackets of two admissible fields add to a distribution, from the differentials of its one-forms.
//!
//! ```text
//! d omega_a(u, w) = u^i w^j (d_i omega_aj - d_j omega_ai) = -omega_a([u, w])
//! ```
//!
//! depends on the values of `u` and `w` alone, so that any basis of the kernel of `omega` will do. The rows
//! `d omega_a(u, w)`, one per pair of its vectors, have the rank by which the distribution grows.

use super::forms::{Regular, Sample};
use super::samples::{Measured, Row, independent, measure};
use carom_expr::{Graph, Id};
use carom_linalg::RangeNull;

/// Values of `d omega` below this part of its entries are rounding.
const TOLERANCE: f64 = 1e-10;
/// Slower changes of normalised forms than this are what rounding leaves of coefficients that are zero.
const SLOW: f64 = 1e-14;

/// An entry `d_i omega_aj` of a form of length one.
struct Slope {
    form: usize,
    i: usize,
    j: usize,
    value: f64,
}

/// The rank at every sample where the differentials are finite.
pub(super) fn added_by_pairs(graph: &mut Graph, q: &[Id], forms: &Regular) -> Vec<usize> {
    let slopes = graph.jacobian(&forms.ids, q);
    let values = measure(graph, q, &forms.points(), &slopes.expressions());
    let pattern = slopes.pattern();
    let known = forms.samples.iter().zip(values).filter_map(|(sample, values)| Some((sample, values?)));
    known.map(|(sample, values)| added_at(sample, &pattern, &values)).collect()
}

fn added_at(sample: &Sample, pattern: &[(usize, usize)], values: &[Measured]) -> usize {
    let n = sample.q.len();
    let matrix: Vec<f64> = sample.rows.iter().flat_map(|row| row.values.clone()).collect();
    let kernel = RangeNull::new(&matrix, n, TOLERANCE);
    let fields: Vec<&[f64]> = kernel.null_space().chunks_exact(n).collect();
    let (mut slopes, mut noise, mut largest) = (Vec::with_capacity(values.len()), SLOW, 0.0f64);
    for (&(place, i), measured) in pattern.iter().zip(values) {
        let (form, j) = (place / n, place % n);
        let length = sample.rows[form].length();
        slopes.push(Slope { form, i, j, value: measured.value / length });
        largest = largest.max(measured.value.abs() / length);
        noise += measured.noise / length;
    }
    noise += TOLERANCE * largest;
    let pairs = (0..fields.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let rows = pairs.map(|(a, b)| Row { values: turn(&slopes, sample.rows.len(), fields[a], fields[b]), noise });
    independent(&rows.collect::<Vec<Row>>()).len()
}

/// `d omega_a(u, w)` for all forms.
fn turn(slopes: &[Slope], forms: usize, u: &[f64], w: &[f64]) -> Vec<f64> {
    let mut values = vec![0.0; forms];
    for slope in slopes {
        values[slope.form] += slope.value * (u[slope.i] * w[slope.j] - u[slope.j] * w[slope.i]);
    }
    values
}
