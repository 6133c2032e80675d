//! Judges answers of solvers without trusting them.
#![allow(dead_code)] // each test uses a part

use carom_expr::Backend;
use carom_nlp::{Formulas, Nlp, Options, Outcome, Program, Range, Solver, Status, residuals, solvers};

/// Largest violation of a constraint, relative to its size, and largest scaled residual that pass for success.
pub const FEASIBLE: f64 = 1e-6;
pub const OPTIMAL: f64 = 1e-4;

/// Variables by `(name, lower, upper, start)`.
pub fn variables(entries: &[(&str, f64, f64, f64)]) -> Formulas {
    entries.iter().fold(Formulas::new(), |formulas, &(name, lower, upper, start)| {
        formulas.variable(name, Range::new(lower, upper), start)
    })
}

/// The solvers of this build that can run here: some need a library that may be missing.
pub fn available() -> Vec<Box<dyn Solver>> {
    let trivial = || variables(&[("x", 0.0, 2.0, 1.0)]).objective("(x - 1)^2");
    let runs = |solver: &dyn Solver| !matches!(solve(solver, trivial()).1.status, Status::Failed(_));
    let found: Vec<_> = solvers().into_iter().filter(|solver| runs(&**solver)).collect();
    assert!(!found.is_empty());
    found
}

/// Builds and solves, within a limit of time; an answer that comes far too late is a failure.
pub fn solve(solver: &dyn Solver, formulas: Formulas) -> (Program, Outcome) {
    let mut program = formulas.build(Backend::default()).unwrap_or_else(|error| panic!("{error}"));
    let options = Options { max_seconds: 5.0, max_iterations: 500, ..Options::default() };
    let clock = std::time::Instant::now();
    let outcome = solver.solve(&mut program, &options, &mut |_| true);
    let seconds = clock.elapsed().as_secs_f64();
    assert!(seconds < 30.0, "{} took {seconds:.0} s: {}", solver.name(), outcome.status);
    (program, outcome)
}

/// What is wrong with a claimed success; nothing if it is one.
pub fn false_success(program: &mut Program, outcome: &Outcome) -> Option<String> {
    if !outcome.status.is_success() {
        return None;
    }
    if let Some(amount) = violation(program, &outcome.point) {
        return Some(format!("`{}`, but a constraint is violated by {amount:.1e}", outcome.status));
    }
    let own = residuals(program, &outcome.point, &outcome.multipliers);
    let multipliers = &outcome.multipliers;
    let all = multipliers.rows.iter().chain(&multipliers.lower).chain(&multipliers.upper);
    let scale = 1.0 + all.fold(0.0, |largest: f64, y| largest.max(y.abs()));
    let largest = own.stationarity.max(own.complementarity) / scale;
    // Also false if the residual is not a number.
    let is_optimal = largest <= OPTIMAL;
    (!is_optimal).then(|| format!("`{}`, but {own:?} with multipliers up to {scale:.1e}", outcome.status))
}

/// The largest violation, relative to what the row is made of, if it is no rounding.
pub fn violation(program: &mut Program, point: &[f64]) -> Option<f64> {
    let (mut rows, mut gradient) = (vec![0.0; program.row_ranges().len()], vec![0.0; point.len()]);
    program.values(point, &mut rows);
    let mut jacobian = vec![0.0; program.jacobian_pattern().len()];
    program.slopes(point, &mut gradient, &mut jacobian);
    // Size of the terms of a row: how far it moves if one of its variables changes by its own size.
    let mut sizes = vec![0.0; rows.len()];
    for ((row, column), entry) in program.jacobian_pattern().entries().zip(&jacobian) {
        sizes[row] = f64::max(sizes[row], (entry * point[column]).abs());
    }
    let relative = |range: &Range, value: f64, size: f64| {
        let bound = |bound: f64| if bound.is_finite() { bound.abs() } else { 0.0 };
        let scale = 1.0 + bound(range.lower).max(bound(range.upper)).max(size);
        // Not `Range::violation`, which is zero for what is not a number.
        if value.is_nan() { f64::INFINITY } else { (range.lower - value).max(value - range.upper).max(0.0) / scale }
    };
    let of_rows = program.row_ranges().iter().zip(&rows).zip(&sizes);
    let of_rows = of_rows.map(|((range, &value), &size)| relative(range, value, size));
    let of_variables = program.variable_ranges().iter().zip(point).map(|(range, &value)| relative(range, value, 0.0));
    let worst = of_rows.chain(of_variables).fold(0.0, f64::max);
    let crossed = program.row_ranges().iter().chain(program.variable_ranges()).any(|range| range.lower > range.upper);
    if crossed { Some(f64::INFINITY) } else { (worst > FEASIBLE).then_some(worst) }
}

/// True if the status says that there is no feasible point.
pub fn says_infeasible(status: &Status) -> bool {
    matches!(status, Status::LocallyInfeasible | Status::Inconsistent(_) | Status::OverDetermined)
}
