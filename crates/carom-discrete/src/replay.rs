//! Steps that are taken back, or taken by others: what impacts ask of a stepper.

use crate::error::StepError;
use crate::landing::Landing;
use crate::motion::{Motion, PhaseState};
use crate::stepper::Stepper;
use crate::tape::Tape;

impl Stepper {
    /// Takes the last step back.
    pub(crate) fn undo(&mut self) {
        self.now.copy_from(&self.before);
        self.tape.iter_mut().for_each(Tape::take_back);
        self.stages.iter_mut().for_each(|stage| stage.memory.clear());
    }

    /// The current state is the one before the next step.
    pub(crate) fn mark(&mut self) {
        self.before.copy_from(&self.now);
        self.tape.iter_mut().for_each(Tape::mark);
    }

    /// The state before the last step.
    pub(crate) fn state_before(&self) -> &PhaseState {
        &self.before.state
    }

    /// The velocity before the last step.
    pub(crate) fn velocity_before(&mut self) -> Result<Vec<f64>, StepError> {
        let Motion { state, velocity, .. } = &self.before;
        if self.m > 0 {
            return Ok(velocity.clone());
        }
        let (mut p, mut v) = (state.p.clone(), velocity.clone());
        self.legendre.velocity(&state.q, state.t, &mut p, &mut v, &mut [])?;
        Ok(v)
    }

    /// The displacement of the step before the last one, if both were of one kind.
    pub(crate) fn earlier_displacement(&self) -> Option<&[f64]> {
        self.stages[0].memory.earlier().map(|solution| &solution[..self.n])
    }

    /// The only rule of the method with the times of its nodes, if it is no composition.
    pub(crate) fn nodes(&self) -> Option<&[f64]> {
        (self.stages.len() == 1).then(|| &self.solvers[0].0.segment().nodes[..])
    }

    /// True if the last step was taken in one piece.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Arrives at the end of a segment that was solved elsewhere.
    pub(crate) fn arrive(&mut self, landing: &Landing) -> Result<(), StepError> {
        let (n, duration, change) = (self.n, landing.duration(), &landing.change);
        if let Some(tape) = &mut self.tape {
            tape.push_landing(landing, &self.now.state);
        }
        self.stages.iter_mut().for_each(|stage| stage.memory.clear());
        self.now.state.discrete_energy = change[n];
        self.now.arrive(landing.displacement(), landing.impulses(), &change[..n], duration);
        self.mark_distribution();
        self.refresh_velocity()
    }
}
