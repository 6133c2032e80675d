//! Trees in model files against Lagrangians written by hand.

mod trees;

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
