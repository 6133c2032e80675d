//! Second derivatives of smooth runs: known values, and differences of the exact first ones.

use carom_discrete::{DiscreteTangent, Gradient, Method, Options, Schedule, SecondDerivative, Simulation};
use carom_impact::NotDifferentiable;
use carom_model::Model;

const OSCILLATOR: &str = r#"
lagrangian = "0.5*x'^2 - 0.5*k*x^2"
[parameters]
k = 2.3
[coordinates]
x = 0.7
"#;

/// Everything that can bend: a mass matrix of the configuration, forces of the rates, time.
const CHAIN: &str = r#"
lagrangian = "0.5*m*l^2*(2*a'^2 + b'^2 + 2*a'*b'*cos(a - b)) + m*g*l*(2*cos(a) + cos(b)) + 0.1*a*sin(2*t)"
[parameters]
m = 1.2
l = 0.8
g = 9.81
c = 0.05
[coordinates]
a = { initial = 0.9, velocity = -0.3 }
b = { initial = -0.4, velocity = 0.8 }
[forces]
a = "-c*a'*abs(1 + a'^2)"
"#;

/// A run of a model with some values replaced, and its derivatives.
struct Run {
    tangent: DiscreteTangent,
    record: carom_discrete::Record,
}

impl Run {
    fn new(text: &str, set: &[(String, f64)], kept: &[&str], method: &str, (step, until): (f64, f64)) -> Self {
        let set: Vec<(String, String)> = set.iter().map(|(name, value)| (name.clone(), format!("{value:?}"))).collect();
        let model = Model::from_text(text, "model.toml", &set).unwrap();
        let (method, options) = (Method::parse(method).unwrap(), Options { tolerance: 1e-15, ..Options::default() });
        let schedule = Schedule { start: 0.0, until, step, every: 1 };
        let simulation = Simulation::new(&model.system, &method, options).unwrap();
        let (_, record) = simulation.run_recorded(&model.initial.q, &model.initial.v, schedule, &mut |_| true).unwrap();
        Self { tangent: DiscreteTangent::new(&model.system, kept, &method, options).unwrap(), record }
    }

    fn second(&mut self, covector: &[f64]) -> Result<SecondDerivative, NotDifferentiable> {
        self.tangent.second(&self.record, covector)
    }

    fn gradient(&mut self, covector: &[f64]) -> Vec<f64> {
        let end = self.record.nodes() - 1;
        let Gradient { state, parameters } = self.tangent.adjoint(&self.record, &[(end, covector.to_vec())]).unwrap();
        [state, parameters].concat()
    }
}

/// The midpoint rule turns the oscillator by `2 atan(h sqrt(k)/2)` in a step.
#[test]
fn exact_oscillator_by_the_midpoint_rule() {
    let (k, x0, h, steps) = (2.3_f64, 0.7, 0.1, 25.0);
    let second = Run::new(OSCILLATOR, &[], &["k"], "midpoint", (h, h * steps)).second(&[1.0, 0.0]).unwrap();
    let u = h * k.sqrt() / 2.0;
    let (du, ddu) = (h / (4.0 * k.sqrt()), -h / (8.0 * k.powf(1.5)));
    let angle = steps * 2.0 * u.atan();
    let slope = steps * 2.0 * du / (1.0 + u * u);
    let bend = steps * (2.0 * ddu / (1.0 + u * u) - 4.0 * u * du * du / (1.0 + u * u).powi(2));
    let by_k = -x0 * angle.sin() * slope;
    let by_kk = -x0 * (angle.cos() * slope * slope + angle.sin() * bend);
    // Rows of (x0, v0, k); the motion is linear in its start.
    assert!((second.gradient[2] - by_k).abs() < 1e-13, "{second:?} {by_k}");
    assert!((second.hessian[8] - by_kk).abs() < 1e-13, "{second:?} {by_kk}");
    assert!((second.hessian[2] + angle.sin() * slope).abs() < 1e-13, "{second:?}");
    assert!(second.hessian[..2].iter().chain(&second.hessian[3..5]).all(|value| value.abs() < 1e-14), "{second:?}");
}

/// The Hessian is the derivative of the gradient, which is exact: central differences of order 6.
#[test]
fn hessians_are_differences_of_gradients() {
    let kept = ["m", "l", "g", "c"];
    let names = ["a", "b", "a'", "b'", "m", "l", "g", "c"];
    let start = [0.9, -0.4, -0.3, 0.8, 1.2, 0.8, 9.81, 0.05];
    let covector = [0.3, -1.0, 0.7, 0.2];
    for method in ["midpoint", "gauss2", "lobatto3", "suzuki(midpoint)"] {
        let mut run = Run::new(CHAIN, &[], &kept, method, (0.05, 0.98));
        let second = run.second(&covector).unwrap();
        let size = names.len();
        for (a, b) in second.gradient.iter().zip(run.gradient(&covector)) {
            assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{method}: {a} {b}");
        }
        let scale = second.hessian.iter().fold(1.0_f64, |most, value| most.max(value.abs()));
        for (j, (name, value)) in names.iter().zip(start).enumerate() {
            let at = |shift: f64| {
                let set = [((*name).to_owned(), value + shift)];
                Run::new(CHAIN, &set, &kept, method, (0.05, 0.98)).gradient(&covector)
            };
            let d = 2e-3;
            let [p1, m1, p2, m2, p3, m3] = [d, -d, 2.0 * d, -2.0 * d, 3.0 * d, -3.0 * d].map(at);
            for i in 0..size {
                let found = second.hessian[i * size + j];
                let difference = (45.0 * (p1[i] - m1[i]) - 9.0 * (p2[i] - m2[i]) + (p3[i] - m3[i])) / (60.0 * d);
                assert!((found - difference).abs() < 1e-8 * scale, "{method}: {i} {j}: {found} {difference}");
                let mirrored = second.hessian[j * size + i];
                assert!((found - mirrored).abs() < 1e-13 * scale, "{method}: {found} {mirrored}");
            }
        }
    }
}

/// Where it is not cheap it is not guessed.
#[test]
fn impacts_and_constraints_are_refused() {
    let ball =
        "lagrangian = \"0.5*y'^2 - y\"\n[coordinates]\ny = 0.1\n[contacts.floor]\ngap = \"y\"\nlaw = \"elastic\"\n";
    let refused = Run::new(ball, &[], &[], "midpoint", (0.1, 1.0)).second(&[1.0, 0.0]);
    assert!(
        matches!(&refused, Err(NotDifferentiable::NotSupported { what, .. }) if what.contains("impacts")),
        "{refused:?}"
    );
    // Before the first impact it is smooth.
    let smooth = Run::new(ball, &[], &[], "midpoint", (0.1, 0.4)).second(&[1.0, 0.0]);
    assert!(smooth.is_ok(), "{smooth:?}");
    let rod = "lagrangian = \"0.5*(x'^2 + y'^2) - y\"\n[coordinates]\nx = 1.0\ny = 0.0\n[constraints]\nrod = \"x^2 + y^2 - 1\"\n";
    let refused = Run::new(rod, &[], &[], "midpoint", (0.1, 1.0)).second(&[1.0, 0.0, 0.0, 0.0]);
    assert!(
        matches!(&refused, Err(NotDifferentiable::NotSupported { what, .. }) if what.contains("constraints")),
        "{refused:?}"
    );
}
