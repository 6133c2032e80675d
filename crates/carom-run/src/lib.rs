//! Runs of a model, as its settings say.
//!
//! A model file names a method, a step and a duration; [`Plan`] completes them, [`Integrator`] is whatever the method
//! names (fixed steps, steps that keep the discrete energy, the reference flow), and [`simulate`] gives the motion.
//! The command line and the Python package run models through this crate: the same settings give the same numbers.

pub mod backward;
mod error;
pub mod inspection;
mod integrator;
mod measure;
mod plan;
mod prepared;
mod simulate;

pub use error::RunError;
pub use integrator::{ENERGY, Integrator, Observer, Outcome, Start, TAYLOR, flow_options, flow_schedule, refused};
pub use measure::{Gauge, Measure, MeasureError, Over};
pub use plan::Plan;
pub use prepared::Prepared;
pub use simulate::{Simulated, inspect, simulate};
