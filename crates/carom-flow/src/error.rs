//! What can go wrong along a flow.

use carom_expr::FunctionError;
use carom_impact::ImpactError;
use carom_model::{LegendreError, SinkError, Trajectory};

/// Why a flow stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum FlowFailure {
    #[error(
        "at t = {time} the motion meets values that are not finite: a singularity, or a mass matrix without inverse"
    )]
    NotFinite { time: f64 },
    #[error("at t = {time} the step shrinks to {length:.1e}: the motion runs into a singularity")]
    StepTooSmall { time: f64, length: f64 },
    #[error("from t = {time} the flow cannot go to t = {until}: it goes forward, to finite times")]
    NotForward { time: f64, until: f64 },
    #[error("at t = {time} the motion is not smooth and does not get away from it: it chatters about a kink or a jump")]
    Chattering { time: f64 },
    #[error(
        "at t = {time} the fields of the frame are linearly dependent: the quasivelocities say nothing there; give other fields in [frame], or use the formulation `multipliers`"
    )]
    DependentFields { time: f64 },
    #[error("at t = {time} the velocity constraints are linearly dependent: their rank changes there")]
    DependentConstraints { time: f64 },
    #[error(transparent)]
    Legendre(#[from] LegendreError),
    #[error(transparent)]
    Impact(#[from] ImpactError),
    #[error(transparent)]
    Sink(#[from] SinkError),
}

/// Why a flow could not begin, or stopped.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum FlowError {
    #[error("{what} cannot be simulated: {advice}")]
    NotSupported { what: String, advice: &'static str },
    #[error("{name} is {value}; it must be {expected}")]
    BadSetting { name: &'static str, value: f64, expected: &'static str },
    #[error(transparent)]
    Function(#[from] FunctionError),
    #[error(transparent)]
    Projection(#[from] carom_model::projection::ProjectionError),
    #[error(transparent)]
    Failure(#[from] FlowFailure),
    #[error("{error}")]
    Stopped {
        error: FlowFailure,
        /// What was computed before.
        trajectory: Box<Trajectory>,
    },
    #[error("stopped on request at t = {time}")]
    Cancelled { time: f64, trajectory: Box<Trajectory> },
}
