//! Declared orders of the discrete methods under velocity constraints, measured against the flow.

use carom::flow::{FlowFormulation, FlowOptions, HybridTaylor};
use carom::impact::{Smooth, Start, Watch};
use carom::{Formulation, Method, Model, Options, Stepper};

/// A particle in an uneven trough, a sleigh with its mass off the blade on a slope, a rolling disk in a field.
const MODELS: [&str; 3] = [
    "[coordinates]\nx = { initial = 0.7, velocity = 0.3 }\ny = { initial = -0.4, velocity = 0.5 }\n\
     z = { initial = 0.1, velocity = -0.12 }\n\
     [energy]\nkinetic = \"0.5*(x'^2 + y'^2 + z'^2)\"\npotential = \"0.5*x^2 + 0.5*y^2 + 0.25*x^4 + 0.3*x*y^2 + 0.2*z^2\"\n\
     [velocity_constraints]\ntilt = \"z' - y*x'\"\n",
    "[coordinates]\nx = { initial = 0, velocity = \"0.6*cos(0.3)\" }\ny = { initial = 0, velocity = \"0.6*sin(0.3)\" }\n\
     theta = { initial = 0.3, velocity = 0.8 }\n[parameters]\na = 0.3\n\
     [energy]\nkinetic = \"0.5*((x' - a*sin(theta)*theta')^2 + (y' + a*cos(theta)*theta')^2) + 0.2*theta'^2\"\n\
     potential = \"0.5*x + 0.1*y^2\"\n\
     [velocity_constraints]\nblade = \"sin(theta)*x' - cos(theta)*y'\"\n",
    "[coordinates]\nx = { initial = 0, velocity = \"0.9*cos(0.5)\" }\ny = { initial = 0, velocity = \"0.9*sin(0.5)\" }\n\
     theta = { initial = 0, velocity = 0.9 }\nphi = { initial = 0.5, velocity = -0.7 }\n\
     [energy]\nkinetic = \"0.5*(x'^2 + y'^2) + 0.3*theta'^2 + 0.2*phi'^2\"\npotential = \"0.4*x^2 + 0.3*y^2 + 0.2*x*y\"\n\
     [velocity_constraints]\nalong_x = \"x' - theta'*cos(phi)\"\nalong_y = \"y' - theta'*sin(phi)\"\n",
];

fn model(text: &str) -> Model {
    Model::from_text(text, "model.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Position and velocity of the flow at a time.
fn exact(model: &Model, formulation: FlowFormulation, until: f64) -> Vec<f64> {
    let mut flow = HybridTaylor::new(model.system.dynamics(), FlowOptions { formulation, ..FlowOptions::default() })
        .expect("compiles");
    let start = Start { t: 0.0, q: model.initial.q.clone(), v: model.initial.v.clone(), departure: None };
    flow.enter(&start, &[]).expect("starts");
    flow.advance(until, &mut Watch::default()).expect("runs");
    let n = start.q.len();
    let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
    flow.state(&mut q, &mut v).expect("a state");
    [q, v].concat()
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn error(model: &Model, method: &str, formulation: Formulation, steps: usize, until: f64, exact: &[f64]) -> f64 {
    let options = Options { formulation, ..Options::default() };
    let method = Method::parse(method).expect("a method");
    let mut stepper = Stepper::new(&model.system.dynamics(), &method, options).expect("compiles");
    stepper.start(0.0, &model.initial.q, &model.initial.v).expect("starts");
    for _ in 0..steps {
        stepper.step(until / steps as f64).unwrap_or_else(|error| panic!("{method}: {error}"));
    }
    let q = stepper.state().q.clone();
    difference(&[&q[..], stepper.velocity().expect("a velocity")].concat(), exact)
}

/// Orders within this of the declared ones; the highest are measured close to rounding.
const CLOSE: f64 = 0.1;

#[test]
fn order_of_every_method_under_velocity_constraints() {
    let methods = [
        "left",
        "retraction(0.25)",
        "right",
        "midpoint",
        "trapezoidal",
        "gni",
        "gauss2",
        "gauss3",
        "lobatto3",
        "lobatto4",
        "strang(left)",
        "suzuki(midpoint)",
        "triple-jump(trapezoidal)",
        "kahan-li6(midpoint)",
    ];
    for text in MODELS {
        let model = model(text);
        let until = 2.0;
        let exact = exact(&model, FlowFormulation::Multipliers, until);
        for method in methods {
            let declared = Method::parse(method).expect("a method").properties().order;
            let base = [0, 800, 400, 0, 60, 0, 20][declared];
            let counts = [base, base * 2];
            for formulation in Formulation::ALL {
                let errors = counts.map(|steps| error(&model, method, formulation, steps, until, &exact));
                let found = (errors[0] / errors[1]).log2();
                eprintln!("{method} {}: order {found:.2}, errors {errors:?}", formulation.name());
                assert!((found - declared as f64).abs() < CLOSE, "{method} {}: {found}", formulation.name());
            }
        }
    }
}

/// Lagrange's equations with multipliers and Hamel's in an adapted frame, both to rounding.
#[test]
fn flows_of_two_formulations_agree() {
    for text in MODELS {
        let model = model(text);
        let [a, b] = [FlowFormulation::Multipliers, FlowFormulation::Hamel].map(|f| exact(&model, f, 10.0));
        let distance = difference(&a, &b);
        eprintln!("{distance:.1e}");
        assert!(distance < 1e-12, "{distance:e}");
    }
}

/// The same numbers come back when the adjoint method goes backwards: (-) undoes (+) of the same map.
#[test]
fn steps_are_undone_by_their_adjoints() {
    for text in MODELS {
        let model = model(text);
        for method in [
            "left",
            "right",
            "retraction(0.3)",
            "midpoint",
            "trapezoidal",
            "gni",
            "gauss3",
            "lobatto3",
            "suzuki(midpoint)",
        ] {
            let method = Method::parse(method).expect("a method");
            for formulation in Formulation::ALL {
                let options = Options { formulation, ..Options::default() };
                let dynamics = model.system.dynamics();
                let mut forward = Stepper::new(&dynamics, &method, options).expect("compiles");
                let mut backward = Stepper::new(&dynamics, &method.adjoint(), options).expect("compiles");
                forward.start(0.0, &model.initial.q, &model.initial.v).expect("starts");
                (0..200).for_each(|_| forward.step(0.01).expect("a step"));
                let (q, v) = (forward.state().q.clone(), forward.velocity().expect("a velocity").to_vec());
                let back = if method.reflects() { &mut forward } else { &mut backward };
                if !method.reflects() {
                    back.start(2.0, &q, &v).expect("starts");
                }
                (0..200).for_each(|_| back.step(-0.01).expect("a step"));
                let (q, v) = (back.state().q.clone(), back.velocity().expect("a velocity").to_vec());
                let distance = difference(&q, &model.initial.q).max(difference(&v, &model.initial.v));
                assert!(distance < 1e-12, "{method} {}: {distance:e}", formulation.name());
            }
        }
    }
}
