//! Coordinates that exchange their meaning after a step: `q -> r(q)`, `v -> Dr v`.

use carom_expr::Backend;
use carom_expr::{Evaluator, Function, FunctionError, Group, Id};
use carom_model::{Model, System};

/// A relabelling with its derivative.
pub(super) struct Relabel {
    size: usize,
    map: Evaluator,
}

impl Relabel {
    /// The relabelling of a model, if it has one; the values `kept` are arguments.
    pub(super) fn new(model: &Model, kept: &[String], backend: Backend) -> Result<Option<Self>, FunctionError> {
        if model.orbit.relabel.is_empty() {
            return Ok(None);
        }
        let system: &System = &model.system;
        let mut graph = system.graph().clone();
        let names = system.coordinate_names();
        let formula = |(name, &q): (&String, &Id)| {
            model.orbit.relabel.iter().find(|entry| entry.name == *name).map_or(q, |entry| entry.id)
        };
        let formulas: Vec<Id> = names.iter().zip(system.q()).map(formula).collect();
        let keep = |name: &str| kept.iter().any(|kept| kept == name);
        let position = system.specialise_keeping(&mut graph, &formulas, &keep);
        let along: Vec<(Id, Id)> = system.q().iter().copied().zip(system.v().iter().copied()).collect();
        let velocity = graph.directional(&position, &along);
        let values: Vec<Id> = kept.iter().map(|name| graph.variable(name)).collect();
        let state = [&position[..], &velocity].concat();
        let variables = [system.q(), system.v(), &values].concat();
        let slopes = graph.jacobian(&state, &variables).dense(&mut graph);
        let inputs = [Group::new("q", system.q()), Group::new("v", system.v()), Group::new("kept", &values)];
        let outputs = [Group::new("state", &state), Group::new("slopes", &slopes)];
        let function = Function::compile(&graph, &inputs, &outputs, backend)?;
        Ok(Some(Self { size: state.len(), map: function.evaluator() }))
    }

    /// The state after the relabelling, and its derivative with respect to `(q, v, c)`, row by row.
    pub(super) fn at(&mut self, q: &[f64], v: &[f64], kept: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut state = self.map.values(&[q, v, kept].concat());
        let slopes = state.split_off(self.size);
        (state, slopes)
    }
}
