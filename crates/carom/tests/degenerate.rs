//! Degenerate Lagrangians in the variables `(q, v, p)`: vortices, predators and prey, a circuit.

use carom::{Method, Model, Options, Schedule, Simulation, SimulationError, Stepper, Trajectory};
use std::path::PathBuf;

fn example(name: &str) -> Model {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/{name}.toml"));
    Model::from_path(&path, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn text(text: &str) -> Model {
    Model::from_text(text, "model.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn end(model: &Model, method: &str, steps: usize, until: f64) -> (Vec<f64>, Vec<f64>) {
    let method = Method::parse(method).expect("a method");
    let mut stepper = Stepper::new(&model.system.dynamics(), &method, Options::default()).expect("compiles");
    stepper.start(0.0, &model.initial.q, &model.initial.v).expect("starts");
    (0..steps).for_each(|_| stepper.step(until / steps as f64).unwrap_or_else(|error| panic!("{method}: {error}")));
    (stepper.state().q.clone(), stepper.velocity().expect("a velocity").to_vec())
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn run(model: &Model, method: &str, step: f64, until: f64) -> Result<Trajectory, SimulationError> {
    let method = Method::parse(method).expect("a method");
    let schedule = Schedule { start: 0.0, until, step, every: 10 };
    let simulation = Simulation::new(&model.system, &method, Options::default())?;
    simulation.run(&model.initial.q, &model.initial.v, schedule, &mut |_| true)
}

/// Two equal vortices go round each other at the rate `gamma / (pi d^2)`.
const PAIR: &str = "name = \"pair\"
lagrangian = \"0.5*(y1*x1' - x1*y1' + y2*x2' - x2*y2') + 1/(4*pi)*log((x1 - x2)^2 + (y1 - y2)^2)\"
[coordinates]
x1 = 0.5
y1 = 0
x2 = -0.5
y2 = 0
";

#[test]
fn order_on_a_pair_of_vortices() {
    let model = text(PAIR);
    let (until, rate) = (3.0, 1.0 / std::f64::consts::PI);
    let (c, s) = ((rate * until).cos(), (rate * until).sin());
    let exact = [0.5 * c, 0.5 * s, -0.5 * c, -0.5 * s];
    for (method, order, steps) in [("midpoint", 2.0, 40), ("gauss2", 4.0, 10), ("gauss3", 6.0, 5)] {
        let errors = [steps, 2 * steps].map(|steps| difference(&end(&model, method, steps, until).0, &exact));
        let found = (errors[0] / errors[1]).log2();
        eprintln!("{method}: {found:.2} {errors:?}");
        assert!((found - order).abs() < 0.1, "{method}: {found} {errors:?}");
        // Velocities follow from the places, although nothing was said about them at the start.
        let (q, v) = end(&model, method, steps, until);
        let expected = [-q[1], q[0], -q[3], q[2]].map(|x| rate * x);
        assert!(difference(&v, &expected) < 1e-2 * rate * errors[0].max(1e-12) + 1e-12, "{method}: {v:?} {expected:?}");
    }
}

/// Predators and prey in two gauges: the one-form is linear in neither, and motions stay on `p = a(q)`.
#[test]
fn order_and_energy_for_a_one_form_that_is_not_linear() {
    let body = "[coordinates]\nx = 2.0\ny = 0.8\n\
                [definitions]\nH = \"0.5*x + 0.5*y - 1.5*log(x) - log(y)\"\n";
    for one_form in ["-log(y)*x'/x", "0.5*(log(x)*y'/y - log(y)*x'/x)"] {
        let model = text(&format!("name = \"prey\"\nlagrangian = \"{one_form} - H\"\n{body}"));
        let until = 10.0;
        let exact = end(&model, "gauss4", 2000, until).0;
        for (method, order, steps) in
            [("midpoint", 2.0, 400), ("gauss2", 4.0, 100), ("gauss3", 6.0, 60), ("suzuki(midpoint)", 4.0, 100)]
        {
            let errors = [steps, 2 * steps].map(|steps| difference(&end(&model, method, steps, until).0, &exact));
            let found = (errors[0] / errors[1]).log2();
            eprintln!("{one_form} {method}: {found:.2} {errors:?}");
            assert!((found - order).abs() < 0.2, "{one_form} {method}: {found} {errors:?}");
        }
        // Half a million steps without drift.
        let [short, long] = [50.0, 2e4].map(|until| run(&model, "midpoint", 0.04, until).expect("runs").energy_error());
        eprintln!("{one_form}: {short:e} {long:e}");
        assert!(long < 1.5 * short, "{one_form}: {short:e} {long:e}");
    }
}

#[test]
fn a_circuit_follows_its_closed_form() {
    let model = example("lc-circuit");
    let number = |name: &str| model.system.parameters().iter().find(|p| p.name == name).expect("a parameter").value;
    let parallel = number("c1") + number("c3");
    let rate = ((1.0 / number("c2") + 1.0 / parallel) / number("inductance")).sqrt();
    let until = 5.0;
    // The charge through the coil: ql'' = -rate^2 ql - (voltage over the coil at the start) / inductance.
    let offset = -number("voltage") / number("inductance") / (rate * rate);
    let exact = offset + (0.0 - offset) * (rate * until).cos() + number("current") / rate * (rate * until).sin();
    for (method, order, steps) in [("midpoint", 2.0, 200), ("gauss2", 4.0, 50)] {
        let errors = [steps, 2 * steps].map(|steps| (end(&model, method, steps, until).0[0] - exact).abs());
        let found = (errors[0] / errors[1]).log2();
        assert!((found - order).abs() < 0.1, "{method}: {found} {errors:?}");
    }
    let motion = run(&model, "midpoint", 0.01, 1e3).expect("runs");
    assert!(motion.energy_error() < 1e-12 && motion.constraint_error() < 1e-13);
}

#[test]
fn what_cannot_be_done_is_said() {
    let model = text(PAIR);
    for method in ["left", "trapezoidal", "lobatto3", "suzuki(trapezoidal)"] {
        let error = run(&model, method, 0.1, 1.0).expect_err("needs a regular Lagrangian");
        assert!(error.to_string().contains("methods that work: midpoint, gauss1"), "{error}");
    }
    // The equation of y says x = 0.
    let hidden = text("name = \"h\"\nlagrangian = \"0.5*x'^2 + y*x\"\n[coordinates]\nx = 1.0\ny = 0.0\n");
    let error = run(&hidden, "midpoint", 0.1, 1.0).expect_err("an inconsistent start");
    assert!(error.to_string().contains("do not balance"), "{error}");
    let wall = text(&format!("{PAIR}[contacts.wall]\ngap = \"2 - x1\"\n"));
    let error = run(&wall, "midpoint", 0.1, 1.0).expect_err("no impacts without inertia");
    assert!(error.to_string().contains("contact `wall` of a degenerate Lagrangian"), "{error}");
}

/// A light body beside a heavy one has inertia: nothing about it is degenerate.
#[test]
fn issue_4_light_bodies_are_not_massless() {
    let model = text(
        "name = \"light\"\nlagrangian = \"0.5*x'^2 + 0.5e-11*y'^2 - 0.5*x^2 - 0.5e-11*y^2\"\n\
         [coordinates]\nx = 1.0\ny = { initial = 1.0, velocity = 0.5 }\n",
    );
    assert_eq!(model.system.dynamics().degeneracy(), 0);
    let motion = run(&model, "trapezoidal", 0.01, 1.0).expect("runs");
    let last = motion.last().expect("nodes");
    assert!((last.v[1] * 1e-11 - last.p[1]).abs() < 1e-24, "{last:?}");
}
