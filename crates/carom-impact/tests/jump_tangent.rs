//! The derivative of a jump against differences of the jump itself.

use carom_expr::Backend;
use carom_impact::{Before, ContactLaw, Geometry, JumpTangent, Multiple, NotDifferentiable, Resolver};
use carom_model::{ContactImpulse, Dynamics, Impact, Legendre, Model, System};

const ROD: &str = r#"
lagrangian = "0.5*m*(x'^2 + y'^2) + 0.5*J*th'^2*(1 + 0.1*x^2) - m*9.81*y"
[parameters]
m = 1.3
J = 0.2
e = 0.6
mu = 0.15
h = 0.1
[coordinates]
x = 0.2
y = { initial = 0.5, velocity = -1.0 }
th = 0.7
[contacts.tip]
gap = "y - 0.6*sin(th) - h*x^2"
"#;

fn system(law: &str) -> System {
    Model::from_text(&format!("{ROD}{law}"), "rod.toml", &[]).expect("the model is right").system
}

/// Position and velocity before, in contact to rounding: the gap does not enter the jump.
const STATE: [f64; 6] = [0.2, 0.39, 0.7, 0.4, -1.1, 0.9];

struct Jumper {
    resolver: Resolver,
    geometry: Geometry,
    legendre: Legendre,
}

impl Jumper {
    fn new(system: &System) -> Self {
        let dynamics: std::sync::Arc<Dynamics> = system.dynamics();
        let backend = Backend::Interpreter;
        let resolver = Resolver {
            laws: ContactLaw::all(system, &dynamics, backend).unwrap(),
            names: system.contacts().iter().map(|c| c.name.clone()).collect(),
            contact_of: dynamics.surfaces.iter().map(|s| s.contact).collect(),
            is_quadratic: true,
            multiple: Multiple::Sequential,
            frame: None,
        };
        let geometry = Geometry::new(&dynamics, backend).unwrap();
        Self { resolver, geometry, legendre: Legendre::new(&dynamics, backend).unwrap() }
    }

    fn jump(&mut self, state: &[f64]) -> Impact {
        let (q, v) = state.split_at(3);
        self.geometry.at(q, v, 0.0);
        let before = Before { t: 0.0, q, v };
        let resolved = self.resolver.resolve(before, &[0], &self.geometry, &mut self.legendre).unwrap();
        let impulse = &resolved.impulses[0].values;
        let impulses =
            vec![ContactImpulse { contact: 0, surface: 0, normal: impulse[0], tangential: impulse[1..].to_vec() }];
        let (q, v_minus) = (q.to_vec(), v.to_vec());
        Impact {
            t: 0.0,
            bracket: (0.0, 0.0),
            impulses,
            law: String::new(),
            q,
            q_plus: resolved.q_plus,
            v_plus: resolved.v_plus,
            p_minus: Vec::new(),
            p_plus: Vec::new(),
            energy_minus: 0.0,
            energy_change: 0.0,
            balance: carom_model::Balance { push: resolved.push, ..Default::default() },
            iterations: 1,
            v_minus,
        }
    }

    fn after(&mut self, state: &[f64]) -> Vec<f64> {
        let impact = self.jump(state);
        [impact.q_plus, impact.v_plus].concat()
    }
}

/// Fourth-order differences.
fn difference(mut f: impl FnMut(f64) -> Vec<f64>) -> Vec<f64> {
    let h = 1e-3;
    let values = [-2.0, -1.0, 1.0, 2.0].map(|k| f(k * h));
    let weights = [1.0, -8.0, 8.0, -1.0];
    (0..6).map(|i| values.iter().zip(weights).map(|(v, w)| w * v[i]).sum::<f64>() / (12.0 * h)).collect()
}

fn agrees(law: &str, kept: &[&str]) {
    let kept: Vec<String> = kept.iter().map(|name| (*name).to_owned()).collect();
    let own = system(law);
    let value = |name: &str| own.parameters().iter().find(|p| p.name == name).map(|p| p.value).unwrap();
    let values: Vec<f64> = kept.iter().map(|name| value(name)).collect();
    let impact = Jumper::new(&own).jump(&STATE);
    let mut tangent = JumpTangent::new(&own, &kept, Backend::Interpreter).unwrap();
    let derivative = tangent.at(&impact, &[], &values).unwrap();
    let mut jumper = Jumper::new(&own);
    for j in 0..6 {
        let column = difference(|d| {
            let mut state = STATE;
            state[j] += d;
            jumper.after(&state)
        });
        for (i, expected) in column.iter().enumerate() {
            let found = derivative.state[i * 6 + j];
            assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{law} {i} {j}: {found} {expected}");
        }
    }
    for (j, name) in kept.iter().enumerate() {
        let column = difference(|d| {
            let text = format!("{ROD}{law}")
                .replace(&format!("\n{name} = {}", value(name)), &format!("\n{name} = {}", value(name) + d));
            let moved = Model::from_text(&text, "rod.toml", &[]).expect("the model is right").system;
            Jumper::new(&moved).after(&STATE)
        });
        for (i, expected) in column.iter().enumerate() {
            let found = derivative.parameters[i * kept.len() + j];
            assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{law} {name}: {found} {expected}");
        }
    }
}

#[test]
fn every_law_has_the_derivative_of_its_jump() {
    agrees("law = \"elastic\"", &["m", "J", "h"]);
    agrees("law = \"newton\"\nrestitution = \"e\"", &["m", "e", "h"]);
    agrees("law = \"lossful\"\nloss = \"0.05*m*y'^2\"\nimpulse = { x = \"-0.1*m*x'\" }", &["m", "h"]);
    agrees(
        "law = \"moreau\"\nrestitution = \"e\"\nfriction = \"mu\"\ntangent = \"x + 0.6*cos(th)\"",
        &["e", "mu", "J"],
    );
    agrees("law = \"moreau\"\nrestitution = \"e\"\nfriction = 5.0\ntangent = \"x + 0.6*cos(th)\"", &["e", "J"]);
    agrees(
        "law = \"poisson\"\nrestitution = \"e\"\nfriction = \"mu\"\ntangent = \"x + 0.6*cos(th)\"",
        &["e", "mu", "m"],
    );
    agrees("law = \"poisson\"\nrestitution = \"e\"\nfriction = 5.0\ntangent = \"x + 0.6*cos(th)\"", &["e", "m"]);
    agrees("law = \"plastic\"\ntangent = \"x + 0.6*cos(th)\"", &["m", "h"]);
    agrees("law = \"plastic\"", &["m", "h"]);
    agrees(
        "law = \"reset\"\nposition = { th = \"-th\" }\nvelocity = { th = \"e*th'*cos(x)\", x = \"x' + h*y\" }",
        &["e", "h"],
    );
}

#[test]
fn grazing_has_no_derivative() {
    let own = system("law = \"elastic\"");
    let mut impact = Jumper::new(&own).jump(&STATE);
    // The velocity along the surface.
    let (q, mut v) = (impact.q.clone(), impact.v_minus.clone());
    v[1] = 0.6 * q[2].cos() * v[2] + 0.2 * q[0] * v[0];
    (impact.v_minus, impact.v_plus) = (v.clone(), v);
    impact.impulses[0].normal = 0.0;
    let error = JumpTangent::new(&own, &[], Backend::Interpreter).unwrap().at(&impact, &[], &[]).unwrap_err();
    assert!(matches!(error, NotDifferentiable::Grazing { .. }), "{error}");
    assert!(error.to_string().contains("`tip` is grazed"), "{error}");
}
