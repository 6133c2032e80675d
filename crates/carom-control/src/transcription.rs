//! From a control problem to a nonlinear program.

use crate::dmoc::Dmoc;
use crate::error::ControlError;
use crate::extract::Reading;
use crate::hermite_simpson::HermiteSimpson;
use crate::layout::Layout;
use crate::problem::ControlProblem;
use carom_discrete::rules::{self, Table};
use carom_expr::Backend;
use carom_nlp::{Outcome, Program};

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

    /// One line for tables.
    fn summary(&self) -> String;

    /// Order at which the optimal cost converges.
    fn order(&self) -> usize;

    /// Nodes and samples of an interval.
    fn table(&self) -> Table;

    /// The program of `problem` on the mesh of its phases.
    fn transcribe(&self, problem: &ControlProblem, backend: Backend) -> Result<Transcript, ControlError>;

    /// What a point of that program says.
    fn read(&self, problem: &ControlProblem, layout: &Layout, outcome: &Outcome) -> Result<Reading, ControlError>;
}

/// Every transcription: discrete mechanics with each of its rules, then collocation.
pub fn transcriptions() -> Vec<Box<dyn Transcription>> {
    let names = rules::all().into_iter().map(|rule| rule.name());
    let discrete = names.filter_map(|name| Dmoc::new(&name).ok()).map(|dmoc| Box::new(dmoc) as Box<dyn Transcription>);
    discrete.chain([Box::new(HermiteSimpson) as Box<dyn Transcription>]).collect()
}

/// The transcription called `name`: `midpoint`, `gauss2`, ... for discrete mechanics with that rule, or
/// `hermite-simpson`.
pub fn transcription(name: &str) -> Result<Box<dyn Transcription>, ControlError> {
    if name == HermiteSimpson.name() {
        return Ok(Box::new(HermiteSimpson));
    }
    Ok(Box::new(Dmoc::new(name)?))
}
