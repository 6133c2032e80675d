//! From the state before an event to the state after it.

use super::events::multiply_rows;
use super::linearise::{Event, Link, Reader};
use super::maps::correction;
use super::{DiscreteTangent, EventDerivative, failed};
use carom_impact::{Arrival, JumpKind, JumpState, NotDifferentiable, saltation};
use carom_model::{Closed, Impact, ImplicitMap};

/// Corrections of a velocity that has the right energy.
const MAX_CORRECTIONS: usize = 30;

impl DiscreteTangent {
    /// The motion goes on, perhaps after an event.
    pub(super) fn enter(
        &mut self,
        reader: &mut Reader<'_>,
        (t, q, v): (f64, &[f64], &[f64]),
        closed: &[Closed],
    ) -> Result<(), NotDifferentiable> {
        let mode = self.mode(closed)?;
        let after = [q, v, &[t], &self.values].concat();
        let event = reader.event.take();
        let had_ledger = reader.has_ledger;
        if let Some(event) = event {
            match event.arrival {
                Arrival::Contact { .. } => self.strike(reader, &event, &after, mode)?,
                _ => self.report(reader, &event, &after, (mode, None))?,
            }
        }
        reader.mode = mode;
        // The energy is known as long as no contact rubs.
        reader.has_ledger = self.is_conservative && !self.rubs(closed);
        if reader.has_ledger && !had_ledger {
            self.renew_energy(reader, &after)?;
        }
        let at = [q, v, &[t], &self.values].concat();
        let p = self.momentum.outputs(&at)[..self.n].to_vec();
        reader.end = [q, &p].concat();
        Ok(())
    }

    /// An impact: velocity, right energy, law, momentum.
    fn strike(
        &mut self,
        reader: &mut Reader<'_>,
        event: &Event,
        after: &[f64],
        mode: usize,
    ) -> Result<(), NotDifferentiable> {
        let (n, t) = (self.n, reader.t);
        let contact = self.contact_of(event.before, event.arrival);
        let Some(impact) = Self::impact_at(reader, t) else {
            return Err(NotDifferentiable::Grazing { time: t, contact: self.contacts[contact].clone(), rate: 0.0 });
        };
        let at = self.momentum_state(event.before, &reader.end, t)?;
        let velocity = self.velocity_rows(event.before, &at, t)?;
        // Rows of (q, v, t, E, parameters) by columns of (q, p, t, E, parameters).
        let mut rows = self.unit_rows();
        let inputs: Vec<Vec<f64>> = (0..self.width()).filter(|j| *j != 2 * n + 1).map(|j| self.unit(j)).collect();
        multiply_rows(velocity.len() / n, &velocity, &inputs, &mut rows[n..2 * n]);
        let law_minus = self.correct_energy(impact, &mut rows, t)?;
        let staying = self.modes[event.before].closed.clone();
        let state = JumpState { t, q: &impact.q, v_minus: &law_minus, v_plus: &after[n..2 * n] };
        let jump = self.jumps.at_state(impact, state, &staying, &self.values)?;
        let before = rows.clone();
        self.apply_jump(&jump, &before, &mut rows);
        self.finish(&mut rows, (impact, &law_minus), &before, after)?;
        let size = 2 * n + 2;
        if self.is_variational() && impact.balance.kind == JumpKind::Variational.name() && self.rebounds(contact) {
            reader.departure = Some(self.departure((impact, after), &jump, &before, rows[..size].to_vec())?);
        } else {
            reader.chain.links.push(Link::Dense(rows[..size].concat()));
        }
        self.report(reader, event, after, (mode, Some(&jump)))
    }

    /// The unit row `j` of `(q, p, t, E, parameters)`.
    fn unit(&self, j: usize) -> Vec<f64> {
        (0..self.width()).map(|k| f64::from(u8::from(k == j))).collect()
    }

    fn unit_rows(&self) -> Vec<Vec<f64>> {
        (0..self.width()).map(|j| self.unit(j)).collect()
    }

    /// The velocity that the law saw, and its rows.
    fn correct_energy(
        &mut self,
        impact: &Impact,
        rows: &mut [Vec<f64>],
        t: f64,
    ) -> Result<Vec<f64>, NotDifferentiable> {
        let n = self.n;
        if impact.balance.correction == 0.0 || self.options.contacts.jump != JumpKind::Modified {
            return Ok(impact.v_minus.clone());
        }
        let surface = impact.impulses[0].surface;
        let energy = impact.balance.energies.0;
        let inputs = [&impact.q[..], &impact.v_minus, &[t, energy], &self.values].concat();
        let map = self.correction(surface)?;
        let mut at = [&impact.v_minus[..], &vec![0.0; map.unknown_count() - n], &inputs].concat();
        at[map.unknown_count() - 1] = impact.balance.correction;
        for _ in 0..MAX_CORRECTIONS {
            let change = map.correct(&mut at).map_err(|error| failed(t, error))?;
            if change <= 1e-14 * carom_linalg::max_abs(&at[..n]) {
                break;
            }
        }
        let slopes = map.derivative(&at).map_err(|error| failed(t, error))?;
        let given = rows.to_vec();
        multiply_rows(slopes.len() / n, &slopes, &given, &mut rows[n..2 * n]);
        Ok(at[..n].to_vec())
    }

    fn correction(&mut self, surface: usize) -> Result<&mut ImplicitMap, NotDifferentiable> {
        let index = match self.corrections.iter().position(|(known, _)| *known == surface) {
            Some(index) => index,
            None => {
                let map = correction(&self.dynamics, surface, &self.kept, self.options.backend)?;
                self.corrections.push((surface, map));
                self.corrections.len() - 1
            }
        };
        Ok(&mut self.corrections[index].1)
    }

    /// Rows of `(q, v)` after the law.
    fn apply_jump(&self, jump: &carom_impact::JumpDerivative, before: &[Vec<f64>], rows: &mut [Vec<f64>]) {
        let (n, p) = (self.n, self.kept.len());
        for (i, row) in rows.iter_mut().enumerate().take(2 * n) {
            row.fill(0.0);
            let by_state = jump.state[i * 2 * n..(i + 1) * 2 * n].iter().zip(&before[..2 * n]);
            let by_time = std::iter::once((&jump.time[i], &before[2 * n]));
            let by_parameters = jump.parameters[i * p..(i + 1) * p].iter().zip(&before[2 * n + 2..]);
            for (factor, input) in by_state.chain(by_time).chain(by_parameters) {
                row.iter_mut().zip(input).for_each(|(sum, value)| *sum += factor * value);
            }
        }
    }

    /// From velocities to momenta; the energy that is carried along changes by what the law changes.
    fn finish(
        &mut self,
        rows: &mut [Vec<f64>],
        (impact, law_minus): (&Impact, &[f64]),
        before: &[Vec<f64>],
        after: &[f64],
    ) -> Result<(), NotDifferentiable> {
        let (n, t) = (self.n, impact.t);
        let width = 2 * n + 1 + self.kept.len();
        let without_energy = |rows: &[Vec<f64>]| -> Vec<Vec<f64>> {
            rows.iter().enumerate().filter(|(k, _)| *k != 2 * n + 1).map(|(_, row)| row.clone()).collect()
        };
        let minus = [&impact.q[..], law_minus, &[t], &self.values].concat();
        let slope_minus = self.momentum.derivative(&minus).map_err(|error| failed(t, error))?;
        let slope_plus = self.momentum.derivative(after).map_err(|error| failed(t, error))?;
        let mut energies = vec![vec![0.0; self.width()]; 2];
        multiply_rows(width, &slope_minus[n * width..], &without_energy(before), &mut energies[..1]);
        let inputs = without_energy(rows);
        multiply_rows(width, &slope_plus[n * width..], &inputs, &mut energies[1..]);
        multiply_rows(width, &slope_plus[..n * width], &inputs, &mut rows[n..2 * n]);
        for (k, entry) in rows[2 * n + 1].iter_mut().enumerate() {
            *entry += energies[1][k] - energies[0][k];
        }
        Ok(())
    }

    /// The energy of the state is the one that is carried along from here.
    fn renew_energy(&mut self, reader: &mut Reader<'_>, after: &[f64]) -> Result<(), NotDifferentiable> {
        let (n, t) = (self.n, after[2 * self.n]);
        let (q, v) = (&after[..n], &after[n..2 * n]);
        let p = self.momentum.outputs(after)[..n].to_vec();
        let at = self.momentum_state(reader.mode, &[q, &p].concat(), t)?;
        debug_assert!(at.len() > v.len());
        let velocity = self.velocity_rows(reader.mode, &at, t)?;
        let slopes = self.momentum.derivative(after).map_err(|error| failed(t, error))?;
        let width = 2 * n + 1 + self.kept.len();
        let mut rows = self.unit_rows();
        let units: Vec<Vec<f64>> = (0..self.width()).filter(|j| *j != 2 * n + 1).map(|j| self.unit(j)).collect();
        let mut inputs = units.clone();
        multiply_rows(velocity.len() / n, &velocity, &units, &mut inputs[n..2 * n]);
        multiply_rows(width, &slopes[n * width..], &inputs, &mut rows[2 * n + 1..2 * n + 2]);
        reader.chain.links.push(Link::Dense(rows[..2 * n + 2].concat()));
        Ok(())
    }

    /// The saltation matrix of an event.
    fn report(
        &mut self,
        reader: &mut Reader<'_>,
        event: &Event,
        after: &[f64],
        (mode, jump): (usize, Option<&carom_impact::JumpDerivative>),
    ) -> Result<(), NotDifferentiable> {
        let (size, t) = (2 * self.n, reader.t);
        let unit: Vec<f64> = (0..size * size).map(|k| f64::from(u8::from(k / size == k % size))).collect();
        let zero = vec![0.0; size];
        let (state, time) = jump.map_or((&unit, &zero), |jump| (&jump.state, &jump.time));
        let before = self.modes[event.before].guards.rates(&event.state).map_err(|error| failed(t, error))?;
        let rates = self.modes[mode].guards.rates(after).map_err(|error| failed(t, error))?;
        let slope = (&event.slope[..size], event.slope[size]);
        reader.chain.events.push(EventDerivative {
            t,
            contact: self.contact_of(event.before, event.arrival),
            kind: match event.arrival {
                Arrival::Contact { .. } => "impact",
                Arrival::Release(_) => "release",
                Arrival::Slip(_) => "slip",
                _ => "halt",
            },
            saltation: saltation(state, time, (&before, &rates), slope),
            time_state: Vec::new(),
            time_parameters: Vec::new(),
        });
        reader.chain.ends.push(event.link);
        Ok(())
    }
}
