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

/// Errors outside this range are not used: above, higher terms rule, below, rounding does.
const RANGE: (f64, f64) = (3e-13, 1e-3);
/// Points of a fit.
const POINTS: usize = 12;
/// Starts whose errors are averaged.
const STARTS: usize = 16;

/// A start: position and velocity.
type Start = (Vec<f64>, Vec<f64>);

/// The order, fitted to errors between the asymptotic range and rounding. Errors are
/// geometric means over several starts: single high-order errors jump with the
/// places of the nodes, their mean does not.
fn measured_order(system: &System, method: &Method, options: Options, starts: &[Start], truths: &[Vec<f64>]) -> f64 {
    let order = method.properties().order;
    let mut stepper = stepper(system, method, options);
    let mut points: Vec<(f64, f64)> = Vec::new();
    // Low orders need short steps to become regular.
    let mut steps: f64 = match order {
        1 | 2 => 400.0,
        4 => 120.0,
        6 | 8 => 40.0,
        _ => 12.0,
    };
    while points.len() < POINTS {
        let count = steps.round() as usize;
        let mut error = |(start, truth): (&Start, &Vec<f64>)| {
            distance(&run(&mut stepper, (&start.0, &start.1), UNTIL, count), truth).max(1e-17)
        };
        let errors: Vec<f64> = starts.iter().zip(truths).map(&mut error).collect();
        if errors.iter().any(|error| *error < RANGE.0) {
            break;
        }
        let mean = (errors.iter().map(|error| error.ln()).sum::<f64>() / errors.len() as f64).exp();
        points.extend((order == 1 || mean < RANGE.1).then_some((UNTIL / count as f64, mean)));
        steps = (steps * if order < 8 { 1.15 } else { 1.04 }).max(steps + 1.0);
    }
    assert!(points.len() >= 5, "{method}: too few points above rounding: {points:?}");
    let fitted = fitted_order(&points);
    println!("{method}: declared {order}, measured {fitted:.3}, {} points", points.len());
    fitted
}

fn check_all(system: &System, options: Options, starts: &[Start]) {
    let reference = Method::parse("gauss6").expect("a method");
    let mut exact = stepper(system, &reference, options);
    let truth = |start: &Start| run(&mut exact, (&start.0, &start.1), UNTIL, 300);
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
    let phase = |i: usize| std::f64::consts::TAU * i as f64 / STARTS as f64;
    let start = |i: usize| {
        let (x, y) = (phase(i).cos(), phase(i).sin());
        (vec![0.3 * x, 0.4 * x + 0.1 * y], vec![0.7 * y, 0.9 * y - 0.3 * x])
    };
    (0..STARTS).map(start).collect()
}

/// Tangent velocities on the circle.
fn on_the_circle() -> Vec<Start> {
    let start = |i: usize| {
        let (angle, rate) = (0.6 + 0.04 * i as f64, 1.0 - 0.05 * i as f64);
        (vec![f64::sin(angle), -f64::cos(angle)], vec![rate * f64::cos(angle), rate * f64::sin(angle)])
    };
    (0..STARTS).map(start).collect()
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
