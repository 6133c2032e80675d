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
//! Every check has the worst residual that was met, where it was met, and the bound it is held against. Lemma 3's
//! condition, `phi_u' M^-1 phi_h'^T = 0` on the boundary, is reported: it is not needed here.

use super::boundary::Boundary;
use super::error::ProjectionError;
use super::map::ProjectionMap;
use super::{Projection, ProjectionKind};
use crate::random::Random;
use crate::system::System;
use carom_expr::{Dependence, Id};
use carom_linalg::{dot, max_abs};

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
    /// True if the residual is within its bound.
    pub fn holds(&self) -> bool {
        self.worst <= self.bound
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
}

impl Verification {
    /// True if all checks hold.
    pub fn is_member(&self) -> bool {
        self.checks.iter().all(Check::holds)
    }

    /// The first check that does not hold, as an error.
    pub fn require(&self) -> Result<(), ProjectionError> {
        let Some(failed) = self.checks.iter().find(|check| !check.holds()) else { return Ok(()) };
        let Check { name, worst, point, bound, .. } = failed;
        let what = format!("`{name}` is off by {worst:.3e}, more than {bound:.1e}");
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

impl Projection {
    /// Samples the properties of the class; `system` is the one that was projected.
    pub fn verify(&self, system: &System, options: &VerifyOptions) -> Result<Verification, ProjectionError> {
        let mut map = self.map()?;
        let mut found = Verification::default();
        let mut random = Random(1);
        let ranges = self.ranges(options);
        let mut geometry = Boundary::new(self, system)?;
        for _ in 0..options.samples {
            let u: Vec<f64> =
                ranges.iter().map(|[from, to]| from + (to - from) * 0.5 * (random.next() + 1.0)).collect();
            if map.gap(&u) < 0.0 {
                outside(&mut map, &u, options.tolerance, &mut found);
            }
            let touching = self.touching(&mut map, u).map(|u| map.wrapped(&u, true));
            if let Some(touching) = touching.filter(|u| self.is_within(u)) {
                geometry.compare(&mut map, &touching, options.tolerance, &mut found);
            }
        }
        Ok(found)
    }

    /// Where each coordinate is sampled.
    fn ranges(&self, options: &VerifyOptions) -> Vec<[f64; 2]> {
        let simple = &self.simple;
        let roots = [simple.lagrangian, simple.gap];
        let range =
            |(&variable, limit): (&Id, &Option<[f64; 2]>)| match (limit, simple.graph.dependence(&roots, variable)) {
                (Some(limit), _) => *limit,
                (None, Dependence::Periodic(period)) => [-0.5 * period, 0.5 * period],
                _ => [-options.extent, options.extent],
            };
        simple.u.iter().zip(&self.limits).map(range).collect()
    }

    /// True within the limits that were given.
    fn is_within(&self, u: &[f64]) -> bool {
        u.iter().zip(&self.limits).all(|(value, limit)| limit.is_none_or(|[from, to]| (from..=to).contains(value)))
    }

    /// The point of the boundary nearest to `u`, more or less: along gradients of the gap.
    fn touching(&self, map: &mut ProjectionMap, mut u: Vec<f64>) -> Option<Vec<f64>> {
        for _ in 0..100 {
            let (gap, slope) = map.slope(&u);
            let square = dot(&slope, &slope);
            let step = gap / square;
            if !step.is_finite() {
                return None;
            }
            if gap.abs() <= 4.0 * f64::EPSILON * max_abs(&u).max(1.0) {
                return Some(u);
            }
            u.iter_mut().zip(&slope).for_each(|(u, slope)| *u -= step * slope);
        }
        (map.gap(&u).abs() <= 1e-13 * max_abs(&u).max(1.0)).then_some(u)
    }

    /// True if it is the local one, which claims nothing far from its impact.
    pub fn is_local(&self) -> bool {
        matches!(self.kind, ProjectionKind::Local(_))
    }
}

/// What must hold outside the feasible set.
fn outside(map: &mut ProjectionMap, u: &[f64], tolerance: f64, found: &mut Verification) {
    let point = |map: &ProjectionMap| map.point(u);
    let Ok((image, jacobian)) = map.outer(u) else {
        found.see("feasible", f64::INFINITY, tolerance, || point(map));
        return;
    };
    let scale = max_abs(&image).max(1.0);
    let gap = map.gap(&image);
    let again = map.apply(&image).unwrap_or(vec![f64::NAN; u.len()]);
    let moved = apart(&image, &again);
    found.see("feasible", (moved + (-gap).max(0.0)) / scale, tolerance, || point(map));
    found.see("regular", determinant(&jacobian, u.len()), 0.0, || point(map));
    let back = map.inverse(&image).unwrap_or(vec![f64::NAN; u.len()]);
    let home = map.wrapped(u, false);
    let missed = apart(&back, &home);
    // The inverse of a nearly singular Jacobian magnifies rounding.
    found.see("invertible", missed / scale, 1e3 * tolerance, || point(map));
}

/// The largest difference; not-a-number wins.
pub(super) fn apart(a: &[f64], b: &[f64]) -> f64 {
    let each: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    max_abs(&each)
}

/// A determinant: below zero for maps that reverse orientation.
fn determinant(matrix: &[f64], n: usize) -> f64 {
    let mut a = matrix.to_vec();
    let mut product = 1.0;
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).unwrap_or(k);
        if pivot != k {
            (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
            product = -product;
        }
        product *= a[k * n + k];
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
        }
    }
    product
}
