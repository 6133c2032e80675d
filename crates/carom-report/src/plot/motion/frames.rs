//! The frames of an animation: evenly spaced in time, and at impacts.
//!
//! Viewers join frames by straight lines, so that a rod which turns too far from one to the next would shrink
//! on the way. Of a motion that is too long for its frames the beginning is shown.

use super::super::timeline::{Stop, Timeline};
use super::between::{fastest, interpolate, is_smooth};
use super::scene::{Body, Scene};
use super::snapshot::{choose, extent};
use carom_model::Trajectory;

/// Frames at most.
const FRAMES: usize = 120;
/// Frames at least; bodies that leave room for fewer are not animated.
const LEAST: usize = 24;
/// Points of all frames together, which limits the size of the file.
const POINTS: usize = 24_000;
/// One of so many frames may be at an impact; of more impacts, the first in each of equal intervals of time is shown.
const IMPACTS: usize = 3;
/// States between two frames, to see what straight lines leave out.
const INSIDE: usize = 5;
/// Straight lines between frames may be shorter than the path by this factor: half a radian from frame to frame.
const SHORTER: f64 = 0.985;
/// A window that is too long shrinks by this factor, this many times at most.
const SHRINK: (f64, usize) = (0.8, 100);

/// The bodies at one time.
pub(super) struct Frame {
    pub time: f64,
    pub is_impact: bool,
    pub bodies: Vec<Body>,
}

/// What is shown of a motion.
pub(super) struct Film {
    /// In the order of time; an impact that moves bodies has two.
    pub frames: Vec<Frame>,
    /// The times between which the motion can be drawn.
    pub whole: [f64; 2],
}

impl Film {
    /// The frames of a motion; nothing if it has no duration, or too many points.
    pub fn new(scene: &mut Scene, trajectory: &Trajectory) -> Option<Self> {
        let [first, last] = extent(scene, trajectory)?;
        let whole = [trajectory.t[first], trajectory.t[last]];
        let reel = Reel::new(trajectory);
        let points: usize = scene.bodies(&reel.at(whole[0])).iter().map(points).sum();
        let room = (POINTS / points.max(1)).min(FRAMES);
        if room < LEAST || whole[0] >= whole[1] {
            return None;
        }
        let mut end = whole[1];
        let mut states = reel.frames([whole[0], end], room);
        for _ in 0..SHRINK.1 {
            if is_resolved(scene, &reel, &states) {
                break;
            }
            end = whole[0] + SHRINK.0 * (end - whole[0]);
            states = reel.frames([whole[0], end], room);
        }
        states.retain(|(_, state)| scene.is_finite(state));
        let frame =
            |(is_impact, state): (bool, Vec<f64>)| Frame { time: state[0], is_impact, bodies: scene.bodies(&state) };
        Some(Self { frames: states.into_iter().map(frame).collect(), whole })
    }
}

/// Numbers of a body in the file, in points.
fn points(body: &Body) -> usize {
    if body.round.is_some() { 2 } else { body.points.len() }
}

/// States at any time.
pub(super) struct Reel<'a> {
    trajectory: &'a Trajectory,
    timeline: Timeline<'a>,
    fastest: Vec<f64>,
}

impl<'a> Reel<'a> {
    pub fn new(trajectory: &'a Trajectory) -> Self {
        Self { trajectory, timeline: Timeline::new(trajectory), fastest: fastest(trajectory) }
    }

    /// `count` states in the order of time, and whether they are impacts.
    fn frames(&self, [start, end]: [f64; 2], count: usize) -> Vec<(bool, Vec<f64>)> {
        let impacts = &self.trajectory.impacts;
        let is_doubled = impacts.iter().any(|impact| impact.q != impact.q_plus);
        let limit = count / IMPACTS / if is_doubled { 2 } else { 1 };
        let mut states: Vec<(bool, Vec<f64>)> = Vec::new();
        for impact in choose(impacts, [start, end], limit) {
            states.push((true, self.timeline.state(Stop::Before(impact))));
            if impact.q != impact.q_plus {
                states.push((true, self.timeline.state(Stop::After(impact))));
            }
        }
        let rest = count - states.len();
        let time = |k: usize| start + (end - start) * k as f64 / (rest - 1) as f64;
        states.extend((0..rest).map(|k| (false, self.at(time(k)))));
        // The sort is stable: the state before an impact stays before the one after it.
        states.sort_by(|a, b| a.1[0].total_cmp(&b.1[0]));
        states
    }

    /// The state at a time: interpolated, or the nearest one where the motion is not smooth.
    pub fn at(&self, time: f64) -> Vec<f64> {
        let (timeline, stops) = (&self.timeline, &self.timeline.stops);
        let after = stops.partition_point(|&stop| timeline.time(stop) <= time).clamp(1, stops.len() - 1);
        let (a, b) = (timeline.state(stops[after - 1]), timeline.state(stops[after]));
        let share = ((time - a[0]) / (b[0] - a[0])).clamp(0.0, 1.0);
        let mut state = match is_smooth(&a, &b, &self.fastest) {
            true => interpolate(&a, &b, share),
            false if share < 0.5 => a,
            false => b,
        };
        state[0] = time;
        state
    }
}

/// True if straight lines between frames are nearly as long as the paths of all points.
fn is_resolved(scene: &mut Scene, reel: &Reel<'_>, frames: &[(bool, Vec<f64>)]) -> bool {
    let mut corners =
        |state: &[f64]| -> Vec<[f64; 2]> { scene.bodies(state).into_iter().flat_map(|body| body.points).collect() };
    let distance = |a: &[[f64; 2]], b: &[[f64; 2]]| -> f64 {
        let lengths = a.iter().zip(b).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]));
        lengths.filter(|length| length.is_finite()).sum()
    };
    let (mut straight, mut path) = (0.0, 0.0);
    for pair in frames.windows(2) {
        let (start, end) = (pair[0].1[0], pair[1].1[0]);
        let ends = [corners(&pair[0].1), corners(&pair[1].1)];
        straight += distance(&ends[0], &ends[1]);
        let mut before = ends[0].clone();
        for k in 1..INSIDE {
            let here = corners(&reel.at(start + (end - start) * k as f64 / INSIDE as f64));
            path += distance(&before, &here);
            before = here;
        }
        path += distance(&before, &ends[1]);
    }
    straight >= SHORTER * path
}
