//! Impacts against reference solutions to 16 digits: times, velocities on both sides, energies, samples.

use crate::reference_cases;

use carom::flow::{Flow, FlowOptions, FlowSchedule};
use carom::impact::{ContactOptions, JumpKind};
use reference_cases::{cases, compare_impacts, model, numbers, verify};

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
        eprintln!("{name}: {} impacts, {} steps", run.impacts.len(), run.statistics.steps);
        compare_impacts(&case, &run, until);
    }
}
