//! Programs written as formulas: exact patterns, errors that say where.

use carom_expr::Backend;
use carom_expr::text::ParseErrorKind;
use carom_nlp::{FormulaError, Formulas, Nlp, Place, Program, Range};

fn rosenbrock() -> Formulas {
    Formulas::new()
        .variable("x1", Range::FREE, -1.2)
        .variable("x2", Range::new(-1.5, 4.0), 1.0)
        .variable("x3", Range::FREE, 0.5)
        .objective("100*(x2 - x1^2)^2 + (1 - x1)^2")
}

fn build(formulas: Formulas) -> Result<Program, FormulaError> {
    formulas.build(Backend::default())
}

#[test]
fn values_and_patterns_are_those_of_the_formulas() {
    let formulas = rosenbrock().row("sum", "x3 + 2*x1", Range::fixed(1.0)).row("product", "x2*x3", Range::FREE);
    let mut program = build(formulas).expect("a program");
    let mut rows = [0.0; 2];
    let objective = program.values(&[-1.2, 1.0, 0.5], &mut rows);
    assert!((objective - 24.2).abs() < 1e-12, "{objective}");
    assert_eq!(rows, [-1.9, 0.5]);
    let entries: Vec<_> = program.jacobian_pattern().entries().collect();
    assert_eq!(entries, [(0, 0), (0, 2), (1, 1), (1, 2)]);
    let entries: Vec<_> = program.hessian_pattern().entries().collect();
    assert_eq!(entries, [(0, 0), (1, 0), (1, 1), (2, 1)]);
    assert!(program.stages().is_none(), "one stage is no chain");
}

#[test]
fn terms_of_the_objective_are_summed_and_constants_are_rows_too() {
    let formulas = rosenbrock().objective("x3^2").objective("-1").row("two", "1 + 1", Range::FREE);
    let mut program = build(formulas.row("zero", "0*x1", Range::FREE)).expect("a program");
    let mut rows = [0.0; 2];
    assert_eq!(program.values(&[1.0, 1.0, 3.0], &mut rows), 8.0);
    assert_eq!(rows, [2.0, 0.0]);
    assert!(program.jacobian_pattern().is_empty());
}

#[test]
fn an_unknown_name_is_named_with_the_nearest_known_one() {
    let error = build(rosenbrock().row("disc", "x1^2 + y2", Range::FREE)).err().expect("an error");
    let FormulaError::Text { place, error: inner, .. } = &error else { panic!("{error}") };
    assert_eq!((place, &inner.span), (&Place::Row("disc".into()), &(7..9)));
    let ParseErrorKind::UnknownName { name, suggestion, .. } = &inner.kind else { panic!("{error}") };
    assert_eq!((name.as_str(), suggestion.as_deref()), ("y2", Some("x2")));
    let expected = "row `disc`, bytes 7 to 9 of `x1^2 + y2`: unknown name `y2`; did you mean `x2`?";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn errors_of_the_objective_and_of_rates_are_placed() {
    let error = build(rosenbrock().objective("x1 +")).err().expect("an error");
    assert!(error.to_string().starts_with("the objective, bytes 4 to 4 of `x1 +`"), "{error}");
    let error = build(rosenbrock().objective("x1'")).err().expect("an error");
    assert!(error.to_string().contains("unknown name `x1'`"), "{error}");
}

#[test]
fn names_must_be_names_and_differ() {
    let name = |name: &str| build(rosenbrock().variable(name, Range::FREE, 0.0)).err().expect("an error");
    for bad in ["", "2x", "sin", "pi", "x y", "x'"] {
        assert_eq!(name(bad), FormulaError::Name { name: bad.into() });
    }
    assert_eq!(name("x2"), FormulaError::Twice { place: Place::Variable("x2".into()) });
    let twice = rosenbrock().row("r", "x1", Range::FREE).row("r", "x2", Range::FREE);
    assert_eq!(build(twice).err(), Some(FormulaError::Twice { place: Place::Row("r".into()) }));
    assert!(build(Formulas::new().objective("1")).is_err(), "a program has variables");
}
