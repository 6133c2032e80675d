//! Where the gap has a value, along one coordinate: the normal form undone, `Psi^-1`, in numbers.

use super::error::ProjectionError;
use super::map::ProjectionMap;

/// Steps of Newton's method.
const STEPS: usize = 100;
/// Corrections below this part of the value are rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl ProjectionMap {
    /// The point with the gap `target` that differs from `u` in one coordinate, in which the gap is monotonic.
    pub fn along(&mut self, u: &[f64], coordinate: usize, target: f64) -> Result<Vec<f64>, ProjectionError> {
        let mut at = u.to_vec();
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for _ in 0..STEPS {
            let (gap, slope) = self.slope(&at);
            let (miss, slope, here) = (gap - target, slope[coordinate], at[coordinate]);
            // The sign says on which side the place lies.
            if (miss > 0.0) == (slope > 0.0) { high = here } else { low = here }
            let mut next = here - miss / slope;
            if !(next > low && next < high) && low.is_finite() && high.is_finite() {
                next = 0.5 * (low + high);
            }
            if !next.is_finite() {
                break;
            }
            at[coordinate] = next;
            if miss == 0.0 || (next - here).abs() <= ROUNDING * here.abs().max(f64::MIN_POSITIVE) {
                return Ok(at);
            }
        }
        // Steps that only wander within rounding have arrived.
        let is_there = (self.gap(&at) - target).abs() <= 1e-12 * target.abs().max(1.0);
        let refused = || ProjectionError::NoImage { point: self.point(u), why: "the gap does not take that value" };
        if is_there { Ok(at) } else { Err(refused()) }
    }
}
