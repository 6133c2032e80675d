//! What every solver checks before it begins and after it ends.
//!
//! Before: bounds that contradict each other, and functions that are not finite numbers at the start, are
//! named by variable and row. After: the residuals are recomputed in the units of the program, and a
//! success they contradict is none.

use crate::kkt::residuals;
use crate::nlp::{Nlp, Range};
use crate::outcome::{Multipliers, Outcome, Place, Statistics, Status};
use crate::solver::Options;

/// Largest violation, relative to the size of the terms, that a success may have whatever the tolerance:
/// scaling inside a solver may hide some orders of magnitude, not more.
const BELIEVED: f64 = 1e-4;
/// Residuals may exceed the tolerance by this factor, since solvers measure theirs after scaling.
const SCALING: f64 = 100.0;
/// Unknowns that have grown by this factor since the start, and beyond all bounds, are on their way to infinity.
const BEYOND: f64 = 1e9;
/// Distance to a bound at which interior points begin, absolute or relative to the bound.
const INSIDE: f64 = 1e-2;

/// Why a search from `x` makes no sense, if it does not.
pub(crate) fn check_start(nlp: &mut dyn Nlp, x: &[f64]) -> Result<(), Status> {
    if x.len() != nlp.variable_ranges().len() {
        let (found, needed) = (x.len(), nlp.variable_ranges().len());
        return Err(Status::Failed(format!("the start has {found} numbers for {needed} variables")));
    }
    // Written so that bounds which are not numbers contradict each other too.
    let possible =
        |range: &Range| range.lower <= range.upper && range.lower < f64::INFINITY && range.upper > f64::NEG_INFINITY;
    if let Some(i) = nlp.variable_ranges().iter().position(|range| !possible(range)) {
        return Err(Status::Inconsistent(Place::Variable(nlp.variable_name(i))));
    }
    if let Some(j) = nlp.row_ranges().iter().position(|range| !possible(range)) {
        return Err(Status::Inconsistent(Place::Row(nlp.row_name(j))));
    }
    if let Some(i) = x.iter().position(|value| !value.is_finite()) {
        return Err(Status::Undefined(Place::Variable(nlp.variable_name(i))));
    }
    // A start on a bound where a function ends, as 0 for a logarithm, is moved inside by the solver.
    let inside = inside(nlp.variable_ranges(), x);
    match undefined(nlp, x) {
        Some(place) if undefined(nlp, &inside).is_some() => Err(Status::Undefined(place)),
        _ => Ok(()),
    }
}

/// Options that no search could keep to.
pub(crate) fn check_options(options: &Options) -> Result<(), Status> {
    for (name, value) in [("tolerance", options.tolerance), ("acceptable tolerance", options.acceptable)] {
        if !(value.is_finite() && value > 0.0) {
            return Err(Status::Failed(format!("the {name} is {value}; it must be a positive number")));
        }
    }
    if let Some(value) = options.barrier.filter(|value| !(value.is_finite() && *value > 0.0)) {
        return Err(Status::Failed(format!("the first barrier is {value}; it must be a positive number")));
    }
    Ok(())
}

/// The first function that is not a finite number at `x`.
pub(crate) fn undefined(nlp: &mut dyn Nlp, x: &[f64]) -> Option<Place> {
    let mut rows = vec![0.0; nlp.row_ranges().len()];
    let objective = nlp.values(x, &mut rows);
    let row = rows.iter().position(|value| !value.is_finite());
    row.map(|j| Place::Row(nlp.row_name(j))).or((!objective.is_finite()).then_some(Place::Objective))
}

/// `x` moved inside its bounds.
fn inside(ranges: &[Range], x: &[f64]) -> Vec<f64> {
    let push = |bound: f64, width: f64| (INSIDE * bound.abs().max(1.0)).min(INSIDE * width);
    let move_in = |(range, &x): (&Range, &f64)| {
        let width = range.upper - range.lower;
        let lower = if range.lower.is_finite() { range.lower + push(range.lower, width) } else { range.lower };
        let upper = if range.upper.is_finite() { range.upper - push(range.upper, width) } else { range.upper };
        x.max(lower).min(upper)
    };
    ranges.iter().zip(x).map(move_in).collect()
}

/// An outcome for a search that did not begin.
pub(crate) fn not_begun(nlp: &mut dyn Nlp, solver: &str, status: Status, x: &[f64]) -> Outcome {
    let (n, m) = (nlp.variable_ranges().len(), nlp.row_ranges().len());
    let point = if x.len() == n { x.to_vec() } else { nlp.start().to_vec() };
    let multipliers = Multipliers { rows: vec![0.0; m], lower: vec![0.0; n], upper: vec![0.0; n] };
    let objective = nlp.values(&point, &mut vec![0.0; m]);
    let residuals = residuals(nlp, &point, &multipliers);
    let statistics = Statistics::default();
    let (solver, dependent) = (solver.to_owned(), Vec::new());
    Outcome { status, solver, point, objective, multipliers, residuals, statistics, dependent }
}

/// The outcome at `point`; a success that the recomputed residuals contradict becomes a failure.
pub(crate) fn judge(
    nlp: &mut dyn Nlp,
    solver: &str,
    status: Status,
    point: Vec<f64>,
    multipliers: Multipliers,
    statistics: Statistics,
    options: &Options,
) -> Outcome {
    let mut rows = vec![0.0; nlp.row_ranges().len()];
    let objective = nlp.values(&point, &mut rows);
    let residuals = residuals(nlp, &point, &multipliers);
    let solver = solver.to_owned();
    let dependent = Vec::new();
    let mut outcome = Outcome { status, solver, point, objective, multipliers, residuals, statistics, dependent };
    if outcome.status.is_success() && is_beyond(nlp, &outcome, options) {
        outcome.status = Status::Unbounded;
        return outcome;
    }
    if let Some(why) = contradiction(nlp, &outcome, &rows, options) {
        outcome.status = Status::Failed(format!("the solver reports `{}`, but {why}", outcome.status));
    }
    outcome
}

/// True if the point is so far from the start that relative residuals say nothing: the objective has been followed down to
/// where rounding ends it.
fn is_beyond(nlp: &dyn Nlp, outcome: &Outcome, options: &Options) -> bool {
    let size = |x: &[f64]| x.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    let start = options.start.as_deref().unwrap_or(nlp.start());
    let bounds = nlp.variable_ranges().iter().flat_map(|range| [range.lower, range.upper]);
    let scale = bounds.filter(|bound| bound.is_finite()).fold(size(start), |size, bound| size.max(bound.abs()));
    size(&outcome.point) > BEYOND * scale
}

/// Why a success is none.
fn contradiction(nlp: &mut dyn Nlp, outcome: &Outcome, rows: &[f64], options: &Options) -> Option<String> {
    let tolerance = match outcome.status {
        Status::Converged => options.tolerance,
        Status::Acceptable => options.acceptable.max(options.tolerance),
        _ => return None,
    };
    let limit = BELIEVED.max(SCALING * tolerance);
    let finite = outcome.point.iter().chain(rows).chain([&outcome.objective]).all(|value| value.is_finite());
    if !finite || outcome.residuals.largest().is_nan() {
        return Some("its point is not made of finite numbers".to_owned());
    }
    // A row may be small as a difference of large terms, which no solver knows better than the tolerance.
    let (gradient, terms) = terms(nlp, outcome);
    let too_far = |range: &Range, value: f64, term: f64| {
        range.violation(value) > f64::max(limit * value.abs().max(1.0), SCALING * tolerance * term)
    };
    if let Some(j) = (0..rows.len()).find(|&j| too_far(&nlp.row_ranges()[j], rows[j], terms[j])) {
        let (by, name) = (nlp.row_ranges()[j].violation(rows[j]), nlp.row_name(j));
        return Some(format!("row `{name}` is violated by {by:.3e}"));
    }
    let x = &outcome.point;
    if let Some(i) = (0..x.len()).find(|&i| too_far(&nlp.variable_ranges()[i], x[i], 0.0)) {
        let (by, name) = (nlp.variable_ranges()[i].violation(x[i]), nlp.variable_name(i));
        return Some(format!("variable `{name}` is outside its bounds by {by:.3e}"));
    }
    // Stationarity is a sum that should cancel: measured by its largest term.
    let size = gradient;
    let (stationarity, complementarity) = (outcome.residuals.stationarity, outcome.residuals.complementarity);
    if stationarity > limit * size.max(1.0) {
        return Some(format!("the Lagrangian has slope {stationarity:.3e} with terms of size {size:.3e}"));
    }
    let size = size.max(outcome.objective.abs());
    let contradicts = complementarity > limit * size.max(1.0);
    contradicts.then(|| format!("a multiplier times the distance to its bound is {complementarity:.3e}"))
}

/// Largest term of `df/dx + J^T y - z_lower + z_upper`; of each row, how far a change of one variable by its own
/// size would move it.
fn terms(nlp: &mut dyn Nlp, outcome: &Outcome) -> (f64, Vec<f64>) {
    let x = &outcome.point;
    let (mut gradient, mut jacobian) = (vec![0.0; x.len()], vec![0.0; nlp.jacobian_pattern().len()]);
    nlp.slopes(x, &mut gradient, &mut jacobian);
    let bounds = outcome.multipliers.lower.iter().chain(&outcome.multipliers.upper);
    let mut largest = gradient.iter().chain(bounds).fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let mut of_rows = vec![0.0; outcome.multipliers.rows.len()];
    for ((row, column), entry) in nlp.jacobian_pattern().entries().zip(&jacobian) {
        largest = largest.max((outcome.multipliers.rows[row] * entry).abs());
        of_rows[row] = f64::max(of_rows[row], (entry * x[column]).abs());
    }
    (largest, of_rows)
}
