//! A whole run of the flow, recorded on an even grid.

use crate::error::{FlowError, FlowFailure};
use crate::taylor::{FlowOptions, Taylor};
use carom_model::{Recorder, Snapshot, Statistics, System, Trajectory};
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

/// Nodes between two calls of the observer.
const OBSERVE_EVERY: usize = 256;
/// Beyond this many nodes something is mistyped.
const MAX_NODES: f64 = 1e9;

/// The flow of one system, ready to run.
pub struct Flow {
    taylor: Taylor,
    recorder: Recorder,
    statistics: Statistics,
}

impl Flow {
    /// Derives and compiles the flow of `system`.
    pub fn new(system: &System, options: FlowOptions) -> Result<Self, FlowError> {
        if let Some((what, advice)) = system.beyond_smooth() {
            return Err(FlowError::NotSupported { what, advice });
        }
        let clock = Instant::now();
        let taylor = Taylor::new(&system.dynamics(), options)?;
        let recorder = Recorder::new(system, "taylor")?;
        let statistics = Statistics { setup_seconds: clock.elapsed().as_secs_f64(), ..Statistics::default() };
        Ok(Self { taylor, recorder, statistics })
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
        self.taylor.limit(schedule.output.min(schedule.max_step));
        let clock = Instant::now();
        let outcome = self.follow(q, v, schedule, observe);
        // One series more than steps: the last one is not used.
        self.statistics.steps = self.taylor.steps().saturating_sub(1);
        self.statistics.iterations = self.taylor.steps();
        self.statistics.wall_seconds = clock.elapsed().as_secs_f64();
        match outcome {
            Ok(true) => Ok(self.recorder.finish(self.statistics, None)),
            Ok(false) => {
                let time = self.recorder.time();
                let message = format!("stopped on request at t = {time}");
                let trajectory = Box::new(self.recorder.finish(self.statistics, Some(message)));
                Err(FlowError::Cancelled { time, trajectory })
            }
            Err(error) => {
                let trajectory = Box::new(self.recorder.finish(self.statistics, Some(error.to_string())));
                Err(FlowError::Stopped { error, trajectory })
            }
        }
    }

    /// All nodes; false if the observer stopped the run.
    fn follow(
        &mut self,
        q: &[f64],
        v: &[f64],
        schedule: FlowSchedule,
        observe: &mut dyn FnMut(f64) -> bool,
    ) -> Result<bool, FlowFailure> {
        self.taylor.start(schedule.start, q, v)?;
        let last = ((schedule.until - schedule.start) / schedule.output - 1e-9).ceil().max(1.0) as usize;
        for k in 0..=last {
            let time = if k == last { schedule.until } else { schedule.start + k as f64 * schedule.output };
            // Every node ends a step: what lies before it has been checked, what lies after has not.
            self.taylor.propagate(time)?;
            self.record()?;
            if k % OBSERVE_EVERY == 0 && !observe(time) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn record(&mut self) -> Result<(), FlowFailure> {
        let (n, m, t) = (self.taylor.q().len(), self.taylor.multiplier_count(), self.taylor.t());
        let (mut q, mut v, mut p) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let mut multipliers = vec![0.0; m];
        self.taylor.at(0.0, &mut q, &mut v, &mut multipliers);
        let legendre = self.taylor.legendre();
        legendre.momentum(&q, &v, t, &mut p);
        self.recorder.record(Snapshot { t, q: &q, v: &v, p: &p, multipliers: &multipliers }, legendre)?;
        Ok(())
    }
}

fn check_schedule(schedule: FlowSchedule) -> Result<(), FlowError> {
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
