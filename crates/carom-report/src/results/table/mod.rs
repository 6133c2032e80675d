//! Tables: what every file of rows has in common, whatever its rows are.

mod csv;
mod grow;
mod read;
mod write;

pub(super) use grow::Growing;
pub(super) use read::Reader;

use crate::error::ReportError;
use crate::file::{Written, write_file};
use std::path::Path;

/// Columns of the same length, seen through whatever holds their values.
pub(crate) struct Table<'a> {
    /// What its rows are; its files are called `name.parquet` and `name.csv`.
    pub name: &'static str,
    pub rows: usize,
    pub columns: Vec<Column<'a>>,
}

/// A named column.
pub(crate) struct Column<'a> {
    pub name: String,
    pub values: Values<'a>,
}

/// The values of a column, as functions of the row.
pub(crate) enum Values<'a> {
    Number(Box<dyn Fn(usize) -> f64 + 'a>),
    MaybeNumber(Box<dyn Fn(usize) -> Option<f64> + 'a>),
    Count(Box<dyn Fn(usize) -> usize + 'a>),
    Text(Box<dyn Fn(usize) -> &'a str + 'a>),
}

impl<'a> Table<'a> {
    pub fn new(name: &'static str, rows: usize) -> Self {
        Self { name, rows, columns: Vec::new() }
    }

    pub fn number(&mut self, name: &str, value: impl Fn(usize) -> f64 + 'a) {
        self.push(name, Values::Number(Box::new(value)));
    }

    pub fn maybe_number(&mut self, name: &str, value: impl Fn(usize) -> Option<f64> + 'a) {
        self.push(name, Values::MaybeNumber(Box::new(value)));
    }

    pub fn count(&mut self, name: &str, value: impl Fn(usize) -> usize + 'a) {
        self.push(name, Values::Count(Box::new(value)));
    }

    pub fn text(&mut self, name: &str, value: impl Fn(usize) -> &'a str + 'a) {
        self.push(name, Values::Text(Box::new(value)));
    }

    /// Names must differ: the second `energy` becomes `energy#2`.
    fn push(&mut self, name: &str, values: Values<'a>) {
        let taken = |name: &str| self.columns.iter().any(|column| column.name == name);
        let numbered = (2..).map(|number| format!("{name}#{number}"));
        let unique = std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name));
        self.columns.push(Column { name: unique.unwrap_or_default(), values });
    }

    /// Writes the Parquet file and, if wanted, the text.
    pub fn write(&self, folder: &Path, with_csv: bool) -> Result<Vec<Written>, ReportError> {
        let mut files = vec![write_file(folder, &parquet(self.name), |writer| write::write(self, writer))?];
        if with_csv {
            files.push(write_file(folder, &text(self.name), |writer| csv::write(self, writer))?);
        }
        Ok(files)
    }
}

/// The file of a table.
pub(super) fn parquet(name: &str) -> String {
    format!("{name}.parquet")
}

/// The file of a table as text.
pub(super) fn text(name: &str) -> String {
    format!("{name}.csv")
}
