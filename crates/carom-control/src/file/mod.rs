//! Problem files: an optimal control problem in TOML, beside the model file that it is about.
//!
//! ```
//! use carom_control::ProblemFile;
//!
//! let text = r#"
//! [model]
//! lagrangian = "0.5*m*x'^2"
//! parameters = { m = 1.0 }
//! coordinates = { x = 0 }
//! inputs = { u = 0 }
//! forces = { x = "u" }
//! [phases.move]
//! duration = 1.0
//! intervals = 20
//! start = { x = 0, "x'" = 0 }
//! end = { x = 1, "x'" = 0 }
//! [costs]
//! effort = { integral = "u^2" }
//! "#;
//! let file = ProblemFile::from_text(text, "block.toml", &[], &|_| unreachable!())?;
//! let solution = carom_control::solve(&file.problem, &file.guess, &file.options(), &mut |_| true)?;
//! assert!((solution.outcome.objective - 12.0).abs() < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | step | module |
//! |---|---|
//! | the models | `models` |
//! | numbers, ranges, words | `numbers`, `ranges`, `words` |
//! | parameters that are to be found | `free` |
//! | phases and their conditions | `phases`, `conditions`, `formulas` |
//! | transitions, costs | `transitions`, `costs` |
//! | where the search begins | `guesses`, `simulate`, `stored`, `stored_plan` |
//! | gaits, which become phases, transitions and costs | `gait` |
//! | how it is solved | `settings`, `discover`, `plan` |
//! | mistakes that show later | `explain` |
//! | which sections and keys there are | [`schema`] |
//!
//! Every step goes on after a mistake, so that one reading reports them all.

mod conditions;
mod costs;
mod discover;
mod explain;
mod formulas;
mod free;
mod gait;
mod guesses;
mod json;
mod models;
mod numbers;
mod phases;
mod plan;
mod ranges;
mod reader;
pub mod schema;
mod settings;
mod simulate;
mod stored;
mod stored_plan;
mod transitions;
mod words;

pub use discover::DiscoverSettings;
pub use gait::GaitSettings;
pub use models::{Open, ProblemModel};
pub use plan::PlanSettings;
pub use settings::{BackendChoice, ProblemSettings, SETTING};
pub use stored::StoredSolution;
pub use stored_plan::{StoredMotion, StoredPlan};

use crate::gait::Gait;
use crate::guess::Guess;
use crate::problem::{ControlProblem, FreedParameter};
use crate::solve::SolveOptions;
use carom_model::reading::{MAX_FILE, Place, Report, Source, Text, open, too_large};
use carom_model::{Diagnostic, Diagnostics};
use reader::Reader;
use std::path::Path;

/// What a problem file describes.
#[derive(Debug)]
pub struct ProblemFile {
    /// The problem.
    pub problem: ControlProblem,
    /// What it is, in a sentence or two.
    pub description: Option<String>,
    /// Where the search begins.
    pub guess: Guess,
    /// True if the file says something about that.
    pub has_guess: bool,
    /// The gait that the problem is, if so.
    pub gait: Option<Gait>,
    /// How it is solved.
    pub settings: ProblemSettings,
    /// The models, each once.
    pub models: Vec<ProblemModel>,
    /// Number of the model of each phase.
    pub phase_models: Vec<usize>,
    /// The text of the file.
    pub source: String,
    /// What is doubtful, but not wrong.
    pub warnings: Vec<Diagnostic>,
    /// Values for parameters that were given from outside.
    pub set: Vec<(String, String)>,
    places: Places,
    report: Report,
}

/// Places of what transcriptions may refuse.
#[derive(Clone, Debug, Default)]
struct Places {
    phases: Vec<(String, Place)>,
    transitions: Vec<(String, Place)>,
    formulas: Vec<(String, Text)>,
    discover: Option<Place>,
    plan: Option<Place>,
    gait: Option<Place>,
    gait_keys: Vec<(String, Place)>,
}

impl ProblemFile {
    /// True if the text is that of a problem rather than of a model: it has phases, costs or a gait.
    pub fn is_problem(text: &str) -> bool {
        let (document, _) = toml::de::DeTable::parse_recoverable(text);
        ["phases", "costs", "transitions", "gait"].iter().any(|key| document.get_ref().contains_key(*key))
    }

    /// Reads a problem file, and what it names beside it. `overrides` are pairs such as `("m", "2")` for parameters of
    /// the models, or `("problem.method", "gauss2")` for settings.
    pub fn read(path: &Path, overrides: &[(String, String)]) -> Result<Self, Diagnostics> {
        Self::read_freeing(path, overrides, &[])
    }

    /// The same with further parameters to be found, beside those of the file; names that no model has are left out.
    pub fn read_freeing(
        path: &Path,
        overrides: &[(String, String)],
        freed: &[FreedParameter],
    ) -> Result<Self, Diagnostics> {
        let text = open(path)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let beside = |name: &str| open(&folder.join(name));
        let data = |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|error| error.to_string());
        Self::assemble(&text, &path.display().to_string(), (overrides, freed), &beside, &data)
    }

    /// Reads a problem from the text of a file; `beside` opens the files that it names.
    pub fn from_text(
        text: &str,
        file: &str,
        overrides: &[(String, String)],
        beside: &Open<'_>,
    ) -> Result<Self, Diagnostics> {
        Self::from_text_freeing(text, file, (overrides, &[]), beside)
    }

    /// The same with further parameters to be found, as [`ProblemFile::read_freeing`] has it.
    pub fn from_text_freeing(
        text: &str,
        file: &str,
        given: (&[(String, String)], &[FreedParameter]),
        beside: &Open<'_>,
    ) -> Result<Self, Diagnostics> {
        let data = |name: &str| beside(name).map_err(|found| found.to_string());
        Self::assemble(text, file, given, beside, &data)
    }

    fn assemble(
        text: &str,
        file: &str,
        (overrides, freed): (&[(String, String)], &[FreedParameter]),
        beside: &Open<'_>,
        data: &dyn Fn(&str) -> Result<String, String>,
    ) -> Result<Self, Diagnostics> {
        if text.len() > MAX_FILE {
            return Err(too_large(file));
        }
        let (settings, values): (Vec<_>, Vec<_>) =
            overrides.iter().cloned().partition(|(key, _)| key.starts_with(SETTING));
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        let report = Report::new(Source::new(file, text));
        let mut reader = Reader::new(report, models::Models::new(beside, folder, &values), data);
        reader.further = freed.to_vec();
        let parts = reader.read(text, file, &settings);
        let Reader { mut report, models, settings, places, .. } = reader;
        let list = models.list;
        // In the order of the file; remarks about models follow.
        report.found.sort_by_key(|remark| (remark.file != file, remark.line, remark.column));
        match parts {
            Some(parts) if !report.has_errors() => Ok(Self {
                warnings: std::mem::take(&mut report.found),
                problem: parts.problem,
                description: parts.description,
                guess: parts.guess,
                has_guess: parts.has_guess,
                gait: parts.gait,
                phase_models: parts.phase_models,
                models: list,
                source: text.to_owned(),
                set: values,
                settings,
                places,
                report,
            }),
            _ => Err(Diagnostics(report.found)),
        }
    }

    /// The models with other values for parameters, such as those that were found; in the same order.
    pub fn models_with(&self, values: &[(String, f64)]) -> Result<Vec<ProblemModel>, Diagnostics> {
        let given = values.iter().map(|(name, value)| (name.clone(), format!("{value:?}")));
        let set: Vec<(String, String)> = self.set.iter().cloned().chain(given).collect();
        let known = |name: &str| {
            let model = self.models.iter().find(|model| model.file == name);
            Ok(model.map(|model| model.source.clone()).unwrap_or_default())
        };
        let file = self.report.sources.first().map_or("", |file| file.name.as_str());
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        let mut report = Report::new(Source::new(file, &self.source));
        let mut models = models::Models::new(&known, folder, &set);
        models.read_all(&mut report, &self.source);
        if report.has_errors() || models.list.len() != self.models.len() {
            return Err(Diagnostics(report.found));
        }
        Ok(models.list)
    }

    /// What the solver is told.
    pub fn options(&self) -> SolveOptions {
        let settings = &self.settings;
        let mut options = SolveOptions {
            transcription: settings.method.clone(),
            solver: settings.solver.clone(),
            backend: settings.backend.backend(&self.problem),
            ..SolveOptions::default()
        };
        options.nlp.tolerance = settings.tolerance;
        options.nlp.acceptable = options.nlp.acceptable.max(settings.tolerance);
        options.nlp.max_iterations = settings.max_iterations;
        options.nlp.max_seconds = settings.max_seconds;
        options
    }
}
