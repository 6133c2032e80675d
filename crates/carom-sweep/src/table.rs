//! Rows as a Parquet file.

use crate::axis::Value;
use crate::cells::{Cell, Column, Type};
use carom_report::table::Table;
use std::io;

/// The number of a point.
pub(crate) const POINT: &str = "point";

/// Rows of one part.
pub(crate) struct Rows<'a> {
    /// The number of the first point.
    pub first: usize,
    /// Names of what varies.
    pub names: &'a [&'a str],
    /// The points.
    pub points: &'a [Vec<Value>],
    /// The columns of the results.
    pub columns: &'a [Column],
    /// The results.
    pub cells: &'a [Vec<Cell>],
}

impl<'a> Rows<'a> {
    /// The bytes of the file.
    pub fn encode(&'a self) -> io::Result<Vec<u8>> {
        let mut table = Table::new("points", self.points.len());
        table.count(POINT, |row| self.first + row);
        for (place, name) in self.names.iter().enumerate() {
            self.add_axis(&mut table, name, place);
        }
        for (place, column) in self.columns.iter().enumerate() {
            match column.kind {
                Type::Number => table.maybe_number(&column.name, move |row| self.cells[row][place].number()),
                Type::Count => table.count(&column.name, move |row| self.cells[row][place].count()),
                Type::Text => table.maybe_text(&column.name, move |row| self.cells[row][place].text()),
            }
        }
        table.to_parquet()
    }

    /// What varies is never absent.
    fn add_axis(&'a self, table: &mut Table<'a>, name: &str, place: usize) {
        let is_word = matches!(self.points.first().map(|point| &point[place]), Some(Value::Word(_)));
        if is_word {
            table.text(name, move |row| match &self.points[row][place] {
                Value::Word(word) => word,
                Value::Number(_) => "",
            });
        } else {
            table.number(name, move |row| self.points[row][place].number().unwrap_or(f64::NAN));
        }
    }
}
