//! The collection of Hock & Schittkowski (1981), for every solver of this build.
//!
//! Optimal values are the published ones, with more digits where the book has few (computed from the same
//! definitions). A program may have further local minima that a solver may end in; they are listed as such.

use crate::judge;
use crate::reader;

use carom_nlp::{Options, Program, Solver};
use judge::{available, false_success};
use reader::Problem;

/// `(solver, problem, why)`: what is known to fail. An entry that no longer fails must go.
const KNOWN_FAILURES: &[(&str, &str, &str)] = &[
    ("interior", "hs013", "no multipliers: stops a little short of success"),
    ("interior", "hs109", "still far from feasible at the limit of iterations"),
    ("sqp", "hs013", "no multipliers: no progress from the start"),
    ("sqp", "hs017", "taken for infeasible at the start"),
    ("sqp", "hs041", "ends at a stationary point that is no minimum"),
    ("sqp", "hs054", "ends where the objective is flat, far from the minimum"),
    ("sqp", "hs056", "no progress, far from feasible"),
    ("sqp", "hs102", "no progress, far from feasible"),
];

/// Problems without finite multipliers: residuals of stationarity stay large, values converge slowly.
const WITHOUT_MULTIPLIERS: &[&str] = &["hs013"];

/// Allowed relative distance to the optimal value.
const VALUE: f64 = 1e-6;

/// Nothing if the problem is solved, else what is wrong.
fn failure(solver: &dyn Solver, problem: &Problem) -> Option<String> {
    let mut program: Program = problem.program();
    let options = Options { max_seconds: 20.0, ..Options::default() };
    let outcome = solver.solve(&mut program, &options, &mut |_| true);
    let iterations = outcome.statistics.iterations;
    let report = |what: String| Some(format!("{} after {iterations} iterations: {what}", outcome.status));
    if !outcome.status.is_success() {
        return report(format!("objective {:.9e}, {:?}", outcome.objective, outcome.residuals));
    }
    // The solver's own word is not enough: everything is recomputed.
    let wrong = false_success(&mut program, &outcome);
    if let Some(what) = wrong.filter(|_| !WITHOUT_MULTIPLIERS.contains(&problem.name.as_str())) {
        return Some(what);
    }
    let (objective, tolerance) = (problem.objective(&outcome.point), problem.tolerance.unwrap_or(VALUE));
    let near = |optimum: &f64| (objective - optimum).abs() <= tolerance * (1.0 + optimum.abs());
    if !problem.optima().any(near) {
        return report(format!("objective {objective:.12e} instead of {:.12e}", problem.optimum));
    }
    None
}

/// What is wrong with one solver, as a report.
fn check(solver: &dyn Solver) -> Option<String> {
    let problems = reader::all();
    assert!(problems.len() >= 100, "{} problems", problems.len());
    let (mut wrong, mut solved) = (Vec::new(), 0);
    for problem in &problems {
        let known = KNOWN_FAILURES.iter().find(|known| known.0 == solver.name() && known.1 == problem.name);
        match (failure(solver, problem), known) {
            (None, None) => solved += 1,
            (Some(_), Some(_)) => {}
            (Some(what), None) => wrong.push(format!("{}: {what}", problem.name)),
            (None, Some(known)) => wrong.push(format!("{}: solved, though listed ({})", problem.name, known.2)),
        }
    }
    let count = problems.len();
    (!wrong.is_empty()).then(|| format!("{}: {solved} of {count} solved\n  {}", solver.name(), wrong.join("\n  ")))
}

#[test]
fn paper_every_solver_reaches_the_published_optima() {
    let wrong: Vec<String> = available().iter().filter_map(|solver| check(&**solver)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn known_failures_name_problems_that_exist() {
    let problems = reader::all();
    for (_, name, _) in KNOWN_FAILURES {
        assert!(problems.iter().any(|problem| problem.name == *name), "{name}");
    }
}
