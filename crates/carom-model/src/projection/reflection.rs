//! The elastic reflection at a contact, (11).

use carom_linalg::{Lu, dot};

/// `M^-1 phi'^T / (phi' M^-1 phi'^T)`: the direction in which an impact pushes, with a gap rate of one. Nothing if the mass
/// matrix is singular.
pub fn direction(mass: &[f64], slope: &[f64]) -> Option<Vec<f64>> {
    let (mut lu, mut direction) = (Lu::new(slope.len()), slope.to_vec());
    lu.factor(mass).ok()?;
    lu.solve(&mut direction);
    let below = dot(slope, &direction);
    direction.iter_mut().for_each(|value| *value /= below);
    Some(direction)
}

/// `I - 2 M^-1 phi'^T phi' / (phi' M^-1 phi'^T)`, row by row: velocities before an impact to those after it.
pub fn reflection(mass: &[f64], slope: &[f64]) -> Option<Vec<f64>> {
    let (n, direction) = (slope.len(), direction(mass, slope)?);
    let entry = |i: usize, j: usize| f64::from(u8::from(i == j)) - 2.0 * direction[i] * slope[j];
    Some((0..n * n).map(|k| entry(k / n, k % n)).collect())
}
