//! A whole run of the flow, recorded on an even grid.

use crate::error::{FlowError, FlowFailure};
use crate::hybrid::HybridTaylor;
use crate::options::{FlowFormulation, FlowOptions};
use carom_impact::{ContactOptions, JumpKind, Life, Smooth};
use carom_model::is_solvable;
use carom_model::{Recorder, Sink, Snapshot, Statistics, System, Trajectory};
use std::time::Instant;

/// From when to when, and how often a node is recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowSchedule {
    /// Initial time.
    pub start: f64,
    /// Final time.
    pub until: f64,
    /// Interval between recorded nodes.
    pub output: f64,
    /// Longest step: what lasts longer than this is not missed.
    pub max_step: f64,
}

impl FlowSchedule {
    /// Number of nodes, both ends included.
    pub(crate) fn nodes(&self) -> usize {
        ((self.until - self.start) / self.output - 1e-9).ceil().max(1.0) as usize + 1
    }

    /// Time of a node.
    pub(crate) fn time(&self, k: usize) -> f64 {
        if k + 1 == self.nodes() { self.until } else { self.start + k as f64 * self.output }
    }
}

/// Nodes between two calls of the observer.
const OBSERVE_EVERY: usize = 256;
/// Beyond this many nodes something is mistyped.
const MAX_NODES: f64 = 1e9;

/// The flow of one system, ready to run.
pub struct Flow<'s> {
    motion: HybridTaylor,
    life: Life,
    /// Contacts that are closed at the start.
    closed: Vec<bool>,
    recorder: Recorder<'s>,
    statistics: Statistics,
}

impl<'s> Flow<'s> {
    /// Derives and compiles the flow of `system`.
    pub fn new(system: &System, options: FlowOptions) -> Result<Self, FlowError> {
        Self::with_contacts(system, options, ContactOptions::default())
    }

    /// The same, with settings of the contacts. Jumps are always taken pointwise.
    pub fn with_contacts(system: &System, options: FlowOptions, contacts: ContactOptions) -> Result<Self, FlowError> {
        let clock = Instant::now();
        let (motion, life) = prepare(system, options, contacts)?;
        let closed = system.contacts().iter().map(|contact| contact.is_closed).collect();
        let recorder = Recorder::new(system, "taylor")?;
        let statistics = Statistics { setup_seconds: clock.elapsed().as_secs_f64(), ..Statistics::default() };
        Ok(Self { motion, life, closed, recorder, statistics })
    }

    /// The same once more, for another run: nothing is derived or compiled again, and a sink is not taken along.
    pub fn copy(&self) -> Flow<'static> {
        Flow {
            motion: self.motion.clone(),
            life: self.life.clone(),
            closed: self.closed.clone(),
            recorder: self.recorder.copy(),
            statistics: self.statistics.clone(),
        }
    }

    /// Gives the motion to `sink` in pieces of about `rows` rows, see [`Recorder::stream_to`]: the run then needs
    /// the memory of one piece, and its trajectory has names, statistics and an ending, but no nodes.
    pub fn stream_to(&mut self, rows: usize, sink: Sink<'s>) {
        self.recorder.stream_to(rows, sink);
    }

    /// Runs from position and velocity; `observe` hears the time now and then and
    /// may stop the run by returning false.
    pub fn run(
        mut self,
        q: &[f64],
        v: &[f64],
        schedule: FlowSchedule,
        observe: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Trajectory, FlowError> {
        check_schedule(schedule)?;
        self.motion.limit(schedule.output.min(schedule.max_step));
        let clock = Instant::now();
        let outcome = self.follow(q, v, schedule, observe);
        // One series more than steps: the last one is not used.
        self.statistics.steps = self.motion.steps().saturating_sub(1);
        self.statistics.iterations = self.motion.steps();
        self.statistics.wall_seconds = clock.elapsed().as_secs_f64();
        conclude(outcome, self.recorder, self.statistics)
    }

    /// All nodes; false if the observer stopped the run.
    fn follow(
        &mut self,
        q: &[f64],
        v: &[f64],
        schedule: FlowSchedule,
        observe: &mut dyn FnMut(f64) -> bool,
    ) -> Result<bool, FlowError> {
        self.life.begin(&mut self.motion, (schedule.start, q, v), &self.closed, self.recorder.log())?;
        for k in 0..schedule.nodes() {
            let time = schedule.time(k);
            // Every node ends a step: what lies before it has been checked, what lies after has not.
            self.life.advance(&mut self.motion, time, self.recorder.log())?;
            self.record()?;
            self.recorder.pass_on_if_due().map_err(FlowFailure::from)?;
            if k % OBSERVE_EVERY == 0 && !observe(time) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn record(&mut self) -> Result<(), FlowError> {
        let (gaps, forces) = self.life.gaps_and_forces(&mut self.motion)?;
        let multipliers = self.motion.multipliers()?;
        let taylor = self.motion.taylor();
        let (q, v, t) = (taylor.q().to_vec(), taylor.v().to_vec(), taylor.t());
        let mut p = vec![0.0; q.len()];
        let legendre = taylor.legendre();
        legendre.momentum(&q, &v, t, &mut p);
        self.recorder.record(Snapshot { t, q: &q, v: &v, p: &p, multipliers: &multipliers }, legendre)?;
        self.recorder.record_contacts(&gaps, &forces);
        Ok(())
    }
}

/// The motion and the contacts of a system, if it can be followed. Jumps are always taken pointwise.
pub(crate) fn prepare(
    system: &System,
    options: FlowOptions,
    contacts: ContactOptions,
) -> Result<(HybridTaylor, Life), FlowError> {
    if let Some((what, advice)) = carom_impact::unfit(system) {
        return Err(FlowError::NotSupported { what, advice });
    }
    if options.formulation == FlowFormulation::Hamel
        && system.frame().is_none()
        && system.velocity_constraints().is_empty()
    {
        let what = "the formulation `hamel` without frame or velocity constraints".to_owned();
        return Err(FlowError::NotSupported { what, advice: "give the fields of a frame in [frame]" });
    }
    let (n, forms) = (system.dimension(), system.velocity_constraints().len());
    let is_adapted = options.formulation == FlowFormulation::Hamel && system.frame().is_none();
    if is_adapted && !is_solvable(n, forms) {
        let what = format!("the formulation `hamel` with {forms} velocity constraints on {n} coordinates and no frame");
        return Err(FlowError::NotSupported { what, advice: "give the fields of a frame in [frame]" });
    }
    let lacking = system.dynamics().degeneracy();
    if lacking > 0 {
        let what = format!("a degenerate Lagrangian ({lacking} admissible directions have no inertia) by `taylor`");
        let advice = "methods that work: midpoint, gauss1 .. gauss6, and compositions of them";
        return Err(FlowError::NotSupported { what, advice });
    }
    let motion = HybridTaylor::new(system.dynamics(), options)?;
    let in_frame = options.formulation != FlowFormulation::Multipliers;
    let contacts = ContactOptions { jump: JumpKind::Pointwise, in_frame, backend: options.backend, ..contacts };
    Ok((motion, Life::new(system, contacts)?))
}

/// The end of a run, early or not: `Ok(false)` means that the observer stopped it.
fn conclude(
    outcome: Result<bool, FlowError>,
    mut recorder: Recorder<'_>,
    statistics: Statistics,
) -> Result<Trajectory, FlowError> {
    // Why a run ended early matters more than that its last piece is lost.
    let passed_on = recorder.pass_on().map_err(|error| FlowError::from(FlowFailure::from(error)));
    match outcome.and_then(|is_complete| passed_on.map(|()| is_complete)) {
        Ok(true) => Ok(recorder.finish(statistics, None)),
        Ok(false) => {
            let time = recorder.time();
            let message = format!("stopped on request at t = {time}");
            let trajectory = Box::new(recorder.finish(statistics, Some(message)));
            Err(FlowError::Cancelled { time, trajectory })
        }
        Err(FlowError::Failure(error)) => {
            let trajectory = Box::new(recorder.finish(statistics, Some(error.to_string())));
            Err(FlowError::Stopped { error, trajectory })
        }
        Err(other) => Err(other),
    }
}

pub(crate) fn check_schedule(schedule: FlowSchedule) -> Result<(), FlowError> {
    let bad = |name, value, expected| Err(FlowError::BadSetting { name, value, expected });
    if !(schedule.output > 0.0 && schedule.output.is_finite()) {
        return bad("step", schedule.output, "a positive number");
    }
    if schedule.max_step.is_nan() || schedule.max_step <= 0.0 {
        return bad("max_step", schedule.max_step, "a positive number");
    }
    if !(schedule.until > schedule.start && schedule.until.is_finite()) {
        return bad("until", schedule.until, "a number after the initial time");
    }
    if (schedule.until - schedule.start) / schedule.output > MAX_NODES {
        return bad("step", schedule.output, "longer: fewer than 1e9 nodes can be recorded");
    }
    Ok(())
}
