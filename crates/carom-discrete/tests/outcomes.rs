//! Steps that cannot be taken, and steps that conserve the discrete energy.

use crate::common;

use carom_discrete::{EnergyStepper, Method, Options, Schedule, Simulation, SimulationError, StepError, rules};
use carom_expr::{Backend, Scope};
use carom_model::{Ending, System, SystemBuilder};
use common::*;
use std::sync::Arc;

fn options() -> Options {
    Options { backend: Backend::Interpreter, ..Options::default() }
}

fn one_coordinate(lagrangian: impl Fn(carom_expr::Expr<'_>, carom_expr::Expr<'_>) -> carom_expr::Id) -> System {
    let scope = Scope::default();
    let lagrangian = lagrangian(scope.variable("x"), scope.variable("x'"));
    SystemBuilder::new("line").coordinate("x").lagrangian(lagrangian).build(scope.into_graph()).expect("a system")
}

#[test]
fn a_singular_mass_is_named() {
    let system = one_coordinate(|x, v| (0.0 * v - x.square()).id());
    let mut stepper = stepper(&system, &Method::parse("midpoint").expect("a method"), options());
    let error = stepper.start(0.0, &[1.0], &[0.0]).expect_err("no mass");
    assert!(error.to_string().contains("singular"), "{error}");
}

#[test]
fn a_singularity_stops_the_run_and_keeps_its_nodes() {
    // Falls into x = 0 in finite time; there is no motion beyond.
    let system = one_coordinate(|x, v| (0.5 * v.square() - x.log()).id());
    let schedule = Schedule { start: 0.0, until: 10.0, step: 0.01, every: 1 };
    let simulation = Simulation::new(&system, &Method::parse("trapezoidal").expect("a method"), options());
    let error = simulation.expect("compiles").run(&[1.0], &[0.0], schedule, &mut |_| true);
    let Err(SimulationError::Stopped { trajectory, .. }) = error else { panic!("must stop") };
    assert!(trajectory.len() > 10 && trajectory.q.iter().all(|q| q.is_finite()));
    assert!(matches!(trajectory.ending, Ending::Failed { time, .. } if time > 0.5 && time < 10.0));
}

#[test]
fn bad_settings_are_refused_by_name() {
    for (schedule, name) in [
        (Schedule { start: 0.0, until: 1.0, step: 0.0, every: 1 }, "step"),
        (Schedule { start: 0.0, until: 1.0, step: f64::NAN, every: 1 }, "step"),
        (Schedule { start: 0.0, until: -1.0, step: 0.1, every: 1 }, "until"),
        (Schedule { start: 0.0, until: 1.0, step: 0.1, every: 0 }, "every"),
        (Schedule { start: 0.0, until: 1e300, step: 1e-300, every: 1 }, "steps"),
    ] {
        let method = Method::parse("midpoint").expect("a method");
        let simulation = Simulation::new(&double_pendulum(), &method, options()).expect("compiles");
        let error = simulation.run(&[0.1, 0.1], &[0.0, 0.0], schedule, &mut |_| true).expect_err("refused");
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn the_last_step_is_shortened_to_the_final_time() {
    let method = Method::parse("gauss3").expect("a method");
    let simulation = Simulation::new(&double_pendulum(), &method, options()).expect("compiles");
    let schedule = Schedule { start: 0.0, until: 1.0, step: 0.03, every: 10 };
    let trajectory = simulation.run(&[0.5, 0.2], &[0.0, 0.0], schedule, &mut |_| true).expect("runs");
    assert_eq!(trajectory.t.last(), Some(&1.0));
    assert_eq!(trajectory.statistics.steps, 34);
}

#[test]
fn long_steps_are_divided_and_counted() {
    let mut stepper = stepper(&double_pendulum(), &Method::parse("gauss4").expect("a method"), options());
    stepper.start(0.0, &[2.0, 2.5], &[0.0, 0.0]).expect("starts");
    for _ in 0..50 {
        stepper.step(0.3).expect("divided, but taken");
    }
    assert!(stepper.divided() > 0);
}

#[test]
fn energy_steps_keep_the_discrete_energy() {
    let mut stepper = EnergyStepper::new(&kepler().dynamics(), Arc::new(rules::Midpoint), options()).expect("compiles");
    stepper.start(0.0, &[0.9, 0.0], &[0.0, 1.1], 0.05).expect("starts");
    let mut durations = Vec::new();
    for _ in 0..500 {
        durations.push(stepper.step().expect("a step exists"));
        let (energy, last) = stepper.energies();
        assert!((energy - last).abs() < 1e-12, "{energy} and {last}");
    }
    // Longer steps far from the centre, where the motion is slow.
    let (low, high) = durations.iter().fold((1.0_f64, 0.0_f64), |(a, b), d| (a.min(*d), b.max(*d)));
    assert!(low < 0.9 * high, "durations adapt: {low} to {high}");
}

#[test]
fn energy_steps_pass_the_turning_points_of_a_pendulum() {
    let system = one_coordinate(|x, v| (0.5 * v.square() + x.cos()).id());
    let mut stepper = EnergyStepper::new(&system.dynamics(), Arc::new(rules::Midpoint), options()).expect("compiles");
    stepper.start(0.0, &[0.0], &[1.0], 0.1).expect("starts");
    let mut turns = 0;
    for _ in 0..500 {
        let before = stepper.state().p[0];
        stepper.step().expect("a step exists");
        turns += usize::from(before * stepper.state().p[0] < 0.0);
    }
    assert!(turns > 5, "{turns} turns");
}

#[test]
fn where_no_energy_step_exists_that_is_the_outcome() {
    let system = cartesian_pendulum();
    let mut stepper = EnergyStepper::new(&system.dynamics(), Arc::new(rules::Midpoint), options()).expect("compiles");
    stepper.start(0.0, &[0.8, -0.6], &[0.0, 0.0], 0.01).expect("starts");
    let outcome = (0..2000).find_map(|_| stepper.step().err());
    assert!(matches!(outcome, Some(StepError::NoEnergyStep { .. })), "{outcome:?}");
    // The state before the failed step is kept, and it is a good one.
    let q = &stepper.state().q;
    assert!((q[0] * q[0] + q[1] * q[1] - 1.0).abs() < 1e-12);
}

/// A mass at rest, pushed by a force that begins later.
fn pushed(force: impl Fn(carom_expr::Expr<'_>) -> carom_expr::Id) -> System {
    let scope = Scope::default();
    let (x, v) = (scope.variable("x"), scope.variable("x'"));
    let lagrangian = (0.5 * v.square() - 0.5 * x.square()).id();
    let force = force(scope.variable("t"));
    let builder = SystemBuilder::new("pushed").coordinate("x").lagrangian(lagrangian).force("x", force);
    builder.build(scope.into_graph()).expect("a system")
}

#[test]
fn motions_begin_from_rest() {
    let forces: [fn(carom_expr::Expr<'_>) -> carom_expr::Id; 3] =
        [|t| t.sin().id(), |t| (t - 1.0).max(0.0).id(), |t| (-((t - 2.0) / 0.1).square()).exp().id()];
    for (number, force) in forces.into_iter().enumerate() {
        let system = pushed(force);
        for method in methods() {
            let mut stepper = stepper(&system, &method, options());
            stepper.start(0.0, &[0.0], &[0.0]).expect("starts");
            for _ in 0..300 {
                stepper.step(0.01).unwrap_or_else(|error| panic!("{method}, force {number}: {error}"));
            }
            assert_eq!(stepper.divided(), 0, "{method}, force {number}");
            assert!(stepper.state().q[0].abs() > 0.1, "{method}, force {number}: it moves");
        }
    }
}

#[test]
fn tolerances_that_mean_nothing_are_refused() {
    for tolerance in [0.0, -1.0, 1.0, 1e6, f64::NAN] {
        let method = Method::parse("midpoint").expect("a method");
        let error = Simulation::new(&double_pendulum(), &method, Options { tolerance, ..options() }).err();
        assert!(error.is_some_and(|error| error.to_string().contains("tolerance")), "{tolerance}");
    }
}
