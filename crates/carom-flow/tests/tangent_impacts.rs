//! Derivatives through impacts and changes of mode against closed forms and a reference of 80 digits.

use carom_expr::Backend;
use carom_flow::{Derivative, DerivativeError, FlowOptions, Follower, HybridTangent, Motion, Until};
use carom_impact::{ContactOptions, NotDifferentiable};
use carom_model::Model;
use std::path::Path;

fn options() -> FlowOptions {
    FlowOptions { backend: Backend::Interpreter, ..FlowOptions::default() }
}

fn follow(model: &Model, until: f64) -> Motion {
    let mut follower = Follower::new(&model.system, options(), ContactOptions::default()).expect("compiles");
    follower.follow((0.0, &model.initial.q, &model.initial.v), Until::Time(until)).expect("runs")
}

fn derivative(model: &Model, until: f64, kept: &[&str]) -> Result<Derivative, DerivativeError> {
    let names: Vec<String> = kept.iter().map(|name| (*name).to_owned()).collect();
    let value = |name: &&str| model.system.parameters().iter().find(|p| p.name == **name).expect("a parameter").value;
    let values: Vec<f64> = kept.iter().map(value).collect();
    let motion = follow(model, until);
    HybridTangent::new(&model.system, &names, options()).expect("compiles").differentiate(&motion, &values)
}

fn model(text: &str) -> Model {
    Model::from_text(text, "test.toml", &[]).expect("a model")
}

fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance, "{found:?} instead of {expected:?}");
    }
}

fn ball(height: f64, rate: f64, gravity: f64, law: &str) -> Model {
    model(&format!(
        "name = 'ball'\nlagrangian = \"0.5*y'^2 - g*y\"\n[parameters]\ng = {gravity}\nfloor = 0.0\n[coordinates]\n\
         y = {{ initial = {height}, velocity = {rate} }}\n[contacts.ground]\ngap = 'y - floor'\n{law}\n"
    ))
}

#[test]
fn exact_one_elastic_bounce_without_gravity() {
    let (y0, v0, t) = (1.0, -0.7, 3.0);
    let d = derivative(&ball(y0, v0, 0.0, "law = 'elastic'"), t, &["floor"]).expect("is differentiable");
    close(&d.state, &[-1.0, -t, 0.0, -1.0], 4e-16);
    // y = 2 floor - (y0 + v0 t)
    close(&d.kept, &[2.0, 0.0], 4e-16);
    close(&d.events[0].time_state, &[-1.0 / v0, y0 / (v0 * v0)], 1e-15);
    close(&d.events[0].saltation, &[-1.0, 0.0, 0.0, -1.0], 4e-16);
}

#[test]
fn exact_one_bounce_with_gravity_and_restitution() {
    // From rest at h: t1 = sqrt(2 h/g), u = g t1; afterwards y = e u s - g s^2/2, s = t - t1.
    let (h, g, e, t) = (1.3_f64, 9.81_f64, 0.8, 0.9);
    let d =
        derivative(&ball(h, 0.0, g, &format!("law = 'newton'\nrestitution = {e}")), t, &[]).expect("is differentiable");
    let (t1, u) = ((2.0 * h / g).sqrt(), (2.0 * h * g).sqrt());
    let s = t - t1;
    let (dt1, du) = (1.0 / u, g / u);
    close(&[d.state[0], d.state[2]], &[e * du * s - (e * u - g * s) * dt1, e * du + g * dt1], 4e-15);
}

/// Ten bounces: central differences of steps 1e-25 at 80 digits, with the motion in closed form between impacts.
const ELLIPSE: &str = include_str!("ellipse_reference.txt");

#[test]
fn peer_ten_bounces_of_the_ellipse() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers/004/ellipse.toml");
    let model = Model::from_path(&path, &[]).expect("a model");
    let numbers: Vec<f64> = ELLIPSE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| line.split_whitespace().map(|word| word.parse().expect("a number")))
        .collect();
    let ((state, rest), error) = (numbers.split_at(36), |a: &[f64], b: &[f64]| {
        let largest = b.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        (a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest, largest)
    });
    let (kept, times) = rest.split_at(6);
    let d = derivative(&model, 10.5, &["g"]).expect("is differentiable");
    assert_eq!(d.events.len(), 10);
    for (event, times) in d.events.iter().zip(times.chunks(6)).take(8) {
        assert!(error(&event.time_state, times).0 < 1e-9, "{:?}", error(&event.time_state, times));
    }
    // An initial state that differs by a rounding, 1e-16, has a derivative that differs by 3e-8 of itself: no program in
    // double precision does better than 1e-16 times the sensitivity, 7.7e8. (Measured here: 5e-8.)
    let (relative, sensitivity) = error(&d.state, state);
    assert!(relative < 1e-15 * sensitivity, "{relative:e} {sensitivity:e}");
    assert!(error(&d.kept, kept).0 < 1e-15 * sensitivity, "{:?}", error(&d.kept, kept));
}

#[test]
fn a_plastic_impact_attaches_and_its_place_depends_on_the_first_state() {
    // A ball thrown onto a floor without friction slides on: x = x0 + u0 t, whatever y did.
    let sliding = model(
        "name = 'clay'\nlagrangian = \"0.5*(x'^2 + y'^2) - g*y - 0.5*k*x^2\"\n[parameters]\ng = 9.81\nk = 2.0\n[coordinates]\n\
         x = { initial = 0.3, velocity = 1.0 }\ny = { initial = 1.0, velocity = 0.5 }\n[contacts.floor]\ngap = 'y'\nlaw = 'plastic'\n",
    );
    let (t, w) = (2.0, 2.0_f64.sqrt());
    let d = derivative(&sliding, t, &["g"]).expect("is differentiable");
    let (c, s) = ((w * t).cos(), (w * t).sin());
    let expected = [c, 0.0, s / w, 0.0, 0.0, 0.0, 0.0, 0.0, -w * s, 0.0, c, 0.0, 0.0, 0.0, 0.0, 0.0];
    close(&d.state, &expected, 1e-14);
    close(&d.kept, &[0.0; 4], 1e-14);
}

#[test]
fn a_block_slides_to_a_halt_and_its_place_depends_on_its_first_speed() {
    let block = model(
        "name = 'block'\nlagrangian = \"0.5*(x'^2 + y'^2) - g*y\"\n[parameters]\ng = 9.81\n[coordinates]\n\
         x = { initial = 0.0, velocity = 2.0 }\ny = { initial = 0.0, velocity = 0.0 }\n[contacts.floor]\ngap = 'y'\ntangent = 'x'\n\
         law = 'moreau'\nrestitution = 0.0\nfriction = 0.5\n",
    );
    // x = v^2/(2 mu g) at the end.
    let (v, brake, g) = (2.0, 0.5 * 9.81, 9.81);
    let d = derivative(&block, 1.0, &["g"]).expect("is differentiable");
    assert_eq!(d.events.iter().map(|event| event.kind).collect::<Vec<_>>(), ["halt"]);
    close(&[d.state[0], d.state[2]], &[1.0, v / brake], 1e-14);
    close(&[d.state[8], d.state[10]], &[0.0, 0.0], 1e-14);
    close(&d.kept[..1], &[-v * v / (2.0 * brake * g)], 1e-14);
    close(&[d.events[0].time_state[2]], &[1.0 / brake], 1e-14);
}

/// A ball that slides down from the top of a round hill with speed `v0`, and leaves it where it would have to be pulled.
fn hill(v0: f64) -> Model {
    let (sin, cos) = (0.1_f64.sin(), 0.1_f64.cos());
    model(&format!(
        "name = 'hill'\nlagrangian = \"0.5*(x'^2 + y'^2) - y\"\n[coordinates]\nx = {{ initial = {sin:?}, velocity = {:?} }}\n\
         y = {{ initial = {cos:?}, velocity = {:?} }}\n[contacts.hill]\ngap = 'sqrt(x^2 + y^2) - 1'\nlaw = 'plastic'\n",
        v0 * cos,
        -v0 * sin
    ))
}

#[test]
fn a_ball_leaves_a_hill_where_it_would_be_pulled() {
    let (v0, step) = (0.4, 1e-4);
    let d = derivative(&hill(v0), 2.0, &[]).expect("is differentiable");
    assert_eq!(d.events.iter().map(|event| event.kind).collect::<Vec<_>>(), ["release"]);
    // It leaves at cos = (v0^2 + 2 cos(0.1))/3.
    let (sin, cos) = (0.1_f64.sin(), 0.1_f64.cos());
    let found: Vec<f64> = d.state.chunks(4).map(|row| row[2] * cos - row[3] * sin).collect();
    let at = |v0: f64| {
        let motion = follow(&hill(v0), 2.0);
        let end = motion.end();
        [end.q.clone(), end.v.clone()].concat()
    };
    // Differences of the fourth order.
    let (a, b, c, e) = (at(v0 - 2.0 * step), at(v0 - step), at(v0 + step), at(v0 + 2.0 * step));
    let expected: Vec<f64> = (0..4).map(|i| (a[i] - 8.0 * b[i] + 8.0 * c[i] - e[i]) / (12.0 * step)).collect();
    close(&found, &expected, 1e-9);
}

fn obstacle(result: Result<Derivative, DerivativeError>) -> NotDifferentiable {
    match result {
        Err(DerivativeError::NotDifferentiable(obstacle)) => obstacle,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_grazing_motion_has_no_derivative() {
    // The parabola y = (t - 1)^2 touches the floor at t = 1; a little lower it strikes at 2e-10 of its speed.
    for y0 in [1.0, 1.0 - 1e-20] {
        let text = format!(
            "name = 'graze'\nlagrangian = \"0.5*(x'^2 + y'^2) + 2*y\"\n[coordinates]\nx = {{ initial = 0.0, velocity = 1.0 }}\n\
             y = {{ initial = {y0:?}, velocity = -2.0 }}\n[contacts.floor]\ngap = 'y'\nlaw = 'elastic'\n"
        );
        let obstacle = obstacle(derivative(&model(&text), 2.0, &[]));
        let NotDifferentiable::Grazing { time, contact, .. } = &obstacle else { panic!("{obstacle}") };
        assert!((time - 1.0).abs() < 1e-6 && contact == "floor", "{obstacle}");
    }
}

#[test]
fn two_walls_at_once_have_no_derivative() {
    let corner = model(
        "name = 'corner'\nlagrangian = \"0.5*(x'^2 + y'^2)\"\n[coordinates]\nx = { initial = 1.0, velocity = -1.0 }\n\
         y = { initial = 1.0, velocity = -1.0 }\n[contacts.left]\ngap = 'x'\nlaw = 'elastic'\n\
         [contacts.floor]\ngap = 'y'\nlaw = 'elastic'\n",
    );
    let obstacle = obstacle(derivative(&corner, 2.0, &[]));
    let NotDifferentiable::Simultaneous { time, contacts } = &obstacle else { panic!("{obstacle}") };
    assert!((time - 1.0).abs() < 1e-12 && contacts == "`left` and `floor`", "{obstacle}");
}

#[test]
fn a_ball_that_comes_to_rest_has_no_derivative() {
    let obstacle = obstacle(derivative(&ball(1.0, 0.0, 9.81, "law = 'newton'\nrestitution = 0.5"), 2.0, &[]));
    let NotDifferentiable::Accumulation { time, contact } = &obstacle else { panic!("{obstacle}") };
    assert!((time - 1.354_570_922_957_192_7).abs() < 1e-6 && contact == "ground", "{obstacle}");
}

#[test]
fn a_motion_that_begins_with_an_impact_has_no_derivative() {
    let refused = derivative(&ball(0.0, -1.0, 9.81, "law = 'elastic'"), 0.1, &[]);
    assert!(matches!(refused, Err(DerivativeError::AtStart { time: 0.0, contact }) if contact == "ground"));
}
