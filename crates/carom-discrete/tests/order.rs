//! Declared orders, measured by regression on nonlinear problems.

mod common;

use carom_discrete::{Formulation, Method, Options};
use carom_expr::Backend;
use carom_model::System;
use common::*;

const UNTIL: f64 = 3.0;

fn options() -> Options {
    Options { backend: Backend::Interpreter, ..Options::default() }
}

/// Points are used once the error is below this: then the leading term rules.
fn asymptotic(order: usize) -> f64 {
    match order {
        1 => 1e-2,
        2 => 1e-3,
        4 => 1e-5,
        6 => 1e-7,
        _ => 1e-9,
    }
}

/// Below this, rounding takes over.
const FLOOR: f64 = 2e-13;
/// Points of a fit.
const POINTS: usize = 8;

/// A start: position and velocity.
type Start = (Vec<f64>, Vec<f64>);

/// The order, fitted to errors between the asymptotic range and rounding. Errors are
/// geometric means over several starts: single high-order errors jump with the
/// places of the nodes, their mean does not.
fn measured_order(system: &System, method: &Method, options: Options, starts: &[Start], truths: &[Vec<f64>]) -> f64 {
    let order = method.properties().order;
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut steps = 8.0_f64;
    while points.len() < POINTS && steps < 8000.0 {
        let count = steps.round() as usize;
        let error = |(start, truth): (&Start, &Vec<f64>)| {
            distance(&run(system, method, options, (&start.0, &start.1), UNTIL, count), truth).max(1e-17)
        };
        let errors: Vec<f64> = starts.iter().zip(truths).map(error).collect();
        if errors.iter().any(|error| *error < FLOOR) {
            break;
        }
        let mean = (errors.iter().map(|error| error.ln()).sum::<f64>() / errors.len() as f64).exp();
        points.extend((mean < asymptotic(order)).then_some((UNTIL / count as f64, mean)));
        // Finer where the range is short.
        steps = if order < 8 { steps * 1.2 } else { (steps * 1.06).max(steps + 1.0) };
    }
    assert!(points.len() >= 4, "{method}: too few points above rounding: {points:?}");
    let fitted = slope(&points);
    println!("{method}: declared {order}, measured {fitted:.3}, {} points", points.len());
    fitted
}

fn check_all(system: &System, options: Options, starts: &[Start]) {
    let reference = Method::parse("gauss6").expect("a method");
    let truth = |start: &Start| run(system, &reference, options, (&start.0, &start.1), UNTIL, 200);
    let truths: Vec<Vec<f64>> = starts.iter().map(truth).collect();
    let mut bad = Vec::new();
    for method in methods() {
        let order = method.properties().order as f64;
        let fitted = measured_order(system, &method, options, starts, &truths);
        if (fitted - order).abs() > 0.1 {
            bad.push(format!("{method}: declared {order}, measured {fitted:.3}"));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Gentle swings: the motion is smooth on the scale of a step.
fn swings() -> Vec<Start> {
    let start = |i: usize| (vec![0.5 + 0.04 * i as f64, 0.3 - 0.03 * i as f64], vec![0.2, -0.1 + 0.05 * i as f64]);
    (0..8).map(start).collect()
}

/// Tangent velocities on the circle.
fn on_the_circle() -> Vec<Start> {
    let start = |i: usize| {
        let (angle, rate) = (0.6 + 0.08 * i as f64, 1.0 - 0.1 * i as f64);
        (vec![f64::sin(angle), -f64::cos(angle)], vec![rate * f64::cos(angle), rate * f64::sin(angle)])
    };
    (0..8).map(start).collect()
}

#[test]
fn order_free() {
    check_all(&double_pendulum(), options(), &swings());
}

#[test]
fn order_forced() {
    check_all(&forced_double_pendulum(), options(), &swings());
}

#[test]
fn order_constrained() {
    check_all(&cartesian_pendulum(), options(), &on_the_circle());
}

#[test]
fn order_constrained_null_space() {
    let options = Options { formulation: Formulation::NullSpace, ..options() };
    check_all(&cartesian_pendulum(), options, &on_the_circle());
}
