//! Where a motion has no derivative, and what can go wrong on the way to one.

use crate::error::{FlowError, FlowFailure};
use carom_expr::FunctionError;

/// Why there is no derivative. Never a number instead.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum Obstacle {
    #[error(
        "the motion grazes contact `{contact}` (it closes at {rate:.1e} of its speed): neighbouring motions miss it"
    )]
    Grazing { contact: String, rate: f64 },
    #[error(
        "the contacts {contacts} strike at once: neighbouring motions meet them one after the other, in either order"
    )]
    Simultaneous { contacts: String },
    #[error("the impacts of `{contact}` accumulate: neighbouring motions come to rest after infinitely many others")]
    Accumulation { contact: String },
    #[error(
        "the motion begins with an impact of `{contact}`: neighbouring motions begin before or inside the obstacle"
    )]
    AtStart { contact: String },
    #[error("the impact of `{contact}`: {message}")]
    Jump { contact: String, message: String },
}

/// Why a derivative could not be computed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum DerivativeError {
    #[error("not differentiable at t = {time}: {obstacle}")]
    NotDifferentiable { time: f64, obstacle: Obstacle },
    #[error(
        "the derivative with respect to `{parameter}` is not known: it changes the friction of contact `{contact}`"
    )]
    Friction { parameter: String, contact: String },
    #[error(transparent)]
    Flow(#[from] FlowError),
}

impl From<FlowFailure> for DerivativeError {
    fn from(failure: FlowFailure) -> Self {
        Self::Flow(failure.into())
    }
}

impl From<FunctionError> for DerivativeError {
    fn from(error: FunctionError) -> Self {
        Self::Flow(error.into())
    }
}
