//! Quasivelocities of a state: the components `w` of a velocity `v = w^i u_i(q)` in a frame.

use crate::dynamics::Dynamics;
use crate::frame::Frame;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group};
use carom_linalg::{Lu, dot};

/// Evaluates the fields of a distribution, and velocities in them.
#[derive(Clone)]
pub struct Quasivelocities {
    n: usize,
    rank: usize,
    evaluator: Evaluator,
    /// The fields, one after the other.
    fields: Vec<f64>,
    gram: Vec<f64>,
    lu: Lu,
}

impl Quasivelocities {
    /// Compiles the fields of `frame`, which stand in `graph`, a copy of the graph of `dynamics`.
    pub fn new(dynamics: &Dynamics, graph: &Graph, frame: &Frame, backend: Backend) -> Result<Self, FunctionError> {
        let (n, rank) = (dynamics.dimension(), frame.rank);
        let fields = &frame.matrix()[..rank * n];
        let inputs = [Group::new("q", &dynamics.q)];
        let function = Function::compile(graph, &inputs, &[Group::new("fields", fields)], backend)?;
        let fields = vec![0.0; n * rank];
        Ok(Self { n, rank, evaluator: function.evaluator(), fields, gram: vec![0.0; rank * rank], lu: Lu::new(rank) })
    }

    /// Number of quasivelocities.
    pub fn len(&self) -> usize {
        self.rank
    }

    /// True if nothing is admissible but rest.
    pub fn is_empty(&self) -> bool {
        self.rank == 0
    }

    /// The fields at a configuration, one after the other.
    pub fn fields(&mut self, q: &[f64]) -> &[f64] {
        self.evaluator.eval(q, &mut self.fields);
        &self.fields
    }

    /// The quasivelocities of a velocity, of its part in the distribution if it has another; false where the
    /// fields are dependent.
    pub fn of(&mut self, q: &[f64], v: &[f64], w: &mut [f64]) -> bool {
        self.fields(q);
        self.measure();
        if self.lu.factor(&self.gram).is_err() {
            return false;
        }
        for (value, field) in w.iter_mut().zip(self.fields.chunks_exact(self.n)) {
            *value = dot(field, v);
        }
        self.lu.solve(w);
        w.iter().all(|value| value.is_finite())
    }

    /// `v = w^i u_i(q)`
    pub fn velocity(&mut self, q: &[f64], w: &[f64], v: &mut [f64]) {
        self.fields(q);
        v.fill(0.0);
        for (speed, field) in w.iter().zip(self.fields.chunks_exact(self.n)) {
            v.iter_mut().zip(field).for_each(|(value, component)| *value += speed * component);
        }
    }

    /// Volume that the fields span when all have length one: 1 if they are orthogonal, 0 if dependent.
    pub fn volume(&mut self, q: &[f64]) -> f64 {
        self.fields(q);
        self.measure();
        let mut rows: Vec<Vec<f64>> = self.fields.chunks_exact(self.n).map(<[f64]>::to_vec).collect();
        let mut volume = 1.0;
        while let Some(row) = rows.pop() {
            let length = dot(&row, &row);
            if length <= 0.0 || !length.is_finite() {
                return 0.0;
            }
            // What is left of the other fields, and how much of this one was left.
            for other in &mut rows {
                let share = dot(other, &row) / length;
                other.iter_mut().zip(&row).for_each(|(value, unit)| *value -= share * unit);
            }
            volume *= (length / self.gram[rows.len() * (self.rank + 1)]).sqrt();
        }
        volume
    }

    /// How far the fields are from degenerating: their volume, less where one is shorter than the longest.
    pub fn regularity(&mut self, q: &[f64]) -> f64 {
        let volume = self.volume(q);
        let lengths = (0..self.rank).map(|k| self.gram[k * (self.rank + 1)].sqrt());
        let (least, most) = lengths.fold((f64::INFINITY, 0.0_f64), |(a, b), length| (a.min(length), b.max(length)));
        if most > 0.0 { volume * least / most } else { 0.0 }
    }

    fn measure(&mut self) {
        let row = |k: usize| &self.fields[k * self.n..(k + 1) * self.n];
        for place in 0..self.gram.len() {
            self.gram[place] = dot(row(place / self.rank), row(place % self.rank));
        }
    }
}
