//! Holonomic constraints: both formulations, tangent momenta, physical multipliers.
#![allow(clippy::print_stdout)] // measured numbers are shown with --nocapture

use crate::common;

use carom_discrete::{Formulation, Method, Options};
use carom_expr::Backend;
use common::*;

fn options(formulation: Formulation) -> Options {
    Options { backend: Backend::Interpreter, formulation, ..Options::default() }
}

#[test]
fn formulations_agree_to_rounding() {
    for method in methods() {
        let mut runs = Vec::new();
        for formulation in Formulation::ALL {
            let mut stepper = stepper(&double_cartesian_pendulum(), &method, options(formulation));
            stepper.start(0.0, &[0.6, -0.8, 1.4, -1.4], &[0.0; 4]).expect("starts");
            for _ in 0..100 {
                stepper.step(0.005).expect("steps");
            }
            runs.push(stepper.state().clone());
        }
        let states = distance(&runs[0].q, &runs[1].q).max(distance(&runs[0].p, &runs[1].p));
        let impulses = distance(&runs[0].impulses, &runs[1].impulses);
        println!("{method}: states {states:.1e}, impulses {impulses:.1e}");
        assert!(states < 1e-12 && impulses < 1e-11, "{method}: states {states:.1e}, impulses {impulses:.1e}");
    }
}

#[test]
fn constraints_and_tangency_hold_at_every_node() {
    for method in methods() {
        let mut stepper = stepper(&double_cartesian_pendulum(), &method, options(Formulation::Multipliers));
        stepper.start(0.0, &[0.6, -0.8, 1.4, -1.4], &[0.3, 0.2, 0.1, 0.0]).expect("starts");
        for _ in 0..300 {
            stepper.step(0.01).expect("steps");
            let v = stepper.velocity().expect("a velocity").to_vec();
            let q = stepper.state().q.clone();
            let (g, jacobian) = stepper.legendre().constraints(&q);
            assert!(g.iter().all(|g| g.abs() < 1e-14), "{method}: g = {g:?}");
            for row in jacobian.chunks(4) {
                let rate: f64 = row.iter().zip(&v).map(|(a, b)| a * b).sum();
                assert!(rate.abs() < 1e-13, "{method}: rate {rate:.1e}");
            }
        }
    }
}

#[test]
fn impulses_converge_to_the_tension() {
    // L = 1/2 v^2 - 9.8 y on x^2 + y^2 = 1: lambda = (v^2 - 9.8 y)/2 balances M a = -grad V - G^T lambda.
    let method = Method::parse("midpoint").expect("a method");
    let mut errors = Vec::new();
    for steps in [100, 200] {
        let mut stepper = stepper(&cartesian_pendulum(), &method, options(Formulation::Multipliers));
        stepper.start(0.0, &[0.6, -0.8], &[0.8, 0.6]).expect("starts");
        let h = 1.0 / f64::from(steps);
        for _ in 0..steps - 1 {
            stepper.step(h).expect("steps");
        }
        // The impulse of the next step belongs to this node.
        let (q, v) = (stepper.state().q.clone(), stepper.velocity().expect("a velocity").to_vec());
        stepper.step(h).expect("steps");
        let tension = 0.5 * (v[0] * v[0] + v[1] * v[1] - 9.8 * q[1]);
        errors.push((stepper.state().impulses[0] / h - tension).abs());
    }
    assert!(errors[1] < 1e-3 && errors[0] / errors[1] > 3.5, "second order: {errors:?}");
}

#[test]
fn a_start_off_the_constraint_is_projected() {
    let method = Method::parse("midpoint").expect("a method");
    let mut stepper = stepper(&cartesian_pendulum(), &method, options(Formulation::Multipliers));
    stepper.start(0.0, &[0.63, -0.81], &[1.0, 1.0]).expect("starts");
    let q = stepper.state().q.clone();
    assert!((q[0] * q[0] + q[1] * q[1] - 1.0).abs() < 1e-15);
    let v = stepper.velocity().expect("a velocity").to_vec();
    assert!((q[0] * v[0] + q[1] * v[1]).abs() < 1e-15);
}

#[test]
fn multipliers_are_the_tension_for_every_method() {
    for method in methods() {
        let mut stepper = stepper(&cartesian_pendulum(), &method, options(Formulation::Multipliers));
        stepper.start(0.0, &[0.6, -0.8], &[0.8, 0.6]).expect("starts");
        for _ in 0..10 {
            let (q, v) = (stepper.state().q.clone(), stepper.velocity().expect("a velocity").to_vec());
            let tension = 0.5 * (v[0] * v[0] + v[1] * v[1] - 9.8 * q[1]);
            let found = stepper.multipliers().expect("regular")[0];
            assert!((found - tension).abs() < 1e-12, "{method}: {found} instead of {tension}");
            stepper.step(0.02).expect("steps");
        }
    }
}
