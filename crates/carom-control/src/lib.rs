//! Optimal control by discrete mechanics.

mod assembly;
mod audit;
mod builders;
mod controls;
mod dmoc;
mod dump;
mod error;
mod extract;
mod file;
mod formula;
mod guess;
mod hermite_simpson;
mod implicit;
mod ladder;
mod layout;
mod measure;
mod null_space;
mod phase;
mod problem;
mod replay;
mod solution;
mod solve;
mod spline;
mod transcription;

pub use audit::{Audit, AuditFinding, AuditKind, AuditOptions, PhaseAudit, audit};
pub use carom_discrete::Formulation;
pub use controls::ControlTrack;
pub use dmoc::Dmoc;
pub use dump::dump;
pub use error::ControlError;
pub use extract::Reading;
pub use file::{
    BackendChoice, DiscoverSettings, Open, ProblemFile, ProblemModel, ProblemSettings, SETTING, StoredSolution, schema,
};
pub use guess::{Guess, PhaseGuess, TransitionGuess};
pub use hermite_simpson::HermiteSimpson;
pub use implicit::{
    Candidate, DiscoverEvent, DiscoverOptions, Discovery, RelaxedSolve, discover, discover_with, discoverable,
};
pub use ladder::{Ladder, LadderEnd, LadderOptions, Rung, solve_to_accuracy};
pub use layout::{Layout, PhaseLayout, Split, TransitionLayout};
pub use problem::{
    ClosedContact, Condition, ControlProblem, ControlShape, Cost, CostKind, Duration, FreedParameter, Jump, Norm,
    PathCondition, Phase, Transition, Where, WorkPart,
};
pub use replay::{
    ContactForce, GuardReplay, IntervalReplay, Mismatch, MotionSize, PhaseEnd, PhaseReplay, Replay, ReplayOptions,
    ReplayState, Touch, TransitionReplay, replay,
};
pub use solution::{PhaseSolution, Solution, TransitionSolution};
pub use solve::{SolveOptions, solve};
pub use transcription::{Transcript, Transcription, transcription, transcriptions};
