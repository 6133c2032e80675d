//! Optimal control by discrete mechanics.

mod assembly;
mod controls;
mod dmoc;
mod error;
mod extract;
mod formula;
mod guess;
mod layout;
mod phase;
mod problem;
mod solution;
mod solve;
mod transcription;

pub use controls::ControlTrack;
pub use dmoc::Dmoc;
pub use error::ControlError;
pub use guess::{Guess, PhaseGuess};
pub use layout::{Layout, PhaseLayout, Split, TransitionLayout};
pub use problem::{
    ClosedContact, Condition, ControlProblem, ControlShape, Cost, CostKind, Duration, FreedParameter, Jump, Norm,
    PathCondition, Phase, Transition, Where, WorkPart,
};
pub use solution::{PhaseSolution, Solution, TransitionSolution};
pub use solve::{SolveOptions, solve};
pub use transcription::{Transcript, Transcription, transcription};
