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
