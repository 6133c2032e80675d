//! The inverse of projections that are proved to have one, and sampling that leaves nothing out.

use crate::projected_cases;

use carom::Model;
use carom::model::projection::{Projection, ProjectionError, ProjectionOptions, VerifyOptions};
use projected_cases::{contact, model, text};

const PLANE: &str = "x = 0.3\ny = 60";
const UNIT: &str = "0.5*(x'^2 + y'^2)";

fn projection(model: &Model) -> Projection {
    Projection::new(&model.system, &ProjectionOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn maps_that_are_proved_invertible_are_inverted() {
    // Newton's method alone runs away, or in circles.
    let kinetic = [UNIT, "0.5*(x'^2 + 2*y'^2) + 0.6*x'*y'", "0.5*(2+cos(x))*x'^2 + 0.5*(2+sin(x+y))*y'^2"];
    let gaps = [
        "y + 0.4*sin(y+0.3*x) - 0.4*sin(x)",
        "y + 0.9*sin(y) - 0.4*sin(x)",
        "y + 0.5*atan(5*y) - tanh(3*x)",
        "y + 0.4*sin(y) - 0.4*sin(x)",
        "2*y + sin(x*0.5)*cos(y)",
        "y + exp(y) - sin(x)",
        "y - 30*sin(x)",
    ];
    for (kinetic, gap) in kinetic.iter().flat_map(|kinetic| gaps.map(|gap| (kinetic, gap))) {
        let model = contact(PLANE, kinetic, gap, "");
        let Ok(projection) = Projection::new(&model.system, &ProjectionOptions::default()) else {
            // Not every one of them has a bound.
            assert_ne!(*kinetic, UNIT, "{gap}");
            continue;
        };
        for extent in [10.0, 1000.0] {
            let options = VerifyOptions { samples: 1000, extent, ..VerifyOptions::default() };
            let found = projection.verify(&model.system, &options).expect("sampled");
            found.require().unwrap_or_else(|error| panic!("{kinetic}, {gap}, {extent}: {error}"));
        }
    }
}

#[test]
fn the_point_that_was_lost_is_found() {
    let projection = projection(&contact(PLANE, UNIT, "y + 0.4*sin(y+0.3*x) - 0.4*sin(x)", ""));
    assert!(projection.normal_form().expect("a normal form").is_proved());
    let mut map = projection.map().expect("compiles");
    let u = [-3.952381, -4.355706];
    let image = map.apply(&u).expect("an image");
    let back = map.inverse(&image).expect("an inverse");
    assert!((back[0] - u[0]).abs() < 1e-13 && (back[1] - u[1]).abs() < 1e-13, "{back:?}");
    // A point that is not feasible has none.
    assert!(matches!(map.inverse(&u), Err(ProjectionError::NoImage { .. })));
}

#[test]
fn arcs_are_mapped_back_to_their_ends() {
    for xc in ["-0.9999999", "-0.9", "0.3", "0.7"] {
        let projection = projection(&model("papers/000/pendulum.toml", &[("xc", xc), ("speed", "0.1")]));
        let mut map = projection.map().expect("compiles");
        let carom::model::projection::ProjectionKind::Circle(arc) = projection.kind() else { panic!("not a circle") };
        for share in [-1.0, -0.999, -0.5, 0.0, 0.3, 0.9, 1.0] {
            let u = arc.opposite() + share * arc.rest();
            let image = map.outer(&[u]).expect("an image").0;
            let back = map.inverse(&image).expect("an inverse");
            assert!((back[0] - u).abs() < 1e-9, "{xc}, {share}: {back:?} {u}");
        }
    }
}

#[test]
fn images_far_below_have_roots() {
    let mut map = projection(&contact(PLANE, UNIT, "y + exp(y) - 1", "")).map().expect("compiles");
    for y in [-80.0, -800.0, -8000.0] {
        let image = map.apply(&[0.0, y]).expect("an image");
        assert!((map.gap(&image) + map.gap(&[0.0, y])).abs() < 1e-12 * y.abs(), "{image:?}");
    }
    let mut map = projection(&contact(PLANE, UNIT, "y + y^3", "")).map().expect("compiles");
    assert_eq!(map.apply(&[0.0, -1e20]).expect("an image")[1], 1e20);
}

#[test]
fn nothing_is_verified_without_samples() {
    let model = text("y - 0.4*sin(2*x)", "");
    let projection = projection(&model);
    let none = VerifyOptions { samples: 0, ..VerifyOptions::default() };
    let found = projection.verify(&model.system, &none).expect("sampled");
    assert!(!found.is_member());
    let error = found.require().expect_err("nothing was sampled");
    assert_eq!(error, ProjectionError::NotSampled { property: "feasible" });
    assert!(error.to_string().contains("`feasible` was seen at no point"), "{error}");
    // A determinant of zero is not below zero.
    let mut found = projection.verify(&model.system, &VerifyOptions::default()).expect("sampled");
    assert!(found.is_member() && found.missing().is_empty());
    let regular = found.checks.iter_mut().find(|check| check.name == "regular").expect("sampled");
    regular.worst = 0.0;
    assert!(!regular.holds() && !found.is_member());
}

#[test]
fn points_outside_are_sampled_wherever_the_boundary_is() {
    // The boundary is far below the box of the samples; the hole of the circle is narrower than their distance.
    let far = text("y + 100 - sin(x)", "");
    let hole = contact("theta = 0", "0.5*theta'^2", "cos(theta) + 0.9999999", "");
    for model in [far, hole, model("papers/000/constrained-bar.toml", &[])] {
        let found = projection(&model).verify(&model.system, &VerifyOptions::default()).expect("sampled");
        found.require().unwrap_or_else(|error| panic!("{error}"));
        assert!(found.checks.iter().all(|check| check.samples > 500), "{:?}", found.checks);
        assert_eq!(found.checks.len(), if found.is_constrained { 6 } else { 5 });
    }
}
