//! Declared orders, measured by regression on nonlinear problems.
#![allow(clippy::print_stdout)] // measured numbers are shown with --nocapture

use crate::common;

use carom_discrete::{Formulation, Method, Options};
use carom_expr::Backend;
use carom_model::System;
use common::*;

fn options() -> Options {
    Options { backend: Backend::Interpreter, ..Options::default() }
}

/// How an order is measured: between large steps, where higher terms rule, and rounding.
struct Plan {
    until: f64,
    /// Coarsest number of steps and the factor to the next.
    steps: (f64, f64),
    /// Errors that are used.
    range: (f64, f64),
    /// Terms of the fit; the correction `1 + c h^2` needs a long range.
    terms: usize,
    /// Size of the motion.
    amplitude: f64,
}

/// Twelfth order leaves two decades of error between both limits: gentle motion and a long run.
fn plan(order: usize) -> Plan {
    let (steps, range) = match order {
        1 => ((400.0, 1.15), (0.0, 1.0)),
        2 => ((400.0, 1.15), (0.0, 1e-2)),
        4 => ((120.0, 1.15), (3e-13, 1e-4)),
        6 => ((40.0, 1.15), (3e-13, 1e-4)),
        8 => ((24.0, 1.05), (3e-13, 1e-4)),
        10 => ((40.0, 1.05), (3e-12, 1e-9)),
        _ => ((80.0, 1.02), (2e-13, 5e-12)),
    };
    let high = order >= 10;
    Plan {
        until: if order >= 12 {
            24.0
        } else if high {
            12.0
        } else {
            3.0
        },
        steps,
        range,
        terms: if high { 2 } else { 3 },
        amplitude: if high { 0.1 } else { 0.3 },
    }
}

/// Points of a fit.
const POINTS: usize = 16;
/// Starts whose errors are averaged: single high-order errors jump with the places of the nodes,
/// their geometric mean does not.
const STARTS: usize = 16;

/// A start: position and velocity.
type Start = (Vec<f64>, Vec<f64>);

fn measured_order(system: &System, method: &Method, options: Options, starts: fn(f64) -> Vec<Start>) -> f64 {
    let order = method.properties().order;
    let plan = plan(order);
    let starts = starts(plan.amplitude);
    let mut exact = stepper(system, &Method::parse("gauss6").expect("a method"), options);
    let truth = |start: &Start| run(&mut exact, (&start.0, &start.1), plan.until, 100 * plan.until as usize);
    let truths: Vec<Vec<f64>> = starts.iter().map(truth).collect();

    let mut stepper = stepper(system, method, options);
    let (mut points, mut steps) = (Vec::new(), plan.steps.0);
    while points.len() < POINTS {
        let count = steps.round() as usize;
        steps = (steps * plan.steps.1).max(steps + 1.0);
        let divided = stepper.divided();
        let mut error = |(start, truth): (&Start, &Vec<f64>)| {
            distance(&run(&mut stepper, (&start.0, &start.1), plan.until, count), truth).max(1e-17).ln()
        };
        let mean = (starts.iter().zip(&truths).map(&mut error).sum::<f64>() / starts.len() as f64).exp();
        if mean < plan.range.0 {
            break;
        }
        // A divided step is not a step of this size.
        if mean < plan.range.1 && stepper.divided() == divided {
            points.push((plan.until / count as f64, mean));
        }
    }
    assert!(points.len() >= 6, "{method}: too few points above rounding: {points:?}");
    let fitted = fitted_order(&points, plan.terms);
    println!("{method}: declared {order}, measured {fitted:.3}, {} points", points.len());
    fitted
}

fn check(system: &System, options: Options, starts: fn(f64) -> Vec<Start>, highest: usize) {
    let mut bad = Vec::new();
    for method in methods().iter().filter(|method| method.properties().order <= highest) {
        let order = method.properties().order as f64;
        let fitted = measured_order(system, method, options, starts);
        if (fitted - order).abs() > 0.1 {
            bad.push(format!("{method}: declared {order}, measured {fitted:.3}"));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Points of an oval in phase space.
fn oval(amplitude: f64) -> impl Iterator<Item = (f64, f64)> {
    let phase = |i: usize| std::f64::consts::TAU * i as f64 / STARTS as f64;
    (0..STARTS).map(move |i| (amplitude * phase(i).cos(), amplitude * phase(i).sin()))
}

/// Swings of the double pendulum.
fn swings(amplitude: f64) -> Vec<Start> {
    oval(amplitude).map(|(x, y)| (vec![x, 1.3 * x + 0.3 * y], vec![2.3 * y, 3.0 * y - x])).collect()
}

/// Swings of a pendulum in Cartesian coordinates.
fn circle(amplitude: f64) -> Vec<Start> {
    let start = |(x, y): (f64, f64)| {
        let (angle, rate) = (2.0 * x, 6.3 * y);
        (vec![angle.sin(), -angle.cos()], vec![rate * angle.cos(), rate * angle.sin()])
    };
    oval(amplitude).map(start).collect()
}

#[test]
fn order_free() {
    check(&double_pendulum(), options(), swings, 12);
}

/// The driving force keeps errors of the highest orders too close to rounding to be measured.
#[test]
fn order_forced() {
    check(&forced_double_pendulum(), options(), swings, 8);
}

#[test]
fn order_constrained() {
    check(&cartesian_pendulum(), options(), circle, 12);
}

#[test]
fn order_constrained_null_space() {
    check(&cartesian_pendulum(), Options { formulation: Formulation::NullSpace, ..options() }, circle, 12);
}
