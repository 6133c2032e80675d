//! Whether a map belongs to the class of projections, by sampling.
//!
//! | check | what is compared |
//! |---|---|
//! | feasible | `phi(P(z)) >= 0`, and `P(P(z)) = P(z)` |
//! | continuous | `P(z) = z` on the boundary |
//! | reflects | `P'(z) = I - 2 M^-1 phi'^T phi' / (phi' M^-1 phi'^T)` on the boundary, (11) |
//! | regular | `det P'(z) < 0` outside |
//! | invertible | the inverse takes `P(z)` back to `z` |
//! | constrained | `P_c'(z+) = A P_c'(z-)` on the boundary, (29), if there are constraints |
//!
//! Each must be met somewhere, or nothing is known of it.
//! Every check has the worst residual that was met, where it was met, and the bound it is held against. Lemma 3's
//! condition, `phi_u' M^-1 phi_h'^T = 0` on the boundary, is reported: it is not needed here.

use super::error::ProjectionError;
use carom_linalg::max_abs;

/// The determinant, which must be below its bound.
const REGULAR: &str = "regular";
/// What must be sampled of every map.
const PROPERTIES: [&str; 5] = ["feasible", REGULAR, "invertible", "continuous", "reflects"];
/// What must be sampled if there are constraints.
const CONSTRAINED: &str = "constrained";

/// How membership is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyOptions {
    /// Number of points outside, and of points on the boundary.
    pub samples: usize,
    /// Coordinates without a period or limits are sampled in `[-extent, extent]`.
    pub extent: f64,
    /// Bound of residuals, relative to the sizes of what is compared.
    pub tolerance: f64,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self { samples: 1000, extent: 10.0, tolerance: 1e-9 }
    }
}

/// One property, at its worst.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What was checked.
    pub name: &'static str,
    /// The worst residual.
    pub worst: f64,
    /// Where it was met, in words.
    pub point: String,
    /// What it is held against.
    pub bound: f64,
    /// Number of points.
    pub samples: usize,
}

impl Check {
    /// True if the residual is within its bound; a determinant must be below zero.
    pub fn holds(&self) -> bool {
        if self.name == REGULAR { self.worst < self.bound } else { self.worst <= self.bound }
    }
}

/// What sampling says of a projection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verification {
    /// One entry per property.
    pub checks: Vec<Check>,
    /// The largest `|phi_u' M^-1 phi_h'^T|` on the boundary, relative to the sizes of both, if there are constraints
    /// (Lemma 3 wants zero), and where.
    pub separability: Option<(f64, String)>,
    /// True if there are constraints.
    pub is_constrained: bool,
}

impl Verification {
    /// True if all properties were sampled, and all checks hold.
    pub fn is_member(&self) -> bool {
        self.require().is_ok()
    }

    /// Properties of which there is no sample.
    pub fn missing(&self) -> Vec<&'static str> {
        let needed = PROPERTIES.into_iter().chain(self.is_constrained.then_some(CONSTRAINED));
        needed.filter(|needed| !self.checks.iter().any(|check| check.name == *needed)).collect()
    }

    /// The first check that does not hold, or was not made, as an error.
    pub fn require(&self) -> Result<(), ProjectionError> {
        let Some(failed) = self.checks.iter().find(|check| !check.holds()) else {
            let missing = self.missing().first().copied();
            return missing.map_or(Ok(()), |property| Err(ProjectionError::NotSampled { property }));
        };
        let Check { name, worst, point, bound, .. } = failed;
        let what = match *name {
            REGULAR => format!("`{name}`: det P' = {worst:.3e} is not negative"),
            _ => format!("`{name}` is off by {worst:.3e}, more than {bound:.1e}"),
        };
        Err(ProjectionError::NotVerified { point: point.clone(), what })
    }

    /// Keeps the worst of each property.
    pub(super) fn see(&mut self, name: &'static str, value: f64, bound: f64, point: impl Fn() -> String) {
        // Not-a-number is as bad as can be.
        let value = if value.is_nan() { f64::INFINITY } else { value };
        match self.checks.iter_mut().find(|check| check.name == name) {
            Some(check) => {
                check.samples += 1;
                if value > check.worst {
                    (check.worst, check.point) = (value, point());
                }
            }
            None => self.checks.push(Check { name, worst: value, point: point(), bound, samples: 1 }),
        }
    }
}

/// The largest difference; not-a-number wins.
pub(super) fn apart(a: &[f64], b: &[f64]) -> f64 {
    let each: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    max_abs(&each)
}
