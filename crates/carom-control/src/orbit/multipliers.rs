//! Multipliers of an orbit: the eigenvalues of the derivative of its step map.
//!
//! A step map that ends on a section forgets what the section and the impact law take away: its derivative has a rank
//! below its size, and as many multipliers vanish. They are found as such, exactly: the others are the eigenvalues of
//! the derivative on its range.

use super::error::OrbitError;
use super::step::product;
use carom_flow::Motion;
use carom_linalg::{SingularValues, eigenvalues};

/// Singular values below this part of the largest belong to multipliers that vanish.
const RANK: f64 = 1e-10;
/// The same for steps without events, whose derivative is known to rounding.
const SMOOTH_RANK: f64 = 1e-14;
/// Multipliers this near to the unit circle are on it, for a motion that is known to rounding.
const NEUTRAL: f64 = 1e-9;

/// The multipliers of an orbit.
#[derive(Clone, Debug, PartialEq)]
pub struct Multipliers {
    /// Real and imaginary parts of those that do not vanish, the largest first.
    pub values: Vec<(f64, f64)>,
    /// How many vanish.
    pub zeros: usize,
    /// How far the values may be off: rounding, times the norm of the derivative. The smallest ones feel it first.
    pub accuracy: f64,
}

/// Whether neighbours come nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// All multipliers are inside the unit circle.
    Stable,
    /// Some multiplier is on the unit circle, none outside.
    Neutral,
    /// Some multiplier is outside the unit circle.
    Unstable,
}

impl Stability {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Neutral => "neutral",
            Self::Unstable => "unstable",
        }
    }
}

impl Multipliers {
    /// The multipliers of the derivative of a motion, of `size` rows.
    pub fn of(motion: &Motion, matrix: &[f64], size: usize) -> Result<Self, OrbitError> {
        let is_smooth = motion.impacts.is_empty() && motion.modes.is_empty();
        Self::with_rank(matrix, size, if is_smooth { SMOOTH_RANK } else { RANK })
    }

    /// The multipliers of a derivative of `size` rows.
    pub fn new(matrix: &[f64], size: usize) -> Result<Self, OrbitError> {
        Self::with_rank(matrix, size, RANK)
    }

    /// Singular values below the part `least` of the largest are zero.
    fn with_rank(matrix: &[f64], size: usize, least: f64) -> Result<Self, OrbitError> {
        let norm = matrix.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        let (mut matrix, mut rank) = (matrix.to_vec(), size);
        loop {
            let svd = SingularValues::new(&matrix, rank);
            let found = if svd.values.first().is_none_or(|&largest| largest == 0.0) { 0 } else { svd.rank(least) };
            if found == rank {
                break;
            }
            // B = U^T A U on the range of A.
            let rows: Vec<f64> = (0..found).flat_map(|k| svd.left(k)).collect();
            let columns: Vec<f64> =
                (0..rank).flat_map(|i| (0..found).map(move |k| (k, i))).map(|(k, i)| rows[k * rank + i]).collect();
            matrix = if found == 0 { Vec::new() } else { product(&rows, &product(&matrix, &columns, rank), rank) };
            rank = found;
        }
        let values = eigenvalues(&matrix, rank).ok_or(OrbitError::NoEigenvalues)?;
        Ok(Self { values, zeros: size - rank, accuracy: f64::EPSILON * size as f64 * norm })
    }

    /// The largest absolute value.
    pub fn largest(&self) -> f64 {
        self.values.first().map_or(0.0, |(re, im)| re.hypot(*im))
    }

    /// Whether neighbours come nearer.
    pub fn stability(&self) -> Stability {
        match self.largest() {
            size if size < 1.0 - NEUTRAL => Stability::Stable,
            size if size > 1.0 + NEUTRAL => Stability::Unstable,
            _ => Stability::Neutral,
        }
    }

    /// `prod (1 + mu)`, which vanishes at a period doubling.
    pub(super) fn doubling(&self) -> f64 {
        let factor = |&(re, im): &(f64, f64)| if im == 0.0 { 1.0 + re } else { (1.0 + re).hypot(im) };
        self.values.iter().map(factor).product()
    }

    /// `|mu| - 1` of the complex pair that is nearest to the unit circle; none without a pair.
    pub(super) fn pair(&self) -> Option<(f64, f64)> {
        let pairs = self.values.iter().filter(|value| value.1 > 0.0);
        pairs.copied().min_by(|a, b| excess(a).abs().total_cmp(&excess(b).abs()))
    }
}

/// `|mu| - 1`
pub(super) fn excess(&(re, im): &(f64, f64)) -> f64 {
    re.hypot(im) - 1.0
}
