//! The contacts of a model at its initial state.

use super::state_values;
use crate::contact::Contact;
use crate::dynamics::Dynamics;
use crate::file::Model;
use carom_expr::{Graph, Id};

/// A contact at the initial state.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactState {
    /// What users call it.
    pub name: String,
    /// Its impact law.
    pub law: String,
    /// Numbers and expressions of the law as text, with numbers for the model's parameters;
    /// `releases` is a list of names.
    pub parameters: Vec<(String, String)>,
    /// The gap.
    pub gap: f64,
    /// Number of tangential positions.
    pub tangents: usize,
    /// True if the contact exists there: it does everywhere, or its `active` is positive.
    pub is_active: bool,
    /// True if the bodies stay together from the start.
    pub is_closed: bool,
    /// One line of documentation.
    pub doc: Option<String>,
}

/// Looks at the contacts; `graph` is a copy of the graph of `dynamics`.
pub(super) fn contact_states(model: &Model, dynamics: &Dynamics, graph: &mut Graph) -> Vec<ContactState> {
    let values = state_values(dynamics, &model.initial);
    let gaps = graph.evaluate(&dynamics.gaps, &values);
    let contacts = model.system.contacts().iter().zip(gaps);
    contacts.map(|(contact, gap)| contact_state(model, contact, gap, graph, &values)).collect()
}

fn contact_state(model: &Model, contact: &Contact, gap: f64, graph: &mut Graph, values: &[(Id, f64)]) -> ContactState {
    let active = contact.active.map_or(Vec::new(), |active| model.system.specialise(graph, &[active]));
    ContactState {
        name: contact.name.clone(),
        law: contact.law.clone(),
        parameters: parameters(model, contact, graph),
        gap,
        tangents: contact.tangents.len(),
        is_active: graph.evaluate(&active, values).iter().all(|value| *value > 0.0),
        is_closed: contact.is_closed,
        doc: contact.doc.clone(),
    }
}

/// What the law works with, in words.
fn parameters(model: &Model, contact: &Contact, graph: &mut Graph) -> Vec<(String, String)> {
    let ids: Vec<Id> = contact.law_parameters.iter().map(|parameter| parameter.id).collect();
    let ids = if ids.is_empty() { ids } else { model.system.specialise(graph, &ids) };
    let named = contact.law_parameters.iter().zip(ids);
    let mut found: Vec<_> = named.map(|(parameter, id)| (parameter.name.clone(), graph.display(id))).collect();
    if !contact.releases.is_empty() {
        found.push(("releases".to_owned(), contact.releases.join(", ")));
    }
    found
}
