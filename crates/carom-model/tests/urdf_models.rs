//! Imported robots as models: they are read, and have the energies that formulas give.

use carom_model::urdf::{Base, ImportOptions, import};
use carom_model::{Model, understand};

const G: f64 = 9.81;

/// A body with an odd frame, centre and tensor, on a joint that is turned.
fn robot(kind: &str) -> String {
    format!(
        r#"<robot name="one"><link name="a"/>
        <link name="b"><inertial><origin xyz="0.3 -0.2 0.5" rpy="0.4 -0.3 1.1"/><mass value="1.5"/>
          <inertia ixx="0.3" ixy="0.01" ixz="-0.02" iyy="0.4" iyz="0.03" izz="0.5"/></inertial></link>
        <joint name="j" type="{kind}"><parent link="a"/><child link="b"/><origin xyz="1 2 3" rpy="0.5 0.6 -0.7"/>
          <axis xyz="0.6 0 0.8"/></joint></robot>"#
    )
}

const AXIS: [f64; 3] = [0.6, 0.0, 0.8];
const CENTRE: [f64; 3] = [0.3, -0.2, 0.5];
const MASS: f64 = 1.5;

type Matrix = [[f64; 3]; 3];

fn product(a: Matrix, b: Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|k| (0..3).map(|j| a[i][j] * b[j][k]).sum()))
}

fn apply(a: Matrix, x: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| (0..3).map(|j| a[i][j] * x[j]).sum())
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Rodrigues' formula.
fn turn([x, y, z]: [f64; 3], angle: f64) -> Matrix {
    let across: Matrix = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
    let square = product(across, across);
    let one = |i: usize, k: usize| f64::from(u8::from(i == k));
    std::array::from_fn(|i| {
        std::array::from_fn(|k| one(i, k) + angle.sin() * across[i][k] + (1.0 - angle.cos()) * square[i][k])
    })
}

fn pose([roll, pitch, yaw]: [f64; 3]) -> Matrix {
    let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    product(product(turn(z, yaw), turn(y, pitch)), turn(x, roll))
}

/// Energy of the imported robot at a state.
fn energy(kind: &str, state: &[(&str, &str)]) -> f64 {
    let found = import(&robot(kind), &ImportOptions::default()).unwrap();
    let overrides: Vec<(String, String)> =
        state.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let model = Model::from_text(&found.model, "one.toml", &overrides).unwrap_or_else(|error| panic!("{error}"));
    understand(&model).energy
}

#[test]
fn a_turning_body_has_the_energy_of_the_formula() {
    let (q, rate) = (0.7, 1.3);
    let r = pose([0.4, -0.3, 1.1]);
    let own = [[0.3, 0.01, -0.02], [0.01, 0.4, 0.03], [-0.02, 0.03, 0.5]];
    // About the axis, in the inertial frame; and the centre on its circle.
    let seen = apply(std::array::from_fn(|i| std::array::from_fn(|k| r[k][i])), AXIS);
    let distance = dot(CENTRE, CENTRE) - dot(AXIS, CENTRE).powi(2);
    let inertia = dot(seen, apply(own, seen)) + MASS * distance;
    let place = apply(product(pose([0.5, 0.6, -0.7]), turn(AXIS, q)), CENTRE);
    let expected = 0.5 * inertia * rate * rate + MASS * G * (3.0 + place[2]);
    let found = energy("continuous", &[("j", "0.7"), ("j'", "1.3")]);
    assert!((found - expected).abs() < 1e-12 * expected, "{found} {expected}");
}

#[test]
fn a_sliding_body_has_the_energy_of_the_formula() {
    let slid: [f64; 3] = std::array::from_fn(|i| CENTRE[i] + 0.7 * AXIS[i]);
    let expected = 0.5 * MASS * 1.3 * 1.3 + MASS * G * (3.0 + apply(pose([0.5, 0.6, -0.7]), slid)[2]);
    let found = energy("prismatic", &[("j", "0.7"), ("j'", "1.3")]);
    assert!((found - expected).abs() < 1e-12 * expected, "{found} {expected}");
}

#[test]
fn a_body_in_a_plane_has_the_energy_of_the_formula() {
    // Whatever the two slides are, they are across the axis, at right angles.
    let expected = 0.5 * MASS * (1.3 * 1.3 + 0.4 * 0.4) + MASS * G * (3.0 + apply(pose([0.5, 0.6, -0.7]), CENTRE)[2]);
    let found = energy("planar", &[("j_a'", "1.3"), ("j_b'", "0.4")]);
    assert!((found - expected).abs() < 1e-12 * expected, "{found} {expected}");
}

#[test]
fn the_examples_of_the_header_can_be_used() {
    let robot = r#"<robot name="r"><link name="a"><inertial><mass value="1"/></inertial></link>
        <link name="b"><inertial><mass value="1"/></inertial></link><link name="c"><inertial><mass value="1"/></inertial></link>
        <joint name="j" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/></joint>
        <joint name="k" type="prismatic"><parent link="a"/><child link="c"/><axis xyz="1 0 0"/></joint></robot>"#;
    let found = import(robot, &ImportOptions { base: Base::Planar, ..ImportOptions::default() }).unwrap();
    let (header, rest) = found.model.split_once("\nname").unwrap();
    let examples = header.split_once("For example:").unwrap().1;
    let examples: String =
        examples.lines().map(|line| format!("{}\n", line.trim_start_matches("# ").trim_start_matches('#'))).collect();
    let text = format!("name{rest}\n{examples}");
    let model = Model::from_text(&text, "r.toml", &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(understand(&model).constraints.len(), 2);
    assert_eq!(model.system.contacts().len(), 1);
}
