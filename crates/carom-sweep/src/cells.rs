//! What stands in a row beyond its point.

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Number,
    Count,
    Text,
}

/// A value in a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// A number, if there is one.
    Number(Option<f64>),
    /// A number of things.
    Count(usize),
    /// A text, if there is one.
    Text(Option<String>),
}

impl Cell {
    pub fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { *number } else { None }
    }

    pub fn count(&self) -> usize {
        if let Self::Count(count) = self { *count } else { 0 }
    }

    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { text.as_deref() } else { None }
    }

    pub fn word(text: &str) -> Self {
        Self::Text(Some(text.to_owned()))
    }
}

/// A column of results.
pub(crate) struct Column {
    pub name: String,
    pub kind: Type,
}

impl Column {
    pub fn new(name: impl Into<String>, kind: Type) -> Self {
        Self { name: name.into(), kind }
    }
}
