//! The variational jump: the first segment after an impact balances the discrete energies of both sides.
//!
//! Its unknowns include the size `nu` of the impulse along `direction = Lambda_N G`, and one of its equations is
//! `E_a = E_b(before) - F_t` ([`crate::segment::Opening::Impact`]).

use super::events::{map_width, multiply_rows};
use super::linearise::{Departure, Link, Reader};
use super::{DiscreteTangent, failed};
use crate::tape::Solved;
use carom_impact::{Arrival, JumpDerivative, NotDifferentiable};
use carom_linalg::dot;
use carom_model::{Impact, ImplicitMap};

/// Corrections of the unknowns of a segment, which are solved but for the last digits of the energy.
const MAX_CORRECTIONS: usize = 8;

impl DiscreteTangent {
    /// True if the bodies leave each other: only then there is something to balance.
    pub(super) fn rebounds(&self, contact: usize) -> bool {
        !matches!(self.jumps.law(contact), "plastic" | "transition" | "reset")
    }

    /// What a variational jump hands to the segment after it.
    pub(super) fn departure(
        &mut self,
        (impact, after): (&Impact, &[f64]),
        jump: &JumpDerivative,
        before: &[Vec<f64>],
        rows: Vec<Vec<f64>>,
    ) -> Result<Departure, NotDifferentiable> {
        let (n, p) = (self.n, self.kept.len());
        let (normal, slopes) = self.normal(impact)?;
        let size = self.normal_impulse(impact, after, &normal);
        let width = 2 * n + 1 + p;
        let inputs: Vec<Vec<f64>> = (0..before.len()).filter(|k| *k != 2 * n + 1).map(|k| before[k].clone()).collect();
        let mut impulse = [vec![0.0; self.width()]];
        multiply_rows(width, &jump.impulses[..width], &inputs, &mut impulse);
        // direction = Lambda_N G: both factors move.
        let by_place: Vec<Vec<f64>> = before[..n].iter().chain(&before[2 * n + 2..]).cloned().collect();
        let mut direction_rows = vec![vec![0.0; self.width()]; n];
        multiply_rows(n + p, &slopes, &by_place, &mut direction_rows);
        for (row, slope) in direction_rows.iter_mut().zip(&normal) {
            row.iter_mut().zip(&impulse[0]).for_each(|(entry, impulse)| *entry = size * *entry + slope * impulse);
        }
        let mut data = vec![impact.balance.energies.0 - impact.balance.loss];
        data.extend(normal.iter().map(|slope| size * slope));
        Ok(Departure { rows, direction_rows, data })
    }

    /// The normal impulse of the law, from the momenta on both sides.
    fn normal_impulse(&mut self, impact: &Impact, after: &[f64], normal: &[f64]) -> f64 {
        let n = self.n;
        let minus = [&impact.q[..], &impact.v_minus, &[impact.t], &self.values].concat();
        let before = self.momentum.outputs(&minus)[..n].to_vec();
        let after = &self.momentum.outputs(after)[..n];
        let push = |k: usize| impact.balance.push.get(k).copied().unwrap_or(0.0);
        let change: Vec<f64> = (0..n).map(|k| after[k] - before[k] - push(k)).collect();
        dot(&change, normal) / dot(normal, normal)
    }

    /// The gradient of the gap and its derivative by `(q, parameters)`.
    fn normal(&mut self, impact: &Impact) -> Result<(Vec<f64>, Vec<f64>), NotDifferentiable> {
        let mut graph = self.dynamics.graph.clone();
        let kept: Vec<_> = self.kept.iter().map(|name| graph.variable(name)).collect();
        let outputs = graph.gradient(self.dynamics.surfaces[impact.impulses[0].surface].gap, &self.dynamics.q);
        let inputs = [&self.dynamics.q[..], &kept].concat();
        let mut map = ImplicitMap::new(graph, (&[], &inputs), (&[], &outputs), self.options.backend)?;
        let at = [&impact.q[..], &self.values].concat();
        let normal = map.outputs(&at).to_vec();
        Ok((normal, map.derivative(&at).map_err(|error| failed(impact.t, error))?))
    }

    /// The segment after a variational jump, up to a node or to the next event.
    pub(super) fn depart(
        &mut self,
        reader: &mut Reader<'_>,
        departure: Departure,
        solved: &[Solved],
        arrival: Option<Arrival>,
    ) -> Result<(), NotDifferentiable> {
        let (n, t) = (self.n, reader.t);
        let ([Solved { at, nu: Some(nu), .. }], Some(map)) = (solved, &mut self.modes[reader.mode].departure) else {
            let what = format!("a variational jump that no single segment completes (t = {t})");
            return Err(NotDifferentiable::NotSupported { what, advice: "use a smaller step, or the jump `modified`" });
        };
        let given = at.len() - 2 * n - 2;
        let mut at = [&at[..given], &[*nu], &at[given..], &self.values, &departure.data].concat();
        for _ in 0..MAX_CORRECTIONS {
            let change = map.correct(&mut at).map_err(|error| failed(t, error))?;
            if change <= 1e-15 {
                break;
            }
        }
        let slopes = map.derivative(&at).map_err(|error| failed(t, error))?;
        let (across, end) = (map_width(map), map.outputs(&at)[..2 * n].to_vec());
        let place = at.len() - departure.data.len() - self.values.len() - 1;
        (reader.t, reader.end) = (at[place] + at[place - 1], end);
        let columns = self.depart_columns(&departure, &slopes, across);
        match arrival {
            Some(arrival) => self.complete(reader, columns, arrival),
            None => {
                self.end_at_node(reader, columns);
                Ok(())
            }
        }
    }

    /// Rows at the end of the segment by columns of `(q, p, t, E, D, parameters)` before the jump.
    fn depart_columns(&self, departure: &Departure, slopes: &[f64], across: usize) -> super::events::Columns {
        let n = self.n;
        let wide = |row: &Vec<f64>| [&row[..2 * n + 2], &[0.0], &row[2 * n + 2..]].concat();
        let mut columns = self.unit_columns();
        columns.rows = departure.rows.iter().map(wide).collect();
        let mut duration = vec![0.0; self.width() + 1];
        duration[2 * n + 2] = 1.0;
        let time = columns.rows[2 * n].clone();
        let mut inputs = self.input_rows(&columns.rows[..2 * n], &[duration, time]);
        inputs.push(columns.rows[2 * n + 1].clone());
        inputs.extend(departure.direction_rows.iter().map(wide));
        let mut energy = [vec![0.0; self.width() + 1]];
        multiply_rows(across, &slopes[2 * n * across..], &inputs, &mut energy);
        multiply_rows(across, slopes, &inputs, &mut columns.rows[..2 * n]);
        let [energy] = energy;
        columns.rows[2 * n + 1] = energy;
        columns.rows[2 * n][2 * n + 2] = 1.0;
        columns
    }

    /// The segment ends at a node: `dD = -dt`.
    fn end_at_node(&self, reader: &mut Reader<'_>, mut columns: super::events::Columns) {
        let place = 2 * self.n + 2;
        let mut time = columns.rows[2 * self.n].clone();
        time[place] = 0.0;
        for row in &mut columns.rows {
            let slope = row[place];
            row.iter_mut().zip(&time).for_each(|(entry, time)| *entry -= slope * time);
        }
        let matrix = columns.rows.iter().flat_map(|row| self.without_duration(row)).collect();
        reader.chain.links.push(Link::Dense(matrix));
    }
}
