//! Sparse nonlinear programs
//!
//! ```text
//! minimise f(x)   subject to   l <= c(x) <= u,   a <= x <= b
//! ```
//!
//! with exact first and second derivatives, names for every variable and every row, and solvers
//! that say by name what is wrong when they fail.
//!
//! | task | names |
//! |---|---|
//! | state a program by formulas | [`Formulas`] |
//! | state it by expressions, placed many times | [`Program`], [`Kernel`] |
//! | state it by code of your own | [`Nlp`] |
//! | solve it | [`Solver`], [`solver`], [`Options`] |
//! | what comes out | [`Outcome`], [`Status`] |

#[cfg(feature = "pounce")]
mod attempts;
#[cfg(feature = "pounce")]
mod automatic;
#[cfg(any(feature = "pounce", feature = "ipopt"))]
mod bridge;
pub mod factor;
#[cfg_attr(not(any(feature = "pounce", feature = "ipopt")), allow(dead_code))]
mod guard;
mod interior;
#[cfg(feature = "ipopt")]
mod ipopt;
mod kkt;
mod nlp;
mod outcome;
#[cfg(feature = "pounce")]
mod pounce;
mod program;
#[cfg(any(feature = "pounce", feature = "ipopt"))]
mod quiet;
mod solver;
#[cfg(feature = "pounce")]
mod sqp;

#[cfg(feature = "pounce")]
pub use automatic::Automatic;
pub use interior::InteriorPoint;
#[cfg(feature = "ipopt")]
pub use ipopt::Ipopt;
pub use kkt::{Residuals, residuals};
pub use nlp::{Nlp, Pattern, Range, Stages};
pub use outcome::{Multipliers, Outcome, Place, Statistics, Status, Violation};
#[cfg(feature = "pounce")]
pub use pounce::Pounce;
pub use program::{
    DumpError, FormulaError, Formulas, Kernel, KernelError, Placement, Program, ProgramError, Row, Variable,
};
pub use solver::{Linear, Observer, Options, Progress, Solver, SolverError, solver, solvers};
#[cfg(feature = "pounce")]
pub use sqp::Sqp;
