//! What a document is expected to show.

use std::path::PathBuf;

/// A document, and its folder.
#[derive(Debug)]
pub struct Paper {
    /// Name of its folder.
    pub number: String,
    /// Authors and title.
    pub title: String,
    /// What a reader of its figures should know.
    pub note: Option<String>,
    /// Its folder.
    pub folder: PathBuf,
    /// Its cases, in the order of the file.
    pub cases: Vec<Case>,
}

/// An example of a document.
#[derive(Debug)]
pub struct Case {
    /// What it is called on the command line.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// Where it stands in the document.
    pub source: String,
    /// What is run.
    pub runs: Vec<Run>,
    /// What is looked at.
    pub checks: Vec<Check>,
    /// Figures of the document and their counterparts.
    pub figures: Vec<Figure>,
}

/// A command of carom, run in the folder of the document.
#[derive(Debug)]
pub struct Run {
    /// Its name in checks and figures.
    pub name: String,
    /// Its words, without the name of the program.
    pub words: Vec<String>,
    /// The exit code that it ends with if all is as expected.
    pub exit: i32,
    /// Left out by `--quick`.
    pub is_long: bool,
}

/// A number that is compared.
#[derive(Debug)]
pub struct Check {
    /// What it is.
    pub name: String,
    /// The run that it is measured in; nothing if it is computed by itself.
    pub run: Option<usize>,
    /// How it is measured.
    pub measure: Measure,
    /// Numbers with names, for formulas.
    pub constants: Vec<(String, f64)>,
    /// What the document says.
    pub printed: Printed,
    /// Up to where ours counts as the printed number.
    pub printed_tolerance: f64,
    /// What is right.
    pub reference: f64,
    /// Where that is from.
    pub from: String,
    /// Largest difference of ours from the reference.
    pub tolerance: f64,
    /// What should come out.
    pub expected: Verdict,
    /// The test that shows the error of the document.
    pub shown_by: Option<String>,
    /// What a reader should know.
    pub note: Option<String>,
}

/// What a document prints.
#[derive(Clone, Debug, PartialEq)]
pub enum Printed {
    /// It does not say.
    Nothing,
    /// A number, which ours is compared with.
    Number(f64),
    /// Words.
    Words(String),
}

/// What a comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Ours is what is printed, and the reference.
    Agrees,
    /// Ours is the reference, and not what is printed.
    PaperInError,
    /// Ours is the reference; nothing is printed.
    NotStated,
    /// None of these.
    Disagrees,
    /// The run was left out.
    NotRun,
}

impl Verdict {
    /// Those that can be expected.
    pub const EXPECTED: [Self; 3] = [Self::Agrees, Self::PaperInError, Self::NotStated];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::PaperInError => "paper in error",
            Self::NotStated => "not stated in the paper",
            Self::Disagrees => "disagrees",
            Self::NotRun => "not run",
        }
    }

    /// The verdict of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        let all = [Self::Agrees, Self::PaperInError, Self::NotStated, Self::Disagrees, Self::NotRun];
        all.into_iter().find(|verdict| verdict.name() == name)
    }
}

/// Which impacts are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// One of them, counted from 1.
    One(usize),
    /// All: the number that is largest in size.
    All,
}

/// How a number is measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// Impacts up to a time, or all.
    Impacts(Option<f64>),
    /// Time of an impact.
    Time(usize),
    /// A formula of the state before an impact.
    Before(Which, String),
    /// A formula of the state after an impact.
    After(Which, String),
    /// The change of a formula in an impact.
    Jump(Which, String),
    /// A formula after an impact over the same before.
    Ratio(Which, String),
    /// A formula at the last node.
    End(String),
    /// The largest value of a formula at the nodes.
    Largest(String),
    /// The least value of a formula at the nodes.
    Least(String),
    /// Largest deviation of the energy from what the impacts leave of it.
    EnergyError,
    /// Last energy less first.
    EnergyGrowth,
    /// Largest relative residual of jump conditions over all impacts: of one kind, or of all.
    Residual(Option<String>),
    /// An entry of the JSON that the command prints; true is 1, a list counts its entries.
    Value(String),
    /// A formula of numbers.
    Formula(String),
}

/// Names of the measures, with the keys that each needs.
pub const MEASURES: [(&str, &[&str]); 14] = [
    ("impacts", &[]),
    ("time", &[]),
    ("before", &["formula"]),
    ("after", &["formula"]),
    ("jump", &["formula"]),
    ("ratio", &["formula"]),
    ("end", &["formula"]),
    ("largest", &["formula"]),
    ("least", &["formula"]),
    ("energy-error", &[]),
    ("energy-growth", &[]),
    ("residual", &[]),
    ("value", &["at"]),
    ("formula", &["formula"]),
];

/// Residuals of jump conditions.
pub const RESIDUALS: [&str; 7] = ["momentum", "constraints", "law", "energy", "impulse", "closing", "record"];

/// A figure of the document and its counterpart.
#[derive(Debug)]
pub struct Figure {
    /// The number that it has in the document, or where it belongs if the document has none.
    pub number: String,
    /// The run whose picture it is.
    pub run: usize,
    /// The picture, in the folder of the run.
    pub file: String,
    /// What it shows.
    pub shows: String,
}
