//! What is prepared once runs any number of times, with the same bits.

use carom_expr::Backend;
use carom_model::{Model, Statistics, Trajectory};
use carom_run::{Plan, Prepared};

/// A ball that bounces, then rests: modes of contacts are derived on the way.
const BALL: &str = r#"
lagrangian = "0.5*(x'^2 + y'^2) - 10*y"
[coordinates]
x = { initial = 0.0, velocity = 1.0 }
y = 1.0
[contacts.floor]
gap = "y"
law = "newton"
restitution = 0.5
[simulation]
until = 3.0
step = 0.01
"#;

/// A motion without the time that it took.
fn without_times(trajectory: &Trajectory) -> Trajectory {
    Trajectory { statistics: Statistics::default(), ..trajectory.clone() }
}

#[test]
fn copies_run_as_the_first_does_whatever_ran_before() {
    for method in ["midpoint", "gauss2", "taylor"] {
        let set = [("simulation.method".to_owned(), method.to_owned())];
        let model = Model::from_text(BALL, "ball.toml", &set).expect("a model");
        let plan = Plan::new(&model, Backend::fastest()).expect("a plan");
        let prepared = Prepared::new(&plan.integrator, &model.system, &plan).expect("it can be run");
        let run = |q: &[f64]| {
            let outcome = prepared.copy().run(q, &model.initial.v, &plan, &mut |_| true).expect("a run");
            without_times(&outcome.trajectory)
        };
        let first = run(&[0.0, 1.0]);
        let other = run(&[0.0, 0.4]);
        assert!(first.impacts.len() > 3 && first.t.len() > 100, "{method}");
        assert_ne!(first, other);
        assert_eq!(run(&[0.0, 1.0]), first, "{method}");
    }
}
