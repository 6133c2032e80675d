//! Paths of points. Between few nodes, configurations are interpolated by
//! Hermite's cubic with the velocities, so that traces are curves, not polygons. They
//! have their corners at impacts.

use super::super::curve::Place;
use super::super::timeline::Timeline;
use super::scene::Scene;
use carom_model::Trajectory;

/// Points that make a trace smooth.
const SMOOTH: usize = 1500;
/// Parts of one interval at most: beyond, the motion between nodes is a guess.
const PARTS: usize = 16;
/// Chord and mean velocity may differ by these parts of the larger velocity at
/// the two nodes, and of the largest of the run (for turning points).
const AGREEMENT: [f64; 2] = [0.25, 0.05];

/// The path of one primitive.
pub(super) struct Trace {
    /// Position of the primitive in the drawing.
    pub primitive: usize,
    pub points: Vec<Place>,
}

/// The paths of all traced primitives.
pub(super) fn traces(scene: &mut Scene, trajectory: &Trajectory) -> Vec<Trace> {
    let mut list: Vec<Trace> =
        scene.traced().into_iter().map(|primitive| Trace { primitive, points: Vec::new() }).collect();
    if list.is_empty() {
        return list;
    }
    let mut add = |state: &[f64]| {
        for (trace, point) in list.iter_mut().zip(scene.traced_points(state)) {
            trace.points.push(point);
        }
    };
    let fastest = fastest(trajectory);
    let timeline = Timeline::new(trajectory);
    let parts = SMOOTH.div_ceil(timeline.stops.len().max(1)).min(PARTS);
    let mut before: Option<Vec<f64>> = None;
    for &stop in &timeline.stops {
        let state = timeline.state(stop);
        if let Some(before) = before.filter(|_| parts > 1) {
            between(&before, &state, &fastest, parts).iter().for_each(|state| add(state));
        }
        add(&state);
        before = Some(state);
    }
    list
}

/// The largest finite speed of every coordinate.
fn fastest(trajectory: &Trajectory) -> Vec<f64> {
    let n = trajectory.dimension();
    let speeds = |i: usize| trajectory.v.iter().skip(i).step_by(n).map(|v| v.abs()).filter(|v| v.is_finite());
    (0..n).map(|i| speeds(i).fold(0.0, f64::max)).collect()
}

/// States inside an interval; none where the ends do not belong to one smooth motion.
fn between(a: &[f64], b: &[f64], fastest: &[f64], parts: usize) -> Vec<Vec<f64>> {
    let (n, h) = (a.len() / 2, b[0] - a[0]);
    // Trapezoidal rule: it holds for smooth motions, and fails across a jump.
    let agrees = |i: usize| {
        let (v, w) = (a[1 + n + i], b[1 + n + i]);
        let chord = (b[1 + i] - a[1 + i]) / h;
        (chord - (v + w) / 2.0).abs() <= AGREEMENT[0] * v.abs().max(w.abs()) + AGREEMENT[1] * fastest[i]
    };
    if !(h > 0.0 && (0..n).all(agrees)) {
        return Vec::new();
    }
    (1..parts).map(|part| interpolate(a, b, part as f64 / parts as f64)).collect()
}

/// Hermite's cubic for `q`, straight lines for `t` and `v`.
fn interpolate(a: &[f64], b: &[f64], s: f64) -> Vec<f64> {
    let (n, h) = (a.len() / 2, b[0] - a[0]);
    let mut state: Vec<f64> = a.iter().zip(b).map(|(a, b)| a + s * (b - a)).collect();
    let (rise, fall) = (s * s * (3.0 - 2.0 * s), 1.0 - s);
    for i in 0..n {
        let slopes = h * s * fall * (fall * a[1 + n + i] - s * b[1 + n + i]);
        state[1 + i] = a[1 + i] + rise * (b[1 + i] - a[1 + i]) + slopes;
    }
    state
}
