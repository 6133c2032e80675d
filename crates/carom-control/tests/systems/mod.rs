//! Systems and problems that several tests use.
#![allow(dead_code)]

pub mod bouncer;
pub mod hopper;
pub mod landing;
pub mod pendulum;
pub mod skate;
pub mod solved;
pub mod turning;

use carom_control::{ControlProblem, CostKind, Duration, Phase};
use carom_expr::Scope;
use carom_model::{Contact, System, SystemBuilder};
use carom_nlp::Range;
use std::sync::Arc;

/// A cart with a pole, hanging at `theta = 0`, pushed by `u`.
pub fn cart_pole() -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let (m1, m2, l, g) = (1.0, 0.3, 0.5, 9.81);
    let lagrangian = 0.5 * (m1 + m2) * v("x'").square()
        + m2 * l * v("x'") * v("theta'") * v("theta").cos()
        + 0.5 * m2 * l * l * v("theta'").square()
        + m2 * g * l * v("theta").cos();
    let (lagrangian, u, zero) = (lagrangian.id(), v("u").id(), s.constant(0.0).id());
    let builder = SystemBuilder::new("cart-pole").coordinate("x").coordinate("theta").lagrangian(lagrangian);
    Arc::new(builder.input("u", zero).force("x", u).build(s.into_graph()).unwrap())
}

/// The pole swings up in two seconds while the cart moves on by one.
pub fn swing_up(intervals: usize) -> ControlProblem {
    let phase = Phase::new("swing", cart_pole(), Duration::Fixed(2.0), intervals)
        .bound("u", Range::new(-20.0, 20.0))
        .bound("x", Range::new(-2.0, 2.0))
        .start("x", Range::fixed(0.0))
        .start("theta", Range::fixed(0.0))
        .start("x'", Range::fixed(0.0))
        .start("theta'", Range::fixed(0.0))
        .end("x", Range::fixed(1.0))
        .end("theta", Range::fixed(std::f64::consts::PI))
        .end("x'", Range::fixed(0.0))
        .end("theta'", Range::fixed(0.0));
    ControlProblem::new("swing-up").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
}

/// A unit mass on a line, above an elastic floor, pushed by `u`; `restitution` of its impacts.
pub fn particle(restitution: f64) -> Arc<System> {
    let s = Scope::default();
    let (y, v, u) = (s.variable("y"), s.variable("y'"), s.variable("u"));
    let (lagrangian, gap) = ((0.5 * v.square()).id(), y.id());
    let (u, zero, e) = (u.id(), s.constant(0.0).id(), s.constant(restitution).id());
    let floor = if restitution == 1.0 {
        Contact::new("floor", gap, "elastic")
    } else {
        Contact::new("floor", gap, "newton").with("restitution", e)
    };
    let builder = SystemBuilder::new("particle").coordinate("y").lagrangian(lagrangian).contact(floor);
    Arc::new(builder.input("u", zero).force("y", u).build(s.into_graph()).unwrap())
}

/// Rest to rest over one unit in one second.
pub fn block(intervals: usize) -> ControlProblem {
    let phase = Phase::new("move", particle(1.0), Duration::Fixed(1.0), intervals)
        .start("y", Range::fixed(0.0))
        .start("y'", Range::fixed(0.0))
        .end("y", Range::fixed(1.0))
        .end("y'", Range::fixed(0.0));
    ControlProblem::new("block move").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
}
