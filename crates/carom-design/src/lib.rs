//! Design of dynamics: which design makes the best motion cheapest (thesis, chapter 5).
//!
//! ```text
//! minimise   J(beta)              over designs   lower <= beta <= upper
//! J(beta)  = optimal cost of a control problem, or a measure of a simulation, or whatever a command prints
//! ```
//!
//! An evaluation of `J` is expensive: an outer method decides where the next one is worth its price.
//!
//! ```
//! use carom_design::{Function, Journal, Study, Variable, run};
//!
//! // The distance of a point from (0.3, 0.8), as any cost.
//! let cost = Function(|x: &[f64]| Ok((x[0] - 0.3).powi(2) + (x[1] - 0.8).powi(2)));
//! let study = Study::new("distance", vec![Variable::new("a", 0.0, 1.0), Variable::new("b", 0.0, 1.0)], "kriging");
//! let outcome = run(&study, &cost, &mut Journal::in_memory(), &|| false, &mut |_| ())?;
//! assert!(outcome.best().is_some_and(|best| best.cost.is_some_and(|cost| cost < 1e-3)));
//! # Ok::<(), carom_design::DesignError>(())
//! ```
//!
//! | task | names |
//! |---|---|
//! | state a study in Rust, or read a study file | [`Study`], [`Variable`], [`StudyFile`] |
//! | what is evaluated | [`Objective`], [`Function`], [`ControlObjective`], [`SimulationObjective`], [`CommandObjective`] |
//! | outer methods | [`Method`], [`methods`], [`method()`] |
//! | run it, keep what was computed, go on later | [`run`], [`Journal`], [`Outcome`] |
//! | surrogates by themselves | [`Process`], [`Kernel`], [`CubicSpline`], [`latin_hypercube`] |
//!
//! Outer methods are deterministic functions of the evaluations and of the seed. So a study that was interrupted is
//! run again from its beginning, with the evaluations that its journal knows: it ends with the same numbers, bit for bit.

mod error;
mod evaluator;
mod file;
mod inner;
mod journal;
mod method;
mod objective;
mod shares;
mod study;
mod surrogate;

pub use error::DesignError;
pub use evaluator::{Evaluator, Halt};
pub use file::{Inner, StudyFile, schema};
pub use inner::{CommandObjective, ControlObjective, SimulationObjective};
pub use journal::Journal;
pub use method::{End, Method, Surrogate, method, methods, surrogate};
pub use objective::{Answer, Ask, Function, Neighbour, Objective};
pub use study::{Event, Mean, MethodOptions, Outcome, Reason, Sample, Study, Variable, run};
pub use surrogate::{CubicSpline, Kernel, Prediction, Process, ProcessOptions, latin_hypercube};
