//! Quasivelocities survive the disk, stand in the summary, and have their picture.

use crate::common;

use carom_model::{Digest, Trajectory};
use carom_report::{Run, Stream, WriteOptions, plot, read, summary, write};
use common::bounce::bounce;
use common::sleigh::sleigh;
use common::{Case, folder};
use serde_json::{Value, json};
use std::fs;

#[test]
fn round_trip_is_exact() {
    let (case, folder) = (sleigh(40, 0.1), folder("speeds"));
    write(&case.run(), &folder, WriteOptions { csv: true }).unwrap();
    let stored = read(&folder).unwrap();
    assert_eq!(stored.trajectory, case.trajectory);
    assert_eq!(
        stored.manifest["quasivelocities"][0],
        json!({ "name": "drive", "unit": "m/s", "doc": "along the blade" })
    );
    let text = fs::read_to_string(folder.join("nodes.csv")).unwrap();
    let header = "t,q.x,q.y,q.theta,v.x,v.y,v.theta,p.x,p.y,p.theta,w.drive,w.turn,lambda.blade,gap.wall,force.wall,";
    assert!(text.starts_with(header), "{text}");
}

#[test]
fn results_from_before_are_read() {
    let (case, folder) = (sleigh(40, 0.1), folder("speeds_before"));
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    let path = folder.join("manifest.json");
    let mut manifest: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    manifest.as_object_mut().unwrap().remove("quasivelocities").unwrap();
    fs::write(&path, manifest.to_string()).unwrap();
    let without = Trajectory { quasivelocities: Vec::new(), w: Vec::new(), ..case.trajectory.clone() };
    assert_eq!(read(&folder).unwrap().trajectory, without);
}

#[test]
fn pieces_have_them() {
    let (case, folder) = (sleigh(40, 0.1), folder("speeds_streamed"));
    let mut stream = Stream::new(&case.system, &folder);
    let whole = &case.trajectory;
    for k in 0..whole.len() {
        let mut piece = whole.header();
        let row = |values: &[f64]| {
            let width = values.len() / whole.len();
            values[k * width..(k + 1) * width].to_vec()
        };
        (piece.t, piece.q, piece.v, piece.p) = (row(&whole.t), row(&whole.q), row(&whole.v), row(&whole.p));
        (piece.w, piece.multipliers, piece.energy) = (row(&whole.w), row(&whole.multipliers), row(&whole.energy));
        piece.constraint_error = row(&whole.constraint_error);
        (piece.gaps, piece.contact_forces) = (row(&whole.gaps), row(&whole.contact_forces));
        piece.impacts = if k == 0 { whole.impacts.clone() } else { Vec::new() };
        stream.append(&piece).unwrap();
    }
    let header = whole.header();
    let run = Run { trajectory: &header, ..case.run() };
    stream.finish(&run, &Digest::of(whole)).unwrap();
    assert_eq!(read(&folder).unwrap().trajectory, case.trajectory);
}

#[test]
fn the_summary_has_the_last_ones() {
    let object = summary(&sleigh(40, 0.1).run());
    let speed = |name: &str| object["final"]["w"][name].as_f64().unwrap();
    assert!((speed("drive") + 0.5).abs() < 1e-15 && (speed("turn") - 0.3).abs() < 1e-15);
    assert!(summary(&bounce(10, 0.01).run())["final"].get("w").is_none());
}

/// Points of the long lines of a picture.
fn curves(case: &Case, place: &str) -> (String, Vec<Vec<(i32, i32)>>) {
    let path = plot::quasivelocities(&case.run(), &folder(place)).unwrap().unwrap();
    let text = fs::read_to_string(path).unwrap();
    let point = |pair: &str| pair.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).unwrap();
    let line = |tag: &str| tag.split('"').next().unwrap().split_whitespace().map(point).collect::<Vec<_>>();
    let lines = text.split("points=\"").skip(1).map(line);
    let long = lines.filter(|line| line.len() > case.trajectory.len()).collect();
    (text, long)
}

#[test]
fn they_jump_at_impacts() {
    let case = sleigh(7, 0.5);
    let (text, curves) = curves(&case, "speeds_picture");
    assert!(text.contains("drive  [m/s]") && text.contains("turn  [rad/s]") && text.contains("line: the impact"));
    assert_eq!(curves.len(), 2);
    // Between impacts both are constant.
    assert!(curves[0].windows(2).all(|pair| pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1));
    assert_eq!(curves[0].windows(2).filter(|pair| pair[0].1 != pair[1].1).count(), 1);
    assert!(curves[1].windows(2).all(|pair| pair[0].1 == pair[1].1));
}

#[test]
fn models_without_a_frame_have_no_picture() {
    let case = bounce(10, 0.01);
    assert_eq!(plot::quasivelocities(&case.run(), &folder("no_speeds")).unwrap(), None);
    // Where the fields are dependent there are no numbers.
    let mut case = sleigh(7, 0.5);
    case.trajectory.w.fill(f64::NAN);
    case.trajectory.impacts[0].v_minus.clear();
    let (text, _) = curves(&case, "nan_speeds");
    assert!(!text.contains("NaN"));
}
