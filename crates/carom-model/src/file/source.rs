//! Places in texts, and the collection of remarks about them.

use super::diagnostic::{Diagnostic, Severity};
use std::ops::Range;

/// Most remarks that are kept; a file with more mistakes is another kind of file.
const MAX_REMARKS: usize = 100;

/// Longest message, in characters: names and keys can be as long as the file.
const MAX_MESSAGE: usize = 600;

/// A range of bytes in one of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Place {
    /// 0 is the file, then follow the values given on the command line.
    pub source: usize,
    /// First byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
}

impl Place {
    /// A range of bytes of the file.
    pub fn in_file(span: Range<usize>) -> Self {
        Self { source: 0, start: span.start, end: span.end }
    }
}

/// A text with the beginnings of its lines.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it is called in messages.
    pub name: String,
    /// The text.
    pub text: String,
    line_starts: Vec<usize>,
}

impl Source {
    /// A text under a name.
    pub fn new(name: &str, text: &str) -> Self {
        let after_breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        // A break at the very end begins no line.
        let line_starts = std::iter::once(0).chain(after_breaks.filter(|&at| at < text.len())).collect();
        Self { name: name.to_owned(), text: text.to_owned(), line_starts }
    }

    /// Line and column (both from 1) of a byte, and the number of characters up to `end` on that line.
    fn locate(&self, start: usize, end: usize) -> (usize, usize, usize, &str) {
        let start = self.floor(start);
        let line = self.line_starts.partition_point(|&begin| begin <= start).max(1);
        let begin = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let rest = self.text.get(begin..).unwrap_or("");
        let content = rest.split('\n').next().unwrap_or("").trim_end_matches('\r');
        let column = content.get(..start - begin).unwrap_or(content).chars().count();
        let upto = self.floor(end).max(start) - begin;
        let length = content.get(..upto).unwrap_or(content).chars().count().saturating_sub(column);
        (line, column + 1, length.max(1), content)
    }

    /// The nearest beginning of a character at or before `at`.
    fn floor(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        (0..=at).rev().find(|&byte| self.text.is_char_boundary(byte)).unwrap_or(0)
    }
}

/// Collects remarks while a file is read.
#[derive(Clone, Debug)]
pub struct Report {
    /// The file, then the values given on the command line.
    pub sources: Vec<Source>,
    /// Remarks so far.
    pub found: Vec<Diagnostic>,
    errors: usize,
    /// A section that declares names was unreadable: unknown names may be its consequence.
    pub names_incomplete: bool,
}

impl Report {
    /// No remarks about `file`.
    pub fn new(file: Source) -> Self {
        Self { sources: vec![file], found: Vec::new(), errors: 0, names_incomplete: false }
    }

    /// Adds an error.
    pub fn error(&mut self, code: &'static str, place: Place, message: impl Into<String>, help: Option<String>) {
        self.errors += 1;
        self.keep(Severity::Error, code, place, message.into(), help);
    }

    /// Adds a warning.
    pub fn warning(&mut self, code: &'static str, place: Place, message: impl Into<String>, help: Option<String>) {
        self.keep(Severity::Warning, code, place, message.into(), help);
    }

    /// True if there are errors among the remarks.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Takes over remarks about another file that belongs to this one.
    pub fn adopt(&mut self, others: impl IntoIterator<Item = Diagnostic>) {
        for other in others {
            self.errors += usize::from(other.severity == Severity::Error);
            if self.found.len() < MAX_REMARKS {
                self.found.push(other);
            }
        }
    }

    fn keep(&mut self, severity: Severity, code: &'static str, place: Place, message: String, help: Option<String>) {
        if self.found.len() < MAX_REMARKS {
            self.found.push(self.diagnostic(severity, code, place, message, help));
        }
    }

    /// A remark with its place in lines and columns.
    pub fn diagnostic(
        &self,
        severity: Severity,
        code: &'static str,
        place: Place,
        message: String,
        help: Option<String>,
    ) -> Diagnostic {
        let (file, (line, column, length, source_line)) = match self.sources.get(place.source) {
            Some(source) => (source.name.as_str(), source.locate(place.start, place.end)),
            None => ("", (1, 1, 1, "")),
        };
        let (file, source_line) = (file.to_owned(), source_line.to_owned());
        let (message, help) = (clip(message), help.map(clip));
        Diagnostic { severity, code, message, help, file, line, column, length, source_line }
    }

    /// Where a place is, in words: a line of the file, or an option.
    pub fn whereabouts(&self, place: Place) -> String {
        match self.sources.get(place.source) {
            Some(option) if place.source > 0 => format!("`{} {}`", option.name, option.text),
            _ => format!("on line {}", self.line(place)),
        }
    }

    /// Line of a place, for messages that refer to another place.
    pub fn line(&self, place: Place) -> usize {
        self.sources.get(place.source).map_or(1, |source| source.locate(place.start, place.end).0)
    }
}

fn clip(message: String) -> String {
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}...", message.get(..end).unwrap_or("")),
        None => message,
    }
}
