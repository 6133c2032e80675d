//! Transfers by way of an elastic floor, against closed forms.

use crate::systems;

use carom_control::{ControlProblem, CostKind, Duration, Phase, Transition};
use carom_nlp::Range;
use systems::bouncer::{GRAVITY, ball, exact, rest, transfer};
use systems::solved::solved;

/// The transfer with a given number of impacts.
fn with_impacts(height: f64, distance: f64, duration: f64, impacts: usize, intervals: usize) -> ControlProblem {
    let mut problem = ControlProblem::new("bounces").cost("effort", 1.0, CostKind::Integral("u^2 + w^2".to_owned()));
    let guess = duration / (impacts + 1) as f64;
    for k in 0..=impacts {
        let range = Range::new(0.02 * duration, duration);
        let mut phase = Phase::new(&format!("arc {k}"), ball(), Duration::Free { range, guess }, intervals);
        if k == 0 {
            phase = rest(phase.start("x", Range::fixed(0.0)), height, true);
        }
        if k == impacts {
            phase = rest(phase.end("x", Range::fixed(distance)), height, false);
        }
        problem = problem.phase(phase);
    }
    for k in 0..impacts {
        problem = problem.transition(Transition::impact(k, k + 1, &["floor"]));
    }
    problem.total_duration = Some(Range::fixed(duration));
    problem
}

#[test]
fn hovering() {
    let problem = transfer(1.0, 0.5, 1.0, 10);
    let expected = exact(1.0, 0.5, 1.0, 0).0;
    let found = solved(&problem, "gauss2").outcome.objective;
    assert!((found - expected).abs() < 1e-8 * expected, "{found} {expected}");
}

#[test]
fn one_impact() {
    for (distance, duration) in [(0.0, 1.0), (0.5, 1.1), (1.0, 0.6)] {
        let (expected, times) = exact(1.0, distance, duration, 1);
        for method in ["gauss2", "gauss3", "hermite-simpson"] {
            let solution = solved(&with_impacts(1.0, distance, duration, 1, 8), method);
            let (found, time) = (solution.outcome.objective, solution.transitions[0].time);
            assert!((found - expected).abs() < 1e-8 * expected.max(1.0), "{method} {duration}: {found} {expected}");
            assert!((time - times[0]).abs() < 1e-5, "{method}: {time} {times:?}");
        }
    }
}

#[test]
fn two_impacts() {
    let fall = (2.0 / GRAVITY).sqrt();
    for (distance, duration) in [(0.0, 3.5 * fall), (0.5, 3.5 * fall), (0.0, 4.0 * fall)] {
        let (expected, times) = exact(1.0, distance, duration, 2);
        let solution = solved(&with_impacts(1.0, distance, duration, 2, 8), "gauss2");
        let found = solution.outcome.objective;
        assert!((found - expected).abs() < 1e-8 * expected.max(1.0), "{duration}: {found} {expected}");
        for (link, time) in solution.transitions.iter().zip(&times) {
            assert!((link.time - time).abs() < 1e-5, "{} {times:?}", link.time);
            assert!((link.energies[0] - link.energies[1]).abs() < 1e-7);
        }
    }
}

/// A motion that needs no control at all costs nothing.
#[test]
fn free_bounces_cost_nothing() {
    let fall = (2.0 / GRAVITY).sqrt();
    let found = solved(&with_impacts(1.0, 0.0, 2.0 * fall, 1, 6), "gauss2").outcome.objective;
    assert!(found.abs() < 1e-8, "{found}");
    let found = solved(&with_impacts(1.0, 0.0, 4.0 * fall, 2, 6), "gauss2").outcome.objective;
    assert!(found.abs() < 1e-8, "{found}");
}
