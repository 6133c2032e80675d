//! Pictures come out whatever the data are.

use crate::common;

use carom_model::{Ending, Primitive, Shape, Trajectory};
use carom_report::{ReportError, plot};
use common::ball::{ball, crowd};
use common::{Case, double_pendulum, folder};
use std::fs;
use std::path::Path;

/// Place of `motion.svg` among the pictures of a model without contacts and frame.
const MOTION: usize = 3;

/// Draws everything and checks what must hold for every picture.
fn draw(case: &Case, folder: &Path) -> Vec<String> {
    let files = plot::draw_all(&case.run(), folder).unwrap();
    let texts: Vec<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    for (file, text) in files.iter().zip(&texts) {
        let name = file.display();
        assert!(text.starts_with("<svg width=\"720\"") && text.ends_with("</svg>\n"), "{name} is not a whole picture");
        assert!(text.contains(case.system.name()), "{name} has no title");
        // Saturated casts of infinities would show as the largest units.
        assert!(!text.contains("2147483647") && !text.contains("-2147483648"), "{name} leaves the page");
    }
    texts
}

#[test]
fn all_pictures_of_a_double_pendulum() {
    let case = double_pendulum(2000, 0.005);
    let texts = draw(&case, &folder("pictures"));
    assert_eq!(texts.len(), 5);
    assert!(texts[0].contains("θ₁  [rad]") && texts[2].contains("θ₂′"));
    assert!(texts[1].contains("max |E − E(0)| = 5.11×10⁻⁵"));
    // The same run gives the same bytes.
    assert_eq!(texts, draw(&case, &folder("pictures_again")));
}

#[test]
fn ground_is_drawn_with_hatches() {
    let case = ball(900, 0.004);
    let with = draw(&case, &folder("ball")).remove(MOTION);
    let bare = Case { drawing: case.drawing[1..].to_vec(), ..case };
    let without = draw(&bare, &folder("ball_bare")).remove(MOTION);
    let lines = |text: &str| text.matches("<polyline").count();
    assert!(lines(&with) > lines(&without) + 40, "{} and {}", lines(&with), lines(&without));
}

#[test]
fn coarse_runs_have_smooth_traces() {
    let coarse = draw(&double_pendulum(60, 0.05), &folder("coarse")).remove(MOTION);
    let longest = coarse.split("points=\"").map(|rest| rest.split('"').next().unwrap().split(' ').count()).max();
    assert!(longest.unwrap() > 500, "the trace has {longest:?} points");
}

#[test]
fn long_runs_are_thinned_and_keep_their_extremes() {
    let mut case = crowd(1);
    let count = 200_000;
    case.trajectory.t = (0..count).map(f64::from).collect();
    case.trajectory.q = (0..count).map(|k| f64::from(k).sin()).collect();
    case.trajectory.q[123_457] = 50.0;
    case.trajectory.v = vec![0.0; 200_000];
    case.trajectory.energy = vec![1.0; 200_000];
    let texts = draw(&case, &folder("long"));
    let words = |text: &str| text.split(' ').count();
    assert!(texts.iter().all(|text| words(text) < 6000), "too many points");
    // The one large value spans the axis, and a single spike reaches it.
    assert!(texts[0].contains(">\n50\n<"), "no tick at 50");
}

#[test]
fn many_coordinates_share_panels() {
    let texts = draw(&crowd(14), &folder("crowd"));
    assert_eq!(texts.len(), 3);
    assert!(texts[0].contains("x₁₃"));
    let texts = draw(&crowd(50), &folder("large_crowd"));
    assert!(texts[0].contains("first 36 of 50 coordinates"));
}

#[test]
fn degenerate_runs_are_drawn() {
    // One node is no motion.
    let mut case = double_pendulum(0, 0.01);
    assert_eq!(draw(&case, &folder("one_node")).len(), 0);
    // Two nodes are the shortest one.
    case = double_pendulum(1, 0.01);
    assert_eq!(draw(&case, &folder("two_nodes")).len(), 5);
    // Constant, huge, tiny and nearly equal numbers.
    case = double_pendulum(100, 0.01);
    for (number, value) in [0.0, 1e300, -f64::MAX, 5e-324, 1e6, -3.0].into_iter().enumerate() {
        case.trajectory.q.fill(value);
        case.trajectory.energy.fill(value);
        case.trajectory.energy[50] = value + value.abs() * 1e-9;
        let texts = draw(&case, &folder(&format!("constant_{number}")));
        assert!(!texts.iter().any(|text| text.contains("NaN") || text.contains("inf")), "axes of {value}");
    }
    // Both ends of what numbers can be.
    case.trajectory.q[0] = f64::MAX;
    case.trajectory.q[2] = -f64::MAX;
    draw(&case, &folder("overflow"));
    // No node: nothing moved.
    case.trajectory = Trajectory::new(case.system.coordinate_names(), Vec::new(), "rk4");
    assert_eq!(draw(&case, &folder("no_node")).len(), 0);
    assert!(!folder("no_node").exists());
}

#[test]
fn failed_runs_are_drawn_as_far_as_they_got() {
    let mut case = double_pendulum(300, 0.01);
    case.trajectory.ending = Ending::Failed { time: 2.99, message: "Newton did not converge".to_owned() };
    let (q, energy) = (case.trajectory.q.len(), case.trajectory.energy.len());
    case.trajectory.q[q - 2..].fill(f64::NAN);
    case.trajectory.energy[energy - 1] = f64::INFINITY;
    case.trajectory.v.truncate(q - 4);
    let texts = draw(&case, &folder("failed_pictures"));
    assert_eq!(texts.len(), 5);
    assert!(texts.iter().all(|text| text.contains("failed at t = 2.99")));
    case.trajectory.q.fill(f64::NAN);
    assert_eq!(draw(&case, &folder("all_nan")).len(), 3);
}

#[test]
fn wrong_models_and_drawings_are_refused() {
    let mut case = double_pendulum(5, 0.01);
    let gap = case.drawing[0].clone();
    let Shape::Rod { to, .. } = gap.shape else { panic!("the first primitive is a rod") };
    case.drawing.push(Primitive { shape: Shape::Ground { gap: to[0], plane: to }, color: None, trace: false });
    let error = plot::motion(&case.run(), &folder("bad_drawing")).unwrap_err();
    assert!(matches!(error, ReportError::Drawing { .. }), "{error}");
    case.trajectory.coordinates[0] = "other".to_owned();
    let error = plot::draw_all(&case.run(), &folder("bad_model")).unwrap_err();
    assert!(matches!(error, ReportError::OtherModel { .. }), "{error}");
}
