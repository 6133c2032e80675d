//! Study files: design variables, what is evaluated, and the outer method, in TOML.
//!
//! ```toml
//! problem = "planar-gait.toml"
//! method = "gradient"
//!
//! [variables]
//! beta = { range = [0.3, 0.7], guess = 0.5, parameter = "L1" }
//! ```
//!
//! | step | module |
//! |---|---|
//! | the sections, and numbers in them | `reader` |
//! | design variables | `variables` |
//! | outer methods | `methods` |
//! | what is evaluated | `inner` |
//! | which sections and keys there are | [`schema`] |

mod inner;
mod methods;
mod reader;
pub mod schema;
mod variables;

use crate::inner::{CommandObjective, ControlObjective, SimulationObjective};
use crate::objective::Objective;
use crate::study::{MethodOptions, Study};
use carom_control::{Open, ProblemFile};
use carom_model::reading::{MAX_FILE, Report, Source, open, too_large};
use carom_model::{Diagnostic, Diagnostics};
use reader::Reader;
use serde_json::{Value, json};
use std::path::Path;
use toml::de::DeTable;

/// What a study evaluates.
#[derive(Debug)]
pub enum Inner {
    /// An optimal control problem.
    Control {
        /// Its file, read with the design variables freed.
        file: Box<ProblemFile>,
        /// Its cost.
        objective: Box<ControlObjective>,
    },
    /// A measure of a simulation.
    Simulation(Box<SimulationObjective>),
    /// A command.
    Command(CommandObjective),
}

impl Inner {
    /// What is minimised.
    pub fn objective(&self) -> &dyn Objective {
        match self {
            Self::Control { objective, .. } => objective.as_ref(),
            Self::Simulation(objective) => objective.as_ref(),
            Self::Command(objective) => objective,
        }
    }

    /// Everything that decides what comes out.
    fn texts(&self) -> Vec<&str> {
        match self {
            Self::Control { file, .. } => {
                let models = file.models.iter().map(|model| model.source.as_str());
                let set = file.set.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
                std::iter::once(file.source.as_str()).chain(models).chain(set).collect()
            }
            Self::Simulation(own) => {
                let set = own.set.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
                [own.text.as_str(), own.measure.formula.as_str()].into_iter().chain(set).collect()
            }
            Self::Command(own) => own.words.iter().map(String::as_str).collect(),
        }
    }
}

/// What a study file describes.
#[derive(Debug)]
pub struct StudyFile {
    /// The study.
    pub study: Study,
    /// What it is, in a sentence or two.
    pub description: Option<String>,
    /// What it evaluates.
    pub inner: Inner,
    /// Settings of the methods, by name.
    pub methods: Vec<(String, MethodOptions)>,
    /// The text of the file.
    pub source: String,
    /// What is doubtful, but not wrong.
    pub warnings: Vec<Diagnostic>,
}

impl StudyFile {
    /// True if the text is that of a study: it has design variables.
    pub fn is_study(text: &str) -> bool {
        let (document, _) = DeTable::parse_recoverable(text);
        document.get_ref().contains_key("variables")
    }

    /// Reads a study file, and what it names beside it. `overrides` are pairs such as `("m", "2")` for parameters of the models.
    pub fn read(path: &Path, overrides: &[(String, String)]) -> Result<Self, Diagnostics> {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Self::from_text(&open(path)?, &path.display().to_string(), overrides, &|name| open(&folder.join(name)))
    }

    /// Reads a study from the text of a file; `beside` opens the files that it names, by their paths from there.
    pub fn from_text(
        text: &str,
        name: &str,
        overrides: &[(String, String)],
        beside: &Open<'_>,
    ) -> Result<Self, Diagnostics> {
        if text.len() > MAX_FILE {
            return Err(too_large(name));
        }
        let folder = Path::new(name).parent().unwrap_or(Path::new("")).to_owned();
        let mut reader = Reader::new(Report::new(Source::new(name, text)), folder, beside);
        let parts = reader.read(text, name, overrides);
        let mut report = reader.report;
        report.found.sort_by_key(|remark| (remark.file != name, remark.line, remark.column));
        match parts {
            Some(parts) if !report.has_errors() => {
                Ok(Self { warnings: report.found, source: text.to_owned(), ..parts })
            }
            _ => Err(Diagnostics(report.found)),
        }
    }

    /// Takes another outer method, with the settings that the file has for it.
    pub fn set_method(&mut self, name: &str) -> Result<(), crate::DesignError> {
        crate::method(name)?;
        let known = self.methods.iter().find(|(known, _)| known == name);
        self.study.options = known.map(|(_, options)| options.clone()).unwrap_or_default();
        self.study.method = name.to_owned();
        Ok(())
    }

    /// What a journal belongs to: everything that decides what is evaluated and where.
    pub fn identity(&self) -> Value {
        let Study { variables, method, options, seed, .. } = &self.study;
        let variable = |own: &crate::Variable| json!([own.name, own.lower, own.upper, own.guess]);
        json!({
            "evaluates": self.inner.objective().kind(),
            "variables": variables.iter().map(variable).collect::<Vec<_>>(),
            "method": method,
            "settings": format!("{options:?}"),
            "seed": seed,
            "files": format!("{:016x}", digest(&self.inner.texts())),
        })
    }
}

/// The hash of texts (FNV-1a), each with its length.
fn digest(texts: &[&str]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.len().to_le_bytes().into_iter().chain(text.bytes()));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
