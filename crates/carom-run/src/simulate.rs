//! One motion, from a model and a plan.

use crate::backward::{self, Reversed};
use crate::integrator::{Observer, Outcome, Start};
use crate::{Plan, RunError, inspection};
use carom_expr::FunctionError;
use carom_model::Model;

/// A motion with what the diagnostics of contacts say of it.
pub struct Simulated {
    /// The motion, and why it ended early if it did.
    pub outcome: Outcome,
    /// Why the contacts could not be inspected.
    pub uninspected: Option<FunctionError>,
}

/// Runs a model as planned, with the whole motion in memory.
pub fn simulate(model: &Model, plan: &Plan, observe: Observer<'_>) -> Result<Simulated, RunError> {
    plan.check_size(model)?;
    if plan.backward {
        let reversed = Reversed::new(model)?;
        let start = reversed.start(model);
        let mut outcome = plan.integrator.adjoint().run(start, plan, None, observe)?;
        let uninspected = inspect(start, &mut outcome).err();
        return Ok(Simulated { outcome: backward::turn(outcome, &plan.integrator), uninspected });
    }
    let start = Start::of(model);
    let mut outcome = plan.integrator.run(start, plan, None, observe)?;
    let uninspected = inspect(start, &mut outcome).err();
    Ok(Simulated { outcome, uninspected })
}

/// Adds what the diagnostics of contacts find to a motion.
pub fn inspect(start: Start<'_>, outcome: &mut Outcome) -> Result<(), FunctionError> {
    let trajectory = &mut outcome.trajectory;
    trajectory.findings.extend(carom_impact::diagnose(start.system, trajectory)?);
    inspection::sort(&mut trajectory.findings);
    Ok(())
}
