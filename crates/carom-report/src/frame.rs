//! Quasivelocities of states that have none recorded: sides of impacts, and the end of a run whose nodes have gone.

use carom_expr::Backend;
use carom_model::{Quasivelocities, System};

/// Evaluates velocities in the frame of a system.
pub(crate) struct Speeds(Quasivelocities);

impl Speeds {
    /// None if the system has no frame.
    pub fn new(system: &System) -> Option<Self> {
        let dynamics = system.dynamics();
        let frame = dynamics.frame.as_ref()?;
        Quasivelocities::new(&dynamics, &dynamics.graph, frame, Backend::Interpreter).ok().map(Self)
    }

    /// The quasivelocities; not-a-number where the fields are dependent, or where a partial run has no state.
    pub fn of(&mut self, q: &[f64], v: &[f64], dimension: usize) -> Vec<f64> {
        let mut w = vec![0.0; self.0.len()];
        let is_state = q.len() == dimension && v.len() == dimension;
        if !(is_state && self.0.of(q, v, &mut w)) {
            w.fill(f64::NAN);
        }
        w
    }
}

/// The quasivelocities of a state by name; none if the system has no frame.
pub fn quasivelocities(system: &System, q: &[f64], v: &[f64]) -> Vec<(String, f64)> {
    let fields = system.frame().map_or(&[][..], |frame| frame.span());
    let Some(mut speeds) = Speeds::new(system) else { return Vec::new() };
    let values = speeds.of(q, v, system.dimension());
    fields.iter().map(|field| field.name.clone()).zip(values).collect()
}
