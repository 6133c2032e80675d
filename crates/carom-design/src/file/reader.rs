//! The whole document, and numbers in it.

use super::schema::{SECTIONS, keys};

use super::StudyFile;
use crate::method::{method, methods};
use crate::study::{MethodOptions, Study};
use carom_control::Open;
use carom_expr::text::{NameError, Names, parse};
use carom_expr::{Graph, Id};
use carom_model::reading::{Entry, Place, Report, Value, entries, suggest_from};
use std::path::{Path, PathBuf};
use toml::de::DeTable;

/// Most evaluations that may be asked for.
const MAX_EVALUATIONS: usize = 1_000_000;
/// Most threads.
const MAX_THREADS: usize = 1024;

/// Reads a study file.
pub(super) struct Reader<'b> {
    pub report: Report,
    pub folder: PathBuf,
    /// Opens the files that the study names.
    pub beside: &'b Open<'b>,
}

impl<'b> Reader<'b> {
    pub fn new(report: Report, folder: PathBuf, beside: &'b Open<'b>) -> Self {
        Self { report, folder, beside }
    }

    /// Everything; nothing if there are mistakes, which were reported.
    pub fn read(&mut self, text: &str, file: &str, overrides: &[(String, String)]) -> Option<StudyFile> {
        let (document, errors) = DeTable::parse_recoverable(text);
        self.report.toml_errors(&errors);
        if self.report.has_errors() {
            return None;
        }
        let document = entries(document.get_ref());
        let known = SECTIONS.map(|section| section.name);
        for entry in document.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            self.unknown_key(entry, "a study file", &known);
        }
        let section = |name: &str| document.iter().find(|entry| entry.key == name);
        let stem = Path::new(file).file_stem().map_or("study".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let name = section("name").and_then(|entry| self.report.string(entry)).unwrap_or(stem);
        let description = section("description").and_then(|entry| self.report.string(entry));
        let variables = section("variables").map_or(Vec::new(), |entry| self.variables(entry));
        if section("variables").is_none() {
            let help = "write `[variables]` and `beta = [0.3, 0.7]` below it".to_owned();
            self.report.error("missing-key", self.end(), "the study has no design variables", Some(help));
        }
        let mut study = Study::new(&name, variables.iter().map(|named| named.variable.clone()).collect(), "kriging");
        self.settings(&mut study, &document);
        let methods = self.methods(&document, &study);
        let inner = self.inner(&document, &variables, overrides)?;
        if self.report.has_errors() {
            return None;
        }
        study.options = options(&methods, &study.method);
        let (source, warnings) = (String::new(), Vec::new());
        Some(StudyFile { study, description, inner, methods, source, warnings })
    }

    /// What stands at the top.
    fn settings(&mut self, study: &mut Study, document: &[Entry<'_>]) {
        for entry in document {
            match entry.key.as_str() {
                "method" => self.method(entry, study),
                "max_evaluations" => study.max_evaluations = self.count(entry, MAX_EVALUATIONS).unwrap_or(1),
                "threads" => study.threads = self.count(entry, MAX_THREADS).unwrap_or(1),
                "seed" => study.seed = self.count(entry, MAX_EVALUATIONS).unwrap_or(1) as u64,
                _ => {}
            }
        }
    }

    fn method(&mut self, entry: &Entry<'_>, study: &mut Study) {
        let Some(name) = self.report.string(entry) else { return };
        if method(&name).is_ok() {
            study.method = name;
            return;
        }
        let all = methods();
        let known: Vec<&str> = all.iter().map(|method| method.name()).collect();
        let help = suggest_from(&name, "outer methods", &known);
        self.report.error("unknown-value", entry.place, format!("there is no outer method `{name}`"), Some(help));
    }

    /// A finite number, or an expression of numbers.
    pub fn number(&mut self, entry: &Entry<'_>) -> Option<f64> {
        let text = match self.report.value(entry)? {
            Value::Number(number, _) => return Some(number),
            Value::Expression(text) => text,
        };
        let mut graph = Graph::new();
        let (message, place) = match parse(&mut graph, &text.string, &mut NoNames) {
            Ok(id) => match graph.evaluate(&[id], &[]).first() {
                Some(number) if number.is_finite() => return Some(*number),
                _ => (format!("`{}` is not a finite number", entry.key), text.place),
            },
            Err(error) => (error.to_string(), text.part(error.span.clone())),
        };
        self.report.error("expression", place, message, Some("write a number, or an expression of numbers".to_owned()));
        None
    }

    /// A positive number.
    pub fn positive(&mut self, entry: &Entry<'_>) -> Option<f64> {
        let number = self.number(entry)?;
        if number > 0.0 {
            return Some(number);
        }
        let message = format!("`{}` is {number}, but must be positive", entry.key);
        self.report.error("not-positive", entry.place, message, Some("write a number greater than zero".to_owned()));
        None
    }

    /// A positive integer up to a limit.
    pub fn count(&mut self, entry: &Entry<'_>, limit: usize) -> Option<usize> {
        let number = self.number(entry)?;
        if number >= 1.0 && number.fract() == 0.0 && number <= limit as f64 {
            return Some(number as usize);
        }
        let message = format!("`{}` is {number}, but must be an integer from 1 to {limit}", entry.key);
        self.report.error("not-positive", entry.place, message, Some("write a positive integer".to_owned()));
        None
    }

    /// A word out of a list.
    pub fn word<T: Copy>(&mut self, entry: &Entry<'_>, known: &[(&str, T)]) -> Option<T> {
        let name = self.report.string(entry)?;
        let found = known.iter().find(|(word, _)| *word == name).map(|(_, value)| *value);
        if found.is_none() {
            let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
            let help = suggest_from(&name, "allowed values", &words);
            let message = format!("`{}` cannot be `{name}`", entry.key);
            self.report.error("unknown-value", entry.place, message, Some(help));
        }
        found
    }

    pub fn unknown_key(&mut self, entry: &Entry<'_>, owner: &str, known: &[&str]) {
        let help = suggest_from(&entry.key, "allowed keys", known);
        self.report.error("unknown-key", entry.key_place, format!("{owner} has no key `{}`", entry.key), Some(help));
    }

    /// The fields of a table, with a remark about each that the schema does not know.
    pub fn fields<'d>(&mut self, entry: &Entry<'d>, section: &str, owner: &str) -> Vec<Entry<'d>> {
        let fields = self.report.table(entry).unwrap_or_default();
        let known = keys(section);
        for field in fields.iter().filter(|field| !known.contains(&field.key.as_str())) {
            self.unknown_key(field, owner, &known);
        }
        fields
    }

    /// The last character of the file.
    pub fn end(&self) -> Place {
        let end = self.report.sources.first().map_or(0, |file| file.text.trim_end().len());
        Place::in_file(end.saturating_sub(1)..end)
    }
}

/// The settings of a method.
fn options(methods: &[(String, MethodOptions)], name: &str) -> MethodOptions {
    methods.iter().find(|(known, _)| known == name).map(|(_, options)| options.clone()).unwrap_or_default()
}

/// Nothing but numbers.
struct NoNames;

impl Names for NoNames {
    fn resolve(&mut self, _graph: &mut Graph, _name: &str, _primes: usize) -> Result<Id, NameError> {
        Err(NameError::Unknown)
    }

    fn known(&self) -> Vec<String> {
        Vec::new()
    }
}
