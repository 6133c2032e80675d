//! Orders of the discrete methods across impacts, measured against reference solutions.

use carom::impact::{ContactOptions, JumpKind};
use carom::{Method, Model, Options, Schedule, Simulation};
use serde_json::Value;
use std::path::PathBuf;

fn case(id: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("reference/impacts.json")).expect("a list of cases");
    all.as_array().expect("a list").iter().find(|case| case["id"] == id).expect("a case").clone()
}

fn model(case: &Value) -> Model {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../papers");
    let path = folder.join(format!("{}.toml", case["model"].as_str().expect("a name")));
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let set: Vec<(String, String)> =
        case["set"].as_object().expect("settings").iter().map(|(name, value)| (name.clone(), text(value))).collect();
    Model::from_path(&path, &set).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Errors of the `index`-th impact: time, velocity before, velocity after, energy after.
fn errors(case: &Value, method: &str, jump: JumpKind, h: f64, index: usize) -> [f64; 4] {
    let model = model(case);
    let wanted = &case["impacts"][index];
    let time = wanted["t"].as_f64().expect("a time");
    let options = Options { contacts: ContactOptions { jump, ..ContactOptions::default() }, ..Options::default() };
    let simulation = Simulation::new(&model.system, &Method::parse(method).expect("a method"), options).expect("compiles");
    // One more step: the variational jump is known after the segment that follows it.
    let schedule = Schedule { start: 0.0, until: time + 1.5 * h, step: h, every: usize::MAX };
    let (q, v) = (numbers(&case["q0"]), numbers(&case["v0"]));
    let run = simulation.run(&q, &v, schedule, &mut |_| true).unwrap_or_else(|error| panic!("{method}: {error}"));
    let found = run.impacts.get(index).unwrap_or_else(|| panic!("{method} h = {h}: {} impacts", run.impacts.len()));
    [
        (found.t - time).abs(),
        difference(&found.v_minus, &numbers(&wanted["v_minus"])),
        difference(&found.v_plus, &numbers(&wanted["v_plus"])),
        (found.energy_minus + found.energy_change - wanted["energy_plus"].as_f64().expect("a number")).abs(),
    ]
}

#[test]
fn orders_across_impacts() {
    for (id, index) in
        [("000-V-A-pendulum-low", 1), ("000-V-A-pendulum-high", 2), ("000-IV-D-bar-fsin", 1), ("001-3.5.1-wedge", 0)]
    {
        let case = case(id);
        let base = if id.contains("wedge") { 0.02 } else { 0.05 };
        for (method, order) in [("midpoint", 2), ("trapezoidal", 2), ("gauss2", 4), ("suzuki(midpoint)", 4), ("gauss3", 6)] {
            for jump in JumpKind::ALL {
                let steps = [base, base / 2.0, base / 4.0, base / 8.0];
                let all: Vec<[f64; 4]> = steps.iter().map(|&h| errors(&case, method, jump, h, index)).collect();
                println!("{id} {method} ({order}) {}: {:?}", jump.name(), all.iter().map(|e| e[0]).collect::<Vec<_>>());
                println!("      v+ {:?}", all.iter().map(|e| e[2]).collect::<Vec<_>>());
            }
        }
    }
}
