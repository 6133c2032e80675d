//! A ball that bounces between a floor and a wall, in closed form, with its impacts.

use super::Case;
use carom_expr::Scope;
use carom_model::{
    Balance, Contact, ContactImpulse, ContactMode, Finding, FindingKind, Impact, ModeChange, Primitive, Shape,
    SystemBuilder, Trajectory,
};

const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.1;
const WALL: f64 = 2.0;
const RESTITUTION: f64 = 0.75;
/// Rises below this speed are over at once: the ball stays on the floor.
const REST: f64 = 0.5;

/// Time and state of the ball; `slides` when it stays on the floor.
struct Ball {
    t: f64,
    q: [f64; 2],
    v: [f64; 2],
    slides: bool,
}

/// A ball of unit mass, thrown to the wall, that ends up sliding on the floor; nodes every `h`.
pub fn bounce(steps: usize, h: f64) -> Case {
    let (system, drawing) = system();
    let mut trajectory = Trajectory::new(system.coordinate_names(), Vec::new(), "exact");
    trajectory.contacts = vec!["floor".to_owned(), "wall".to_owned()];
    let mut ball = Ball { t: 0.0, q: [0.3, 1.2], v: [1.1, 0.0], slides: false };
    for k in 0..=steps {
        ball.fly(k as f64 * h, &mut trajectory);
        record(&mut trajectory, &ball);
    }
    let message = "the gap was negative for a moment; take a smaller step".to_owned();
    let kind = FindingKind::MissedContact;
    trajectory.findings.push(Finding { t: 0.5, contact: 0, kind, value: -1e-9, message });
    Case { system, drawing, quasivelocities: Vec::new(), trajectory }
}

fn system() -> (carom_model::System, Vec<Primitive>) {
    let scope = Scope::default();
    let (x, y) = (scope.variable("x"), scope.variable("y"));
    let (dx, dy) = (scope.variable("x'"), scope.variable("y'"));
    let lagrangian = 0.5 * (dx.square() + dy.square()) - GRAVITY * y;
    let (floor, wall) = ((y - RADIUS).id(), (WALL - RADIUS - x).id());
    let (height, zero, edge) = (scope.variable("height"), scope.constant(0.0), scope.constant(WALL).id());
    let ground = Shape::Ground { gap: height.id(), plane: [x.id(), height.id()] };
    let side = Shape::Line { from: [edge, zero.id()], to: [edge, scope.constant(1.4).id()] };
    let ball = Shape::Circle { center: [x.id(), y.id()], radius: scope.constant(RADIUS).id() };
    let plain = |shape| Primitive { shape, color: None, trace: false };
    let ball = Primitive { shape: ball, color: Some("darkcyan".to_owned()), trace: true };
    let builder = SystemBuilder::new("bouncing ball").lagrangian(lagrangian.id()).coordinate("x").coordinate("y");
    let builder =
        builder.contact(Contact::new("floor", floor, "elastic")).contact(Contact::new("wall", wall, "elastic"));
    (builder.build(scope.into_graph()).unwrap(), vec![plain(ground), plain(side), ball])
}

impl Ball {
    fn gaps(&self) -> [f64; 2] {
        [self.q[1] - RADIUS, WALL - RADIUS - self.q[0]]
    }

    fn energy(&self) -> f64 {
        0.5 * (self.v[0] * self.v[0] + self.v[1] * self.v[1]) + GRAVITY * self.q[1]
    }

    /// Flies to the time `until`, with all impacts on the way.
    fn fly(&mut self, until: f64, trajectory: &mut Trajectory) {
        loop {
            let [floor, wall] = self.gaps();
            let fall = (self.v[1] + (self.v[1] * self.v[1] + 2.0 * GRAVITY * floor.max(0.0)).sqrt()) / GRAVITY;
            let fall = if self.slides { f64::INFINITY } else { fall };
            let side = if self.v[0] > 0.0 { wall / self.v[0] } else { f64::INFINITY };
            let (duration, contact) = if fall < side { (fall, 0) } else { (side, 1) };
            if self.t + duration > until {
                return self.drift(until - self.t);
            }
            self.drift(duration);
            self.collide(contact, trajectory);
        }
    }

    fn drift(&mut self, duration: f64) {
        let gravity = if self.slides { 0.0 } else { GRAVITY };
        self.t += duration;
        self.q[0] += duration * self.v[0];
        self.q[1] += duration * (self.v[1] - 0.5 * gravity * duration);
        self.v[1] -= gravity * duration;
    }

    fn collide(&mut self, contact: usize, trajectory: &mut Trajectory) {
        let (v, energy) = (self.v, self.energy());
        let axis = 1 - contact;
        self.v[axis] *= -RESTITUTION;
        if contact == 0 && self.v[1] < REST {
            self.v[1] = 0.0;
            self.slides = true;
            let (from, to) = (ContactMode::Free, ContactMode::Sliding);
            trajectory.modes.push(ModeChange { t: self.t, contact, from, to, reason: "it does not rise" });
        }
        trajectory.impacts.push(Impact {
            t: self.t,
            bracket: (self.t - 1e-12, self.t + 1e-12),
            impulses: vec![ContactImpulse {
                contact,
                surface: contact,
                normal: (self.v[axis] - v[axis]).abs(),
                tangential: vec![0.0],
            }],
            law: if contact == 0 { "newton" } else { "moreau" }.to_owned(),
            q: self.q.to_vec(),
            q_plus: self.q.to_vec(),
            v_minus: v.to_vec(),
            v_plus: self.v.to_vec(),
            p_minus: v.to_vec(),
            p_plus: self.v.to_vec(),
            energy_minus: energy,
            energy_change: self.energy() - energy,
            balance: Balance { kind: "pointwise", energies: (energy, self.energy()), ..Balance::default() },
            iterations: 4,
        });
    }
}

fn record(trajectory: &mut Trajectory, ball: &Ball) {
    trajectory.t.push(ball.t);
    trajectory.q.extend(ball.q);
    trajectory.v.extend(ball.v);
    trajectory.p.extend(ball.v);
    trajectory.energy.push(ball.energy());
    trajectory.constraint_error.push(0.0);
    trajectory.gaps.extend(ball.gaps());
    trajectory.contact_forces.extend([if ball.slides { GRAVITY } else { 0.0 }, 0.0]);
}
