//! What is evaluated: `problem`, `model` with `measure`, or `command`.

use super::Inner;
use super::reader::Reader;
use super::variables::Named;
use crate::inner::{CommandObjective, ControlObjective, SimulationObjective};
use carom_control::{FreedParameter, ProblemFile};
use carom_expr::text::ParseError;
use carom_model::reading::{Entry, items, suggest};
use carom_model::{Diagnostics, Model, formula_of};
use carom_nlp::Range;
use carom_run::{Measure, Over};
use std::path::Path;

/// What a study may evaluate.
const KINDS: [&str; 3] = ["problem", "model", "command"];

impl Reader<'_> {
    /// The inner problem; nothing if it is wrong, which was reported.
    pub(super) fn inner(
        &mut self,
        document: &[Entry<'_>],
        variables: &[Named],
        overrides: &[(String, String)],
    ) -> Option<Inner> {
        let given: Vec<&Entry<'_>> = document.iter().filter(|entry| KINDS.contains(&entry.key.as_str())).collect();
        let [kind] = given[..] else {
            let help = "write `problem = \"gait.toml\"`, or `model = \"ball.toml\"` with `measure = \"...\"`, \
                        or `command = [\"program\", \"{beta}\"]`";
            let (place, message) = match given.get(1) {
                Some(second) => {
                    (second.key_place, format!("the study has both `{}` and `{}`", given[0].key, second.key))
                }
                None => (self.end(), "the study evaluates nothing".to_owned()),
            };
            self.report.error("conflict", place, message, Some(help.to_owned()));
            return None;
        };
        if kind.key != "model" {
            for entry in document.iter().filter(|entry| ["measure", "over"].contains(&entry.key.as_str())) {
                let message = format!("`{}` belongs to a `model`", entry.key);
                self.report.error("conflict", entry.key_place, message, Some("leave it out".to_owned()));
            }
        }
        self.refuse_set(variables, overrides);
        match kind.key.as_str() {
            "problem" => self.problem(kind, variables, overrides),
            "model" => self.model(kind, document, variables, overrides),
            _ => self.command(kind, variables),
        }
    }

    fn problem(&mut self, entry: &Entry<'_>, variables: &[Named], overrides: &[(String, String)]) -> Option<Inner> {
        let name = self.report.string(entry)?;
        let path = self.folder.join(&name);
        let freed = variables.iter().map(|Named { variable, parameter, .. }| FreedParameter {
            name: parameter.clone(),
            range: Range::new(variable.lower, variable.upper),
            guess: Some(variable.first()),
        });
        let freed: Vec<FreedParameter> = freed.collect();
        // What the problem names is found from its own folder.
        let folder = Path::new(&name).parent().unwrap_or(Path::new("")).to_owned();
        let beside = |further: &str| (self.beside)(&folder.join(further).to_string_lossy());
        let read = (self.beside)(&name).and_then(|text| {
            ProblemFile::from_text_freeing(&text, &path.display().to_string(), (overrides, &freed), &beside)
        });
        let file = self.found(entry, read)?;
        let parameters = file.models.iter().flat_map(|model| model.system.parameters());
        let known: Vec<String> = parameters.map(|parameter| parameter.name.clone()).collect();
        self.check_parameters(variables, &known);
        let settings = &file.settings;
        let refused = [("accuracy", settings.accuracy.is_some()), ("discover", settings.discover.is_some())];
        let refused = refused.into_iter().chain([("plan", settings.plan.is_some())]);
        for (name, _) in refused.filter(|(_, is_given)| *is_given) {
            let message = format!("a study solves its problem on one mesh as it is, and the problem has `{name}`");
            let help = format!("leave `{name}` out of the problem");
            self.report.error("not-supported", entry.place, message, Some(help));
        }
        if self.report.has_errors() {
            return None;
        }
        let names: Vec<String> = variables.iter().map(|named| named.parameter.clone()).collect();
        match ControlObjective::new(&file, &names) {
            Ok(objective) => Some(Inner::Control { file: Box::new(file), objective: Box::new(objective) }),
            Err(error) => {
                self.report.error("problem", entry.place, error.to_string(), None);
                None
            }
        }
    }

    fn model(
        &mut self,
        entry: &Entry<'_>,
        document: &[Entry<'_>],
        variables: &[Named],
        overrides: &[(String, String)],
    ) -> Option<Inner> {
        let name = self.report.string(entry)?;
        let path = self.folder.join(&name);
        let text = self.found(entry, (self.beside)(&name))?;
        let file = path.display().to_string();
        let model = self.found(entry, Model::from_text(&text, &file, overrides))?;
        let parameters = model.system.parameters().iter();
        let known: Vec<String> = parameters.map(|parameter| parameter.name.clone()).collect();
        self.check_parameters(variables, &known);
        let section = |name: &str| document.iter().find(|entry| entry.key == name);
        let Some(measure) = section("measure") else {
            let help = "write what is minimised, for example `measure = \"-x\"`".to_owned();
            self.report.error("missing-key", entry.key_place, "a `model` needs a `measure`", Some(help));
            return None;
        };
        let formula = self.report.string(measure)?;
        if let Err(error) = formula_of(&mut model.system.graph().clone(), &model.system, &formula) {
            self.wrong_formula(measure, &formula, &error);
        }
        let over = section("over").map_or(Some(Over::End), |entry| self.word(entry, &Over::NAMED))?;
        let parameters = variables.iter().map(|named| named.parameter.clone()).collect();
        let set = overrides.to_vec();
        let objective = SimulationObjective { text, file, parameters, set, measure: Measure { formula, over } };
        Some(Inner::Simulation(Box::new(objective)))
    }

    fn command(&mut self, entry: &Entry<'_>, variables: &[Named]) -> Option<Inner> {
        let Some(list) = items(entry).filter(|list| !list.is_empty()) else {
            self.report.wrong_type(entry, "a list of words", "command = [\"program\", \"{beta}\"]");
            return None;
        };
        let words: Vec<String> = list.iter().map(|item| self.report.string(item)).collect::<Option<_>>()?;
        for Named { variable, place, .. } in variables {
            let slot = format!("{{{}}}", variable.name);
            if !words.iter().any(|word| word.contains(&slot)) {
                let message = format!("the command does not use `{}`", variable.name);
                self.report.error("unused", *place, message, Some(format!("write `{slot}` into one of its words")));
            }
        }
        let names = variables.iter().map(|named| named.variable.name.clone()).collect();
        Some(Inner::Command(CommandObjective { words, names, folder: self.folder.clone() }))
    }

    fn wrong_formula(&mut self, measure: &Entry<'_>, formula: &str, error: &ParseError) {
        let text = self.report.text(formula, measure.place);
        self.report.error("expression", text.part(error.span.clone()), error.to_string(), error.help());
    }

    /// The study gives design variables their values, so that nothing else can.
    fn refuse_set(&mut self, variables: &[Named], overrides: &[(String, String)]) {
        for Named { parameter, place, .. } in variables {
            let is_set = |(name, _): &&(String, String)| name.strip_prefix("parameters.").unwrap_or(name) == parameter;
            if let Some((name, value)) = overrides.iter().find(is_set) {
                let message = format!("`{parameter}` is varied by the study, and `--set {name}={value}` would hold it");
                let help = "leave out `--set`, or take the variable out of [variables]".to_owned();
                self.report.error("conflict", *place, message, Some(help));
            }
        }
    }

    /// Every design variable is a parameter of the model.
    fn check_parameters(&mut self, variables: &[Named], known: &[String]) {
        for Named { parameter, place, .. } in variables.iter().filter(|named| !known.contains(&named.parameter)) {
            let help = suggest(parameter, "parameters", known);
            self.report.error("unknown-name", *place, format!("the model has no parameter `{parameter}`"), Some(help));
        }
    }

    /// What another file says, or its mistakes. A file that cannot be opened is a mistake of this one.
    fn found<T>(&mut self, entry: &Entry<'_>, read: Result<T, Diagnostics>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(found) => {
                for diagnostic in found.0 {
                    if diagnostic.code == "unreadable" {
                        let name = self.report.string(entry).unwrap_or_default();
                        let message = format!("{} `{name}`: {}", entry.key, diagnostic.message);
                        self.report.error(diagnostic.code, entry.place, message, diagnostic.help);
                    } else {
                        self.report.adopt([diagnostic]);
                    }
                }
                None
            }
        }
    }
}
