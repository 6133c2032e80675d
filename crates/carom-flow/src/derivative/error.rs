//! What can go wrong on the way to a derivative.

use crate::error::{FlowError, FlowFailure};
use carom_expr::FunctionError;
use carom_impact::NotDifferentiable;

/// Why there is no derivative. Never a number instead.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum DerivativeError {
    #[error(transparent)]
    NotDifferentiable(#[from] NotDifferentiable),
    #[error(
        "the motion begins with an impact of `{contact}` at t = {time}: neighbouring motions begin before it or inside the \
         obstacle, and there is no derivative"
    )]
    AtStart { time: f64, contact: String },
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
