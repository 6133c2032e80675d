//! What every method declares of its geometry, measured: symplectic, symmetric, momentum-keeping.
#![allow(clippy::print_stdout)] // measured numbers are shown with --nocapture

use crate::common;

use carom_discrete::{Method, Options, Stepper};
use carom_expr::Backend;
use carom_model::System;
use common::*;
use std::f64::consts::TAU;

fn options() -> Options {
    Options { backend: Backend::Interpreter, ..Options::default() }
}

/// Points on a closed curve in phase space.
const LOOP: usize = 64;

/// Poincaré's invariant `oint p dq` of a closed curve, spectrally accurate: derivatives along the
/// curve by the discrete Fourier transform, the integral by the trapezoidal rule.
fn loop_integral(points: &[(Vec<f64>, Vec<f64>)]) -> f64 {
    let count = points.len();
    // Derivative of the trigonometric interpolant: half (-1)^d cot(d pi / N) for even N.
    let weight = |d: usize| {
        let sign = if d.is_multiple_of(2) { 0.5 } else { -0.5 };
        sign / (std::f64::consts::PI * d as f64 / count as f64).tan()
    };
    let mut sum = 0.0;
    for i in 0..count {
        for k in 0..points[0].0.len() {
            // Differences first: the constant part must not leave its rounding behind.
            let difference = |d: usize| points[(i + count - d) % count].0[k] - points[(i + d) % count].0[k];
            let slope: f64 = (1..count / 2).map(|d| weight(d) * difference(d)).sum();
            sum += points[i].1[k] * slope;
        }
    }
    sum * TAU / count as f64
}

/// The change of the invariant over some steps, relative to its value.
fn symplecticity_defect(system: &System, method: &Method, h: f64) -> f64 {
    let mut stepper = stepper(system, method, options());
    let mut before = Vec::new();
    let mut after = Vec::new();
    for i in 0..LOOP {
        let s = TAU * i as f64 / LOOP as f64;
        let q = vec![0.4 + 0.05 * s.cos(), 0.2 - 0.04 * (s + 0.7).sin()];
        let p = vec![0.3 + 0.2 * s.sin(), -0.1 + 0.15 * (s - 0.4).cos()];
        stepper.start_phase(0.0, &q, &p).expect("starts");
        for _ in 0..5 {
            stepper.step(h).expect("steps");
        }
        assert_eq!(stepper.divided(), 0, "{method}");
        before.push((q, p));
        after.push((stepper.state().q.clone(), stepper.state().p.clone()));
    }
    let area = loop_integral(&before);
    ((loop_integral(&after) - area) / area).abs()
}

#[test]
fn declared_symplectic_methods_keep_areas() {
    for method in methods() {
        assert!(method.properties().symplectic);
        let defect = symplecticity_defect(&double_pendulum(), &method, 0.05);
        println!("{method}: {defect:.1e}");
        assert!(defect < 2e-13, "{method}: defect {defect:.1e}");
    }
}

#[test]
fn a_damped_system_does_not_keep_areas() {
    // The measurement itself must be able to fail.
    let method = Method::parse("midpoint").expect("a method");
    let defect = symplecticity_defect(&forced_double_pendulum(), &method, 0.05);
    assert!(defect > 1e-3, "defect {defect:.1e}");
}

/// Distance from the start after a step forth and a step back.
fn reversal_error(system: &System, method: &Method, start: (&[f64], &[f64])) -> f64 {
    let mut stepper: Stepper = stepper(system, method, options());
    stepper.start(0.0, start.0, start.1).expect("starts");
    let before = [&stepper.state().q[..], &stepper.state().p].concat();
    stepper.step(0.05).expect("forth");
    stepper.step(-0.05).expect("back");
    distance(&before, &[&stepper.state().q[..], &stepper.state().p].concat())
}

#[test]
fn symmetric_methods_undo_their_steps() {
    for method in methods() {
        for (system, start) in
            [(double_pendulum(), ([0.9, -0.4], [0.5, 0.3])), (cartesian_pendulum(), ([0.6, -0.8], [0.8, 0.6]))]
        {
            let error = reversal_error(&system, &method, (&start.0, &start.1));
            let symmetric = method.properties().symmetric;
            assert_eq!(error < 1e-13, symmetric, "{method} on {}: {error:.1e}", system.name());
        }
    }
}

#[test]
fn momenta_of_cyclic_coordinates_are_kept_to_the_last_bit() {
    let system = spherical_pendulum();
    for method in methods() {
        let mut stepper = stepper(&system, &method, options());
        stepper.start(0.0, &[0.8, 0.1], &[0.2, 1.5]).expect("starts");
        let momentum = stepper.state().p[1];
        for _ in 0..200 {
            stepper.step(0.02).expect("steps");
        }
        assert_eq!(stepper.state().p[1].to_bits(), momentum.to_bits(), "{method}");
    }
}

/// `count` pendulums that do not know each other.
fn pendulums(count: usize) -> System {
    let scope = carom_expr::Scope::default();
    let names: Vec<String> = (0..count).map(|i| format!("q{i}")).collect();
    let mut lagrangian = scope.constant(0.0);
    for name in &names {
        let (q, v) = (scope.variable(name), scope.variable(&format!("{name}'")));
        lagrangian = lagrangian + 0.5 * v.square() + q.cos();
    }
    let lagrangian = lagrangian.id();
    let builder = names.iter().fold(carom_model::SystemBuilder::new("many"), |builder, name| builder.coordinate(name));
    builder.lagrangian(lagrangian).build(scope.into_graph()).expect("a system")
}

#[test]
fn many_uncoupled_systems_move_like_one() {
    // Large systems keep their factors from step to step; small ones do not.
    for method in methods() {
        let end = |count: usize| {
            let mut stepper = stepper(&pendulums(count), &method, options());
            let state = run(&mut stepper, (&vec![1.0; count], &vec![0.3; count]), 5.0, 1000);
            vec![state[0], state[count]]
        };
        let difference = distance(&end(1), &end(9));
        assert!(difference < 1e-13, "{method}: {difference:.1e}");
    }
}
