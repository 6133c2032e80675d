//! Why a command did not do what it should, and the exit code that says so.

use crate::commands::at_option;
use carom::model::projection::ProjectionError;
use carom::model::urdf::UrdfError;
use carom::run::RunError;
use carom::{Diagnostics, MethodError, ReportError, SimulationError};
use std::fmt;
use std::io;

/// Wrong usage, or a file that cannot be read or written.
pub const USAGE: u8 = 1;
/// A mistake in a model or in settings.
const MODEL: u8 = 2;
/// A run that did not reach its end, or a search that did not converge.
const RUN: u8 = 3;
/// An optimum that did not pass its audit, a projection that did not pass its verification, or a check that disagrees.
const AUDIT: u8 = 4;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Mistakes in a model file, or a file that cannot be read.
    Model(Diagnostics),
    /// Mistakes of a model that were reported already.
    Reported {
        /// The file could not even be read.
        is_unreadable: bool,
    },
    /// The command line does not say what to do.
    Usage(String),
    /// A setting that no method can use.
    Settings(String),
    /// There is no projection, or it is not what it should be.
    Projection(ProjectionError),
    /// A projection is not what it should be, as was reported already.
    Unverified,
    /// The run ended early.
    Run(String),
    /// The audit says that an optimum is none.
    #[cfg(feature = "optimal-control")]
    Audit(String),
    /// A check of a document does not come out as expected.
    Disagrees(String),
    /// A file cannot be read or written, or is not what it should be.
    File {
        /// The file.
        path: std::path::PathBuf,
        /// What follows its name.
        why: String,
    },
    /// A file is no robot.
    Robot {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        error: Box<UrdfError>,
    },
    /// Results could not be written, read or drawn.
    Report(ReportError),
    /// Standard output could not be written.
    Output(io::Error),
}

impl Failure {
    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Model(found) if found.0.iter().any(|diagnostic| diagnostic.code == "unreadable") => USAGE,
            Self::Reported { is_unreadable: true } | Self::Usage(_) => USAGE,
            Self::Model(_) | Self::Reported { .. } | Self::Settings(_) => MODEL,
            Self::Projection(ProjectionError::NotVerified { .. }) | Self::Unverified => AUDIT,
            Self::Projection(_) => MODEL,
            Self::Robot { .. } => MODEL,
            Self::Run(_) => RUN,
            #[cfg(feature = "optimal-control")]
            Self::Audit(_) => AUDIT,
            Self::Disagrees(_) => AUDIT,
            Self::File { .. } => USAGE,
            Self::Report(_) | Self::Output(_) => USAGE,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(diagnostics) => write!(f, "{diagnostics}"),
            Self::Reported { .. } | Self::Unverified => Ok(()),
            Self::Projection(error) => write!(f, "error[{}]: {error}", error.code()),
            Self::Settings(message) | Self::Usage(message) => write!(f, "error: {message}"),
            Self::Disagrees(message) => write!(f, "error: {message}"),
            Self::Run(message) => write!(f, "error: {message}"),
            #[cfg(feature = "optimal-control")]
            Self::Audit(verdict) => write!(f, "error: the audit: {verdict}"),
            Self::File { path, why } => write!(f, "error: `{}` {why}", path.display()),
            Self::Robot { path, error } => write!(f, "error[{}]: `{}`: {error}", error.code(), path.display()),
            Self::Report(error) => write!(f, "error: {error}"),
            Self::Output(error) => write!(f, "error: cannot write to standard output: {error}"),
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Self::Report(error)
    }
}

/// Settings that stand on the command line are shown there.
impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Model(found) => Self::Model(Diagnostics(found.0.into_iter().map(at_option).collect())),
            RunError::Settings(message) => Self::Settings(message),
            RunError::Projection(error) => Self::Projection(error),
            RunError::Run(message) => Self::Run(message),
        }
    }
}

impl From<MethodError> for Failure {
    fn from(error: MethodError) -> Self {
        RunError::from(error).into()
    }
}

impl From<SimulationError> for Failure {
    fn from(error: SimulationError) -> Self {
        RunError::from(error).into()
    }
}
