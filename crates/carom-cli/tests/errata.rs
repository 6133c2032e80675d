//! Errors of the source documents, each shown by a computation that does not use what it checks.

use crate::common;

use common::{Folder, paper};
use serde_json::Value;

/// The object of a simulation.
fn simulated(folder: &Folder, name: &str, more: &[&str]) -> Value {
    let path = paper(name);
    let words: Vec<&str> =
        ["simulate", &path, "--no-plots", "--json"].into_iter().chain(more.iter().copied()).collect();
    folder.carom(&words).ended(0).json()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// 000, IV-D: the gradient of y - (L/2) cos(theta), by differences.
#[test]
fn gradient_of_the_bar_on_its_guide() {
    let folder = Folder::new();
    let found = simulated(&folder, "000/constrained-bar", &["--method", "taylor"]);
    let impact = &found["impacts"][0];
    let theta = number(&impact["q"]["theta"]);
    let gap = |theta: f64| -0.5 * theta.cos();
    let slope = (gap(theta + 1e-6) - gap(theta - 1e-6)) / 2e-6;
    assert!((slope - 0.5 * theta.sin()).abs() < 1e-9, "the sign of III-C");
    let rate = |v: &Value, slope: f64| number(&v["y"]) + slope * number(&v["theta"]);
    let ratio = |slope: f64| rate(&impact["v_plus"], slope) / rate(&impact["v_minus"], slope);
    assert!((ratio(slope) + 1.0).abs() < 1e-8, "{}", ratio(slope));
    assert!((ratio(-slope) + 1.0).abs() > 1.0, "{}", ratio(-slope));
}

/// 000, V-A: beyond x_c = sqrt(2)/2 the cubic folds over.
#[test]
fn no_projection_beyond_the_far_wall() {
    let folder = Folder::new();
    for (xc, exists) in [(0.7f64, true), (0.72, false), (0.8, false)] {
        let a = xc.acos();
        let rest = std::f64::consts::PI - a;
        let (b1, b3) = ((rest - 3.0 * a) / (2.0 * rest), (a - rest) / (2.0 * rest.powi(3)));
        let map = |theta: f64| b1 * (theta - std::f64::consts::PI) + b3 * (theta - std::f64::consts::PI).powi(3);
        let falls = (0..1000).all(|k| {
            let at = |k: i32| map(a + rest * f64::from(k) / 1000.0);
            at(k + 1) < at(k)
        });
        assert_eq!(falls, exists, "x_c = {xc}");
        let set = format!("xc={xc}");
        let said = folder.carom(&["project", &paper("000/pendulum"), "--set", &set, "--json", "--no-plots"]);
        assert_eq!(said.ended(if exists { 0 } else { 2 }).json()["valid"], exists, "x_c = {xc}");
    }
}

/// 001, 3.5.1: two thin rods of mass 1/2 and length 1, feet 1 apart.
#[test]
fn inertia_of_the_wedge() {
    let (count, height) = (10_000, 0.75f64.sqrt());
    // The centre is half as high as the apex.
    let square = |s: f64| (0.5 * s - 0.5).powi(2) + (height * s - 0.5 * height).powi(2);
    let one: f64 = (0..count).map(|k| square((f64::from(k) + 0.5) / f64::from(count)) / f64::from(count)).sum();
    let inertia = 2.0 * 0.5 * one;
    assert!((inertia - 7.0 / 48.0).abs() < 1e-7, "{inertia}");
    assert!((inertia - 13.0 / 48.0).abs() > 0.1, "{inertia}");
}

/// 001, remark 2.13: nothing of the momentum is along dR, which is a point of R, and yet the wedge goes on turning.
#[test]
fn the_wedge_keeps_momentum_normal_to_its_boundary() {
    let folder = Folder::new();
    for (inertia, angle, expected) in
        [("13/48", "0.31751076072367246", 5.0 / 17.0), ("7/48", "0.3627788173301411", 1.0 / 7.0)]
    {
        let set = [format!("inertia={inertia}"), format!("theta0={angle}")];
        let more = ["--method", "taylor", "--until", "0.18", "--set", &set[0], "--set", &set[1]];
        let found = simulated(&folder, "001/wedge", &more);
        let impact = &found["impacts"][0];
        let ratio = number(&impact["v_plus"]["theta"]) / number(&impact["v_minus"]["theta"]);
        assert!((ratio - expected).abs() < 1e-11, "{ratio}");
    }
}

/// 001, (2.3.1): the time part is -E dt, so that a positive F_t is a loss.
#[test]
fn sign_of_the_loss() {
    let folder = Folder::new();
    // F_t of the two models: m = L = 1, J = 1/12.
    let free = |theta: f64| 0.5 * (1.0 - 0.49) / (1.0 + 3.0 * theta.sin().powi(2));
    for (name, is_free) in [("001/collision-lossful", true), ("001/collision-lossful-constrained", false)] {
        let found = simulated(&folder, name, &["--method", "taylor"]);
        for impact in found["impacts"].as_array().expect("impacts") {
            let (theta, before) = (number(&impact["q"]["theta"]), &impact["v_minus"]);
            let rate = number(&before["y"]) + 0.5 * theta.sin() * number(&before["theta"]);
            let loss = rate.powi(2) * if is_free { free(theta) } else { 0.05 };
            let change = number(&impact["energy_change"]);
            assert!(loss > 0.0 && (change + loss).abs() < 1e-10, "{name}: {change} {loss}");
        }
    }
}

/// 001, remark 2.10: without the factor 1/2 the wedge falls as if gravity were half as strong.
#[test]
fn the_wedge_without_one_half() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(paper("001/wedge")).unwrap();
    folder.write("printed.toml", &text.replace("0.5*m*(x'^2 + y'^2) + 0.5*J*theta'^2", "m*(x'^2 + y'^2) + J*theta'^2"));
    let said = folder.carom(&["simulate", "printed.toml", "--method", "taylor", "--no-plots", "--json"]).ended(0);
    let time = number(&said.json()["impacts"][0]["t"]);
    assert!((time - 0.158 * 2f64.sqrt()).abs() < 1e-10, "{time}");
}

/// 003, VI: the printed set holds back one edge of the disk.
#[test]
fn the_disk_passes_the_wall() {
    let folder = Folder::new();
    let [one, both] = ["003/disk-oblique", "003/disk-oblique-both-edges"]
        .map(|name| number(&simulated(&folder, name, &["--method", "taylor"])["final"]["q"]["y"]));
    assert!(one > 10.5 && both < 9.0, "{one} {both}");
}

/// 004, 4.2: the lowest point of a star and of a square, corner by corner.
#[test]
fn support_function_of_the_star() {
    let lowest = |corners: &[[f64; 2]], theta: f64| {
        corners.iter().map(|[x, y]| -(x * theta.sin() + y * theta.cos())).fold(f64::NEG_INFINITY, f64::max)
    };
    let star = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let square = [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]];
    for k in 0..100 {
        let theta = 0.07 * f64::from(k);
        let (sin, cos) = (theta.sin().abs(), theta.cos().abs());
        assert!((lowest(&star, theta) - sin.max(cos)).abs() < 1e-12);
        assert!((lowest(&square, theta) - (sin + cos)).abs() < 1e-12, "what is printed for the star");
    }
}

/// 004, Figure 2: no start near the printed one has 17 impacts with the right jump.
#[test]
fn counts_of_the_ellipse_in_25_seconds() {
    let folder = Folder::new();
    let count = |name: &str, k: i32| {
        let height = format!("y={}", 3.5 + 1e-10 * f64::from(k));
        let more = ["--method", "midpoint", "--jump", "variational", "--until", "25", "--set", &height];
        simulated(&folder, name, &more)["impact_count"].as_u64().expect("a count")
    };
    let right: Vec<u64> = (-3..=3).map(|k| count("004/ellipse", k)).collect();
    let printed: Vec<u64> = (-3..=3).map(|k| count("004/ellipse-printed", k)).collect();
    assert!(right.iter().all(|count| (21..=29).contains(count)), "{right:?}");
    assert!(printed.iter().all(|count| (18..=21).contains(count)), "{printed:?}");
}

/// 004, 4.3: with l sin(theta) <= R there is no wall where the pendulum goes.
#[test]
fn the_printed_set_of_the_pendulum() {
    let folder = Folder::new();
    let count = |name: &str, until: &str| {
        simulated(&folder, name, &["--method", "taylor", "--until", until])["impact_count"].as_u64()
    };
    assert_eq!((count("004/pendulum-printed", "5"), count("004/pendulum-printed", "100")), (Some(0), Some(18)));
    assert_eq!((count("004/pendulum", "5"), count("004/pendulum", "100")), (Some(3), Some(76)));
}
