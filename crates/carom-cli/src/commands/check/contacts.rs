//! The contacts of a model, in words and as JSON.

use super::DIGITS;
use crate::table::{Table, number};
use carom::model::ContactState;
use serde_json::{Map, Value, json};

/// One row per contact.
pub fn table(contacts: &[ContactState]) -> Table {
    let mut table = Table::default();
    table.row(["contact", "gap", "state", "tangents", "meaning", "law", "with"]);
    for contact in contacts {
        let with: Vec<String> = contact.parameters.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let (gap, tangents) = (number(contact.gap, DIGITS), contact.tangents.to_string());
        let doc = contact.doc.as_deref().unwrap_or("");
        table.row([&contact.name, &gap, state(contact), &tangents, doc, &contact.law, &with.join(", ")]);
    }
    table
}

/// What a contact does at the initial state.
fn state(contact: &ContactState) -> &'static str {
    match contact {
        ContactState { is_closed: true, .. } => "closed",
        ContactState { is_active: false, .. } => "inactive",
        _ => "open",
    }
}

/// One object per contact.
pub fn json(contacts: &[ContactState]) -> Value {
    contacts.iter().map(contact).collect()
}

fn contact(contact: &ContactState) -> Value {
    let parameters = contact.parameters.iter().map(|(name, text)| (name.clone(), parameter(name, text)));
    json!({
        "name": contact.name,
        "description": contact.doc,
        "law": contact.law,
        "parameters": parameters.collect::<Map<_, _>>(),
        "gap": contact.gap,
        "tangents": contact.tangents,
        "active": contact.is_active,
        "closed": contact.is_closed,
    })
}

/// Numbers are numbers, names are a list, expressions are texts.
fn parameter(name: &str, text: &str) -> Value {
    match text.parse::<f64>() {
        _ if name == "releases" => text.split(", ").collect(),
        Ok(value) => value.into(),
        Err(_) => text.into(),
    }
}
