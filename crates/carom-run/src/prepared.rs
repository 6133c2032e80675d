//! An integrator that is derived and compiled for a system, ready for any number of runs.

use crate::integrator::{Integrator, Observer, Outcome, flow_options, flow_schedule, refused};
use crate::{Plan, RunError};
use carom_discrete::{EnergySimulation, Simulation, SimulationError, StepError};
use carom_flow::{Flow, FlowError, FlowFailure};
use carom_impact::ImpactError;
use carom_model::{PIECE_ROWS, Sink, System};

/// Something that runs a system from any initial state.
pub enum Prepared<'s> {
    /// Steps of one duration.
    Fixed(Box<Simulation<'s>>),
    /// Steps whose durations keep the discrete energy of a rule.
    Energy(Box<EnergySimulation<'s>>),
    /// The flow of the Euler-Lagrange equations, by Taylor series.
    Taylor(Box<Flow<'s>>),
}

impl<'s> Prepared<'s> {
    /// Derives and compiles what `integrator` needs for `system`.
    pub fn new(integrator: &Integrator, system: &System, plan: &Plan) -> Result<Self, RunError> {
        Ok(match integrator {
            Integrator::Fixed(method) => Self::Fixed(Box::new(Simulation::new(system, method, plan.options())?)),
            Integrator::Energy(rule) => {
                Self::Energy(Box::new(EnergySimulation::new(system, rule.clone(), plan.options())?))
            }
            Integrator::Taylor => {
                let flow = Flow::with_contacts(system, flow_options(plan), plan.contacts).map_err(refused)?;
                Self::Taylor(Box::new(flow))
            }
        })
    }

    /// The same once more, for another run: nothing is derived or compiled again.
    pub fn copy(&self) -> Prepared<'static> {
        match self {
            Self::Fixed(simulation) => Prepared::Fixed(Box::new(simulation.copy())),
            Self::Energy(simulation) => Prepared::Energy(Box::new(simulation.copy())),
            Self::Taylor(flow) => Prepared::Taylor(Box::new(flow.copy())),
        }
    }

    /// Gives the motion to `sink` in pieces.
    pub fn stream_to(&mut self, sink: Sink<'s>) {
        match self {
            Self::Fixed(simulation) => simulation.stream_to(PIECE_ROWS, sink),
            Self::Energy(simulation) => simulation.stream_to(PIECE_ROWS, sink),
            Self::Taylor(flow) => flow.stream_to(PIECE_ROWS, sink),
        }
    }

    /// Runs from a state; of the plan, only its times matter here.
    pub fn run(self, q: &[f64], v: &[f64], plan: &Plan, observe: Observer<'_>) -> Result<Outcome, RunError> {
        match self {
            Self::Fixed(simulation) => {
                simulation.run(q, v, plan.schedule(), observe).map(Outcome::complete).or_else(stopped_step)
            }
            Self::Energy(simulation) => {
                simulation.run(q, v, plan.schedule(), observe).map(Outcome::complete).or_else(stopped_step)
            }
            Self::Taylor(flow) => {
                flow.run(q, v, flow_schedule(plan), observe).map(Outcome::complete).or_else(stopped_flow)
            }
        }
    }
}

/// A run of steps that stopped keeps what it computed.
fn stopped_step(error: SimulationError) -> Result<Outcome, RunError> {
    let message = error.to_string();
    match error {
        // A state that cannot be is no run.
        SimulationError::Stopped { error: StepError::Impact(ImpactError::Inside { .. }), .. } => {
            Err(RunError::Settings(message))
        }
        SimulationError::Stopped { trajectory, .. } | SimulationError::Cancelled { trajectory, .. } => {
            Ok(Outcome { trajectory: *trajectory, error: Some(message) })
        }
        other => Err(other.into()),
    }
}

/// A flow that stopped keeps what it computed.
fn stopped_flow(error: FlowError) -> Result<Outcome, RunError> {
    let message = error.to_string();
    match error {
        // A state that cannot be is no run.
        FlowError::Stopped { error: FlowFailure::Impact(ImpactError::Inside { .. }), .. } => {
            Err(RunError::Settings(message))
        }
        FlowError::Stopped { trajectory, .. } | FlowError::Cancelled { trajectory, .. } => {
            Ok(Outcome { trajectory: *trajectory, error: Some(message) })
        }
        other => Err(refused(other)),
    }
}
