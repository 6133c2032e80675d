//! States near the start of a step that obey its constraints.
//!
//! With `g(q) = 0` (holonomic constraints and gaps of closed contacts) the velocities obey `g' = G v = 0`; velocity
//! constraints add `omega v = 0`, contacts that stick add `S v = 0` (where they stick is free). Changes of the state
//! are admissible if they change none of these; `Pi` is the orthogonal projector onto them. Without constraints it is
//! the unit matrix.

use carom_expr::{Backend, Evaluator, Function, FunctionError, Group, Id};
use carom_linalg::RangeNull;
use carom_model::{Closed, Dynamics, System};

/// Constraints that depend on others up to this part are no more.
const DEPENDENT: f64 = 1e-10;

/// Projectors onto admissible changes, mode by mode.
pub(super) struct Admissible {
    dynamics: Dynamics,
    kept: Vec<String>,
    backend: Backend,
    modes: Vec<(Vec<Closed>, Option<Evaluator>)>,
}

impl Admissible {
    pub(super) fn new(system: &System, kept: &[String], backend: Backend) -> Self {
        let dynamics = Dynamics::keeping(system, &|name| kept.iter().any(|kept| kept == name));
        Self { dynamics, kept: kept.to_vec(), backend, modes: Vec::new() }
    }

    /// The projector at a state with some contacts closed, row by row; none if everything is admissible.
    pub(super) fn projector(
        &mut self,
        closed: &[Closed],
        (q, v, kept): (&[f64], &[f64], &[f64]),
    ) -> Result<Option<Vec<f64>>, FunctionError> {
        let index = self.mode(closed)?;
        let Some(slopes) = &mut self.modes[index].1 else { return Ok(None) };
        let (rows, size) = (slopes.values(&[q, v, kept].concat()), q.len() + v.len());
        let spaces = RangeNull::new(&rows, size, DEPENDENT);
        let null = spaces.null_space();
        let entry = |k: usize| null.chunks_exact(size).map(|row| row[k / size] * row[k % size]).sum();
        Ok(Some((0..size * size).map(entry).collect()))
    }

    fn mode(&mut self, closed: &[Closed]) -> Result<usize, FunctionError> {
        if let Some(index) = self.modes.iter().position(|(known, _)| known == closed) {
            return Ok(index);
        }
        let slopes = self.compile(closed)?;
        self.modes.push((closed.to_vec(), slopes));
        Ok(self.modes.len() - 1)
    }

    /// Derivatives of all conditions with respect to `(q, v)`.
    fn compile(&self, closed: &[Closed]) -> Result<Option<Evaluator>, FunctionError> {
        let all = self.dynamics.with_closed(closed);
        if all.constraint_count() == 0 {
            return Ok(None);
        }
        let mut graph = all.graph.clone();
        let along: Vec<(Id, Id)> = all.q.iter().copied().zip(all.v.iter().copied()).collect();
        let rates = graph.directional(&all.constraints, &along);
        // Those that keep the value they have may have any.
        let places = &all.constraints[..all.constraints.len() - all.kept_values];
        let conditions = [places, &rates, &all.velocity_constraints].concat();
        let variables = [&all.q[..], &all.v].concat();
        let slopes = graph.jacobian(&conditions, &variables).dense(&mut graph);
        let values: Vec<Id> = self.kept.iter().map(|name| graph.variable(name)).collect();
        let inputs = [Group::new("q", &all.q), Group::new("v", &all.v), Group::new("kept", &values)];
        let function = Function::compile(&graph, &inputs, &[Group::new("slopes", &slopes)], self.backend)?;
        Ok(Some(function.evaluator()))
    }
}
