//! Loops, springs between points and contacts of points, in trees of model files.

use crate::trees;

use carom_model::Model;
use std::path::PathBuf;
use trees::{close, lagrangian, load, numbers, value};

/// A bar that turns, and one that slides, with ends that can be joined.
const PAIR: &str = r#"
[parameters]
l = 2
[bodies.bar]
joint = "revolute"
axis = "y"
coordinates = "a"
mass = 1
centre = ["l", 0, 0]
[bodies.cart]
joint = "planar"
coordinates = ["x", "z", "b"]
mass = 1
inertia = [1, 1, 1]
[points.end]
body = "bar"
at = ["l", 0, 0]
[points.cart]
body = "cart"
at = [0, 0.3, 0]
[points.origin]
body = "world"
"#;

fn constraints(model: &Model, q: &[f64]) -> Vec<(String, f64)> {
    let v = vec![0.0; q.len()];
    let of = |g: &carom_model::Named| (g.name.clone(), value(model, g.id, q, &v));
    model.system.constraints().iter().map(of).collect()
}

#[test]
fn a_four_bar_linkage_closes() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/four-bar.toml");
    let model = Model::from_path(&path, &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let found = constraints(&model, &model.initial.q);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["pin_x", "pin_z"], "nothing moves along y");
    assert!(found.iter().all(|(_, g)| g.abs() < 1e-12), "{found:?}");
    // A square with sides of one closes as well.
    let sides = ["crank", "coupler", "rocker"].map(|name| (name.to_owned(), "1".to_owned()));
    let half = std::f64::consts::FRAC_PI_2.to_string();
    let angles = [("a", half.clone()), ("b", format!("-{half}")), ("c", half)];
    let rates = ["a'", "b'", "c'"].map(|name| (name.to_owned(), "0".to_owned()));
    let set: Vec<(String, String)> =
        sides.into_iter().chain(angles.map(|(name, value)| (name.to_owned(), value))).chain(rates).collect();
    let square = Model::from_path(&path, &set).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    assert_eq!(square.warnings, []);
}

#[test]
fn loops_in_some_directions_and_at_a_distance() {
    let start = "[coordinates]\nx = 2\nz = 0\n";
    let model = load(&format!("{PAIR}{start}[loops.pin]\npoints = [\"end\", \"cart\"]\ndirections = \"z\"\n"));
    let q = [0.4, 0.7, 0.3, 0.1];
    let [x, z, a] = [q[0], q[1], q[2]];
    let found = constraints(&model, &q);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "pin_z");
    close(found[0].1, -2.0 * a.sin() - z);
    let model = load(&format!("{PAIR}{start}[loops.rope]\npoints = [\"end\", \"cart\"]\ndistance = \"0.3\"\n"));
    let found = constraints(&model, &q);
    let square = (2.0 * a.cos() - x).powi(2) + 0.09 + (2.0 * a.sin() + z).powi(2);
    assert_eq!(found[0].0, "rope");
    close(found[0].1, (square - 0.09) / 0.6);
}

#[test]
fn springs_between_points() {
    let model = load(&format!(
        "{PAIR}[coordinates]\nx = 1\n[springs.s]\npoints = [\"origin\", \"cart\"]\nstiffness = \"2*l\"\nrest = 0.5\ndamping = 3\n"
    ));
    let free = load(&format!("{PAIR}[coordinates]\nx = 1\n"));
    let (q, v) = (numbers(4), numbers(8)[4..].to_vec());
    let (x, z) = (q[0], q[2]);
    let length = (x * x + 0.09 + z * z).sqrt();
    let difference = lagrangian(&free, &q, &v) - lagrangian(&model, &q, &v);
    close(difference, 2.0 * (length - 0.5).powi(2));
    // The damper pulls along the line.
    let rate = (x * v[0] + z * v[2]) / length;
    let forces: Vec<f64> = model.system.forces().iter().map(|&force| value(&model, force, &q, &v)).collect();
    close(forces[0], -3.0 * rate * x / length);
    close(forces[2], -3.0 * rate * z / length);
    assert_eq!((forces[1], forces[3]), (0.0, 0.0));
}

#[test]
fn contacts_of_points() {
    let text = format!(
        "{PAIR}[coordinates]\nx = 1\nz = 5\n[contacts.floor]\npoint = \"cart\"\nlaw = \"moreau\"\nrestitution = 0.5\nfriction = 0.3\n\
         [contacts.slope]\npoint = \"cart\"\nplane = {{ normal = [\"-3\", 0, 4], offset = \"-l\" }}\n\
         [contacts.ball]\npoint = \"cart\"\nradius = 0.25\nplane = {{ offset = -1 }}\n\
         [contacts.chosen]\npoint = \"end\"\ntangent = \"a\"\nplane = {{ normal = [1, 0, 0], offset = -9 }}\n"
    );
    let model = load(&text);
    let (q, v) = (numbers(4), numbers(4));
    let (x, z, a) = (q[0], q[1], q[2]);
    let at = |id| value(&model, id, &q, &v);
    let [floor, slope, ball, chosen] = model.system.contacts() else { panic!("four contacts") };
    close(at(floor.gap), z);
    // Nothing moves along y: one tangent of two is left.
    assert_eq!([floor, slope, ball, chosen].map(|contact| contact.tangents.len()), [1, 1, 0, 1]);
    close(at(floor.tangents[0]), x);
    close(at(slope.gap), -0.6 * x + 0.8 * z + 2.0);
    close(at(slope.tangents[0]), 0.8 * x + 0.6 * z);
    close(at(ball.gap), z + 1.0 - 0.25);
    close(at(chosen.gap), 2.0 * a.cos() + 9.0);
    close(at(chosen.tangents[0]), a);
}

#[test]
fn a_point_in_space_has_two_tangents() {
    let text = "[bodies.b]\njoint = \"floating\"\ncoordinates = [\"x\", \"y\", \"z\", \"u\", \"v\", \"w\"]\nmass = 1\n\
                inertia = [1, 1, 1]\n[points.p]\nbody = \"b\"\n[coordinates]\nx = 1\nz = 1\n[contacts.f]\npoint = \"p\"\n\
                [contacts.wall]\npoint = \"p\"\nplane = { normal = [2, 0, 0] }\n";
    let model = load(text);
    let names = model.system.coordinate_names();
    assert_eq!(names, ["x", "z", "y", "u", "v", "w"]);
    let (q, v) = (numbers(6), numbers(6));
    let at = |contact: usize, k: usize| value(&model, model.system.contacts()[contact].tangents[k], &q, &v);
    close(at(0, 0), q[0]);
    close(at(0, 1), q[2]);
    close(at(1, 0), q[2]);
    close(at(1, 1), q[1]);
}
