//! `--backward`: the motion that leads to the initial state.
//!
//! The reversed system `L(q, -v, -t)` is run forward from `(q, -v)` by the adjoint method: this is the
//! (-)-scheme of discrete mechanics, and it undoes the (+)-scheme of a forward run. What comes out is told in
//! forward time again ([`Trajectory::backward`]): nodes in the order of the computation, from t = 0 down to
//! `-until`; impacts as they happen in forward time.

use crate::{Integrator, Outcome, RunError, Start};
use carom_model::{Digest, Ending, Model, System, Trajectory};

/// Where a run backward starts.
pub struct Reversed {
    /// The system that runs backward.
    pub system: System,
    v: Vec<f64>,
}

impl Reversed {
    /// Refuses models with impacts that cannot be undone.
    pub fn new(model: &Model) -> Result<Self, RunError> {
        let refused = |error| RunError::Settings(format!("--backward is not possible: {error}"));
        let system = model.system.reversed().map_err(refused)?;
        Ok(Self { system, v: model.initial.v.iter().map(|v| -v).collect() })
    }

    /// The start of a model, seen backward.
    pub fn start<'a>(&'a self, model: &'a Model) -> Start<'a> {
        Start { system: &self.system, q: &model.initial.q, v: &self.v }
    }
}

/// What a run of the reversed system means in forward time.
pub fn turn(outcome: Outcome, integrator: &Integrator) -> Outcome {
    let trajectory = Trajectory { method: integrator.to_string(), ..outcome.trajectory.backward() };
    let error = outcome.error.map(|message| match &trajectory.ending {
        Ending::Failed { message, .. } => message.clone(),
        Ending::Completed => message,
    });
    Outcome { trajectory, error }
}

/// The digest of a run backward: contacts end with the mode before their earliest change.
pub fn digest(trajectory: &Trajectory) -> Digest {
    let mut digest = Digest::of(trajectory);
    for change in &trajectory.modes {
        digest.final_modes[change.contact] = Some(change.from);
    }
    digest
}
