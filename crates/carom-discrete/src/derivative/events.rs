//! Segments that end at an event: their duration is determined by a guard.
//!
//! With the duration `D` of the piece of motion before the event as one more input, its end is `x+(x, D, c)`. The guard
//! `psi(x+, c) = 0` gives `dD = -(psi_x x+_x dx + (psi_x x+_c + psi_c) dc) / (psi_x x+_D)`.

use super::linearise::{Event, Link, Reader, SegmentLink};
use super::{DiscreteTangent, failed};
use crate::tape::Solved;
use carom_impact::{Arrival, Guard, JumpKind, NotDifferentiable};
use carom_linalg::dot;
use carom_model::{Hold, ImplicitMap};

/// A guard that is reached slower than this part of the terms of its rate is not reached.
const GRAZING: f64 = 1e-9;

/// Rows of `(q, p)` by columns of `(q, p, t, E, D, parameters)`, and the rows of `t` and the energy.
pub(super) struct Columns {
    pub(super) rows: Vec<Vec<f64>>,
}

impl DiscreteTangent {
    /// A piece of motion up to an event.
    pub(super) fn reach_event(
        &mut self,
        reader: &mut Reader<'_>,
        solved: &[Solved],
        arrival: Arrival,
    ) -> Result<(), NotDifferentiable> {
        if solved.is_empty() {
            return Err(NotDifferentiable::NotSupported {
                what: format!("an event at a node of the grid, to rounding (t = {})", reader.t),
                advice: "change the step a little",
            });
        }
        let mode = reader.mode;
        if let Some(departure) = reader.departure.take() {
            return self.depart(reader, departure, solved, Some(arrival));
        }
        let mut columns = self.unit_columns();
        let mut energy = vec![0.0; self.width() + 1];
        for link in self.segments(mode, solved) {
            let own = self.advance_columns(&link, &mut columns)?;
            energy.iter_mut().zip(&own).for_each(|(sum, value)| *sum += link.share * value);
            if let Some(at) = self.arrive(reader, &link)? {
                self.project_columns(mode, &at, &mut columns)?;
            }
        }
        if self.is_variational() {
            columns.rows[2 * self.n + 1] = energy;
        }
        self.complete(reader, columns, arrival)
    }

    /// Closes a piece of motion by its guard.
    pub(super) fn complete(
        &mut self,
        reader: &mut Reader<'_>,
        mut columns: Columns,
        arrival: Arrival,
    ) -> Result<(), NotDifferentiable> {
        let (mode, t) = (reader.mode, reader.t);
        let at = self.momentum_state(mode, &reader.end, t)?;
        let slope = self.guard_slope(mode, arrival, &at, t)?;
        let velocity = self.velocity_rows(mode, &at, t)?;
        self.close(&mut columns, (&slope, &velocity), arrival, (mode, t))?;
        let matrix = columns.rows.iter().flat_map(|row| self.without_duration(row)).collect();
        reader.chain.links.push(Link::Dense(matrix));
        let state = [&reader.end[..self.n], &at[..self.n], &[t], &self.values].concat();
        if let Arrival::Contact { surface, .. } = arrival
            && let Some(rate) = self.modes[mode].guards.grazes(surface, &state).map_err(|error| failed(t, error))?
        {
            let contact = self.contacts[self.contact_of(mode, arrival)].clone();
            return Err(NotDifferentiable::Grazing { time: t, contact, rate });
        }
        let link = reader.chain.links.len() - 1;
        reader.event = Some(Event { arrival, before: mode, state, slope, link });
        Ok(())
    }

    /// The identity, with time growing with the duration.
    pub(super) fn unit_columns(&self) -> Columns {
        let (size, width) = (2 * self.n + 2, self.width() + 1);
        let mut rows: Vec<Vec<f64>> =
            (0..size).map(|i| (0..width).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        rows[2 * self.n][size] = 1.0;
        Columns { rows }
    }

    pub(super) fn without_duration(&self, row: &[f64]) -> Vec<f64> {
        let place = 2 * self.n + 2;
        [&row[..place], &row[place + 1..]].concat()
    }

    /// Moves the rows over a segment: `h` by its share of `D`, the time by what has passed of it. The row of its energy, if
    /// that is carried along.
    fn advance_columns(&mut self, link: &SegmentLink, columns: &mut Columns) -> Result<Vec<f64>, NotDifferentiable> {
        let (n, place) = (self.n, 2 * self.n + 2);
        let t = link.at[self.time_place(link)];
        let width = self.width() + 1;
        let mut duration = vec![0.0; width];
        duration[place] = link.share;
        let mut time = vec![0.0; width];
        (time[2 * n], time[place]) = (1.0, link.elapsed);
        let map = &mut self.modes[link.mode].segments[link.solver];
        let (slopes, across) = (map.derivative(&link.at).map_err(|error| failed(t, error))?, map_width(map));
        let inputs = self.input_rows(&columns.rows[..2 * n], &[duration, time]);
        let mut energy = [vec![0.0; width]];
        multiply_rows(across, &slopes[2 * n * across..], &inputs, &mut energy);
        multiply_rows(across, &slopes, &inputs, &mut columns.rows[..2 * n]);
        let [energy] = energy;
        Ok(energy)
    }

    /// True if discrete energies are balanced at impacts.
    pub(super) fn is_variational(&self) -> bool {
        self.options.contacts.jump == JumpKind::Variational
    }

    /// `(q, p)`, then some rows, then the parameters.
    pub(super) fn input_rows(&self, state: &[Vec<f64>], more: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let (p, width) = (self.kept.len(), self.width() + 1);
        let unit = |k: usize| (0..width).map(|j| f64::from(u8::from(j == width - p + k))).collect();
        state.iter().cloned().chain(more.iter().cloned()).chain((0..p).map(unit)).collect()
    }

    fn project_columns(&mut self, mode: usize, at: &[f64], columns: &mut Columns) -> Result<(), NotDifferentiable> {
        let n = self.n;
        let slopes = self.modes[mode].legendre.derivative(at).map_err(|error| failed(f64::NAN, error))?;
        let inputs = self.input_rows(&columns.rows[..2 * n], &columns.rows[2 * n..=2 * n]);
        let width = map_width(&self.modes[mode].legendre);
        multiply_rows(width, &slopes[n * width..], &inputs, &mut columns.rows[n..2 * n]);
        Ok(())
    }

    /// `dv/d(q, p, t, parameters)`, row by row.
    pub(super) fn velocity_rows(&mut self, mode: usize, at: &[f64], t: f64) -> Result<Vec<f64>, NotDifferentiable> {
        let map = &mut self.modes[mode].legendre;
        let mut slopes = map.derivative(at).map_err(|error| failed(t, error))?;
        slopes.truncate(self.n * map_width(&self.modes[mode].legendre));
        Ok(slopes)
    }

    /// The gradient of the guard with respect to `(q, v, t, parameters)`.
    fn guard_slope(
        &mut self,
        mode: usize,
        arrival: Arrival,
        at: &[f64],
        t: f64,
    ) -> Result<Vec<f64>, NotDifferentiable> {
        let (n, guard) = (self.n, self.guard(mode, arrival));
        let count = self.modes[mode].legendre.unknown_count();
        let state = [&at[count..count + n], &at[..n], &[t], &self.values].concat();
        self.modes[mode].guards.gradient(&guard, &state).map_err(|error| failed(t, error))
    }

    /// What ended the piece; multipliers are numbered as the life of contacts does: gaps first, then tangents.
    fn guard(&self, mode: usize, arrival: Arrival) -> Guard {
        let maps = &self.modes[mode];
        let own = self.dynamics.constraints.len();
        let surface = |index: usize| maps.closed[index].surface;
        let tangents = |index: usize| self.dynamics.surfaces[surface(index)].tangents.len();
        match arrival {
            Arrival::Contact { surface, .. } => Guard::Gap(surface),
            Arrival::Release(index) => Guard::Release(own + index),
            Arrival::Halt(index) => Guard::Halt(surface(index)),
            Arrival::Slip(index) => {
                let sticks = |k: &usize| maps.closed[*k].hold == Hold::Stick;
                let before: usize = (0..index).filter(sticks).map(tangents).sum();
                let first = own + maps.closed.len() + before;
                let contact = self.dynamics.surfaces[surface(index)].contact;
                Guard::Slip(own + index, (first..first + tangents(index)).collect(), contact)
            }
            Arrival::End => Guard::Gap(0),
        }
    }

    /// Eliminates the duration by the guard.
    fn close(
        &self,
        columns: &mut Columns,
        (slope, velocity): (&[f64], &[f64]),
        arrival: Arrival,
        (mode, t): (usize, f64),
    ) -> Result<(), NotDifferentiable> {
        let (n, place) = (self.n, 2 * self.n + 2);
        let width = self.width() + 1;
        let inputs = self.input_rows(&columns.rows[..2 * n], &columns.rows[2 * n..=2 * n]);
        let mut rows = vec![vec![0.0; width]; n];
        multiply_rows(velocity.len() / n, velocity, &inputs, &mut rows);
        let all: Vec<&Vec<f64>> = columns.rows[..n]
            .iter()
            .chain(&rows)
            .chain(&columns.rows[2 * n..=2 * n])
            .chain(&inputs[2 * n + 1..])
            .collect();
        let guard: Vec<f64> =
            (0..width).map(|j| dot(slope, &all.iter().map(|row| row[j]).collect::<Vec<_>>())).collect();
        let terms = all.iter().zip(slope).map(|(row, slope)| (row[place] * slope).abs()).fold(0.0, f64::max);
        if guard[place].abs() <= GRAZING * terms || !guard[place].is_finite() {
            let contact = self.contacts[self.contact_of(mode, arrival)].clone();
            return Err(NotDifferentiable::Grazing { time: t, contact, rate: guard[place] });
        }
        for row in &mut columns.rows {
            let share = row[place] / guard[place];
            row.iter_mut().zip(&guard).for_each(|(entry, guard)| *entry -= share * guard);
        }
        Ok(())
    }

    /// The contact that an event is about.
    pub(super) fn contact_of(&self, mode: usize, arrival: Arrival) -> usize {
        let surface = match arrival {
            Arrival::Contact { surface, .. } => surface,
            Arrival::Release(index) | Arrival::Slip(index) | Arrival::Halt(index) => {
                self.modes[mode].closed[index].surface
            }
            Arrival::End => 0,
        };
        self.dynamics.surfaces[surface].contact
    }
}

/// Number of inputs of a map.
pub(super) fn map_width(map: &ImplicitMap) -> usize {
    map.input_count()
}

/// `rows = slopes inputs`, `slopes` row by row with `width` columns.
pub(super) fn multiply_rows(width: usize, slopes: &[f64], inputs: &[Vec<f64>], rows: &mut [Vec<f64>]) {
    for (slope, row) in slopes.chunks_exact(width).zip(rows) {
        row.fill(0.0);
        for (factor, input) in slope.iter().zip(inputs).filter(|(factor, _)| **factor != 0.0) {
            row.iter_mut().zip(input).for_each(|(sum, value)| *sum += factor * value);
        }
    }
}
