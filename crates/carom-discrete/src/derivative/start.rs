//! The first link: from the given initial state to the phase space of the first mode.

use super::events::multiply_rows;
use super::{DiscreteTangent, failed};
use carom_impact::NotDifferentiable;
use carom_model::consistent_tangent;

impl DiscreteTangent {
    /// `d(q, p, t, E)/d(q0, v0, parameters)`: position and velocity are moved onto the constraints first.
    pub(super) fn start(
        &mut self,
        (t, q, v0): (f64, &[f64], &[f64]),
        mode: usize,
    ) -> Result<Vec<f64>, NotDifferentiable> {
        let (n, p) = (self.n, self.kept.len());
        let columns = 2 * n + p;
        let dynamics = &self.modes[mode].dynamics;
        let moved = consistent_tangent(dynamics, (&self.kept, &self.values), (t, q, v0));
        let moved = moved.map_err(|error| failed(t, error))?;
        // Rows of (q, v, t, parameters).
        let unit = |k: usize| (0..columns).map(|j| f64::from(u8::from(j == 2 * n + k))).collect::<Vec<f64>>();
        let mut inputs: Vec<Vec<f64>> = moved.chunks_exact(columns).map(<[f64]>::to_vec).collect();
        inputs.push(vec![0.0; columns]);
        inputs.extend((0..p).map(unit));
        let end = self.initial_momentum((t, q, v0), mode)?;
        let at = self.momentum_state(mode, &end, t)?;
        let at = [q, &at[..n], &[t], &self.values].concat();
        let slopes = self.momentum.derivative(&at).map_err(|error| failed(t, error))?;
        let mut rows = vec![vec![0.0; columns]; n + 1];
        multiply_rows(2 * n + 1 + p, &slopes, &inputs, &mut rows);
        let energy = rows.pop().unwrap_or_default();
        Ok([moved[..n * columns].to_vec(), rows.concat(), vec![0.0; columns], energy].concat())
    }

    /// Position and momentum of the start.
    pub(super) fn initial_momentum(
        &mut self,
        (t, q, v0): (f64, &[f64], &[f64]),
        mode: usize,
    ) -> Result<Vec<f64>, NotDifferentiable> {
        let at = [q, v0, &[t], &self.values].concat();
        let mut end = [q, &self.momentum.outputs(&at)[..self.n]].concat();
        if self.modes[mode].is_constrained {
            let at = self.momentum_state(mode, &end, t)?;
            let tangent = &self.modes[mode].legendre.outputs(&at)[self.n..];
            end[self.n..].copy_from_slice(tangent);
        }
        Ok(end)
    }
}
