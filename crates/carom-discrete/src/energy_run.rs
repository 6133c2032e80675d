//! A whole run of energy-keeping steps, whose durations are not known before.

use crate::checks::{check_regular, check_supported, check_tolerance, check_without_contacts};
use crate::energy::EnergyStepper;
use crate::error::StepError;
use crate::rules::Rule;
use crate::simulation::{OBSERVE_EVERY, Schedule, SimulationError, conclude};
use crate::stepper::Options;
use carom_model::{Recorder, Sink, Statistics, System, Trajectory};
use std::sync::Arc;
use std::time::Instant;

/// A run may take this many times the steps that fixed steps would.
const MAX_GROWTH: usize = 50;

/// A system with a rule, ready to run in energy-keeping steps.
pub struct EnergySimulation<'s> {
    stepper: EnergyStepper,
    recorder: Recorder<'s>,
    statistics: Statistics,
}

impl<'s> EnergySimulation<'s> {
    /// Derives and compiles the extended equations of `rule` for `system`.
    pub fn new(system: &System, rule: Arc<dyn Rule>, options: Options) -> Result<Self, SimulationError> {
        check_supported(system)?;
        check_without_contacts(system)?;
        check_regular(system, &format!("energy({})", rule.name()))?;
        check_tolerance(options)?;
        let dynamics = system.dynamics();
        if dynamics.is_forced() || dynamics.is_time_dependent() {
            let what = "a force, or a Lagrangian that depends on time,".to_owned();
            let advice = "energy steps need a motion that conserves energy; use a fixed step";
            return Err(SimulationError::NotSupported { what, advice });
        }
        let clock = Instant::now();
        let recorder = Recorder::new(system, &format!("energy({})", rule.name()))?;
        let stepper = EnergyStepper::new(&dynamics, rule, options)?;
        let statistics = Statistics { setup_seconds: clock.elapsed().as_secs_f64(), ..Statistics::default() };
        Ok(Self { stepper, recorder, statistics })
    }

    /// The same once more, for another run: nothing is derived or compiled again, and a sink is not taken along.
    pub fn copy(&self) -> EnergySimulation<'static> {
        EnergySimulation {
            stepper: self.stepper.clone(),
            recorder: self.recorder.copy(),
            statistics: self.statistics.clone(),
        }
    }

    /// Gives the motion to `sink` in pieces, as [`crate::Simulation::stream_to`] does.
    pub fn stream_to(&mut self, rows: usize, sink: Sink<'s>) {
        self.recorder.stream_to(rows, sink);
    }

    /// Runs from position and velocity until the final time is reached or passed; the step of the
    /// schedule is the first one. `observe` hears the time now and then and may stop the run by
    /// returning false.
    pub fn run(
        mut self,
        q: &[f64],
        v: &[f64],
        schedule: Schedule,
        observe: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Trajectory, SimulationError> {
        let (steps, _) = schedule.steps()?;
        let clock = Instant::now();
        let outcome = self.advance(q, v, schedule, MAX_GROWTH.saturating_mul(steps.max(1)), observe);
        let effort = self.stepper.effort();
        self.statistics.iterations = effort.iterations;
        self.statistics.factorisations = effort.factorisations;
        self.statistics.wall_seconds = clock.elapsed().as_secs_f64();
        conclude(outcome, self.recorder, self.statistics)
    }

    /// All steps; false if the observer stopped them.
    fn advance(
        &mut self,
        q: &[f64],
        v: &[f64],
        schedule: Schedule,
        most: usize,
        observe: &mut dyn FnMut(f64) -> bool,
    ) -> Result<bool, StepError> {
        // The first node, which the stepper leaves at once.
        self.stepper.grid().start(schedule.start, q, v)?;
        self.stepper.grid().record(&mut self.recorder)?;
        self.recorder.pass_on_if_due()?;
        self.stepper.start(schedule.start, q, v, schedule.step)?;
        for steps in 1..=most {
            let time = self.stepper.state().t;
            let is_over = time >= schedule.until;
            self.statistics.steps = steps;
            if is_over || steps % schedule.every == 0 {
                self.stepper.grid().record(&mut self.recorder)?;
                self.recorder.pass_on_if_due()?;
            }
            if is_over {
                return Ok(true);
            }
            if steps % OBSERVE_EVERY == 0 && !observe(time) {
                return Ok(false);
            }
            self.stepper.step()?;
        }
        Err(StepError::TooShort { time: self.stepper.state().t, duration: self.stepper.duration() })
    }
}
