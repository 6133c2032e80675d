//! Discrete mechanics: variational integrators from discrete Lagrangians.
//!
//! | thought | module |
//! |---|---|
//! | what approximates the action of a step | [`rules`] |
//! | compositions that raise the order | [`Method`] |
//! | the equations of a step | [`Segment`] |
//! | steps, one after the other | [`Stepper`], [`EnergyStepper`] |
//! | a whole run | [`Simulation`], [`EnergySimulation`] |
//! | its derivatives, through impacts | [`DiscreteTangent`] |
//!
//! Theory: Marsden and West, *Discrete mechanics and variational integrators*
//! (2001); Pekarek, *Variational methods for control and design of bipedal
//! robot models* (2010), sections 2.1 and 3.1, whose equation numbers are cited.

mod checks;
mod closed;
mod contact;
mod departure;
mod derivative;
mod discrete_dirac;
mod discrete_hamel;
mod discrete_path;
mod energy;
mod energy_run;
mod error;
mod implicit;
mod interval;
mod landing;
mod memory;
mod method;
mod motion;
mod newton;
mod null_space;
mod predict;
mod projected;
pub mod quadrature;
mod reaching;
mod reflection;
mod regular;
mod replay;
pub mod rules;
mod segment;
mod simulation;
mod stepper;
mod tape;
mod tracking;

pub use contact::ContactStepper;
pub use derivative::{Derivative, DiscreteTangent, EventDerivative, Gradient, SecondDerivative};
pub use energy::EnergyStepper;
pub use energy_run::EnergySimulation;
pub use error::StepError;
pub use interval::{Interval, SampledState};
pub use method::{Method, MethodError, Scheme};
pub use motion::PhaseState;
pub use newton::Effort;
pub use null_space::Formulation;
pub use projected::simulate_projected;
pub use segment::{Closure, Opening, Segment};
pub use simulation::{Schedule, Simulation, SimulationError};
pub use stepper::{Options, Stepper};
pub use tape::Record;
