//! One side of the boundary: its integrator, and momenta there.

use crate::error::ImpactError;
use crate::geometry::Geometry;
use crate::initial::inside;
use crate::smooth::Smooth;
use carom_expr::{Backend, FunctionError};
use carom_linalg::{Lu, dot};
use carom_model::projection::Projection;
use carom_model::{Acceleration, Dynamics, Legendre};
use std::sync::Arc;

/// Rates below this part of the velocity are zero.
const RESTING: f64 = 1e-12;

/// What a gap that vanishes is about to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tendency {
    /// It becomes negative: the boundary is crossed.
    Closes,
    /// It grows.
    Opens,
    /// It would stay: bodies rest against each other.
    Rests,
}

/// An integrator on one side. Its coordinates are `z`, followed by roots of the projection.
pub(super) struct Side<S> {
    pub(super) smooth: S,
    pub(super) legendre: Legendre,
    geometry: Geometry,
    acceleration: Acceleration,
    dynamics: Arc<Dynamics>,
    n: usize,
    /// The coordinate that each root is a value of.
    roots: Vec<usize>,
}

impl<S: Smooth> Side<S> {
    pub(super) fn new(
        smooth: S,
        dynamics: &Arc<Dynamics>,
        projection: &Projection,
        backend: Backend,
    ) -> Result<Self, FunctionError> {
        let n = projection.simple().dimension();
        let mut roots: Vec<usize> = projection.roots().iter().map(|root| root.coordinate).collect();
        roots.truncate(dynamics.dimension() - n);
        let (legendre, geometry) = (Legendre::new(dynamics, backend)?, Geometry::new(dynamics, backend)?);
        let acceleration = Acceleration::new(dynamics, Backend::Interpreter)?;
        Ok(Self { smooth, legendre, geometry, acceleration, dynamics: dynamics.clone(), n, roots })
    }

    /// The error of a configuration in the obstacle.
    pub(super) fn inside(&mut self, contact: String, (t, z): (f64, &[f64])) -> ImpactError {
        inside((&mut self.geometry, &self.dynamics), contact, 0, (t, z))
    }

    fn full_state(&mut self) -> Result<(Vec<f64>, Vec<f64>), S::Error> {
        let size = self.n + self.roots.len();
        let (mut z, mut dz) = (vec![0.0; size], vec![0.0; size]);
        self.smooth.state(&mut z, &mut dz)?;
        Ok((z, dz))
    }

    /// `z` and `z'`.
    pub(super) fn state(&mut self) -> Result<(Vec<f64>, Vec<f64>), S::Error> {
        let (mut z, mut dz) = self.full_state()?;
        z.truncate(self.n);
        dz.truncate(self.n);
        Ok((z, dz))
    }

    /// What the gap of this side is about to do.
    pub(super) fn tendency(&mut self) -> Result<Tendency, S::Error> {
        let (z, dz) = self.full_state()?;
        let t = self.smooth.time();
        self.geometry.at(&z, &dz, t);
        let gradient = self.geometry.gradient(0);
        let rate = dot(gradient, &dz);
        let size: f64 = gradient.iter().zip(&dz).map(|(slope, rate)| (slope * rate).abs()).sum();
        if rate.abs() > RESTING * size {
            return Ok(if rate < 0.0 { Tendency::Closes } else { Tendency::Opens });
        }
        // phi'' = G a + v^T phi_qq v
        let all = self.acceleration.at(&z, &dz, t);
        let bends = all.map_or(f64::NAN, |all| dot(gradient, &all[..z.len()]) + self.geometry.curvature(0));
        Ok(if bends > 0.0 { Tendency::Opens } else { Tendency::Rests })
    }

    /// The momentum as a covector of `z`, at the state `at` of the boundary that has been reached: roots move with it, `dr/dz = -G_r^-1 G_z`.
    pub(super) fn momentum(&mut self, at: (&[f64], &[f64])) -> Result<Vec<f64>, S::Error> {
        let (mut z, mut dz) = self.full_state()?;
        z[..self.n].copy_from_slice(at.0);
        dz[..self.n].copy_from_slice(at.1);
        let (n, m) = (self.n, self.roots.len());
        let mut p = vec![0.0; n + m];
        let t = self.smooth.time();
        self.legendre.momentum(&z, &dz, t, &mut p);
        let mut share = p.split_off(n);
        if m > 0 {
            let rows = self.legendre.constraints(&z).1;
            // Solves G_r^T y = p_r.
            let transposed: Vec<f64> = (0..m * m).map(|k| rows[(k % m) * (n + m) + n + k / m]).collect();
            let mut lu = Lu::new(m);
            if lu.factor(&transposed).is_ok() {
                lu.solve(&mut share);
            }
            for (y, row) in share.iter().zip(rows.chunks(n + m)) {
                p.iter_mut().zip(row).for_each(|(p, entry)| *p -= y * entry);
            }
        }
        Ok(p)
    }

    /// The state on this side at a point of the boundary with a momentum; `dz` is a guess of the velocity.
    pub(super) fn with_momentum(
        &mut self,
        t: f64,
        (z, dz, p): (&[f64], &[f64], &[f64]),
    ) -> Result<(Vec<f64>, Vec<f64>), S::Error> {
        let with_roots = |values: &[f64]| {
            let roots = self.roots.iter().map(|&coordinate| values[coordinate]);
            values.iter().copied().chain(roots).collect::<Vec<f64>>()
        };
        let (mut z, mut dz) = (with_roots(z), with_roots(dz));
        let mut p: Vec<f64> = p.iter().copied().chain(self.roots.iter().map(|_| 0.0)).collect();
        let mut multipliers = vec![0.0; self.legendre.constraint_count()];
        if !self.roots.is_empty() {
            self.legendre.project_configuration(&mut z)?;
        }
        self.legendre.velocity(&z, t, &mut p, &mut dz, &mut multipliers)?;
        Ok((z, dz))
    }
}
