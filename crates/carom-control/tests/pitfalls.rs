//! Cases that are easy to get wrong without a word.

use crate::systems;

use carom_control::{
    ClosedContact, ControlProblem, Cost, CostKind, Duration, Guess, Jump, Phase, PhaseGuess, Solution, SolveOptions,
    Transition, audit, solve,
};
use carom_expr::Scope;
use carom_model::{Contact, System, SystemBuilder};
use carom_nlp::Range;
use std::sync::Arc;
use systems::block;

fn run(problem: &ControlProblem, method: &str) -> Result<Solution, carom_control::ControlError> {
    let options = SolveOptions { transcription: method.to_owned(), ..SolveOptions::default() };
    solve(problem, &Guess::interpolate(problem, &[]), &options, &mut |_| true)
}

fn refusal(problem: &ControlProblem) -> String {
    run(problem, "midpoint").map(|found| found.outcome.status).unwrap_err().to_string()
}

/// A mass in the plane under gravity, pushed both ways, above a floor with a plastic law and beside an elastic wall.
fn plane(names: [&str; 2], friction: Option<f64>) -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let lagrangian = (0.5 * (v("x'").square() + v("y'").square()) - 9.81 * v("y")).id();
    let mut floor = Contact::new("floor", v("y").id(), "plastic").tangent(v("x").id());
    if let Some(friction) = friction {
        floor = floor.with("friction", s.constant(friction).id());
    }
    let wall = Contact::new("wall", (1.0 - v("x")).id(), "elastic");
    let (fx, fy, zero, height) = (v("fx").id(), v("fy").id(), s.constant(0.0).id(), (2.0 * v("y")).id());
    let mut builder = SystemBuilder::new("plane").lagrangian(lagrangian);
    for name in names {
        builder = builder.coordinate(name);
    }
    let builder =
        builder.input("fx", zero).input("fy", zero).force("x", fx).force("y", fy).definition("height", height);
    Arc::new(builder.contact(floor).contact(wall).build(s.into_graph()).unwrap())
}

fn effort(name: &str) -> ControlProblem {
    ControlProblem::new(name).cost("effort", 1.0, CostKind::Integral("fx^2 + fy^2".to_owned()))
}

fn at(phase: Phase, x: f64, y: f64, is_start: bool) -> Phase {
    [("x", x), ("y", y), ("x'", 0.0), ("y'", 0.0)].into_iter().fold(phase, |phase, (name, value)| {
        if is_start { phase.start(name, Range::fixed(value)) } else { phase.end(name, Range::fixed(value)) }
    })
}

/// Standing still against gravity costs `(m g)^2 T`, with every rule, and passes its audit.
#[test]
fn hover() {
    for method in ["midpoint", "gauss2", "lobatto3", "hermite-simpson"] {
        for intervals in [2, 3, 10] {
            let phase = Phase::new("hover", plane(["x", "y"], None), Duration::Fixed(1.0), intervals);
            let problem = effort("hover").phase(at(at(phase, 0.0, 1.0, true), 0.0, 1.0, false));
            let found = run(&problem, method).unwrap();
            assert!(found.outcome.status.is_success(), "{method} {intervals}: {}", found.outcome.status);
            assert!((found.outcome.objective - 9.81 * 9.81).abs() < 1e-6, "{method}: {}", found.outcome.objective);
            let audited = audit(&problem, &found, &Default::default()).unwrap();
            assert!(audited.passed, "{method} {intervals}: {}", audited.verdict());
        }
    }
}

#[test]
fn accelerations_of_definitions_are_refused() {
    let phase = Phase::new("fall", plane(["x", "y"], None), Duration::Fixed(1.0), 5);
    let problem =
        ControlProblem::new("fall").phase(phase).cost("jerk", 1.0, CostKind::Integral("height''^2".to_owned()));
    assert!(refusal(&problem).contains("accelerations are not known"));
}

/// A smooth transition onto a closed contact must arrive on it, at rest against it.
#[test]
fn smooth_transitions_arrive_on_constraints() {
    let phase = |name: &str| Phase::new(name, plane(["x", "y"], None), Duration::Fixed(1.0), 10);
    let problem = effort("landing")
        .phase(at(phase("down"), 0.0, 1.0, true))
        .phase(phase("stand").close("floor", true))
        .transition(Transition::smooth(0, 1));
    let found = run(&problem, "gauss2").unwrap();
    assert!(found.outcome.status.is_success());
    let stand = &found.phases[1];
    assert!(stand.q[0][1].abs() < 1e-8 && stand.v[0][1].abs() < 1e-8, "{:?} {:?}", stand.q[0], stand.v[0]);
}

#[test]
fn coordinates_are_joined_by_name() {
    let phase = |name: &str, names: [&str; 2]| Phase::new(name, plane(names, None), Duration::Fixed(0.5), 5);
    let problem = effort("rest").phase(at(phase("first", ["x", "y"]), 0.5, 1.0, true)).phase(at(
        phase("second", ["y", "x"]),
        0.5,
        1.0,
        false,
    ));
    let found = run(&problem, "gauss2").unwrap();
    assert!((found.outcome.objective - 9.81 * 9.81).abs() < 1e-6, "{}", found.outcome.objective);
}

#[test]
fn what_cannot_be_is_refused() {
    let stand = |friction: Option<f64>| Phase::new("stand", plane(["x", "y"], friction), Duration::Fixed(1.0), 5);
    let pinned = effort("pinned").phase(stand(None).close("floor", false).bound("y", Range::new(1.0, 2.0)));
    assert!(refusal(&pinned).contains("held at 0"), "{}", refusal(&pinned));
    let rubbing = effort("rubbing").phase(stand(Some(0.5)).close("floor", false));
    assert!(refusal(&rubbing).contains("slides with friction"));

    let mut nowhere = block(5);
    nowhere.costs = vec![Cost { phases: vec![3], ..nowhere.costs[0].clone() }];
    assert!(refusal(&nowhere).contains("names phase 3"));

    let link = Transition { jump: Jump::Variational, ..Transition::impact(0, 1, &["floor", "wall"]) };
    let corner = effort("corner").phase(stand(None)).phase(stand(None)).transition(link);
    assert!(refusal(&corner).contains("one elastic contact"));

    let mut later = effort("later").phase(stand(None)).phase(stand(None));
    later.phases[0].duration = Duration::Free { range: Range::new(0.5, 2.0), guess: 1.0 };
    later.costs.push(Cost {
        name: "clock".to_owned(),
        weight: 1.0,
        phases: vec![],
        kind: CostKind::Terminal("t".to_owned()),
        per: None,
    });
    assert!(refusal(&later).contains("free"), "{}", refusal(&later));

    let short = Guess {
        phases: vec![PhaseGuess {
            duration: 1.0,
            times: vec![0.0, 1.0],
            q: vec![vec![0.0]; 2],
            u: vec![vec![0.0]],
            ..PhaseGuess::default()
        }],
        ..Guess::default()
    };
    let error = solve(&block(5), &short, &SolveOptions::default(), &mut |_| true).unwrap_err();
    assert!(error.to_string().contains("2 times for 1 values"), "{error}");
}

/// The time of phases with a given duration is part of the objective.
#[test]
fn given_durations_count() {
    let problem = block(5).cost("time", 2.0, CostKind::Time);
    let found = run(&problem, "gauss2").unwrap();
    assert!((found.outcome.objective - 14.0).abs() < 1e-8);
    assert!((found.costs.iter().map(|cost| cost.1).sum::<f64>() - 14.0).abs() < 1e-8);
}

/// With a map that keeps the names of contacts, a contact that is closed before and after stays so through an impact.
#[test]
fn contacts_go_on_through_maps() {
    let closed = vec![ClosedContact { contact: "floor".to_owned(), sticks: false }];
    let phase = |name: &str, range: Range| Phase {
        closed: closed.clone(),
        ..Phase::new(name, plane(["x", "y"], None), Duration::Free { range, guess: 0.5 }, 10)
    };
    let range = Range::new(0.2, 1.0);
    let problem = effort("slide")
        .phase(phase("there", range).start("x", Range::fixed(0.0)).start("x'", Range::fixed(0.0)))
        .phase(phase("back", range).end("x", Range::fixed(0.0)).end("x'", Range::fixed(0.0)))
        .transition(Transition::impact(0, 1, &["wall"]).map(&["x", "y"]));
    let found = run(&problem, "gauss2").unwrap();
    assert!(found.outcome.status.is_success());
    let impact = &found.transitions[0];
    assert!((impact.v_plus[0] + impact.v_minus[0]).abs() < 1e-8 && impact.v_plus[1].abs() < 1e-10, "{impact:?}");
}

/// A cost without a least value, with a free duration: whatever the solver says, it is no success.
#[test]
fn motions_to_infinity_are_no_optima() {
    let range = Range::new(0.1, 10.0);
    let phase = Phase::new("go", systems::particle(1.0), Duration::Free { range, guess: 3.0 }, 50)
        .start("y", Range::fixed(0.0))
        .start("y'", Range::fixed(0.0))
        .end("y'", Range::fixed(0.0));
    let problem = ControlProblem::new("away").phase(phase).cost("far", 1.0, CostKind::Terminal("-y".to_owned()));
    let found = run(&problem, "midpoint").unwrap();
    assert!(!found.outcome.status.is_success(), "{}", found.outcome.status);
}
