//! Solvers by name.

use crate::nlp::Nlp;
use crate::outcome::{Multipliers, Outcome};

/// How KKT systems are factorised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Linear {
    /// Along the chain if the program knows its stages, else the general one.
    #[default]
    Automatic,
    /// Along the chain ([`crate::factor::Chain`]).
    Chain,
    /// General sparse factorisation.
    General,
}

/// What a solver is told.
#[derive(Clone, Debug)]
pub struct Options {
    /// Largest scaled residual of the optimality conditions.
    pub tolerance: f64,
    /// Largest scaled residual that is accepted if no progress is made.
    pub acceptable: f64,
    /// Limit of iterations.
    pub max_iterations: usize,
    /// Limit of time in seconds.
    pub max_seconds: f64,
    /// Where to begin, instead of the program's own start.
    pub start: Option<Vec<f64>>,
    /// Multipliers of a neighbouring solution; the search begins close to them.
    pub warm: Option<Multipliers>,
    /// True if the start is close to a solution: the search begins with a small barrier and stays near.
    pub near: bool,
    /// The first barrier parameter of `interior`, instead of its own: the smaller, the nearer the search stays. Other solvers begin
    /// as they do.
    pub barrier: Option<f64>,
    /// How KKT systems are factorised, by solvers that let us choose.
    pub linear: Linear,
    /// Options of the solver behind, by its own names.
    pub extra: Vec<(String, String)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            acceptable: 1e-6,
            max_iterations: 3000,
            max_seconds: f64::INFINITY,
            start: None,
            warm: None,
            near: false,
            barrier: None,
            linear: Linear::Automatic,
            extra: Vec::new(),
        }
    }
}

/// What an observer sees after each iteration.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Name of the solver at work.
    pub solver: &'a str,
    /// Number of the iteration.
    pub iteration: usize,
    /// The objective.
    pub objective: f64,
    /// Largest violation of a row.
    pub infeasibility: f64,
    /// Largest residual of stationarity.
    pub stationarity: f64,
    /// The barrier parameter, for interior points.
    pub barrier: f64,
    /// Length of the step taken, as a share of the full one.
    pub step: f64,
    /// The point; empty if the solver does not show it.
    pub point: &'a [f64],
}

/// Is told of each iteration; the search goes on while it returns true.
pub type Observer<'a> = dyn FnMut(&Progress<'_>) -> bool + 'a;

/// A method for nonlinear programs.
pub trait Solver: Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// One line for tables.
    fn summary(&self) -> &'static str;

    /// Searches a local minimum.
    fn solve(&self, nlp: &mut dyn Nlp, options: &Options, observe: &mut Observer<'_>) -> Outcome;
}

/// No solver has this name.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("there is no solver `{name}`; solvers: {known}")]
pub struct SolverError {
    /// What was asked for.
    pub name: String,
    /// What there is.
    pub known: String,
}

/// Every solver of this build, the default first.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    vec![
        #[cfg(feature = "pounce")]
        Box::new(crate::Automatic),
        Box::new(crate::InteriorPoint),
        #[cfg(feature = "pounce")]
        Box::new(crate::Pounce),
        #[cfg(feature = "pounce")]
        Box::new(crate::Sqp),
        #[cfg(feature = "ipopt")]
        Box::new(crate::Ipopt),
    ]
}

/// The solver called `name`.
pub fn solver(name: &str) -> Result<Box<dyn Solver>, SolverError> {
    let known = || solvers().iter().map(|solver| solver.name()).collect::<Vec<_>>().join(", ");
    solvers()
        .into_iter()
        .find(|solver| solver.name() == name)
        .ok_or_else(|| SolverError { name: name.to_owned(), known: known() })
}
