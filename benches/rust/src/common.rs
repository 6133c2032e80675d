//! Timing, and the systems that are timed.

use carom_expr::Scope;
use carom_model::{System, SystemBuilder};
use std::time::{Duration, Instant};

/// Seconds of the fastest of many calls: the machine may be busy, the minimum is not.
pub fn best(total: Duration, mut work: impl FnMut()) -> f64 {
    let (clock, mut least) = (Instant::now(), f64::INFINITY);
    let mut calls = 0;
    while calls < 5 || clock.elapsed() < total {
        let call = Instant::now();
        work();
        least = least.min(call.elapsed().as_secs_f64());
        calls += 1;
    }
    least
}

/// A planar chain of `n` uniform rods of unit mass and length, absolute angles from straight down:
/// `L = 1/2 sum c_ij cos(th_i - th_j) w_i w_j + sum k_i cos th_i`.
pub fn chain(n: usize) -> System {
    let scope = Scope::default();
    let (angles, rates): (Vec<_>, Vec<_>) =
        (0..n).map(|i| (scope.variable(&format!("th{i}")), scope.variable(&format!("th{i}'")))).unzip();
    let (c, k) = coefficients(n);
    let mut lagrangian = scope.constant(0.0);
    for i in 0..n {
        lagrangian = lagrangian + k[i] * angles[i].cos() + 0.5 * c[i][i] * rates[i].square();
        for j in 0..i {
            lagrangian = lagrangian + c[i][j] * (angles[i] - angles[j]).cos() * rates[i] * rates[j];
        }
    }
    let lagrangian = lagrangian.id();
    let builder = (0..n).fold(SystemBuilder::new("chain"), |builder, i| builder.coordinate(&format!("th{i}")));
    match builder.lagrangian(lagrangian).build(scope.into_graph()) {
        Ok(system) => system,
        Err(error) => unreachable!("the chain is well-formed: {error}"),
    }
}

/// The matrix `c_ij` and the weights `k_i` of the chain.
pub fn coefficients(n: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    let links = n as f64;
    let entry = |i: usize, j: usize| {
        if i == j { links - i as f64 - 1.0 + 1.0 / 3.0 } else { links - i.max(j) as f64 - 0.5 }
    };
    let c = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    (c, (0..n).map(|i| 9.8 * (links - i as f64 - 0.5)).collect())
}

/// Initial angles of the chain; it starts at rest.
pub fn initial(n: usize) -> Vec<f64> {
    if n == 2 { vec![1.0, 0.4] } else { vec![0.6, 0.5, 0.4, 0.3] }
}
