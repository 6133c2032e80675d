//! Nodes and impacts in the order of the run: what curves go through.
//!
//! An impact is a kink of the coordinates and a jump of velocities and energy. Nodes
//! alone would show it anywhere between two of them; so curves also pass through the
//! states just before and just after it. A run backward meets the state after it first.

use super::curve::Place;
use carom_model::{Impact, Trajectory};

/// A state that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stop<'a> {
    Node(usize),
    Before(&'a Impact),
    After(&'a Impact),
}

/// All known states, in order.
pub(super) struct Timeline<'a> {
    trajectory: &'a Trajectory,
    pub stops: Vec<Stop<'a>>,
}

impl<'a> Timeline<'a> {
    pub fn new(trajectory: &'a Trajectory) -> Self {
        let mut impacts = trajectory.impacts.iter().filter(|impact| impact.t.is_finite()).peekable();
        let mut stops = Vec::with_capacity(trajectory.len() + 2 * trajectory.impacts.len());
        let is_backward = trajectory.is_backward();
        let sides = |impact: &'a Impact| match is_backward {
            false => [Stop::Before(impact), Stop::After(impact)],
            true => [Stop::After(impact), Stop::Before(impact)],
        };
        for (k, &t) in trajectory.t.iter().enumerate() {
            let is_passed = |impact: &&Impact| match impact.t == t {
                true => is_last_side(trajectory, k, impact, is_backward),
                false => (impact.t < t) != is_backward,
            };
            while let Some(impact) = impacts.next_if(is_passed) {
                stops.extend(sides(impact));
            }
            stops.push(Stop::Node(k));
        }
        stops.extend(impacts.flat_map(sides));
        Self { trajectory, stops }
    }

    pub fn time(&self, stop: Stop<'_>) -> f64 {
        match stop {
            Stop::Node(k) => self.trajectory.t[k],
            Stop::Before(impact) | Stop::After(impact) => impact.t,
        }
    }

    /// Coordinate `i`.
    pub fn coordinate(&self, stop: Stop<'_>, i: usize) -> f64 {
        let n = self.trajectory.dimension();
        match stop {
            Stop::Node(k) => at(&self.trajectory.q, k * n + i),
            Stop::Before(impact) => at(&impact.q, i),
            Stop::After(impact) => at(&impact.q_plus, i),
        }
    }

    /// Rate of coordinate `i`.
    pub fn rate(&self, stop: Stop<'_>, i: usize) -> f64 {
        let n = self.trajectory.dimension();
        match stop {
            Stop::Node(k) => at(&self.trajectory.v, k * n + i),
            Stop::Before(impact) => at(&impact.v_minus, i),
            Stop::After(impact) => at(&impact.v_plus, i),
        }
    }

    pub fn energy(&self, stop: Stop<'_>) -> f64 {
        match stop {
            Stop::Node(k) => at(&self.trajectory.energy, k),
            Stop::Before(impact) => impact.energy_minus,
            Stop::After(impact) => impact.energy_minus + impact.energy_change,
        }
    }

    /// `(t, q, v)`.
    pub fn state(&self, stop: Stop<'_>) -> Vec<f64> {
        let n = self.trajectory.dimension();
        let q = (0..n).map(|i| self.coordinate(stop, i));
        let v = (0..n).map(|i| self.rate(stop, i));
        std::iter::once(self.time(stop)).chain(q).chain(v).collect()
    }

    /// A curve through all stops. Nodes without a finite point break it, impacts without are skipped.
    pub fn curve(&self, mut point: impl FnMut(Stop<'a>) -> Place) -> Vec<Place> {
        let points = self.stops.iter().map(|&stop| (stop, point(stop)));
        let is_shown =
            |(stop, point): &(Stop<'a>, Place)| matches!(stop, Stop::Node(_)) || point.iter().all(|x| x.is_finite());
        points.filter(is_shown).map(|(_, point)| point).collect()
    }
}

/// A value of a vector; not-a-number where a partial run has none.
fn at(values: &[f64], index: usize) -> f64 {
    values.get(index).copied().unwrap_or(f64::NAN)
}

/// True if node `k`, at the very time of an impact, is the side of it that the run meets last.
fn is_last_side(trajectory: &Trajectory, k: usize, impact: &Impact, is_backward: bool) -> bool {
    let node = trajectory.node(k);
    let distance = |v: &[f64]| node.v.iter().zip(v).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    let (first, last) = match is_backward {
        false => (&impact.v_minus, &impact.v_plus),
        true => (&impact.v_plus, &impact.v_minus),
    };
    distance(last) <= distance(first)
}
