//! Continuous mechanics: the flow of the equations of Euler and Lagrange, of Lagrange and d'Alembert, and of
//! Hamel, by Taylor series.
//!
//! The independent truth for error measurements: it shares the expressions of a
//! system, its Legendre transform and its projection onto constraints with the
//! discrete methods, and nothing else.
//!
//! | thought | module |
//! |---|---|
//! | equations of motion, expanded in time | `equations` |
//! | steps as long as a series holds | [`Taylor`] |
//! | impacts on the way | [`HybridTaylor`] |
//! | a whole run | [`Flow`] |
//! | how a motion depends on its start and on parameters | [`Tangent`] |
//! | the same through impacts and changes of mode | [`HybridTangent`] |
//! | a smooth path whose projection bounces | [`projected_flow`] |

mod approach;
mod charts;
mod derivative;
mod equations;
mod error;
mod flow;
mod hybrid;
mod kinks;
mod ldl;
mod momentum;
mod options;
mod projected;
mod reading;
mod saddle;
mod stepping;
mod tangent;
mod taylor;

pub use derivative::{
    Derivative, DerivativeError, EventDerivative, Follower, HybridTangent, Instant, Motion, Piece, Until,
};
pub use error::{FlowError, FlowFailure};
pub use flow::{Flow, FlowSchedule};
pub use hybrid::HybridTaylor;
pub use options::{FlowFormulation, FlowOptions};
pub use projected::projected_flow;
pub use tangent::{Propagated, Rates, Tangent};
pub use taylor::Taylor;
