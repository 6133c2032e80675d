//! Models with awkward constraints, frames and contacts, and all ways to run them.

use super::runs::{FLOWS, METHODS, Way, fits, flow};
use carom::{Formulation, JumpKind, Model, Trajectory};

pub fn model(text: &str) -> Model {
    Model::from_text(text, "model.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}

pub fn way(method: &str, formulation: Formulation, jump: JumpKind) -> Way<'_> {
    Way { method, formulation, jump, h: 0.02, until: 2.0 }
}

/// All runs of a model: flows, and methods in their formulations.
pub fn all_runs(model: &Model, until: f64) -> Vec<(String, Result<Trajectory, String>)> {
    let start = (&model.initial.q[..], &model.initial.v[..]);
    let mut all = Vec::from(FLOWS.map(|f| (format!("flow {f:?}"), flow(&model.system, start, f, 0.05, until))));
    for method in METHODS {
        for formulation in Formulation::ALL.into_iter().filter(|f| fits(method, *f)) {
            let way = Way { until, ..way(method, formulation, JumpKind::default()) };
            all.push((format!("{method} {}", formulation.name()), way.run(&model.system, start)));
        }
    }
    all
}

/// A particle falls onto a rough floor and slides; `z' = (1 + y) x'` doubles its mass there.
pub const SLIDER: &str = "[coordinates]
    x = { initial = 0, velocity = 1 }\ny = 0.1\nz = { initial = 0, velocity = 1.1 }
    [energy]\nkinetic = \"0.5*(x'^2 + y'^2 + z'^2)\"\npotential = \"9.81*y\"
    [velocity_constraints]\ntilt = \"z' - (1 + y)*x'\"
    [contacts.floor]\ngap = \"y\"\ntangent = \"x\"\nlaw = \"plastic\"\nfriction = 0.1\n";

/// A sleigh with its mass off the blade, on a slope towards a wall.
pub fn sleigh(gap: &str, law: &str) -> Model {
    model(&format!(
        "[coordinates]\nx = {{ velocity = \"0.6*cos(0.3)\" }}\ny = {{ velocity = \"0.6*sin(0.3)\" }}
        theta = {{ initial = 0.3, velocity = 0.8 }}\n[parameters]\na = 0.3
        [energy]\nkinetic = \"0.5*((x' - a*sin(theta)*theta')^2 + (y' + a*cos(theta)*theta')^2) + 0.2*theta'^2\"
        potential = \"1.5*x + 0.1*y^2\"\n[velocity_constraints]\nblade = \"sin(theta)*x' - cos(theta)*y'\"
        [contacts.wall]\ngap = \"{gap}\"\n{law}\n"
    ))
}

pub const WALLS: [&str; 5] = [
    "law = \"plastic\"",
    "law = \"plastic\"\ntangent = \"y\"\nfriction = 0.3",
    "law = \"newton\"\nrestitution = 0.4",
    "law = \"moreau\"\ntangent = \"y\"\nrestitution = 0.4\nfriction = 0.3",
    "law = \"poisson\"\ntangent = \"y\"\nrestitution = 0.4\nfriction = 0.3",
];

/// A particle in a bowl that comes through the axis, and a distribution that is not one everywhere.
pub fn crossing((x, y): (f64, f64), distribution: &str) -> Model {
    model(&format!(
        "[coordinates]\nx = {{ initial = {x}, velocity = -1 }}\ny = {{ initial = {y}, velocity = -0.3 }}
        z = {{ initial = 0.1, velocity = 0.2 }}\n[energy]\nkinetic = \"0.5*(x'^2 + y'^2 + z'^2)\"
        potential = \"0.3*(x^2 + y^2)\"\n[simulation]\nproject = true\n{distribution}\n"
    ))
}

/// What is wrong, whether nothing can begin, where to start, and the distribution.
pub const BAD: [(&str, bool, (f64, f64), &str); 6] = [
    ("twice the same", true, (1.0, 0.3), "[velocity_constraints]\na = \"x' - z*y'\"\nb = \"2*x' - 2*z*y'\""),
    ("from the origin", true, (0.0, 0.0), "[velocity_constraints]\na = \"x*y' - y*x'\""),
    ("through the origin", false, (1.0, 0.3), "[velocity_constraints]\na = \"x*y' - y*x'\""),
    ("beside the origin", false, (1.0, 0.3), "[velocity_constraints]\na = \"x*y' - (y - 1e-9)*x'\""),
    ("dependent where x = 0", false, (1.0, 0.3), "[velocity_constraints]\na = \"y' - z*x'\"\nb = \"x*z' + y' - z*x'\""),
    ("off the distribution", false, (1.0, 0.3), "[velocity_constraints]\na = \"z' - y*x' + sin(z)*y'\""),
];

/// Frames that degenerate where `x = 0`.
pub const BAD_FRAMES: [(&str, &str); 3] = [
    ("a field is zero", "[frame]\nu = { field = { x = \"x\" } }\nv = { field = { y = 1 } }\nw = { field = { z = 1 } }"),
    (
        "fields are parallel",
        "[frame]\nu = { field = { x = 1, y = \"x\" } }\nv = { field = { x = 1, y = \"3*x\", z = \"x\" } }",
    ),
    ("a field has a pole", "[frame]\nu = { field = { x = \"1/x\", z = 1 } }\nv = { field = { y = 1 } }"),
];
