//! From a control problem to a nonlinear program.

use crate::dmoc::Dmoc;
use crate::error::ControlError;
use crate::layout::Layout;
use crate::problem::ControlProblem;
use carom_discrete::rules::Table;
use carom_expr::Backend;
use carom_nlp::Program;

/// A program, and where everything stands in it.
pub struct Transcript {
    /// The program.
    pub program: Program,
    /// Where everything stands.
    pub layout: Layout,
    /// Name of the transcription.
    pub method: String,
}

/// A way from a control problem to a program.
pub trait Transcription: Send + Sync + std::fmt::Debug {
    /// Its name on the command line.
    fn name(&self) -> String;

    /// Order at which the optimal cost converges.
    fn order(&self) -> usize;

    /// Nodes and samples of an interval.
    fn table(&self) -> Table;

    /// The program of `problem` on the mesh of its phases.
    fn transcribe(&self, problem: &ControlProblem, backend: Backend) -> Result<Transcript, ControlError>;
}

/// The transcription called `name`: `midpoint`, `gauss2`, ... for discrete mechanics with that rule.
pub fn transcription(name: &str) -> Result<Box<dyn Transcription>, ControlError> {
    Ok(Box::new(Dmoc::new(name)?))
}
