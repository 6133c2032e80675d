//! Sweeps of control problems and of studies.
#![cfg(feature = "optimal-control")]

mod common;

use carom_sweep::{Axis, Kind, Points, Sweep};
use common::*;

/// A mass moves on by one unit in one second with the least squared force: the cost is 12 m^2.
const BLOCK: &str = r#"
method = "gauss2"
model = "block.toml"
[phases.move]
duration = 1.0
intervals = 10
start = { x = 0, "x'" = 0 }
end = { x = 1, "x'" = 0 }
[costs]
effort = { integral = "u^2" }
"#;

const MODEL: &str = r#"
lagrangian = "0.5*m*x'^2"
parameters = { m = 1.0 }
coordinates = { x = 0 }
inputs = { u = 0 }
forces = { x = "u" }
"#;

const STUDY: &str = r#"
problem = "move.toml"
[variables]
mass = { range = [0.5, 3.0], guess = 1.0, parameter = "m" }
"#;

fn over(kind: Kind, text: &str, axis: &str) -> Sweep {
    let mut sweep = Sweep::new(kind, "file.toml", text);
    sweep.beside = vec![("block.toml".to_owned(), MODEL.to_owned()), ("move.toml".to_owned(), BLOCK.to_owned())];
    sweep.points = Points::Grid(vec![Axis::parse(axis).unwrap()]);
    sweep.choose_part_rows();
    assert_eq!(sweep.part_rows, 1);
    sweep
}

fn costs_are_twelve_squares(sweep: &Sweep, name: &str, values: &[f64]) {
    let (one, two) = (Folder::new(&format!("{name}-one")), Folder::new(&format!("{name}-two")));
    let worker = sweep.prepare().unwrap();
    let dataset = complete(&worker, &one.0, 1);
    let costs: Vec<f64> = numbers(&dataset, "cost").into_iter().flatten().collect();
    assert_eq!(costs.len(), values.len());
    for (cost, m) in costs.iter().zip(values) {
        assert!((cost - 12.0 * m * m).abs() < 0.2 * m * m, "{cost} {m}");
    }
    assert!(texts(&dataset, "message").iter().all(Option::is_none));
    complete(&worker, &two.0, 2);
    assert!(contents(&one.0) == contents(&two.0));
}

#[test]
fn optimal_costs_over_a_parameter() {
    let sweep = over(Kind::Optimisation, BLOCK, "m=1:2:3");
    costs_are_twelve_squares(&sweep, "optima", &[1.0, 1.5, 2.0]);
    let folder = Folder::new("audited");
    let dataset = complete(&sweep.prepare().unwrap(), &folder.0, 2);
    assert!(texts(&dataset, "audit").iter().all(|audit| audit.as_deref() == Some("passed")));
}

#[test]
fn the_cost_of_a_study_over_its_design() {
    costs_are_twelve_squares(&over(Kind::Design, STUDY, "mass=1,2"), "designs", &[1.0, 2.0]);
}

#[test]
fn wrong_names_of_problems_and_studies() {
    let refused = |sweep: Sweep| sweep.prepare().err().map(|error| error.to_string()).unwrap_or_default();
    let found = refused(over(Kind::Optimisation, BLOCK, "mm=1,2"));
    assert!(found.contains("mm"), "{found}");
    let found = refused(over(Kind::Design, STUDY, "mas=1,2"));
    assert!(found.contains("no design variable `mas`") && found.contains("did you mean `mass`?"), "{found}");
    let mut lost = over(Kind::Optimisation, BLOCK, "m=1,2");
    lost.beside.clear();
    assert!(refused(lost).contains("does not carry"));
}

#[test]
fn problems_that_fail_are_rows() {
    let folder = Folder::new("no-mass");
    let dataset = complete(&over(Kind::Optimisation, BLOCK, "m=-1,0,1").prepare().unwrap(), &folder.0, 1);
    let messages = texts(&dataset, "message");
    assert!(messages[1].is_some() && messages[2].is_none(), "{messages:?}");
}
