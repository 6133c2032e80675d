//! Formulas of a problem in the names of its system.

use crate::error::ControlError;
use crate::problem::Cost;
use carom_expr::text::{NameError, Names, parse};
use carom_expr::{Graph, Id};
use carom_model::System;

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
        let mut names = SystemNames { formulas: self };
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

struct SystemNames<'a, 'b> {
    formulas: &'b Formulas<'a>,
}

impl Names for SystemNames<'_, '_> {
    fn resolve(&mut self, graph: &mut Graph, name: &str, primes: usize) -> Result<Id, NameError> {
        let system = self.formulas.system;
        if let Some(index) = system.coordinates().iter().position(|coordinate| coordinate.name == name) {
            return match primes {
                0 => Ok(system.q()[index]),
                1 => Ok(system.v()[index]),
                _ => Err(NameError::Rejected {
                    message: format!("`{name}` has a rate, but accelerations are not known here"),
                    help: None,
                }),
            };
        }
        let definition = system.definitions().iter().find(|definition| definition.name == name);
        if let Some(id) = definition.map(|definition| definition.id).or_else(|| contact_place(system, name)) {
            if primes == 0 {
                return Ok(id);
            }
            // The rate of a rate is an acceleration.
            if primes > 1 || graph.depends_on(id, system.v()) {
                let message = format!("`{name}` and its rate may be used, but accelerations are not known here");
                return Err(NameError::Rejected { message, help: None });
            }
            let mut seeds: Vec<(Id, Id)> = system.q().iter().copied().zip(system.v().iter().copied()).collect();
            seeds.push((system.time(), graph.constant(1.0)));
            return Ok(graph.directional(&[id], &seeds)[0]);
        }
        if primes > 0 {
            return Err(NameError::Unknown);
        }
        if name == "t" {
            return Ok(system.time());
        }
        if let Some((_, id)) = self.formulas.forces.iter().find(|(known, _)| known == name) {
            return Ok(*id);
        }
        let known = system.parameters().iter().any(|parameter| parameter.name == name)
            || system.inputs().iter().any(|input| input.name == name);
        if known { Ok(graph.variable(name)) } else { Err(NameError::Unknown) }
    }

    fn known(&self) -> Vec<String> {
        let system = self.formulas.system;
        let mut all = system.coordinate_names();
        all.extend(system.inputs().iter().map(|input| input.name.clone()));
        all.extend(system.parameters().iter().map(|parameter| parameter.name.clone()));
        all.extend(system.definitions().iter().map(|definition| definition.name.clone()));
        all.extend(self.formulas.forces.iter().map(|(name, _)| name.clone()));
        all.extend(contact_places(system).map(|(name, _)| name));
        all
    }
}

/// Gaps and tangents of contacts: `gap_<contact>`, `tangent_<contact>` and `tangent_<contact>2`.
fn contact_places(system: &System) -> impl Iterator<Item = (String, Id)> + '_ {
    system.contacts().iter().flat_map(|contact| {
        let tangents = contact.tangents.iter().enumerate();
        let tangents = tangents.map(move |(axis, &id)| (format!("tangent_{}{}", contact.name, axis_suffix(axis)), id));
        std::iter::once((format!("gap_{}", contact.name), contact.gap)).chain(tangents)
    })
}

/// How the tangents of a contact are told apart: nothing, then 2.
pub(crate) fn axis_suffix(axis: usize) -> String {
    if axis == 0 { String::new() } else { (axis + 1).to_string() }
}

fn contact_place(system: &System, name: &str) -> Option<Id> {
    contact_places(system).find(|(known, _)| known == name).map(|(_, id)| id)
}

/// The expression behind a formula in the names of a system, with numbers for parameters and signals for inputs: a function of
/// coordinates, rates and time.
pub fn formula_of(graph: &mut Graph, system: &System, formula: &str) -> Result<Id, ControlError> {
    let id = Formulas::new(system, &[], &[], ("simulation", true)).read(graph, "a formula", formula)?;
    Ok(system.specialise(graph, &[id])[0])
}
