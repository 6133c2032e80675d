//! Whether the mass matrix is positive definite, at a few places.

use super::domain::Domain;
use super::error::ProjectionError;
use super::simple::Simple;
use crate::random::Random;
use carom_expr::{Id, Interval};

/// Places at which the mass matrix is looked at, and how far from zero they are at most where nothing limits them.
const PLACES: usize = 32;
const WIDTH: f64 = 3.0;

impl Simple {
    /// Refuses mass matrices that are not positive definite at one of a few places within `limits`.
    pub(super) fn check_definite(&self, limits: &[Option<[f64; 2]>]) -> Result<(), ProjectionError> {
        let (n, mut random) = (self.dimension(), Random(7));
        let domain = Domain::limited(&self.graph, &self.mass, &self.u, limits);
        for _ in 0..PLACES {
            let place: Vec<f64> = domain.ranges.iter().map(|&range| within(range, random.next())).collect();
            let at: Vec<(Id, f64)> = self.u.iter().copied().zip(place.iter().copied()).collect();
            let mass = self.graph.evaluate(&self.mass, &at);
            if mass.iter().all(|entry| entry.is_finite()) && !is_definite(mass, n) {
                let why = format!("its mass matrix is not positive definite at {}", self.point(&place));
                return Err(ProjectionError::NotSimple { why });
            }
        }
        Ok(())
    }
}

/// The number of a range that `share` in [-1, 1] stands for.
fn within(range: Interval, share: f64) -> f64 {
    let (lo, hi) = (range.lo.max(-WIDTH), range.hi.min(WIDTH));
    let Interval { lo, hi } = if range.width().is_finite() { range } else { Interval { lo, hi } };
    lo + (hi - lo) * 0.5 * (share + 1.0)
}

/// True if elimination meets positive pivots only.
fn is_definite(mut a: Vec<f64>, n: usize) -> bool {
    for k in 0..n {
        let pivot = a[k * n + k];
        if pivot <= 0.0 {
            return false;
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / pivot;
            (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
        }
    }
    true
}
