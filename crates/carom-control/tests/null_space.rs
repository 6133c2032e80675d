//! Multipliers and null space are one motion.

use crate::systems;

use carom_control::{ControlProblem, CostKind, Duration, Formulation, Guess, Phase, SolveOptions, Where, solve};
use carom_expr::Scope;
use carom_model::{System, SystemBuilder};
use carom_nlp::{Range, Status};
use std::sync::Arc;
use systems::pendulum::{around, swing, swing_angle, through_angles};
use systems::skate::turn;
use systems::solved::{along, from_guess, solved};

#[test]
fn same_optimum_and_same_forces() {
    let guess = around();
    for method in ["midpoint", "trapezoidal", "gauss2", "lobatto3"] {
        let [with, without] = [Formulation::Multipliers, Formulation::NullSpace].map(|formulation| {
            let mut problem = swing(40);
            problem.phases[0].formulation = Some(formulation);
            from_guess(&problem, &guess, method)
        });
        let (a, b) = (with.outcome.objective, without.outcome.objective);
        assert!((a - b).abs() < 1e-8 * a, "{method}: {a} {b}");
        assert!(without.size[0] < with.size[0] && without.size[1] < with.size[1]);
        for (k, (a, b)) in with.phases[0].forces.iter().zip(&without.phases[0].forces).enumerate() {
            assert!((a[0] - b[0]).abs() < 1e-5, "{method}: node {k}: {a:?} {b:?}");
        }
        for (a, b) in with.phases[0].v.iter().zip(&without.phases[0].v) {
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6), "{method}");
        }
    }
}

#[test]
fn minimal_coordinate_has_the_same_optimum() {
    let mut problem = swing(160);
    problem.phases[0].formulation = Some(Formulation::NullSpace);
    let guess = around();
    let null = from_guess(&problem, &guess, "midpoint").outcome.objective;
    let angle = from_guess(&swing_angle(160), &through_angles(), "midpoint").outcome.objective;
    assert!((null - angle).abs() < 2e-3 * angle, "{null} {angle}");
}

#[test]
fn forces_need_multipliers() {
    let mut problem = swing(10);
    problem.phases[0] = problem.phases[0].clone().path("force_rod", Range::at_most(4.0), Where::Nodes);
    problem.phases[0].formulation = Some(Formulation::NullSpace);
    let guess = Guess::interpolate(&problem, &[]);
    let error = solve(&problem, &guess, &SolveOptions::default(), &mut |_| true).unwrap_err().to_string();
    assert!(error.contains("is not known in the null space"), "{error}");
}

/// A velocity constraint ties two of three coordinates; the blade turns through directions in which each of them alone
/// would be no pivot.
#[test]
fn velocity_constraints() {
    for method in ["midpoint", "gauss2"] {
        let [with, without] = [Formulation::Multipliers, Formulation::NullSpace].map(|formulation| {
            let mut problem = turn(30);
            problem.phases[0].formulation = Some(formulation);
            solved(&problem, method)
        });
        let (a, b) = (with.outcome.objective, without.outcome.objective);
        assert!((a - b).abs() < 1e-8 * a, "{method}: {a} {b}");
        for (a, b) in with.phases[0].forces.iter().zip(&without.phases[0].forces) {
            assert!((a[0] - b[0]).abs() < 1e-4, "{method}: {a:?} {b:?}");
        }
    }
    let fine = solved(&turn(60), "gauss2").outcome.objective;
    let collocation = solved(&turn(60), "hermite-simpson").outcome.objective;
    assert!((fine - collocation).abs() < 1e-4 * fine, "{fine} {collocation}");
}

/// A point on the unit sphere, pushed in all directions.
fn sphere() -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let lagrangian = (0.5 * (v("x'").square() + v("y'").square() + v("z'").square())).id();
    let surface = (v("x").square() + v("y").square() + v("z").square() - 1.0).id();
    let (zero, forces) = (s.constant(0.0).id(), ["fx", "fy", "fz"].map(|name| v(name).id()));
    let mut builder = SystemBuilder::new("sphere").lagrangian(lagrangian).constraint("sphere", surface);
    for (x, (name, force)) in ["x", "y", "z"].into_iter().zip(["fx", "fy", "fz"].into_iter().zip(forces)) {
        builder = builder.coordinate(x).input(name, zero).force(x, force);
    }
    Arc::new(builder.build(s.into_graph()).unwrap())
}

/// From below to above; where `z = 0` and `y = 0` the pivot `z` says nothing about `y`.
fn over_the_sphere(formulation: Formulation, intervals: usize) -> ControlProblem {
    let mut phase = Phase::new("turn", sphere(), Duration::Fixed(1.0), intervals);
    for (x, start, end) in [("x", 0.0, 0.0), ("y", 0.0, 0.6), ("z", -1.0, 0.8)] {
        phase = phase.start(x, Range::fixed(start)).end(x, Range::fixed(end));
        phase = phase.start(&format!("{x}'"), Range::fixed(0.0)).end(&format!("{x}'"), Range::fixed(0.0));
    }
    phase.formulation = Some(formulation);
    let effort = CostKind::Integral("fx^2 + fy^2 + fz^2".to_owned());
    ControlProblem::new("turn").phase(phase).cost("effort", 1.0, effort)
}

#[test]
fn two_directions_on_a_sphere() {
    let guess = along(1.0, |s| vec![0.5 * (2.5 * s).sin(), 0.6 * s, -(2.5 * s).cos()]);
    let [with, without] = [Formulation::Multipliers, Formulation::NullSpace]
        .map(|formulation| from_guess(&over_the_sphere(formulation, 12), &guess, "midpoint").outcome.objective);
    assert!((with - without).abs() < 1e-8 * with, "{with} {without}");
}

/// A balance that the null space loses is no optimum, whatever the solver says.
#[test]
fn lost_balances_are_named() {
    let guess = along(1.0, |s| vec![(2.5 * s).sin(), 0.1 * s, -(2.5 * s).cos()]);
    let [with, without] = [Formulation::Multipliers, Formulation::NullSpace].map(|formulation| {
        let mut problem = over_the_sphere(formulation, 2);
        for x in ["y", "z"] {
            problem.phases[0] = problem.phases[0].clone().path(x, Range::fixed(0.0), Where::Nodes);
        }
        solve(&problem, &guess, &SolveOptions::default(), &mut |_| true).unwrap().outcome.status
    });
    assert_eq!(with, Status::Converged);
    assert!(matches!(&without, Status::Failed(why) if why.contains("node 1")), "{without:?}");
}
