//! How the entries of the sections are written.

use super::declarations::{Declared, DeclaredCoordinate, DeclaredSettings, Initial};
use super::document::{Entry, Value, entries};
use super::schema::keys;
use super::source::Report;
use std::f64::consts::TAU;
use toml::de::DeValue;

/// Most drawing primitives.
const MAX_DRAWINGS: usize = 1000;

impl Report {
    /// A number or an expression under a name.
    pub(super) fn plain(&mut self, entry: &Entry<'_>) -> Declared {
        let value = self.value(entry);
        Declared { name: entry.key.clone(), place: entry.key_place, value, unit: None, doc: None }
    }

    /// A number or an expression, or a table with unit and documentation around it.
    pub(super) fn declared(&mut self, entry: &Entry<'_>, section: &str, main: &'static str) -> Declared {
        let DeValue::Table(table) = entry.value else { return self.plain(entry) };
        let mut declared =
            Declared { name: entry.key.clone(), place: entry.key_place, value: None, unit: None, doc: None };
        let mut complete = false;
        for field in entries(table) {
            match field.key.as_str() {
                key if key == main => {
                    declared.value = self.value(&field);
                    complete = true;
                }
                "unit" => declared.unit = self.string(&field),
                "doc" => declared.doc = self.string(&field),
                _ => {
                    self.unknown_key(&field, &format!("`{}`", entry.key), &keys(section));
                    complete = true;
                }
            }
        }
        if !complete {
            let help = format!("write `{} = {{ {main} = 1.0 }}`", entry.key);
            self.error("missing-key", entry.key_place, format!("`{}` has no `{main}`", entry.key), Some(help));
        }
        declared
    }

    /// A coordinate: its initial value, or a table.
    pub(super) fn coordinate(&mut self, entry: &Entry<'_>) -> DeclaredCoordinate {
        let mut coordinate = DeclaredCoordinate {
            name: entry.key.clone(),
            place: entry.key_place,
            initial: Initial::Absent,
            velocity: Initial::Absent,
            period: None,
            unit: None,
            doc: None,
        };
        let DeValue::Table(table) = entry.value else {
            coordinate.initial = self.initial(entry);
            return coordinate;
        };
        for field in entries(table) {
            match field.key.as_str() {
                "initial" => coordinate.initial = self.initial(&field),
                "velocity" => coordinate.velocity = self.initial(&field),
                "periodic" => coordinate.period = self.period(&field),
                "unit" => coordinate.unit = self.string(&field),
                "doc" => coordinate.doc = self.string(&field),
                _ => {
                    self.unknown_key(&field, &format!("coordinate `{}`", entry.key), &keys("coordinates"));
                }
            }
        }
        coordinate
    }

    pub(super) fn initial(&mut self, entry: &Entry<'_>) -> Initial {
        self.value(entry).map_or(Initial::Wrong, Initial::Given)
    }

    /// `true` means a full turn.
    fn period(&mut self, entry: &Entry<'_>) -> Option<Value> {
        match entry.value {
            DeValue::Boolean(true) => Some(Value::Number(TAU, entry.place)),
            DeValue::Boolean(false) => None,
            DeValue::Integer(_) | DeValue::Float(_) | DeValue::String(_) => self.value(entry),
            _ => {
                self.wrong_type(entry, "true, false, a number or an expression in quotes", "periodic = true");
                None
            }
        }
    }

    /// How the model is simulated unless the command line says otherwise.
    pub(super) fn settings(&mut self, entry: &Entry<'_>) -> DeclaredSettings {
        let mut settings = DeclaredSettings::default();
        for field in self.table(entry).unwrap_or_default() {
            match field.key.as_str() {
                "method" => settings.method = self.string(&field).map(|name| (name, field.place)),
                "formulation" => settings.formulation = self.string(&field).map(|name| (name, field.place)),
                "step" => settings.step = self.value(&field),
                "until" => settings.until = self.value(&field),
                "every" => settings.every = self.value(&field),
                "tolerance" => settings.tolerance = self.value(&field),
                "jump" => settings.jump = self.string(&field).map(|name| (name, field.place)),
                "multiple" => settings.multiple = self.string(&field).map(|name| (name, field.place)),
                "max_impacts" => settings.max_impacts = self.value(&field),
                "project" => settings.project = self.boolean(&field).map(|given| (given.to_string(), field.place)),
                _ => {
                    self.unknown_key(&field, "[simulation]", &keys("simulation"));
                }
            }
        }
        settings
    }

    /// The tables of `[[draw]]`.
    pub(super) fn drawings<'a>(&mut self, entry: &Entry<'a>) -> Vec<Entry<'a>> {
        let DeValue::Array(array) = entry.value else {
            self.wrong_type(entry, "a list of tables", "[[draw]]");
            return Vec::new();
        };
        let mut found = Vec::new();
        for item in array.iter() {
            let place = super::source::Place::in_file(item.span());
            let item = Entry { key: "draw".to_owned(), key_place: place, value: item.get_ref(), place };
            if found.len() == MAX_DRAWINGS {
                let message = format!("there are more than {MAX_DRAWINGS} drawing primitives");
                self.error("too-many", place, message, Some("draw less".to_owned()));
                break;
            }
            if self.table(&item).is_some() {
                found.push(item);
            }
        }
        found
    }
}
