//! The drawn system at chosen times: evenly spaced, and at impacts.

use super::super::timeline::{Stop, Timeline};
use super::scene::{Body, Scene, node_state};
use carom_model::{Impact, Trajectory};

/// Snapshots of a motion, evenly spaced in time.
const SNAPSHOTS: usize = 10;
/// Impacts that are drawn at most; of more, the first in each of so many equal intervals of time.
const IMPACTS: usize = 12;
/// Weight of the oldest snapshot's colours; the last has 1.
const OLDEST: f64 = 0.18;
/// Weight of outlines at least: without an inside, they would not be seen.
const OUTLINE: f64 = 0.4;

/// The bodies at one time, with the weight of their colours.
pub(super) struct Snapshot {
    pub time: f64,
    pub weight: f64,
    pub is_impact: bool,
    pub bodies: Vec<Body>,
}

/// Bodies at nodes and at impacts in the order of time, as far as everything is finite.
pub(super) fn snapshots(scene: &mut Scene, trajectory: &Trajectory) -> Vec<Snapshot> {
    let mut list = regular(scene, trajectory);
    let (Some(first), Some(last)) = (list.first(), list.last()) else { return list };
    list.extend(at_impacts(scene, trajectory, [first.time, last.time]));
    list.sort_by(|a, b| a.time.total_cmp(&b.time));
    list
}

/// Bodies at nodes evenly spaced in time.
fn regular(scene: &mut Scene, trajectory: &Trajectory) -> Vec<Snapshot> {
    let Some([first, last]) = extent(scene, trajectory) else { return Vec::new() };
    let (start, end) = (trajectory.t[first], trajectory.t[last]);
    let time = |i: usize| start + (end - start) * i as f64 / (SNAPSHOTS - 1) as f64;
    let mut nodes: Vec<usize> = (0..SNAPSHOTS).map(|i| nearest_node(trajectory, time(i)).clamp(first, last)).collect();
    nodes.dedup();
    nodes.retain(|&k| scene.is_finite(&node_state(trajectory, k)));
    let count = nodes.len();
    let snapshot = |(i, k): (usize, usize)| Snapshot {
        time: trajectory.t[k],
        weight: weight(i as f64 / (count.max(2) - 1) as f64),
        is_impact: false,
        bodies: scene.bodies(&node_state(trajectory, k)),
    };
    nodes.into_iter().enumerate().map(snapshot).collect()
}

/// The first and the last node that can be drawn.
pub(super) fn extent(scene: &mut Scene, trajectory: &Trajectory) -> Option<[usize; 2]> {
    let mut finite = (0..trajectory.len()).filter(|&k| scene.is_finite(&node_state(trajectory, k)));
    let first = finite.next()?;
    Some([first, finite.next_back().unwrap_or(first)])
}

/// Equal ratios: the last snapshots stand out, the first are hints.
fn weight(place: f64) -> f64 {
    OLDEST.powf(1.0 - place)
}

/// Bodies at the instants of impact.
fn at_impacts(scene: &mut Scene, trajectory: &Trajectory, [start, end]: [f64; 2]) -> Vec<Snapshot> {
    let timeline = Timeline::new(trajectory);
    let states = choose(&trajectory.impacts, [start, end], IMPACTS)
        .into_iter()
        .map(|impact| timeline.state(Stop::Before(impact)));
    let finite: Vec<Vec<f64>> = states.filter(|state| scene.is_finite(state)).collect();
    let snapshot = |state: Vec<f64>| Snapshot {
        time: state[0],
        weight: weight((state[0] - start) / (end - start)).max(OUTLINE),
        is_impact: true,
        bodies: scene.bodies(&state),
    };
    finite.into_iter().map(snapshot).collect()
}

/// Impacts that do not crowd the picture, `limit` at most.
pub(super) fn choose(impacts: &[Impact], [start, end]: [f64; 2], limit: usize) -> Vec<&Impact> {
    let mut list: Vec<&Impact> = impacts.iter().filter(|impact| impact.t > start && impact.t <= end).collect();
    if list.len() > limit {
        list.dedup_by_key(|impact| ((impact.t - start) / (end - start) * limit as f64).ceil() as usize);
    }
    list
}

/// The node nearest to a time.
pub(super) fn nearest_node(trajectory: &Trajectory, time: f64) -> usize {
    let after = trajectory.t.partition_point(|&t| t < time).min(trajectory.len() - 1);
    let before = after.saturating_sub(1);
    if (trajectory.t[before] - time).abs() < (trajectory.t[after] - time).abs() { before } else { after }
}
