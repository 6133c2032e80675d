//! Planar chains of rods: steps per second, and time to an accuracy.
//!
//! Prints one JSON object per line, with the keys of `benches/peers/common.py`,
//! or a short table.
#![allow(clippy::print_stdout)] // a benchmark reports on standard output

mod common;

use carom_discrete::{Method, Options, Stepper};
use carom_flow::{FlowOptions, Taylor};
use common::{best, chain, coefficients, initial};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Simulated seconds.
const UNTIL: f64 = 20.0;
/// Interval at which the energy is looked at.
const SAMPLE: f64 = 0.01;
/// Least time spent on one setting.
const TIMED: Duration = Duration::from_millis(400);

fn main() {
    let as_json = std::env::args().any(|argument| argument == "--json");
    for n in [2, 4] {
        let rows = steppers(n).into_iter().chain(flows(n));
        for row in rows {
            if as_json {
                println!("{row}");
            } else {
                let number = |key: &str| row[key].as_f64().unwrap_or(f64::NAN);
                println!(
                    "n={n} {:34} {:9.4} ms {:10.3e} steps/s  error {:8.1e}  drift {:8.1e}  compile {:.3} s",
                    row["setting"].as_str().unwrap_or(""),
                    1e3 * number("wall_s"),
                    number("steps") / number("wall_s"),
                    number("pos_err"),
                    number("drift"),
                    number("compile_s"),
                );
            }
        }
    }
}

/// Variational integrators with fixed steps.
fn steppers(n: usize) -> Vec<Value> {
    let settings: [(&str, f64); 9] = [
        ("midpoint", 1e-2),
        ("midpoint", 1e-3),
        ("trapezoidal", 1e-3),
        ("gauss2", 2e-2),
        ("gauss3", 4e-2),
        ("gauss4", 8e-2),
        ("gauss4", 5e-2),
        ("gauss5", 1e-1),
        ("gauss6", 1e-1),
    ];
    settings.iter().map(|&(name, h)| stepper(n, name, h)).collect()
}

fn stepper(n: usize, name: &str, h: f64) -> Value {
    let (system, q0) = (chain(n), initial(n));
    let method = Method::parse(name).unwrap_or_else(|error| unreachable!("{error}"));
    let clock = Instant::now();
    let mut stepper =
        Stepper::new(&system.dynamics(), &method, Options::default()).unwrap_or_else(|error| unreachable!("{error}"));
    let compile = clock.elapsed().as_secs_f64();
    let steps = (UNTIL / h).round() as usize;
    let rest = vec![0.0; n];
    let run = |stepper: &mut Stepper, each: &mut dyn FnMut(&mut Stepper)| {
        stepper.start(0.0, &q0, &rest).unwrap_or_else(|error| unreachable!("{error}"));
        for _ in 0..steps {
            stepper.step(UNTIL / steps as f64).unwrap_or_else(|error| unreachable!("{error}"));
            each(stepper);
        }
    };
    let wall = best(TIMED, || run(&mut stepper, &mut |_| {}));
    let end = stepper.state().q.clone();
    let mut drift = 0.0_f64;
    run(&mut stepper, &mut |stepper| {
        let v = stepper.velocity().map(<[f64]>::to_vec).unwrap_or_default();
        drift = drift.max(energy_error(&stepper.state().q, &v));
    });
    row(n, &format!("{name} h={h}"), wall, steps, &end, drift, compile)
}

/// The Taylor flow at several tolerances.
fn flows(n: usize) -> Vec<Value> {
    let settings = [
        (1e-5, None),
        (1e-6, None),
        (1e-7, None),
        (1e-8, None),
        (1e-9, None),
        (1e-16, None),
        (1e-7, Some(12)),
        (1e-8, Some(14)),
        (1e-9, Some(16)),
    ];
    settings.iter().map(|&(tolerance, order)| flow(n, tolerance, order)).collect()
}

fn flow(n: usize, tolerance: f64, order: Option<usize>) -> Value {
    let (system, q0) = (chain(n), initial(n));
    let clock = Instant::now();
    let options = FlowOptions { tolerance, order, ..FlowOptions::default() };
    let mut taylor = Taylor::new(&system.dynamics(), options).unwrap_or_else(|error| unreachable!("{error}"));
    let compile = clock.elapsed().as_secs_f64();
    let rest = vec![0.0; n];
    let wall = best(TIMED, || {
        taylor.start(0.0, &q0, &rest).unwrap_or_else(|error| unreachable!("{error}"));
        taylor.propagate(UNTIL).unwrap_or_else(|error| unreachable!("{error}"));
    });
    let end = taylor.q().to_vec();
    let before = taylor.steps();
    taylor.start(0.0, &q0, &rest).unwrap_or_else(|error| unreachable!("{error}"));
    taylor.propagate(UNTIL).unwrap_or_else(|error| unreachable!("{error}"));
    let steps = taylor.steps() - before;
    let drift = flow_drift(&mut taylor, &q0);
    row(n, &format!("Taylor tol={tolerance:e} order={}", taylor.order()), wall, steps, &end, drift, compile)
}

/// Largest energy error on the sampling grid, by dense output.
fn flow_drift(taylor: &mut Taylor, q0: &[f64]) -> f64 {
    let n = q0.len();
    let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
    taylor.start(0.0, q0, &vec![0.0; n]).unwrap_or_else(|error| unreachable!("{error}"));
    let mut drift = 0.0_f64;
    for k in 1..=(UNTIL / SAMPLE).round() as usize {
        let time = k as f64 * SAMPLE;
        while taylor.until(time) > taylor.length() {
            taylor.step(f64::INFINITY).unwrap_or_else(|error| unreachable!("{error}"));
        }
        taylor.at(taylor.until(time), &mut q, &mut v, &mut []);
        drift = drift.max(energy_error(&q, &v));
    }
    drift
}

/// `|E - E(0)|` over the depth of the potential well that is used.
fn energy_error(q: &[f64], v: &[f64]) -> f64 {
    let n = q.len();
    let (c, k) = coefficients(n);
    let start = initial(n);
    let energy = |q: &[f64], v: &[f64]| {
        let potential: f64 = -(0..n).map(|i| k[i] * q[i].cos()).sum::<f64>();
        let pair = |i: usize, j: usize| 0.5 * c[i][j] * (q[i] - q[j]).cos() * v[i] * v[j];
        potential + (0..n * n).map(|x| pair(x / n, x % n)).sum::<f64>()
    };
    let depth: f64 = (0..n).map(|i| k[i] * (1.0 - start[i].cos())).sum();
    (energy(q, v) - energy(&start, &vec![0.0; n])).abs() / depth
}

fn row(n: usize, setting: &str, wall: f64, steps: usize, end: &[f64], drift: f64, compile: f64) -> Value {
    let error = reference(n).iter().zip(end).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    json!({
        "peer": "carom", "work": "W2", "setting": setting, "n": n, "T": UNTIL, "wall_s": wall, "steps": steps,
        "pos_err": error, "drift": drift, "compile_s": compile,
    })
}

/// End angles from the peers' reference file.
fn reference(n: usize) -> Vec<f64> {
    let file: Value = serde_json::from_str(include_str!("../../peers/reference.json")).unwrap_or_default();
    let angles = file["W2"][n.to_string()]["angles"].as_array().cloned().unwrap_or_default();
    angles.iter().filter_map(Value::as_f64).collect()
}
