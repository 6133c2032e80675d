//! Expression graphs with exact derivatives, compiled to fast functions.
//!
//! | step | type |
//! |---|---|
//! | build expressions, in Rust or from text | [`Graph`], [`Scope`], [`text`] |
//! | differentiate, substitute | [`Graph::gradient`], [`Graph::jacobian`], [`Graph::hessian`], [`Graph::directional`], [`Graph::substitute`] |
//! | evaluate | [`Function`], [`Evaluator`] |
//! | bound over boxes | [`Bounds`], [`Interval`], [`supremum`](supremum()) |
//! | find periods | [`Graph::dependence`] |
//!
//! Nothing is differenced numerically, and nothing is stored twice.

mod bounds;
mod collect;
mod compile;
mod derivative;
mod display;
mod graph;
mod hessian;
mod interval;
mod jacobian;
mod minors;
mod op;
mod period;
mod scope;
pub mod series;
mod simplify;
mod substitute;
mod supremum;
pub mod text;
mod written;

pub use bounds::Bounds;
pub use compile::{Backend, Evaluator, Function, FunctionError, Group, LANES};
pub use graph::{Graph, Id, Node};
pub use interval::Interval;
pub use jacobian::SparseMatrix;
pub use op::{Binary, Unary};
pub use period::Dependence;
pub use scope::{Expr, IntoExpr, Scope, ids};
pub use supremum::{Supremum, SupremumOptions, supremum};
pub use written::Written;
