//! Formulas of a problem file: read once for their mistakes, kept as text.

use super::Places;
use super::numbers::parse_error;
use crate::error::ControlError;
use crate::formula::{Formulas, axis_suffix};
use crate::problem::ClosedContact;
use carom_expr::{Graph, Id};
use carom_model::System;
use carom_model::reading::{Entry, Report, Text};
use toml::de::DeValue;

/// Reads formulas in the names of a phase.
pub(super) struct PhaseFormulas<'a> {
    pub phase: &'a str,
    /// Nothing if the model is wrong, which was reported.
    system: Option<&'a System>,
    freed: &'a [String],
    graph: Graph,
    forces: Vec<(String, Id)>,
}

impl<'a> PhaseFormulas<'a> {
    pub fn new(phase: &'a str, system: Option<&'a System>, freed: &'a [String]) -> Self {
        let graph = system.map_or_else(Graph::new, |system| system.graph().clone());
        Self { phase, system, freed, graph, forces: Vec::new() }
    }

    /// Makes the names of constraint forces known.
    pub fn with_forces(mut self, closed: &[ClosedContact]) -> Self {
        let Some(system) = self.system else { return self };
        let mut names: Vec<String> = system.constraints().iter().map(|constraint| constraint.name.clone()).collect();
        names.extend(system.velocity_constraints().iter().map(|constraint| constraint.name.clone()));
        for closed in closed {
            names.push(closed.contact.clone());
            let contact = system.contacts().iter().find(|contact| contact.name == closed.contact);
            let tangents = contact.filter(|_| closed.sticks).map_or(0, |contact| contact.tangents.len());
            names.extend((0..tangents).map(|axis| format!("{}_t{}", closed.contact, axis_suffix(axis))));
        }
        let graph = &mut self.graph;
        let force = |name: String| (format!("force_{name}"), graph.variable(&format!("[force {name}]")));
        self.forces = names.into_iter().map(force).collect();
        self
    }

    /// Looks for mistakes; `without_inputs` says why controls have no value there.
    pub fn check(
        &mut self,
        report: &mut Report,
        places: &mut Places,
        text: &Text,
        without_inputs: Option<&'static str>,
    ) -> bool {
        let Some(system) = self.system else { return false };
        places.formulas.push((self.phase.to_owned(), text.clone()));
        let formulas = Formulas::new(system, &self.forces, self.freed, (self.phase, true));
        let id = match formulas.read(&mut self.graph, "", &text.string) {
            Ok(id) => id,
            Err(ControlError::Formula { error, .. }) => {
                parse_error(report, text, &error, Some(system));
                return false;
            }
            Err(other) => {
                report.error("expression", text.place, other.to_string(), None);
                return false;
            }
        };
        let inputs: Vec<&str> = system.inputs().iter().map(|input| input.name.as_str()).collect();
        let used = self.graph.free_variables(&[id]).into_iter();
        let mut used = used.filter_map(|variable| self.graph.variable_name(variable));
        if let (Some(why), Some(name)) = (without_inputs, used.find(|name| inputs.contains(name))) {
            let message = format!("`{name}` is a control, {why}");
            let help = "use coordinates, rates, time and parameters".to_owned();
            report.error("not-allowed", text.place, message, Some(help));
            return false;
        }
        true
    }
}

/// A key as a formula.
pub(super) fn key_text(report: &Report, entry: &Entry<'_>) -> Text {
    let place = entry.key_place;
    let literal = report.sources.first().and_then(|file| file.text.get(place.start..place.end)).unwrap_or("");
    if literal == entry.key {
        return Text { string: entry.key.clone(), place, first: Some(place.start) };
    }
    report.text(&entry.key, place)
}

/// A value as a formula: a text, or a number.
pub(super) fn value_text(report: &mut Report, entry: &Entry<'_>) -> Option<Text> {
    match entry.value {
        DeValue::String(string) => Some(report.text(string, entry.place)),
        DeValue::Integer(_) | DeValue::Float(_) => {
            let string = match report.value(entry)? {
                carom_model::reading::Value::Number(number, _) => format!("{number:?}"),
                carom_model::reading::Value::Expression(text) => text.string,
            };
            Some(Text { string, place: entry.place, first: None })
        }
        _ => {
            report.wrong_type(entry, "an expression in quotes", &format!("{} = \"u^2\"", entry.key));
            None
        }
    }
}
