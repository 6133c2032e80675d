//! Rows are what single runs give.

mod common;

use carom_expr::Backend;
use carom_model::Model;
use carom_run::{Plan, simulate};
use carom_sweep::{NamedMeasure, Summary, Sweep, SweepError};
use common::*;

/// The same run as `carom simulate` has it.
fn single(text: &str, set: &[(&str, f64)]) -> carom_model::Trajectory {
    let set: Vec<(String, String)> = set.iter().map(|(name, value)| (name.to_string(), format!("{value:?}"))).collect();
    let model = Model::from_text(text, "ball.toml", &set).unwrap();
    let plan = Plan::new(&model, Backend::fastest()).unwrap();
    simulate(&model, &plan, &mut |_| true).unwrap().outcome.trajectory
}

#[test]
fn rows_are_single_runs() {
    let mut sweep = sweep(BALL, &["e=0.5,0.9", "y=0.5:1.5:3", "x'=-1,2"]);
    sweep.measures =
        ["top=largest y", "low = smallest y'", "x"].map(|text| NamedMeasure::parse(text).unwrap()).to_vec();
    let folder = Folder::new("single");
    let dataset = complete(&sweep.prepare().unwrap(), &folder.0, 2);
    let column = |name: &str| numbers(&dataset, name);
    for k in 0..12 {
        let [e, y, rate] = ["e", "y", "x'"].map(|name| column(name)[k].unwrap());
        let motion = single(BALL, &[("e", e), ("y", y), ("x'", rate)]);
        let last = motion.last().unwrap();
        let bits = |name: &str| column(name)[k].unwrap().to_bits();
        assert_eq!([bits("q.x"), bits("q.y")], [last.q[0].to_bits(), last.q[1].to_bits()]);
        assert_eq!([bits("v.y"), bits("p.y")], [last.v[1].to_bits(), last.p[1].to_bits()]);
        assert_eq!([bits("energy"), bits("t")], [last.energy.to_bits(), last.t.to_bits()]);
        assert_eq!(bits("energy_error"), motion.energy_error().to_bits());
        let heights = motion.coordinate(1).into_iter();
        assert_eq!(bits("top"), heights.fold(f64::NEG_INFINITY, f64::max).to_bits());
        assert_eq!(bits("x"), last.q[0].to_bits());
    }
    assert!(texts(&dataset, "ending").iter().all(|ending| ending.as_deref() == Some("completed")));
}

/// A pendulum in Cartesian coordinates: initial values depend on each other.
const PENDULUM: &str = r#"
lagrangian = "0.5*(x'^2 + y'^2) - 9.81*y"
[coordinates]
x = 1.0
y = 0.0
[constraints]
rod = "x^2 + y^2 - 1"
[simulation]
until = 0.5
"#;

#[test]
fn constrained_states_are_those_of_the_reader() {
    let folder = Folder::new("constrained");
    let dataset = complete(&sweep(PENDULUM, &["x=0.99,1.0,3.0"]).prepare().unwrap(), &folder.0, 1);
    let motion = single(PENDULUM, &[("x", 0.99)]);
    assert_eq!(numbers(&dataset, "q.x")[0], motion.last().map(|node| node.q[0]));
    let messages = texts(&dataset, "message");
    assert!(messages[..2].iter().all(Option::is_none));
    assert!(messages[2].as_deref().unwrap().contains("off the constraint `rod`"), "{messages:?}");
}

#[test]
fn points_that_fail_are_rows() {
    let folder = Folder::new("failing");
    // Below the floor; no mass.
    let dataset = complete(&sweep(BALL, &["m=0,1", "y=-1,0,1"]).prepare().unwrap(), &folder.0, 2);
    let endings: Vec<String> = texts(&dataset, "ending").into_iter().flatten().collect();
    assert_eq!(endings[3..], ["refused", "completed", "completed"]);
    assert!(endings[..3].iter().all(|ending| ending != "completed"), "{endings:?}");
    let messages = texts(&dataset, "message");
    assert!(messages[3].as_deref().unwrap().contains("inside the obstacle of contact `floor`"), "{messages:?}");
    assert_eq!(messages[4], None);
    let summary = Summary::of(&dataset).unwrap();
    assert_eq!((summary.points, summary.failed), (6, 4));
    assert!(summary.commonest.is_some());
}

#[test]
fn methods_and_steps_can_be_swept() {
    let folder = Folder::new("methods");
    let sweep = sweep(BALL, &["method=midpoint,suzuki(trapezoidal)", "step=log:0.001:0.1:3"]);
    let dataset = complete(&sweep.prepare().unwrap(), &folder.0, 1);
    assert_eq!(texts(&dataset, "method")[5].as_deref(), Some("suzuki(trapezoidal)"));
    let steps: Vec<f64> = numbers(&dataset, "step").into_iter().flatten().collect();
    assert_eq!([steps[0], steps[2]], [0.001, 0.1]);
    assert!((steps[1] - 0.01).abs() < 1e-15);
}

fn refusal(sweep: &Sweep) -> String {
    match sweep.prepare() {
        Ok(_) => panic!("it was not refused"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn wrong_names_are_found_before_anything_runs() {
    let found = refusal(&sweep(BALL, &["mm=1,2"]));
    assert!(
        found.contains("no parameter, coordinate or setting `mm`") && found.contains("did you mean `m`?"),
        "{found}"
    );
    let found = refusal(&sweep(BALL, &["method=midpoint,midpiont"]));
    assert!(found.contains("midpiont") && found.contains("midpoint"), "{found}");
    let mut measured = sweep(BALL, &["m=1,2"]);
    measured.measures = vec![NamedMeasure::parse("top=largest heigth").unwrap()];
    assert!(refusal(&measured).contains("unknown name `heigth`"));
    measured.measures = vec![NamedMeasure::parse("energy=y").unwrap()];
    assert!(refusal(&measured).contains("two columns are called `energy`"));
    assert!(matches!(sweep(&BALL.replace("9.81", "'"), &["m=1,2"]).prepare(), Err(SweepError::Model(_))));
}
