//! A run of steps that keep the discrete energy; their durations are not known before.

use crate::failure::Failure;
use crate::integrator::{ENERGY, Observer, Outcome};
use crate::plan::Plan;
use carom::discrete::rules::{self, Rule};
use carom::model::{Recorder, Snapshot, Statistics};
use carom::{EnergyStepper, Model, SimulationError, StepError};
use std::time::Instant;

/// A run may take this many times the steps that fixed steps would.
const MAX_GROWTH: f64 = 1000.0;

/// Steps until the final time is reached or passed.
pub fn run(model: &Model, rule: &dyn Rule, plan: &Plan, observe: Observer<'_>) -> Result<Outcome, Failure> {
    check_supported(model)?;
    let clock = Instant::now();
    let mut recorder =
        Recorder::new(&model.system, &format!("{ENERGY}({})", rule.name())).map_err(SimulationError::from)?;
    let rule = rules::by_name(&rule.name()).unwrap_or_else(|| Box::new(rules::Midpoint));
    let mut stepper =
        EnergyStepper::new(&model.system.dynamics(), rule, plan.options()).map_err(SimulationError::from)?;
    let mut statistics = Statistics { setup_seconds: clock.elapsed().as_secs_f64(), ..Statistics::default() };

    let clock = Instant::now();
    let result = advance(&mut stepper, &mut recorder, &mut statistics, model, plan, observe);
    statistics.wall_seconds = clock.elapsed().as_secs_f64();
    let error = result.err();
    Ok(Outcome { trajectory: recorder.finish(statistics, error.clone()), error })
}

fn advance(
    stepper: &mut EnergyStepper,
    recorder: &mut Recorder,
    statistics: &mut Statistics,
    model: &Model,
    plan: &Plan,
    observe: Observer<'_>,
) -> Result<(), String> {
    let text = |error: StepError| error.to_string();
    let (q, v) = (&model.initial.q, &model.initial.v);
    // The first node, which the stepper leaves at once.
    stepper.grid().start(0.0, q, v).map_err(text)?;
    record(stepper, recorder).map_err(text)?;
    stepper.start(0.0, q, v, plan.step).map_err(text)?;
    let most = MAX_GROWTH * (plan.until / plan.step).max(1.0);
    for steps in 1.. {
        let t = stepper.state().t;
        statistics.steps = steps;
        let is_over = t >= plan.until;
        if is_over || steps % plan.every == 0 {
            record(stepper, recorder).map_err(text)?;
        }
        if is_over {
            break;
        }
        if steps as f64 > most {
            return Err(format!("at t = {t} the energy steps have become tiny; use a fixed step"));
        }
        if !observe(t) {
            return Err(format!("stopped on request at t = {t}"));
        }
        stepper.step().map_err(text)?;
    }
    Ok(())
}

fn record(stepper: &mut EnergyStepper, recorder: &mut Recorder) -> Result<(), StepError> {
    let state = stepper.state().clone();
    let v = stepper.grid().velocity()?.to_vec();
    // The stepper does not know multipliers: a hole is better than a wrong number.
    let multipliers = vec![f64::NAN; state.multipliers.len()];
    let snapshot = Snapshot { t: state.t, q: &state.q, v: &v, p: &state.p, multipliers: &multipliers };
    recorder.record(snapshot, stepper.grid().legendre());
    Ok(())
}

/// Energy steps make sense only where the motion keeps its energy.
fn check_supported(model: &Model) -> Result<(), SimulationError> {
    let system = &model.system;
    let refuse = |what: &str| {
        let advice = "it needs a smooth motion that conserves energy; use a fixed step";
        Err(SimulationError::NotSupported { what: what.to_owned(), advice })
    };
    if !system.contacts().is_empty() || !system.velocity_constraints().is_empty() {
        return refuse("a contact or velocity constraint");
    }
    let dynamics = system.dynamics();
    if dynamics.is_forced() || dynamics.is_time_dependent() {
        return refuse("a force, or a Lagrangian that depends on time,");
    }
    Ok(())
}
