//! How the tables of `[frame]` are written.

use super::declarations::{Declarations, Declared, Initial};
use super::document::{Entry, entries};
use super::schema::keys;
use super::source::{Place, Report};
use toml::de::DeValue;

/// A table of `[frame]`: a vector field, and the quasivelocity that belongs to it.
#[derive(Clone, Debug)]
pub(super) struct DeclaredField {
    pub name: String,
    pub place: Place,
    /// Components under names of coordinates; none if they are missing or wrong, which was reported.
    pub components: Option<Vec<Declared>>,
    /// Where the components stand.
    pub field: Place,
    /// The initial quasivelocity.
    pub initial: Initial,
    /// The field belongs to the distribution; otherwise it completes the frame.
    pub is_admissible: bool,
    pub unit: Option<String>,
    pub doc: Option<String>,
}

impl DeclaredField {
    fn new(entry: &Entry<'_>) -> Self {
        let (name, place) = (entry.key.clone(), entry.key_place);
        let (components, initial, unit, doc) = (None, Initial::Absent, None, None);
        Self { name, place, components, field: place, initial, is_admissible: true, unit, doc }
    }
}

/// A velocity constraint that no one wrote: the fields determine it.
pub(super) struct Derived {
    pub name: String,
    /// The field to look at: the one that is not admissible, or the first.
    pub place: Place,
}

impl Declarations<'_> {
    /// The fields of the distribution.
    pub fn admissible(&self) -> impl Iterator<Item = &DeclaredField> {
        self.frame.iter().filter(|field| field.is_admissible)
    }

    /// The fields that complete the frame.
    pub fn complement(&self) -> impl Iterator<Item = &DeclaredField> {
        self.frame.iter().filter(|field| !field.is_admissible)
    }

    /// The constraints that the builder will derive, with the names that it gives them.
    pub fn derived_constraints(&self) -> Vec<Derived> {
        let Some(first) = self.admissible().next().filter(|_| self.velocity_constraints.is_empty()) else {
            return Vec::new();
        };
        let named: Vec<Derived> =
            self.complement().map(|field| Derived { name: field.name.clone(), place: field.place }).collect();
        if !named.is_empty() {
            return named;
        }
        let count = self.coordinates.len().saturating_sub(self.admissible().count());
        (0..count).map(|index| Derived { name: format!("frame{}", index + 1), place: first.place }).collect()
    }
}

impl Report {
    /// A field: its components, and what its quasivelocity is at first.
    pub(super) fn field(&mut self, entry: &Entry<'_>) -> Option<DeclaredField> {
        let DeValue::Table(table) = entry.value else {
            self.wrong_type(entry, "a table with the key `field`", &format!("[frame.{}]", entry.key));
            return None;
        };
        let mut field = DeclaredField::new(entry);
        let fields = entries(table);
        for part in &fields {
            match part.key.as_str() {
                "field" => {
                    field.components = self.components(part);
                    field.field = part.place;
                }
                "initial" => field.initial = self.initial(part),
                "admissible" => field.is_admissible = self.boolean(part).unwrap_or(true),
                "unit" => field.unit = self.string(part),
                "doc" => field.doc = self.string(part),
                _ => {
                    self.unknown_key(part, &format!("field `{}`", entry.key), &keys("frame"));
                }
            }
        }
        if !fields.iter().any(|part| part.key == "field") {
            let message = format!("field `{}` has no `field`", entry.key);
            let help = "write, for example, `field = { x = \"cos(theta)\", y = \"sin(theta)\" }`".to_owned();
            self.error("missing-key", entry.key_place, message, Some(help));
        }
        if let (false, Initial::Given(value)) = (field.is_admissible, &field.initial) {
            let message = format!("field `{}` is not admissible, so its quasivelocity is always zero", entry.key);
            let help = "remove `initial`, or `admissible = false`".to_owned();
            self.error("conflict", value.place(), message, Some(help));
        }
        Some(field)
    }

    /// Components under names of coordinates; those that are absent are zero, but not all of them.
    fn components(&mut self, part: &Entry<'_>) -> Option<Vec<Declared>> {
        let example = "field = { x = \"cos(theta)\", y = \"sin(theta)\" }";
        let DeValue::Table(table) = part.value else {
            self.wrong_type(part, "a table of components under names of coordinates", example);
            return None;
        };
        if table.is_empty() {
            let help = format!("write, for example, `{example}`");
            self.error("missing-key", part.place, "the field has no component", Some(help));
            return None;
        }
        Some(entries(table).iter().map(|entry| self.plain(entry)).collect())
    }
}
