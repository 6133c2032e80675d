//! What is derived once, and run from many states.

use super::{Simulations, Slot, first, reason, row};
use crate::SweepError;
use crate::axis::Value;
use crate::cells::Cell;
use crate::worker::Stop;
use carom_expr::Backend;
use carom_model::{InitialState, Model};
use carom_run::{Gauge, Integrator, Outcome, Plan, Prepared, RunError};

/// Gaps below this, against the size of the configuration, are looked at by the reader of models.
const TOUCHING: f64 = 1e-9;

/// Fewer steps than this do not pay for machine code. The bits are the same either way.
const WORTH_COMPILING: f64 = 2000.0;

/// A model with numbers for its parameters, its integrator and its measures.
pub(super) struct Base {
    model: Model,
    plan: Plan,
    prepared: Prepared<'static>,
    gauges: Vec<Gauge>,
    /// Initial values are independent of each other: no constraints, no frame, no closed contacts.
    is_plain: bool,
}

impl Base {
    /// Reads, derives and compiles for so many runs; or says why that is not possible.
    pub fn new(all: &Simulations, point: &[Value], runs: usize) -> Result<Self, String> {
        let model = all.model(point).map_err(|found| first(&found))?;
        let plan = planned(&model, runs).map_err(|error| reason(&error))?;
        plan.check_size(&model).map_err(|error| reason(&error))?;
        let prepared = Prepared::new(&plan.integrator, &model.system, &plan).map_err(|error| reason(&error))?;
        let gauges = all.measures.iter().map(|own| own.measure.gauge(&model.system));
        let gauges = gauges.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let system = &model.system;
        let is_plain = system.constraints().is_empty()
            && system.velocity_constraints().is_empty()
            && system.frame().is_none()
            && system.contacts().iter().all(|contact| !contact.is_closed);
        Ok(Self { model, plan, prepared, gauges, is_plain })
    }

    /// The row of a point.
    pub fn row(&mut self, all: &Simulations, point: &[Value], stop: Stop<'_>) -> Result<Vec<Cell>, SweepError> {
        let mut run =
            if self.is_plain { self.run(&self.placed(all, point), stop) } else { self.read(all, point, stop) };
        let is_doubtful = self.is_plain && !run.as_ref().is_ok_and(is_sound);
        if is_doubtful && !stop() {
            run = self.read(all, point, stop);
        }
        let has_ended = run.as_ref().is_ok_and(|outcome| outcome.error.is_none());
        if !has_ended && stop() {
            return Err(SweepError::Stopped);
        }
        Ok(match run {
            Ok(outcome) => row::of(&outcome, &mut self.gauges),
            Err(message) => row::refused(&message, &all.coordinates, &all.measures),
        })
    }

    /// The initial state with the values of a point in their places.
    fn placed(&self, all: &Simulations, point: &[Value]) -> InitialState {
        let mut state = self.model.initial.clone();
        for (slot, value) in all.slots.iter().zip(point) {
            match (slot, value.number()) {
                (Slot::Position(place), Some(number)) => state.q[*place] = number,
                (Slot::Rate(place), Some(number)) => state.v[*place] = number,
                _ => {}
            }
        }
        state
    }

    /// Runs from the state that the reader of models finds.
    fn read(&self, all: &Simulations, point: &[Value], stop: Stop<'_>) -> Result<Outcome, String> {
        let model = all.model(point).map_err(|found| first(&found))?;
        self.run(&model.initial, stop)
    }

    fn run(&self, state: &InitialState, stop: Stop<'_>) -> Result<Outcome, String> {
        let run = self.prepared.copy().run(&state.q, &state.v, &self.plan, &mut |_time| !stop());
        run.map_err(|error| reason(&error))
    }
}

/// The plan of a model, with machine code if the runs are worth it.
fn planned(model: &Model, runs: usize) -> Result<Plan, RunError> {
    let plan = Plan::new(model, Backend::Interpreter)?;
    let is_short = plan.until / plan.step * (runs as f64) < WORTH_COMPILING;
    if is_short && !matches!(plan.integrator, Integrator::Taylor) {
        Ok(plan)
    } else {
        Plan::new(model, Backend::fastest())
    }
}

/// True if a run came to its end from a state that touches nothing.
fn is_sound(outcome: &Outcome) -> bool {
    let trajectory = &outcome.trajectory;
    let Some(start) = (!trajectory.is_empty()).then(|| trajectory.node(0)) else { return false };
    let size = start.q.iter().fold(1.0_f64, |size, q| size.max(q.abs()));
    let gaps = trajectory.gaps.iter().take(trajectory.contacts.len());
    outcome.error.is_none()
        && trajectory.gaps.len() >= trajectory.contacts.len()
        && gaps.into_iter().all(|gap| *gap > TOUCHING * size)
}
