//! Smooth paths whose projections are motions with impacts: the projected principle against collisions.

use crate::projected_cases;

use carom::discrete::simulate_projected;
use carom::flow::{Flow, FlowOptions, FlowSchedule, projected_flow};
use carom::impact::{ProjectedPath, ProjectedRun};
use carom::model::projection::{Projection, ProjectionOptions};
use carom::{Ending, Method, Model, Options, Schedule, Trajectory};
use projected_cases::{cases, forced, text};

fn flows(model: &Model, until: f64, output: f64) -> (ProjectedRun, Trajectory) {
    let schedule = FlowSchedule { start: 0.0, until, output, max_step: f64::INFINITY };
    let (q, v) = (&model.initial.q[..], &model.initial.v[..]);
    let projection = Projection::new(&model.system, &ProjectionOptions::default()).expect("a projection");
    let run = projected_flow(&model.system, &projection, FlowOptions::default(), schedule, (q, v), &mut |_| true);
    let truth = Flow::new(&model.system, FlowOptions::default()).expect("compiles").run(q, v, schedule, &mut |_| true);
    (run.expect("runs"), truth.expect("runs"))
}

/// The largest difference of two lists of equal length.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Compares a projected run with a run through collisions; the largest difference of all, and the kink of the path.
fn compare(name: &str, run: &ProjectedRun, truth: &Trajectory) -> (f64, f64) {
    let own = &run.trajectory;
    assert_eq!(own.ending, Ending::Completed, "{name}");
    assert_eq!(own.impacts.len(), truth.impacts.len(), "{name}");
    let mut worst = apart(&own.q, &truth.q).max(apart(&own.v, &truth.v)).max(apart(&own.energy, &truth.energy));
    for (a, b) in own.impacts.iter().zip(&truth.impacts) {
        worst = worst.max((a.t - b.t).abs()).max(apart(&a.q, &b.q));
        worst = worst.max(apart(&a.v_minus, &b.v_minus)).max(apart(&a.v_plus, &b.v_plus));
        worst = worst.max((a.impulses[0].normal - b.impulses[0].normal).abs()).max(a.energy_change.abs());
    }
    let kink = run.path.crossings.iter().map(|crossing| crossing.kink()).fold(0.0, f64::max);
    (worst, kink)
}

#[test]
fn projected_flows_are_collision_flows() {
    for (name, model, until) in cases() {
        let (run, truth) = flows(&model, until, 0.05);
        let (worst, kink) = compare(name, &run, &truth);
        eprintln!("{name}: {} impacts, largest difference {worst:.1e}, kink of z' {kink:.1e}", truth.impacts.len());
        assert!(truth.impacts.len() >= 4, "{name}: {} impacts", truth.impacts.len());
        assert!(worst < 1e-9, "{name}: {worst}");
        assert!(kink < 1e-12, "{name}: {kink}");
    }
}

/// The largest change of the velocity from one node to the next.
fn largest_change(path: &ProjectedPath) -> f64 {
    let n = path.names.len();
    let change = |k: usize| apart(&path.dz[(k - 1) * n..k * n], &path.dz[k * n..(k + 1) * n]);
    (1..path.t.len()).map(change).fold(0.0, f64::max)
}

#[test]
fn a_path_is_continuously_differentiable_where_its_projection_bounces() {
    for (name, model, until) in cases() {
        let changes = [1e-3, 5e-4].map(|output| {
            let run = flows(&model, until, output).0;
            let leaves: Vec<bool> = run.path.crossings.iter().map(|crossing| crossing.leaves).collect();
            let expected: Vec<bool> = (0..run.trajectory.impacts.len()).map(|k| k % 2 == 0).collect();
            assert_eq!(leaves, expected, "{name}: in and out in turn");
            largest_change(&run.path)
        });
        // A jump would stay what it is on a finer grid.
        eprintln!("{name}: z' changes by at most {:.3e}, then {:.3e}", changes[0], changes[1]);
        assert!(changes[1] < 0.55 * changes[0], "{name}: {changes:?}");
    }
}

#[test]
fn order_of_the_variational_steppers() {
    for (name, model, until) in cases() {
        let (q, v) = (&model.initial.q[..], &model.initial.v[..]);
        let projection = Projection::new(&model.system, &ProjectionOptions::default()).expect("a projection");
        // Through four impacts, so that the order is that of steps and crossings.
        let (exact, _) = flows(&model, until, 0.05);
        let until =
            0.5 * (exact.trajectory.impacts[3].t + exact.trajectory.impacts.get(4).map_or(until, |next| next.t));
        let schedule = FlowSchedule { start: 0.0, until, output: until, max_step: f64::INFINITY };
        let truth = projected_flow(&model.system, &projection, FlowOptions::default(), schedule, (q, v), &mut |_| true);
        let truth = truth.expect("runs").trajectory;
        for (method, order, coarsest, largest) in [("midpoint", 2.0, 2000, 3e-2), ("gauss2", 4.0, 250, 1e-3)] {
            let parsed = Method::parse(method).expect("a method");
            let error = |steps: usize| {
                let schedule = Schedule { start: 0.0, until, step: until / steps as f64, every: steps };
                let options = (&parsed, Options::default());
                let run = simulate_projected(&model.system, &projection, options, schedule, (q, v), &mut |_| true);
                let run = run.expect("runs").trajectory;
                assert_eq!(run.ending, Ending::Completed, "{name}, {method}, {steps}");
                (run.impacts.len() == 4).then(|| apart(&run.q[q.len()..], &truth.q[q.len()..]))
            };
            // Steps that miss an impact are too long to show an order.
            let steps: Vec<usize> =
                (0..16).map(|k| (f64::from(coarsest) * 2f64.powf(0.5 * f64::from(k))) as usize).collect();
            let errors =
                steps.iter().map(|&n| (n, error(n))).skip_while(|(_, error)| error.is_none_or(|e| e > largest));
            let point = |(n, error): (usize, Option<f64>)| (-(n as f64).ln(), error.expect("four impacts").ln());
            let points: Vec<(f64, f64)> = errors.take(6).map(point).collect();
            assert_eq!(points.len(), 6, "{name}, {method}");
            let slope = regression(&points);
            eprintln!("{name}, {method}: order {slope:.3}");
            assert!(slope > order - 0.3, "{name}, {method}: {slope}");
        }
    }
}

fn regression(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (above, below) = points.iter().fold((0.0, 0.0), |(a, b), p| (a + (p.0 - x) * (p.1 - y), b + (p.0 - x).powi(2)));
    above / below
}

#[test]
fn forces_act_through_the_projection() {
    // Drag and a push that depends on time (10), (11) of 002.
    let model = forced();
    let (run, truth) = flows(&model, 4.0, 0.05);
    let (worst, kink) = compare("forced", &run, &truth);
    eprintln!("forced: {} impacts, {worst:.1e}, {kink:.1e}", truth.impacts.len());
    assert!(truth.impacts.len() >= 3 && worst < 1e-9 && kink < 1e-12);
}

#[test]
fn gaps_that_are_not_linear_have_roots() {
    // d gap/dy = 1 + 0.3 cos(y) >= 0.7: monotonic, but y has no formula.
    let model = text("y + 0.3*sin(y) - 0.5*cos(x)", "");
    let projection = Projection::new(&model.system, &ProjectionOptions::default()).expect("a projection");
    assert_eq!(projection.roots().len(), 1);
    projection.verify(&model.system, &Default::default()).expect("sampled").require().expect("a member");
    let (run, truth) = flows(&model, 4.0, 0.05);
    let (worst, kink) = compare("root", &run, &truth);
    eprintln!("root: {} impacts, {worst:.1e}, {kink:.1e}", truth.impacts.len());
    assert!(truth.impacts.len() >= 3 && worst < 1e-9 && kink < 1e-12);
}

#[test]
fn bodies_that_rest_are_refused_and_those_that_leave_are_not() {
    let touching = |velocity: f64| {
        let text = format!(
            "[coordinates]\nx = 0\ny = {{ initial = 0, velocity = {velocity} }}\n[energy]\nkinetic = \"0.5*(x'^2 + y'^2)\"\n\
             potential = \"9.81*y\"\n[contacts.ground]\ngap = \"y - 0.1*sin(x)\"\nlaw = \"elastic\"\n"
        );
        Model::from_text(&text, "touching.toml", &[]).expect("a model")
    };
    let rests = touching(0.0);
    let projection = Projection::new(&rests.system, &ProjectionOptions::default()).expect("a projection");
    let schedule = FlowSchedule { start: 0.0, until: 1.0, output: 0.1, max_step: f64::INFINITY };
    let state = (&rests.initial.q[..], &rests.initial.v[..]);
    let run = projected_flow(&rests.system, &projection, FlowOptions::default(), schedule, state, &mut |_| true);
    let ending = run.expect("runs").trajectory.ending;
    assert!(
        matches!(&ending, Ending::Failed { message, .. } if message.contains("rest against each other")),
        "{ending:?}"
    );
    // Away from the ground, and into it: an impact at once.
    for velocity in [2.0, -2.0] {
        let (run, truth) = flows(&touching(velocity), 1.0, 0.05);
        let (worst, _) = compare("touching", &run, &truth);
        assert!(worst < 1e-9 && truth.impacts.len() >= 2, "{worst}");
    }
}
