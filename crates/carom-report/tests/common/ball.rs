//! A disc that bounces over bumpy ground, in closed form between its impacts.

use super::Case;
use carom_expr::Scope;
use carom_model::{Primitive, Shape, SystemBuilder, Trajectory};

const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.15;

/// A disc with a spoke; the ground is a wave, a plane variable of it is a coordinate of the system.
pub fn ball(steps: usize, h: f64) -> Case {
    let scope = Scope::default();
    let (x, y, phi) = (scope.variable("x"), scope.variable("y"), scope.variable("phi"));
    let (dx, dy, dphi) = (scope.variable("x'"), scope.variable("y'"), scope.variable("phi'"));
    let r = scope.variable("r");
    let lagrangian = 0.5 * (dx.square() + dy.square() + 0.5 * r * r * dphi.square()) - GRAVITY * y;
    let (rim, height) = ([(x + r * phi.cos()).id(), (y + r * phi.sin()).id()], scope.variable("height"));
    let gap = (height - 0.04 * (3.0 * x).sin()).id();
    let center = [x.id(), y.id()];
    let plain = |shape, color: &str, trace| Primitive { shape, color: Some(color.to_owned()), trace };
    let drawing = vec![
        Primitive { shape: Shape::Ground { gap, plane: [x.id(), height.id()] }, color: None, trace: false },
        plain(Shape::Circle { center, radius: r.id() }, "darkcyan", true),
        plain(Shape::Line { from: center, to: rim }, "darkcyan", false),
    ];
    let builder = SystemBuilder::new("bouncing disc").parameter("r", RADIUS).lagrangian(lagrangian.id());
    let builder = builder.coordinate("x").coordinate("y").coordinate("phi");
    let system = builder.build(scope.into_graph()).unwrap();
    let mut trajectory = Trajectory::new(system.coordinate_names(), Vec::new(), "exact");
    let (mut height, mut speed) = (1.2, 0.0);
    for k in 0..=steps {
        trajectory.t.push(k as f64 * h);
        trajectory.q.extend([0.8 * k as f64 * h, height, -2.0 * k as f64 * h]);
        trajectory.v.extend([0.8, speed, -2.0]);
        trajectory.p.extend([0.8, speed, -RADIUS * RADIUS]);
        trajectory.energy.push(0.5 * speed * speed + GRAVITY * height);
        trajectory.constraint_error.push(0.0);
        height += h * speed - 0.5 * GRAVITY * h * h;
        speed -= GRAVITY * h;
        if height < RADIUS && speed < 0.0 {
            speed *= -0.8;
        }
    }
    Case { system, drawing, quasivelocities: Vec::new(), trajectory }
}

/// Many point masses in a row, of which each oscillates at its own pace.
pub fn crowd(count: usize) -> Case {
    let scope = Scope::default();
    let mut builder = SystemBuilder::new("crowd");
    let mut lagrangian = scope.constant(0.0);
    for i in 0..count {
        let (q, v) = (scope.variable(&format!("x_{i}")), scope.variable(&format!("x_{i}'")));
        lagrangian = lagrangian + 0.5 * v * v - 0.5 * q * q;
        builder = builder.coordinate(&format!("x_{i}"));
    }
    let system = builder.lagrangian(lagrangian.id()).build(scope.into_graph()).unwrap();
    let mut trajectory = Trajectory::new(system.coordinate_names(), Vec::new(), "exact");
    for k in 0..=400 {
        let t = 0.05 * f64::from(k);
        let rate = |i: usize| 1.0 + 0.2 * i as f64;
        trajectory.t.push(t);
        trajectory.q.extend((0..count).map(|i| (rate(i) * t).sin() + i as f64));
        trajectory.v.extend((0..count).map(|i| rate(i) * (rate(i) * t).cos()));
        trajectory.energy.push(1.0);
    }
    Case { system, drawing: Vec::new(), quasivelocities: Vec::new(), trajectory }
}
