//! Why steps fail.

use crate::newton::NewtonFailure;
use carom_expr::FunctionError;
use carom_model::{LegendreError, SinkError};

/// Why a step could not be taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum StepError {
    #[error(
        "the step from t = {time} could not be solved, not even divided into {parts} parts (residual {residual:.1e}); \
         try a smaller --step, or check the model near this state"
    )]
    NotConverged { time: f64, parts: u32, residual: f64 },
    #[error(
        "the equations of the step from t = {time} are singular; a coordinate without mass, or dependent constraints?"
    )]
    Singular { time: f64 },
    #[error("the step from t = {time} meets values that are not finite; the model has a singularity there")]
    NotFinite { time: f64 },
    #[error(
        "at t = {time} there is no step that keeps the discrete energy (last duration {duration:.3e}): the extended \
         equations need not have a solution, above all near turning points; use a fixed step"
    )]
    NoEnergyStep { time: f64, duration: f64 },
    #[error("at t = {time} the energy-keeping steps have shrunk to {duration:.1e}; use a fixed step")]
    TooShort { time: f64, duration: f64 },
    #[error(
        "at t = {time} the mass matrix is singular, and the state violates a condition that follows: forces along a direction \
         without inertia do not balance (they leave {residual:.1e} of the largest force); change the initial values"
    )]
    Inconsistent { time: f64, residual: f64 },
    #[error(
        "in the step from t = {time} the fields of the frame become linearly dependent: the quasivelocities say nothing there; \
         give other fields in [frame], or use the formulation `multipliers`"
    )]
    DependentFields { time: f64 },
    #[error(
        "in the step from t = {time} velocity constraint `{constraint}` vanishes and turns round: the rank of the constraints \
         changes there, and the motion is not determined beyond"
    )]
    VanishingConstraint { time: f64, constraint: String },
    #[error("the step from t = {time} could not be ended at contact `{contact}`; try a smaller --step")]
    NoLanding { time: f64, contact: String },
    #[error(transparent)]
    Impact(#[from] carom_impact::ImpactError),
    #[error(transparent)]
    Legendre(#[from] LegendreError),
    #[error(transparent)]
    Function(#[from] FunctionError),
    #[error(transparent)]
    Sink(#[from] SinkError),
}

impl NewtonFailure {
    /// The failure of the step that began at `time`.
    pub(crate) fn at(self, time: f64) -> StepError {
        match self {
            Self::NotConverged { residual } => StepError::NotConverged { time, parts: 1, residual },
            Self::Singular => StepError::Singular { time },
            Self::NotFinite => StepError::NotFinite { time },
        }
    }
}
