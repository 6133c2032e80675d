//! Degenerate, infeasible and undefined programs: every solver must end with the right kind of answer.

#[path = "degenerate/cases.rs"]
mod cases;
use crate::judge;

use carom_nlp::{Nlp, Outcome, Program, Status};
use cases::{Case, Expect};
use judge::{available, false_success, says_infeasible, solve};

/// `(solver, case, why)`: what is known to fail. An entry that no longer fails must go.
const KNOWN_FAILURES: &[(&str, &str, &str)] = &[
    ("interior", "variables of different size", "scaled residuals hide a complementarity of 0.4"),
    ("interior", "a square at most zero", "a set without interior: the slope of the Lagrangian stays at 6e-3"),
    ("sqp", "a huge objective", "reaches the minimum, but not the tolerance"),
    ("sqp", "hs013 once more", "no progress from the start"),
];

/// What is wrong with the outcome; nothing if it is of the right kind.
fn failure(case: &Case, program: &mut Program, outcome: &Outcome) -> Option<String> {
    if let Some(what) = false_success(program, outcome).filter(|_| case.is_regular()) {
        return Some(what);
    }
    let status = &outcome.status;
    let near = |value: f64| (outcome.objective - value).abs() <= case.tolerance * (1.0 + value.abs());
    let right = match &case.expect {
        Expect::Optimum(value) => status.is_success() && near(*value),
        Expect::Infeasible => says_infeasible(status),
        Expect::OptimumOrOverDetermined(value) => {
            *status == Status::OverDetermined || status.is_success() && near(*value)
        }
        // Without multipliers a solver may stop short of success, but not far from the solution.
        Expect::Irregular(value) => {
            let stopped = matches!(status, Status::NoProgress | Status::IterationLimit);
            (status.is_success() || stopped) && near(*value)
        }
        Expect::Unbounded => *status == Status::Unbounded,
        Expect::Inconsistent(place) => *status == Status::Inconsistent(place.clone()),
        Expect::Undefined(place) => *status == Status::Undefined(place.clone()),
    };
    let iterations = outcome.statistics.iterations;
    let what = || format!("{status} after {iterations} iterations, objective {:.6e}", outcome.objective);
    (!right).then(|| format!("{}, expected {:?}", what(), case.expect))
}

fn check(cases: Vec<Case>) {
    let mut wrong = Vec::new();
    for solver in available() {
        for case in &cases {
            let (mut program, outcome) = solve(&*solver, case.formulas.clone());
            assert_eq!(outcome.point.len(), program.start().len());
            let known = KNOWN_FAILURES.iter().find(|known| known.0 == solver.name() && known.1 == case.name);
            match (failure(case, &mut program, &outcome), known) {
                (Some(what), None) => wrong.push(format!("{}, {}: {what}", solver.name(), case.name)),
                (None, Some(known)) => {
                    wrong.push(format!("{}, {}: passes, though listed ({})", solver.name(), case.name, known.2));
                }
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n  {}", wrong.len(), wrong.join("\n  "));
}

#[test]
fn redundant_and_contradictory_rows() {
    check(cases::rows());
}

#[test]
fn bounds_that_fix_cross_or_leave_no_interior() {
    check(cases::bounds());
}

#[test]
fn functions_that_are_not_defined_everywhere() {
    check(cases::undefined());
}

#[test]
fn objectives_without_a_minimum_and_programs_without_multipliers() {
    check(cases::irregular());
}

#[test]
fn huge_and_tiny_scalings() {
    check(cases::scalings());
}

#[test]
fn linear_and_quadratic_programs() {
    check(cases::linear());
}

#[test]
fn violated_rows_of_an_infeasible_program_are_named() {
    for solver in available() {
        let case = cases::rows().into_iter().find(|case| case.name == "contradictory sums").expect("a case");
        let (mut program, outcome) = solve(&*solver, case.formulas);
        let worst = outcome.worst(&mut program, 5);
        assert!(!worst.is_empty(), "{}: no violated row is named", solver.name());
    }
}

#[test]
fn known_failures_name_cases_that_exist() {
    let groups =
        [cases::rows(), cases::bounds(), cases::undefined(), cases::irregular(), cases::scalings(), cases::linear()];
    for (_, name, _) in KNOWN_FAILURES {
        assert!(groups.iter().flatten().any(|case| case.name == *name), "{name}");
    }
}
