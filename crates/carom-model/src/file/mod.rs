//! Model files: a mechanical system, its initial state and its drawing in TOML.
//!
//! ```
//! use carom_model::Model;
//!
//! let text = r#"
//! lagrangian = "0.5*m*x'^2 - 0.5*k*x^2"
//! [parameters]
//! m = 1.0
//! k = "4*pi^2*m"
//! [coordinates]
//! x = 0.5
//! "#;
//! let model = Model::from_text(text, "oscillator.toml", &[("m".into(), "2".into())])?;
//! assert_eq!(model.initial.q, [0.5]);
//! assert_eq!(model.system.parameters()[0].value, 2.0);
//!
//! let mistake = Model::from_text(&text.replace("k*x^2", "kk*x^2"), "oscillator.toml", &[]).unwrap_err();
//! assert_eq!(mistake.0[0].code, "unknown-name");
//! # Ok::<(), carom_model::Diagnostics>(())
//! ```
//!
//! | step | module |
//! |---|---|
//! | text to TOML values with places | `document` |
//! | values to declarations, section by section | `declarations`, `sections`, `fields`, `contacts`, `overrides` |
//! | names, and the order in which they are computed | `names`, `order` |
//! | numbers and expressions | `numbers`, `expressions`, `roles` |
//! | trees of bodies | `tree` |
//! | a system and its drawing | `assemble`, `constraints`, `frame`, `impacts`, `laws`, `orbit`, `drawing`, `solids`, `ground` |
//! | the initial state | `state`, `quasivelocities`, `velocity`, `gaps`, `projection` |
//! | which sections and keys there are | [`schema`] |
//!
//! Every step goes on after a mistake, so that one reading reports them all.

mod assemble;
mod constraints;
mod contacts;
mod content;
mod declarations;
mod diagnostic;
mod document;
mod drawing;
mod expressions;
mod fields;
mod frame;
mod gaps;
mod ground;
mod impacts;
mod laws;
mod names;
mod numbers;
mod orbit;
mod order;
mod overrides;
mod projection;
mod quasivelocities;
mod roles;
pub mod schema;
mod sections;
mod settings;
mod solids;
mod source;
mod state;
mod suggest;
mod syntax;
mod tree;
mod velocity;

pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use orbit::OrbitSettings;
pub use settings::Settings;
pub(crate) use source::{Place, Report};

/// What readers of other files with expressions share with model files: values with places, remarks about them,
/// names that were probably meant.
pub mod reading {
    pub use super::content::{MAX_FILE, open, too_large};
    pub use super::document::{Entry, Text, Value, entries, items};
    pub use super::source::{Place, Report, Source};
    pub use super::suggest::{near, rate, suggest, suggest_from};
}

use crate::drawing::Primitive;
use crate::system::{Parameter, System};
use contacts::DeclaredContact;
use content::{MAX_FILE, open, too_large};
use document::{Entry, Value};
use source::Source;
use std::path::Path;
use toml::de::DeTable;

/// What a model file describes.
#[derive(Debug)]
pub struct Model {
    /// The mechanical system.
    pub system: System,
    /// Where it starts; on the holonomic constraints.
    pub initial: InitialState,
    /// The initial quasivelocities, one per admissible field of `[frame]`.
    pub quasivelocities: Vec<Parameter>,
    /// How it is simulated.
    pub settings: Settings,
    /// How its periodic motions are understood.
    pub orbit: OrbitSettings,
    /// How it is drawn, in expressions of the system's graph.
    pub drawing: Vec<Primitive>,
    /// The text of the file.
    pub source: String,
    /// What is doubtful, but not wrong.
    pub warnings: Vec<Diagnostic>,
    /// Where the parts stand in the file.
    pub(crate) origin: Origin,
    /// The texts that places refer to.
    pub(crate) report: Report,
}

/// A state `(q, v)` at `t = 0`.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialState {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Their rates.
    pub v: Vec<f64>,
}

/// Places of the parts of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    pub lagrangian: Place,
    pub forces: Vec<(String, Place)>,
    pub constraints: Vec<Place>,
    /// Those that follow from the fields stand where these do.
    pub velocity_constraints: Vec<Place>,
    /// The components of the fields, in the order of the frame.
    pub fields: Vec<Place>,
    pub contacts: Vec<ContactOrigin>,
    /// Parameters that nothing depends on.
    pub unused: Vec<(String, Place)>,
}

/// Places of the parts of a contact.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactOrigin {
    pub gap: Place,
    pub tangents: Vec<Place>,
    pub active: Place,
    pub closed: Place,
}

impl ContactOrigin {
    fn new(contact: &DeclaredContact) -> Self {
        let or_name = |value: &Option<Value>| value.as_ref().map_or(contact.place, Value::place);
        let tangents = contact.tangent.iter().flat_map(|tangent| &tangent.values).map(Value::place).collect();
        let closed = contact.closed.unwrap_or(contact.place);
        // A gap of a point stands where the point is named.
        let point = contact.point.as_ref().filter(|_| contact.gap.is_none()).map(|(_, place)| *place);
        Self { gap: point.unwrap_or(or_name(&contact.gap)), tangents, active: or_name(&contact.active), closed }
    }
}

impl Model {
    /// Reads a model from the text of a file; `overrides` are pairs such as `("m", "2")`,
    /// `("theta'", "pi/2")` or `("simulation.step", "0.01")`.
    pub fn from_text(text: &str, file: &str, overrides: &[(String, String)]) -> Result<Model, Diagnostics> {
        if text.len() > MAX_FILE {
            return Err(too_large(file));
        }
        let mut report = Report::new(Source::new(file, text));
        let parts = read(&mut report, text, file, overrides);
        match parts {
            Some(parts) if !report.has_errors() => {
                let warnings = std::mem::take(&mut report.found);
                Ok(Self::new(parts, text, warnings, report))
            }
            _ => Err(Diagnostics(report.found)),
        }
    }

    /// Reads a model that is a table of another file, the one that `report` is about; nothing if there are
    /// mistakes, which are in the report. Parts that have no name of their own are called `name`.
    pub fn inside(
        report: &mut Report,
        table: &[Entry<'_>],
        name: &str,
        overrides: &[(String, String)],
    ) -> Option<Model> {
        let mut own = Report::new(report.sources.first().cloned().unwrap_or_else(|| Source::new("", "")));
        let parts = read_entries(&mut own, table, name, overrides);
        let is_sound = !own.has_errors();
        report.adopt(std::mem::take(&mut own.found));
        let text = own.sources.first().map(|file| file.text.clone()).unwrap_or_default();
        parts.filter(|_| is_sound).map(|parts| Self::new(parts, &text, Vec::new(), own))
    }

    fn new(parts: assemble::Parts, text: &str, warnings: Vec<Diagnostic>, report: Report) -> Self {
        let assemble::Parts { system, initial, start, settings, orbit, drawing, origin } = parts;
        let (quasivelocities, source) = (start.quasivelocities, text.to_owned());
        Self { system, initial, quasivelocities, settings, orbit, drawing, source, warnings, origin, report }
    }

    /// Reads a model file.
    pub fn from_path(path: &Path, overrides: &[(String, String)]) -> Result<Model, Diagnostics> {
        let file = path.display().to_string();
        Self::from_text(&open(path)?, &file, overrides)
    }
}

fn read(report: &mut Report, text: &str, file: &str, overrides: &[(String, String)]) -> Option<assemble::Parts> {
    if text.trim_start().starts_with('<') {
        let (place, help) = (Place::in_file(0..1), "robots in URDF become model files by `carom import`".to_owned());
        report.error("not-a-model", place, "this is XML, not a model file", Some(help));
        return None;
    }
    let (document, errors) = DeTable::parse_recoverable(text);
    report.toml_errors(&errors);
    if report.has_errors() {
        return None;
    }
    let name = Path::new(file).file_stem().map_or("model".to_owned(), |stem| stem.to_string_lossy().into_owned());
    read_entries(report, &document::entries(document.get_ref()), &name, overrides)
}

fn read_entries(
    report: &mut Report,
    entries: &[Entry<'_>],
    name: &str,
    overrides: &[(String, String)],
) -> Option<assemble::Parts> {
    let mut all = declarations::Declarations::read(report, entries);
    overrides::apply(report, &mut all, overrides);
    let mut parts = assemble::assemble(report, &all, name)?;
    state::check(report, &mut parts);
    Some(parts)
}
