//! Trees in model files against Lagrangians written by hand.

use crate::trees;

use trees::{close, lagrangian, load, numbers, value};

const DOUBLE_PENDULUM: &str = r#"
[parameters]
m = 1.2
l = 0.7
g = 9.8
[world]
gravity = [0, 0, "-g"]
[bodies.lower]
parent = "upper"
at = [0, 0, "-l"]
joint = "revolute"
axis = "y"
coordinates = "b"
mass = "m"
centre = [0, 0, "-l"]
[bodies.upper]
joint = "revolute"
axis = "-y"
coordinates = "a"
mass = "m"
centre = [0, 0, "-l"]
[points.tip]
body = "lower"
at = [0, 0, "-l"]
"#;

/// Two masses on rods, with the angle of the second against the first.
fn double_pendulum(m: f64, q: &[f64], v: &[f64]) -> f64 {
    let (l, g) = (0.7, 9.8);
    let (first, second) = (q[0], q[0] - q[1]);
    let (w1, w2) = (v[0], v[0] - v[1]);
    let kinetic = 0.5 * m * l * l * (2.0 * w1 * w1 + w2 * w2 + 2.0 * w1 * w2 * (first - second).cos());
    kinetic + m * g * l * (2.0 * first.cos() + second.cos())
}

#[test]
fn a_double_pendulum() {
    let text = format!("{DOUBLE_PENDULUM}[coordinates]\na = 0.1\n");
    let model = load(&text);
    assert_eq!(model.system.coordinate_names(), ["a", "b"]);
    assert_eq!(model.initial.q, [0.1, 0.0]);
    let (q, v) = (numbers(2), numbers(4)[2..].to_vec());
    close(lagrangian(&model, &q, &v), double_pendulum(1.2, &q, &v));
    // The place of a point, and its rate.
    let tip = [0, 2].map(|k| value(&model, model.system.definitions()[k].id, &q, &v));
    close(tip[0], 0.7 * (q[0].sin() + (q[0] - q[1]).sin()));
    close(tip[1], -0.7 * (q[0].cos() + (q[0] - q[1]).cos()));
}

#[test]
fn parameters_of_bodies_can_be_set() {
    let text = format!("{DOUBLE_PENDULUM}[coordinates]\na = 0.1\n");
    let set = [("m".to_owned(), "3".to_owned()), ("b".to_owned(), "0.5".to_owned())];
    let model = carom_model::Model::from_text(&text, "tree.toml", &set).expect("a model");
    let (q, v) = (numbers(2), numbers(4)[2..].to_vec());
    close(lagrangian(&model, &q, &v), double_pendulum(3.0, &q, &v));
    assert_eq!(model.initial.q, [0.1, 0.5]);
}

/// A body that moves freely.
const FLOATING: &str = r#"
[bodies.body]
joint = "floating"
axes = "zxz"
coordinates = ["x", "y", "z", "phi", "theta", "psi"]
mass = 2
inertia = [0.3, 0.5, 0.7, 0.02, -0.03, 0.05]
"#;

#[test]
fn products_of_inertia() {
    let model = load(FLOATING);
    let (q, v) = (numbers(6), numbers(12)[6..].to_vec());
    let (theta, psi) = (q[4], q[5]);
    let w = [
        v[3] * theta.sin() * psi.sin() + v[4] * psi.cos(),
        v[3] * theta.sin() * psi.cos() - v[4] * psi.sin(),
        v[3] * theta.cos() + v[5],
    ];
    let tensor = [[0.3, 0.02, -0.03], [0.02, 0.5, 0.05], [-0.03, 0.05, 0.7]];
    let mut rotation = 0.0;
    for (i, row) in tensor.iter().enumerate() {
        rotation += row.iter().zip(w).map(|(element, w_j)| 0.5 * w[i] * element * w_j).sum::<f64>();
    }
    let translation = v[..3].iter().map(|v| v * v).sum::<f64>();
    close(lagrangian(&model, &q, &v), translation + rotation - 2.0 * 9.81 * q[2]);
}

#[test]
fn a_turned_joint_has_its_axis_elsewhere() {
    // R = Rz(yaw) Ry(pitch) Rx(roll), written out.
    let [roll, pitch, yaw] = [0.3_f64, -0.4, 1.1];
    let x = |p: [f64; 3]| [p[0], roll.cos() * p[1] - roll.sin() * p[2], roll.sin() * p[1] + roll.cos() * p[2]];
    let y = |p: [f64; 3]| [pitch.cos() * p[0] + pitch.sin() * p[2], p[1], pitch.cos() * p[2] - pitch.sin() * p[0]];
    let z = |p: [f64; 3]| [yaw.cos() * p[0] - yaw.sin() * p[1], yaw.sin() * p[0] + yaw.cos() * p[1], p[2]];
    let model = load(
        "[parameters]\nr = 0.3\n[bodies.a]\njoint = \"prismatic\"\naxis = [1, 2, 2]\ncoordinates = \"s\"\nmass = 2\n\
         at = [1, 2, 3]\nturn = [\"r\", -0.4, 1.1]\n[points.p]\nbody = \"a\"\nat = [0.1, 0.2, 0.3]\n",
    );
    let (s, speed) = (0.7, 1.3);
    let slid = [s / 3.0 + 0.1, 2.0 * s / 3.0 + 0.2, 2.0 * s / 3.0 + 0.3];
    let [a, b, c] = z(y(x(slid)));
    for (k, expected) in [a + 1.0, b + 2.0, c + 3.0].into_iter().enumerate() {
        close(value(&model, model.system.definitions()[k].id, &[s], &[speed]), expected);
    }
    let height = 3.0 + z(y(x([s / 3.0, 2.0 * s / 3.0, 2.0 * s / 3.0])))[2];
    close(lagrangian(&model, &[s], &[speed]), speed * speed - 2.0 * 9.81 * height);
}

#[test]
fn springs_dampers_actuators_and_other_energies() {
    let text = r#"
        lagrangian = "0.5*q'^2"
        [parameters]
        k = 3
        [bodies.cart]
        joint = "planar"
        coordinates = ["x", "z", "turn"]
        mass = 1
        inertia = [0, 1, 0]
        stiffness = ["k", 0, 5]
        rest = [0.5, 0, "k/3"]
        damping = [0.1, 0, 0.2]
        actuator = ["push", "", "torque"]
        [inputs]
        torque = { signal = "t", unit = "N m" }
        [coordinates]
        q = { initial = 2, unit = "m" }
        turn = 0.3
        [energy]
        potential = "7*x"
        [forces]
        x = "-2"
    "#;
    let model = load(text);
    let system = &model.system;
    assert_eq!(system.coordinate_names(), ["q", "turn", "x", "z"]);
    assert_eq!(model.initial.q, [2.0, 0.3, 0.0, 0.0]);
    let inputs: Vec<&str> = system.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["torque", "push"]);
    let (q, v) = (numbers(4), numbers(8)[4..].to_vec());
    let kinetic = 0.5 * v.iter().map(|v| v * v).sum::<f64>();
    let springs = 1.5 * (q[2] - 0.5).powi(2) + 2.5 * (q[1] - 1.0).powi(2);
    close(lagrangian(&model, &q, &v), kinetic - springs - 7.0 * q[2] - 9.81 * q[3]);
    // Without inputs, the forces are those of dampers and of [forces].
    let dynamics = system.dynamics();
    let state = dynamics.v.iter().copied().zip(v.iter().copied()).chain([(dynamics.time, 2.0)]).collect::<Vec<_>>();
    let forces = dynamics.graph.evaluate(&dynamics.forces, &state);
    close(forces[1], -0.2 * v[1] + 2.0);
    close(forces[2], -0.1 * v[2] - 2.0);
}

#[test]
fn coordinates_of_joints_follow_those_of_the_section() {
    let body = |name: &str, parent: &str| {
        format!(
            "[bodies.{name}]\nparent = \"{parent}\"\njoint = \"revolute\"\naxis = \"y\"\ncoordinates = \"{name}\"\nmass = 1\ncentre = [1, 0, 0]\n"
        )
    };
    let bodies = [body("c", "b"), body("b", "a"), body("a", "world")].concat();
    let model = load(&format!("{bodies}[coordinates]\nb = {{ initial = 1, velocity = 2, periodic = true }}\n"));
    assert_eq!(model.system.coordinate_names(), ["b", "c", "a"]);
    assert_eq!((model.initial.q, model.initial.v), (vec![1.0, 0.0, 0.0], vec![2.0, 0.0, 0.0]));
    assert_eq!(model.system.coordinates()[0].period, Some(std::f64::consts::TAU));
}

#[test]
fn points_are_definitions_with_rates() {
    let text =
        format!("{DOUBLE_PENDULUM}[definitions]\nspeed = \"tip_x'^2 + tip_z'^2\"\n[forces]\na = \"-speed*tip_z\"\n");
    let model = load(&text);
    let names: Vec<&str> = model.system.definitions().iter().map(|definition| definition.name.as_str()).collect();
    assert_eq!(names, ["speed", "tip_x", "tip_y", "tip_z"]);
    let (q, v) = (numbers(2), numbers(4)[2..].to_vec());
    let (w1, w2, l) = (v[0], v[0] - v[1], 0.7);
    let expected = l * l * (w1 * w1 + w2 * w2 + 2.0 * w1 * w2 * q[1].cos());
    // The rates of the coordinates are a and b, in the order of the file b and a.
    let order = |list: &[f64]| [list[1], list[0]];
    close(value(&model, model.system.definitions()[0].id, &order(&q), &order(&v)), expected);
}

#[test]
fn long_chains_are_read() {
    let link = |k: usize| {
        let parent = if k == 0 { "world".to_owned() } else { format!("l{}", k - 1) };
        format!(
            "[bodies.l{k}]\nparent = \"{parent}\"\nat = [1, 0, 0]\njoint = \"revolute\"\naxis = \"y\"\ncoordinates = \"q{k}\"\n\
             mass = 1\ninertia = [0, 1, 1]\n"
        )
    };
    let text: String = (0..100).rev().map(link).collect();
    let model = load(&format!("{text}[points.end]\nbody = \"l99\"\n"));
    assert_eq!(model.system.dimension(), 100);
    let (q, v) = (vec![0.0; 100], vec![0.0; 100]);
    close(value(&model, model.system.definitions()[0].id, &q, &v), 100.0);
}

/// The page about trees has a complete model, which is read without remarks.
#[test]
fn the_model_of_the_book() {
    let page = include_str!("../../../docs/book/src/trees.md");
    let text = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a model");
    let model = load(text);
    assert_eq!(model.warnings, []);
    assert_eq!(model.system.coordinate_names(), ["angle", "x"]);
}
