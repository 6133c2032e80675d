//! Reference solutions with impacts, and the models that they belong to.

#![allow(dead_code)] // every test uses its own part

use carom::Model;
use carom::Trajectory;
use carom::impact::{ContactOptions, Verifier};
use serde_json::Value;
use std::path::PathBuf;

/// All cases.
pub fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("../reference/impacts.json")).expect("a list of cases")
}

/// Cases with velocity constraints.
pub fn nonholonomic_cases() -> Vec<Value> {
    serde_json::from_str(include_str!("../reference/nonholonomic.json")).expect("a list of cases")
}

/// Errors below this many times `1e-15 x sensitivity` are rounding.
const ROUNDING: f64 = 100.0 * 1e-15;

/// Every impact of a run is the one of the reference, as far as its sensitivity allows.
pub fn compare_impacts(case: &Value, run: &Trajectory, until: f64) {
    let name = case["id"].as_str().expect("a name");
    let all = case["impacts"].as_array().expect("impacts").iter();
    let expected: Vec<&Value> = all.filter(|impact| impact["t"].as_f64().is_some_and(|t| t <= until)).collect();
    let times: Vec<f64> = run.impacts.iter().map(|impact| impact.t).collect();
    assert_eq!(run.impacts.len(), expected.len(), "{name}: {times:?}");
    for (found, wanted) in run.impacts.iter().zip(expected) {
        let sensitivity = wanted["sensitivity"].as_f64().expect("a number");
        let speed = found.v_minus.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
        let bound = ROUNDING * sensitivity.max(1.0) * speed;
        let number = |name: &str| wanted[name].as_f64().expect("a number");
        let t = (found.t - number("t")).abs();
        let errors = [
            t,
            difference(&found.q, &numbers(&wanted["q"])),
            difference(&found.v_minus, &numbers(&wanted["v_minus"])) / speed,
            difference(&found.v_plus, &numbers(&wanted["v_plus"])) / speed,
            (found.energy_minus - number("energy_minus")).abs() / number("energy_minus").abs().max(1.0),
            (found.energy_minus + found.energy_change - number("energy_plus")).abs()
                / number("energy_plus").abs().max(1.0),
        ];
        eprintln!("  t = {}: {errors:?} of {bound:.1e}", found.t);
        assert!(errors.iter().all(|error| *error <= bound), "{name} at {}: {errors:?} of {bound:.1e}", found.t);
    }
}

/// One case by its name.
pub fn case(id: &str) -> Value {
    cases().into_iter().find(|case| case["id"] == id).expect("a case")
}

/// The model of a case.
pub fn model(case: &Value) -> Model {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../papers");
    let path = folder.join(format!("{}.toml", case["model"].as_str().expect("a name")));
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let set: Vec<(String, String)> =
        case["set"].as_object().expect("settings").iter().map(|(name, value)| (name.clone(), text(value))).collect();
    Model::from_path(&path, &set).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A list of numbers.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// Largest difference of two lists.
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Every recorded impact satisfies its own jump equations, to rounding.
pub fn verify(model: &Model, run: &Trajectory, options: ContactOptions) {
    let mut verifier = Verifier::new(&model.system, options).expect("compiles");
    for impact in &run.impacts {
        let found = verifier.verify(impact).expect("compiles");
        assert!(found.largest() < 1e-12, "{} t = {}: {found:?}\n{impact:?}", model.system.name(), impact.t);
    }
}
