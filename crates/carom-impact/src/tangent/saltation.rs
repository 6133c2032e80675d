//! The saltation matrix: what an event does to a small change of the motion.
//!
//! A motion that is changed by `dx` reaches the guard `psi(x, t) = 0` earlier or later by `dt`, and
//!
//! ```text
//! dt  = -(psi_x dx) / (psi_t + psi_x f-),
//! dx+ = Dg (dx + f- dt) + g_t dt - f+ dt = Xi dx,
//! Xi  = Dg + (f+ - Dg f- - g_t) psi_x / (psi_t + psi_x f-),
//! ```
//!
//! with the vector fields `f-`, `f+` before and after and the jump `g` (Aizerman and Gantmacher 1958; Leine and Nijmeijer
//! 2004, section 7.1.3).

use carom_linalg::dot;

/// `Xi`, row by row, from `Dg` (row by row), `g_t`, the fields before and after, `psi_x` and `psi_t`.
pub fn saltation(
    jump: &[f64],
    jump_time: &[f64],
    (before, after): (&[f64], &[f64]),
    (slope, slope_time): (&[f64], f64),
) -> Vec<f64> {
    let n = before.len();
    let rate = slope_time + dot(slope, before);
    let mut matrix = jump.to_vec();
    for (i, line) in matrix.chunks_exact_mut(n).enumerate() {
        let excess = (after[i] - dot(line, before) - jump_time[i]) / rate;
        line.iter_mut().zip(slope).for_each(|(entry, slope)| *entry += excess * slope);
    }
    matrix
}
