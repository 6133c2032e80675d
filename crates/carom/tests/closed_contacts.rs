//! Closed contacts: Painleve's rod, and constraints by multipliers and in the null space through impacts.

use crate::reference_cases;

use carom::flow::{Flow, FlowOptions, FlowSchedule};
use carom::impact::{ContactOptions, JumpKind, diagnose};
use carom::model::FindingKind;
use carom::{Formulation, Method, Model, Options, Schedule, Simulation, Trajectory};
use reference_cases::{case, difference, model, numbers, verify};

/// A uniform rod whose lower end slides on the floor, to the side that it leans to.
fn rod(friction: f64) -> Model {
    let text = format!(
        r#"
        [parameters]
        mu = {friction}
        theta0 = "atan(2)"
        [coordinates]
        x = {{ initial = "-0.5*cos(theta0)", velocity = 1.0 }}
        y = {{ initial = "0.5*sin(theta0)" }}
        theta = {{ initial = "theta0" }}
        [energy]
        kinetic = "0.5*(x'^2 + y'^2) + theta'^2/24"
        potential = "9.81*y"
        [definitions]
        end_x = "x + 0.5*cos(theta)"
        end_y = "y - 0.5*sin(theta)"
        [contacts.end]
        gap = "end_y"
        tangent = "end_x"
        law = "plastic"
        friction = "mu"
        closed = true
        "#
    );
    Model::from_text(&text, "rod.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn flow(model: &Model, until: f64) -> Result<Trajectory, carom::flow::FlowError> {
    let schedule = FlowSchedule { start: 0.0, until, output: until / 10.0, max_step: f64::INFINITY };
    let flow = Flow::new(&model.system, FlowOptions::default()).expect("compiles");
    flow.run(&model.initial.q, &model.initial.v, schedule, &mut |_| true)
}

/// The rod is singular if `mu >= (t^2 + 4) / (3 t)`, `t = tan theta`: 4/3 at `tan theta = 2`.
#[test]
fn exact_painleve_begins_at_four_thirds() {
    let below = rod(4.0 / 3.0 - 0.01);
    let run = flow(&below, 1e-4).expect("a motion");
    let found = diagnose(&below.system, &run).expect("compiles");
    assert!(found.iter().all(|finding| finding.kind != FindingKind::Painleve), "{found:?}");
    let above = rod(4.0 / 3.0 + 0.01);
    let failure = flow(&above, 1e-4).expect_err("no motion").to_string();
    assert!(failure.contains("Painleve") && failure.contains("`end`"), "{failure}");
}

/// A motion that somebody else computed is inspected just the same.
#[test]
fn a_foreign_trajectory_is_diagnosed() {
    let model = rod(4.0 / 3.0 + 0.01);
    let mut run = flow(&rod(0.1), 1e-3).expect("a motion");
    let found = diagnose(&model.system, &run).expect("compiles");
    assert!(found.iter().any(|finding| finding.kind == FindingKind::Painleve), "{found:?}");
    // Lower every node by a tenth: the floor is passed.
    run.q.iter_mut().skip(1).step_by(3).for_each(|y| *y -= 0.1);
    let found = diagnose(&model.system, &run).expect("compiles");
    let missed = found.iter().find(|finding| finding.kind == FindingKind::MissedContact).expect("a finding");
    assert!((missed.value + 0.1).abs() < 1e-2, "{missed:?}");
}

fn discrete(id: &str, formulation: Formulation, jump: JumpKind) -> Trajectory {
    let case = case(id);
    let model = model(&case);
    let contacts = ContactOptions { jump, ..ContactOptions::default() };
    let options = Options { formulation, contacts, ..Options::default() };
    let method = Method::parse("gauss2").expect("a method");
    let simulation = Simulation::new(&model.system, &method, options).expect("compiles");
    let until = if id.contains("wedge") { 0.25 } else { 2.0 };
    let schedule = Schedule { start: 0.0, until, step: until / 100.0, every: 1 };
    let (q, v) = (numbers(&case["q0"]), numbers(&case["v0"]));
    let run = simulation.run(&q, &v, schedule, &mut |_| true).unwrap_or_else(|error| panic!("{id}: {error}"));
    verify(&model, &run, contacts);
    run
}

#[test]
fn multipliers_and_null_space_agree_through_impacts() {
    for id in ["000-IV-D-bar-fsin", "001-3.5.1-wedge"] {
        for jump in JumpKind::ALL {
            let both = [Formulation::Multipliers, Formulation::NullSpace];
            let [a, b] = both.map(|formulation| discrete(id, formulation, jump));
            assert_eq!(a.impacts.len(), b.impacts.len());
            assert!(a.impacts.len() >= 2, "{id}");
            for (x, y) in a.impacts.iter().zip(&b.impacts) {
                assert!((x.t - y.t).abs() < 1e-11, "{id} {}: {} {}", jump.name(), x.t, y.t);
                assert!(difference(&x.v_plus, &y.v_plus) < 1e-9, "{id} {}", jump.name());
            }
            assert!(difference(&a.q, &b.q) < 1e-9, "{id} {}", jump.name());
        }
    }
}

/// A leg that falls over is stretched until its foot can neither stick nor slip: the run ends, and says so.
#[test]
fn changes_of_mode_without_end_are_refused() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hopping-leg.toml");
    let text = std::fs::read_to_string(path).expect("an example");
    let limp = text.replace("stiffness = 10\nrest = \"-bend/2\"\ndamping = 0.3\n", "");
    assert_ne!(limp, text);
    let model = Model::from_text(&limp, "leg.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let simulation = Simulation::new(&model.system, &Method::parse("gauss2").expect("a method"), Options::default())
        .expect("compiles");
    let schedule = Schedule { start: 0.0, until: 1.5, step: 0.005, every: 1 };
    let run = simulation.run(&model.initial.q, &model.initial.v, schedule, &mut |_| true);
    for failure in [run.expect_err("no motion").to_string(), flow(&model, 1.5).expect_err("no motion").to_string()] {
        assert!(failure.contains("change without end") && failure.contains("`ground`"), "{failure}");
        assert!(failure.contains("at t = 1.489"), "{failure}");
    }
}
