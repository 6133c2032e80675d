//! The optimal cost converges with the order of the discrete Lagrangian.

use crate::systems;

use carom_control::{ControlProblem, Guess, SolveOptions, solve};
use systems::swing_up;
use systems::turning::turn_over;

fn cost(problem: &ControlProblem, method: &str) -> f64 {
    let mut options = SolveOptions { transcription: method.to_owned(), ..SolveOptions::default() };
    options.nlp.tolerance = 1e-10;
    let solution = solve(problem, &Guess::interpolate(problem, &[]), &options, &mut |_| true).unwrap();
    assert!(solution.outcome.status.is_success(), "{method}: {:?}", solution.worst);
    solution.outcome.objective
}

/// Slope of the line through points `(log n, log error)`, with its sign changed.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let covariance: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    -covariance / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

fn check(name: &str, problem: fn(usize) -> ControlProblem, meshes: [usize; 4]) {
    let exact = cost(&problem(4 * meshes[3]), "gauss3");
    eprintln!("{name}: cost {exact:.10}");
    for (method, order) in [("midpoint", 2), ("trapezoidal", 2), ("gauss2", 4), ("lobatto3", 4)] {
        let error = |n: &usize| (*n, (cost(&problem(*n), method) - exact).abs());
        let errors: Vec<(usize, f64)> = meshes.iter().map(error).collect();
        let points: Vec<(f64, f64)> = errors.iter().map(|&(n, error)| ((n as f64).ln(), error.ln())).collect();
        let measured = slope(&points);
        let listed: Vec<String> = errors.iter().map(|(n, error)| format!("{n}: {error:.2e}")).collect();
        eprintln!("    {method}: order {measured:.3} (declared {order}); {}", listed.join(", "));
        assert!((measured - order as f64).abs() < 0.15, "{name}, {method}: {measured} instead of {order}");
    }
}

#[test]
fn order_of_the_cost_of_a_swing_up() {
    check("cart-pole", swing_up, [60, 90, 135, 200]);
}

#[test]
fn order_of_the_cost_of_a_pendulum() {
    check("pendulum", turn_over, [20, 30, 45, 68]);
}
