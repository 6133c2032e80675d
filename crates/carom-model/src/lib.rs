//! Mechanical systems as expressions, and the model files that describe them.
//!
//! A [`System`] is built in Rust ([`SystemBuilder`], or as a [`tree::Tree`] of bodies) or read from a model file ([`Model`]).
//! [`Dynamics`] is the system with numbers for its parameters; [`Legendre`]
//! turns momenta into velocities and keeps states on the constraints.

mod backward;
mod builder;
mod check;
mod conserved;
mod consistent;
mod contact;
mod degenerate;
mod digest;
mod distribution;
mod drawing;
mod dynamics;
mod energy_audit;
mod events;
mod file;
mod formula;
mod frame;
mod hamel;
mod implicit_map;
pub mod laws;
mod legendre;
mod motion;
pub mod projection;
mod quasivelocity;
mod random;
mod recorder;
mod reversed;
mod sink;
mod state_functions;
mod surfaces;
mod system;
mod trajectory;
pub mod tree;
pub mod urdf;

pub use builder::{SystemBuilder, SystemError};
pub use check::{ContactState, FrameState, Regularity, StructureFunction, Understanding, understand};
pub use conserved::{Conserved, conserved};
pub use consistent::consistent_tangent;
pub use contact::{Contact, ContactMode};
pub use digest::{Deviation, Digest, Impacts, KEPT_ENTRIES, Sample, State};
pub use distribution::{Distribution, Verdict};
pub use drawing::{Point, Primitive, Shape};
pub use dynamics::{Closed, Dynamics, Hold, Rubbing, Surface};
pub use events::{Balance, ContactImpulse, Finding, FindingKind, Impact, ModeChange};
pub use file::{Diagnostic, Diagnostics, InitialState, Model, OrbitSettings, Settings, Severity};
pub use file::{reading, schema};
pub use formula::{SystemNames, axis_suffix, formula_of};
pub use frame::{Frame, MAX_DUAL, VectorField, is_solvable, pivots};
pub use implicit_map::{ImplicitMap, MapError};
pub use legendre::{Legendre, LegendreError};
pub use motion::{Acceleration, EquationsOfMotion};
pub use quasivelocity::Quasivelocities;
pub use random::Random;
pub use recorder::{Recorder, Snapshot};
pub use sink::{PIECE_ROWS, Refusal, Sink, SinkError};
pub use state_functions::StateFunctions;
pub use surfaces::smooth_pieces;
pub use system::{Coordinate, Input, Named, Parameter, System};
pub use trajectory::{Ending, Invariant, Node, Statistics, Trajectory};
