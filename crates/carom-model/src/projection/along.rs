//! Where the gap has a value, along one coordinate: the normal form undone, `Psi^-1`, in numbers.

use super::error::ProjectionError;
use super::map::ProjectionMap;
use carom_linalg::monotonic_root;

impl ProjectionMap {
    /// The point with the gap `target` that differs from `u` in one coordinate, in which the gap is monotonic.
    pub fn along(&mut self, u: &[f64], coordinate: usize, target: f64) -> Result<Vec<f64>, ProjectionError> {
        let mut at = u.to_vec();
        let found = monotonic_root(u[coordinate], |value| {
            at[coordinate] = value;
            let (gap, slope) = self.slope(&at);
            (gap - target, slope[coordinate])
        });
        let refused = || ProjectionError::NoImage { point: self.point(u), why: "the gap does not take that value" };
        at[coordinate] = found.ok_or_else(refused)?;
        Ok(at)
    }
}
