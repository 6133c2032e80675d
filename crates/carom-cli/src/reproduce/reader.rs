//! Reads `expected.toml`: every mistake with its place, and what may be written instead.

mod checks;

use super::declaration::{Case, Figure, Paper, Run};
use super::formula;
use crate::failure::Failure;
use carom::Diagnostics;
use carom::model::reading::{Entry, Place, Report, Source, Value, entries, items, open, suggest_from};
use std::path::{Path, PathBuf};
use toml::de::DeTable;

/// The declaration in the folder of a document.
pub const FILE: &str = "expected.toml";
/// Commands that a case may run.
const COMMANDS: [&str; 4] = ["simulate", "optimise", "design", "project"];
/// Options that the runner adds itself.
const RESERVED: [&str; 4] = ["--out", "--json", "--no-plots", "--resume"];
const PAPER_KEYS: [&str; 3] = ["title", "note", "cases"];
const CASE_KEYS: [&str; 5] = ["title", "source", "runs", "checks", "figures"];
const RUN_KEYS: [&str; 3] = ["command", "exit", "long"];
const FIGURE_KEYS: [&str; 4] = ["number", "run", "file", "shows"];

/// The documents of a folder, in the order of their names.
pub fn read_all(folder: &Path) -> Result<Vec<Paper>, Failure> {
    let unreadable = |error: std::io::Error| Failure::File {
        path: folder.to_owned(),
        why: format!("cannot be read: {error}; --papers names the folder of the documents"),
    };
    let found = std::fs::read_dir(folder).map_err(unreadable)?;
    let mut folders: Vec<PathBuf> = found.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|path| path.join(FILE).is_file());
    folders.sort();
    if folders.is_empty() {
        let why = format!("has no folder with a file `{FILE}`; --papers names the folder of the documents");
        return Err(Failure::File { path: folder.to_owned(), why });
    }
    let papers: Vec<Paper> = folders.iter().map(|folder| read(folder)).collect::<Result<_, _>>()?;
    let mut names: Vec<&str> = papers.iter().flat_map(|paper| &paper.cases).map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Failure::Settings(format!("two documents have a case `{}`; rename one", pair[0]))),
        None => Ok(papers),
    }
}

/// One document.
fn read(folder: &Path) -> Result<Paper, Failure> {
    let path = folder.join(FILE);
    let text = open(&path).map_err(Failure::Model)?;
    let mut reader = Reader { report: Report::new(Source::new(&path.display().to_string(), &text)) };
    let number = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (document, errors) = DeTable::parse_recoverable(&text);
    reader.report.toml_errors(&errors);
    let (title, note, cases) = match reader.report.has_errors() {
        true => (String::new(), None, Vec::new()),
        false => reader.document(&entries(document.get_ref())),
    };
    match reader.report.has_errors() {
        true => Err(Failure::Model(Diagnostics(reader.report.found))),
        false => Ok(Paper { number, title, note, folder: folder.to_owned(), cases }),
    }
}

struct Reader {
    report: Report,
}

impl Reader {
    fn document(&mut self, document: &[Entry<'_>]) -> (String, Option<String>, Vec<Case>) {
        self.known(document, "a document", &PAPER_KEYS);
        let title = self.text(document, "title", Place::default());
        let note = document.iter().find(|entry| entry.key == "note").and_then(|entry| self.report.string(entry));
        let cases = document.iter().find(|entry| entry.key == "cases").and_then(|entry| self.report.table(entry));
        let cases = cases.unwrap_or_default().iter().filter_map(|entry| self.case(entry)).collect();
        (title, note, cases)
    }

    fn case(&mut self, entry: &Entry<'_>) -> Option<Case> {
        let fields = self.report.table(entry)?;
        self.known(&fields, "a case", &CASE_KEYS);
        let (title, source) =
            (self.text(&fields, "title", entry.key_place), self.text(&fields, "source", entry.key_place));
        let runs = fields.iter().find(|field| field.key == "runs").and_then(|field| self.report.table(field));
        let runs: Vec<Run> = runs.unwrap_or_default().iter().filter_map(|run| self.run(run)).collect();
        let list = |name: &str| fields.iter().find(|field| field.key == name);
        let checks = list("checks").map(|field| self.items(field)).unwrap_or_default();
        let checks: Vec<_> = checks.iter().filter_map(|check| self.check(check, &runs)).collect();
        let figures = list("figures").map(|field| self.items(field)).unwrap_or_default();
        let figures = figures.iter().filter_map(|figure| self.figure(figure, &runs)).collect();
        if checks.is_empty() && !self.report.has_errors() {
            let help = format!("write `[[cases.{}.checks]]`", entry.key);
            self.report.error("missing-key", entry.key_place, "the case checks nothing", Some(help));
        }
        Some(Case { name: entry.key.clone(), title, source, runs, checks, figures })
    }

    /// A command, or a table with one.
    fn run(&mut self, entry: &Entry<'_>) -> Option<Run> {
        let mut run = Run { name: entry.key.clone(), words: Vec::new(), exit: 0, is_long: false };
        let command = match entry.value {
            toml::de::DeValue::Table(_) => {
                let fields = self.report.table(entry)?;
                self.known(&fields, "a run", &RUN_KEYS);
                for field in &fields {
                    match field.key.as_str() {
                        "exit" => run.exit = self.number(field)? as i32,
                        "long" => run.is_long = self.report.boolean(field)?,
                        _ => {}
                    }
                }
                self.text(&fields, "command", entry.key_place)
            }
            _ => self.report.string(entry)?,
        };
        run.words = command.split_whitespace().map(str::to_owned).collect();
        let first = run.words.first().map_or("", String::as_str);
        if !COMMANDS.contains(&first) {
            let message = format!("a case does not run `{first}`");
            self.report.error("unknown-value", entry.place, message, Some(suggest_from(first, "commands", &COMMANDS)));
        }
        if let Some(word) = run.words.iter().find(|word| RESERVED.contains(&word.as_str())) {
            let help = "leave it away: it is given to every run".to_owned();
            self.report.error("unknown-value", entry.place, format!("`{word}` is not for a case to say"), Some(help));
        }
        Some(run)
    }

    fn figure(&mut self, entry: &Entry<'_>, runs: &[Run]) -> Option<Figure> {
        let fields = self.report.table(entry)?;
        self.known(&fields, "a figure", &FIGURE_KEYS);
        let place = entry.place;
        let [number, file, shows] = ["number", "file", "shows"].map(|key| self.text(&fields, key, place));
        Some(Figure { number, run: self.which_run(&fields, runs, place)?, file, shows })
    }

    /// The run that is named; the only one if none is.
    fn which_run(&mut self, fields: &[Entry<'_>], runs: &[Run], place: Place) -> Option<usize> {
        let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
        let Some(field) = fields.iter().find(|field| field.key == "run") else {
            if runs.len() != 1 {
                let help = format!("write `run = ...`; runs: {}", names.join(", "));
                self.report.error("missing-key", place, "which run?", Some(help));
            }
            return (runs.len() == 1).then_some(0);
        };
        let name = self.report.string(field)?;
        let found = names.iter().position(|known| *known == name);
        if found.is_none() {
            let help = suggest_from(&name, "runs", &names);
            self.report.error("unknown-value", field.place, format!("there is no run `{name}`"), Some(help));
        }
        found
    }

    fn items<'d>(&mut self, entry: &Entry<'d>) -> Vec<Entry<'d>> {
        let found = items(entry);
        if found.is_none() {
            self.report.wrong_type(entry, "an array of tables", &format!("[[cases.name.{}]]", entry.key));
        }
        found.unwrap_or_default()
    }

    /// A remark about each key that means nothing.
    fn known(&mut self, fields: &[Entry<'_>], owner: &str, keys: &[&str]) {
        for field in fields.iter().filter(|field| !keys.contains(&field.key.as_str())) {
            let help = suggest_from(&field.key, "allowed keys", keys);
            let message = format!("{owner} has no key `{}`", field.key);
            self.report.error("unknown-key", field.key_place, message, Some(help));
        }
    }

    /// A text that must be there.
    fn text(&mut self, fields: &[Entry<'_>], key: &str, place: Place) -> String {
        match fields.iter().find(|field| field.key == key) {
            Some(field) => self.report.string(field).unwrap_or_default(),
            None => {
                let help = format!("write `{key} = \"...\"`");
                self.report.error("missing-key", place, format!("`{key}` is missing"), Some(help));
                String::new()
            }
        }
    }

    /// A number, or an expression of numbers.
    fn number(&mut self, entry: &Entry<'_>) -> Option<f64> {
        self.number_with(entry, &[])
    }

    /// The same, of numbers with names.
    fn number_with(&mut self, entry: &Entry<'_>, constants: &[(String, f64)]) -> Option<f64> {
        let text = match self.report.value(entry)? {
            Value::Number(number, _) => return Some(number),
            Value::Expression(text) => text,
        };
        match formula::number(&text.string, constants) {
            Ok(number) => Some(number),
            Err(message) => {
                let help = "write a number, or an expression of numbers".to_owned();
                self.report.error("expression", text.place, message, Some(help));
                None
            }
        }
    }
}
