//! A whole run: from an initial state to a [`Trajectory`].

use crate::checks::{check_method, check_supported, check_tolerance};
use crate::contact::ContactStepper;
use crate::error::StepError;
use crate::method::Method;
use crate::newton::Effort;
use crate::stepper::{Options, Stepper};
use crate::tape::{Piece, Record, Tape};
use carom_expr::FunctionError;
use carom_impact::{Arrival, ContactOptions, Life, Smooth};
use carom_model::{Recorder, Sink, Statistics, System, Trajectory};
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
    #[error(transparent)]
    Projection(#[from] carom_model::projection::ProjectionError),
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

/// What takes the steps.
#[derive(Clone)]
enum Engine {
    /// Smooth motion, and what it is made of.
    Smooth(Box<Stepper>, Option<Vec<Piece>>),
    /// Motion with contacts, and the contacts that are closed at the start.
    Contacts(Box<ContactStepper>, Box<Life>, Vec<bool>),
}

impl Engine {
    fn new(system: &System, method: &Method, options: Options) -> Result<Self, SimulationError> {
        let dynamics = system.dynamics();
        if system.contacts().is_empty() {
            return Ok(Self::Smooth(Box::new(Stepper::new(&dynamics, method, options)?), None));
        }
        let stepper = ContactStepper::new(dynamics, method, options)?;
        let life = Life::new(system, ContactOptions { backend: options.backend, ..options.contacts })?;
        let closed = system.contacts().iter().map(|contact| contact.is_closed).collect();
        Ok(Self::Contacts(Box::new(stepper), Box::new(life), closed))
    }

    fn start(&mut self, t: f64, q: &[f64], v: &[f64], recorder: &mut Recorder<'_>) -> Result<(), StepError> {
        match self {
            Self::Smooth(stepper, pieces) => {
                if let Some(pieces) = pieces {
                    pieces.push(Piece::Enter { t, q: q.to_vec(), v: v.to_vec(), closed: Vec::new() });
                }
                stepper.start(t, q, v)
            }
            Self::Contacts(stepper, life, closed) => life.begin(&mut **stepper, (t, q, v), closed, recorder.log()),
        }
    }

    /// One step of duration `h`, which ends at `time`.
    fn step(&mut self, h: f64, time: f64, recorder: &mut Recorder<'_>) -> Result<(), StepError> {
        match self {
            Self::Smooth(stepper, pieces) => {
                stepper.step(h)?;
                stepper.set_time(time);
                if let (Some(pieces), Some(tape)) = (pieces, &mut stepper.tape) {
                    pieces.push(Piece::Motion { solved: tape.take(), arrival: Arrival::End });
                }
                Ok(())
            }
            Self::Contacts(stepper, life, _) => life.advance(&mut **stepper, time, recorder.log()),
        }
    }

    fn record(&mut self, recorder: &mut Recorder<'_>) -> Result<(), StepError> {
        match self {
            Self::Smooth(stepper, _) => stepper.record(recorder),
            Self::Contacts(stepper, life, _) => {
                let (gaps, forces) = life.gaps_and_forces(&mut **stepper)?;
                stepper.stepper().record(recorder)?;
                recorder.record_contacts(&gaps, &forces);
                Ok(())
            }
        }
    }

    /// Notes from now on what the run is made of.
    fn note(&mut self) {
        match self {
            Self::Smooth(stepper, pieces) => {
                stepper.tape = Some(Tape::default());
                *pieces = Some(Vec::new());
            }
            Self::Contacts(stepper, ..) => stepper.note(),
        }
    }

    /// A node of the grid is reached.
    fn node(&mut self) {
        let pieces = match self {
            Self::Smooth(_, pieces) => pieces,
            Self::Contacts(stepper, ..) => &mut stepper.pieces,
        };
        if let Some(pieces) = pieces {
            pieces.push(Piece::Node);
        }
    }

    /// What the run was made of.
    fn pieces(&mut self) -> Vec<Piece> {
        let pieces = match self {
            Self::Smooth(_, pieces) => pieces,
            Self::Contacts(stepper, ..) => &mut stepper.pieces,
        };
        pieces.take().unwrap_or_default()
    }

    fn time(&mut self) -> f64 {
        match self {
            Self::Smooth(stepper, _) => stepper.state().t,
            Self::Contacts(stepper, ..) => stepper.time(),
        }
    }

    /// Work so far, and steps that were divided.
    fn effort(&self) -> (Effort, usize) {
        match self {
            Self::Smooth(stepper, _) => (stepper.effort(), stepper.divided()),
            Self::Contacts(stepper, ..) => (stepper.effort(), stepper.divided()),
        }
    }
}

/// A system with a method, ready to run.
pub struct Simulation<'s> {
    engine: Engine,
    recorder: Recorder<'s>,
    statistics: Statistics,
}

impl<'s> Simulation<'s> {
    /// Derives and compiles `method` for `system`.
    pub fn new(system: &System, method: &Method, options: Options) -> Result<Self, SimulationError> {
        check_supported(system)?;
        check_method(system, method, options)?;
        check_tolerance(options)?;
        let clock = Instant::now();
        let engine = Engine::new(system, method, options)?;
        let recorder = Recorder::new(system, &method.to_string())?;
        let statistics = Statistics { setup_seconds: clock.elapsed().as_secs_f64(), ..Statistics::default() };
        Ok(Self { engine, recorder, statistics })
    }

    /// The same once more, for another run: nothing is derived or compiled again, and a sink is not taken along.
    pub fn copy(&self) -> Simulation<'static> {
        Simulation { engine: self.engine.clone(), recorder: self.recorder.copy(), statistics: self.statistics.clone() }
    }

    /// Gives the motion to `sink` in pieces of about `rows` rows, see [`Recorder::stream_to`]: the run then needs
    /// the memory of one piece, and its trajectory has names, statistics and an ending, but no nodes.
    pub fn stream_to(&mut self, rows: usize, sink: Sink<'s>) {
        self.recorder.stream_to(rows, sink);
    }

    /// The same as [`Self::run`], with a record of the segments and events that the run is made of, for derivatives
    /// ([`crate::DiscreteTangent`]).
    pub fn run_recorded(
        mut self,
        q: &[f64],
        v: &[f64],
        schedule: Schedule,
        observe: &mut dyn FnMut(f64) -> bool,
    ) -> Result<(Trajectory, Record), SimulationError> {
        let mut pieces = Vec::new();
        self.engine.note();
        let trajectory = self.run_noting(q, v, schedule, observe, &mut pieces)?;
        let record = Record::new((schedule.start, q, v), pieces, &trajectory);
        Ok((trajectory, record))
    }

    /// Runs from position and velocity; `observe` hears the time now and then and
    /// may stop the run by returning false.
    pub fn run(
        self,
        q: &[f64],
        v: &[f64],
        schedule: Schedule,
        observe: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Trajectory, SimulationError> {
        self.run_noting(q, v, schedule, observe, &mut Vec::new())
    }

    fn run_noting(
        mut self,
        q: &[f64],
        v: &[f64],
        schedule: Schedule,
        observe: &mut dyn FnMut(f64) -> bool,
        pieces: &mut Vec<Piece>,
    ) -> Result<Trajectory, SimulationError> {
        let (whole, rest) = schedule.steps()?;
        let clock = Instant::now();
        let outcome = self.advance(q, v, schedule, (whole, rest), observe);
        *pieces = self.engine.pieces();
        // What was computed since the last recorded node is not lost.
        if !matches!(outcome, Ok(true)) && self.engine.time() > self.recorder.time() {
            let _ = self.engine.record(&mut self.recorder);
        }
        let (effort, divided) = self.engine.effort();
        self.statistics.iterations = effort.iterations;
        self.statistics.factorisations = effort.factorisations;
        self.statistics.retries = divided;
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
        self.engine.start(schedule.start, q, v, &mut self.recorder)?;
        self.engine.node();
        self.engine.record(&mut self.recorder)?;
        self.recorder.pass_on_if_due()?;
        let last = whole + usize::from(rest > 0.0);
        for k in 1..=last {
            // The remainder, if there is one, is the last step.
            let (h, time) = if k <= whole {
                (schedule.step, schedule.start + k as f64 * schedule.step)
            } else {
                (rest, schedule.until)
            };
            self.engine.step(h, time, &mut self.recorder)?;
            self.engine.node();
            self.statistics.steps = k;
            if k % schedule.every == 0 || k == last {
                self.engine.record(&mut self.recorder)?;
            }
            self.recorder.pass_on_if_due()?;
            if k % OBSERVE_EVERY == 0 && !observe(time) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The end of a run, early or not: `Ok(false)` means that the observer stopped it.
pub(crate) fn conclude(
    outcome: Result<bool, StepError>,
    mut recorder: Recorder<'_>,
    statistics: Statistics,
) -> Result<Trajectory, SimulationError> {
    // Why a run ended early matters more than that its last piece is lost.
    let passed_on = recorder.pass_on().map_err(StepError::from);
    match outcome.and_then(|is_complete| passed_on.map(|()| is_complete)) {
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
