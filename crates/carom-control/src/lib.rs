//! Optimal control by discrete mechanics.

mod assembly;
mod dmoc;
mod error;
mod formula;
mod guess;
mod layout;
mod phase;
mod problem;
mod transcription;

pub use dmoc::Dmoc;
pub use error::ControlError;
pub use guess::{Guess, PhaseGuess};
pub use layout::{Layout, PhaseLayout, Split, TransitionLayout};
pub use problem::{
    ClosedContact, Condition, ControlProblem, ControlShape, Cost, CostKind, Duration, FreedParameter, Jump, Norm,
    PathCondition, Phase, Transition, Where, WorkPart,
};
pub use transcription::{Transcript, Transcription, transcription};
