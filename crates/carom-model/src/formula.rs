//! Formulas in the names of a system: coordinates and rates, time, parameters, inputs, definitions, places of contacts.
//!
//! Measures of simulations, costs and conditions of control problems are written in the same names.

use crate::system::System;
use carom_expr::text::{NameError, Names, ParseError, parse};
use carom_expr::{Graph, Id};

/// The names that a formula about a system may use.
pub struct SystemNames<'a> {
    /// The system.
    pub system: &'a System,
    /// Further names, such as constraint forces.
    pub further: &'a [(String, Id)],
}

impl SystemNames<'_> {
    /// The rate of a definition or of a place of a contact.
    fn rate(&self, graph: &mut Graph, name: &str, id: Id, primes: usize) -> Result<Id, NameError> {
        // The rate of a rate is an acceleration.
        if primes > 1 || graph.depends_on(id, self.system.v()) {
            let message = format!("`{name}` and its rate may be used, but accelerations are not known here");
            return Err(NameError::Rejected { message, help: None });
        }
        let mut seeds: Vec<(Id, Id)> = self.system.q().iter().copied().zip(self.system.v().iter().copied()).collect();
        seeds.push((self.system.time(), graph.constant(1.0)));
        Ok(graph.directional(&[id], &seeds)[0])
    }

    /// What has no rate.
    fn plain(&self, graph: &mut Graph, name: &str) -> Result<Id, NameError> {
        let system = self.system;
        if name == "t" {
            return Ok(system.time());
        }
        if let Some((_, id)) = self.further.iter().find(|(known, _)| known == name) {
            return Ok(*id);
        }
        let known = system.parameters().iter().any(|parameter| parameter.name == name)
            || system.inputs().iter().any(|input| input.name == name);
        if known { Ok(graph.variable(name)) } else { Err(NameError::Unknown) }
    }
}

impl Names for SystemNames<'_> {
    fn resolve(&mut self, graph: &mut Graph, name: &str, primes: usize) -> Result<Id, NameError> {
        let system = self.system;
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
        match definition.map(|definition| definition.id).or_else(|| contact_place(system, name)) {
            Some(id) if primes == 0 => Ok(id),
            Some(id) => self.rate(graph, name, id, primes),
            None if primes > 0 => Err(NameError::Unknown),
            None => self.plain(graph, name),
        }
    }

    fn known(&self) -> Vec<String> {
        let system = self.system;
        let mut all = system.coordinate_names();
        all.extend(system.inputs().iter().map(|input| input.name.clone()));
        all.extend(system.parameters().iter().map(|parameter| parameter.name.clone()));
        all.extend(system.definitions().iter().map(|definition| definition.name.clone()));
        all.extend(self.further.iter().map(|(name, _)| name.clone()));
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
pub fn axis_suffix(axis: usize) -> String {
    if axis == 0 { String::new() } else { (axis + 1).to_string() }
}

fn contact_place(system: &System, name: &str) -> Option<Id> {
    contact_places(system).find(|(known, _)| known == name).map(|(_, id)| id)
}

/// The expression behind a formula in the names of a system, with numbers for parameters and signals for inputs: a
/// function of coordinates, rates and time.
pub fn formula_of(graph: &mut Graph, system: &System, formula: &str) -> Result<Id, ParseError> {
    let id = parse(graph, formula, &mut SystemNames { system, further: &[] })?;
    Ok(system.specialise(graph, &[id])[0])
}
