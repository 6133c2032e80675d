//! Derivatives of runs against differences of the runs themselves: the same method, the same events.

use carom_discrete::{DiscreteTangent, Method, Options, Schedule, Simulation};
use carom_impact::{ContactOptions, JumpKind};
use carom_model::Model;

struct Case<'a> {
    text: String,
    method: &'a str,
    jump: JumpKind,
    step: f64,
    until: f64,
    kept: &'a [&'a str],
    /// Number of events that must lie on the way.
    events: usize,
}

impl Case<'_> {
    fn options(&self) -> Options {
        Options { contacts: ContactOptions { jump: self.jump, ..ContactOptions::default() }, ..Options::default() }
    }

    fn method(&self) -> Method {
        Method::parse(self.method).unwrap()
    }

    fn schedule(&self) -> Schedule {
        Schedule { start: 0.0, until: self.until, step: self.step, every: 1 }
    }

    /// The state at the end from a changed start and changed parameters.
    fn end(&self, change: &[f64]) -> Vec<f64> {
        let own = Model::from_text(&self.text, "model.toml", &[]).unwrap();
        let n = own.system.dimension();
        let sets: Vec<(String, String)> = self
            .kept
            .iter()
            .zip(&change[2 * n..])
            .map(|(name, d)| {
                let value = own.system.parameters().iter().find(|p| p.name == *name).unwrap().value;
                ((*name).to_owned(), format!("{:?}", value + d))
            })
            .collect();
        let model = Model::from_text(&self.text, "model.toml", &sets).unwrap();
        let plus = |values: &[f64], d: &[f64]| values.iter().zip(d).map(|(a, b)| a + b).collect::<Vec<f64>>();
        let (q, v) = (plus(&own.initial.q, &change[..n]), plus(&own.initial.v, &change[n..2 * n]));
        let simulation = Simulation::new(&model.system, &self.method(), self.options()).unwrap();
        let trajectory = simulation.run(&q, &v, self.schedule(), &mut |_| true).unwrap();
        let end = trajectory.last().unwrap();
        [end.q, end.v].concat()
    }

    fn check(&self, tolerance: f64) {
        let model = Model::from_text(&self.text, "model.toml", &[]).unwrap();
        let n = model.system.dimension();
        let simulation = Simulation::new(&model.system, &self.method(), self.options()).unwrap();
        let (_, record) =
            simulation.run_recorded(&model.initial.q, &model.initial.v, self.schedule(), &mut |_| true).unwrap();
        let mut tangent = DiscreteTangent::new(&model.system, self.kept, &self.method(), self.options()).unwrap();
        let derivative = tangent.forward(&record).unwrap();
        assert_eq!(derivative.events.len(), self.events, "{} events", self.method);
        let (p, columns) = (self.kept.len(), 2 * n + self.kept.len());
        let h = 1e-4;
        let mut adjoint_error = 0.0_f64;
        for j in 0..columns {
            let at = |k: f64| {
                let mut change = vec![0.0; columns];
                change[j] = k * h;
                self.end(&change)
            };
            let values = [-2.0, -1.0, 1.0, 2.0].map(at);
            let entry = |i: usize| {
                if j < 2 * n { derivative.state[i * 2 * n + j] } else { derivative.parameters[i * p + j - 2 * n] }
            };
            let size = (0..2 * n).map(|i| entry(i).abs()).fold(1.0, f64::max);
            let difference = |i: usize| values[0][i] - 8.0 * values[1][i] + 8.0 * values[2][i] - values[3][i];
            for i in 0..2 * n {
                let expected = difference(i) / (12.0 * h);
                let found = entry(i);
                assert!(
                    (found - expected).abs() < tolerance * size,
                    "{} row {i} column {j}: {found} {expected}",
                    self.method
                );
            }
        }
        for i in 0..2 * n {
            let mut covector = vec![0.0; 2 * n];
            covector[i] = 1.0;
            let gradient = tangent.adjoint(&record, &[(record.nodes() - 1, covector)]).unwrap();
            let row = &derivative.state[i * 2 * n..(i + 1) * 2 * n];
            let more = &derivative.parameters[i * p..(i + 1) * p];
            let size = row.iter().chain(more).fold(1.0_f64, |a, b| a.max(b.abs()));
            for (a, b) in row.iter().chain(more).zip(gradient.state.iter().chain(&gradient.parameters)) {
                adjoint_error = adjoint_error.max((a - b).abs() / size);
            }
        }
        assert!(adjoint_error < 1e-12, "{}: adjoint differs by {adjoint_error:.1e}", self.method);
    }
}

fn paper(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn the_bouncing_ellipse() {
    for (method, jump) in [
        ("midpoint", JumpKind::Modified),
        ("midpoint", JumpKind::Pointwise),
        ("gauss2", JumpKind::Modified),
        ("midpoint", JumpKind::Variational),
        ("gauss2", JumpKind::Variational),
        ("suzuki(midpoint)", JumpKind::Pointwise),
        ("trapezoidal", JumpKind::Modified),
        ("strang(left)", JumpKind::Pointwise),
    ] {
        let text = paper("papers/004/ellipse.toml");
        Case { text, method, jump, step: 0.013, until: 1.3, kept: &["m", "g", "a"], events: 2 }.check(1e-7);
    }
}

#[test]
fn a_constrained_pendulum() {
    let text = paper("examples/pendulum-cartesian.toml");
    Case { text, method: "gauss2", jump: JumpKind::Modified, step: 0.02, until: 0.7, kept: &["m"], events: 0 }
        .check(1e-7);
}

const DOME: &str = r#"
lagrangian = "0.5*m*(x'^2 + y'^2) - m*g*y"
[parameters]
m = 1.0
g = 9.81
R = 1.0
[coordinates]
x = { initial = 0.1, velocity = 0.4 }
y = { initial = 1.2 }
[contacts.dome]
gap = "sqrt(x^2 + y^2) - R"
law = "newton"
restitution = 0.0
"#;

#[test]
fn a_mass_that_lands_on_a_dome_and_leaves_it() {
    for (method, jump) in [("midpoint", JumpKind::Modified), ("gauss2", JumpKind::Pointwise)] {
        let text = DOME.to_owned();
        Case { text, method, jump, step: 0.011, until: 0.9, kept: &["g", "R"], events: 2 }.check(1e-6);
    }
}

const BLOCK: &str = r#"
lagrangian = "0.5*m*(x'^2 + y'^2) - m*g*y"
[parameters]
m = 1.0
g = 9.81
mu = 0.3
F = 4.0
[coordinates]
x = { initial = 0.0, velocity = 0.1 }
y = { initial = 0.1 }
[forces]
x = "F*sin(2*t)"
[contacts.floor]
gap = "y"
tangent = "x"
law = "plastic"
friction = "mu"
"#;

#[test]
fn a_block_that_lands_sticks_slips_and_halts() {
    for method in ["midpoint", "gauss2"] {
        let (text, jump) = (BLOCK.to_owned(), JumpKind::Modified);
        Case { text, method, jump, step: 0.017, until: 1.8, kept: &["m", "g", "mu", "F"], events: 3 }.check(1e-6);
    }
}

/// Changes that violate the constraints are those of the state that is moved onto them.
#[test]
fn constraints_of_both_kinds_with_impacts() {
    let bar = paper("papers/000/constrained-bar.toml");
    let (method, jump) = ("midpoint", JumpKind::Modified);
    Case { text: bar, method, jump, step: 0.011, until: 1.0, kept: &["m"], events: 2 }.check(1e-6);
    let sleigh = paper("examples/chaplygin-sleigh-offset.toml");
    for method in ["midpoint", "gauss2"] {
        let text = sleigh.clone();
        Case { text, method, jump: JumpKind::Pointwise, step: 0.013, until: 1.0, kept: &["m"], events: 1 }.check(1e-6);
    }
}

#[test]
fn a_leg_that_lands_sticks_and_hops() {
    let text = paper("examples/hopping-leg.toml");
    Case { text, method: "gauss2", jump: JumpKind::Modified, step: 0.005, until: 1.0, kept: &["stiffness"], events: 4 }
        .check(1e-5);
}
