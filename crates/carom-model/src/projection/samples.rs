//! Points at which a projection is verified.

use super::boundary::Boundary;
use super::error::ProjectionError;
use super::map::ProjectionMap;
use super::verify::{Verification, VerifyOptions, apart};
use super::{Projection, ProjectionKind};
use crate::random::Random;
use crate::system::System;
use carom_expr::{Dependence, Id};
use carom_linalg::{dot, max_abs};

impl Projection {
    /// Samples the properties of the class; `system` is the one that was projected.
    pub fn verify(&self, system: &System, options: &VerifyOptions) -> Result<Verification, ProjectionError> {
        let mut map = self.map()?;
        let is_constrained = !system.constraints().is_empty();
        let mut found = Verification { is_constrained, ..Verification::default() };
        let mut random = Random(1);
        let ranges = self.ranges(options);
        let mut geometry = Boundary::new(self, system)?;
        for _ in 0..options.samples {
            let u: Vec<f64> =
                ranges.iter().map(|[from, to]| from + (to - from) * 0.5 * (random.next() + 1.0)).collect();
            if let Some(off) =
                self.off(&mut map, &u, options.extent).filter(|off| map.gap(off) < 0.0 && map.check_limits(off).is_ok())
            {
                outside(&mut map, &off, options.tolerance, &mut found);
            }
            let touching = self.touching(&mut map, u).map(|u| map.wrapped(&u, true));
            if let Some(touching) = touching.filter(|u| map.check_limits(u).is_ok()) {
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

    /// The point itself if it is outside. A feasible one has another outside that is as far from the boundary, or as far
    /// as samples go.
    fn off(&self, map: &mut ProjectionMap, u: &[f64], extent: f64) -> Option<Vec<f64>> {
        let gap = map.gap(u);
        if gap < 0.0 {
            return Some(u.to_vec());
        }
        match &self.kind {
            ProjectionKind::Global(normal) => map.along(u, normal.monotonic.coordinate, -gap.min(extent)).ok(),
            _ => map.mirror(u).ok(),
        }
    }

    /// A point of the boundary near `u`: the nearer end of an arc; along gradients of the gap, or else along the
    /// coordinate that it replaces.
    fn touching(&self, map: &mut ProjectionMap, u: Vec<f64>) -> Option<Vec<f64>> {
        match &self.kind {
            ProjectionKind::Circle(arc) => {
                let from_centre = map.wrapped(&u, true)[0] - arc.centre;
                Some(vec![arc.centre + arc.half.copysign(from_centre)])
            }
            ProjectionKind::Global(normal) => {
                let nearest = downhill(map, u.clone());
                nearest.or_else(|| map.along(&u, normal.monotonic.coordinate, 0.0).ok())
            }
            ProjectionKind::Local(_) => downhill(map, u),
        }
    }
}

/// The point of the boundary nearest to `u`, more or less: along gradients of the gap.
fn downhill(map: &mut ProjectionMap, mut u: Vec<f64>) -> Option<Vec<f64>> {
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
