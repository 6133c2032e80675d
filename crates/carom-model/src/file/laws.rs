//! What impact laws ask for: their own keys and no others, numbers within bounds, tangents.

use super::assemble::Assembly;
use super::contacts::{DeclaredContact, Given};
use super::document::{Entry, Value};
use super::names::Meaning;
use super::schema::keys;
use super::source::Report;
use super::suggest::{near, suggest_from};
use super::tree::PlaneContact;
use crate::laws::{LAWS, LawKey, LawSchema, LawValue};
use carom_expr::Id;
use std::ops::RangeInclusive;

/// Routh's law follows the slip along a line; in a plane the slip turns during the impact.
const ONE_TANGENT: &str = "poisson";

/// Its key is of use together with a tangent only.
const FRICTION: &str = "friction";

impl Report {
    /// A key that the law of a contact does not have.
    pub(super) fn no_law_key(&mut self, field: &Entry<'_>, contact: &DeclaredContact, law: Option<&LawSchema>) {
        let key = field.key.as_str();
        let own: Vec<&str> = law.iter().flat_map(|law| law.keys).map(|key| key.name).collect();
        let allowed = [keys("contacts"), own.clone()].concat();
        let (message, help) = match (law, laws_with(key), elsewhere(key, &allowed)) {
            (Some(law), Some(others), _) => {
                (format!("`{key}` is no key of law `{}`", law.name), format!("{}; {others}", own_keys(law)))
            }
            (_, _, Some((meant, others))) => {
                (format!("contact `{}` has no key `{key}`", contact.name), format!("did you mean `{meant}`? {others}"))
            }
            _ => {
                let title = law.map_or("allowed keys".to_owned(), |law| format!("keys with law `{}`", law.name));
                (format!("contact `{}` has no key `{key}`", contact.name), suggest_from(key, &title, &allowed))
            }
        };
        self.error("unknown-key", field.key_place, message, Some(help));
    }
}

/// The keys of a law in words.
fn own_keys(law: &LawSchema) -> String {
    let names: Vec<&str> = law.keys.iter().map(|key| key.name).collect();
    match names.is_empty() {
        true => format!("law `{}` has no keys of its own", law.name),
        false => format!("keys of law `{}`: {}", law.name, names.join(", ")),
    }
}

/// The laws that have this key, in words.
fn laws_with(key: &str) -> Option<String> {
    let with = LAWS.iter().filter(|law| law.keys.iter().any(|known| known.name == key));
    let names: Vec<&str> = with.map(|law| law.name).collect();
    (!names.is_empty()).then(|| format!("laws with {key}: {}", names.join(", ")))
}

/// A mistyped key of another law, and the laws that have it.
fn elsewhere(key: &str, allowed: &[&str]) -> Option<(String, String)> {
    if near(key, allowed.iter().copied()).is_some() {
        return None;
    }
    let meant = near(key, LAWS.iter().flat_map(|law| law.keys).map(|known| known.name))?;
    let others = laws_with(&meant)?;
    Some((meant, others))
}

impl Assembly<'_, '_> {
    /// Everything that the law of a contact needs is there.
    pub fn check_law(&mut self, contact: &DeclaredContact, all: &[DeclaredContact], plane: Option<&PlaneContact>) {
        let Some(law) = contact.law else { return };
        for key in law.keys.iter().filter(|key| key.is_required) {
            let found = contact.keys.iter().find(|declared| declared.key.name == key.name);
            // A list without names says as little as none.
            let is_empty = matches!(found.map(|found| &found.given), Some(Given::Names(names)) if names.is_empty());
            if found.is_some() && !is_empty {
                continue;
            }
            let message = format!("law `{}` of contact `{}` needs `{}`: {}", law.name, contact.name, key.name, key.doc);
            let help = format!("add, for example, `{} = {}`", key.name, self.example(contact, key, all));
            let place = found.map_or(contact.law_place, |found| found.place);
            self.report.error("missing-key", place, message, Some(help));
        }
        self.check_tangents(contact, law, plane);
    }

    fn check_tangents(&mut self, contact: &DeclaredContact, law: &LawSchema, plane: Option<&PlaneContact>) {
        let friction = contact.keys.iter().find(|declared| declared.key.name == FRICTION);
        let written = contact.tangent.as_ref().map(|tangent| (tangent.values.len(), tangent.place));
        // A point brings its own; where it is wrong, that was reported.
        let derived = contact.point.as_ref().map(|(_, place)| (plane.map_or(1, |plane| plane.tangents.len()), *place));
        let (what, place) = match (written.or(derived.filter(|(count, _)| *count > 0)), friction) {
            (Some((count, place)), _) => {
                if law.name == ONE_TANGENT && count > 1 {
                    let message =
                        format!("contact `{}` has {count} tangents, but Routh's law is for one", contact.name);
                    let help = "write one tangent, or use law `moreau`, which takes two".to_owned();
                    self.report.error("too-many", place, message, Some(help));
                }
                return;
            }
            (None, _) if law.needs_tangent => (format!("law `{}`", law.name), contact.law_place),
            (None, Some(friction)) => ("`friction`".to_owned(), friction.place),
            (None, None) => return,
        };
        let message =
            format!("{what} of contact `{}` needs `tangent`: along which positions friction acts", contact.name);
        let x = self.first_coordinate();
        let help = format!(
            "add, for example, `tangent = \"{x}\"`, an expression of coordinates whose rate is the slip velocity \
             (for a ball that rolls: \"x + r*phi\")"
        );
        self.report.error("missing-key", place, message, Some(help));
    }

    /// What one would write behind a key.
    fn example(&self, contact: &DeclaredContact, key: &LawKey, all: &[DeclaredContact]) -> String {
        let x = self.first_coordinate();
        match key.value {
            LawValue::Number { min, max } if max.is_finite() => format!("{}", 0.5 * (min + max)),
            LawValue::Number { min, .. } => format!("{}", min + 0.3),
            LawValue::Expression => format!("\"0.1*{x}'^2\""),
            LawValue::PerCoordinate => format!("{{ {x} = \"-{x}'\" }}"),
            LawValue::Coordinate => format!("\"{x}\""),
            LawValue::Contacts => {
                let other = all.iter().find(|other| other.name != contact.name);
                format!("[\"{}\"]", other.map_or("left", |other| other.name.as_str()))
            }
        }
    }

    fn first_coordinate(&self) -> String {
        let known = self.table.known(|meaning| matches!(meaning, Meaning::Coordinate(_)));
        known.into_iter().next().unwrap_or("x".to_owned())
    }

    /// A number of a law lies within its bounds, with the values that the parameters have now.
    pub fn check_number(
        &mut self,
        contact: &DeclaredContact,
        key: &LawKey,
        (value, id): (&Value, Id),
        bounds: RangeInclusive<f64>,
    ) {
        let used = self.expressions.parameters_in(id);
        let values: Option<Vec<(Id, f64)>> =
            used.iter().map(|&(index, id)| Some((id, self.numbers.values.get(index).copied().flatten()?))).collect();
        // A parameter without a value was reported.
        let Some(values) = values else { return };
        let number = self.expressions.graph.evaluate(&[id], &values).first().copied().unwrap_or(f64::NAN);
        if number.is_finite() && bounds.contains(&number) {
            return;
        }
        let must = match (bounds.start(), bounds.end()) {
            (min, max) if max.is_finite() => format!("between {min} and {max}"),
            (min, _) => format!("finite and at least {min}"),
        };
        let message =
            format!("`{}` of contact `{}` is {number}; it must be {must}: {}", key.name, contact.name, key.doc);
        let help = match values.is_empty() {
            true => format!("write a number that is {must}"),
            false => format!("change {}, in [parameters] or with --set", self.assignments(&values)),
        };
        self.report.error("out-of-range", value.place(), message, Some(help));
    }

    /// Parameters with their values, in words.
    fn assignments(&self, values: &[(Id, f64)]) -> String {
        let name = |id| self.expressions.graph.variable_name(id).unwrap_or("?");
        let words: Vec<String> = values.iter().map(|&(id, value)| format!("`{}` (now {value})", name(id))).collect();
        words.join(" or ")
    }
}
