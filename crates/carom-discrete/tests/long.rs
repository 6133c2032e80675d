//! A million steps: momentum kept to rounding, no drift of the energy.
#![allow(clippy::print_stdout)] // measured numbers are shown with --nocapture

use crate::common;

use carom_discrete::{Method, Options, Stepper};
use carom_model::System;
use common::*;

const STEPS: usize = 1_000_000;
/// Steps between two looks.
const LOOK: usize = 500;

fn follow(system: &System, name: &str, start: (&[f64], &[f64]), h: f64, mut look: impl FnMut(&mut Stepper)) {
    let method = Method::parse(name).expect("a method");
    let mut stepper = stepper(system, &method, Options::default());
    stepper.start(0.0, start.0, start.1).expect("starts");
    look(&mut stepper);
    for k in 1..=STEPS {
        stepper.step(h).expect("steps");
        if k % LOOK == 0 {
            look(&mut stepper);
        }
    }
    assert_eq!(stepper.divided(), 0);
}

fn energy(stepper: &mut Stepper) -> f64 {
    let v = stepper.velocity().expect("a velocity").to_vec();
    let state = stepper.state().clone();
    stepper.legendre().energy(&state.q, &v, state.t)
}

#[test]
fn drift_angular_momentum_over_a_million_steps() {
    for name in ["midpoint", "trapezoidal", "gauss2"] {
        let (mut first, mut worst) = (None, 0.0_f64);
        follow(&kepler(), name, (&[0.8, 0.0], &[0.0, 1.2]), 0.02, |stepper| {
            let (q, p) = (&stepper.state().q, &stepper.state().p);
            let momentum = q[0] * p[1] - q[1] * p[0];
            worst = worst.max((momentum - *first.get_or_insert(momentum)).abs());
        });
        println!("{name}: angular momentum off by {worst:.1e} after {STEPS} steps");
        assert!(worst < 1e-12, "{name}: {worst:.1e}");
    }
}

/// Slope of the energy by least squares, times the duration, over the amplitude of its oscillation.
fn relative_drift(energies: &[f64]) -> f64 {
    let n = energies.len() as f64;
    let mean = energies.iter().sum::<f64>() / n;
    let place = |i: usize| i as f64 / n - 0.5;
    let top: f64 = energies.iter().enumerate().map(|(i, e)| place(i) * (e - mean)).sum();
    let bottom: f64 = (0..energies.len()).map(|i| place(i).powi(2)).sum();
    let spread = energies.iter().map(|e| (e - mean).abs()).fold(0.0, f64::max);
    (top / bottom).abs() / spread
}

#[test]
fn drift_energy_over_a_million_steps() {
    let cases = [
        (double_pendulum(), ([0.5, 0.3], [0.2, -0.1]), 0.02),
        (kepler(), ([0.8, 0.0], [0.0, 1.2]), 0.02),
        (cartesian_pendulum(), ([0.6, -0.8], [0.8, 0.6]), 0.02),
    ];
    for (system, start, h) in &cases {
        for name in ["midpoint", "trapezoidal"] {
            let mut energies = Vec::new();
            follow(system, name, (&start.0, &start.1), *h, |stepper| energies.push(energy(stepper)));
            let drift = relative_drift(&energies);
            println!("{name} on {}: drift {drift:.1e} of the oscillation", system.name());
            assert!(drift < 0.05, "{name} on {}: {drift:.2}", system.name());
        }
    }
}

#[test]
fn a_damped_motion_drifts() {
    // The measurement itself must be able to fail.
    let mut energies = Vec::new();
    let method = Method::parse("midpoint").expect("a method");
    let mut stepper = stepper(&forced_double_pendulum(), &method, Options::default());
    stepper.start(0.0, &[1.0, 0.4], &[0.0, 0.0]).expect("starts");
    for _ in 0..5000 {
        stepper.step(0.002).expect("steps");
        energies.push(energy(&mut stepper));
    }
    assert!(relative_drift(&energies) > 0.3);
}
