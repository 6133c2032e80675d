//! The whole document: sections in the order in which they need each other.

use super::gait::has_guess;
use super::guesses::Given;
use super::models::Models;
use super::numbers::Scope;
use super::phases::ReadPhase;
use super::schema::SECTIONS;
use super::settings::ProblemSettings;
use super::{Places, ranges};
use crate::gait::Gait;
use crate::guess::Guess;
use crate::problem::{ControlProblem, Cost, FreedParameter, Phase, Transition};
use carom_model::reading::{Entry, Place, Report, entries};
use carom_nlp::Range;
use std::collections::BTreeMap;
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// Most entries of one section.
const MAX_ENTRIES: usize = 1000;
/// Most unknowns of a problem, roughly: numbers of a node times nodes.
const MAX_UNKNOWNS: usize = 20_000_000;

/// Reads a problem file.
pub(super) struct Reader<'a> {
    pub report: Report,
    pub models: Models<'a>,
    pub open_data: &'a dyn Fn(&str) -> Result<String, String>,
    pub settings: ProblemSettings,
    pub places: Places,
    /// Number of the model of the problem.
    pub model: Option<usize>,
    /// Names of parameters that are to be found.
    pub freed: Vec<String>,
    /// Parameters that are to be found beside those of the file.
    pub further: Vec<FreedParameter>,
    /// What phases say about the guess.
    pub given: BTreeMap<String, Given>,
}

/// What came out.
pub(super) struct Parts {
    pub problem: ControlProblem,
    pub description: Option<String>,
    pub guess: Guess,
    pub has_guess: bool,
    pub gait: Option<Gait>,
    pub phase_models: Vec<usize>,
}

impl<'a> Reader<'a> {
    pub fn new(report: Report, models: Models<'a>, open_data: &'a dyn Fn(&str) -> Result<String, String>) -> Self {
        let (settings, places) = (ProblemSettings::default(), Places::default());
        let (model, freed, given) = (None, Vec::new(), BTreeMap::new());
        Self { report, models, open_data, settings, places, model, freed, further: Vec::new(), given }
    }

    /// Everything; nothing if there are mistakes, which were reported.
    pub fn read(&mut self, text: &str, file: &str, overrides: &[(String, String)]) -> Option<Parts> {
        let (document, errors) = DeTable::parse_recoverable(text);
        self.report.toml_errors(&errors);
        if self.report.has_errors() {
            return None;
        }
        let document = entries(document.get_ref());
        if self.is_model(&document) {
            return None;
        }
        self.unknown_sections(&document);
        let section = |name: &str| document.iter().find(|entry| entry.key == name);
        let stem = Path::new(file).file_stem().map_or("problem".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let name = section("name").and_then(|entry| self.report.string(entry)).unwrap_or(stem);
        let description = section("description").and_then(|entry| self.report.string(entry));

        if let Some(parameters) = section("parameters") {
            self.models.parameters(&mut self.report, parameters);
        }
        self.model = section("model").and_then(|entry| self.models.read(&mut self.report, entry));
        self.models.of_phases(&mut self.report, section("phases"));
        let freed = section("free").map_or(Vec::new(), |entry| self.free(entry));
        let freed = self.free_further(freed);
        self.read_settings(&document, overrides);
        let total_duration = section("total_duration").map(|entry| self.total_duration(entry));
        let (phases, gait) = match section("gait") {
            Some(entry) => {
                self.refuse_beside_gait(&document);
                self.needs_model(section("model").is_some());
                let read = self.gait(entry, &freed);
                (vec![read.phase], read.gait)
            }
            None => (self.phases(section("phases"), section("model").is_some()), None),
        };
        let links = section("transitions").map_or(Vec::new(), |entry| self.transitions(entry, &phases));
        let costs = match (section("costs"), section("gait")) {
            (None, Some(_)) => Vec::new(),
            (given, _) => self.costs(given, &phases),
        };
        if let Some(entry) = section("discover") {
            self.discover(entry, &phases);
        }
        if let Some(entry) = section("plan") {
            self.plan(entry, &phases, &links);
        }
        for phase in &phases {
            if let Some(given) = self.phase_guess(phase) {
                self.given.insert(phase.name.clone(), given);
            }
        }
        if self.report.has_errors() {
            return None;
        }
        let phase_models: Vec<usize> = phases.iter().map(|phase| phase.model).collect::<Option<_>>()?;
        let list: Vec<Phase> = phases.iter().map(|phase| phase.phase.clone()).collect::<Option<_>>()?;
        let total_duration = total_duration.flatten();
        let gait = match gait {
            Some(gait) => Some(self.gait_problem(gait, &name, costs.clone())?),
            None => None,
        };
        let problem = match gait.as_ref().map(Gait::problem) {
            // It was looked at already.
            Some(problem) => ControlProblem { total_duration, ..problem.ok()? },
            None => ControlProblem { name, phases: list, transitions: links, costs, freed, total_duration },
        };
        self.size(&problem);
        let guess = self.guess(section("guess"), &problem, &phases)?;
        Some(Parts { problem, description, guess, has_guess: has_guess(&document), gait, phase_models })
    }

    /// A model instead of a problem is one mistake, not many.
    fn is_model(&mut self, document: &[Entry<'_>]) -> bool {
        let has = |key: &str| document.iter().any(|entry| entry.key == key);
        let found = document.iter().find(|entry| ["lagrangian", "energy", "coordinates"].contains(&entry.key.as_str()));
        let Some(found) = found.filter(|_| !has("phases") && !has("gait") && !has("model")) else { return false };
        let help =
            "write a problem file with `model = \"...\"`, [phases] and [costs], or with [gait]; or simulate the model"
                .to_owned();
        self.report.error("not-a-problem", found.key_place, "this is a model, not a problem", Some(help));
        true
    }

    fn unknown_sections(&mut self, document: &[Entry<'_>]) {
        let known = SECTIONS.map(|section| section.name);
        for entry in document.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            ranges::unknown_key(&mut self.report, entry, "a problem file", &known);
        }
    }

    fn total_duration(&mut self, entry: &Entry<'_>) -> Option<Range> {
        let system = self.first_system();
        let freed = self.freed.clone();
        let scope = Scope { system: system.as_deref(), freed: &freed };
        let range = scope.range(&mut self.report, entry, "`total_duration`", &[])?.range;
        if range.upper > 0.0 {
            return Some(range);
        }
        let help = "write a positive number, or a range of them".to_owned();
        self.report.error("not-positive", entry.place, "`total_duration` must be positive", Some(help));
        None
    }

    fn phases<'d>(&mut self, section: Option<&Entry<'d>>, has_model: bool) -> Vec<ReadPhase<'d>> {
        let found = section.map_or(Vec::new(), |section| self.section(section));
        let phases: Vec<ReadPhase<'d>> = found.iter().map(|entry| self.phase(entry)).collect();
        self.places.phases = phases.iter().map(|phase| (phase.name.clone(), phase.place)).collect();
        let end = self.end();
        if phases.is_empty() && !section.is_some_and(|section| !matches!(section.value, DeValue::Table(_))) {
            let help = "add `[phases.swing]`, with `duration = 2.0` below it".to_owned();
            self.report.error("missing-section", end, "the problem has no phases", Some(help));
        }
        let own_models = !found.is_empty()
            && found.iter().all(|entry| entry.value.as_table().is_some_and(|table| table.contains_key("model")));
        self.needs_model(has_model || own_models);
        phases
    }

    fn needs_model(&mut self, has_model: bool) {
        if !has_model {
            let (end, help) = (self.end(), "add `model = \"file.toml\"` at the top of the file, or a table [model]");
            self.report.error("missing-section", end, "the problem has no model", Some(help.to_owned()));
        }
    }

    fn transitions(&mut self, section: &Entry<'_>, phases: &[ReadPhase<'_>]) -> Vec<Transition> {
        let entries = self.section(section);
        let links: Vec<Transition> = entries.iter().filter_map(|entry| self.transition(entry, phases)).collect();
        for (number, phase) in phases.iter().enumerate().skip(1) {
            if links.len() == entries.len() && !links.is_empty() && !links.iter().any(|link| link.to == number) {
                let message = format!("no transition leads to phase `{}`: it begins wherever it likes", phase.name);
                let help = "with [transitions], every joint must be listed, also smooth ones".to_owned();
                self.report.warning("loose-phase", phase.place, message, Some(help));
            }
        }
        links
    }

    fn costs(&mut self, section: Option<&Entry<'_>>, phases: &[ReadPhase<'_>]) -> Vec<Cost> {
        let found = section.map_or(Vec::new(), |section| self.section(section));
        if found.is_empty() && !section.is_some_and(|section| !matches!(section.value, DeValue::Table(_))) {
            let help = "add `[costs]`, with `effort = { integral = \"u^2\" }` below it".to_owned();
            let end = self.end();
            self.report.error("missing-section", end, "the problem has no costs", Some(help));
        }
        found.iter().filter_map(|entry| self.cost(entry, phases)).collect()
    }

    /// The entries of a section, as many as there may be.
    pub fn section<'d>(&mut self, section: &Entry<'d>) -> Vec<Entry<'d>> {
        let mut found = self.report.table(section).unwrap_or_default();
        if let Some(extra) = found.get(MAX_ENTRIES) {
            let message = format!("[{}] has {} entries, the limit is {MAX_ENTRIES}", section.key, found.len());
            self.report.error("too-many", extra.key_place, message, Some("use fewer".to_owned()));
            found.truncate(MAX_ENTRIES);
        }
        found
    }

    /// The last character of the file.
    fn end(&self) -> Place {
        let end = self.report.sources.first().map_or(0, |file| file.text.trim_end().len());
        Place::in_file(end.saturating_sub(1)..end)
    }

    /// A mistyped number of intervals must not fill the memory.
    fn size(&mut self, problem: &ControlProblem) {
        let of = |phase: &Phase| {
            phase
                .intervals
                .saturating_mul(2 * phase.system.dimension() + phase.system.inputs().len() + phase.path.len())
        };
        let unknowns: usize = problem.phases.iter().map(of).fold(0, usize::saturating_add);
        if unknowns > MAX_UNKNOWNS {
            let place = self.places.phases.first().map_or(Place::default(), |(_, place)| *place);
            let message = format!("the problem has about {unknowns} unknowns, the limit is {MAX_UNKNOWNS}");
            self.report.error("too-large", place, message, Some("use fewer intervals".to_owned()));
        }
    }
}
