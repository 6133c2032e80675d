//! A pendulum in Cartesian coordinates, pushed sideways.

use super::solved::along;
use carom_control::{ControlProblem, CostKind, Duration, Guess, Phase};
use carom_expr::Scope;
use carom_model::{System, SystemBuilder};
use carom_nlp::Range;
use std::f64::consts::PI;
use std::sync::Arc;

/// Unit mass at `(x, y)` on the circle `x^2 + y^2 = 1`, under gravity 9.81, with the force `u` along `x`.
pub fn rod() -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let lagrangian = 0.5 * (v("x'").square() + v("y'").square()) - 9.81 * v("y");
    let circle = v("x").square() + v("y").square() - 1.0;
    let (lagrangian, circle, u, zero) = (lagrangian.id(), circle.id(), v("u").id(), s.constant(0.0).id());
    let builder = SystemBuilder::new("rod").coordinate("x").coordinate("y").lagrangian(lagrangian);
    Arc::new(builder.constraint("rod", circle).input("u", zero).force("x", u).build(s.into_graph()).unwrap())
}

/// The same with the angle from below as coordinate: the force `u cos(theta)` moves it.
pub fn angle() -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let lagrangian = (0.5 * v("theta'").square() + 9.81 * v("theta").cos()).id();
    let (torque, zero) = ((v("u") * v("theta").cos()).id(), s.constant(0.0).id());
    let builder = SystemBuilder::new("angle").coordinate("theta").lagrangian(lagrangian);
    Arc::new(builder.input("u", zero).force("theta", torque).build(s.into_graph()).unwrap())
}

/// The swing-up: from rest below to rest above, in 1.5 seconds.
pub fn swing(intervals: usize) -> ControlProblem {
    let fixed = Range::fixed;
    let phase = Phase::new("swing", rod(), Duration::Fixed(1.5), intervals)
        .start("x", fixed(0.0))
        .start("y", fixed(-1.0))
        .start("x'", fixed(0.0))
        .start("y'", fixed(0.0))
        .end("x", fixed(0.0))
        .end("y", fixed(1.0))
        .end("x'", fixed(0.0))
        .end("y'", fixed(0.0));
    ControlProblem::new("swing").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
}

/// The same in the angle.
pub fn swing_angle(intervals: usize) -> ControlProblem {
    let phase = Phase::new("swing", angle(), Duration::Fixed(1.5), intervals)
        .start("theta", Range::fixed(0.0))
        .start("theta'", Range::fixed(0.0))
        .end("theta", Range::fixed(PI))
        .end("theta'", Range::fixed(0.0));
    ControlProblem::new("swing").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
}

/// Half a turn at constant speed.
pub fn around() -> Guess {
    along(1.5, |s| vec![(PI * s).sin(), -(PI * s).cos()])
}

/// The same in the angle.
pub fn through_angles() -> Guess {
    along(1.5, |s| vec![PI * s])
}
