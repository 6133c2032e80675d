//! What a solver returns: why it stopped, where, and how good that point is.

use crate::kkt::Residuals;
use crate::nlp::Nlp;

/// Why a solver stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// The optimality conditions hold to the tolerance.
    Converged,
    /// The optimality conditions hold to the acceptable tolerance, and no progress was made.
    Acceptable,
    /// The violation of the constraints has a local minimum that is not zero.
    LocallyInfeasible,
    /// Bounds of variables or rows contradict each other.
    Inconsistent(Place),
    /// The objective falls without limit along feasible points.
    Unbounded,
    /// The iteration limit was reached.
    IterationLimit,
    /// The time limit was reached.
    TimeLimit,
    /// The observer asked to stop.
    Stopped,
    /// A function is not finite at the point from which the search should begin.
    Undefined(Place),
    /// No step makes progress.
    NoProgress,
    /// More equations than variables, or equations that depend on each other and do not agree.
    OverDetermined,
    /// The solver failed for a reason of its own.
    Failed(String),
}

/// A place in a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// The objective.
    Objective,
    /// A variable, by name.
    Variable(String),
    /// A row, by name.
    Row(String),
}

impl Status {
    /// True if the point satisfies the optimality conditions, be it roughly.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Converged | Self::Acceptable)
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Objective => write!(formatter, "the objective"),
            Self::Variable(name) => write!(formatter, "variable `{name}`"),
            Self::Row(name) => write!(formatter, "row `{name}`"),
        }
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Converged => write!(formatter, "converged"),
            Self::Acceptable => write!(formatter, "acceptable"),
            Self::LocallyInfeasible => write!(formatter, "locally infeasible"),
            Self::Inconsistent(place) => write!(formatter, "the bounds of {place} contradict each other"),
            Self::Unbounded => write!(formatter, "unbounded"),
            Self::IterationLimit => write!(formatter, "iteration limit reached"),
            Self::TimeLimit => write!(formatter, "time limit reached"),
            Self::Stopped => write!(formatter, "stopped by request"),
            Self::Undefined(place) => write!(formatter, "{place} is not a finite number at the start"),
            Self::NoProgress => write!(formatter, "no progress"),
            Self::OverDetermined => write!(formatter, "over-determined"),
            Self::Failed(why) => write!(formatter, "failed: {why}"),
        }
    }
}

/// Multipliers, in the signs of [`Nlp`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Multipliers {
    /// `y`, one per row.
    pub rows: Vec<f64>,
    /// `z_lower >= 0`, one per variable.
    pub lower: Vec<f64>,
    /// `z_upper >= 0`, one per variable.
    pub upper: Vec<f64>,
}

/// A constraint that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The row or variable.
    pub place: Place,
    /// By how much it lies outside its bounds.
    pub amount: f64,
}

/// Work that was done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Iterations.
    pub iterations: usize,
    /// Evaluations of objective and rows.
    pub evaluations: usize,
    /// Factorisations of KKT matrices.
    pub factorisations: usize,
    /// Seconds for everything.
    pub seconds: f64,
    /// Seconds in functions and derivatives.
    pub seconds_functions: f64,
    /// Seconds in factorisations and solves.
    pub seconds_linear: f64,
}

/// Where a solver stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Why.
    pub status: Status,
    /// Name of the solver that had the last word.
    pub solver: String,
    /// The point: the optimum, or the best one found.
    pub point: Vec<f64>,
    /// The objective there.
    pub objective: f64,
    /// The multipliers there.
    pub multipliers: Multipliers,
    /// How well the optimality conditions hold, recomputed at the point without any scaling.
    pub residuals: Residuals,
    /// What was done.
    pub statistics: Statistics,
    /// Rows and variables that depend on others at the point: directions along which the optimality conditions say
    /// nothing. Found by the interior point of this crate.
    pub dependent: Vec<Place>,
}

impl Outcome {
    /// The constraints that are violated most, by name, at most `count` of them.
    pub fn worst(&self, nlp: &mut dyn Nlp, count: usize) -> Vec<Violation> {
        let mut rows = vec![0.0; nlp.row_ranges().len()];
        nlp.values(&self.point, &mut rows);
        // A value that is not a number is the worst of all.
        let size = |amount: f64| if amount.is_nan() { f64::INFINITY } else { amount };
        let of_rows = nlp.row_ranges().iter().zip(&rows).enumerate();
        let mut all: Vec<(f64, bool, usize)> = of_rows
            .map(|(j, (range, &value))| (if value.is_nan() { f64::INFINITY } else { range.violation(value) }, true, j))
            .collect();
        let of_variables = nlp.variable_ranges().iter().zip(&self.point).enumerate();
        all.extend(of_variables.map(|(i, (range, &x))| (size(range.violation(x)), false, i)));
        all.retain(|entry| entry.0 > 0.0);
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.truncate(count);
        let named = |(amount, is_row, index): (f64, bool, usize)| {
            let place =
                if is_row { Place::Row(nlp.row_name(index)) } else { Place::Variable(nlp.variable_name(index)) };
            Violation { place, amount }
        };
        all.into_iter().map(named).collect()
    }
}
