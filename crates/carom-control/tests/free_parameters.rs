//! Parameters and durations that are found with the motion.

use crate::systems;

use carom_control::{ControlProblem, CostKind, Duration, FreedParameter, Guess, Phase, SolveOptions, Where, solve};
use carom_expr::Scope;
use carom_model::{System, SystemBuilder};
use carom_nlp::Range;
use std::sync::Arc;
use systems::block;
use systems::solved::solved;

/// A block at `y` whose mass is a parameter, pushed by `u`.
fn block_of_mass() -> Arc<System> {
    let s = Scope::default();
    let lagrangian = (0.5 * s.variable("mass") * s.variable("y'").square()).id();
    let (u, zero) = (s.variable("u").id(), s.constant(0.0).id());
    let builder = SystemBuilder::new("block").parameter("mass", 1.0).coordinate("y").lagrangian(lagrangian);
    Arc::new(builder.input("u", zero).force("y", u).build(s.into_graph()).unwrap())
}

fn rest_to_rest(system: Arc<System>, duration: Duration, intervals: usize) -> Phase {
    let fixed = Range::fixed;
    Phase::new("move", system, duration, intervals)
        .start("y", fixed(0.0))
        .start("y'", fixed(0.0))
        .end("y", fixed(1.0))
        .end("y'", fixed(0.0))
}

/// `12 m^2 + c / m` is least at `m = (c / 24)^(1/3)`.
#[test]
fn best_mass() {
    for method in ["midpoint", "gauss2", "hermite-simpson"] {
        let mut problem = ControlProblem::new("mass")
            .phase(rest_to_rest(block_of_mass(), Duration::Fixed(1.0), 40))
            .free("mass", Range::new(0.1, 5.0))
            .cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
            .cost("lightness", 10.0, CostKind::Terminal("1 / mass".to_owned()));
        let solution = solved(&problem, method);
        let exact = (10.0f64 / 24.0).cbrt();
        let bound = if method == "midpoint" { 1e-3 } else { 1e-6 };
        assert!((solution.freed[0].1 - exact).abs() < bound, "{method}: {:?} {exact}", solution.freed);
        // Costs by name add up, each with the mass that was found.
        assert!((solution.costs[1].1 - 10.0 / solution.freed[0].1).abs() < 1e-9);
        let total: f64 = solution.costs.iter().map(|cost| cost.1).sum();
        assert!((total - solution.outcome.objective).abs() < 1e-8 * total, "{method}");
        // A bound that is in the way is where the optimum lies.
        problem.freed[0] = FreedParameter { name: "mass".to_owned(), range: Range::new(0.9, 5.0), guess: Some(2.0) };
        let mass = solved(&problem, method).freed[0].1;
        assert!((mass - 0.9).abs() < 1e-6, "{method}: {mass}");
    }
}

/// `12 / T^3 + w T` is least at `T = (36 / w)^(1/4)`.
#[test]
fn best_duration() {
    for method in ["gauss2", "hermite-simpson"] {
        for weight in [1.0, 20.0] {
            let duration = Duration::Free { range: Range::new(0.1, 10.0), guess: 1.0 };
            let problem = ControlProblem::new("time")
                .phase(rest_to_rest(block_of_mass(), duration, 10))
                .cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
                .cost("time", weight, CostKind::Time);
            let solution = solved(&problem, method);
            let exact = (36.0 / weight).powf(0.25);
            assert!((solution.duration() - exact).abs() < 1e-6, "{method}: {} {exact}", solution.duration());
            assert!((solution.costs[1].1 - weight * exact).abs() < 1e-5);
        }
    }
}

/// Two phases, joined smoothly, of which only the sum of the durations is told.
#[test]
fn total_duration() {
    let duration = |guess: f64| Duration::Free { range: Range::new(0.1, 2.0), guess };
    let fixed = Range::fixed;
    for method in ["gauss2", "hermite-simpson"] {
        let first =
            Phase::new("first", block_of_mass(), duration(0.3), 8).start("y", fixed(0.0)).start("y'", fixed(0.0));
        // By way of a point that the best motion passes at another time than in the middle: y = 3 t^2 - 2 t^3.
        let first = first.end("y", fixed(0.15625));
        let second = Phase::new("second", block_of_mass(), duration(0.4), 8).end("y", fixed(1.0)).end("y'", fixed(0.0));
        let mut problem = ControlProblem::new("two").phase(first).phase(second).cost(
            "effort",
            1.0,
            CostKind::Integral("u^2".to_owned()),
        );
        problem.total_duration = Some(fixed(1.0));
        let solution = solved(&problem, method);
        assert!((solution.duration() - 1.0).abs() < 1e-8);
        assert!((solution.outcome.objective - 12.0).abs() < 1e-7, "{method}: {}", solution.outcome.objective);
        assert!((solution.phases[0].duration - 0.25).abs() < 1e-5, "{method}: {}", solution.phases[0].duration);
        // A sum that the bounds of the durations cannot reach is no optimum.
        problem.total_duration = Some(Range::at_least(5.0));
        let options = SolveOptions { transcription: method.to_owned(), ..SolveOptions::default() };
        let failed = solve(&problem, &Guess::interpolate(&problem, &[]), &options, &mut |_| true).unwrap();
        assert!(!failed.outcome.status.is_success(), "{:?}", failed.outcome.status);
        assert!(failed.worst.iter().any(|worst| worst.place.to_string().contains("duration")), "{:?}", failed.worst);
    }
}

/// A parameter of one phase alone, among others that are freed.
#[test]
fn parameters_of_some_phases() {
    let mut problem = block(10);
    problem.phases[0].name = "plain".to_owned();
    let second = rest_to_rest(block_of_mass(), Duration::Fixed(1.0), 10);
    let second = Phase { start: Vec::new(), end: Vec::new(), ..second };
    let second = second.end("y", Range::fixed(2.0)).end("y'", Range::fixed(0.0));
    problem = problem.phase(second).free("mass", Range::new(0.1, 5.0)).cost(
        "lightness",
        10.0,
        CostKind::Terminal("1 / mass".to_owned()),
    );
    let solution = solved(&problem, "gauss2");
    let exact = (10.0f64 / 24.0).cbrt();
    assert!((solution.freed[0].1 - exact).abs() < 1e-6, "{:?}", solution.freed);
    assert!((solution.costs[1].1 - 10.0 / exact).abs() < 1e-5, "{:?}", solution.costs);
}

/// The end must lie on a line that moves with time, `y = 1 + t`, and so must nodes above `t / 2`: with a free
/// duration the time in conditions is the one that is found.
#[test]
fn conditions_follow_a_free_duration() {
    let phase =
        Phase::new("chase", systems::particle(1.0), Duration::Free { range: Range::new(0.5, 4.0), guess: 1.0 }, 20)
            .start("y", Range::fixed(0.0))
            .start("y'", Range::fixed(0.0))
            .path("y - t/2 + 1", Range::at_least(0.0), Where::Nodes)
            .end("y - 1 - t", Range::fixed(0.0))
            .end("y'", Range::fixed(1.0));
    let problem = ControlProblem::new("chase")
        .phase(phase)
        .cost("effort", 1.0, CostKind::Integral("u^2".to_owned()))
        .cost("time", 1.0, CostKind::Time);
    let options = SolveOptions { transcription: "gauss2".to_owned(), ..SolveOptions::default() };
    let solution = solve(&problem, &Guess::interpolate(&problem, &[]), &options, &mut |_| true).unwrap();
    assert!(solution.outcome.status.is_success());
    let found = &solution.phases[0];
    let (end, duration) = (found.q[20][0], found.duration);
    assert!((end - 1.0 - duration).abs() < 1e-8 && (duration - 1.0).abs() > 0.1, "{end} {duration}");
    // u = a + b t from rest: y(T) = 1 + T, y'(T) = 1, and the cost of the end is stationary.
    let cost = |t: f64| {
        let (b, a) = ((6.0 * t - 12.0 * (1.0 + t)) / t.powi(3), 1.0 / t - (3.0 * t - 6.0 * (1.0 + t)) / t.powi(2));
        a * a * t + a * b * t * t + b * b * t.powi(3) / 3.0 + t
    };
    let slope = (cost(duration + 1e-5) - cost(duration - 1e-5)) / 2e-5;
    assert!(slope.abs() < 1e-5 && (cost(duration) - solution.outcome.objective).abs() < 1e-7, "{slope}");
}
