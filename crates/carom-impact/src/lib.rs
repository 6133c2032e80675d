//! Impacts: laws, event sets, the first contact of a motion, and the life of a contact.
//!
//! | step | where |
//! |---|---|
//! | geometry of the surfaces at a state | [`Geometry`] |
//! | jump conditions, one file per law | [`laws`] |
//! | one contact or several | [`Resolver`] |
//! | the first root of a gap | [`polynomial`], [`path`] |
//! | free, impact, rebound or attach, slide, stick, release | [`Life`] |
//! | smooth paths whose projections bounce | [`Projected`] |
//! | the derivative of a jump | [`JumpTangent`] |
//! | a recorded impact against its law | [`Verifier`] |
//! | a trajectory under suspicion | [`diagnose`] |

mod contact_law;
mod diagnose;
mod energy_balance;
mod error;
mod geometry;
mod impact;
mod initial;
pub mod laws;
mod life;
mod options;
pub mod path;
pub mod polynomial;
mod projected;
mod quasivelocity;
mod redundant;
mod resolver;
mod settle;
mod simultaneous;
mod smooth;
mod space;
mod tangent;
mod verify;

pub use contact_law::{ContactLaw, unfit};
pub use diagnose::diagnose;
pub use error::{ImpactError, NotDifferentiable};
pub use geometry::Geometry;
pub use life::Life;
pub use options::{ContactOptions, JumpKind};
pub use projected::{Crossing, Grid, Projected, ProjectedPath, ProjectedRun};
pub use resolver::{Before, Multiple, Resolved, Resolver, SurfaceImpulse};
pub use smooth::{Arrival, Attention, ClosedContact, Departed, Departure, Log, Smooth, Start, Watch};
pub use space::{ContactSpace, Saddle};
pub use tangent::{Guard, GuardTangent, JumpDerivative, JumpState, JumpTangent, saltation};
pub use verify::{Verification, Verifier};
