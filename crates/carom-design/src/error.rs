//! Why a study cannot be run.

use std::path::PathBuf;

/// Why a study cannot be run. An evaluation that fails is not among these: it is a sample without a cost.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum DesignError {
    #[error("there is no outer method `{name}`; outer methods: {known}")]
    UnknownMethod { name: String, known: String },
    #[error("a study needs at least one design variable")]
    NoVariables,
    #[error("the range of `{name}` goes from {lower} to {upper}; it must be finite, and its end above its begin")]
    BadRange { name: String, lower: f64, upper: f64 },
    #[error("the guess of `{name}` is {guess}, outside its range from {lower} to {upper}")]
    BadGuess { name: String, guess: f64, lower: f64, upper: f64 },
    #[error("`{name}` is {value}, but must be {needed}")]
    BadSetting { name: &'static str, value: f64, needed: &'static str },
    #[error("`{method}` is a method for one design variable, and there are {count}; try {instead}")]
    OneVariable { method: &'static str, count: usize, instead: &'static str },
    #[error("`{method}` needs {what}, which {objective} does not have; try {instead}")]
    Missing { method: &'static str, what: &'static str, objective: &'static str, instead: &'static str },
    #[error("the first sample of `{method}` failed: {why}; try another `guess`")]
    FirstFailed { method: &'static str, why: String },
    #[error("`{path}` cannot be {action}: {why}")]
    File { path: PathBuf, action: &'static str, why: String },
    #[error("`{path}`, line {line}: {why}; choose another folder, or remove this one to begin anew")]
    Journal { path: PathBuf, line: usize, why: String },
    #[error(
        "`{path}` is the journal of another study: evaluation {number} was asked for at {asked}, and is known at {known}; \
         choose another folder, or remove this one to begin anew"
    )]
    OtherStudy { path: PathBuf, number: usize, asked: String, known: String },
    #[error("{0}")]
    Control(#[from] carom_control::ControlError),
}
