//! Paths of points: curves, also between few nodes, with corners at impacts.

use super::super::curve::Place;
use super::super::timeline::Timeline;
use super::between::{between, fastest};
use super::scene::Scene;
use carom_model::Trajectory;

/// Points that make a trace smooth.
const SMOOTH: usize = 1500;
/// Parts of one interval at most: beyond, the motion between nodes is a guess.
const PARTS: usize = 16;

/// The path of one primitive.
pub(super) struct Trace {
    /// Position of the primitive in the drawing.
    pub primitive: usize,
    pub points: Vec<Place>,
}

/// The paths of all traced primitives, up to a time.
pub(super) fn traces(scene: &mut Scene, trajectory: &Trajectory, until: f64) -> Vec<Trace> {
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
    for &stop in timeline.stops.iter().take_while(|&&stop| timeline.time(stop) <= until) {
        let state = timeline.state(stop);
        if let Some(before) = before.filter(|_| parts > 1) {
            between(&before, &state, &fastest, parts).iter().for_each(|state| add(state));
        }
        add(&state);
        before = Some(state);
    }
    list
}
