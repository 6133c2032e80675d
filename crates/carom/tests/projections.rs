//! Projections: bounds that are found, maps of the class, and systems that have none.

use crate::projected_cases;

use carom::Model;
use carom::model::projection::{Projection, ProjectionError, ProjectionKind, ProjectionOptions, VerifyOptions};
use projected_cases::{cases, model, text};

fn projection(model: &Model) -> Projection {
    Projection::new(&model.system, &ProjectionOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(model: &Model, options: &ProjectionOptions) -> ProjectionError {
    Projection::new(&model.system, options).expect_err("there is no projection")
}

#[test]
fn paper_bounds_of_k_are_found() {
    let expected = [
        ("bar", model("papers/000/bar.toml", &[]), 36.0),
        ("short bar", model("papers/000/bar.toml", &[("L", "0.7"), ("m", "3")]), 36.0 / 0.49),
        ("sinusoid", model("papers/000/sinusoid.toml", &[]), 4.0),
        ("cosine", model("papers/002/particle.toml", &[]), 1.0),
    ];
    for (name, model, k) in expected {
        let projection = projection(&model);
        let normal = projection.normal_form().expect("a normal form");
        let (least, attained) = (normal.least_k(), normal.supremum.lower.powi(2));
        eprintln!("{name}: k > {least} proved, {attained} attained, {} boxes", normal.supremum.boxes);
        assert!((attained - k).abs() < 1e-9 * k, "{name}: {attained}");
        assert!(least >= k * (1.0 - 1e-15) && least < k * (1.0 + 1e-5), "{name}: {least}");
        assert!(normal.is_proved() && normal.k > k);
    }
}

#[test]
fn paper_normal_form_of_the_bar() {
    // Mbar, Delta and Lambda as printed in III-C, at places of our own.
    let model = model("papers/000/bar.toml", &[("m", "2"), ("L", "0.8")]);
    let projection = projection(&model);
    let normal = projection.normal_form().expect("a normal form");
    let (graph, simple) = (projection.graph(), projection.simple());
    assert_eq!(simple.coordinates[normal.monotonic.coordinate].name, "y");
    assert!(normal.monotonic.is_linear && normal.monotonic.least == 1.0);
    let (m, l) = (2.0, 0.8);
    for theta in [-2.5, -0.3, 0.4, 1.9] {
        let at = [(simple.u[0], 0.7), (simple.u[1], -1.0), (simple.u[2], theta)];
        let close = |ids: &[_], expected: &[f64]| {
            for (value, expected) in graph.evaluate(ids, &at).iter().zip(expected) {
                assert!((value - expected).abs() < 1e-13, "{value} {expected}");
            }
        };
        let (s, c2, c3) = (f64::sin(theta), f64::cos(2.0 * theta), f64::cos(3.0 * theta));
        let (edge, corner) = (-m * l / 2.0 * s, -m * l * l / 24.0 * (3.0 * c2 - 5.0));
        close(&normal.mass, &[m, 0.0, edge, 0.0, m, 0.0, edge, 0.0, corner]);
        close(&normal.delta, &[0.0, 12.0 * s / (l * (5.0 - 3.0 * c2))]);
        let slope = 6.0 * (theta.cos() + 3.0 * c3) / (l * (5.0 - 3.0 * c2).powi(2));
        close(&normal.lambda, &[0.0, 0.0, 0.0, slope]);
    }
}

#[test]
fn corrected_coefficients_of_the_circle() {
    for xc in [-0.9, -0.2, 0.0, 0.3, 0.7] {
        let model = model("papers/000/pendulum.toml", &[("xc", &xc.to_string()), ("speed", "0.1")]);
        let projection = Projection::new(&model.system, &ProjectionOptions::default()).expect("a projection");
        let ProjectionKind::Circle(arc) = projection.kind() else { panic!("not a circle") };
        let a = f64::acos(xc);
        let b = std::f64::consts::PI - a;
        let corrected =
            ((std::f64::consts::PI - 4.0 * a) / (2.0 * b), (2.0 * a - std::f64::consts::PI) / (2.0 * b.powi(3)));
        assert!((arc.b1 - corrected.0).abs() < 1e-12 && (arc.b3 - corrected.1).abs() < 1e-12, "{arc:?} {corrected:?}");
        // What the printed sign would do: the map leaves the boundary (0.6567 for 1.2661 at 0.3).
        let printed = arc.b1 * (a - std::f64::consts::PI) - arc.b3 * (a - std::f64::consts::PI).powi(3);
        if xc == 0.3 {
            assert!((printed - 0.6567).abs() < 1e-4, "{printed}");
        }
    }
}

#[test]
fn projections_are_members_of_their_class() {
    for (name, model, _) in cases() {
        let found = projection(&model).verify(&model.system, &VerifyOptions::default()).expect("sampled");
        found.require().unwrap_or_else(|error| panic!("{name}: {error}"));
        let names: Vec<&str> = found.checks.iter().map(|check| check.name).collect();
        for needed in ["feasible", "regular", "invertible", "continuous", "reflects"] {
            assert!(names.contains(&needed), "{name}: {names:?}");
        }
    }
}

#[test]
fn constraints_need_not_be_separable() {
    // Lemma 3 holds for the straight guide and not for the curved one; (29) holds for both.
    for (f, is_separable) in [("0", true), ("0.3", false)] {
        let model = model("papers/000/constrained-bar.toml", &[("f", f)]);
        let found = projection(&model).verify(&model.system, &VerifyOptions::default()).expect("sampled");
        let (coupling, point) = found.separability.clone().expect("constraints");
        eprintln!("f = {f}: |phi_u' M^-1 phi_h'^T| up to {coupling:.3} at {point}");
        assert_eq!(coupling < 1e-12, is_separable);
        assert!(found.checks.iter().any(|check| check.name == "constrained" && check.holds()));
    }
}

#[test]
fn the_local_projection_is_no_member_and_says_where() {
    let model = model("papers/000/sinusoid.toml", &[]);
    let local = Projection::local(&model.system, &[0.5, -2.0 * f64::sin(0.5)]).expect("a contact");
    let mut map = local.map().expect("compiles");
    // Right at the impact, wrong elsewhere.
    let (image, jacobian) = map.outer(&[0.5, -2.0 * f64::sin(0.5)]).expect("an image");
    assert!((image[0] - 0.5).abs() < 1e-15);
    let slope = [2.0 * f64::cos(0.5), 1.0];
    let size = slope[0] * slope[0] + slope[1] * slope[1];
    assert!((jacobian[0] - (1.0 - 2.0 * slope[0] * slope[0] / size)).abs() < 1e-14);
    let error =
        local.verify(&model.system, &VerifyOptions::default()).expect("sampled").require().expect_err("no member");
    assert!(matches!(&error, ProjectionError::NotVerified { point, .. } if point.contains("x = ")), "{error}");
    let error = Projection::local(&model.system, &[0.5, 1.0]).expect_err("no contact");
    assert!(matches!(error, ProjectionError::NoImage { .. }), "{error}");
}

#[test]
fn second_derivatives_are_those_of_the_jacobian() {
    for gap in ["y - 0.4*sin(2*x)", "y + 0.3*sin(y) - 0.5*cos(x)"] {
        let model = text(gap, "");
        let projection = projection(&model);
        let (graph, second) = projection.second_derivative();
        let mut map = projection.map().expect("compiles");
        let (u, h) = ([0.7, -1.3], 1e-5);
        let image = map.outer(&u).expect("an image").0;
        let mut at: Vec<_> = projection.simple().u.iter().copied().zip(u).collect();
        at.extend(projection.roots().iter().map(|root| (root.variable, image[root.coordinate])));
        let exact = graph.evaluate(&second, &at);
        for k in 0..2 {
            let mut moved = |step: f64| {
                let mut u = u;
                u[k] += step;
                map.outer(&u).expect("an image").1
            };
            let (ahead, behind) = (moved(h), moved(-h));
            for (entry, (a, b)) in ahead.iter().zip(&behind).enumerate() {
                let difference = (a - b) / (2.0 * h);
                assert!(
                    (exact[entry * 2 + k] - difference).abs() < 1e-7,
                    "{gap}: {} {difference}",
                    exact[entry * 2 + k]
                );
            }
        }
    }
}

#[test]
fn refusals_name_the_reason_and_the_point() {
    let options = ProjectionOptions::default();
    let error = refused(&text("9 - x^2 - y^2", ""), &options);
    assert!(matches!(&error, ProjectionError::NotMonotonic { reasons, .. } if reasons.contains("x = ")), "{error}");
    // Errata of 000, item 6: continuity of Lambda does not bound it.
    let error = refused(&text("y - sin(x^2)", ""), &options);
    assert!(
        matches!(&error, ProjectionError::Unbounded { value, point } if *value > 1e6 && point.contains("x = ")),
        "{error}"
    );
    let within = ProjectionOptions { domain: vec![("x".to_owned(), [-2.0, 2.0])], ..options.clone() };
    assert!(Projection::new(&text("y - sin(x^2)", "").system, &within).is_ok());
    let error = refused(&text("exp(y) - 1 + 0*x", ""), &options);
    assert!(matches!(error, ProjectionError::NotMonotonic { .. }), "{error}");
    let error = refused(&model("papers/000/pendulum.toml", &[("xc", "0.8")]), &options);
    assert!(matches!(error, ProjectionError::ShortArc { .. }), "{error}");
    let small = ProjectionOptions { k: Some(3.9), ..options.clone() };
    let error = refused(&model("papers/000/sinusoid.toml", &[]), &small);
    assert!(matches!(error, ProjectionError::SmallFactor { .. }), "{error}");
    let error = refused(&text("y", "[contacts.wall]\ngap = \"x + 5\"\nlaw = \"elastic\""), &options);
    assert!(matches!(&error, ProjectionError::ContactCount { found: 2, known } if known.contains("wall")), "{error}");
    let error = refused(&text("min(y, y + x)", ""), &options);
    assert!(matches!(error, ProjectionError::Contact { .. }), "{error}");
    let unknown = ProjectionOptions { coordinate: Some("w".to_owned()), ..options.clone() };
    assert!(matches!(refused(&text("y", ""), &unknown), ProjectionError::UnknownCoordinate { .. }));
    let empty = ProjectionOptions { domain: vec![("x".to_owned(), [1.0, f64::NAN])], ..options };
    assert!(matches!(refused(&text("y", ""), &empty), ProjectionError::BadDomain { .. }));
}
