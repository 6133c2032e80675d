//! Optima that are known in closed form or to many digits.

use crate::systems;

use carom_control::{
    ControlProblem, ControlShape, CostKind, Duration, Guess, Jump, Phase, Solution, SolveOptions, Transition, solve,
};
use carom_nlp::{Range, Status};
use systems::{block, particle, swing_up};

fn solved(problem: &ControlProblem, method: &str) -> Solution {
    let options = SolveOptions { transcription: method.to_owned(), ..SolveOptions::default() };
    let solution = solve(problem, &Guess::interpolate(problem, &[]), &options, &mut |_| true).unwrap();
    assert_eq!(solution.outcome.status, Status::Converged, "{method}: {:?}", solution.worst);
    solution
}

/// Rest to rest over one unit in one second with the least squared force: u = 6 - 12 t, cost 12.
#[test]
fn block_move() {
    for (method, order) in [("midpoint", 2), ("trapezoidal", 2), ("gauss2", 4), ("lobatto3", 4), ("gauss3", 6)] {
        for n in [5, 10, 20] {
            let solution = solved(&block(n), method);
            let error = (solution.outcome.objective - 12.0).abs();
            // Gauss rules with linear controls hold the exact solution.
            let bound = if order > 2 { 1e-8 } else { 40.0 / (n * n) as f64 };
            assert!(error < bound, "{method} {n}: {error:.2e}");
            let cost = solution.costs[0].1;
            assert!((cost - solution.outcome.objective).abs() < 1e-9, "{method}: {cost}");
        }
    }
}

#[test]
fn peer_cart_pole() {
    for (n, expected) in [(100, 58.989874440), (400, 58.819052503)] {
        let solution = solved(&swing_up(n), "midpoint");
        assert!((solution.outcome.objective - expected).abs() < 1e-6, "{}", solution.outcome.objective);
    }
}

/// A unit mass goes from 1 to 1 in one second, rest to rest, by way of an elastic wall at 0. With the
/// impact in the middle each half is: from rest at 1 to the wall with free speed; J = 3 d^2 / T^3 each.
#[test]
fn double_integrator_with_elastic_wall() {
    for jump in [Jump::Pointwise, Jump::Variational] {
        let phase = |name: &str| {
            Phase::new(name, particle(1.0), Duration::Free { range: Range::new(0.1, 0.9), guess: 0.4 }, 20)
        };
        let first = phase("down").start("y", Range::fixed(1.0)).start("y'", Range::fixed(0.0));
        let second = phase("up").end("y", Range::fixed(1.0)).end("y'", Range::fixed(0.0));
        let mut problem = ControlProblem::new("wall")
            .phase(first)
            .phase(second)
            .transition(Transition { jump, ..Transition::impact(0, 1, &["floor"]) })
            .cost("effort", 1.0, CostKind::Integral("u^2".to_owned()));
        problem.total_duration = Some(Range::fixed(1.0));
        let guess = Guess::interpolate(&problem, &[]);
        let options = SolveOptions { transcription: "gauss2".to_owned(), ..SolveOptions::default() };
        let solution = solve(&problem, &guess, &options, &mut |_| true).unwrap();
        assert_eq!(solution.outcome.status, Status::Converged, "{:?}", solution.worst);
        let exact = 2.0 * 3.0 / 0.125;
        assert!((solution.outcome.objective - exact).abs() < 1e-6, "{jump:?}: {}", solution.outcome.objective);
        let impact = &solution.transitions[0];
        assert!((impact.time - 0.5).abs() < 1e-6);
        assert!((impact.v_plus[0] + impact.v_minus[0]).abs() < 1e-8);
        assert!((impact.energies[0] - impact.energies[1]).abs() < 1e-8);
    }
}

#[test]
fn shapes_of_controls() {
    let mut constant = block(10);
    constant.phases[0].shape = ControlShape::Constant;
    let mut linear = block(10);
    linear.phases[0].shape = ControlShape::Linear;
    // Linear controls hold u = 6 - 12 t.
    assert!((solved(&linear, "gauss2").outcome.objective - 12.0).abs() < 1e-8);
    assert!((solved(&constant, "gauss2").outcome.objective - 12.0).abs() > 1e-3);
    let error = solve(&linear, &Guess::interpolate(&linear, &[]), &SolveOptions::default(), &mut |_| true).unwrap_err();
    assert!(error.to_string().contains("sees their mean alone"), "{error}");
}
