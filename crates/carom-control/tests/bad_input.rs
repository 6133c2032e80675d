//! Bad problems get a message, failed searches a name; nothing wrong is called converged.

use crate::systems;

use carom_control::{
    ControlError, ControlProblem, CostKind, Duration, Formulation, Guess, Phase, Solution, SolveOptions, Transition,
    Where, solve,
};
use carom_expr::Scope;
use carom_model::{Contact, System, SystemBuilder};
use carom_nlp::{Place, Range, Status};
use std::sync::Arc;
use systems::{block, particle};

fn tried(problem: &ControlProblem, method: &str) -> Result<Solution, ControlError> {
    let options = SolveOptions { transcription: method.to_owned(), ..SolveOptions::default() };
    let options = SolveOptions { nlp: carom_nlp::Options { max_iterations: 300, ..options.nlp }, ..options };
    solve(problem, &Guess::interpolate(problem, &[]), &options, &mut |_| true)
}

fn refused(problem: &ControlProblem) -> String {
    tried(problem, "midpoint").unwrap_err().to_string()
}

const METHODS: [&str; 3] = ["midpoint", "gauss2", "hermite-simpson"];

#[test]
fn bounds_that_contradict() {
    let change = |change: &dyn Fn(Phase) -> Phase| {
        let mut problem = block(5);
        problem.phases[0] = change(problem.phases[0].clone());
        refused(&problem)
    };
    let error = change(&|phase| phase.bound("u", Range::new(1.0, -1.0)));
    assert!(error.contains("`u`") && error.contains("1 > -1"), "{error}");
    let error = change(&|phase| phase.bound("y", Range::new(0.5, 2.0)));
    assert!(error.contains("y (start)"), "{error}");
    let error = change(&|phase| phase.start("y", Range::fixed(0.5)));
    assert!(error.contains("contradict"), "{error}");
    let error = change(&|phase| phase.path("y", Range::new(2.0, 1.0), Where::Nodes));
    assert!(error.contains("2 > 1"), "{error}");
    let error = change(&|phase| phase.bound("z", Range::fixed(0.0)));
    assert!(error.contains("`z`") && error.contains("y'"), "{error}");
    let error = change(&|phase| phase.end("y'' + 1", Range::fixed(0.0)));
    assert!(error.contains("accelerations"), "{error}");
    let error = change(&|phase| phase.end("u", Range::fixed(0.0)));
    assert!(error.contains("control"), "{error}");
    let error = change(&|phase| Phase { duration: Duration::Fixed(-1.0), ..phase });
    assert!(error.contains("-1"), "{error}");
    let error = change(&|phase| Phase { intervals: 0, ..phase });
    assert!(error.contains("0 intervals"), "{error}");
    let error = change(&|phase| Phase { shares: vec![0.5, 0.6], ..phase });
    assert!(error.contains("2 shares for 5"), "{error}");
    let error = change(&|phase| phase.close("wall", false));
    assert!(error.contains("`wall`") && error.contains("floor"), "{error}");
}

#[test]
fn parts_that_are_missing() {
    assert!(refused(&ControlProblem::new("nothing")).contains("no phases"));
    let mut problem = block(5);
    problem.costs.clear();
    assert!(refused(&problem).contains("no costs"));
    let error = refused(&block(5).free("mass", Range::FREE));
    assert!(error.contains("`mass`"), "{error}");
    let error = refused(&block(5).transition(Transition::smooth(0, 3)));
    assert!(error.contains('3'), "{error}");
    let error = tried(&block(5), "simpson").unwrap_err().to_string();
    assert!(error.contains("midpoint") && error.contains("hermite-simpson"), "{error}");
}

#[test]
fn guesses_that_are_no_numbers() {
    let problem = block(5);
    let mut guess = Guess::interpolate(&problem, &[]);
    guess.phases[0].q[1][0] = f64::NAN;
    let error = solve(&problem, &guess, &SolveOptions::default(), &mut |_| true).unwrap_err().to_string();
    assert!(error.contains("node 1") && error.contains("`move`") && error.contains("NaN"), "{error}");
    guess.phases[0].q[1] = vec![0.0, 1.0];
    let error = solve(&problem, &guess, &SolveOptions::default(), &mut |_| true).unwrap_err().to_string();
    assert!(error.contains("2 values for 1"), "{error}");
    guess.phases.clear();
    let error = solve(&problem, &guess, &SolveOptions::default(), &mut |_| true).unwrap_err().to_string();
    assert!(error.contains("0 phases for 1"), "{error}");
}

/// Without controls the motion is decided by its start: an end that it does not reach is an infeasibility with names.
#[test]
fn more_conditions_than_freedom() {
    for method in METHODS {
        let mut problem = block(5);
        problem.phases[0] = problem.phases[0].clone().bound("u", Range::fixed(0.0));
        let solution = tried(&problem, method).unwrap();
        assert_eq!(solution.outcome.status, Status::OverDetermined, "{method}");
        assert!(
            matches!(&solution.worst[0].place, Place::Row(name) if name.starts_with("move / ")),
            "{:?}",
            solution.worst
        );
    }
}

/// A floor that lies where no bounded motion gets.
#[test]
fn guards_that_cannot_be_met() {
    for method in METHODS {
        let phase = |name: &str| {
            let duration = Duration::Free { range: Range::new(0.1, 0.5), guess: 0.3 };
            Phase::new(name, particle(1.0), duration, 8).bound("u", Range::new(-1.0, 1.0))
        };
        let problem = ControlProblem::new("far")
            .phase(phase("down").start("y", Range::fixed(5.0)).start("y'", Range::fixed(0.0)))
            .phase(phase("up").end("y'", Range::fixed(0.0)))
            .transition(Transition::impact(0, 1, &["floor"]))
            .cost("effort", 1.0, CostKind::Integral("u^2".to_owned()));
        let solution = tried(&problem, method).unwrap();
        assert_eq!(solution.outcome.status, Status::LocallyInfeasible, "{method}");
        assert_eq!(solution.worst[0].place, Place::Row("floor / gap of floor".to_owned()), "{method}");
    }
}

#[test]
fn costs_without_a_least_value() {
    for method in METHODS {
        let mut problem = block(5);
        problem.costs[0].kind = CostKind::Integral("-u^2".to_owned());
        let solution = tried(&problem, method).unwrap();
        assert_eq!(solution.outcome.status, Status::Unbounded, "{method}");
        // A straight fall: nothing bends it.
        let mut problem = block(5);
        problem.phases[0].end.clear();
        problem.costs[0].kind = CostKind::Terminal("y".to_owned());
        let solution = tried(&problem, method).unwrap();
        assert_eq!(solution.outcome.status, Status::Unbounded, "{method}");
    }
}

/// `log(y)` has no value behind zero, where steps of the search lead.
#[test]
fn functions_that_end() {
    for method in METHODS {
        let mut problem = block(10);
        problem.phases[0].start[0].range = Range::fixed(1.0);
        problem.phases[0].end[0].range = Range::fixed(0.05);
        problem.costs[0].kind = CostKind::Integral("u^2 - 50 * log(y)".to_owned());
        let solution = tried(&problem, method).unwrap();
        let outcome = &solution.outcome;
        assert_eq!(outcome.status, Status::Converged, "{method}");
        assert!(outcome.residuals.largest() < 1e-5, "{method}: {:?}", outcome.residuals);
        // At the start already.
        problem.phases[0].end[0].range = Range::fixed(-1.0);
        let solution = tried(&problem, method).unwrap();
        assert_eq!(solution.outcome.status, Status::Undefined(Place::Objective), "{method}");
    }
}

/// The same circle twice: multipliers are not unique, and there is no null space of pivots.
fn twice() -> Arc<System> {
    let s = Scope::default();
    let v = |name: &str| s.variable(name);
    let lagrangian = (0.5 * (v("x'").square() + v("y'").square() + v("z'").square())).id();
    let circle = v("x").square() + v("y").square() - 1.0;
    let (once, again) = (circle.id(), (3.0 * circle).id());
    let (u, zero) = (v("u").id(), s.constant(0.0).id());
    let builder = SystemBuilder::new("twice").coordinate("x").coordinate("y").coordinate("z").lagrangian(lagrangian);
    let builder = builder.constraint("circle", once).constraint("again", again);
    Arc::new(builder.input("u", zero).force("x", u).build(s.into_graph()).unwrap())
}

#[test]
fn constraints_that_depend_on_each_other() {
    let fixed = Range::fixed;
    let phase = Phase::new("turn", twice(), Duration::Fixed(1.0), 10)
        .start("x", fixed(0.0))
        .start("y", fixed(-1.0))
        .start("x'", fixed(0.0))
        .start("z", fixed(0.0))
        .start("z'", fixed(0.0))
        .end("x", fixed(0.5))
        .end("y", fixed(-0.75f64.sqrt()))
        .end("x'", fixed(0.0));
    let mut problem =
        ControlProblem::new("turn").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()));
    problem.phases[0].formulation = Some(Formulation::NullSpace);
    let error = refused(&problem);
    assert!(error.contains("depend on each other") && error.contains("multipliers"), "{error}");
    // With multipliers the motion is what counts: if it is called an optimum, it is one.
    problem.phases[0].formulation = Some(Formulation::Multipliers);
    let solution = tried(&problem, "midpoint").unwrap();
    if solution.outcome.status.is_success() {
        let off = |q: &Vec<f64>| (q[0] * q[0] + q[1] * q[1] - 1.0).abs();
        assert!(solution.phases[0].q.iter().map(off).fold(0.0, f64::max) < 1e-6);
    } else {
        assert!(!matches!(solution.outcome.status, Status::Inconsistent(Place::Variable(_))));
    }
}

#[test]
fn laws_that_are_no_equations() {
    let s = Scope::default();
    let lagrangian = (0.5 * s.variable("y'").square()).id();
    let (gap, u, zero) = (s.variable("y").id(), s.variable("u").id(), s.constant(0.0).id());
    let (mu, slip) = (s.constant(0.3).id(), s.variable("y").id());
    let floor = Contact::new("floor", gap, "moreau").with("friction", mu).with("restitution", mu).tangent(slip);
    let builder = SystemBuilder::new("rough").coordinate("y").lagrangian(lagrangian).contact(floor);
    let system = Arc::new(builder.input("u", zero).force("y", u).build(s.into_graph()).unwrap());
    let phase = |name: &str| Phase::new(name, system.clone(), Duration::Fixed(1.0), 5);
    let problem = ControlProblem::new("rough")
        .phase(phase("a").start("y", Range::fixed(1.0)))
        .phase(phase("b"))
        .transition(Transition::impact(0, 1, &["floor"]))
        .cost("effort", 1.0, CostKind::Integral("u^2".to_owned()));
    let error = refused(&problem);
    assert!(error.contains("floor") && error.contains("newton"), "{error}");
}
