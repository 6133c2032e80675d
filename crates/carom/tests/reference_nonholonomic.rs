//! Nonholonomic motions with impacts against reference solutions to 16 digits, by two formulations of the flow.

use crate::reference_cases;

use carom::flow::{Flow, FlowFormulation, FlowOptions, FlowSchedule, HybridTaylor};
use carom::impact::{ContactOptions, JumpKind, Life, Smooth};
use carom::{Formulation, Method, Options, Schedule, Simulation, Trajectory};
use reference_cases::{compare_impacts, difference, model, nonholonomic_cases, numbers, verify};
use serde_json::Value;

const FORMULATIONS: [FlowFormulation; 2] = [FlowFormulation::Multipliers, FlowFormulation::Hamel];

fn case(id: &str) -> Value {
    nonholonomic_cases().into_iter().find(|case| case["id"] == id).expect("a case")
}

#[test]
fn paper_impacts_by_multipliers_and_by_hamels_equations() {
    for case in nonholonomic_cases() {
        let model = model(&case);
        let until = case["until"].as_f64().expect("a time");
        for formulation in FORMULATIONS {
            let options = FlowOptions { formulation, ..FlowOptions::default() };
            let flow = Flow::new(&model.system, options).expect("compiles");
            let schedule = FlowSchedule { start: 0.0, until, output: until, max_step: f64::INFINITY };
            let run = flow.run(&numbers(&case["q0"]), &numbers(&case["v0"]), schedule, &mut |_| true);
            let run = run.unwrap_or_else(|error| panic!("{}: {error}", case["id"]));
            eprintln!("{} {formulation:?}: {} impacts", case["id"], run.impacts.len());
            verify(&model, &run, ContactOptions { jump: JumpKind::Pointwise, ..ContactOptions::default() });
            compare_impacts(&case, &run, until);
            assert!(run.constraint_error() < 1e-13, "{}: {:e}", case["id"], run.constraint_error());
        }
    }
}

#[test]
fn paper_states_between_impacts() {
    for case in nonholonomic_cases() {
        let model = model(&case);
        for formulation in FORMULATIONS {
            let options = FlowOptions { formulation, ..FlowOptions::default() };
            let mut motion = HybridTaylor::new(model.system.dynamics(), options).expect("compiles");
            let contacts = ContactOptions { jump: JumpKind::Pointwise, ..ContactOptions::default() };
            let mut life = Life::new(&model.system, contacts).expect("compiles");
            let mut log = Trajectory::new(model.system.coordinate_names(), Vec::new(), "taylor");
            let (q0, v0) = (numbers(&case["q0"]), numbers(&case["v0"]));
            life.begin(&mut motion, (0.0, &q0, &v0), &[false], &mut log).expect("starts");
            // Errors made where the motion was fast or sensitive are still there where it is not.
            let mut scale = 1.0_f64;
            for sample in case["samples"].as_array().expect("samples") {
                let number = |name: &str| sample[name].as_f64().expect("a number");
                life.advance(&mut motion, number("t"), &mut log).expect("runs");
                let (mut q, mut v) = (q0.clone(), v0.clone());
                motion.state(&mut q, &mut v).expect("a state");
                let speed = v.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
                scale = scale.max(number("sensitivity") * speed);
                let bound = 1e-13 * scale;
                let error = difference(&q, &numbers(&sample["q"])).max(difference(&v, &numbers(&sample["v"])));
                assert!(error <= bound, "{} {formulation:?} t = {}: {error:e} of {bound:e}", case["id"], number("t"));
            }
        }
    }
}

/// Counts of impacts as printed: 3 in 5 s, 76 in 100 s, by the method of the paper (left rule, variational
/// jump, step 1e-4), and by others.
#[test]
fn paper_pendulum_by_its_own_method() {
    let case = case("004-4.3-pendulum");
    let model = model(&case);
    let run = |method: &str, formulation, jump, h: f64, until: f64| {
        let contacts = ContactOptions { jump, ..ContactOptions::default() };
        let options = Options { formulation, contacts, ..Options::default() };
        let simulation = Simulation::new(&model.system, &Method::parse(method).expect("a method"), options);
        let schedule = Schedule { start: 0.0, until, step: h, every: 100 };
        let (q, v) = (numbers(&case["q0"]), numbers(&case["v0"]));
        let run = simulation.expect("compiles").run(&q, &v, schedule, &mut |_| true).expect("runs");
        verify(&model, &run, contacts);
        eprintln!("{method} {}: {} impacts, energy {:e}", jump.name(), run.impacts.len(), run.energy_error());
        run
    };
    for jump in JumpKind::ALL {
        assert_eq!(run("left", Formulation::Multipliers, jump, 1e-3, 5.0).impacts.len(), 3);
    }
    assert_eq!(run("left", Formulation::Multipliers, JumpKind::Variational, 1e-4, 100.0).impacts.len(), 76);
    for formulation in Formulation::ALL {
        assert_eq!(run("midpoint", formulation, JumpKind::Variational, 1e-3, 100.0).impacts.len(), 76);
    }
}
