//! States between nodes: configurations by Hermite's cubic with the velocities.

use carom_model::Trajectory;

/// Chord and mean velocity may differ by these parts of the larger velocity at
/// the two nodes, and of the largest of the run (for turning points).
const AGREEMENT: [f64; 2] = [0.25, 0.05];

/// The largest finite speed of every coordinate.
pub(super) fn fastest(trajectory: &Trajectory) -> Vec<f64> {
    let n = trajectory.dimension();
    let speeds = |i: usize| trajectory.v.iter().skip(i).step_by(n).map(|v| v.abs()).filter(|v| v.is_finite());
    (0..n).map(|i| speeds(i).fold(0.0, f64::max)).collect()
}

/// True if two states belong to one smooth motion.
pub(super) fn is_smooth(a: &[f64], b: &[f64], fastest: &[f64]) -> bool {
    let (n, h) = (a.len() / 2, b[0] - a[0]);
    // Trapezoidal rule: it holds for smooth motions, and fails across a jump.
    let agrees = |i: usize| {
        let (v, w) = (a[1 + n + i], b[1 + n + i]);
        let chord = (b[1 + i] - a[1 + i]) / h;
        (chord - (v + w) / 2.0).abs() <= AGREEMENT[0] * v.abs().max(w.abs()) + AGREEMENT[1] * fastest[i]
    };
    h > 0.0 && (0..n).all(agrees)
}

/// States inside an interval; none where the ends do not belong to one smooth motion.
pub(super) fn between(a: &[f64], b: &[f64], fastest: &[f64], parts: usize) -> Vec<Vec<f64>> {
    if !is_smooth(a, b, fastest) {
        return Vec::new();
    }
    (1..parts).map(|part| interpolate(a, b, part as f64 / parts as f64)).collect()
}

/// Hermite's cubic for `q`, straight lines for `t` and `v`.
pub(super) fn interpolate(a: &[f64], b: &[f64], s: f64) -> Vec<f64> {
    let (n, h) = (a.len() / 2, b[0] - a[0]);
    let mut state: Vec<f64> = a.iter().zip(b).map(|(a, b)| a + s * (b - a)).collect();
    let (rise, fall) = (s * s * (3.0 - 2.0 * s), 1.0 - s);
    for i in 0..n {
        let slopes = h * s * fall * (fall * a[1 + n + i] - s * b[1 + n + i]);
        state[1 + i] = a[1 + i] + rise * (b[1 + i] - a[1 + i]) + slopes;
    }
    state
}
