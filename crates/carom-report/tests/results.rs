//! Results survive the disk, and damage is told, never a panic.

use crate::common;

use carom_model::{Ending, Invariant, Trajectory};
use carom_report::{ReportError, WriteOptions, read, summary, write};
use common::{SOURCE, double_pendulum, folder};
use std::fs;
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn round_trip_is_exact() {
    let (case, folder) = (double_pendulum(500, 0.01), folder("round_trip"));
    let files = write(&case.run(), &folder.join("a/b"), WriteOptions { csv: true }).unwrap();
    assert_eq!(files.len(), 3);
    assert_eq!(names(&folder.join("a/b")), ["manifest.json", "nodes.csv", "nodes.parquet"]);
    let stored = read(&folder.join("a/b")).unwrap();
    assert_eq!(stored.trajectory, case.trajectory);
    assert_eq!(stored.source, SOURCE);
    assert_eq!(stored.manifest["settings"]["h"], 0.01);
    assert_eq!(stored.manifest["coordinates"][1]["unit"], "rad");
}

#[test]
fn csv_reads_back_to_the_same_bits() {
    let (case, folder) = (double_pendulum(50, 0.01), folder("csv"));
    write(&case.run(), &folder, WriteOptions { csv: true }).unwrap();
    let text = fs::read_to_string(folder.join("nodes.csv")).unwrap();
    let mut lines = text.lines();
    let header = "t,q.theta1,q.theta2,v.theta1,v.theta2,p.theta1,p.theta2,energy,constraint_error,mirror";
    assert_eq!(lines.next(), Some(header));
    for (k, line) in lines.enumerate() {
        let row: Vec<f64> = line.split(',').map(|word| word.parse().unwrap()).collect();
        let node = case.trajectory.node(k);
        assert_eq!(row[..7], [&[node.t], node.q, node.v, node.p].concat());
    }
}

#[test]
fn empty_and_single_node_runs_round_trip() {
    let mut case = double_pendulum(0, 0.01);
    let folder = folder("short");
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    assert_eq!(read(&folder).unwrap().trajectory, case.trajectory);

    let mut empty = Trajectory::new(case.system.coordinate_names(), vec!["rod".to_owned()], "rk4");
    empty.ending = Ending::Failed { time: 0.0, message: "the initial state is not consistent".to_owned() };
    case.trajectory = empty;
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    let stored = read(&folder).unwrap();
    assert_eq!(stored.trajectory, case.trajectory);
    assert!(stored.manifest["final"].is_null());
}

#[test]
fn failed_runs_keep_what_they_have() {
    let (mut case, folder) = (double_pendulum(20, 0.01), folder("failed"));
    case.trajectory.ending = Ending::Failed { time: 0.2, message: "Newton did not converge".to_owned() };
    // The last node is incomplete: no momentum, no energy that is a number.
    case.trajectory.p.truncate(40);
    *case.trajectory.energy.last_mut().unwrap() = f64::NAN;
    write(&case.run(), &folder, WriteOptions { csv: true }).unwrap();
    let stored = read(&folder).unwrap();
    assert_eq!(stored.trajectory.ending, case.trajectory.ending);
    assert_eq!(stored.trajectory.q, case.trajectory.q);
    assert!(stored.trajectory.p[40].is_nan() && stored.trajectory.energy[20].is_nan());
    assert!(stored.manifest["final"]["p"]["theta1"].is_null());
    assert!(stored.manifest["energy"]["final"].is_null());
}

#[test]
fn clashing_column_names_are_kept_apart() {
    let (mut case, folder) = (double_pendulum(5, 0.01), folder("clash"));
    let values = vec![3.0; 6];
    case.trajectory.invariants = vec![Invariant { name: "energy".to_owned(), values }; 2];
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    assert_eq!(read(&folder).unwrap().trajectory, case.trajectory);
}

#[test]
fn a_new_run_leaves_nothing_of_the_earlier_one() {
    let (case, folder) = (double_pendulum(5, 0.01), folder("again"));
    write(&case.run(), &folder, WriteOptions { csv: true }).unwrap();
    fs::write(folder.join("motion.svg"), "old").unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    assert_eq!(names(&folder), ["manifest.json", "nodes.parquet", "notes.txt"]);
}

#[test]
fn missing_folders_and_files_are_told_apart() {
    let (case, folder) = (double_pendulum(5, 0.01), folder("missing"));
    assert!(matches!(read(&folder), Err(ReportError::NoFolder { .. })));
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    fs::remove_file(folder.join("nodes.parquet")).unwrap();
    assert!(matches!(read(&folder), Err(ReportError::MissingFile { file, .. }) if file == "nodes.parquet"));
    fs::remove_file(folder.join("manifest.json")).unwrap();
    assert!(matches!(read(&folder), Err(ReportError::MissingFile { file, .. }) if file == "manifest.json"));
}

#[test]
fn other_manifests_and_versions_are_refused() {
    let (case, folder) = (double_pendulum(5, 0.01), folder("versions"));
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    let path = folder.join("manifest.json");
    let manifest = fs::read_to_string(&path).unwrap();
    fs::write(&path, manifest.replace("\"format_version\": 1", "\"format_version\": 2")).unwrap();
    let message = read(&folder).unwrap_err().to_string();
    assert!(message.contains("format version 2"), "{message}");
    for other in ["{}", "[1, 2]", "not json", "", "{\"format\": \"carom-result\"}"] {
        fs::write(&path, other).unwrap();
        let error = read(&folder).unwrap_err();
        assert!(matches!(error, ReportError::NotAManifest { .. } | ReportError::Version { .. }), "{other}: {error}");
    }
}

#[test]
fn a_damaged_table_is_an_error_wherever_the_damage_is() {
    let (case, folder) = (double_pendulum(40, 0.01), folder("damaged"));
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    let path = folder.join("nodes.parquet");
    let whole = fs::read(&path).unwrap();
    for length in (0..whole.len()).step_by(101) {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(matches!(read(&folder), Err(ReportError::Damaged { .. })), "cut at {length}");
    }
    for place in (0..whole.len()).step_by(67) {
        let mut flipped = whole.clone();
        flipped[place] ^= 1 << (place % 8);
        fs::write(&path, flipped).unwrap();
        assert!(matches!(read(&folder), Err(ReportError::Damaged { .. })), "flipped at {place}");
    }
}

#[test]
fn a_damaged_manifest_never_panics() {
    let (case, folder) = (double_pendulum(5, 0.01), folder("damaged_manifest"));
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    let path = folder.join("manifest.json");
    let whole = fs::read(&path).unwrap();
    // Without the last line break it is whole.
    for place in (0..whole.len() - 1).step_by(3) {
        let mut flipped = whole.clone();
        flipped[place] ^= 1 << (place % 8);
        fs::write(&path, &flipped).unwrap();
        let _ = read(&folder);
        fs::write(&path, &whole[..place]).unwrap();
        assert!(read(&folder).is_err(), "cut at {place}");
    }
}

#[test]
fn summary_has_names_and_no_bad_numbers() {
    let mut case = double_pendulum(30, 0.01);
    *case.trajectory.v.last_mut().unwrap() = f64::INFINITY;
    let object = summary(&case.run());
    let last = case.trajectory.last().unwrap();
    assert_eq!(object["model"], "double pendulum");
    assert_eq!((object["steps"].as_u64(), object["nodes"].as_u64()), (Some(30), Some(31)));
    assert_eq!(object["final"]["q"]["theta2"], last.q[1]);
    assert!(object["final"]["v"]["theta2"].is_null());
    assert_eq!(object["energy"]["max_abs_error"], case.trajectory.energy_error());
    assert_eq!(object["invariants"][0]["name"], "mirror");
    assert_eq!(object["impacts"], serde_json::json!([]));
    assert_eq!(object["ending"]["status"], "completed");
}
