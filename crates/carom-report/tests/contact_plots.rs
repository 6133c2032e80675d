//! Pictures of motions with impacts: kinks and jumps are where they belong.

use crate::common;

use carom_model::{ContactMode, Impact, ModeChange};
use carom_report::plot;
use common::bounce::bounce;
use common::{Case, folder};
use std::fs;

/// The texts of all pictures, by name.
fn draw(case: &Case, name: &str) -> Vec<(String, String)> {
    let files = plot::draw_all(&case.run(), &folder(name)).unwrap();
    let name = |file: &std::path::PathBuf| file.file_stem().unwrap().to_str().unwrap().to_owned();
    files.iter().map(|file| (name(file), fs::read_to_string(file).unwrap())).collect()
}

fn picture(case: &Case, folder: &str, name: &str) -> String {
    draw(case, folder).into_iter().find(|(found, _)| found == name).unwrap().1
}

/// Points of the polylines of a picture.
fn lines(text: &str) -> Vec<Vec<(i32, i32)>> {
    let point = |pair: &str| {
        let (x, y) = pair.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    let line = |rest: &str| rest.split('"').next().unwrap().split_whitespace().map(point).collect();
    text.split("<polyline").skip(1).map(|tag| line(tag.split("points=\"").nth(1).unwrap())).collect()
}

#[test]
fn contacts_get_their_picture() {
    let case = bounce(300, 0.01);
    let names: Vec<String> = draw(&case, "gaps").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["coordinates", "energy", "phase", "gaps", "motion", "animation"]);
    let gaps = picture(&case, "gaps", "gaps");
    let count = case.trajectory.impacts.len();
    assert!(gaps.contains("floor") && gaps.contains("wall"));
    assert!(gaps.contains(&format!("dots: {count} impacts; shaded: sliding")), "{gaps}");
    assert_eq!(gaps.matches("<circle").count(), count);
    assert_eq!(gaps.matches("opacity=\"0.12\"").count(), 1);
}

#[test]
fn coordinates_have_their_kinks_at_the_impacts() {
    // Nodes so far apart that none is near the floor.
    let case = bounce(8, 0.25);
    let text = picture(&case, "kinks", "coordinates");
    let nodes = case.trajectory.len();
    let curves: Vec<_> = lines(&text).into_iter().filter(|line| line.len() >= nodes).collect();
    assert_eq!(curves.len(), 2);
    let height = curves[1].iter().map(|point| point.1).max().unwrap();
    // Pixels grow downwards: every impact with the floor is a lowest point.
    let floor = case.trajectory.impacts.iter().filter(|impact| impact.law == "newton").count();
    assert!(floor >= 2);
    let mut lowest: Vec<i32> = curves[1].iter().filter(|point| height - point.1 <= 1).map(|point| point.0).collect();
    lowest.dedup();
    assert_eq!(lowest.len(), floor);
}

#[test]
fn energy_jumps_at_the_impacts() {
    let case = bounce(8, 0.25);
    let text = picture(&case, "jumps", "energy");
    let curve = lines(&text).into_iter().find(|line| line.len() >= case.trajectory.len()).unwrap();
    // Between impacts the energy is constant, so every change is a vertical line.
    for pair in curve.windows(2) {
        assert!(pair[0].0 == pair[1].0 || (pair[0].1 - pair[1].1).abs() <= 1, "{pair:?}");
    }
    let jumps = curve.windows(2).filter(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1).count();
    assert_eq!(jumps, case.trajectory.impacts.len());
}

#[test]
fn a_node_at_an_impact_is_on_its_side() {
    let mut case = bounce(300, 0.01);
    let expected = lines(&picture(&case, "sides", "energy")).len();
    let impact = case.trajectory.impacts[0].clone();
    let after = case.trajectory.t.partition_point(|&t| t < impact.t);
    let insert = |case: &mut Case, v: &[f64], energy: f64| {
        let trajectory = &mut case.trajectory;
        trajectory.t.insert(after, impact.t);
        trajectory.energy.insert(after, energy);
        trajectory.constraint_error.insert(after, 0.0);
        for (list, values) in [(&mut trajectory.q, &impact.q[..]), (&mut trajectory.v, v), (&mut trajectory.p, v)] {
            list.splice(2 * after..2 * after, values.iter().copied());
        }
        trajectory.gaps.splice(2 * after..2 * after, [0.0, 1.0]);
    };
    // First the state after, then the one before in front of it.
    insert(&mut case, &impact.v_plus, impact.energy_minus + impact.energy_change);
    insert(&mut case, &impact.v_minus, impact.energy_minus);
    let text = picture(&case, "sides_both", "energy");
    assert_eq!(lines(&text).len(), expected);
    let curve = lines(&text).into_iter().max_by_key(Vec::len).unwrap();
    // The energy never comes back up.
    assert!(curve.windows(2).all(|pair| pair[1].1 >= pair[0].1 - 1));
}

#[test]
fn marks_become_ticks_and_then_disappear() {
    let mut case = bounce(300, 0.01);
    let sample = case.trajectory.impacts[0].clone();
    let at = |t: f64| Impact { t, ..sample.clone() };
    let mut drawn = Vec::new();
    for count in [0, 20, 100, 5000] {
        case.trajectory.impacts = (0..count).map(|k| at(3.0 * f64::from(k) / f64::from(count))).collect();
        let text = picture(&case, &format!("marks_{count}"), "coordinates");
        drawn.push(lines(&text).len() + text.matches("<line").count());
        if count > 0 {
            let words = ["lines: 20 impacts", "ticks: 100 impacts", "5000 impacts, not marked"];
            assert!(words.iter().any(|words| text.contains(words)), "{count}");
        }
        let motion = picture(&case, &format!("marks_{count}"), "motion");
        assert!(motion.len() < 200_000, "{} bytes", motion.len());
    }
    // Two panels have twice the marks.
    assert_eq!(drawn, [drawn[0], drawn[0] + 40, drawn[0] + 200, drawn[0]]);
}

#[test]
fn the_system_is_drawn_at_impacts() {
    let mut case = bounce(300, 0.01);
    let with = picture(&case, "at_impacts", "motion");
    assert!(with.contains("outlined: at "), "no remark");
    let impacts = std::mem::take(&mut case.trajectory.impacts);
    let without = picture(&case, "at_no_impacts", "motion");
    assert!(!without.contains("outlined"));
    // A circle and a line for every impact.
    assert!(lines(&with).len() >= lines(&without).len() + impacts.len().min(6));
}

#[test]
fn odd_contacts_are_drawn() {
    // Contacts that are always closed, gaps that were not recorded, impacts without numbers.
    let mut case = bounce(50, 0.01);
    case.trajectory.gaps.clear();
    case.trajectory.impacts[0].q.clear();
    case.trajectory.impacts[0].v_minus = vec![f64::NAN; 2];
    let mut lost = case.trajectory.impacts[0].clone();
    lost.t = f64::NAN;
    lost.impulses[0].contact = 77;
    case.trajectory.impacts.push(lost);
    let (from, to) = (ContactMode::Sticking, ContactMode::Free);
    case.trajectory.modes = vec![ModeChange { t: 0.2, contact: 1, from, to, reason: "" }];
    let gaps = picture(&case, "odd", "gaps");
    assert!(gaps.contains("shaded: sticking") && !gaps.contains("NaN"));
    // Many contacts, stick and slip without end.
    case.trajectory.contacts = (0..9).map(|k| format!("contact_{k}")).collect();
    let mode = |k: usize| if k.is_multiple_of(2) { ContactMode::Sliding } else { ContactMode::Sticking };
    let change = |k: usize| ModeChange { t: 1e-5 * k as f64, contact: 0, from: mode(k + 1), to: mode(k), reason: "" };
    case.trajectory.modes = (0..50_000).map(change).collect();
    let gaps = picture(&case, "odd_many", "gaps");
    assert!(gaps.contains("first 6 of 9 contacts") && gaps.len() < 300_000, "{} bytes", gaps.len());
    // No node at all.
    case.trajectory.t.clear();
    draw(&case, "odd_empty");
}
