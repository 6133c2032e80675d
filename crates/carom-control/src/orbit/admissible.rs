//! States near the start of a step that obey its constraints.
//!
//! With `g(q) = 0` (holonomic constraints and gaps of closed contacts) the velocities obey `g' = G v = 0`; velocity
//! constraints add `omega v = 0`, contacts that stick add `S v = 0` (where they stick is free). Changes of the state are
//! admissible if they change none of these conditions `h(x, c) = 0`. They are `x = N y` with the null space `N` of `Dh`, and
//! a change `z` of the components that must come back is lifted to the shortest of them, `x = N (E N)^+ z`, where `E` picks
//! components: what drifts gives way. Without conditions the lift is `E^T`.

use carom_expr::{Backend, Evaluator, Function, FunctionError, Group, Id};
use carom_linalg::{RangeNull, SingularValues, max_abs};
use carom_model::{Closed, Dynamics, System};

/// Conditions that depend on others up to this part are no more.
const DEPENDENT: f64 = 1e-10;
/// Iterations that bring a state back onto the conditions.
const MAX_ITERATIONS: usize = 20;

/// What the start of a step may change.
pub(super) struct Lift {
    /// Changes of the state for changes of the free components, row by row.
    pub(super) state: Vec<f64>,
    /// Changes of the state that follow the conditions as kept values change, row by row.
    pub(super) kept: Vec<f64>,
}

/// Conditions on the start of a step, mode by mode.
pub(super) struct Admissible {
    dynamics: Dynamics,
    kept: Vec<String>,
    backend: Backend,
    modes: Vec<(Vec<Closed>, Option<Conditions>)>,
}

/// `h` and its derivatives with respect to `(q, v, c)`.
struct Conditions {
    count: usize,
    function: Evaluator,
}

impl Admissible {
    pub(super) fn new(system: &System, kept: &[String], backend: Backend) -> Self {
        let dynamics = Dynamics::keeping(system, &|name| kept.iter().any(|kept| kept == name));
        Self { dynamics, kept: kept.to_vec(), backend, modes: Vec::new() }
    }

    /// What may change at a state with some contacts closed.
    pub(super) fn lift(
        &mut self,
        closed: &[Closed],
        (state, kept): (&[f64], &[f64]),
        free: &[usize],
    ) -> Result<Lift, FunctionError> {
        let (size, p, f) = (state.len(), kept.len(), free.len());
        let Some((_, slopes)) = self.evaluate(closed, state, kept)? else {
            let unit = (0..size * f).map(|k| if k / f == free[k % f] { 1.0 } else { 0.0 }).collect();
            return Ok(Lift { state: unit, kept: vec![0.0; size * p] });
        };
        let own: Vec<f64> = slopes.chunks_exact(size + p).flat_map(|row| row[..size].to_vec()).collect();
        let spaces = RangeNull::new(&own, size, DEPENDENT);
        let basis: Vec<&[f64]> = spaces.null_space().chunks_exact(size).collect();
        // E N, then N (E N)^+, column by column.
        let picked: Vec<f64> = free.iter().flat_map(|&i| basis.iter().map(move |row| row[i])).collect();
        let inverse = SingularValues::new(&picked, basis.len());
        let mut lift = Lift { state: vec![0.0; size * f], kept: vec![0.0; size * p] };
        for j in 0..f {
            let unit: Vec<f64> = (0..f).map(|i| if i == j { 1.0 } else { 0.0 }).collect();
            let y = inverse.solve(&unit, DEPENDENT);
            (0..size).for_each(|i| lift.state[i * f + j] = basis.iter().zip(&y).map(|(row, y)| row[i] * y).sum());
        }
        let conditions = SingularValues::new(&own, size);
        for k in 0..p {
            let direct: Vec<f64> = slopes.chunks_exact(size + p).map(|row| -row[size + k]).collect();
            let change = conditions.solve(&direct, DEPENDENT);
            (0..size).for_each(|i| lift.kept[i * p + k] = change[i]);
        }
        Ok(lift)
    }

    /// The state on the conditions that is nearest, or near to it.
    pub(super) fn settle(&mut self, closed: &[Closed], state: &mut [f64], kept: &[f64]) -> Result<(), FunctionError> {
        let mut smallest = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            let Some((values, slopes)) = self.evaluate(closed, state, kept)? else { return Ok(()) };
            let error = max_abs(&values);
            // What no longer shrinks is rounding, or will be told by the motion.
            if error == 0.0 || error >= smallest || !error.is_finite() {
                return Ok(());
            }
            smallest = error;
            let size = state.len();
            let own: Vec<f64> = slopes.chunks_exact(size + kept.len()).flat_map(|row| row[..size].to_vec()).collect();
            let change = SingularValues::new(&own, size).solve(&values, DEPENDENT);
            state.iter_mut().zip(change).for_each(|(value, change)| *value -= change);
        }
        Ok(())
    }

    /// `h` and its derivatives; none without conditions.
    #[allow(clippy::type_complexity)] // a value and its derivative
    fn evaluate(
        &mut self,
        closed: &[Closed],
        state: &[f64],
        kept: &[f64],
    ) -> Result<Option<(Vec<f64>, Vec<f64>)>, FunctionError> {
        let index = match self.modes.iter().position(|(known, _)| known == closed) {
            Some(index) => index,
            None => {
                let conditions = self.compile(closed)?;
                self.modes.push((closed.to_vec(), conditions));
                self.modes.len() - 1
            }
        };
        let Some(conditions) = &mut self.modes[index].1 else { return Ok(None) };
        let mut values = conditions.function.values(&[state, kept].concat());
        let slopes = values.split_off(conditions.count);
        Ok(Some((values, slopes)))
    }

    fn compile(&self, closed: &[Closed]) -> Result<Option<Conditions>, FunctionError> {
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
        let values: Vec<Id> = self.kept.iter().map(|name| graph.variable(name)).collect();
        let variables = [&all.q[..], &all.v, &values].concat();
        let slopes = graph.jacobian(&conditions, &variables).dense(&mut graph);
        let inputs = [Group::new("q", &all.q), Group::new("v", &all.v), Group::new("kept", &values)];
        let outputs = [Group::new("conditions", &conditions), Group::new("slopes", &slopes)];
        let function = Function::compile(&graph, &inputs, &outputs, self.backend)?;
        Ok(Some(Conditions { count: conditions.len(), function: function.evaluator() }))
    }
}
