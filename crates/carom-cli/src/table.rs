//! Aligned columns, and numbers that fit into them.

use std::fmt;

/// Rows of cells, aligned when printed.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Appends a row.
    pub fn row<const N: usize>(&mut self, cells: [&str; N]) {
        self.rows.push(cells.map(str::to_owned).to_vec());
    }

    /// Appends a row of as many cells as there are.
    pub fn cells(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Appends one row per text, the name only before the first.
    pub fn list(&mut self, name: &str, texts: impl IntoIterator<Item = String>) {
        for (index, text) in texts.into_iter().enumerate() {
            self.row([if index == 0 { name } else { "" }, &text]);
        }
    }

    /// An empty line.
    pub fn gap(&mut self) {
        self.rows.push(Vec::new());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        // The last cell of a row may be as long as it likes.
        let cells =
            |column: usize| self.rows.iter().filter_map(move |row| row.get(column).filter(|_| column + 1 < row.len()));
        let widths: Vec<usize> =
            (0..columns).map(|c| cells(c).map(|cell| cell.chars().count()).max().unwrap_or(0)).collect();
        for (index, row) in self.rows.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            let padded: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
            f.write_str(padded.join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// A number with up to `digits` significant digits.
pub fn number(value: f64, digits: usize) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e7).contains(&size) {
        return if value.is_finite() { format!("{value:.*e}", digits.saturating_sub(1)) } else { value.to_string() };
    }
    let before = size.log10().floor() as i32 + 1;
    let decimals = usize::try_from(digits as i32 - before).unwrap_or(0);
    let text = format!("{value:.decimals$}");
    // 0.5000 is 0.5 here: the digits are an upper limit.
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Seconds in a unit that suits them.
pub fn duration(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| seconds >= *scale).unwrap_or((1e-9, "ns"));
    format!("{} {unit}", number(seconds / scale, 3))
}
