//! Derivatives with known values, and motions that have none.

use carom_discrete::{Derivative, DiscreteTangent, Method, Options, Schedule, Simulation};
use carom_impact::NotDifferentiable;
use carom_model::Model;

fn derivative(text: &str, kept: &[&str], method: &str, step: f64, until: f64) -> Result<Derivative, NotDifferentiable> {
    let model = Model::from_text(text, "model.toml", &[]).unwrap();
    let (method, options) = (Method::parse(method).unwrap(), Options::default());
    let schedule = Schedule { start: 0.0, until, step, every: 1 };
    let simulation = Simulation::new(&model.system, &method, options).unwrap();
    let (_, record) = simulation.run_recorded(&model.initial.q, &model.initial.v, schedule, &mut |_| true).unwrap();
    DiscreteTangent::new(&model.system, kept, &method, options)?.forward(&record)
}

fn ball(law: &str, gravity: f64) -> String {
    format!(
        "lagrangian = \"0.5*m*y'^2 - m*g*y\"\n[parameters]\nm = 1.0\ng = {gravity}\ne = 0.8\n\
         [coordinates]\ny = {{ initial = 1.0, velocity = -2.0 }}\n[contacts.floor]\ngap = \"y\"\n{law}\n"
    )
}

/// One elastic bounce without gravity: the height after it is `-(y0 + v0 t)`, its derivatives -1 and -t.
#[test]
fn one_bounce_to_rounding() {
    for method in ["midpoint", "gauss3", "strang(left)"] {
        let found = derivative(&ball("law = \"elastic\"", 0.0), &["m"], method, 0.07, 1.25).unwrap();
        let expected = [-1.0, -1.25, 0.0, -1.0];
        for (a, b) in found.state.iter().zip(expected) {
            assert!((a - b).abs() < 4e-15, "{method}: {:?}", found.state);
        }
        assert!(found.parameters.iter().all(|d| d.abs() < 1e-15), "{:?}", found.parameters);
        // The impact happens at t = -y0/v0.
        let [by_y0, by_v0] = found.events[0].time_state[..] else { panic!("{:?}", found.events[0]) };
        assert!((by_y0 - 0.5).abs() < 1e-14 && (by_v0 - 0.25).abs() < 1e-14, "{:?}", found.events[0]);
        // Velocities of both signs on both sides: the saltation matrix is minus the identity.
        assert_eq!(found.events.len(), 1);
        for (a, b) in found.events[0].saltation.iter().zip([-1.0, 0.0, 0.0, -1.0]) {
            assert!((a - b).abs() < 1e-15, "{:?}", found.events[0]);
        }
    }
}

/// With gravity and restitution: fall to `u = -sqrt(v0^2 + 2 g y0)` at `t1 = (v0 - u)/g`... and up with `-e u`.
#[test]
fn one_bounce_with_gravity_and_restitution() {
    let (g, e, y0, v0, t) = (9.81, 0.8, 1.0, -2.0, 0.6_f64);
    // gauss2 is exact for a constant force.
    let found = derivative(&ball("law = \"newton\"\nrestitution = \"e\"", g), &["g", "e"], "gauss2", 0.07, t).unwrap();
    let u: f64 = -(v0 * v0 + 2.0 * g * y0).sqrt();
    let t1 = (v0 - u) / g;
    let s = t - t1;
    // y = -e u s - g s^2/2, v = -e u - g s, with u and s functions of y0, v0, g.
    let du = [g / u, v0 / u, y0 / u];
    let ds = [du[0] / g, (du[1] - 1.0) / g, du[2] / g + t1 / g];
    let y = |k: usize| -e * (du[k] * s + u * ds[k]) - g * s * ds[k] - if k == 2 { 0.5 * s * s } else { 0.0 };
    let v = |k: usize| -e * du[k] - g * ds[k] - if k == 2 { s } else { 0.0 };
    let expected = [y(0), y(1), v(0), v(1)];
    for (a, b) in found.state.iter().zip(expected) {
        assert!((a - b).abs() < 1e-13 * (1.0 + b.abs()), "{:?} {expected:?}", found.state);
    }
    for (a, b) in found.parameters.iter().zip([y(2), -u * s, v(2), -u]) {
        assert!((a - b).abs() < 1e-13 * (1.0 + b.abs()), "{:?}", found.parameters);
    }
}

#[test]
fn accumulation_is_refused_by_name() {
    let error = derivative(&ball("law = \"newton\"\nrestitution = 0.3", 9.81), &[], "midpoint", 0.01, 2.0).unwrap_err();
    assert!(matches!(error, NotDifferentiable::Accumulation { .. }), "{error}");
    assert!(error.to_string().contains("`floor` accumulate"), "{error}");
}

#[test]
fn contacts_that_strike_at_once_are_refused_by_name() {
    let text = "lagrangian = \"0.5*(x'^2 + y'^2)\"\n[coordinates]\nx = { initial = 1.0, velocity = -1.0 }\n\
                y = { initial = 1.0, velocity = -1.0 }\n[contacts.floor]\ngap = \"y\"\nlaw = \"elastic\"\n\
                [contacts.wall]\ngap = \"x\"\nlaw = \"elastic\"\n";
    let error = derivative(text, &[], "midpoint", 0.07, 1.5).unwrap_err();
    assert!(matches!(error, NotDifferentiable::Simultaneous { .. }), "{error}");
    assert!(error.to_string().contains("floor, wall"), "{error}");
}

#[test]
fn grazing_is_refused_by_name() {
    // A parabola whose vertex lies below the floor by a few roundings.
    let text = "lagrangian = \"0.5*(x'^2 + y'^2) - y\"\n[coordinates]\nx = { initial = -1.0, velocity = 1.0 }\n\
                y = { initial = 0.499999999999999, velocity = -1.0 }\n[forces]\ny = \"2\"\n[contacts.floor]\ngap = \"y\"\nlaw = \"elastic\"\n";
    let error = derivative(text, &[], "gauss2", 0.07, 1.5).unwrap_err();
    assert!(matches!(error, NotDifferentiable::Grazing { .. }), "{error}");
}

#[test]
fn an_unknown_parameter_lists_the_good_ones() {
    let error = derivative(&ball("law = \"elastic\"", 1.0), &["mass"], "midpoint", 0.1, 0.2).unwrap_err();
    assert_eq!(error.to_string(), "there is no parameter `mass` to derive by; there are: m, g, e");
}

/// Ten bounces of the ellipse against central differences of steps 1e-25 at 80 digits. An initial state that differs by a
/// rounding has a derivative that differs by 1e-16 times the sensitivity, relative to its size.
#[test]
fn peer_ten_bounces_of_the_ellipse() {
    let text =
        include_str!("../../carom-flow/tests/ellipse_reference.txt").lines().filter(|line| !line.starts_with('#'));
    let numbers: Vec<f64> = text.flat_map(|line| line.split_whitespace().map(|word| word.parse().unwrap())).collect();
    let path = format!("{}/../../papers/004/ellipse.toml", env!("CARGO_MANIFEST_DIR"));
    let model = std::fs::read_to_string(path).unwrap();
    let found = derivative(&model, &["g"], "gauss6", 0.05, 10.5).unwrap();
    assert_eq!(found.events.len(), 10);
    let error = |a: &[f64], b: &[f64]| {
        let largest = b.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        (a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest, largest)
    };
    for (event, times) in found.events.iter().zip(numbers[42..].chunks(6)).take(8) {
        let (relative, sensitivity) = error(&event.time_state, times);
        // The first seven to 1e-9, the eighth as well as the roundings of so many steps allow.
        let bound = if sensitivity < 1e4 { 1e-9 } else { 1e-13 * sensitivity };
        assert!(relative < bound, "t = {}: {relative:e} {sensitivity:e}", event.t);
    }
    let (relative, sensitivity) = error(&found.state, &numbers[..36]);
    assert!(relative < 1e-15 * sensitivity, "{relative:e} {sensitivity:e}");
    assert!(error(&found.parameters, &numbers[36..42]).0 < 1e-15 * sensitivity);
}
