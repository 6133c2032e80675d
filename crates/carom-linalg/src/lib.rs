//! Small dense linear algebra on slices.
//!
//! Mechanical systems here have a few to a few dozen unknowns, known at run
//! time only. At that size a plain elimination on a slice beats the general
//! libraries. Matrices are stored row by row.

mod eigenvalues;
mod false_position;
mod lu;
mod monotonic;
mod range;
mod singular;

pub use eigenvalues::eigenvalues;
pub use false_position::FalsePosition;
pub use lu::{Lu, Singular};
pub use monotonic::{ROUNDING, monotonic_root};
pub use range::{RangeNull, dependent_rows, rank};
pub use singular::SingularValues;

/// Largest absolute value; not-a-number wins over everything.
pub fn max_abs(values: &[f64]) -> f64 {
    // Nothing is larger than not-a-number.
    let larger = |largest: f64, value: f64| if value.abs() > largest || value.is_nan() { value.abs() } else { largest };
    values.iter().copied().fold(0.0, larger)
}

/// `y = A x` for a matrix of `x.len()` columns.
pub fn multiply(a: &[f64], x: &[f64], y: &mut [f64]) {
    for (row, value) in a.chunks_exact(x.len().max(1)).zip(y) {
        *value = dot(row, x);
    }
}

/// `sum_i a_i b_i`
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// `A A^T` of the rows of `A`, row by row.
pub fn gram(rows: &[&[f64]]) -> Vec<f64> {
    rows.iter().flat_map(|a| rows.iter().map(move |b| dot(a, b))).collect()
}

/// Adds changes to values; what rounding loses is kept in `rest` for the next time, so that sums of
/// many small changes stay exact (Kahan's summation).
pub fn add_compensated(values: &mut [f64], rest: &mut [f64], changes: &[f64]) {
    for ((value, rest), change) in values.iter_mut().zip(rest).zip(changes) {
        let change = change + *rest;
        let sum = *value + change;
        *rest = change - (sum - *value);
        *value = sum;
    }
}
