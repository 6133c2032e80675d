//! One model, several formulations, one answer: the discrete methods against the continuous flow,
//! and coordinates with constraints against coordinates without.

use carom::flow::{Flow, FlowOptions, FlowSchedule};
use carom::{Formulation, Method, Model, Options, Schedule, Simulation, Trajectory};
use std::path::PathBuf;

fn example(name: &str) -> Model {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    Model::from_path(&path, &[]).expect("the examples are in order")
}

fn flow(model: &Model, until: f64) -> Trajectory {
    let schedule = FlowSchedule { start: 0.0, until, output: until / 10.0, max_step: f64::INFINITY };
    let flow = Flow::new(&model.system, FlowOptions::default()).expect("compiles");
    flow.run(&model.initial.q, &model.initial.v, schedule, &mut |_| true).expect("runs")
}

fn discrete(model: &Model, method: &str, until: f64, step: f64, formulation: Formulation) -> Trajectory {
    let method = Method::parse(method).expect("a method");
    let options = Options { formulation, ..Options::default() };
    let simulation = Simulation::new(&model.system, &method, options).expect("compiles");
    let schedule = Schedule { start: 0.0, until, step, every: usize::MAX };
    simulation.run(&model.initial.q, &model.initial.v, schedule, &mut |_| true).expect("runs")
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// What a method can do with a model.
fn formulations(model: &Model, method: &str) -> Vec<Formulation> {
    let is_hamel = method.contains("midpoint") && !model.system.velocity_constraints().is_empty();
    let fits = |formulation: &Formulation| *formulation != Formulation::Hamel || is_hamel;
    Formulation::ALL.into_iter().filter(fits).collect()
}

#[test]
fn every_example_moves_the_same_in_discrete_and_continuous_time() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        // Beside the models there are folders.
        if !name.ends_with(".toml") {
            continue;
        }
        let model = example(&name);
        // Impacts belong to neither, and degenerate systems have no flow.
        if !model.system.contacts().is_empty() || model.system.dynamics().degeneracy() > 0 {
            continue;
        }
        seen += 1;
        let truth = flow(&model, 2.0);
        let truth = truth.last().expect("nodes");
        let step = model.settings.step.map_or(0.01, |step| 0.5 * step).min(0.01);
        for method in ["gauss4", "lobatto5", "kahan-li8(midpoint)"] {
            for formulation in formulations(&model, method) {
                let run = discrete(&model, method, 2.0, step, formulation);
                let found = run.last().expect("nodes");
                let pairs = [(found.q, truth.q), (found.v, truth.v), (found.p, truth.p)];
                let error = pairs.map(|(a, b)| difference(a, b)).into_iter().fold(0.0, f64::max);
                assert!(error < 1e-8, "{name}, {method}, {formulation:?}: {error:.1e}");
                assert!((found.energy - truth.energy).abs() < 1e-8, "{name}, {method}: energy");
                let tension = difference(found.multipliers, truth.multipliers);
                assert!(tension < 1e-6, "{name}, {method}: multipliers off by {tension:.1e}");
            }
        }
    }
    assert!(seen >= 14, "only {seen} examples were compared");
}

const ANGLES: &str = r#"
name = "double pendulum, angles"
[parameters]
g = 9.81
[coordinates]
a = 1.2
b = 0.3
[definitions]
x1 = "sin(a)"
y1 = "-cos(a)"
x2 = "x1 + sin(b)"
y2 = "y1 - cos(b)"
[energy]
kinetic = "0.5*(x1'^2 + y1'^2) + 0.5*(x2'^2 + y2'^2)"
potential = "g*(y1 + y2)"
"#;

const CARTESIAN: &str = r#"
name = "double pendulum, constrained"
[parameters]
g = 9.81
[coordinates]
x1 = "sin(1.2)"
y1 = "-cos(1.2)"
x2 = "sin(1.2) + sin(0.3)"
y2 = "-cos(1.2) - cos(0.3)"
[energy]
kinetic = "0.5*(x1'^2 + y1'^2) + 0.5*(x2'^2 + y2'^2)"
potential = "g*(y1 + y2)"
[constraints]
first = "x1^2 + y1^2 - 1"
second = "(x2 - x1)^2 + (y2 - y1)^2 - 1"
"#;

/// Position of the second mass.
fn tip(angles: &[f64]) -> [f64; 2] {
    [angles[0].sin() + angles[1].sin(), -angles[0].cos() - angles[1].cos()]
}

#[test]
fn constrained_and_minimal_coordinates_agree() {
    let angles = Model::from_text(ANGLES, "angles.toml", &[]).expect("a model");
    let cartesian = Model::from_text(CARTESIAN, "cartesian.toml", &[]).expect("a model");
    let until = 3.0;
    let expected = tip(flow(&angles, until).last().expect("nodes").q);
    let by_flow = flow(&cartesian, until);
    assert!(difference(&by_flow.last().expect("nodes").q[2..], &expected) < 1e-11);
    for formulation in formulations(&cartesian, "gauss4") {
        let run = discrete(&cartesian, "gauss4", until, 0.005, formulation);
        assert!(difference(&run.last().expect("nodes").q[2..], &expected) < 1e-10, "{formulation:?}");
        assert!(run.constraint_error() < 1e-13);
    }
}
