//! Reflected momenta: velocity constraints of the geometric nonholonomic integrator ([`crate::rules::Gni`]).

use crate::error::StepError;
use crate::motion::Motion;
use crate::stepper::Stepper;

impl Stepper {
    /// Replaces the tangent momentum by the one that a step of duration `h` begins with,
    /// `p^+ = p - (h/h_before) omega^T mu`, where `p + omega^T mu` is the one that the step before has ended
    /// with. The first step begins with half of what the constraint force `-omega^T lambda` does to it.
    pub(crate) fn reflect(&mut self, h: f64) -> Result<(), StepError> {
        let (n, m) = (self.n, self.m);
        let first = m - self.velocity_constraints;
        let Motion { state, velocity, normal, duration, .. } = &mut self.now;
        let shares: Vec<f64> = if duration.is_nan() {
            let all = self.acceleration.at(&state.q, velocity, state.t);
            let all = all.ok_or(StepError::Singular { time: state.t })?;
            all[n + first..].iter().map(|lambda| 0.5 * h * lambda).collect()
        } else {
            normal[first..].iter().map(|mu| h / *duration * mu).collect()
        };
        let jacobian = self.legendre.constraints(&state.q).1;
        for (row, share) in jacobian[first * n..].chunks_exact(n).zip(&shares) {
            state.p.iter_mut().zip(row).for_each(|(p, omega)| *p -= share * omega);
        }
        Ok(())
    }
}
