//! Collocation: the same optima as discrete mechanics, at the order that it promises.

use crate::systems;

use carom_control::{
    ControlProblem, ControlShape, CostKind, Duration, Formulation, Phase, Where, transcription, transcriptions,
};
use carom_expr::Scope;
use carom_model::{Contact, SystemBuilder};
use carom_nlp::Range;
use std::sync::Arc;
use systems::pendulum::{around, swing, swing_angle, through_angles};
use systems::solved::{from_guess, solved};
use systems::{block, swing_up};

/// Cost of the swing-up in the limit.
const SWING_UP: f64 = 58.807667;

#[test]
fn order_on_the_cart_pole() {
    // There is a cheaper swing-up, of three swings: all searches begin near the one of two.
    let near = solved(&swing_up(100), "midpoint").guess();
    let limit = from_guess(&swing_up(80), &near, "gauss4").outcome.objective;
    assert!((limit - SWING_UP).abs() < 2e-6, "{limit}");
    let errors: Vec<f64> = [40, 80, 160]
        .map(|n| (from_guess(&swing_up(n), &near, "hermite-simpson").outcome.objective - limit).abs())
        .to_vec();
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!(order > 3.6, "order {order:.2}: {errors:?}");
    }
}

#[test]
fn cubic_motions_are_exact() {
    let solution = solved(&block(4), "hermite-simpson");
    assert!((solution.outcome.objective - 12.0).abs() < 1e-8, "{}", solution.outcome.objective);
    assert!((solution.costs[0].1 - 12.0).abs() < 1e-8);
    let mut linear = block(4);
    linear.phases[0].shape = ControlShape::Linear;
    assert!((solved(&linear, "hermite-simpson").outcome.objective - 12.0).abs() < 1e-8);
    // u = 6 - 12 t, v = 6 t (1 - t)
    let phase = &solution.phases[0];
    assert!((phase.controls.at(1, 0.5)[0] - (6.0 - 12.0 * 0.375)).abs() < 1e-6);
    assert!((phase.v[2][0] - 1.5).abs() < 1e-7);
}

/// Constraints hold at every node; the cost is that of the minimal coordinate.
#[test]
fn constrained_motion() {
    let guess = around();
    let reference = from_guess(&swing_angle(60), &through_angles(), "gauss3").outcome.objective;
    let mut errors = Vec::new();
    for n in [15, 30, 60] {
        let solution = from_guess(&swing(n), &guess, "hermite-simpson");
        errors.push((solution.outcome.objective - reference).abs());
        let off = |q: &Vec<f64>| (q[0] * q[0] + q[1] * q[1] - 1.0).abs();
        assert!(solution.phases[0].q.iter().map(off).fold(0.0, f64::max) < 1e-8);
    }
    assert!((errors[1] / errors[2]).log2() > 3.0, "{errors:?}");
    assert!(errors[2] < 1e-3 * reference);
}

#[test]
fn conditions_along_the_way() {
    let mut problem = block(10);
    problem.phases[0] = problem.phases[0].clone().path("y'", Range::at_most(1.2), Where::Both);
    let solution = solved(&problem, "hermite-simpson");
    let fastest = solution.phases[0].v.iter().map(|v| v[0]).fold(0.0, f64::max);
    assert!(solution.outcome.objective > 12.5 && fastest < 1.2 + 1e-6, "{fastest}");
    // The force of the rod is known at nodes.
    let mut problem = swing(20);
    problem.phases[0] = problem.phases[0].clone().path("force_rod", Range::at_most(4.0), Where::Nodes);
    problem.phases[0].formulation = Some(Formulation::Multipliers);
    let guess = around();
    let solution = from_guess(&problem, &guess, "hermite-simpson");
    let inner = &solution.phases[0].forces[1..20];
    assert!(inner.iter().all(|force| force[0] < 4.0 + 1e-6), "{inner:?}");
}

#[test]
fn table_of_transcriptions() {
    let all = transcriptions();
    assert!(all.iter().any(|method| method.name() == "midpoint" && method.order() == 2));
    assert!(all.iter().any(|method| method.name() == "hermite-simpson" && method.order() == 4));
    for method in &all {
        assert!(!method.summary().is_empty());
        assert_eq!(transcription(&method.name()).unwrap().name(), method.name());
    }
    let error = transcription("simpson").unwrap_err().to_string();
    assert!(error.contains("hermite-simpson"), "{error}");
}

/// A block sticks to the floor at a place that is to be found, while a slider moves along it: rest to rest, cost 12.
#[test]
fn sticking_contact() {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let kinetic = 0.5 * (v("x'").square() + v("z'").square() + v("slider'").square());
    let lagrangian = (kinetic - 9.81 * v("z")).id();
    let (u, back, zero) = (v("u").id(), (-v("u")).id(), s.constant(0.0).id());
    let floor = Contact::new("floor", v("z").id(), "plastic").tangent(v("x").id());
    let builder = SystemBuilder::new("block").coordinate("x").coordinate("z").coordinate("slider");
    let builder = builder.lagrangian(lagrangian).contact(floor).input("u", zero);
    let system = builder.force("slider", u).force("x", back).build(s.into_graph()).unwrap();
    let phase = Phase::new("slide", Arc::new(system), Duration::Fixed(1.0), 8).close("floor", true);
    let phase = phase.start("slider", Range::fixed(0.0)).start("slider'", Range::fixed(0.0));
    let phase = phase.end("slider", Range::fixed(1.0)).end("slider'", Range::fixed(0.0));
    let problem = ControlProblem::new("slide")
        .phase(phase)
        .cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
        .cost("place", 1.0, CostKind::Terminal("(x - 0.3)^2".to_owned()));
    for method in ["gauss2", "hermite-simpson"] {
        let solution = solved(&problem, method);
        assert!((solution.outcome.objective - 12.0).abs() < 1e-7, "{method}: {}", solution.outcome.objective);
        let phase = &solution.phases[0];
        assert!(phase.q.iter().all(|q| (q[0] - 0.3).abs() < 1e-6), "{method}");
        // The floor carries the weight, and gives the block what the slider takes: u = 6 - 12 t.
        assert!((phase.forces[4][0] - 9.81).abs() < 1e-6, "{method}: {:?}", phase.forces[4]);
        assert!((phase.forces[2][1] - 3.0).abs() < 1e-5, "{method}: {:?}", phase.forces[2]);
    }
}
