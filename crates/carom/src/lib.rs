//! Variational mechanics: describe a mechanical system once, by its Lagrangian,
//! and simulate it with integrators that keep its geometry.
//!
//! ```
//! use carom::{Method, Model, Options, Schedule, Simulation};
//!
//! // A model, as it stands in a file: L = kinetic - potential.
//! let model = Model::from_text(
//!     r#"
//!     lagrangian = "0.5*m*l^2*theta'^2 + m*g*l*cos(theta)"
//!     [parameters]
//!     m = 1.0
//!     l = 1.0
//!     g = 9.81
//!     [coordinates]
//!     theta = { initial = "pi/3", periodic = true }
//!     "#,
//!     "pendulum.toml",
//!     &[],
//! )?;
//!
//! // Gauss-Galerkin with two stages: order 4, symplectic.
//! let method = Method::parse("gauss2")?;
//! let simulation = Simulation::new(&model.system, &method, Options::default())?;
//! let schedule = Schedule { start: 0.0, until: 100.0, step: 0.05, every: 1 };
//! let motion = simulation.run(&model.initial.q, &model.initial.v, schedule, &mut |_time| true)?;
//!
//! assert_eq!(motion.statistics.steps, 2000);
//! assert!(motion.energy_error() < 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | task | names |
//! |---|---|
//! | read a model file, or build a system in Rust | [`Model`], [`SystemBuilder`], [`understand`] |
//! | bodies on joints | [`model::tree`] |
//! | step it | [`Method`], [`Simulation`], [`Stepper`], [`EnergyStepper`] |
//! | contacts: how jumps are taken, the laws of impacts | [`ContactOptions`], [`JumpKind`], [`Multiple`], [`impact`] |
//! | the reference to measure errors against | [`flow`] |
//! | impacts along smooth paths | [`model::projection`], [`flow::projected_flow`], [`discrete::simulate_projected`] |
//! | run a model as its file says | [`run::Plan`], [`run::simulate`] |
//! | run it at many points | [`sweep::Sweep`], [`sweep::run`] |
//! | what comes out | [`Trajectory`], [`report`] |
//! | optimal control and plans, with the feature `optimal-control` | `control`, `control::planner`, `nlp`, `ProblemFile` |
//! | design of dynamics, with the feature `optimal-control` | `design`, `design::Study` |
//! | expressions, derivatives, compiled functions | [`expr`] |
//!
//! The feature `jit` compiles functions to machine code; without it they are
//! interpreted, with the same results bit for bit.

#[cfg(feature = "optimal-control")]
pub use carom_control as control;
#[cfg(feature = "optimal-control")]
pub use carom_design as design;
pub use carom_discrete as discrete;
pub use carom_expr as expr;
pub use carom_flow as flow;
pub use carom_impact as impact;
pub use carom_model as model;
#[cfg(feature = "optimal-control")]
pub use carom_nlp as nlp;
pub use carom_report as report;
pub use carom_run as run;
pub use carom_sweep as sweep;

#[cfg(feature = "optimal-control")]
pub use carom_control::{ControlProblem, ProblemFile, Solution};
pub use carom_discrete::{
    EnergySimulation, EnergyStepper, Formulation, Method, MethodError, Options, Schedule, Scheme, Simulation,
    SimulationError, StepError, Stepper,
};
pub use carom_expr::Backend;
pub use carom_impact::{ContactOptions, JumpKind, Multiple};
pub use carom_model::{
    Diagnostic, Diagnostics, Ending, Model, System, SystemBuilder, Trajectory, Understanding, understand,
};
pub use carom_report::{ReportError, Run};

/// The code of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
