//! Studies: design variables, an outer method, and what comes out.

use crate::error::DesignError;
use crate::evaluator::{Evaluator, Halt};
use crate::journal::Journal;
use crate::method::{End, method};
use crate::objective::Objective;
use crate::surrogate::Kernel;

/// A design variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// What it is called.
    pub name: String,
    /// Its lower bound.
    pub lower: f64,
    /// Its upper bound.
    pub upper: f64,
    /// Where methods begin that begin at one design; the middle if absent.
    pub guess: Option<f64>,
    /// Unit, for tables.
    pub unit: Option<String>,
    /// One line of documentation.
    pub doc: Option<String>,
}

impl Variable {
    /// A variable between bounds.
    pub fn new(name: &str, lower: f64, upper: f64) -> Self {
        Self { name: name.to_owned(), lower, upper, guess: None, unit: None, doc: None }
    }

    /// Where methods begin that begin at one design.
    pub fn first(&self) -> f64 {
        self.guess.unwrap_or(0.5 * (self.lower + self.upper))
    }
}

/// Trend of a Gaussian process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mean {
    /// One number.
    #[default]
    Constant,
    /// A linear function of the design: universal kriging.
    Linear,
}

/// What outer methods are told.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodOptions {
    /// Size of the initial design; chosen by the method and the number of variables if absent.
    pub initial: Option<usize>,
    /// The initial designs themselves, if they are given.
    pub designs: Vec<Vec<f64>>,
    /// Improvement, as a share of the best cost, that is not worth an evaluation; each method has its own if absent.
    pub tolerance: Option<f64>,
    /// Covariance of the Gaussian process.
    pub kernel: Kernel,
    /// Trend of the Gaussian process.
    pub mean: Mean,
    /// First distance of polled designs, as a share of the ranges.
    pub mesh: f64,
    /// Smallest one.
    pub finest: f64,
}

impl Default for MethodOptions {
    fn default() -> Self {
        Self {
            initial: None,
            designs: Vec::new(),
            tolerance: None,
            kernel: Kernel::SquaredExponential,
            mean: Mean::Constant,
            mesh: 0.25,
            finest: 1e-3,
        }
    }
}

/// A study.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// What it is called.
    pub name: String,
    /// The design variables.
    pub variables: Vec<Variable>,
    /// Name of the outer method.
    pub method: String,
    /// What the method is told.
    pub options: MethodOptions,
    /// Most evaluations.
    pub max_evaluations: usize,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// Evaluations at the same time, where the method allows them. The result does not depend on it.
    pub threads: usize,
}

impl Study {
    /// A study with the usual settings.
    pub fn new(name: &str, variables: Vec<Variable>, method: &str) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        let (name, method, options) = (name.to_owned(), method.to_owned(), MethodOptions::default());
        Self { name, variables, method, options, max_evaluations: 60, seed: 1, threads }
    }

    /// Refuses what no method could do.
    pub fn check(&self) -> Result<(), DesignError> {
        if self.variables.is_empty() {
            return Err(DesignError::NoVariables);
        }
        for Variable { name, lower, upper, guess, .. } in &self.variables {
            let (name, lower, upper) = (name.clone(), *lower, *upper);
            if !(lower.is_finite() && upper.is_finite() && lower < upper) {
                return Err(DesignError::BadRange { name, lower, upper });
            }
            if let Some(guess) = guess.filter(|guess| !(lower..=upper).contains(guess)) {
                return Err(DesignError::BadGuess { name, guess, lower, upper });
            }
        }
        let options = &self.options;
        let positive =
            [("mesh", options.mesh), ("finest", options.finest), ("tolerance", options.tolerance.unwrap_or(1.0))];
        match positive.into_iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
            Some((name, value)) => Err(DesignError::BadSetting { name, value, needed: "positive" }),
            None => Ok(()),
        }
    }
}

/// An evaluation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Its number, in the order in which the method has asked.
    pub number: usize,
    /// Why the method has asked: `initial`, `improvement`, `poll`, ...
    pub phase: String,
    /// The design.
    pub design: Vec<f64>,
    /// The cost; nothing if the evaluation failed.
    pub cost: Option<f64>,
    /// Its derivatives; empty if they are not known.
    pub slope: Vec<f64>,
    /// Problems that were solved for it.
    pub solves: usize,
    /// Iterations of these.
    pub iterations: usize,
    /// Why it failed, or what is to be said.
    pub note: String,
    /// Seconds that it took.
    pub seconds: f64,
    /// True if the journal knew it.
    pub is_cached: bool,
    /// What evaluations at neighbouring designs begin with.
    pub trace: Vec<f64>,
}

/// Why a study ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The method has found what it looks for, as it says.
    Converged(String),
    /// The method cannot go on, as it says.
    Stalled(String),
    /// All evaluations are used up.
    Budget,
    /// It was stopped.
    Stopped,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Converged(why) => write!(f, "converged: {why}"),
            Self::Stalled(why) => write!(f, "no progress: {why}"),
            Self::Budget => write!(f, "all evaluations are used up"),
            Self::Stopped => write!(f, "stopped by request"),
        }
    }
}

/// What a study tells while it runs.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// An evaluation is known.
    Sample(&'a Sample),
}

/// What a study came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The evaluations, in the order in which they were asked for.
    pub samples: Vec<Sample>,
    /// Why it ended.
    pub reason: Reason,
}

impl Outcome {
    /// The cheapest sample; the first of several.
    pub fn best(&self) -> Option<&Sample> {
        best(&self.samples)
    }

    /// Problems that were solved.
    pub fn solves(&self) -> usize {
        self.samples.iter().map(|sample| sample.solves).sum()
    }
}

/// The cheapest sample; the first of several.
pub(crate) fn best(samples: &[Sample]) -> Option<&Sample> {
    let known = samples.iter().filter_map(|sample| Some((sample.cost?, sample)));
    known.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, sample)| sample)
}

/// Runs a study. What the journal knows is not evaluated again; `stop` is asked now and then.
pub fn run(
    study: &Study,
    objective: &dyn Objective,
    journal: &mut Journal,
    stop: &(dyn Fn() -> bool + Sync),
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<Outcome, DesignError> {
    study.check()?;
    let method = method(&study.method)?;
    let mut evaluator = Evaluator::new(study, objective, journal, stop, observe);
    let reason = match method.search(study, &mut evaluator) {
        Ok(End { reason }) => reason,
        Err(Halt::Budget) => Reason::Budget,
        Err(Halt::Stopped) => Reason::Stopped,
        Err(Halt::Failed(error)) => return Err(error),
    };
    Ok(Outcome { samples: evaluator.into_samples(), reason })
}
