//! The table of nodes as text.

use super::columns::Column;
use std::io::{self, Write};

/// Writes a header and one line per node. Numbers are the shortest that read
/// back to the same bits.
pub(super) fn write(columns: &[Column<'_>], nodes: usize, writer: &mut impl Write) -> io::Result<()> {
    let header: Vec<String> = columns.iter().map(|column| quote(&column.name)).collect();
    writeln!(writer, "{}", header.join(","))?;
    for k in 0..nodes {
        for (index, column) in columns.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            // Debug, not Display: 1e-300 instead of 300 zeros.
            write!(writer, "{comma}{:?}", column.at(k))?;
        }
        writeln!(writer)?;
    }
    Ok(())
}

/// Quotes a name that would break the line into other columns.
fn quote(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}
