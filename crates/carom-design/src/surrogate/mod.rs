//! Surrogates: cheap functions through expensive samples.

mod cholesky;
mod compass;
mod improvement;
mod kernel;
mod process;
mod sampling;
mod spline;

pub(crate) use compass::{Compass, compass};
pub(crate) use improvement::{expected_improvement, log_expected_improvement};
pub use kernel::Kernel;
pub use process::{Prediction, Process, ProcessOptions};
pub use sampling::latin_hypercube;

pub use spline::CubicSpline;
