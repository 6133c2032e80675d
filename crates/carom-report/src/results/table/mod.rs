//! Tables: what every file of rows has in common, whatever its rows are.
//!
//! Results of runs are tables of this kind, and so are the parts of a sweep.

mod csv;
mod grow;
mod read;
mod write;

pub(super) use grow::Growing;
pub use read::Reader;

use crate::error::ReportError;
use crate::file::{Written, write_file};
use std::io;
use std::path::Path;

/// Columns of the same length, seen through whatever holds their values.
pub struct Table<'a> {
    /// What its rows are; its files are called `name.parquet` and `name.csv`.
    pub name: &'static str,
    /// How many there are.
    pub rows: usize,
    /// The columns, in order.
    pub columns: Vec<Column<'a>>,
}

/// A named column.
pub struct Column<'a> {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Values<'a>,
}

/// The values of a column, as functions of the row.
pub enum Values<'a> {
    /// Numbers.
    Number(Box<dyn Fn(usize) -> f64 + 'a>),
    /// Numbers that may be absent.
    MaybeNumber(Box<dyn Fn(usize) -> Option<f64> + 'a>),
    /// Numbers of things.
    Count(Box<dyn Fn(usize) -> usize + 'a>),
    /// Texts.
    Text(Box<dyn Fn(usize) -> &'a str + 'a>),
    /// Texts that may be absent.
    MaybeText(Box<dyn Fn(usize) -> Option<&'a str> + 'a>),
}

impl<'a> Table<'a> {
    /// A table without columns.
    pub fn new(name: &'static str, rows: usize) -> Self {
        Self { name, rows, columns: Vec::new() }
    }

    /// Adds a column of numbers.
    pub fn number(&mut self, name: &str, value: impl Fn(usize) -> f64 + 'a) {
        self.push(name, Values::Number(Box::new(value)));
    }

    /// Adds a column of numbers that may be absent.
    pub fn maybe_number(&mut self, name: &str, value: impl Fn(usize) -> Option<f64> + 'a) {
        self.push(name, Values::MaybeNumber(Box::new(value)));
    }

    /// Adds a column of numbers of things.
    pub fn count(&mut self, name: &str, value: impl Fn(usize) -> usize + 'a) {
        self.push(name, Values::Count(Box::new(value)));
    }

    /// Adds a column of texts.
    pub fn text(&mut self, name: &str, value: impl Fn(usize) -> &'a str + 'a) {
        self.push(name, Values::Text(Box::new(value)));
    }

    /// Adds a column of texts that may be absent.
    pub fn maybe_text(&mut self, name: &str, value: impl Fn(usize) -> Option<&'a str> + 'a) {
        self.push(name, Values::MaybeText(Box::new(value)));
    }

    /// Names must differ: the second `energy` becomes `energy#2`.
    fn push(&mut self, name: &str, values: Values<'a>) {
        let taken = |name: &str| self.columns.iter().any(|column| column.name == name);
        let numbered = (2..).map(|number| format!("{name}#{number}"));
        let unique = std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name));
        self.columns.push(Column { name: unique.unwrap_or_default(), values });
    }

    /// The bytes of the Parquet file; the same rows give the same bytes.
    pub fn to_parquet(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        write::write(self, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes the Parquet file and, if wanted, the text.
    pub(crate) fn write(&self, folder: &Path, with_csv: bool) -> Result<Vec<Written>, ReportError> {
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
