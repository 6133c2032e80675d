//! Motions whose cost is known as well as one likes: smooth all over, or steep for a short while.

use carom_control::{ControlProblem, CostKind, Duration, Phase};
use carom_expr::Scope;
use carom_model::{System, SystemBuilder};
use carom_nlp::Range;
use std::sync::Arc;

/// A pendulum with unit mass and length, hanging at `theta = 0`, turned by `u`.
pub fn pendulum() -> Arc<System> {
    let s = Scope::default();
    let (theta, rate, u) = (s.variable("theta"), s.variable("theta'"), s.variable("u"));
    let lagrangian = (0.5 * rate.square() + 9.81 * theta.cos()).id();
    let (u, zero) = (u.id(), s.constant(0.0).id());
    let builder = SystemBuilder::new("pendulum").coordinate("theta").lagrangian(lagrangian);
    Arc::new(builder.input("u", zero).force("theta", u).build(s.into_graph()).unwrap())
}

/// The pendulum turns from hanging to standing in a second and a half.
pub fn turn_over(intervals: usize) -> ControlProblem {
    let phase = Phase::new("turn", pendulum(), Duration::Fixed(1.5), intervals)
        .start("theta", Range::fixed(0.0))
        .start("theta'", Range::fixed(0.0))
        .end("theta", Range::fixed(std::f64::consts::PI))
        .end("theta'", Range::fixed(0.0));
    ControlProblem::new("turn over").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
}

/// A unit mass thrown against a steep soft wall at zero, pushed by `u`.
pub fn soft_wall(intervals: usize) -> ControlProblem {
    let s = Scope::default();
    let (x, v, u) = (s.variable("x"), s.variable("x'"), s.variable("u"));
    let lagrangian = (0.5 * v.square() - (-200.0 * x).exp()).id();
    let (u, zero) = (u.id(), s.constant(0.0).id());
    let builder = SystemBuilder::new("soft wall").coordinate("x").lagrangian(lagrangian);
    let system = Arc::new(builder.input("u", zero).force("x", u).build(s.into_graph()).unwrap());
    let phase = Phase::new("bounce", system, Duration::Fixed(1.0), intervals)
        .start("x", Range::fixed(1.0))
        .start("x'", Range::fixed(-1.0))
        .end("x", Range::fixed(1.0))
        .end("x'", Range::fixed(1.0));
    ControlProblem::new("soft wall").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
}
