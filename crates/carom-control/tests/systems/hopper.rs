//! A hopper: a body above a foot, and a leg that pushes them apart.
//!
//! ```text
//! L = m1/2 y'^2 + m2/2 z'^2 - g (m1 y + m2 z),     u on y, -u on z,     foot: gap z, plastic
//! stance   m1 y'' = u - m1 g,   force on the foot u + m2 g >= 0
//! flight   m1 y'' = u - m1 g,   m2 z'' = -u - m2 g
//! ```

use carom_control::{ControlProblem, CostKind, Duration, Guess, Phase, PhaseGuess, Transition, Where};
use carom_expr::Scope;
use carom_model::{Contact, System, SystemBuilder};
use carom_nlp::Range;
use std::sync::Arc;

/// Mass of the body, mass of the foot, gravity.
pub const MASSES: [f64; 2] = [1.0, 0.25];
pub const GRAVITY: f64 = 9.81;

/// Body at height `y`, foot at height `z`, force `u` of the leg.
pub fn hopper() -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let [m1, m2] = MASSES;
    let kinetic = 0.5 * m1 * v("y'").square() + 0.5 * m2 * v("z'").square();
    let lagrangian = (kinetic - GRAVITY * (m1 * v("y") + m2 * v("z"))).id();
    let (u, minus, gap, zero) = (v("u").id(), (-v("u")).id(), v("z").id(), s.constant(0.0).id());
    let leg = (v("y") - v("z")).id();
    let builder = SystemBuilder::new("hopper").coordinate("y").coordinate("z").lagrangian(lagrangian);
    let builder = builder.input("u", zero).force("y", u).force("z", minus).definition("leg", leg);
    Arc::new(builder.contact(Contact::new("foot", gap, "plastic")).build(s.into_graph()).unwrap())
}

/// A phase whose leg keeps its length within bounds.
pub fn with_leg(name: &str, duration: Duration, intervals: usize) -> Phase {
    Phase::new(name, hopper(), duration, intervals).path("leg", Range::new(0.5, 1.1), Where::Nodes)
}

/// Stance with a foot that does not pull.
pub fn stance(duration: Duration, intervals: usize) -> Phase {
    with_leg("stance", duration, intervals).close("foot", false).path("force_foot", Range::at_least(0.0), Where::Nodes)
}

/// At rest with the foot at `foot` and a leg of length 0.8.
pub fn at_rest(phase: Phase, foot: f64, at_start: bool) -> Phase {
    [("y", foot + 0.8), ("z", foot), ("y'", 0.0), ("z'", 0.0)].into_iter().fold(phase, |phase, (name, value)| {
        let range = Range::fixed(value);
        if at_start { phase.start(name, range) } else { phase.end(name, range) }
    })
}

fn free(guess: f64) -> Duration {
    Duration::Free { range: Range::new(0.05, 1.5), guess }
}

/// From rest on the ground to rest at the top of a jump, the foot 0.3 above the ground.
pub fn jump(intervals: usize) -> ControlProblem {
    let up = at_rest(stance(free(0.4), intervals), 0.0, true);
    let flight = at_rest(with_leg("flight", free(0.3), intervals), 0.3, false);
    ControlProblem::new("jump").phase(up).phase(flight).transition(Transition::smooth(0, 1)).cost(
        "effort",
        1.0,
        CostKind::Integral("u^2".to_owned()),
    )
}

/// A jump of which only the task is told: rest on the ground, rest at the top, some time between them.
pub fn jump_anyhow(duration: Duration, intervals: usize) -> ControlProblem {
    let phase = with_leg("jump", duration, intervals);
    let phase = at_rest(at_rest(phase, 0.0, true), 0.3, false);
    ControlProblem::new("jump").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
}

/// Hops for ever: stance, flight of a given duration, landing, and again.
pub fn hops(flight: f64, intervals: usize) -> ControlProblem {
    let flight = with_leg("flight", Duration::Fixed(flight), intervals).path("z", Range::at_least(0.0), Where::Nodes);
    ControlProblem::new("hops")
        .phase(stance(free(0.4), intervals))
        .phase(flight)
        .transition(Transition { name: "take-off".to_owned(), ..Transition::smooth(0, 1) })
        .transition(Transition { name: "landing".to_owned(), ..Transition::impact(1, 0, &["foot"]) })
        .cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
}

/// A motion through three configurations.
pub fn part(duration: f64, q: [[f64; 2]; 3]) -> PhaseGuess {
    PhaseGuess { duration, times: vec![0.0, 0.5, 1.0], q: q.map(|q| q.to_vec()).to_vec(), ..PhaseGuess::default() }
}

/// A motion to begin with.
pub fn jumping() -> Guess {
    let up = part(0.4, [[0.8, 0.0], [0.7, 0.0], [1.0, 0.0]]);
    Guess { phases: vec![up, part(0.3, [[1.0, 0.0], [1.1, 0.1], [1.1, 0.3]])], ..Guess::default() }
}
