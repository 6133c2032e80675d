//! What is asked for: phases, the transitions between them, costs.
//!
//! ```text
//! minimise   sum of costs
//! over       q(t), u(t), durations, freed parameters
//! such that  each phase obeys its forced Euler-Lagrange equations, with its own constraints,
//!            transitions end a phase on a guard and begin the next one after the impact,
//!            boundary values, path constraints and bounds hold
//! ```
//!
//! (Thesis 4.1.1, 4.1.2.) Formulas are text in the names of the system: coordinates `x`, rates `x'`, inputs, parameters,
//! definitions, time `t`. Controls are the inputs of the system; their signals are not used.

use carom_discrete::Formulation;
use carom_model::System;
use carom_nlp::Range;
use std::sync::Arc;

/// An optimal control problem.
#[derive(Clone, Debug)]
pub struct ControlProblem {
    /// What it is called.
    pub name: String,
    /// The phases, in the order of time.
    pub phases: Vec<Phase>,
    /// How phases follow each other. Without any, phases are joined smoothly in their order.
    pub transitions: Vec<Transition>,
    /// What is minimised.
    pub costs: Vec<Cost>,
    /// Parameters of the systems that are to be found as well.
    pub freed: Vec<FreedParameter>,
    /// Bounds of the sum of all durations.
    pub total_duration: Option<Range>,
}

/// A stretch of time with one set of constraints and controls.
#[derive(Clone, Debug)]
pub struct Phase {
    /// What it is called.
    pub name: String,
    /// The mechanical system.
    pub system: Arc<System>,
    /// Contacts that are closed during the phase, by name.
    pub closed: Vec<ClosedContact>,
    /// How long it lasts.
    pub duration: Duration,
    /// Number of intervals at first.
    pub intervals: usize,
    /// Shares of the duration, one per interval; even if empty.
    pub shares: Vec<f64>,
    /// How controls vary within an interval.
    pub shape: ControlShape,
    /// Bounds of coordinates, rates (of both ends) and inputs, by name (`x`, `x'`, `u`), at all nodes.
    pub bounds: Vec<(String, Range)>,
    /// Conditions at the beginning.
    pub start: Vec<Condition>,
    /// Conditions at the end.
    pub end: Vec<Condition>,
    /// Conditions along the way.
    pub path: Vec<PathCondition>,
    /// How constraint forces are treated; chosen by the kind of constraints if absent.
    pub formulation: Option<Formulation>,
}

/// A contact that stays closed.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosedContact {
    /// Its name in the system.
    pub contact: String,
    /// True if its tangents are held as well.
    pub sticks: bool,
}

/// How long a phase lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Duration {
    /// Given.
    Fixed(f64),
    /// To be found between bounds.
    Free {
        /// Its bounds; the lower one is positive.
        range: Range,
        /// Where the search begins.
        guess: f64,
    },
}

impl Duration {
    /// The duration, or where its search begins.
    pub fn guess(&self) -> f64 {
        match *self {
            Self::Fixed(duration) => duration,
            Self::Free { guess, .. } => guess,
        }
    }
}

/// How controls vary within an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ControlShape {
    /// A value of its own at each sample of the rule: the polynomial through them.
    #[default]
    Samples,
    /// Constant.
    Constant,
    /// Linear, continuous from one interval to the next.
    Linear,
}

/// A formula with bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// What it is called in messages.
    pub name: String,
    /// The formula.
    pub formula: String,
    /// Its bounds; equal ones fix it.
    pub range: Range,
}

/// Where a condition along the way is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Where {
    /// At the nodes between the ends: formulas of coordinates, inputs and constraint forces.
    #[default]
    Nodes,
    /// At the samples of the rule, where velocities are known too.
    Samples,
    /// At nodes and samples.
    Both,
}

/// A condition along the way.
#[derive(Clone, Debug, PartialEq)]
pub struct PathCondition {
    /// The condition.
    pub condition: Condition,
    /// Where it is asked for.
    pub at: Where,
}

/// How one phase follows another.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// What it is called.
    pub name: String,
    /// Number of the phase that ends.
    pub from: usize,
    /// Number of the phase that begins; the same one, or an earlier one, for periodic motions.
    pub to: usize,
    /// Contacts that close at the end of `from`: their gaps vanish there, and their laws give the jump.
    pub guards: Vec<String>,
    /// Configuration at the start of `to`, one formula per coordinate of it, in the names of `from`; the
    /// same configuration if empty. Velocities follow by its derivative.
    pub map: Vec<String>,
    /// Where energy and momentum are balanced at the impact.
    pub jump: Jump,
}

/// Where the balance of an impact is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Jump {
    /// Between the velocities at the node.
    #[default]
    Pointwise,
    /// Between the discrete energies of the adjacent intervals (3.2.3), (3.2.4).
    Variational,
}

/// A part of the objective, with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// What it is called.
    pub name: String,
    /// Its factor in the objective.
    pub weight: f64,
    /// Phases it is summed over; all if empty.
    pub phases: Vec<usize>,
    /// What it measures.
    pub kind: CostKind,
    /// What it is divided by, if anything: a formula of parameters, freed ones among them, such as the length of a step.
    pub per: Option<String>,
}

/// What a cost measures.
#[derive(Clone, Debug, PartialEq)]
pub enum CostKind {
    /// The integral of a formula over time.
    Integral(String),
    /// A formula at the end.
    Terminal(String),
    /// The integral of the sum of norms of formulas.
    Residual {
        /// The formulas.
        formulas: Vec<String>,
        /// How large each of them is.
        norm: Norm,
    },
    /// Work of inputs, sample by sample of the rule.
    Work {
        /// The inputs; all if empty.
        inputs: Vec<String>,
        /// Which part of the work counts.
        part: WorkPart,
    },
    /// The durations.
    Time,
}

/// The size of a residual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Norm {
    /// `r^2`
    #[default]
    Square,
    /// `|r|`, by splitting `r = a - b` into positive parts.
    Absolute,
}

/// Which part of work counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkPart {
    /// `|w|` of every sample and input, by splitting.
    Absolute,
    /// `max(w, 0)` of every sample and input, by splitting.
    Positive,
    /// `w`.
    Net,
}

/// A parameter that is to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct FreedParameter {
    /// Its name in the systems.
    pub name: String,
    /// Its bounds.
    pub range: Range,
    /// Where the search begins; the system's value if absent.
    pub guess: Option<f64>,
}
