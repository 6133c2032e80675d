//! A sleigh that turns at a constant rate, in closed form, and goes back at an impact.

use super::Case;
use carom_model::{Balance, ContactImpulse, Impact, Model, Trajectory};

const SLEIGH: &str = r#"
name = "sleigh"
[coordinates]
x = { initial = 0, velocity = 0.5 }
y = 0
theta = { initial = 0, velocity = 0.3 }
[energy]
kinetic = "0.5*(x'^2 + y'^2 + theta'^2)"
[velocity_constraints]
blade = "sin(theta)*x' - cos(theta)*y'"
[frame]
drive = { field = { x = "cos(theta)", y = "sin(theta)" }, unit = "m/s", doc = "along the blade" }
turn = { field = { theta = 1 }, unit = "rad/s" }
[contacts.wall]
gap = "0.6 - x"
law = "elastic"
"#;
const TURN: f64 = 0.3;

/// Configuration, velocity and quasivelocities after a time with speed `drive` from `(x, y)` at angle `begin`.
fn state(drive: f64, [x, y, begin]: [f64; 3], time: f64) -> ([f64; 3], [f64; 3], [f64; 2]) {
    let end = begin + TURN * time;
    let q = [x + drive / TURN * (end.sin() - begin.sin()), y - drive / TURN * (end.cos() - begin.cos()), end];
    (q, [drive * end.cos(), drive * end.sin(), TURN], [drive, TURN])
}

/// Nodes every `h`; the impact is between two of them.
pub fn sleigh(steps: usize, h: f64) -> Case {
    let model = Model::from_text(SLEIGH, "sleigh.toml", &[]).expect("a model");
    let mut trajectory = Trajectory::new(model.system.coordinate_names(), vec!["blade".to_owned()], "exact");
    trajectory.contacts = vec!["wall".to_owned()];
    trajectory.quasivelocities = vec!["drive".to_owned(), "turn".to_owned()];
    let wall = (steps as f64 / 2.0 + 0.4) * h;
    let (corner, v_minus, _) = state(0.5, [0.0; 3], wall);
    let (_, v_plus, _) = state(-0.5, corner, 0.0);
    for t in (0..=steps).map(|k| k as f64 * h) {
        let (q, v, w) = if t < wall { state(0.5, [0.0; 3], t) } else { state(-0.5, corner, t - wall) };
        trajectory.t.push(t);
        trajectory.q.extend(q);
        trajectory.v.extend(v);
        trajectory.p.extend(v);
        trajectory.w.extend(w);
        trajectory.multipliers.push(0.1 * t);
        trajectory.energy.push(0.17);
        trajectory.constraint_error.push(0.0);
        trajectory.gaps.push(0.6 - q[0]);
        trajectory.contact_forces.push(0.0);
    }
    trajectory.impacts.push(Impact {
        t: wall,
        bracket: (wall - 1e-12, wall + 2e-12),
        impulses: vec![ContactImpulse { contact: 0, surface: 0, normal: 1.0, tangential: Vec::new() }],
        law: "elastic".to_owned(),
        q: corner.to_vec(),
        q_plus: corner.to_vec(),
        v_minus: v_minus.to_vec(),
        v_plus: v_plus.to_vec(),
        p_minus: v_minus.to_vec(),
        p_plus: v_plus.to_vec(),
        energy_minus: 0.17,
        energy_change: 0.0,
        balance: Balance { kind: "pointwise", energies: (0.17, 0.17), ..Balance::default() },
        iterations: 3,
    });
    Case { system: model.system, drawing: model.drawing, quasivelocities: model.quasivelocities, trajectory }
}
