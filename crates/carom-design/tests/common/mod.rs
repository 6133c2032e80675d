//! Functions with known minima, and how quickly they are found.
#![allow(dead_code)]

use carom_design::{Function, Journal, MethodOptions, Study, Variable, run};
use std::f64::consts::PI;
use std::sync::atomic::{AtomicBool, Ordering};

/// Branin's function on [-5, 10] x [0, 15]; three equal minima.
pub fn branin(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    (b - 5.1 / (4.0 * PI * PI) * a * a + 5.0 / PI * a - 6.0).powi(2) + 10.0 * (1.0 - 1.0 / (8.0 * PI)) * a.cos() + 10.0
}

pub const BRANIN: f64 = 0.397_887_357_729_738;

pub fn branin_variables() -> Vec<Variable> {
    vec![Variable::new("x", -5.0, 10.0), Variable::new("y", 0.0, 15.0)]
}

/// Hartman's function of three variables on the unit cube.
pub fn hartman3(x: &[f64]) -> f64 {
    let alpha = [1.0, 1.2, 3.0, 3.2];
    let a = [[3.0, 10.0, 30.0], [0.1, 10.0, 35.0], [3.0, 10.0, 30.0], [0.1, 10.0, 35.0]];
    let p = [[0.3689, 0.117, 0.2673], [0.4699, 0.4387, 0.747], [0.1091, 0.8732, 0.5547], [0.03815, 0.5743, 0.8828]];
    let term = |i: usize| -alpha[i] * (-(0..3).map(|j| a[i][j] * (x[j] - p[i][j]).powi(2)).sum::<f64>()).exp();
    (0..4).map(term).sum()
}

pub const HARTMAN3: f64 = -3.862_782_147_820_756;

pub fn hartman3_variables() -> Vec<Variable> {
    ["x", "y", "z"].iter().map(|name| Variable::new(name, 0.0, 1.0)).collect()
}

/// Evaluations until the cost is within 1 % of the minimum; `limit + 1` if it never is.
pub fn evaluations_to_1_percent(
    f: fn(&[f64]) -> f64,
    minimum: f64,
    variables: Vec<Variable>,
    seed: u64,
    limit: usize,
) -> usize {
    evaluations_by("kriging", f, minimum, variables, seed, limit)
}

/// The same by another method.
pub fn evaluations_by(
    method: &str,
    f: fn(&[f64]) -> f64,
    minimum: f64,
    variables: Vec<Variable>,
    seed: u64,
    limit: usize,
) -> usize {
    // It shall not end by itself.
    let options = MethodOptions { tolerance: Some(1e-300), ..MethodOptions::default() };
    let study = Study { seed, max_evaluations: limit, options, ..Study::new("peer", variables, method) };
    let wanted = minimum + 0.01 * minimum.abs();
    let is_found = AtomicBool::new(false);
    let cost = Function(|x: &[f64]| {
        is_found.fetch_or(f(x) <= wanted, Ordering::SeqCst);
        Ok(f(x))
    });
    let stop = || is_found.load(Ordering::SeqCst);
    let outcome = run(&study, &cost, &mut Journal::in_memory(), &stop, &mut |_| ()).unwrap();
    let found = outcome.samples.iter().position(|sample| sample.cost.unwrap() <= wanted);
    found.map_or(limit + 1, |index| index + 1)
}

/// Median and largest.
pub fn median_and_worst(mut counts: Vec<usize>) -> (usize, usize) {
    counts.sort();
    (counts[(counts.len() - 1) / 2], counts[counts.len() - 1])
}
