//! Why a run did not begin.

use carom_discrete::{MethodError, SimulationError};
use carom_model::Diagnostics;
use carom_model::projection::ProjectionError;
use thiserror::Error;

/// Why a run did not begin; one that ends early is an [`Outcome`](crate::Outcome) with what was computed.
#[derive(Debug, Error)]
pub enum RunError {
    /// A setting of the model file, with its place.
    #[error("{0}")]
    Model(Diagnostics),
    /// A setting that no method can use.
    #[error("{0}")]
    Settings(String),
    /// There is no projection, or it is not what it should be.
    #[error(transparent)]
    Projection(ProjectionError),
    /// The first step could not be prepared.
    #[error("{0}")]
    Run(String),
}

impl From<MethodError> for RunError {
    fn from(error: MethodError) -> Self {
        Self::Settings(error.to_string())
    }
}

/// For errors before the first step; a run that stops later keeps its trajectory.
impl From<SimulationError> for RunError {
    fn from(error: SimulationError) -> Self {
        match error {
            SimulationError::NotSupported { .. }
            | SimulationError::BadSetting { .. }
            | SimulationError::TooManySteps { .. } => Self::Settings(error.to_string()),
            SimulationError::Projection(error) => Self::Projection(error),
            _ => Self::Run(error.to_string()),
        }
    }
}
