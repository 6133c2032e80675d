//! A table as text.

use super::{Table, Values};
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes a header and one line per row. Numbers are the shortest that read
/// back to the same bits; what is absent is empty.
pub(super) fn write(table: &Table<'_>, writer: &mut impl Write) -> io::Result<()> {
    let header: Vec<Cow<'_, str>> = table.columns.iter().map(|column| quote(&column.name)).collect();
    writeln!(writer, "{}", header.join(","))?;
    for row in 0..table.rows {
        for (index, column) in table.columns.iter().enumerate() {
            if index > 0 {
                writer.write_all(b",")?;
            }
            cell(&column.values, row, writer)?;
        }
        writeln!(writer)?;
    }
    Ok(())
}

fn cell(values: &Values<'_>, row: usize, writer: &mut impl Write) -> io::Result<()> {
    match values {
        // Debug, not Display: 1e-300 instead of 300 zeros.
        Values::Number(value) => write!(writer, "{:?}", value(row)),
        Values::MaybeNumber(value) => value(row).map_or(Ok(()), |value| write!(writer, "{value:?}")),
        Values::Count(value) => write!(writer, "{}", value(row)),
        Values::Text(value) => writer.write_all(quote(value(row)).as_bytes()),
        Values::MaybeText(value) => value(row).map_or(Ok(()), |value| writer.write_all(quote(value).as_bytes())),
    }
}

/// Quotes a text that would break the line into other columns.
fn quote(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}
