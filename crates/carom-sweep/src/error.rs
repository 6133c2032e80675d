//! Why a sweep does not begin, or does not go on.

use carom_model::Diagnostics;
use carom_run::RunError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a sweep does not begin, or does not go on. A point that fails is a row, not an error.
#[derive(Debug, Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum SweepError {
    /// The file is wrong, or a name that it does not have.
    #[error("{0}")]
    Model(Diagnostics),
    /// The settings of the model are wrong.
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(
        "`{text}` is not what a sweep can go over: {why}; write `NAME=from:to:count`, `NAME=log:from:to:count`, `NAME=1,2,5`, or `NAME=from:to` for random points"
    )]
    Axis { text: String, why: String },
    #[error("{0}")]
    Points(String),
    #[error("measure `{text}`: {why}")]
    Measure { text: String, why: String },
    #[error("`{field}` of the sweep should be {expected}")]
    Json { field: String, expected: &'static str },
    #[error("{0}")]
    NotSupported(String),
    #[error(
        "`{}` has another sweep: {differs}; choose another folder, or begin this one afresh (--fresh)", folder.display()
    )]
    OtherSweep { folder: PathBuf, differs: String },
    #[error("`{}` cannot be {action}: {source}", path.display())]
    File { path: PathBuf, action: &'static str, source: io::Error },
    #[error("part {part} of the sweep is none: it has {parts}, counted from 0")]
    NoPart { part: usize, parts: usize },
    #[error("part {part} cannot be encoded: {source}")]
    Encoding { part: usize, source: io::Error },
    #[error("threads cannot be started: {0}")]
    Threads(String),
    #[error("stopped")]
    Stopped,
}

impl From<Diagnostics> for SweepError {
    fn from(found: Diagnostics) -> Self {
        Self::Model(found)
    }
}
