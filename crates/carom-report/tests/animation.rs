//! `animation.svg`: whole documents that move by themselves, of limited size.

use crate::common;

use carom_expr::Scope;
use carom_model::{Primitive, Shape, SystemBuilder, Trajectory};
use carom_report::{Caption, Run, plot};
use common::ball::ball;
use common::bounce::bounce;
use common::{Case, double_pendulum, folder};
use std::fs;

/// Frames at most, and the value at the end that is held.
const LIMIT: usize = 121;

fn animate(case: &Case, name: &str) -> Option<String> {
    plot::animation(&case.run(), &folder(name)).unwrap().map(|file| fs::read_to_string(file).unwrap())
}

/// The value of an attribute.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split(&format!(" {name}=\"")).nth(1)?.split('"').next()
}

/// Tags in the order of the document; every one is closed where it should be.
fn tags(text: &str) -> Vec<&str> {
    let (mut open, mut all) = (Vec::new(), Vec::new());
    for rest in text.split('<').skip(1) {
        let (tag, _) = rest.split_once('>').expect("a tag ends");
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => all.push(tag),
            None => {
                open.push(tag.split_whitespace().next().unwrap());
                all.push(tag);
            }
        }
    }
    assert!(open.is_empty(), "{open:?} are not closed");
    all
}

/// What holds for every animation; the number of its frames.
fn check(text: &str) -> usize {
    let tags = tags(text);
    let moving: Vec<&&str> = tags.iter().filter(|tag| tag.starts_with("animate")).collect();
    assert!(!moving.is_empty());
    let mut most = 0;
    for tag in moving {
        let numbers = attribute(tag, "keyTimes").unwrap().split(';').map(|key| key.parse::<f64>().unwrap());
        let keys: Vec<f64> = numbers.collect();
        assert_eq!(attribute(tag, "values").unwrap().split(';').count(), keys.len(), "{tag}");
        assert!(keys.is_sorted() && keys[0] == 0.0 && *keys.last().unwrap() <= 1.0, "{tag}");
        assert_eq!(attribute(tag, "repeatCount"), Some("indefinite"));
        let seconds: f64 = attribute(tag, "dur").unwrap().trim_end_matches('s').parse().unwrap();
        assert!((3.0..11.0).contains(&seconds), "{seconds}");
        most = most.max(keys.len());
    }
    assert!(most <= LIMIT, "{most} frames");
    assert!(text.len() < 500_000, "{} bytes", text.len());
    assert!(!text.contains("NaN") && !text.contains("inf\"") && !text.contains(">t = 0<"));
    most - 1
}

#[test]
fn a_double_pendulum_moves() {
    let case = double_pendulum(1000, 0.005);
    let text = animate(&case, "animated").unwrap();
    assert_eq!(check(&text), 120);
    // Two rods and two dots, and the dot that runs with the time.
    assert_eq!(text.matches("attributeName=\"points\"").count(), 2);
    assert_eq!(text.matches("attributeName=\"cx\"").count(), text.matches("attributeName=\"cy\"").count() + 1);
    assert_eq!(text.matches("visibility=\"visible\"").count(), 1, "one time is shown at once");
    assert_eq!(Some(text), animate(&case, "animated_again"), "the same run gives the same bytes");
}

#[test]
fn impacts_are_frames() {
    let case = bounce(60, 0.05);
    let text = animate(&case, "animated_bounce").unwrap();
    check(&text);
    let (last, fold) = (case.trajectory.t[60], 3.0 / 3.6);
    for impact in case.trajectory.impacts.iter().take(10) {
        let key = format!("{:.4}", impact.t / last * fold);
        assert!(text.contains(&format!(";{};", key.trim_end_matches('0'))), "{key}");
    }
}

#[test]
fn of_long_motions_the_beginning_is_shown() {
    let text = animate(&double_pendulum(40_000, 0.01), "animated_long").unwrap();
    check(&text);
    assert!(text.contains("up to t = ") && text.contains(" of 400"));
}

#[test]
fn what_does_not_move_is_no_animation() {
    let mut case = double_pendulum(100, 0.01);
    case.trajectory.q.fill(0.5);
    case.trajectory.v.fill(0.0);
    assert_eq!(animate(&case, "still"), None);
    case.trajectory.q.fill(f64::NAN);
    assert_eq!(animate(&case, "nothing"), None);
    let case = Case { drawing: Vec::new(), ..double_pendulum(100, 0.01) };
    assert_eq!(animate(&case, "bare"), None);
}

#[test]
fn sizes_are_limited() {
    let mut case = ball(300, 0.01);
    let Shape::Line { from, to } = case.drawing[2].shape.clone() else { panic!("a spoke") };
    let zigzag = |count: usize| Shape::Polyline {
        points: (0..count).map(|k| if k % 2 == 0 { from } else { to }).collect(),
        closed: false,
    };
    case.drawing[2].shape = zigzag(600);
    let frames = check(&animate(&case, "large").unwrap());
    assert!((24..120).contains(&frames), "{frames}");
    case.drawing[2].shape = zigzag(2000);
    assert_eq!(animate(&case, "too_large"), None);
}

#[test]
fn labels_of_audits_are_shown() {
    let case = double_pendulum(100, 0.01);
    let caption = Caption { title: "Swing".to_owned(), warning: "audit not passed".to_owned() };
    let run = Run { caption: Some(caption), ..case.run() };
    let file = plot::animation(&run, &folder("labelled")).unwrap().unwrap();
    assert!(fs::read_to_string(file).unwrap().contains("audit not passed"));
}

/// A dot on a straight line and an ellipse that turns, over one second.
fn tiny() -> Case {
    let scope = Scope::default();
    let (x, dx, zero) = (scope.variable("x"), scope.variable("x'"), scope.constant(0.0).id());
    let (radii, lagrangian) = ([scope.constant(0.5).id(), scope.constant(0.25).id()], (0.5 * dx * dx).id());
    let plain = |shape| Primitive { shape, color: Some("#336699".to_owned()), trace: false };
    let drawing = vec![
        plain(Shape::Point { at: [x.id(), zero] }),
        plain(Shape::Ellipse { center: [zero, zero], radii, angle: x.id() }),
    ];
    let system = SystemBuilder::new("tiny").coordinate("x").lagrangian(lagrangian).build(scope.into_graph()).unwrap();
    let mut trajectory = Trajectory::new(system.coordinate_names(), Vec::new(), "exact");
    (trajectory.t, trajectory.q, trajectory.v) = (vec![0.0, 1.0], vec![0.0, 1.0], vec![1.0, 1.0]);
    (trajectory.p, trajectory.energy) = (vec![1.0, 1.0], vec![0.5, 0.5]);
    Case { system, drawing, quasivelocities: Vec::new(), trajectory }
}

/// Lists of more than three values, cut down to their ends.
fn shortened(text: &str) -> String {
    let short = |(number, part): (usize, &str)| match part.split(';').collect::<Vec<_>>()[..] {
        [first, .., last] if number % 2 == 1 && part.matches(';').count() > 3 => format!("{first};..;{last}"),
        _ => part.to_owned(),
    };
    text.split('"').enumerate().map(short).collect::<Vec<_>>().join("\"")
}

#[test]
fn a_tiny_animation() {
    let text = animate(&tiny(), "tiny").unwrap();
    check(&text);
    let layer = text.split("<g transform=\"scale(8)\">\n").nth(1).unwrap();
    let lines: Vec<String> = layer.lines().map(shortened).collect();
    let timing = "dur=\"3.6s\" repeatCount=\"indefinite\" keyTimes=\"0;..;1\"";
    let expected = [
        format!(
            "<circle fill=\"#336699\" r=\"4\" cx=\"292.2\" cy=\"238.2\"><animate attributeName=\"cx\" {timing} values=\"292.2;..;643.3\"/></circle>"
        ),
        format!(
            "<g transform=\"translate(292.2 238.2)\"><g transform=\"rotate(0)\"><animateTransform attributeName=\"transform\" type=\"rotate\" {timing} values=\"0;..;-57.3\"/>\
             <ellipse fill=\"#b8c9db\" stroke=\"#336699\" stroke-width=\"1.25\" rx=\"175.6\" ry=\"87.8\"></ellipse></g></g>"
        ),
        format!(
            "<circle cy=\"470.4\" r=\"4\" fill=\"#262a30\" cx=\"154\"><animate attributeName=\"cx\" {timing} values=\"154;..;696\"/></circle>"
        ),
        "<text x=\"64\" y=\"474.4\" font-size=\"11\" font-family=\"sans-serif\" fill=\"#262a30\" visibility=\"visible\">t = 0.00\
         <animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"3.6s\" repeatCount=\"indefinite\" keyTimes=\"0;0.007\" values=\"visible;hidden\"/></text>"
            .to_owned(),
    ];
    assert_eq!(lines[..4], expected);
    assert_eq!(lines.len(), 3 + 120 + 2);
}
