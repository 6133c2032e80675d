//! What can go wrong on the way to a periodic motion.

use super::newton::Iteration;
use carom_flow::{DerivativeError, FlowError};
use carom_model::Diagnostics;

/// Why there is no orbit.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum OrbitError {
    #[error("the model has no contact `{name}`; its contacts: {known}")]
    UnknownContact { name: String, known: String },
    #[error("the model has no contact, so that no impact ends a step; give the duration of a step, `--period T`")]
    NoContact,
    #[error(
        "the motion depends on time itself, and a step that ends with an impact of `{contact}` may end at any phase: a state \
         that comes back is no orbit; give the duration of a step, a multiple of the period of what depends on time, `--period T`"
    )]
    PhaseUnknown { contact: String },
    #[error("the model has no coordinate or rate `{name}`; it has: {known}")]
    UnknownState { name: String, known: String },
    #[error("the model has no parameter `{name}`; its parameters: {known}")]
    UnknownParameter { name: String, known: String },
    #[error("{name} is {value}; it must be {expected}")]
    BadSetting { name: &'static str, value: f64, expected: &'static str },
    #[error(
        "no step: {found} of {count} impacts of `{contact}` happen within {within} of time, then the motion goes on without \
         (a fall?); start elsewhere with `--set`, or allow longer steps with `--within`"
    )]
    NotReached { contact: String, found: usize, count: usize, within: f64 },
    #[error("all coordinates and rates drift: nothing is left that could come back")]
    NothingComesBack,
    #[error("the search for an orbit does not converge: {reason}\n{}", table(iterations))]
    NotConverged { reason: String, iterations: Vec<Iteration> },
    #[error(
        "at {parameter} = {value} the orbit is not isolated: other orbits are as near as you like at the same value \
         (something is conserved?), and there is no branch to follow"
    )]
    NotIsolated { parameter: String, value: f64 },
    #[error("the eigenvalues of the derivative of the step do not converge")]
    NoEigenvalues,
    #[error(transparent)]
    Derivative(#[from] DerivativeError),
    #[error(transparent)]
    Flow(#[from] FlowError),
    #[error("{0}")]
    Model(Diagnostics),
}

impl From<carom_expr::FunctionError> for OrbitError {
    fn from(error: carom_expr::FunctionError) -> Self {
        Self::Flow(error.into())
    }
}

/// The iterations of a search, one line each.
fn table(iterations: &[Iteration]) -> String {
    let line = |(k, it): (usize, &Iteration)| {
        format!("  iteration {k}: residual {:.3e}, step {:.3e}, damping {}", it.residual, it.step, it.damping)
    };
    iterations.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}
