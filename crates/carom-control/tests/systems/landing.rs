//! A hopper that falls, lands plastically, stands and takes off again.

use carom_control::{ControlProblem, CostKind, Duration, Guess, Phase, PhaseGuess, Transition, Where};
use carom_discrete::Formulation;
use carom_expr::Scope;
use carom_model::{Contact, System, SystemBuilder};
use carom_nlp::Range;
use std::sync::Arc;

/// A foot with a body on a spring of free length, driven by `u` between them; the foot lands plastically.
fn hopper() -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let stretch = v("body") - v("foot") - v("rest");
    let lagrangian = 0.25 * v("foot'").square() + v("body'").square()
        - 9.81 * (0.5 * v("foot") + 2.0 * v("body"))
        - 0.5 * 200.0 * stretch.square();
    let damping = 3.0 * (v("body'") - v("foot'"));
    let (down, up) = ((damping - v("u")).id(), (v("u") - damping).id());
    let (lagrangian, gap, zero) = (lagrangian.id(), v("foot").id(), s.constant(0.0).id());
    let builder = SystemBuilder::new("hopper").coordinate("foot").coordinate("body").parameter("rest", 1.0);
    let builder = builder.lagrangian(lagrangian).contact(Contact::new("floor", gap, "plastic"));
    Arc::new(builder.input("u", zero).force("foot", down).force("body", up).build(s.into_graph()).unwrap())
}

/// Three phases with an impact between the first two, a parameter that is to be found, and a guess.
pub fn hop() -> (ControlProblem, Guess) {
    let system = hopper();
    let phase = |name: &str, guess: f64| {
        Phase::new(name, system.clone(), Duration::Free { range: Range::new(0.05, 1.5), guess }, 15)
    };
    let fall = phase("fall", 0.3)
        .start("foot", Range::fixed(0.3))
        .start("body", Range::fixed(1.25))
        .start("foot'", Range::fixed(0.0))
        .start("body'", Range::fixed(0.0));
    let stance = Phase {
        formulation: Some(Formulation::Multipliers),
        ..phase("stance", 0.3).close("floor", false).path("force_floor", Range::at_least(0.0), Where::Nodes)
    };
    let rise = phase("rise", 0.2).end("foot", Range::fixed(0.2)).end("body", Range::at_least(1.25));
    let problem = ControlProblem::new("hop")
        .phase(fall)
        .phase(stance)
        .phase(rise)
        .transition(Transition::impact(0, 1, &["floor"]))
        .transition(Transition::smooth(1, 2))
        .cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
        .free("rest", Range::new(0.9, 1.1));
    let at = |foot: f64, body: f64| vec![foot, body];
    let line = |duration: f64, q: Vec<Vec<f64>>| PhaseGuess {
        duration,
        times: vec![0.0, 0.5, 1.0],
        q,
        ..PhaseGuess::default()
    };
    let guess = Guess {
        phases: vec![
            line(0.25, vec![at(0.3, 1.25), at(0.22, 1.17), at(0.0, 0.95)]),
            line(0.3, vec![at(0.0, 0.95), at(0.0, 0.75), at(0.0, 1.05)]),
            line(0.2, vec![at(0.0, 1.05), at(0.1, 1.2), at(0.2, 1.25)]),
        ],
        ..Guess::default()
    };
    (problem, guess)
}
