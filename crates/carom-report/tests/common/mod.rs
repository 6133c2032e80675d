//! A double pendulum, integrated by the classical Runge-Kutta method, as realistic data.
#![allow(dead_code)] // every test file uses its own part

pub mod ball;
pub mod bounce;
pub mod sleigh;

use carom_expr::Scope;
use carom_model::{Coordinate, Invariant, Parameter, Primitive, Shape, Statistics, System, SystemBuilder, Trajectory};
use carom_report::Run;
use serde_json::json;
use std::path::PathBuf;

pub const SOURCE: &str = "name = \"double pendulum\"\n# with a comment, \"quotes\" and Greek: θ\n";
const GRAVITY: f64 = 9.81;

/// A folder of its own for every test, empty at the start.
pub fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

pub struct Case {
    pub system: System,
    pub drawing: Vec<Primitive>,
    pub quasivelocities: Vec<Parameter>,
    pub trajectory: Trajectory,
}

impl Case {
    pub fn run(&self) -> Run<'_> {
        Run {
            system: &self.system,
            drawing: &self.drawing,
            quasivelocities: &self.quasivelocities,
            source: SOURCE,
            trajectory: &self.trajectory,
            path: None,
            settings: json!({ "method": "rk4", "h": 0.01 }),
            caption: None,
        }
    }
}

/// A double pendulum with unit masses and lengths, released from a raised state.
pub fn double_pendulum(steps: usize, h: f64) -> Case {
    let (system, drawing) = pendulum_system();
    let mut trajectory = Trajectory::new(system.coordinate_names(), Vec::new(), "rk4");
    trajectory.invariants.push(Invariant { name: "mirror".to_owned(), values: Vec::new() });
    let mut state = [2.0, 2.4, 0.0, 0.0];
    for k in 0..=steps {
        push(&mut trajectory, k as f64 * h, &state);
        state = runge_kutta(&state, h);
    }
    trajectory.statistics =
        Statistics { steps, iterations: 4 * steps, wall_seconds: 0.25, setup_seconds: 0.5, ..Statistics::default() };
    Case { system, drawing, quasivelocities: Vec::new(), trajectory }
}

fn angle(name: &str) -> Coordinate {
    let period = Some(std::f64::consts::TAU);
    Coordinate { name: name.to_owned(), unit: Some("rad".to_owned()), period, doc: None }
}

fn pendulum_system() -> (System, Vec<Primitive>) {
    let scope = Scope::default();
    let (a, b, l) = (scope.variable("theta1"), scope.variable("theta2"), scope.variable("l"));
    let (da, db) = (scope.variable("theta1'"), scope.variable("theta2'"));
    let kinetic = l * l * (da.square() + 0.5 * db.square() + da * db * (a - b).cos());
    let potential = -GRAVITY * l * (2.0 * a.cos() + b.cos());
    let zero = scope.constant(0.0);
    let (x1, y1) = (l * a.sin(), -(l * a.cos()));
    let (x2, y2) = (x1 + l * b.sin(), y1 - l * b.cos());
    let (origin, first, second) = ([zero.id(), zero.id()], [x1.id(), y1.id()], [x2.id(), y2.id()]);
    let plain = |shape| Primitive { shape, color: None, trace: false };
    let drawing = vec![
        plain(Shape::Rod { from: origin, to: first }),
        plain(Shape::Rod { from: first, to: second }),
        Primitive {
            shape: Shape::Circle { center: first, radius: scope.constant(0.07).id() },
            color: Some("steelblue".to_owned()),
            trace: false,
        },
        Primitive { shape: Shape::Point { at: second }, color: Some("#cc6677".to_owned()), trace: true },
    ];
    let lagrangian = (kinetic - potential).id();
    let builder = SystemBuilder::new("double pendulum").parameter("l", 1.0).lagrangian(lagrangian);
    let builder = builder.coordinate_with(angle("theta1")).coordinate_with(angle("theta2"));
    (builder.build(scope.into_graph()).unwrap(), drawing)
}

fn push(trajectory: &mut Trajectory, t: f64, state: &[f64; 4]) {
    let [a, b, da, db] = *state;
    let coupling = (a - b).cos();
    trajectory.t.push(t);
    trajectory.q.extend([a, b]);
    trajectory.v.extend([da, db]);
    trajectory.p.extend([2.0 * da + db * coupling, db + da * coupling]);
    trajectory.constraint_error.push(0.0);
    let energy = da * da + 0.5 * db * db + da * db * coupling - GRAVITY * (2.0 * a.cos() + b.cos());
    trajectory.energy.push(energy);
    trajectory.invariants[0].values.push(1e3 + 1e-9 * (a * b).sin());
}

fn rate(state: &[f64; 4]) -> [f64; 4] {
    let [a, b, da, db] = *state;
    let (s, c) = (a - b).sin_cos();
    let (f, g) = (-db * db * s - 2.0 * GRAVITY * a.sin(), da * da * s - GRAVITY * b.sin());
    let determinant = 2.0 - c * c;
    [da, db, (f - c * g) / determinant, (2.0 * g - c * f) / determinant]
}

fn runge_kutta(state: &[f64; 4], h: f64) -> [f64; 4] {
    let along = |k: &[f64; 4], w: f64| std::array::from_fn(|i| state[i] + w * h * k[i]);
    let k1 = rate(state);
    let k2 = rate(&along(&k1, 0.5));
    let k3 = rate(&along(&k2, 0.5));
    let k4 = rate(&along(&k3, 1.0));
    std::array::from_fn(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}
