//! Optimal control by discrete mechanics: what a motion should do, the controls that make it do so, and an audit.
//!
//! ```
//! use carom_control::{ControlProblem, CostKind, Duration, Guess, Phase, SolveOptions, audit, solve};
//! use carom_model::Model;
//! use carom_nlp::Range;
//! use std::sync::Arc;
//!
//! // A unit mass moves on by one metre in one second, from rest to rest, with the least squared force.
//! let model = Model::from_text(
//!     r#"
//!     lagrangian = "0.5*x'^2"
//!     [coordinates]
//!     x = 0.0
//!     [inputs]
//!     u = { signal = 0.0 }
//!     [forces]
//!     x = "u"
//!     "#,
//!     "block.toml",
//!     &[],
//! )?;
//! let phase = Phase::new("move", Arc::new(model.system), Duration::Fixed(1.0), 20)
//!     .start("x", Range::fixed(0.0))
//!     .start("x'", Range::fixed(0.0))
//!     .end("x", Range::fixed(1.0))
//!     .end("x'", Range::fixed(0.0));
//! let problem = ControlProblem::new("block").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()));
//!
//! let options = SolveOptions { transcription: "gauss2".to_owned(), ..SolveOptions::default() };
//! let solution = solve(&problem, &Guess::interpolate(&problem, &[]), &options, &mut |_| true)?;
//! assert!((solution.outcome.objective - 12.0).abs() < 1e-8);
//! assert!(audit(&problem, &solution, &Default::default())?.passed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | task | names |
//! |---|---|
//! | state a problem in Rust, or read a problem file | [`ControlProblem`], [`Phase`], [`Transition`], [`ProblemFile`] |
//! | where a search begins | [`Guess`], [`PhaseGuess`], [`Solution::guess`] |
//! | solve it, on one mesh or to a requested accuracy | [`solve`], [`solve_to_accuracy`] |
//! | find out how many impacts there should be | [`discover`] |
//! | plan with impacts that nobody has counted | [`planner`] |
//! | what comes out, and whether to believe it | [`Solution`], [`audit`], [`replay`] |
//! | keep to it in spite of pushes | [`feedback`], [`Pursuer`] |
//! | the nonlinear program behind it | [`Transcription`], [`Transcript`] |

mod assembly;
mod audit;
mod builders;
mod controls;
mod dmoc;
mod dump;
mod error;
mod extract;
mod feedback;
mod file;
mod formula;
mod gait;
mod guess;
mod hermite_simpson;
mod hops;
mod implicit;
mod ladder;
mod layout;
mod measure;
mod null_space;
pub mod orbit;
mod phase;
pub mod planner;
mod problem;
mod replay;
mod sensitivity;
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
pub use feedback::{
    Feedback, FeedbackOptions, PhaseFeedback, Plan, Pursuer, Pursuit, PursuitEnd, PursuitNode, PursuitOptions,
    PursuitStep, Push, feedback,
};
pub use file::{
    BackendChoice, DiscoverSettings, GaitSettings, Open, PlanSettings, ProblemFile, ProblemModel, ProblemSettings,
    SETTING, StoredMotion, StoredPlan, StoredSolution, schema,
};
pub use gait::{Gait, GaitCandidate, GaitEvent, GaitMeasures, GaitOptions, GaitSearch};
pub use guess::{Guess, PhaseGuess, TransitionGuess};
pub use hermite_simpson::HermiteSimpson;
pub use hops::Hopper;
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
    ContactForce, Excess, GuardReplay, IntervalReplay, Mismatch, MotionSize, PhaseEnd, PhaseReplay, Replay,
    ReplayOptions, ReplayState, Touch, TransitionReplay, replay,
};
pub use solution::{PhaseSolution, Solution, TransitionSolution};
pub use solve::{SolveOptions, solve};
pub use transcription::{Transcript, Transcription, transcription, transcriptions};
