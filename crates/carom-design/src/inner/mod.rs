//! What studies evaluate: control problems, simulations, commands.

mod command;
mod control;
mod simulation;

pub use command::CommandObjective;
pub use control::ControlObjective;
pub use simulation::SimulationObjective;
