//! What is wrong with a model file, where, and what to write instead.

use std::fmt;

/// How bad a remark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, but perhaps not as intended.
    Warning,
}

/// A remark at a place of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The kind of mistake, such as `unknown-name`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The file, or `--set` for a value given on the command line.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Number of characters that the remark is about, on this line.
    pub length: usize,
    /// The line itself.
    pub source_line: String,
}

/// Everything that is wrong with a file; never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl std::error::Error for Diagnostics {}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.0.iter().enumerate() {
            if index > 0 {
                writeln!(f, "\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

/// Characters of a long line shown before and after the place.
const CONTEXT: usize = 60;

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        writeln!(f, "{severity}[{}]: {}", self.code, self.message)?;
        write!(f, "{margin}--> {}:{}:{}", self.file, self.line, self.column)?;
        if !self.source_line.is_empty() {
            let (excerpt, before, length) = self.excerpt();
            write!(f, "\n{margin} |\n{number} | {excerpt}\n{margin} | ")?;
            write!(f, "{}{}", " ".repeat(before), "^".repeat(length))?;
        }
        match &self.help {
            Some(help) => write!(f, "\n{margin} = help: {help}"),
            None => Ok(()),
        }
    }
}

impl Diagnostic {
    /// The part of the line to show, the characters before the carets, and the number of carets.
    fn excerpt(&self) -> (String, usize, usize) {
        let first = self.column.saturating_sub(1);
        let start = if first > 2 * CONTEXT { first - CONTEXT } else { 0 };
        let total = self.source_line.chars().count();
        let end = (first + self.length.min(CONTEXT) + CONTEXT).min(total);
        // A control character would break the alignment, or worse, the terminal.
        let shown = self.source_line.chars().skip(start).take(end.saturating_sub(start));
        let shown: String = shown.map(|c| if c.is_control() { ' ' } else { c }).collect();
        let cut = |is_cut: bool| if is_cut { "..." } else { "" };
        let before = first - start + cut(start > 0).len();
        let length = self.length.clamp(1, (end.saturating_sub(first)).max(1));
        (format!("{}{}{}", cut(start > 0), shown, cut(end < total)), before, length)
    }
}
