//! The normal impulse from the energy balance, for kinetic energies that are not quadratic.

use crate::error::ImpactError;
use crate::resolver::Before;
use crate::space::ContactSpace;
use carom_model::Legendre;

/// Most iterations of the energy balance.
const MAX_ITERATIONS: usize = 60;

/// Where the kinetic energy is not quadratic: the normal impulse from the energy balance, by secants.
pub(crate) fn keep_energy(
    Before { t, q, v }: Before<'_>,
    space: &ContactSpace,
    push: &[f64],
    target: f64,
    impulses: &mut [f64],
    legendre: &mut Legendre,
) -> Result<Vec<f64>, ImpactError> {
    let n = q.len();
    let mut start = vec![0.0; n];
    legendre.momentum(q, v, t, &mut start);
    let mut excess = |impulse: f64| {
        let normal = &space.rows[..n];
        let mut p: Vec<f64> = (0..n).map(|i| start[i] + push[i] + impulse * normal[i]).collect();
        let (mut velocity, mut mu) = (v.to_vec(), vec![0.0; legendre.constraint_count()]);
        legendre.velocity(q, t, &mut p, &mut velocity, &mut mu)?;
        Ok::<_, ImpactError>((legendre.energy(q, &velocity, t) - target, velocity))
    };
    let (mut x, mut y) = (impulses[0], 1.01 * impulses[0]);
    let (mut fx, _) = excess(x)?;
    let (mut fy, mut velocity) = excess(y)?;
    for _ in 0..MAX_ITERATIONS {
        if fy == fx || fy.abs() <= f64::EPSILON * target.abs() {
            break;
        }
        let next = y - fy * (y - x) / (fy - fx);
        (x, fx) = (y, fy);
        y = next;
        (fy, velocity) = excess(y)?;
        if (y - x).abs() <= f64::EPSILON * y.abs() {
            break;
        }
    }
    impulses[0] = y;
    Ok(velocity)
}
