//! What carom understands of a model before it is simulated.

use carom_model::{Model, Regularity, Understanding, understand};
use std::path::PathBuf;

fn example(name: &str) -> Understanding {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    understand(&Model::from_path(&path, &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}")))
}

fn text(text: &str) -> Understanding {
    understand(&Model::from_text(text, "model.toml", &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}")))
}

fn conserved(understanding: &Understanding) -> Vec<&str> {
    understanding.conserved.iter().map(|quantity| quantity.name.as_str()).collect()
}

fn codes(understanding: &Understanding) -> Vec<&str> {
    understanding.warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn conserved_quantities_of_the_examples() {
    assert_eq!(conserved(&example("double-pendulum.toml")), ["energy"]);
    assert_eq!(conserved(&example("spherical-pendulum.toml")), ["energy", "p_phi"]);
    assert_eq!(conserved(&example("driven-cart-pole.toml")), [""; 0]);
    assert_eq!(conserved(&example("bouncing-ball.toml")), ["energy", "p_x"]);
    assert_eq!(conserved(&example("pendulum-cartesian.toml")), ["energy"]);
}

#[test]
fn the_momentum_of_a_cyclic_coordinate_has_its_value() {
    let pendulum = example("spherical-pendulum.toml");
    let mut graph = pendulum.graph.clone();
    let names = ["theta", "phi", "theta'", "phi'"].map(|name| graph.variable(name));
    let values: Vec<_> = names.into_iter().zip([1.0, 0.0, 0.0, 2.0]).collect();
    let momentum = graph.evaluate(&[pendulum.conserved[1].id], &values)[0];
    assert!((momentum - 2.0 * 1.0f64.sin().powi(2)).abs() < 1e-14);
}

#[test]
fn degrees_of_freedom() {
    let pendulum = example("pendulum-cartesian.toml");
    assert_eq!((pendulum.degrees_of_freedom, pendulum.constraint_rank, pendulum.mass_rank), (1, 1, 2));
    assert_eq!(pendulum.regularity, Regularity::Regular);
    assert!(pendulum.is_quadratic && !pendulum.is_forced && !pendulum.is_time_dependent);
    assert!((pendulum.energy + 9.81 * 0.5).abs() < 1e-13);
    let sleigh = text(
        "lagrangian = \"0.5*(x'^2 + y'^2 + theta'^2)\"\n[coordinates]\nx = 0\ny = 0\ntheta = 0\n\
         [velocity_constraints]\nknife = \"x'*sin(theta) - y'*cos(theta)\"\n",
    );
    assert_eq!((sleigh.degrees_of_freedom, sleigh.velocity_constraint_rank), (2, 1));
    assert_eq!(conserved(&sleigh), ["energy", "p_theta"]);
}

#[test]
fn constraints_that_add_nothing_are_named() {
    let doubled = text(
        "lagrangian = \"0.5*(x'^2 + y'^2 + z'^2)\"\n[coordinates]\nx = 1\ny = 0\nz = 0\n\
         [constraints]\nsphere = \"x^2 + y^2 + z^2 - 1\"\nagain = \"2*x^2 + 2*y^2 + 2*z^2 - 2\"\n",
    );
    assert_eq!((doubled.constraint_rank, doubled.degrees_of_freedom), (1, 2));
    assert_eq!(codes(&doubled), ["dependent-constraint"]);
    assert!(doubled.warnings[0].message.contains("`again`"));
    assert_eq!(doubled.warnings[0].line, 8);
}

#[test]
fn singular_and_degenerate_masses() {
    let pole = text("lagrangian = \"0.5*(a'^2 + sin(a)^2*b'^2)\"\n[coordinates]\na = 0\nb = 0\n");
    assert_eq!((pole.regularity, pole.mass_rank), (Regularity::SingularHere, 1));
    assert_eq!(codes(&pole), ["singular-mass"]);
    // `cos(pi/2)` is not zero in numbers.
    let gimbal = text("lagrangian = \"0.5*(a'^2 + cos(a)^2*b'^2)\"\n[coordinates]\na = \"pi/2\"\nb = 0\n");
    assert_eq!((gimbal.regularity, gimbal.mass_rank), (Regularity::SingularHere, 1));
    // A light body beside a heavy one is not massless.
    let light = text("lagrangian = \"0.5*(1e9*a'^2 + 1e-9*b'^2)\"\n[coordinates]\na = 0\nb = 0\n");
    assert_eq!(light.regularity, Regularity::Regular);
    let massless = text("lagrangian = \"0.5*x'^2 - x*y\"\n[coordinates]\nx = 0\ny = 0\n");
    assert_eq!(massless.regularity, Regularity::Degenerate);
    assert!(massless.warnings[0].message.contains("`y`"), "{}", massless.warnings[0].message);
    // A massless coordinate that a constraint ties to a heavy one is no problem.
    let tied = text("lagrangian = \"0.5*x'^2\"\n[coordinates]\nx = 0\ny = 0\n[constraints]\ntie = \"x - y\"\n");
    assert_eq!((tied.regularity, tied.mass_rank), (Regularity::Regular, 1));
}

#[test]
fn unused_parameters_are_remarked() {
    let model = text(
        "lagrangian = \"0.5*m*x'^2\"\n[coordinates]\nx = \"a\"\n[parameters]\na = 1\nb = 1\nm = \"2*c\"\nc = 1\nd = 1\n\
         [[draw]]\ntype = \"circle\"\ncenter = [0, 0]\nradius = \"d\"\n",
    );
    assert_eq!(codes(&model), ["unused-parameter"]);
    assert!(model.warnings[0].message.contains("`b`"));
}

#[test]
fn lagrangians_that_are_not_quadratic() {
    let relativistic = text("lagrangian = \"-sqrt(1 - x'^2) + 0.1*sin(t)*x\"\n[coordinates]\nx = 0\n");
    assert!(!relativistic.is_quadratic && relativistic.is_time_dependent);
    assert_eq!(conserved(&relativistic), [""; 0]);
}
