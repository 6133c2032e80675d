//! The models that a problem is about: files beside it, or a table inside it.

use carom_model::reading::{Entry, Report, Text, Value, entries};
use carom_model::{Diagnostic, Diagnostics, InitialState, Model, Parameter, Primitive, System};
use std::path::Path;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// Opens a file that a problem file names; the name is as it is written there.
pub type Open<'a> = dyn Fn(&str) -> Result<String, Diagnostics> + 'a;

/// Most models of a problem.
const MAX_MODELS: usize = 20;

/// A model of a problem.
#[derive(Debug)]
pub struct ProblemModel {
    /// The file as the problem names it; empty for a table inside the problem.
    pub file: String,
    /// The mechanical system.
    pub system: Arc<System>,
    /// Its initial state.
    pub initial: InitialState,
    /// Its quasivelocities.
    pub quasivelocities: Vec<Parameter>,
    /// How it is drawn.
    pub drawing: Vec<Primitive>,
    /// The text of its file; empty for a table inside the problem.
    pub source: String,
}

/// Another value for a parameter, from the file.
pub(super) struct Override {
    name: String,
    text: Text,
    place: carom_model::reading::Place,
}

/// Reads models, each once.
pub(super) struct Models<'a> {
    open: &'a Open<'a>,
    /// Folder of the problem file, for the names of files in messages.
    folder: &'a Path,
    parameters: Vec<Override>,
    set: &'a [(String, String)],
    /// Models by file; nothing where a model is wrong, which was reported.
    known: Vec<(String, Option<usize>)>,
    pub list: Vec<ProblemModel>,
    /// Overrides that some model has.
    used: Vec<String>,
}

impl<'a> Models<'a> {
    pub fn new(open: &'a Open<'a>, folder: &'a Path, set: &'a [(String, String)]) -> Self {
        Self { open, folder, parameters: Vec::new(), set, known: Vec::new(), list: Vec::new(), used: Vec::new() }
    }

    /// All models that a problem file names, in the order in which its reader meets them.
    pub fn read_all(&mut self, report: &mut Report, text: &str) {
        let (document, _) = DeTable::parse_recoverable(text);
        let document = entries(document.get_ref());
        let section = |name: &str| document.iter().find(|entry| entry.key == name);
        if let Some(entry) = section("parameters") {
            self.parameters(report, entry);
        }
        if let Some(entry) = section("model") {
            self.read(report, entry);
        }
        self.of_phases(report, section("phases"));
    }

    /// The models that phases name.
    pub fn of_phases(&mut self, report: &mut Report, phases: Option<&Entry<'_>>) {
        let phases = phases.and_then(|entry| entry.value.as_table()).map_or(Vec::new(), entries);
        for table in phases.iter().filter_map(|phase| phase.value.as_table()) {
            let named = |entry: &&Entry<'_>| entry.key == "model" && matches!(entry.value, DeValue::String(_));
            if let Some(entry) = entries(table).iter().find(named) {
                self.read(report, entry);
            }
        }
    }

    /// Other values for parameters.
    pub fn parameters(&mut self, report: &mut Report, section: &Entry<'_>) {
        for entry in report.table(section).unwrap_or_default() {
            let Some(value) = report.value(&entry) else { continue };
            let text = match value {
                Value::Expression(text) => text,
                Value::Number(number, place) => Text { string: format!("{number:?}"), place, first: None },
            };
            self.parameters.push(Override { name: entry.key.clone(), text, place: entry.key_place });
        }
    }

    /// The model behind `model = ...`: its place in the list.
    pub fn read(&mut self, report: &mut Report, entry: &Entry<'_>) -> Option<usize> {
        let file = match entry.value {
            DeValue::Table(_) => String::new(),
            DeValue::String(file) => file.to_string(),
            _ => {
                report.wrong_type(entry, "a file name or a table", "model = \"cart-pole.toml\"");
                return None;
            }
        };
        if let Some((_, found)) = self.known.iter().find(|(known, _)| *known == file) {
            return *found;
        }
        if self.known.len() >= MAX_MODELS {
            let message = format!("there are more than {MAX_MODELS} models");
            report.error("too-many", entry.place, message, Some("use fewer".to_owned()));
            self.known.push((file, None));
            return None;
        }
        let model = match entry.value {
            DeValue::Table(table) => self.inside(report, &entries(table)),
            _ => self.beside(report, entry, &file),
        };
        let found = model.map(|model| {
            self.list.push(ProblemModel { file: file.clone(), ..model });
            self.list.len() - 1
        });
        self.known.push((file, found));
        found
    }

    fn inside(&mut self, report: &mut Report, table: &[Entry<'_>]) -> Option<ProblemModel> {
        let parameters = table.iter().find(|entry| entry.key == "parameters").and_then(|entry| entry.value.as_table());
        let overrides = self.overrides(|name| parameters.is_some_and(|known| known.contains_key(name)));
        let mut own = Report::new(report.sources.first()?.clone());
        let model = Model::inside(&mut own, table, "model", &overrides);
        self.tell(report, own.found);
        model.map(|model| keep(model, String::new()))
    }

    fn beside(&mut self, report: &mut Report, entry: &Entry<'_>, file: &str) -> Option<ProblemModel> {
        let text = match (self.open)(file) {
            Ok(text) => text,
            Err(found) => {
                for diagnostic in found.0 {
                    let message = format!("model `{file}`: {}", diagnostic.message);
                    report.error(diagnostic.code, entry.place, message, diagnostic.help);
                }
                return None;
            }
        };
        let parsed = DeTable::parse(&text).ok();
        let parameters = parsed.as_ref().and_then(|table| table.get_ref().get("parameters"));
        let parameters = parameters.and_then(|value| value.get_ref().as_table());
        let overrides = self.overrides(|name| parameters.is_some_and(|known| known.contains_key(name)));
        match Model::from_text(&text, &self.folder.join(file).display().to_string(), &overrides) {
            Ok(mut model) => {
                self.tell(report, std::mem::take(&mut model.warnings));
                Some(keep(model, text))
            }
            Err(found) => {
                self.tell(report, found.0);
                None
            }
        }
    }

    /// Values for this model. What no model has is left to the first, which says so.
    fn overrides(&mut self, has: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let is_first = self.known.is_empty();
        let own = self.parameters.iter().map(|given| (given.name.clone(), given.text.string.clone()));
        let all: Vec<(String, String)> = own.chain(self.set.iter().cloned()).collect();
        let name = |key: &str| key.trim().trim_start_matches("parameters.").to_owned();
        let chosen: Vec<(String, String)> = all.into_iter().filter(|(key, _)| is_first || has(&name(key))).collect();
        self.used.extend(chosen.iter().map(|(key, _)| key.clone()));
        chosen
    }

    /// Takes over remarks; those about values of the problem file point there.
    fn tell(&self, report: &mut Report, found: Vec<Diagnostic>) {
        for diagnostic in found {
            let line = |given: &&Override| format!("{}={}", given.name, given.text.string) == diagnostic.source_line;
            let given = self.parameters.iter().find(line).filter(|_| diagnostic.file == "--set");
            let adopted = match given {
                None => diagnostic,
                Some(given) => {
                    let place = given.place_of(diagnostic.column - 1, diagnostic.length);
                    let Diagnostic { severity, code, message, help, .. } = diagnostic;
                    report.diagnostic(severity, code, place, message, help)
                }
            };
            report.adopt([adopted]);
        }
    }
}

impl Override {
    /// The place of characters of `name=value`.
    fn place_of(&self, first: usize, length: usize) -> carom_model::reading::Place {
        let Some(inside) = first.checked_sub(self.name.chars().count() + 1) else { return self.place };
        let byte =
            |index: usize| self.text.string.char_indices().nth(index).map_or(self.text.string.len(), |(at, _)| at);
        self.text.part(byte(inside)..byte(inside + length))
    }
}

fn keep(model: Model, source: String) -> ProblemModel {
    let Model { system, initial, quasivelocities, drawing, .. } = model;
    ProblemModel { file: String::new(), system: Arc::new(system), initial, quasivelocities, drawing, source }
}
