//! From expressions to numbers, quickly.
//!
//! ```text
//! graph ──► tape ──┬─► grouped program ──► interpreter (one point, or eight at once)
//!      (lowering)  └─► Cranelift ────────► native code (feature `jit`)
//! ```
//!
//! Both back ends execute the same tape with the same rounding, so that their
//! results agree bit for bit.

mod function;
mod interpret;
#[cfg(feature = "jit")]
mod native;
mod program;
mod registers;
pub(crate) mod tape;
mod unchecked;

pub use function::{Backend, Evaluator, Function, FunctionError, Group, LANES};
