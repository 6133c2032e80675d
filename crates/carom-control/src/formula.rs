//! Formulas of a problem in the names of its system.

use crate::error::ControlError;
use crate::problem::Cost;
use carom_expr::text::parse;
use carom_expr::{Graph, Id};
pub(crate) use carom_model::axis_suffix;
use carom_model::{System, SystemNames};

/// Reads formulas in the names of one system, into a graph that extends the system's.
pub(crate) struct Formulas<'a> {
    system: &'a System,
    /// Further names: constraint forces.
    forces: &'a [(String, Id)],
    /// Names of freed parameters.
    freed: &'a [String],
    phase: &'a str,
    is_time_known: bool,
}

impl<'a> Formulas<'a> {
    pub(crate) fn new(
        system: &'a System,
        forces: &'a [(String, Id)],
        freed: &'a [String],
        (phase, is_time_known): (&'a str, bool),
    ) -> Self {
        Self { system, forces, freed, phase, is_time_known }
    }

    /// The expression behind `formula`, with numbers for parameters that are not freed.
    pub(crate) fn read(&self, graph: &mut Graph, place: &str, formula: &str) -> Result<Id, ControlError> {
        let mut names = SystemNames { system: self.system, further: self.forces };
        let id = parse(graph, formula, &mut names).map_err(|error| ControlError::Formula {
            phase: self.phase.to_owned(),
            place: place.to_owned(),
            formula: formula.to_owned(),
            error: Box::new(error),
        })?;
        if !self.is_time_known && graph.depends_on(id, &[self.system.time()]) {
            return Err(ControlError::TimeAfterFree { phase: self.phase.to_owned() });
        }
        let keep = |name: &str| self.is_kept(name);
        Ok(self.system.specialise_keeping(graph, &[id], &keep)[0])
    }

    /// `id` divided by what a cost is per.
    pub(crate) fn per(&self, graph: &mut Graph, cost: &Cost, id: Id) -> Result<Id, ControlError> {
        let Some(formula) = &cost.per else { return Ok(id) };
        let place = format!("`per` of cost `{}`", cost.name);
        let divisor = self.read(graph, &place, formula)?;
        let inputs: Vec<Id> = self.system.inputs().iter().map(|input| graph.variable(&input.name)).collect();
        let state = [self.system.q(), self.system.v(), &inputs[..], &[self.system.time()]].concat();
        self.refuse(graph, divisor, &state, (&place, formula, "varies along the motion; use parameters only"))?;
        Ok(graph.div(id, divisor))
    }

    fn is_kept(&self, name: &str) -> bool {
        self.freed.iter().any(|freed| freed == name) || self.system.inputs().iter().any(|input| input.name == name)
    }

    /// Refuses formulas that depend on any of `variables`.
    pub(crate) fn refuse(
        &self,
        graph: &Graph,
        id: Id,
        variables: &[Id],
        (place, formula, why): (&str, &str, &'static str),
    ) -> Result<(), ControlError> {
        let found = graph.free_variables(&[id]).into_iter().find(|variable| variables.contains(variable));
        match found {
            None => Ok(()),
            Some(variable) => Err(ControlError::NotAvailable {
                phase: self.phase.to_owned(),
                place: place.to_owned(),
                formula: formula.to_owned(),
                name: graph.variable_name(variable).unwrap_or("?").to_owned(),
                why,
            }),
        }
    }
}
