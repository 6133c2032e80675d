//! Impacts against reference solutions to 16 digits: times, velocities on both sides, energies, samples.

use carom::Model;
use carom::flow::{Flow, FlowOptions, FlowSchedule};
use serde_json::Value;
use std::path::PathBuf;

/// Errors below this many times `1e-15 x sensitivity` are rounding.
const ROUNDING: f64 = 100.0 * 1e-15;

fn cases() -> Vec<Value> {
    let text = include_str!("reference/impacts.json");
    serde_json::from_str(text).expect("a list of cases")
}

fn model(case: &Value) -> Model {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../papers");
    let path = folder.join(format!("{}.toml", case["model"].as_str().expect("a name")));
    let set: Vec<(String, String)> = case["set"]
        .as_object()
        .expect("settings")
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().expect("a text").to_owned()))
        .collect();
    Model::from_path(&path, &set).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn the_flow_reproduces_every_impact() {
    for case in cases() {
        let name = case["id"].as_str().expect("a name");
        let model = model(&case);
        let (q, v) = (numbers(&case["q0"]), numbers(&case["v0"]));
        let until = case["until"].as_f64().expect("a time").min(case["horizon"].as_f64().map_or(f64::INFINITY, |end| end - 1e-6));
        let last = case["impacts"].as_array().expect("impacts").last().expect("one")["t"].as_f64().expect("a time");
        // Beyond the recorded impacts of the wedge there are infinitely many.
        let until = if name.contains("wedge") { last + 1e-6 } else { until };
        let schedule = FlowSchedule { start: 0.0, until, output: until, max_step: f64::INFINITY };
        let flow = Flow::new(&model.system, FlowOptions::default()).expect("compiles");
        let run = flow.run(&q, &v, schedule, &mut |_| true).unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected: Vec<&Value> = case["impacts"]
            .as_array()
            .expect("impacts")
            .iter()
            .filter(|impact| impact["t"].as_f64().is_some_and(|t| t <= until))
            .collect();
        println!("{name}: {} impacts, {} steps", run.impacts.len(), run.statistics.steps);
        let times: Vec<f64> = run.impacts.iter().map(|impact| impact.t).collect();
        assert_eq!(run.impacts.len(), expected.len(), "{name}: {times:?}");
        for (found, wanted) in run.impacts.iter().zip(expected) {
            let sensitivity = wanted["sensitivity"].as_f64().expect("a number");
            let speed = found.v_minus.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
            let bound = ROUNDING * sensitivity.max(1.0) * speed;
            let t = (found.t - wanted["t"].as_f64().expect("a time")).abs();
            let errors = [
                t,
                difference(&found.q, &numbers(&wanted["q"])),
                difference(&found.v_minus, &numbers(&wanted["v_minus"])) / speed,
                difference(&found.v_plus, &numbers(&wanted["v_plus"])) / speed,
            ];
            println!("  t = {}: {errors:?} of {bound:.1e}", found.t);
            assert!(errors.iter().all(|error| *error <= bound), "{name} at {}: {errors:?}", found.t);
        }
    }
}
