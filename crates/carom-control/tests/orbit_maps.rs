//! Step maps of other kinds: relabelled, held by constraints, forced, with orbits that are not isolated.

use carom_control::orbit::{
    Basin, BasinAxis, BasinOptions, BranchOptions, Family, Fate, Kind, Orbit, OrbitChoice, OrbitError, OrbitSetup,
    SearchOptions, Stability, StepMap, double_branch, find, follow_branch,
};
use carom_expr::Backend;
use carom_flow::{DerivativeError, FlowOptions};
use carom_impact::NotDifferentiable;
use carom_model::Model;
use std::path::Path;

fn flow() -> FlowOptions {
    FlowOptions { backend: Backend::Interpreter, ..FlowOptions::default() }
}

fn search(text: &str, choice: &OrbitChoice) -> Result<Orbit, OrbitError> {
    let model = Model::from_text(text, "test.toml", &[]).expect("a model");
    let setup = OrbitSetup::new(&model, choice)?;
    let mut map = StepMap::new(&model, &setup, &[], flow())?;
    find(&mut map, &[&model.initial.q[..], &model.initial.v].concat(), SearchOptions::default())
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found:?} instead of {expected:?}");
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(&path).expect("a file")
}

/// A ball on a floor: an impact takes part of its rate, and a kick gives some back.
fn kicked(more: &str) -> String {
    format!(
        "name = 'ball'\nlagrangian = \"0.5*(x'^2 + y'^2) - g*y\"\n[parameters]\ng = 9.81\ne = 0.8\nkick = 1.0\n[coordinates]\n\
         x = {{ velocity = 0.3 }}\ny = {{ initial = 0.0, velocity = 4.0 }}\n[contacts.floor]\ngap = 'y'\nlaw = 'reset'\n\
         velocity = {{ y = \"-e*y' + kick\" }}\n{more}"
    )
}

#[test]
fn exact_a_ball_that_is_kicked_at_every_impact() {
    // v+ = e v + kick: fixed at kick/(1 - e), multiplier e; the other rate stays what it is.
    let orbit = search(&kicked("[orbit]\ndrift = ['x']\n"), &OrbitChoice::default()).expect("an orbit");
    close(orbit.state[3], 5.0, 1e-13);
    close(orbit.state[2], 0.3, 0.0);
    close(orbit.duration, 2.0 * 5.0 / 9.81, 1e-14);
    close(orbit.image[0], 0.3 * orbit.duration, 1e-15);
    assert_eq!((orbit.multipliers.values.len(), orbit.multipliers.zeros), (2, 1));
    close(orbit.multipliers.values[0].0, 1.0, 1e-14);
    close(orbit.multipliers.values[1].0, 0.8, 1e-14);
    assert_eq!(orbit.multipliers.stability(), Stability::Neutral);
    // Two impacts are twice the step.
    let twice = OrbitChoice { count: Some(2), drift: vec!["x'".to_owned()], ..OrbitChoice::default() };
    let orbit = search(&kicked("[orbit]\ndrift = ['x']\n"), &twice).expect("an orbit");
    assert_eq!(orbit.multipliers.values.len(), 1);
    close(orbit.multipliers.values[0].0, 0.64, 1e-14);
}

#[test]
fn exact_a_relabelling_turns_multipliers_around() {
    // After every impact left is right: the rate along the floor comes back with the other sign, but for zero.
    let orbit =
        search(&kicked("[orbit]\ndrift = ['x']\nrelabel = { x = '-x' }\n"), &OrbitChoice::default()).expect("an orbit");
    close(orbit.state[2], 0.0, 1e-15);
    close(orbit.multipliers.values[0].0, -1.0, 1e-14);
    close(orbit.multipliers.values[1].0, 0.8, 1e-14);
}

#[test]
fn constraints_at_the_section_leave_admissible_directions_only() {
    // A pendulum in the plane, its rod a constraint: it is the one in its angle.
    let text = "name = 'pendulum'\nlagrangian = \"0.5*(x'^2 + y'^2) - y\"\n[coordinates]\nx = { initial = 0.6 }\ny = { initial = -0.8 }\n\
                [constraints]\nrod = 'x^2 + y^2 - 1'\n[forces]\nx = \"-0.3*x' + 0.2*cos(0.9*t)\"\ny = \"-0.3*y'\"\n[orbit]\nperiod = '2*pi/0.9'\n";
    let angle = "name = 'pendulum'\nlagrangian = \"0.5*a'^2 + cos(a)\"\n[coordinates]\na = { initial = 0.6 }\n\
                 [forces]\na = \"-0.3*a' + 0.2*cos(0.9*t)*cos(a)\"\n[orbit]\nperiod = '2*pi/0.9'\n";
    let held = search(text, &OrbitChoice::default()).expect("an orbit");
    let free = search(angle, &OrbitChoice::default()).expect("an orbit");
    close(held.state[0], free.state[0].sin(), 1e-12);
    close(held.state[2], free.state[1] * free.state[0].cos(), 1e-12);
    assert_eq!((held.multipliers.zeros, held.multipliers.values.len()), (2, 2));
    for (a, b) in held.multipliers.values.iter().zip(&free.multipliers.values) {
        close(a.0, b.0, 1e-12);
        close(a.1, b.1, 1e-12);
    }
}

#[test]
fn what_is_no_orbit_is_told() {
    let refused = search(&kicked(""), &OrbitChoice { contact: Some("wall".to_owned()), ..OrbitChoice::default() });
    assert!(matches!(refused, Err(OrbitError::UnknownContact { .. })));
    // A ball that flies away meets nothing.
    let away = kicked("").replace("- g*y", "+ g*y");
    let refused = search(&away, &OrbitChoice { within: Some(2.0), ..OrbitChoice::default() });
    assert!(matches!(refused, Err(OrbitError::NotReached { found: 0, count: 1, .. })), "{refused:?}");
    // Without drift the ball goes on along the floor: there is no orbit near, and the iterations are shown.
    let refused = search(
        &kicked("")
            .replace("x = { velocity = 0.3 }", "x = { velocity = 0.3, initial = 0.0 }")
            .replace("velocity = { y = \"-e*y' + kick\" }", "velocity = { y = \"-e*y' + kick\", x = \"x' + 1\" }"),
        &OrbitChoice::default(),
    );
    let Err(error @ OrbitError::NotConverged { .. }) = refused else { panic!("{refused:?}") };
    assert!(error.to_string().contains("iteration 0: residual"), "{error}");
    // Two walls at once.
    let corner = "name = 'corner'\nlagrangian = \"0.5*(x'^2 + y'^2)\"\n[coordinates]\nx = { initial = 0.5, velocity = -1.0 }\n\
                  y = { initial = 0.5, velocity = -1.0 }\n[contacts.left]\ngap = 'x'\n[contacts.floor]\ngap = 'y'\n";
    let refused = search(corner, &OrbitChoice::default());
    let Err(OrbitError::Derivative(DerivativeError::NotDifferentiable(found))) = refused else { panic!("{refused:?}") };
    assert!(matches!(found, NotDifferentiable::Simultaneous { .. }), "{found}");
}

#[test]
fn the_compass_gait_doubles_its_period_again() {
    let text = example("compass-gait.toml");
    let family = Family { text, file: "compass".to_owned(), overrides: Vec::new(), parameter: "slope".to_owned() };
    let model = family.at(4.3).expect("a model");
    let guess = [&model.initial.q[..], &model.initial.v].concat();
    let (choice, options) = (OrbitChoice::default(), (flow(), BranchOptions::default()));
    let branch = follow_branch(&family, &choice, &guess, (4.3, 4.5), options, &mut |_| true).expect("a branch");
    let doubling = branch.of(Kind::PeriodDoubling).next().expect("a doubling");
    let doubled = double_branch(&family, &choice, doubling, 5.0, options, &mut |_| true).expect("a branch");
    // It begins stable, with twice the duration, and doubles again; Goswami et al. 1998 show it at 4.9 degrees.
    let first = &doubled.points[0];
    close(first.duration, 2.0 * doubling.orbit.duration, 5e-3);
    assert_eq!(first.multipliers.stability(), Stability::Stable);
    let again: Vec<f64> = doubled.of(Kind::PeriodDoubling).map(|found| found.orbit.parameter).collect();
    assert_eq!(again.len(), 1);
    close(again[0], 4.9, 0.05);
}

#[test]
fn the_basin_of_a_kicked_ball_is_everything_that_flies() {
    let model = Model::from_text(&kicked("[orbit]\ndrift = ['x', \"x'\"]\n"), "test.toml", &[]).expect("a model");
    let setup = OrbitSetup::new(&model, &OrbitChoice::default()).expect("a step");
    let axis = |name: &str, range| BasinAxis { name: name.to_owned(), range, count: 4 };
    let axes = [axis("y", (-1.0, 1.0)), axis("y'", (1.0, 9.0))];
    let options = BasinOptions { flow: flow(), threads: 2, ..BasinOptions::default() };
    let orbit = [0.0, 0.0, 0.3, 5.0];
    let start = |y: f64, rate: f64| Some(vec![0.0, y, 0.3, rate]);
    let basin = Basin::new(&model, &setup, &orbit, axes, &start, options, &|_| true).expect("a basin");
    // Below the floor nothing begins.
    for (k, fate) in basin.fates.iter().enumerate() {
        let is_below = k % 4 < 2;
        assert_eq!(matches!(fate, Fate::Fails(0)), is_below, "{k} {fate:?}");
        assert_eq!(matches!(fate, Fate::Reaches(_)), !is_below, "{k} {fate:?}");
    }
}

/// The rimless wheel as a body in the plane, with a moment of inertia, held by the spoke that stands; the next spoke
/// takes over, and is the standing one of the next step.
const FLOATING: &str = "
name = 'floating rimless wheel'
lagrangian = \"0.5*m*(x'^2 + y'^2) + 0.5*J*a'^2 - m*g*y\"
[parameters]
m = 1.0
l = 1.0
J = 0.2
g = 9.8
alpha = 'pi/8'
slope = 0.08
w = 1.2
[coordinates]
x = { initial = 'l*sin(slope - alpha)', velocity = 'l*cos(slope - alpha)*w' }
y = { initial = 'l*cos(slope - alpha)', velocity = '-l*sin(slope - alpha)*w' }
a = { initial = 'slope - alpha', velocity = 'w' }
[contacts.standing]
gap = '(x - l*sin(a))*sin(slope) + (y - l*cos(a))*cos(slope)'
tangent = '(x - l*sin(a))*cos(slope) - (y - l*cos(a))*sin(slope)'
law = 'plastic'
closed = true
[contacts.next]
gap = '(x - l*sin(a - 2*alpha))*sin(slope) + (y - l*cos(a - 2*alpha))*cos(slope)'
tangent = '(x - l*sin(a - 2*alpha))*cos(slope) - (y - l*cos(a - 2*alpha))*sin(slope)'
active = 'a'
law = 'transition'
releases = ['standing']
[orbit]
contact = 'next'
within = 10
drift = ['x', 'y']
relabel = { a = 'a - 2*alpha' }
";

#[test]
fn exact_a_rimless_wheel_that_is_held_by_its_contacts() {
    let orbit = search(FLOATING, &OrbitChoice::default()).expect("an orbit");
    // (m l^2 + J) w+ = (m l^2 cos(2 alpha) + J) w-, and w-^2 = w+^2 + 4 m g l/(m l^2 + J) sin(alpha) sin(slope).
    let (alpha, slope, inertia) = (std::f64::consts::PI / 8.0, 0.08_f64, 1.2);
    let ratio = ((2.0 * alpha).cos() + 0.2) / inertia;
    let gain = 4.0 * 9.8 / inertia * alpha.sin() * slope.sin();
    close(orbit.state[5], ratio * (gain / (1.0 - ratio * ratio)).sqrt(), 1e-12);
    assert_eq!((orbit.multipliers.values.len(), orbit.multipliers.zeros), (1, 3));
    close(orbit.multipliers.values[0].0, ratio * ratio, 1e-12);
    close(orbit.state[2], slope - alpha, 1e-13);
}

#[test]
fn a_branch_of_states_that_contacts_hold() {
    let family = Family {
        text: FLOATING.to_owned(),
        file: "test.toml".to_owned(),
        overrides: Vec::new(),
        parameter: "slope".to_owned(),
    };
    let model = family.at(0.08).expect("a model");
    let guess = [&model.initial.q[..], &model.initial.v].concat();
    let options = (flow(), BranchOptions::default());
    let branch = follow_branch(&family, &OrbitChoice::default(), &guess, (0.08, 0.2), options, &mut |_| true);
    let branch = branch.expect("a branch");
    assert_eq!((branch.ending.as_str(), branch.bifurcations.len()), ("", 0));
    let (alpha, ratio) = (std::f64::consts::PI / 8.0, ((std::f64::consts::PI / 4.0).cos() + 0.2) / 1.2);
    for point in &branch.points {
        let gain = 4.0 * 9.8 / 1.2 * alpha.sin() * point.parameter.sin();
        close(point.state[5], ratio * (gain / (1.0 - ratio * ratio)).sqrt(), 1e-11);
    }
}
