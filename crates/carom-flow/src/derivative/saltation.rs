//! The saltation matrix of an event.
//!
//! Neighbouring motions meet the guard `psi(x, c) = 0` at other times, `d tau = -(grad psi . dx + psi_c dc)/psi'`, and
//! jump there, `x+ = g(x-, t, c)`. Back at the time of the event itself their difference is
//!
//! ```text
//! dx+ = Dg dx- + g_c dc - (f+ - Dg f- - g_t) d tau
//!     = Xi dx- + Xi_c dc,    Xi = Dg + (f+ - Dg f- - g_t) (grad psi)^T / psi'
//! ```
//!
//! (Aizerman and Gantmakher 1958; Leine and Nijmeijer 2004, section 7.2).

use super::guards::Guard;
use carom_linalg::{dot, multiply};

/// The derivative of a jump `(q+, v+) = g(q-, v-, t, c)`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JumpSlopes {
    /// `Dg`, row by row.
    pub(crate) state: Vec<f64>,
    /// `dg/dt`
    pub(crate) time: Vec<f64>,
    /// `dg/dc`, row by row.
    pub(crate) kept: Vec<f64>,
}

impl JumpSlopes {
    /// No jump.
    pub(crate) fn identity(size: usize, p: usize) -> Self {
        Self { state: identity(size), time: vec![0.0; size], kept: vec![0.0; size * p] }
    }
}

/// `Xi` and `Xi_c`, row by row.
pub(crate) fn saltation(jump: &JumpSlopes, guard: &Guard, before: &[f64], after: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let size = before.len();
    let mut carried = vec![0.0; size];
    multiply(&jump.state, before, &mut carried);
    let defect: Vec<f64> = (0..size).map(|i| after[i] - carried[i] - jump.time[i]).collect();
    let lift = |matrix: &[f64], slopes: &[f64]| -> Vec<f64> {
        let columns = slopes.len();
        (0..size * columns).map(|k| matrix[k] + defect[k / columns] * slopes[k % columns] / guard.rate).collect()
    };
    (lift(&jump.state, &guard.state), lift(&jump.kept, &guard.kept))
}

/// `-(grad psi . dx + psi_c dc)/psi'` for all columns of `dx` (`size x columns`), `psi_c` being given per column.
pub(crate) fn delay(guard: &Guard, changes: &[f64], direct: &[f64]) -> Vec<f64> {
    let columns = direct.len();
    let column = |j: usize| -> Vec<f64> { changes.iter().skip(j).step_by(columns).copied().collect() };
    (0..columns).map(|j| -(dot(&guard.state, &column(j)) + direct[j]) / guard.rate).collect()
}

/// The unit matrix.
pub(crate) fn identity(size: usize) -> Vec<f64> {
    (0..size * size).map(|k| if k % (size + 1) == 0 { 1.0 } else { 0.0 }).collect()
}

/// `A B` for `A` with `size` columns, row by row.
pub(crate) fn product(a: &[f64], b: &[f64], size: usize) -> Vec<f64> {
    let columns = b.len() / size.max(1);
    let mut all = vec![0.0; a.len() / size.max(1) * columns];
    for (i, row) in a.chunks_exact(size.max(1)).enumerate() {
        for (l, factor) in row.iter().enumerate() {
            (0..columns).for_each(|j| all[i * columns + j] += factor * b[l * columns + j]);
        }
    }
    all
}
