//! How a periodic motion of a model is understood: the section `[orbit]`.

use super::assemble::Assembly;
use super::declarations::{Declarations, Declared};
use super::document::{Entry, Value, entries, items};
use super::names::Meaning;
use super::roles::{Role, Uses};
use super::schema::keys;
use super::settings::positive_integer;
use super::source::{Place, Report};
use super::suggest::{suggest, suggest_from};
use crate::system::Named;
use toml::de::DeValue;

/// `[orbit]` as it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct DeclaredOrbit {
    pub contact: Option<(String, Place)>,
    pub count: Option<Value>,
    pub period: Option<Value>,
    pub within: Option<Value>,
    pub relabel: Vec<Declared>,
    pub drift: Vec<(String, Place)>,
}

/// The section `[orbit]`; what is not given is left to the command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrbitSettings {
    /// Name of the contact whose impacts end a step.
    pub contact: Option<String>,
    /// How many of its impacts a step has.
    pub count: Option<usize>,
    /// The duration of a step that no impact ends.
    pub period: Option<f64>,
    /// The longest duration of a step that an impact ends.
    pub within: Option<f64>,
    /// Coordinates that are something else after a step: expressions of the coordinates, in the graph of the system.
    pub relabel: Vec<Named>,
    /// Coordinates (`x`) and rates (`x'`) that need not come back.
    pub drift: Vec<String>,
}

impl Report {
    /// The section as it is written.
    pub(super) fn orbit(&mut self, entry: &Entry<'_>) -> DeclaredOrbit {
        let mut orbit = DeclaredOrbit::default();
        for field in self.table(entry).unwrap_or_default() {
            match field.key.as_str() {
                "contact" => orbit.contact = self.string(&field).map(|name| (name, field.place)),
                "count" => orbit.count = self.value(&field),
                "period" => orbit.period = self.value(&field),
                "within" => orbit.within = self.value(&field),
                "relabel" => orbit.relabel = self.relabelling(&field),
                "drift" => orbit.drift = self.drifting(&field),
                _ => {
                    self.unknown_key(&field, "[orbit]", &keys("orbit"));
                }
            }
        }
        if let (Some((_, place)), Some(_)) = (&orbit.contact, &orbit.period) {
            let help = "keep `contact` for steps that end with an impact, or `period` for steps of a given duration";
            self.error("conflict", *place, "[orbit] has both `contact` and `period`", Some(help.to_owned()));
        }
        orbit
    }

    fn relabelling(&mut self, field: &Entry<'_>) -> Vec<Declared> {
        let DeValue::Table(table) = field.value else {
            let expected = "a table of expressions under names of coordinates";
            self.wrong_type(field, expected, "relabel = { left = \"right\", right = \"left\" }");
            return Vec::new();
        };
        entries(table).iter().map(|entry| self.plain(entry)).collect()
    }

    fn drifting(&mut self, field: &Entry<'_>) -> Vec<(String, Place)> {
        let Some(list) = items(field) else {
            self.wrong_type(field, "a list of names of coordinates", "drift = [\"foot\", \"foot'\"]");
            return Vec::new();
        };
        list.iter().filter_map(|item| Some((self.string(item)?, item.place))).collect()
    }
}

impl Assembly<'_, '_> {
    /// Numbers, names and formulas of `[orbit]`.
    pub(super) fn orbit(&mut self, all: &Declarations<'_>) -> OrbitSettings {
        let declared = &all.orbit;
        let mut positive = |value: &Option<Value>, what: &str| {
            value.as_ref().and_then(|value| self.numbers.positive(self.report, value, &format!("`{what}`")))
        };
        let (period, within) = (positive(&declared.period, "period"), positive(&declared.within, "within"));
        let count = declared.count.as_ref().and_then(|value| {
            positive_integer(self.report, self.numbers, value, "count", "write, for example, `count = 2`")
        });
        if let Some((name, place)) = &declared.contact
            && !all.contacts.iter().any(|contact| contact.name == *name)
        {
            let known: Vec<&str> = all.contacts.iter().map(|contact| contact.name.as_str()).collect();
            let message = format!("`contact` of [orbit] names `{name}`, which is not a contact");
            self.report.error("unknown-name", *place, message, Some(suggest_from(name, "contacts", &known)));
        }
        let role = Role { name: "a relabelling", allowed: Uses::COORDINATES };
        let mut relabel = Vec::new();
        for entry in &declared.relabel {
            let coordinate = self.coordinate(&entry.name, entry.place, "`relabel` of [orbit] names");
            let id = self.read(entry, role).filter(|_| coordinate.is_some());
            relabel.extend(id.map(|id| Named { name: entry.name.clone(), id }));
        }
        declared.drift.iter().for_each(|(name, place)| self.check_drift(name, *place));
        OrbitSettings {
            contact: declared.contact.as_ref().map(|(name, _)| name.clone()),
            count,
            period,
            within,
            relabel,
            drift: declared.drift.iter().map(|(name, _)| name.clone()).collect(),
        }
    }

    fn check_drift(&mut self, name: &str, place: Place) {
        let coordinate = name.strip_suffix('\'').unwrap_or(name);
        let is_known = matches!(self.table.get(coordinate), Some(Meaning::Coordinate(_)));
        if !is_known && !self.report.names_incomplete {
            let known = self.table.known(|meaning| matches!(meaning, Meaning::Coordinate(_)));
            let help = suggest(coordinate, "coordinates", &known);
            let message = format!("`drift` of [orbit] names `{name}`, which is neither a coordinate nor a rate");
            self.report.error("unknown-coordinate", place, message, Some(help));
        }
    }
}
