//! In which numbers a path is varied.
//!
//! Jerks act on the cost through one sum (accelerations), two (rates) and three (places), so their Hessian has a
//! condition number that grows like a high power of the number of stages. Costs of forces are close to `|z''|^2`: in the
//! accelerations at stage ends, `u_0 = z_0''` and `u_{k+1} = u_k + h zeta_k`, the Hessian is close to a band with equal
//! entries, and descent is as much faster. (Seed 002, IV-B, leaves the choice between jerks and control points.)

use super::spline::JerkSpline;

/// In which numbers a path is varied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variables {
    /// The parameters themselves, as in the paper.
    #[default]
    Jerks,
    /// Accelerations at stage ends, less the jumps before them.
    Accelerations,
}

impl Variables {
    /// From these variables to the parameters of the path, in place.
    pub(super) fn write_parameters(self, path: &JerkSpline, values: &mut [f64]) {
        if self == Self::Accelerations {
            let (n, h) = (path.dimension(), path.stage_length());
            for i in (n..path.parameter_count(0)).rev() {
                values[i] = (values[i] - values[i - n]) / h;
            }
        }
    }

    /// From parameters of the path to these variables, in place.
    pub(super) fn read_parameters(self, path: &JerkSpline, values: &mut [f64]) {
        if self == Self::Accelerations {
            let (n, h) = (path.dimension(), path.stage_length());
            for i in n..path.parameter_count(0) {
                values[i] = values[i - n] + h * values[i];
            }
        }
    }

    /// From the gradient in the parameters to the one in these variables, in place: the transposed map.
    pub(super) fn pull_gradient(self, path: &JerkSpline, gradient: &mut [f64]) {
        if self == Self::Accelerations {
            let (n, h, count) = (path.dimension(), path.stage_length(), path.parameter_count(0));
            gradient[n..count].iter_mut().for_each(|slope| *slope /= h);
            for i in 0..count - n {
                gradient[i] -= gradient[i + n];
            }
        }
    }
}
