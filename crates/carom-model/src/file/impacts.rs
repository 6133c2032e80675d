//! From declared contacts to contacts: expressions, and the keys of their laws.

use super::assemble::{Assembly, STATE};
use super::contacts::{DeclaredContact, DeclaredKey, Given};
use super::document::Value;
use super::roles::{Role, Uses};
use super::suggest::suggest;
use super::tree::PlaneContact;
use crate::contact::Contact;
use crate::laws::LawValue;
use crate::system::Named;
use carom_expr::Id;

const GAP: Role = Role { name: "a gap", allowed: STATE };
const TANGENT: Role = Role { name: "a tangent", allowed: STATE };
const NUMBER: Role = Role { name: "a number of an impact law", allowed: Uses::NOTHING };

impl Assembly<'_, '_> {
    /// The contacts, and all gaps by name: those that cannot be read are known to be wrong.
    pub fn contacts(
        &mut self,
        declared: &[DeclaredContact],
        planes: &[Option<PlaneContact>],
    ) -> (Vec<Contact>, Vec<(String, Option<Id>)>) {
        let (mut contacts, mut gaps) = (Vec::new(), Vec::new());
        for (contact, plane) in declared.iter().zip(planes) {
            let gap = self.expression(contact.gap.as_ref(), GAP).or(plane.as_ref().map(|plane| plane.gap));
            let active = Role { name: "`active`", allowed: STATE | Uses::RATES };
            let active = self.expression(contact.active.as_ref(), active);
            let tangents = contact.tangent.iter().flat_map(|tangent| &tangent.values);
            let mut tangents: Vec<Id> = tangents.filter_map(|value| self.expression(Some(value), TANGENT)).collect();
            // Those of the plane, unless others are given.
            if let (Some(plane), None) = (plane, &contact.tangent) {
                tangents = plane.tangents.clone();
            }
            let law_parameters = contact.keys.iter().flat_map(|key| self.law_parameters(contact, key)).collect();
            self.check_law(contact, declared, plane.as_ref());
            gaps.push((contact.name.clone(), gap));
            contacts.extend(gap.map(|gap| Contact {
                tangents,
                active,
                law_parameters,
                releases: self.releases(contact, declared),
                is_closed: contact.closed.is_some(),
                doc: contact.doc.clone(),
                ..Contact::new(&contact.name, gap, contact.law.map_or("", |law| law.name))
            }));
        }
        (contacts, gaps)
    }

    fn expression(&mut self, value: Option<&Value>, role: Role) -> Option<Id> {
        value.and_then(|value| self.expressions.read(self.report, value, role))
    }

    /// The numbers and expressions behind one key of a law.
    fn law_parameters(&mut self, contact: &DeclaredContact, declared: &DeclaredKey) -> Vec<Named> {
        let name = declared.key.name;
        let state = Role { name: "an impact law", allowed: STATE | Uses::RATES | Uses::TIME };
        let named = |name: &str, id: Option<Id>| id.map(|id| Named { name: name.to_owned(), id }).into_iter().collect();
        match (&declared.given, declared.key.value) {
            (Given::Value(value), LawValue::Number { min, max }) => {
                let id = self.expression(Some(value), NUMBER);
                id.iter().for_each(|&id| self.check_number(contact, declared.key, (value, id), min..=max));
                named(name, id)
            }
            (Given::Value(value), _) => named(name, self.expression(Some(value), state)),
            (Given::PerCoordinate(list), _) => {
                let what = format!("`{name}` of contact `{}` names", contact.name);
                let mut found = Vec::new();
                for entry in list {
                    let coordinate = self.coordinate(&entry.name, entry.place, &what);
                    let id = self.read(entry, state).filter(|_| coordinate.is_some());
                    found.extend(id.map(|id| Named { name: format!("{name}.{}", entry.name), id }));
                }
                found
            }
            (Given::Names(names), LawValue::Coordinate) => {
                let what = format!("`{name}` of contact `{}` names", contact.name);
                let id = names.first().and_then(|(word, place)| self.coordinate(word, *place, &what));
                named(name, id)
            }
            (Given::Names(_) | Given::Wrong, _) => Vec::new(),
        }
    }

    /// The contacts that let go when this one closes: others, that exist.
    fn releases(&mut self, contact: &DeclaredContact, all: &[DeclaredContact]) -> Vec<String> {
        let lists = contact.keys.iter().filter(|declared| declared.key.value == LawValue::Contacts);
        let names = lists.filter_map(|declared| match &declared.given {
            Given::Names(names) => Some(names),
            _ => None,
        });
        let others: Vec<&str> = all.iter().map(|c| c.name.as_str()).filter(|name| *name != contact.name).collect();
        let mut found = Vec::new();
        for (name, place) in names.flatten() {
            if others.contains(&name.as_str()) {
                found.push(name.clone());
                continue;
            }
            let what = if *name == contact.name { "itself" } else { "a contact that does not exist" };
            let message = format!("contact `{}` releases `{name}`, {what}", contact.name);
            let help = match others.is_empty() {
                true => "the model has no other contacts; law `plastic` releases none".to_owned(),
                false => suggest(name, "other contacts", &others),
            };
            self.report.error("unknown-name", *place, message, Some(help));
        }
        found
    }
}
