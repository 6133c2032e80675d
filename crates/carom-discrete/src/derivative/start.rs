//! The first link: from the given initial state to the phase space of the first mode.

use super::{DiscreteTangent, failed};
use carom_impact::NotDifferentiable;
use carom_linalg::{Lu, dot, gram};
use carom_model::ImplicitMap;

impl DiscreteTangent {
    /// `d(q, p, t, E)/d(q0, v0, parameters)`: position and velocity are moved onto the constraints first,
    /// `dq = dq0 - G^T (G G^T)^-1 (G dq0 + g_c dc)`.
    pub(super) fn start(
        &mut self,
        (t, q, v): (f64, &[f64], &[f64]),
        mode: usize,
    ) -> Result<Vec<f64>, NotDifferentiable> {
        let (n, p) = (self.n, self.kept.len());
        let position = self.position_columns(mode, t, q)?;
        // Momentum of the given velocity at the moved position, and energy.
        let at = [q, v, &[t], &self.values].concat();
        let slopes = self.momentum.derivative(&at).map_err(|error| failed(t, error))?;
        let width = 2 * n + 1 + p;
        let columns = 2 * n + p;
        let along = |row: &[f64], j: usize| -> f64 {
            let moved = (0..n).map(|i| row[i] * position[i * columns + j]).sum::<f64>();
            let direct = if j < n {
                0.0
            } else if j < 2 * n {
                row[j]
            } else {
                row[j + 1]
            };
            moved + direct
        };
        let mut momentum: Vec<Vec<f64>> =
            slopes.chunks_exact(width).map(|row| (0..columns).map(|j| along(row, j)).collect()).collect();
        if self.modes[mode].is_constrained {
            let raw = self.momentum.outputs(&at)[..n].to_vec();
            let at = self.momentum_state(mode, &[q, &raw].concat(), t)?;
            let projected = self.modes[mode].legendre.derivative(&at).map_err(|error| failed(t, error))?;
            let inputs = 2 * n + 1 + p;
            for i in 0..n {
                let row = &projected[(n + i) * inputs..(n + i + 1) * inputs];
                let value = |j: usize| {
                    let by_q = (0..n).map(|k| row[k] * position[k * columns + j]).sum::<f64>();
                    let by_p = (0..n).map(|k| row[n + k] * momentum[k][j]).sum::<f64>();
                    by_q + by_p + if j >= 2 * n { row[j + 1] } else { 0.0 }
                };
                let line = (0..columns).map(value).collect();
                momentum.push(line);
            }
            // The energy stays last.
            let energy = momentum.remove(n);
            momentum = momentum.split_off(n);
            momentum.push(energy);
        }
        let (momentum, energy) = momentum.split_at(n);
        Ok([position, momentum.concat(), vec![0.0; columns], energy.concat()].concat())
    }

    /// `dq/d(q0, v0, parameters)`
    fn position_columns(&mut self, mode: usize, t: f64, q: &[f64]) -> Result<Vec<f64>, NotDifferentiable> {
        let (n, p) = (self.n, self.kept.len());
        let columns = 2 * n + p;
        let mut position = vec![0.0; n * columns];
        (0..n).for_each(|i| position[i * columns + i] = 1.0);
        let dynamics = &self.modes[mode].dynamics;
        let zeros = dynamics.constraints.len() - dynamics.kept_values;
        if zeros == 0 {
            return Ok(position);
        }
        let mut graph = dynamics.graph.clone();
        let kept: Vec<_> = self.kept.iter().map(|name| graph.variable(name)).collect();
        let inputs = [&dynamics.q[..], &kept].concat();
        let constraints = dynamics.constraints[..zeros].to_vec();
        let mut map = ImplicitMap::new(graph, (&[], &inputs), (&[], &constraints), self.options.backend)?;
        let slopes = map.derivative(&[q, &self.values].concat()).map_err(|error| failed(t, error))?;
        let rows: Vec<&[f64]> = slopes.chunks_exact(n + p).map(|row| &row[..n]).collect();
        let mut lu = Lu::new(zeros);
        lu.factor(&gram(&rows)).map_err(|_| NotDifferentiable::SingularStep { time: t })?;
        for j in 0..columns {
            if (n..2 * n).contains(&j) {
                continue;
            }
            let place = if j < n { j } else { j - n };
            let mut share: Vec<f64> = slopes.chunks_exact(n + p).map(|row| row[place]).collect();
            lu.solve(&mut share);
            for i in 0..n {
                let column: Vec<f64> = rows.iter().map(|row| row[i]).collect();
                position[i * columns + j] -= dot(&column, &share);
            }
        }
        Ok(position)
    }

    /// Position and momentum of the start.
    pub(super) fn initial_momentum(
        &mut self,
        (t, q, v): (f64, &[f64], &[f64]),
        mode: usize,
    ) -> Result<Vec<f64>, NotDifferentiable> {
        let at = [q, v, &[t], &self.values].concat();
        let mut end = [q, &self.momentum.outputs(&at)[..self.n]].concat();
        if self.modes[mode].is_constrained {
            let at = self.momentum_state(mode, &end, t)?;
            let tangent = &self.modes[mode].legendre.outputs(&at)[self.n..];
            end[self.n..].copy_from_slice(tangent);
        }
        Ok(end)
    }
}
