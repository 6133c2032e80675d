//! Outer methods on functions with known minima, and what they refuse.

mod common;

use carom_design::{
    Answer, Ask, DesignError, Function, Journal, MethodOptions, Neighbour, Objective, Outcome, Reason, Study, Variable,
    run,
};

fn line(method: &str) -> Study {
    Study::new("line", vec![Variable::new("x", -1.5, 3.0)], method)
}

fn searched(study: &Study, objective: &dyn Objective) -> Outcome {
    run(study, objective, &mut Journal::in_memory(), &|| false, &mut |_| ()).unwrap()
}

/// `(x - 1)^2 + (x - 1)^4`, and its derivative.
struct Valley;

impl Objective for Valley {
    fn kind(&self) -> &'static str {
        "a valley"
    }

    fn has_slopes(&self) -> bool {
        true
    }

    fn evaluate(&self, ask: &Ask, _near: &[Neighbour<'_>], _stop: &(dyn Fn() -> bool + Sync)) -> Answer {
        let Ask::At(design) = ask else { return Answer::default() };
        let d: Vec<f64> = design.iter().map(|x| x - 1.0).collect();
        let slope = d.iter().map(|d| 2.0 * d + 4.0 * d.powi(3)).collect();
        let cost = 2.0 + d.iter().map(|d| d * d + d.powi(4)).sum::<f64>();
        Answer { slope, ..Answer::of(design, cost) }
    }
}

#[test]
fn every_method_finds_the_bottom_of_a_valley() {
    for method in ["strawman", "kriging", "smf", "gradient"] {
        let outcome = searched(&line(method), &Valley);
        let best = outcome.best().unwrap();
        // The criterion of the thesis ends the strawman at the first sample that is no better.
        let close = if method == "strawman" { 0.15 } else { 0.02 };
        assert!((best.design[0] - 1.0).abs() < close, "{method}: {best:?}");
        assert!(matches!(outcome.reason, Reason::Converged(_)), "{method}: {:?}", outcome.reason);
        assert!(outcome.samples.len() <= 25, "{method}: {}", outcome.samples.len());
    }
}

#[test]
fn gradient_in_several_variables_between_bounds() {
    let range = |name: &str, upper: f64| Variable::new(name, -1.0, upper);
    // The second variable ends at its bound.
    let variables = vec![range("x", 3.0), range("y", 0.5), range("z", 2.5)];
    let outcome = searched(&Study::new("box", variables, "gradient"), &Valley);
    let best = outcome.best().unwrap();
    for (value, expected) in best.design.iter().zip([1.0, 0.5, 1.0]) {
        assert!((value - expected).abs() < 1e-3, "{best:?}");
    }
    assert!(outcome.samples.len() <= 20, "{}", outcome.samples.len());
}

#[test]
fn what_a_method_lacks_is_named() {
    let plain = Function(|x: &[f64]| Ok(x[0]));
    let refused = |method: &str, study: Study| {
        run(&Study { method: method.to_owned(), ..study }, &plain, &mut Journal::in_memory(), &|| false, &mut |_| ())
            .unwrap_err()
    };
    assert!(matches!(refused("gradient", line("")), DesignError::Missing { method: "gradient", .. }));
    assert!(matches!(refused("simultaneous", line("")), DesignError::Missing { method: "simultaneous", .. }));
    let two = Study::new("two", common::branin_variables(), "");
    assert!(matches!(refused("strawman", two), DesignError::OneVariable { count: 2, .. }));
    let unknown = refused("krigin", line("")).to_string();
    assert!(unknown.contains("strawman, kriging, smf, gradient, simultaneous"), "{unknown}");
    let empty = Study { variables: vec![Variable::new("x", 1.0, 1.0)], ..line("") };
    assert!(matches!(refused("kriging", empty), DesignError::BadRange { .. }));
}

#[test]
fn failures_are_kept_out_of_the_surrogate() {
    // Nothing is known left of zero.
    let cost =
        Function(|x: &[f64]| if x[0] < 0.0 { Err("left of zero".to_owned()) } else { Ok((x[0] - 1.0).powi(2) + 1.0) });
    for method in ["kriging", "smf"] {
        let options = MethodOptions { initial: Some(6), ..MethodOptions::default() };
        let outcome = searched(&Study { options, ..line(method) }, &cost);
        let failed: Vec<_> = outcome.samples.iter().filter(|sample| sample.cost.is_none()).collect();
        assert!(!failed.is_empty() && failed.iter().all(|sample| sample.note == "left of zero"), "{method}");
        assert!((outcome.best().unwrap().design[0] - 1.0).abs() < 0.02, "{method}: {:?}", outcome.best());
    }
}

#[test]
fn threads_change_nothing() {
    let cost = Function(|x: &[f64]| Ok(common::branin(x)));
    let study = Study { max_evaluations: 25, ..Study::new("branin", common::branin_variables(), "smf") };
    let [one, four] = [1, 4].map(|threads| searched(&Study { threads, ..study.clone() }, &cost));
    let designs = |outcome: &Outcome| outcome.samples.iter().map(|sample| sample.design.clone()).collect::<Vec<_>>();
    assert_eq!(designs(&one), designs(&four));
}

#[test]
fn the_budget_is_kept() {
    let cost = Function(|x: &[f64]| Ok(common::branin(x)));
    let study = Study { max_evaluations: 7, ..Study::new("branin", common::branin_variables(), "kriging") };
    let outcome = searched(&study, &cost);
    assert_eq!((outcome.samples.len(), outcome.reason), (7, Reason::Budget));
}
