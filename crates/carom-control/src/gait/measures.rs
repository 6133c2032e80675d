//! What a gait costs, by every definition of the energy that controls exert.
//!
//! ```text
//! net        sum_k sum_i w_ki                    on a periodic gait: what the impact loses
//! positive   sum of the positive parts
//! absolute   sum of the absolute values
//! net, absolute by interval     the same sum of all joints, by its size in each interval
//! eta = E / (W L)
//! ```
//!
//! with the work `w_ki` of joint `i` at sample `k`.

use super::Gait;
use crate::error::ControlError;
use crate::solution::Solution;

/// What a gait costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GaitMeasures {
    /// Weight of the robot.
    pub weight: f64,
    /// Length of the step.
    pub length: f64,
    /// Mean speed.
    pub speed: f64,
    /// Net work of all joints.
    pub net: f64,
    /// Positive work of the joints.
    pub positive: f64,
    /// Absolute work of the joints.
    pub absolute: f64,
    /// Absolute values of the work of all joints together, interval by interval.
    pub net_absolute: f64,
    /// Integral of the squared torques.
    pub effort: f64,
    /// Energy that the impact takes.
    pub loss: f64,
    /// Largest torque.
    pub largest_torque: f64,
    /// Least normal force of the stance foot at nodes.
    pub least_normal_force: f64,
    /// Largest ratio of tangential to normal force at nodes.
    pub largest_friction: f64,
}

impl GaitMeasures {
    /// The cost of transport `E / (W L)` of an energy.
    pub fn transport(&self, energy: f64) -> f64 {
        energy / (self.weight * self.length)
    }
}

impl Gait {
    /// What a solution costs.
    pub fn measures(&self, solution: &Solution) -> Result<GaitMeasures, ControlError> {
        let (Some(step), Some(strike)) = (solution.phases.first(), solution.transitions.first()) else {
            let why = "the solution has no step with an impact".to_owned();
            return Err(ControlError::Gait { key: "swing", why });
        };
        let (weight, length) = (
            self.number("weight", &self.weight, &solution.freed)?,
            self.number("length", &self.length, &solution.freed)?,
        );
        let net: f64 = step.work.iter().flatten().sum();
        let absolute: f64 = step.absolute_work.iter().flatten().sum();
        let torques = step.controls.values.iter().flatten().flatten();
        let mut effort = 0.0;
        for k in 0..step.controls.values.len() {
            let width = step.times[k + 1] - step.times[k];
            effort += step.controls.taylor(k).iter().map(|powers| width * mean_square(powers)).sum::<f64>();
        }
        let mut found = GaitMeasures {
            weight,
            length,
            speed: length / step.duration,
            net,
            positive: 0.5 * (absolute + net),
            absolute,
            net_absolute: step.work.iter().map(|work| work.iter().sum::<f64>().abs()).sum(),
            effort,
            loss: strike.energies[0] - strike.energies[1],
            largest_torque: torques.fold(0.0, |largest, torque| torque.abs().max(largest)),
            least_normal_force: f64::INFINITY,
            largest_friction: 0.0,
        };
        let normal = step.constraints.iter().position(|name| *name == self.stance);
        let across = [format!("{}_t", self.stance), format!("{}_t2", self.stance)];
        let tangents: Vec<usize> =
            (0..step.constraints.len()).filter(|&i| across.contains(&step.constraints[i])).collect();
        for (forces, normal) in step.forces.iter().zip(normal.into_iter().cycle()) {
            let across = tangents.iter().map(|&index| forces[index].powi(2)).sum::<f64>().sqrt();
            found.least_normal_force = found.least_normal_force.min(forces[normal]);
            // Nothing holds a foot that pulls.
            let ratio = if forces[normal] > 0.0 { across / forces[normal] } else { f64::INFINITY };
            found.largest_friction = found.largest_friction.max(ratio);
        }
        Ok(found)
    }
}

/// Mean over [0, 1] of the square of `sum_i a_i x^i`.
fn mean_square(powers: &[f64]) -> f64 {
    let terms =
        powers.iter().enumerate().flat_map(|(i, a)| powers.iter().enumerate().map(move |(j, b)| (i + j, a * b)));
    terms.map(|(power, product)| product / (power as f64 + 1.0)).sum()
}
