//! A whole run: from an initial state to a [`Trajectory`].

use crate::error::StepError;
use crate::method::Method;
use crate::stepper::{Options, Stepper};
use carom_expr::FunctionError;
use carom_model::{Recorder, Statistics, System, Trajectory};
use std::time::Instant;

/// Why a run could not begin, or stopped.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum SimulationError {
    #[error("{what} cannot be simulated: {advice}")]
    NotSupported { what: String, advice: &'static str },
    #[error("{name} is {value}; it must be {expected}")]
    BadSetting { name: &'static str, value: f64, expected: &'static str },
    #[error("the run would take {steps:e} steps, more than the limit of {limit:e}; use a longer step")]
    TooManySteps { steps: f64, limit: f64 },
    #[error(transparent)]
    Function(#[from] FunctionError),
    #[error("{error}")]
    Stopped {
        error: StepError,
        /// What was computed before.
        trajectory: Box<Trajectory>,
    },
    #[error("stopped on request at t = {time}")]
    Cancelled { time: f64, trajectory: Box<Trajectory> },
}

/// When to step, when to stop, what to record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Initial time.
    pub start: f64,
    /// Final time.
    pub until: f64,
    /// Duration of a step; the last one is shorter if need be.
    pub step: f64,
    /// Every how many steps a node is recorded (first and last always are).
    pub every: usize,
}

/// Beyond this many steps something is mistyped.
const MAX_STEPS: f64 = 1e11;
/// Steps between two calls of the observer.
pub(crate) const OBSERVE_EVERY: usize = 1024;

impl Schedule {
    /// Number of whole steps and the remainder.
    pub(crate) fn steps(&self) -> Result<(usize, f64), SimulationError> {
        let bad = |name, value, expected| Err(SimulationError::BadSetting { name, value, expected });
        if !(self.step > 0.0 && self.step.is_finite()) {
            return bad("step", self.step, "a positive number");
        }
        if !(self.until > self.start && self.until.is_finite()) {
            return bad("until", self.until, "a number after the initial time");
        }
        if self.every == 0 {
            return bad("every", 0.0, "at least 1");
        }
        let ratio = (self.until - self.start) / self.step;
        if ratio > MAX_STEPS {
            return Err(SimulationError::TooManySteps { steps: ratio, limit: MAX_STEPS });
        }
        // A remainder of rounding is no step.
        let whole = (ratio + 1e-9).floor();
        let rest = self.until - self.start - whole * self.step;
        let is_step = rest > 1e-9 * self.step || whole == 0.0;
        Ok((whole as usize, if is_step { rest } else { 0.0 }))
    }
}

/// A system with a method, ready to run.
pub struct Simulation {
    stepper: Stepper,
    recorder: Recorder,
    statistics: Statistics,
}

impl Simulation {
    /// Derives and compiles `method` for `system`.
    pub fn new(system: &System, method: &Method, options: Options) -> Result<Self, SimulationError> {
        check_supported(system)?;
        check_tolerance(options)?;
        let clock = Instant::now();
        let stepper = Stepper::new(&system.dynamics(), method, options)?;
        let recorder = Recorder::new(system, &method.to_string())?;
        let statistics = Statistics { setup_seconds: clock.elapsed().as_secs_f64(), ..Statistics::default() };
        Ok(Self { stepper, recorder, statistics })
    }

    /// Runs from position and velocity; `observe` hears the time now and then and
    /// may stop the run by returning false.
    pub fn run(
        mut self,
        q: &[f64],
        v: &[f64],
        schedule: Schedule,
        observe: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Trajectory, SimulationError> {
        let (whole, rest) = schedule.steps()?;
        let clock = Instant::now();
        let outcome = self.advance(q, v, schedule, (whole, rest), observe);
        // What was computed since the last recorded node is not lost.
        if !matches!(outcome, Ok(true)) && self.stepper.state().t > self.recorder.time() {
            let _ = self.stepper.record(&mut self.recorder);
        }
        let effort = self.stepper.effort();
        self.statistics.iterations = effort.iterations;
        self.statistics.factorisations = effort.factorisations;
        self.statistics.retries = self.stepper.divided();
        self.statistics.wall_seconds = clock.elapsed().as_secs_f64();
        conclude(outcome, self.recorder, self.statistics)
    }

    /// All steps; false if the observer stopped them.
    fn advance(
        &mut self,
        q: &[f64],
        v: &[f64],
        schedule: Schedule,
        (whole, rest): (usize, f64),
        observe: &mut dyn FnMut(f64) -> bool,
    ) -> Result<bool, StepError> {
        self.stepper.start(schedule.start, q, v)?;
        self.stepper.record(&mut self.recorder)?;
        let last = whole + usize::from(rest > 0.0);
        for k in 1..=last {
            // The remainder, if there is one, is the last step.
            let (h, time) = if k <= whole {
                (schedule.step, schedule.start + k as f64 * schedule.step)
            } else {
                (rest, schedule.until)
            };
            self.stepper.step(h)?;
            self.stepper.set_time(time);
            self.statistics.steps = k;
            if k % schedule.every == 0 || k == last {
                self.stepper.record(&mut self.recorder)?;
            }
            if k % OBSERVE_EVERY == 0 && !observe(time) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Beyond this, Newton's method would end before it began.
const MAX_TOLERANCE: f64 = 1e-3;

/// Refuses tolerances that mean nothing.
pub(crate) fn check_tolerance(options: Options) -> Result<(), SimulationError> {
    if options.tolerance > 0.0 && options.tolerance <= MAX_TOLERANCE {
        return Ok(());
    }
    let expected = "positive and at most 1e-3";
    Err(SimulationError::BadSetting { name: "tolerance", value: options.tolerance, expected })
}

/// Refuses what the smooth methods cannot do.
pub(crate) fn check_supported(system: &System) -> Result<(), SimulationError> {
    match system.beyond_smooth() {
        Some((what, advice)) => Err(SimulationError::NotSupported { what, advice }),
        None => Ok(()),
    }
}

/// The end of a run, early or not: `Ok(false)` means that the observer stopped it.
pub(crate) fn conclude(
    outcome: Result<bool, StepError>,
    recorder: Recorder,
    statistics: Statistics,
) -> Result<Trajectory, SimulationError> {
    match outcome {
        Ok(true) => Ok(recorder.finish(statistics, None)),
        Ok(false) => {
            let time = recorder.time();
            let message = format!("stopped on request at t = {time}");
            let trajectory = Box::new(recorder.finish(statistics, Some(message)));
            Err(SimulationError::Cancelled { time, trajectory })
        }
        Err(error) => {
            let trajectory = Box::new(recorder.finish(statistics, Some(error.to_string())));
            Err(SimulationError::Stopped { error, trajectory })
        }
    }
}
