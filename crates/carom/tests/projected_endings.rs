//! How runs along smooth paths begin, and why they end.

use crate::projected_cases;

use carom::discrete::simulate_projected;
use carom::flow::{Flow, FlowOptions, FlowSchedule, projected_flow};
use carom::impact::ProjectedRun;
use carom::model::projection::{Projection, ProjectionOptions};
use carom::{Ending, Method, Model, Options, Schedule};
use projected_cases::{contact, model, text};

const UNIT: &str = "0.5*(x'^2 + y'^2)";

fn schedule(until: f64) -> FlowSchedule {
    FlowSchedule { start: 0.25, until, output: 0.05, max_step: f64::INFINITY }
}

fn flow(model: &Model, projection: &Projection, q: &[f64], v: &[f64], until: f64) -> ProjectedRun {
    let run = projected_flow(&model.system, projection, FlowOptions::default(), schedule(until), (q, v), &mut |_| true);
    run.unwrap_or_else(|error| panic!("{error}"))
}

fn projection(model: &Model) -> Projection {
    Projection::new(&model.system, &ProjectionOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Time and message of a failure.
fn failure(run: &ProjectedRun) -> (f64, &str) {
    match &run.trajectory.ending {
        Ending::Failed { time, message } => (*time, message),
        Ending::Completed => panic!("completed"),
    }
}

#[test]
fn runs_end_where_the_domain_ends() {
    let model = contact("x = { initial = 0.2, velocity = 1 }\ny = 2", UNIT, "y - sin(x^2)", "[parameters]\ng = 9.81");
    let options = ProjectionOptions { domain: vec![("x".to_owned(), [-0.5, 0.5])], ..ProjectionOptions::default() };
    let projection = Projection::new(&model.system, &options).expect("a projection");
    let run = flow(&model, &projection, &[0.2, 2.0], &[1.0, 0.0], 2.0);
    let (time, message) = failure(&run);
    assert!(message.starts_with("at t = 0.6"), "{message}");
    assert!(message.contains("x = 0.550000 is not in [-0.5, 0.5]"), "{message}");
    assert!((time - 0.55).abs() < 1e-12 && run.path.z.chunks(2).all(|z| z[0] <= 0.5 + 1e-12), "{time}");
    // Steps of a fixed length end there as well, between the nodes that are recorded.
    let schedule = Schedule { start: 0.0, until: 2.0, step: 0.01, every: 100 };
    let method = Method::parse("midpoint").expect("a method");
    let state = (&[0.2, 2.0][..], &[1.0, 0.0][..]);
    let run =
        simulate_projected(&model.system, &projection, (&method, Options::default()), schedule, state, &mut |_| true);
    let run = run.expect("runs");
    assert!(failure(&run).1.contains("x = 0.51"), "{:?}", run.trajectory.ending);
    // A crossing beyond the limits between two nodes.
    let run = flow(&model, &projection, &[0.47, 0.33], &[10.0, -2.0], 2.0);
    assert_eq!(run.path.crossings.len(), 1);
    let (crossing, message) = (&run.path.crossings[0], failure(&run).1);
    assert!(message.starts_with(&format!("at t = {} ", crossing.t)) && crossing.z[0] > 0.5, "{message}");
    // From the beginning.
    let run = flow(&model, &projection, &[0.7, 2.0], &[0.0, 0.0], 2.0);
    assert_eq!(failure(&run).0, 0.25);
}

#[test]
fn maps_that_do_not_reflect_end_the_run() {
    let model = model("papers/000/sinusoid.toml", &[]);
    let local = Projection::local(&model.system, &[0.5, -2.0 * f64::sin(0.5)]).expect("a contact");
    let run = flow(&model, &local, &model.initial.q, &model.initial.v, 3.0);
    let (_, message) = failure(&run);
    let crossing = run.path.crossings.last().expect("a crossing");
    assert!(crossing.kink() > 1e-6, "{}", crossing.kink());
    assert!(
        message.starts_with(&format!("at t = {} the velocity of the smooth path jumps by", crossing.t)),
        "{message}"
    );
    assert!(message.contains("more than 1e-6"), "{message}");
    // Grazing at next to no speed is no kink: the ground is reached where the ball turns round, nearly.
    let swing = contact("y = 1", "0.5*y'^2", "y", "[forces]\ny = \"0.5 - y\"");
    for depth in [1e-15, 1e-12, 1e-9, 1e-6] {
        let run = flow(&swing, &projection(&swing), &[1.0 + depth], &[0.0], 15.0);
        assert_eq!(run.trajectory.ending, Ending::Completed, "{depth}");
    }
}

#[test]
fn states_that_are_none_are_refused() {
    let model = text("y", "");
    let projection = projection(&model);
    for (q, v, words) in [
        (&[0.0][..], &[0.0][..], "the initial configuration has 1 entries; the system has 2 coordinates"),
        (&[0.0, 1.0, 2.0], &[0.0; 3], "the initial configuration has 3 entries"),
        (&[0.0, 1.0], &[0.0], "the initial velocity has 1 entries"),
        (&[f64::NAN, 1.0], &[0.0, 0.0], "the initial configuration"),
        (&[0.0, 1.0], &[f64::INFINITY, 0.0], "the initial velocity"),
        (&[0.0, -1.0], &[0.0, 0.0], "is 1.000e0 deep in the obstacle; the nearest free state is y = 0.000000"),
    ] {
        let run = flow(&model, &projection, q, v, 1.0);
        let (time, message) = failure(&run);
        assert!(message.contains(words), "{message}");
        assert_eq!((time, run.trajectory.t.len(), run.trajectory.statistics.steps), (0.25, 0, 0));
    }
    // In the same words as collisions have.
    let truth = Flow::new(&model.system, FlowOptions::default()).expect("compiles");
    let truth = truth.run(&[0.3, -1.0], &[0.0, 0.0], schedule(1.0), &mut |_| true);
    let words = match truth {
        Ok(trajectory) => format!("{:?}", trajectory.ending),
        Err(error) => error.to_string(),
    };
    let run = flow(&model, &projection, &[0.3, -1.0], &[0.0, 0.0], 1.0);
    assert!(words.contains(failure(&run).1), "{words} {}", failure(&run).1);
}

#[test]
fn states_off_the_constraints_begin_where_collisions_do() {
    let model = contact("x = 0.5\ny = 2", UNIT, "y - 0.4*sin(2*x)", "[constraints]\nguide = \"x - 0.25*y\"");
    let (q, v) = ([0.9, 2.0], [0.3, -1.0]);
    let run = flow(&model, &projection(&model), &q, &v, 4.0).trajectory;
    let truth = Flow::new(&model.system, FlowOptions::default()).expect("compiles");
    let truth = truth.run(&q, &v, schedule(4.0), &mut |_| true).expect("runs");
    assert_eq!(run.ending, Ending::Completed);
    assert!(run.impacts.len() == truth.impacts.len() && !run.impacts.is_empty());
    for (a, b) in run.q.iter().chain(&run.v).zip(truth.q.iter().chain(&truth.v)) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
}

#[test]
fn steps_are_intervals_of_time() {
    let model = text("y - 0.4*sin(2*x)", "");
    let (projection, method) = (projection(&model), Method::parse("midpoint").expect("a method"));
    let schedule = Schedule { start: 0.0, until: 4.0, step: 0.01, every: 10 };
    let state = (&model.initial.q[..], &model.initial.v[..]);
    let run =
        simulate_projected(&model.system, &projection, (&method, Options::default()), schedule, state, &mut |_| true);
    let trajectory = run.expect("runs").trajectory;
    assert_eq!((trajectory.statistics.steps, trajectory.t.len()), (400, 41));
}

#[test]
fn narrow_holes_of_a_circle_are_crossed_without_a_kink() {
    // The arc that is not feasible has 1e-4 of the period: P'' is 5e7 at its ends.
    let model =
        contact("theta = 0", "0.5*theta'^2", "cos(theta) + 0.9999999", "[forces]\ntheta = \"-9.81*cos(theta)\"");
    for speed in [1.0, 6.0, 9.0] {
        let run = flow(&model, &projection(&model), &[0.0], &[speed], 4.0);
        let truth = Flow::new(&model.system, FlowOptions::default()).expect("compiles");
        let truth = truth.run(&[0.0], &[speed], schedule(4.0), &mut |_| true).expect("runs");
        assert_eq!(run.trajectory.ending, Ending::Completed, "{speed}");
        assert!(run.trajectory.impacts.len() == truth.impacts.len() && !truth.impacts.is_empty());
        let off = run.trajectory.q.iter().zip(&truth.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let kink = run.path.crossings.iter().map(|crossing| crossing.kink()).fold(0.0, f64::max);
        eprintln!("narrow hole, {speed}: off by {off:.1e}, kink {kink:.1e}");
        // One rounding of an angle near pi, 4e-16, times P'' is 2e-8 of the velocity; up to 9 per second, for 4 seconds.
        assert!(off < 1e-6 && kink < 1e-9, "{speed}: {off} {kink}");
    }
}
