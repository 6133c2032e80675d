//! Paths for pictures: the smooth one, the motion that it is, and the inputs it needs.

use super::projected::ProjectedCost;
use super::spline::{JerkSpline, Side};

/// Points of a snapshot.
const POINTS: usize = 400;

/// A path at one moment of a descent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Number of the iteration.
    pub iteration: usize,
    /// Its cost.
    pub cost: f64,
    /// Times of the points; crossings stand twice.
    pub t: Vec<f64>,
    /// The smooth path in normal-form coordinates, the gap first.
    pub z: Vec<Vec<f64>>,
    /// The same path in the coordinates of the system: what the gap would be below zero, not yet projected.
    pub unprojected: Vec<Vec<f64>>,
    /// Coordinates of the system that constraints do not determine.
    pub q: Vec<Vec<f64>>,
    /// Inputs.
    pub u: Vec<Vec<f64>>,
    /// Times of the impacts.
    pub impacts: Vec<f64>,
}

impl Snapshot {
    pub(super) fn new(iteration: usize, cost: f64, path: &JerkSpline, system: &mut ProjectedCost) -> Self {
        let mut own = Self { iteration, cost, impacts: path.crossings().collect(), ..Self::default() };
        let n = path.dimension();
        let mut state = vec![0.0; 3 * n];
        for (number, piece) in path.pieces().iter().enumerate() {
            let count = (POINTS / path.pieces().len()).max(2);
            for k in 0..=count {
                let elapsed = piece.length * k as f64 / count as f64;
                path.flow(number, elapsed, &mut state);
                let time = piece.start + elapsed;
                let [q, u] = system.motion(piece.side, time, &state);
                // The map of the feasible side undoes the normal form on both sides.
                let [unprojected, _] = system.motion(Side::Feasible, time, &state);
                own.t.push(time);
                own.z.push(state[..n].to_vec());
                own.unprojected.push(unprojected);
                own.q.push(q);
                own.u.push(u);
            }
        }
        own
    }
}
