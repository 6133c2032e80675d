//! A unit mass above an elastic floor, from rest to rest at the same height, and its optima in closed form.
//!
//! The least integral of `(a + g)^2` of an arc of duration `tau` between two states is that of a cubic. Optimal over the
//! velocities `w` at impacts and, for two impacts, over the moments of the impacts, which are symmetric,
//!
//! ```text
//! no impact     g^2 T
//! one impact    6 (h - g tau^2/2)^2 / tau^3,                       tau = T/2
//! two impacts   2 (12 h^2/tau^3 - 12 h w/tau^2 + 4 w^2/tau - 2 g w + g^2 tau) + (2 w - g sigma)^2 / sigma,
//!               sigma = T - 2 tau,    w = (3 h/tau^2 + g) / (2/tau + 1/sigma),    least over tau
//! ```
//!
//! A motion over a horizontal distance `d` costs `12 d^2 / T^3` more.

use carom_control::{ControlProblem, CostKind, Duration, Phase};
use carom_expr::Scope;
use carom_model::{Contact, System, SystemBuilder};
use carom_nlp::Range;
use std::sync::Arc;

/// Gravity.
pub const GRAVITY: f64 = 9.81;

/// A unit mass at `(x, y)` under gravity, pushed by `u` and `w`, above an elastic floor `y >= 0`.
pub fn ball() -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let lagrangian = 0.5 * (v("x'").square() + v("y'").square()) - GRAVITY * v("y");
    let (lagrangian, gap, zero) = (lagrangian.id(), v("y").id(), s.constant(0.0).id());
    let (u, w) = (v("u").id(), v("w").id());
    let builder = SystemBuilder::new("ball").coordinate("x").coordinate("y").lagrangian(lagrangian);
    let builder = builder.input("u", zero).input("w", zero).force("x", u).force("y", w);
    Arc::new(builder.contact(Contact::new("floor", gap, "elastic")).build(s.into_graph()).unwrap())
}

/// The transfer as one phase: from rest at `(0, height)` to rest at `(distance, height)` in a given time.
pub fn transfer(height: f64, distance: f64, duration: f64, intervals: usize) -> ControlProblem {
    let phase = Phase::new("transfer", ball(), Duration::Fixed(duration), intervals);
    let phase = rest(phase.start("x", Range::fixed(0.0)), height, true);
    let phase = rest(phase.end("x", Range::fixed(distance)), height, false);
    ControlProblem::new("transfer").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2 + w^2".to_owned()))
}

/// At rest at a height.
pub fn rest(phase: Phase, height: f64, at_start: bool) -> Phase {
    [("y", height), ("x'", 0.0), ("y'", 0.0)].into_iter().fold(phase, |phase, (name, value)| {
        let range = Range::fixed(value);
        if at_start { phase.start(name, range) } else { phase.end(name, range) }
    })
}

/// The cost of the best motion with this many impacts, and the times of the impacts.
pub fn exact(height: f64, distance: f64, duration: f64, impacts: usize) -> (f64, Vec<f64>) {
    let g = GRAVITY;
    let across = 12.0 * distance * distance / duration.powi(3);
    match impacts {
        0 => (across + g * g * duration, vec![]),
        1 => {
            let tau = 0.5 * duration;
            (across + 6.0 * (height - 0.5 * g * tau * tau).powi(2) / tau.powi(3), vec![tau])
        }
        2 => {
            let cost = |tau: f64| {
                let sigma = duration - 2.0 * tau;
                let w = (3.0 * height / (tau * tau) + g) / (2.0 / tau + 1.0 / sigma);
                let fall = 12.0 * height * height / tau.powi(3) - 12.0 * height * w / (tau * tau) + 4.0 * w * w / tau
                    - 2.0 * g * w
                    + g * g * tau;
                2.0 * fall + (2.0 * w - g * sigma).powi(2) / sigma
            };
            let tau = minimise(cost, 0.02 * duration, 0.48 * duration);
            (across + cost(tau), vec![tau, duration - tau])
        }
        _ => panic!("no closed form"),
    }
}

/// The place of the least value: the best of many places, then thirds.
fn minimise(cost: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let at = |k: usize| low + (high - low) * k as f64 / 1000.0;
    let best = (1..1000).min_by(|&a, &b| cost(at(a)).total_cmp(&cost(at(b)))).unwrap();
    let (mut low, mut high) = (at(best - 1), at(best + 1));
    for _ in 0..100 {
        let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if cost(a) < cost(b) { high = b } else { low = a }
    }
    0.5 * (low + high)
}

/// The transfer of 002: unit mass under gravity 10 over the curve `y = cos x`, from rest to rest over `10 pi` in 4 seconds.
pub fn over_a_cosine(intervals: usize) -> ControlProblem {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let lagrangian = (0.5 * (v("x'").square() + v("y'").square()) - 10.0 * v("y")).id();
    let (gap, zero) = ((v("y") - v("x").cos()).id(), s.constant(0.0).id());
    let (u, w) = (v("u").id(), v("w").id());
    let builder = SystemBuilder::new("particle").coordinate("x").coordinate("y").lagrangian(lagrangian);
    let builder = builder.input("u", zero).input("w", zero).force("x", u).force("y", w);
    let system = builder.contact(Contact::new("ground", gap, "elastic")).build(s.into_graph()).unwrap();
    let pi = std::f64::consts::PI;
    let phase = Phase::new("transfer", Arc::new(system), Duration::Fixed(4.0), intervals);
    let phase = rest(phase.start("x", Range::fixed(-4.5 * pi)), 21.0, true);
    let phase = rest(phase.end("x", Range::fixed(5.5 * pi)), 21.0, false);
    ControlProblem::new("particle").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2 + w^2".to_owned()))
}

/// A weightless particle in a corner of a floor and a wall, both elastic. Thrown into the corner, it comes back by itself:
/// it meets the wall after 2/3 s and the floor after 5/6 s.
pub fn corner(intervals: usize) -> ControlProblem {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let lagrangian = (0.5 * (v("x'").square() + v("y'").square())).id();
    let (floor, wall, zero) = (v("y").id(), (1.0 - v("x")).id(), s.constant(0.0).id());
    let (u, w) = (v("u").id(), v("w").id());
    let builder = SystemBuilder::new("corner").coordinate("x").coordinate("y").lagrangian(lagrangian);
    let builder = builder.input("u", zero).input("w", zero).force("x", u).force("y", w);
    let builder =
        builder.contact(Contact::new("floor", floor, "elastic")).contact(Contact::new("wall", wall, "elastic"));
    let system = Arc::new(builder.build(s.into_graph()).unwrap());
    let mut phase = Phase::new("throw", system, Duration::Fixed(1.5), intervals);
    for (name, start, end) in [("x", 0.0, -0.25), ("y", 1.0, 0.8), ("x'", 1.5, -1.5), ("y'", -1.2, 1.2)] {
        phase = phase.start(name, Range::fixed(start)).end(name, Range::fixed(end));
    }
    ControlProblem::new("corner").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2 + w^2".to_owned()))
}
