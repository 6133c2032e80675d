//! States that motions begin at.

use crate::error::ImpactError;
use crate::geometry::Geometry;
use carom_linalg::{dot, max_abs};
use carom_model::{Dynamics, Legendre, LegendreError};

/// Initial gaps below this part of the size of the configuration (at least 1) are zero, as for model files.
pub(crate) const AT_FIRST: f64 = 1e-9;
/// Steps towards the nearest free state.
const STEPS: usize = 20;

/// The state on the constraints that is nearest to `(q, v)`: configuration first, then the velocity with that momentum.
pub(crate) fn consistent(
    legendre: &mut Legendre,
    (t, q, v): (f64, &[f64], &[f64]),
) -> Result<(Vec<f64>, Vec<f64>), LegendreError> {
    let (mut q, mut v) = (q.to_vec(), v.to_vec());
    legendre.project_configuration(&mut q)?;
    let (mut p, mut multipliers) = (vec![0.0; q.len()], vec![0.0; legendre.constraint_count()]);
    legendre.momentum(&q, &v, t, &mut p);
    legendre.velocity(&q, t, &mut p, &mut v, &mut multipliers)?;
    Ok((q, v))
}

/// Refuses states of the wrong size, and numbers that are not finite.
pub(crate) fn check_state((t, q, v): (f64, &[f64], &[f64]), expected: usize) -> Result<(), ImpactError> {
    for (values, what) in [(q, "configuration"), (v, "velocity")] {
        if values.len() != expected {
            return Err(ImpactError::WrongLength { what, found: values.len(), expected });
        }
    }
    for (values, what) in [(q, "the initial configuration"), (v, "the initial velocity")] {
        if !max_abs(values).is_finite() {
            return Err(LegendreError::NotFinite { time: t, what }.into());
        }
    }
    Ok(())
}

/// The error of a state inside an obstacle, with the nearest one outside: `q - G^T phi / (G G^T)`.
pub(crate) fn inside(
    (geometry, dynamics): (&mut Geometry, &Dynamics),
    contact: String,
    surface: usize,
    (time, q): (f64, &[f64]),
) -> ImpactError {
    let (mut nearest, still) = (q.to_vec(), vec![0.0; q.len()]);
    geometry.at(q, &still, time);
    let depth = -geometry.gap(surface);
    for _ in 0..STEPS {
        geometry.at(&nearest, &still, time);
        let gradient = geometry.gradient(surface);
        let square = dot(gradient, gradient).max(f64::MIN_POSITIVE);
        let share = geometry.gap(surface) / square;
        nearest.iter_mut().zip(gradient).for_each(|(value, slope)| *value -= share * slope);
    }
    let names = dynamics.q.iter().map(|&id| dynamics.graph.variable_name(id).unwrap_or_default());
    let moved = names.zip(nearest.iter().zip(q)).filter(|(_, (new, old))| new != old);
    let nearest = moved.map(|(name, (new, _))| format!("{name} = {new:.6}")).collect::<Vec<_>>().join(", ");
    ImpactError::Inside { time, contact, depth, nearest }
}
