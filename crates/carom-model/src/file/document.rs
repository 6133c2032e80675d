//! Values of the TOML document, with their places.

use super::source::{Place, Report};
use super::suggest::{near, suggest_from};
use toml::de::{DeInteger, DeTable, DeValue};

/// A key and its value.
#[derive(Clone)]
pub struct Entry<'a> {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_place: Place,
    /// The value.
    pub value: &'a DeValue<'a>,
    /// Where the value stands.
    pub place: Place,
}

/// The text of an expression, and where its characters stand.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text.
    pub string: String,
    /// The whole literal, quotes included.
    pub place: Place,
    /// Where the first character stands, if the text is written without escapes.
    pub first: Option<usize>,
}

impl Text {
    /// The place of a byte range of the text.
    pub fn part(&self, span: std::ops::Range<usize>) -> Place {
        match self.first {
            Some(first) => Place { start: first + span.start, end: first + span.end, ..self.place },
            None => self.place,
        }
    }
}

/// A number, or an expression for one.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Number(f64, Place),
    /// An expression.
    Expression(Text),
}

impl Value {
    /// Where it stands.
    pub fn place(&self) -> Place {
        match self {
            Self::Number(_, place) => *place,
            Self::Expression(text) => text.place,
        }
    }
}

/// The entries of a table in the order of the file.
pub fn entries<'a>(table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut found: Vec<Entry<'a>> = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref().to_string(),
            key_place: Place::in_file(key.span()),
            value: value.get_ref(),
            place: Place::in_file(value.span()),
        })
        .collect();
    found.sort_by_key(|entry| entry.key_place.start);
    found
}

/// The items of an array, each under the key of the array; nothing if it is no array.
pub fn items<'a>(entry: &Entry<'a>) -> Option<Vec<Entry<'a>>> {
    let DeValue::Array(array) = entry.value else { return None };
    let item = |item: &'a toml::Spanned<DeValue<'a>>| Entry {
        value: item.get_ref(),
        place: Place::in_file(item.span()),
        ..entry.clone()
    };
    Some(array.iter().map(item).collect())
}

/// What a value is, in words.
fn describe(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

impl Report {
    /// A value of another type than expected.
    pub fn wrong_type(&mut self, entry: &Entry<'_>, expected: &str, example: &str) {
        let message = format!("expected {expected}, found {}", describe(entry.value));
        self.error("wrong-type", entry.place, message, Some(format!("write, for example, `{example}`")));
    }

    /// A number or an expression.
    pub fn value(&mut self, entry: &Entry<'_>) -> Option<Value> {
        match entry.value {
            DeValue::Integer(integer) => self.finite(entry, integer_value(integer)),
            DeValue::Float(float) => self.finite(entry, float.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::String(string) => Some(Value::Expression(self.text(string, entry.place))),
            _ => {
                let example = format!("{} = \"2*pi\"", entry.key);
                self.wrong_type(entry, "a number or an expression in quotes", &example);
                None
            }
        }
    }

    fn finite(&mut self, entry: &Entry<'_>, number: f64) -> Option<Value> {
        if number.is_finite() {
            return Some(Value::Number(number, entry.place));
        }
        let message = format!("`{}` is {number}, which is not a finite number", entry.key);
        self.error("not-finite", entry.place, message, Some("write a number that a double can hold".to_owned()));
        None
    }

    /// The text of a literal at a place of the file.
    pub fn text(&self, string: &str, place: Place) -> Text {
        let literal = self.sources.first().and_then(|file| file.text.get(place.start..place.end)).unwrap_or("");
        let quotes = if literal.starts_with("\"\"\"") || literal.starts_with("'''") { 3 } else { 1 };
        let inside = literal.get(quotes..literal.len().saturating_sub(quotes)).unwrap_or("");
        // A line break right after the opening quotes does not count.
        let trimmed = match quotes {
            3 => inside.strip_prefix("\r\n").or(inside.strip_prefix('\n')).unwrap_or(inside),
            _ => inside,
        };
        let first = (trimmed == string).then(|| place.start + quotes + inside.len() - trimmed.len());
        Text { string: string.to_owned(), place, first }
    }

    /// A plain string.
    pub fn string(&mut self, entry: &Entry<'_>) -> Option<String> {
        if let DeValue::String(string) = entry.value {
            return Some(string.to_string());
        }
        self.wrong_type(entry, "a string in quotes", &format!("{} = \"...\"", entry.key));
        None
    }

    /// True or false.
    pub fn boolean(&mut self, entry: &Entry<'_>) -> Option<bool> {
        if let DeValue::Boolean(value) = entry.value {
            return Some(*value);
        }
        self.wrong_type(entry, "true or false", &format!("{} = true", entry.key));
        None
    }

    /// The entries of a section.
    pub fn table<'a>(&mut self, entry: &Entry<'a>) -> Option<Vec<Entry<'a>>> {
        if let DeValue::Table(table) = entry.value {
            return Some(entries(table));
        }
        self.wrong_type(entry, "a table", &format!("[{}]", entry.key));
        None
    }

    /// A key that means nothing here; returns the one that was probably meant.
    pub(super) fn unknown_key(&mut self, entry: &Entry<'_>, owner: &str, allowed: &[&str]) -> Option<String> {
        let near = near(&entry.key, allowed.iter().copied());
        let help = match &near {
            None if TOP_ONLY.contains(&entry.key.as_str()) => {
                format!("`{}` belongs to the top of the file, above the first [section]", entry.key)
            }
            _ => suggest_from(&entry.key, "allowed keys", allowed),
        };
        self.error("unknown-key", entry.key_place, format!("{owner} has no key `{}`", entry.key), Some(help));
        near
    }
}

/// Keys that in TOML must stand above every section.
pub(super) const TOP_ONLY: [&str; 3] = ["name", "description", "lagrangian"];

fn integer_value(integer: &DeInteger<'_>) -> f64 {
    match i128::from_str_radix(integer.as_str(), integer.radix()) {
        Ok(value) => value as f64,
        Err(_) => integer.as_str().parse().unwrap_or(f64::NAN),
    }
}
