//! Impacts against reference solutions to 16 digits: times, velocities on both sides, energies, samples.

mod reference_cases;

use carom::flow::{Flow, FlowOptions, FlowSchedule};
use carom::impact::{ContactOptions, JumpKind};
use reference_cases::{cases, difference, model, numbers, verify};
use serde_json::Value;

/// Errors below this many times `1e-15 x sensitivity` are rounding.
const ROUNDING: f64 = 100.0 * 1e-15;

#[test]
fn the_flow_reproduces_every_impact() {
    for case in cases() {
        let name = case["id"].as_str().expect("a name");
        let model = model(&case);
        let (q, v) = (numbers(&case["q0"]), numbers(&case["v0"]));
        let until = case["until"]
            .as_f64()
            .expect("a time")
            .min(case["horizon"].as_f64().map_or(f64::INFINITY, |end| end - 1e-6));
        let last = case["impacts"].as_array().expect("impacts").last().expect("one")["t"].as_f64().expect("a time");
        // Beyond the recorded impacts of the wedge there are infinitely many.
        let until = if name.contains("wedge") { last + 1e-6 } else { until };
        let schedule = FlowSchedule { start: 0.0, until, output: until, max_step: f64::INFINITY };
        let flow = Flow::new(&model.system, FlowOptions::default()).expect("compiles");
        let run = flow.run(&q, &v, schedule, &mut |_| true).unwrap_or_else(|error| panic!("{name}: {error}"));
        verify(&model, &run, ContactOptions { jump: JumpKind::Pointwise, ..ContactOptions::default() });
        let expected: Vec<&Value> = case["impacts"]
            .as_array()
            .expect("impacts")
            .iter()
            .filter(|impact| impact["t"].as_f64().is_some_and(|t| t <= until))
            .collect();
        eprintln!("{name}: {} impacts, {} steps", run.impacts.len(), run.statistics.steps);
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
            assert!(errors.iter().all(|error| *error <= bound), "{name} at {}: {errors:?}", found.t);
        }
    }
}
