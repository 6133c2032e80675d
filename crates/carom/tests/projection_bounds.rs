//! What must be proved before there is a projection: bounds of Lambda, definite masses, arcs; and what is refused.

use crate::projected_cases;

use carom::Model;
use carom::model::projection::{Projection, ProjectionError, ProjectionKind, ProjectionOptions, direction, reflection};
use projected_cases::{contact, text};

const PLANE: &str = "x = 1\ny = 2";

fn made(model: &Model) -> Result<Projection, ProjectionError> {
    Projection::new(&model.system, &ProjectionOptions::default())
}

fn refused(model: &Model) -> ProjectionError {
    made(model).expect_err("there is no projection")
}

fn limited(name: &str, limit: [f64; 2]) -> ProjectionOptions {
    ProjectionOptions { domain: vec![(name.to_owned(), limit)], ..ProjectionOptions::default() }
}

#[test]
fn poles_at_finite_places_are_refused() {
    // The mass vanishes at x = 10, which samples do not meet.
    let model = contact(PLANE, "0.5*(1-0.01*x^2)*x'^2 + 0.5*y'^2", "y - 0.1*sin(x)", "");
    let error = refused(&model);
    assert!(matches!(&error, ProjectionError::Unbounded { .. }), "{error}");
    assert!(error.to_string().starts_with("no bound of |Lambda| was found: it is "), "{error}");
    let near = Projection::new(&model.system, &limited("x", [-5.0, 5.0])).expect("bounded there");
    assert!(near.normal_form().is_some_and(|normal| normal.is_proved() && normal.k < 1.0));
}

#[test]
fn masses_are_looked_at_within_the_domain() {
    let model = contact(PLANE, "0.5*(1+x)*x'^2 + 0.5*y'^2", "y - 0.1*sin(x)", "");
    let error = refused(&model);
    assert!(
        matches!(&error, ProjectionError::NotSimple { why } if why.contains("positive definite at x = ")),
        "{error}"
    );
    Projection::new(&model.system, &limited("x", [0.0, 5.0])).expect("definite there");
    let error = Projection::new(&model.system, &limited("x", [-9.0, -8.0])).expect_err("negative there");
    assert!(matches!(error, ProjectionError::NotSimple { .. }), "{error}");
    // One period, wherever it is negative: three from the origin there is nothing to see.
    let wave = contact(PLANE, "0.5*(0.8+cos(0.5*x))*x'^2 + 0.5*y'^2", "y - 0.1*sin(x)", "");
    assert!(matches!(refused(&wave), ProjectionError::NotSimple { .. }));
}

fn circle(gap: &str) -> Model {
    contact("theta = 0", "0.5*theta'^2", gap, "")
}

#[test]
fn arcs_that_samples_miss_are_found() {
    // A hole of 1e-4 of the period around pi.
    let projection = made(&circle("cos(theta) + 0.9999999")).expect("a projection");
    let ProjectionKind::Circle(arc) = projection.kind() else { panic!("not a circle") };
    assert!((arc.half - f64::acos(-0.9999999)).abs() < 1e-9 && arc.centre.abs() < 1e-12, "{arc:?}");
    // Two more zeros in a dip, or in a well: they are named.
    for (gap, place) in [
        ("cos(theta) - 0.3 - 3*exp(-4e7*(1-cos(theta-0.500383)))", "0.500"),
        ("cos(theta) - 0.3 + 3*exp(-4e6*(1-cos(theta-2.5)))", "2.499"),
    ] {
        let error = refused(&circle(gap));
        assert!(
            matches!(&error, ProjectionError::ArcCount { found: 4, places, .. } if places.contains(place)),
            "{error}"
        );
        assert!(error.to_string().contains("within one period: theta = -1.266104"), "{error}");
    }
    let error = refused(&circle("cos(theta) + 2"));
    assert!(matches!(error, ProjectionError::ArcCount { found: 0, .. }), "{error}");
}

#[test]
fn arcs_that_are_not_proved_are_refused() {
    // A dip that is not the lowest place, and a touch that changes no sign.
    for (gap, at) in [
        ("cos(theta) - 0.3 - 1.2*exp(-4e7*(1-cos(theta-0.500383)))", 0.500383),
        ("(cos(theta) - 0.3)*(1 - cos(theta-0.5))", 0.5),
    ] {
        let error = refused(&circle(gap));
        let ProjectionError::ArcNotProved { place, .. } = error else { panic!("{gap}: {error}") };
        assert!((place - at).abs() < 1e-3, "{gap}: {place}");
    }
    // Ends without a slope.
    let error = refused(&circle("cos(theta)^3"));
    assert!(matches!(error, ProjectionError::ArcNotProved { what, .. } if what.contains("slope")), "{error}");
}

#[test]
fn settings_of_the_normal_form_mean_nothing_on_a_circle() {
    let model = circle("cos(theta) - 0.3");
    let constant = ProjectionOptions { k: Some(-5.0), ..ProjectionOptions::default() };
    for (options, name) in [(constant, "k"), (limited("theta", [-2.0, 2.0]), "domain")] {
        let error = Projection::new(&model.system, &options).expect_err("refused");
        assert!(matches!(error, ProjectionError::NoMeaning { setting, .. } if setting == name), "{error}");
    }
    // Within a domain in which the gap is monotonic there is no circle.
    let options = limited("theta", [0.5, 2.5]);
    assert!(Projection::new(&model.system, &options).expect("a projection").normal_form().is_some());
}

#[test]
fn systems_that_cannot_be_projected_are_refused_by_name() {
    let constrained = |section: &str| contact("x = 0\ny = 2\nw = 0", "0.5*(x'^2 + y'^2 + w'^2)", "y - sin(x)", section);
    let error = refused(&constrained("[constraints]\nknot = \"x^3 + w^3 + x*w*y^2\""));
    let ProjectionError::NotSolvable { constraint, reasons } = &error else { panic!("{error}") };
    assert!(constraint == "knot" && reasons.contains("occurs nonlinearly"), "{error}");
    let error = refused(&constrained("[velocity_constraints]\nskate = \"x'*sin(w) - y'*cos(w)\""));
    assert!(matches!(&error, ProjectionError::NotSupported { what, .. } if what == "a velocity constraint"), "{error}");
    let newton = "[coordinates]\nx = 0\ny = 2\n[energy]\nkinetic = \"0.5*(x'^2 + y'^2)\"\n[contacts.ground]\ngap = \"y\"\n\
                  law = \"newton\"\nrestitution = 0.5\n";
    let error = refused(&Model::from_text(newton, "newton.toml", &[]).expect("a model"));
    assert!(matches!(&error, ProjectionError::Contact { why, .. } if why == "has the law `newton`"), "{error}");
}

#[test]
fn reflections_turn_the_rate_of_the_gap_around() {
    let (mass, slope) = ([2.0, 0.3, 0.3, 1.0], [0.7, -1.1]);
    let along = direction(&mass, &slope).expect("a mass");
    assert!((along[0] * slope[0] + along[1] * slope[1] - 1.0).abs() < 1e-15);
    let matrix = reflection(&mass, &slope).expect("a mass");
    for (k, slope_k) in slope.iter().enumerate() {
        let after = slope[0] * matrix[k] + slope[1] * matrix[2 + k];
        assert!((after + slope_k).abs() < 1e-15);
    }
    assert_eq!(reflection(&[0.0; 4], &slope), None);
    assert!(made(&text("y", "")).is_ok());
}
