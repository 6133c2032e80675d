//! How a problem is solved, unless the command line says otherwise.

use super::gait::GaitSettings;
use super::numbers::{Scope, count, positive};
use super::words::named;
use super::{DiscoverSettings, PlanSettings, Reader};
use crate::error::ControlError;
use crate::phase::MAX_INTERVALS;
use crate::problem::ControlProblem;
use crate::solve::SolveOptions;
use crate::transcription::transcription;
use carom_expr::Backend;
use carom_model::reading::{Entry, Place, Source, Text, Value, suggest_from};

/// Stands before the names of settings among values given from outside.
pub const SETTING: &str = "problem.";
/// Most iterations that may be asked for.
const MAX_ITERATIONS: usize = 1_000_000_000;
/// Compiling takes some milliseconds; it pays from this many intervals on.
const NATIVE_INTERVALS: usize = 500;

const BACKENDS: [(&str, BackendChoice); 3] = [
    ("automatic", BackendChoice::Automatic),
    ("interpreter", BackendChoice::Interpreter),
    ("native", BackendChoice::Native),
];

/// How functions are executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackendChoice {
    /// Compiled if there are many intervals.
    #[default]
    Automatic,
    /// Interpreted.
    Interpreter,
    /// Compiled, if this build can.
    Native,
}

impl BackendChoice {
    /// The backend for a problem.
    pub fn backend(self, problem: &ControlProblem) -> Backend {
        let intervals: usize = problem.phases.iter().map(|phase| phase.intervals).sum();
        match self {
            Self::Interpreter => Backend::Interpreter,
            Self::Native => Backend::fastest(),
            Self::Automatic if intervals >= NATIVE_INTERVALS => Backend::fastest(),
            Self::Automatic => Backend::Interpreter,
        }
    }
}

/// How a problem is solved.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemSettings {
    /// Name of the transcription.
    pub method: String,
    /// Name of the solver.
    pub solver: String,
    /// Largest residual of the optimality conditions.
    pub tolerance: f64,
    /// Error of the optimal cost up to which the mesh is refined; one mesh alone if absent.
    pub accuracy: Option<f64>,
    /// Limit of iterations.
    pub max_iterations: usize,
    /// Limit of time in seconds.
    pub max_seconds: f64,
    /// Intervals of all phases, instead of their own.
    pub intervals: Option<usize>,
    /// How functions are executed.
    pub backend: BackendChoice,
    /// Which impacts are looked for; the sequence is that of the problem if absent.
    pub discover: Option<DiscoverSettings>,
    /// How a motion with unknown impacts is planned; it is not if absent.
    pub plan: Option<PlanSettings>,
    /// How a gait is searched; the problem is none if absent.
    pub gait: Option<GaitSettings>,
    /// Names of the settings that the file or the command line gives.
    pub given: Vec<String>,
}

impl Default for ProblemSettings {
    fn default() -> Self {
        let SolveOptions { transcription, solver, nlp, .. } = SolveOptions::default();
        Self {
            method: transcription,
            solver,
            tolerance: nlp.tolerance,
            accuracy: None,
            max_iterations: nlp.max_iterations,
            max_seconds: nlp.max_seconds,
            intervals: None,
            backend: BackendChoice::default(),
            discover: None,
            plan: None,
            gait: None,
            given: Vec::new(),
        }
    }
}

impl Reader<'_> {
    /// The settings of the file, and then those given from outside.
    pub(super) fn read_settings(&mut self, document: &[Entry<'_>], overrides: &[(String, String)]) {
        const KEYS: [&str; 7] =
            ["method", "solver", "tolerance", "accuracy", "max_iterations", "max_seconds", "backend"];
        for entry in document.iter().filter(|entry| KEYS.contains(&entry.key.as_str())) {
            let is_word = ["method", "solver", "backend"].contains(&entry.key.as_str());
            let value = if is_word {
                self.report.string(entry).map(|string| Value::Expression(self.report.text(&string, entry.place)))
            } else {
                self.report.value(entry)
            };
            // What stands on the command line replaces this.
            let is_replaced = overrides.iter().any(|(key, _)| *key == format!("{SETTING}{}", entry.key));
            if let Some(value) = value.filter(|_| !is_replaced) {
                self.setting(&entry.key, &value);
            }
        }
        for (key, string) in overrides {
            let source = self.report.sources.len();
            self.report.sources.push(Source::new("--set", &format!("{key}={string}")));
            let (start, end) = (key.len() + 1, key.len() + 1 + string.len());
            let text = Text { string: string.clone(), place: Place { source, start, end }, first: Some(start) };
            let name = key.strip_prefix(SETTING).unwrap_or(key);
            if KEYS.contains(&name) || name == "intervals" {
                self.setting(name, &Value::Expression(text));
            }
        }
    }

    fn setting(&mut self, name: &str, value: &Value) {
        self.settings.given.push(name.to_owned());
        let place = value.place();
        if let ("method" | "solver" | "backend", Value::Expression(text)) = (name, value) {
            return self.word_setting(name, text);
        }
        let freed = self.freed.clone();
        let system = self.first_system();
        let what = format!("`{name}`");
        let scope = Scope { system: system.as_deref(), freed: &freed };
        let Some(number) = scope.evaluate(&mut self.report, value, &what) else { return };
        let (report, settings) = (&mut self.report, &mut self.settings);
        match name {
            "max_iterations" => {
                settings.max_iterations =
                    count(report, number, place, &what, 1..=MAX_ITERATIONS).unwrap_or(settings.max_iterations);
            }
            "intervals" => settings.intervals = count(report, number, place, &what, 1..=MAX_INTERVALS),
            "tolerance" => settings.tolerance = positive(report, number, place, &what).unwrap_or(settings.tolerance),
            "max_seconds" => {
                settings.max_seconds = positive(report, number, place, &what).unwrap_or(settings.max_seconds);
            }
            _ => settings.accuracy = positive(report, number, place, &what),
        }
    }

    fn word_setting(&mut self, name: &str, text: &Text) {
        let (word, place) = (text.string.trim().to_owned(), text.place);
        match name {
            "method" => match transcription(&word) {
                Ok(_) => self.settings.method = word,
                Err(ControlError::Unknown { known, .. }) => self.no_such("transcription", &word, place, &known),
                Err(other) => self.report.error("unknown-value", place, other.to_string(), None),
            },
            "solver" => match carom_nlp::solver(&word) {
                Ok(_) => self.settings.solver = word,
                Err(error) => self.no_such("solver", &word, place, &error.known),
            },
            _ => {
                let found = named(&mut self.report, name, &word, place, &BACKENDS);
                self.settings.backend = found.unwrap_or_default();
            }
        }
    }

    fn no_such(&mut self, what: &str, word: &str, place: Place, known: &str) {
        let known: Vec<&str> = known.split(", ").collect();
        let help = suggest_from(word, &format!("{what}s"), &known);
        self.report.error("unknown-value", place, format!("there is no {what} `{word}`"), Some(help));
    }
}
