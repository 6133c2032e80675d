//! Results that are written in pieces are the same as others, also if the disk is full.

use crate::common;

use carom_model::{Digest, Ending, Trajectory};
use carom_report::{Run, Stream, WriteOptions, read, summarize, summary, write};
use common::bounce::bounce;
use common::{Case, double_pendulum, folder};
use std::fs;
use std::path::Path;

/// The motion in pieces of `size` nodes; events go with the nodes after them.
fn pieces(motion: &Trajectory, size: usize) -> Vec<Trajectory> {
    let mut pieces = Vec::new();
    let mut before = f64::NEG_INFINITY;
    for start in (0..motion.len()).step_by(size) {
        let mut piece = motion.header();
        let end = (start + size).min(motion.len());
        let row = |values: &[f64]| {
            let width = values.len() / motion.len();
            values[start * width..end * width].to_vec()
        };
        (piece.t, piece.q, piece.v, piece.p) = (row(&motion.t), row(&motion.q), row(&motion.v), row(&motion.p));
        (piece.energy, piece.constraint_error) = (row(&motion.energy), row(&motion.constraint_error));
        (piece.gaps, piece.contact_forces) = (row(&motion.gaps), row(&motion.contact_forces));
        for (invariant, whole) in piece.invariants.iter_mut().zip(&motion.invariants) {
            invariant.values = row(&whole.values);
        }
        let until = if end == motion.len() { f64::INFINITY } else { motion.t[end - 1] };
        let is_now = |t: f64| before < t && t <= until;
        piece.impacts = motion.impacts.iter().filter(|impact| is_now(impact.t)).cloned().collect();
        piece.modes = motion.modes.iter().filter(|change| is_now(change.t)).cloned().collect();
        piece.findings = motion.findings.iter().filter(|finding| is_now(finding.t)).cloned().collect();
        before = until;
        pieces.push(piece);
    }
    pieces
}

/// Writes the pieces; what the summary says of them.
fn stream(case: &Case, folder: &Path, size: usize) -> serde_json::Value {
    let mut stream = Stream::new(&case.system, folder);
    let mut digest = Digest::of(&case.trajectory.header());
    for piece in pieces(&case.trajectory, size) {
        stream.append(&piece).unwrap();
        digest.add(&piece);
    }
    // Of the motion, a run that was streamed has the header only.
    let header = case.trajectory.header();
    let run = Run { trajectory: &header, ..case.run() };
    stream.finish(&run, &digest).unwrap();
    summarize(&case.system, &digest)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

#[test]
fn it_reads_back_like_any_other_result() {
    for (name, case) in [("smooth", double_pendulum(500, 0.01)), ("contacts", bounce(300, 0.01))] {
        let (plain, streamed) = (folder(&format!("plain_{name}")), folder(&format!("streamed_{name}")));
        write(&case.run(), &plain, WriteOptions::default()).unwrap();
        let expected = read(&plain).unwrap();
        assert_eq!(expected.trajectory, case.trajectory);
        for size in [1, 7, 100, 1000] {
            assert_eq!(stream(&case, &streamed, size), summary(&case.run()), "{name} in pieces of {size}");
            assert_eq!(names(&streamed), names(&plain));
            let mut stored = read(&streamed).unwrap();
            assert_eq!(stored.trajectory, expected.trajectory, "{name} in pieces of {size}");
            // The bytes of the tables differ, and nothing else does.
            stored.manifest["files"] = expected.manifest["files"].clone();
            assert_eq!(stored.manifest, expected.manifest, "{name} in pieces of {size}");
        }
    }
}

#[test]
fn pieces_without_nodes_and_runs_without_pieces_are_fine() {
    let (mut case, folder) = (bounce(300, 0.01), folder("streamed_sparse"));
    let mut stream = Stream::new(&case.system, &folder);
    // The impacts come alone, then the nodes.
    let (mut impacts, mut nodes) = (case.trajectory.header(), case.trajectory.clone());
    impacts.impacts = std::mem::take(&mut nodes.impacts);
    stream.append(&impacts).unwrap();
    stream.append(&nodes).unwrap();
    stream.finish(&case.run(), &Digest::of(&case.trajectory)).unwrap();
    assert_eq!(read(&folder).unwrap().trajectory, case.trajectory);

    let mut empty = case.trajectory.header();
    empty.ending = Ending::Failed { time: f64::NAN, message: "no first step".to_owned() };
    case.trajectory = empty.clone();
    Stream::new(&case.system, &folder).finish(&case.run(), &Digest::of(&empty)).unwrap();
    let stored = read(&folder).unwrap();
    assert_eq!((stored.trajectory.len(), stored.trajectory.impacts.len()), (0, 0));
    assert!(matches!(stored.trajectory.ending, Ending::Failed { message, .. } if message == "no first step"));
}

#[test]
fn nothing_is_touched_before_the_first_piece_and_nothing_is_left_of_what_is_given_up() {
    let (case, folder) = (bounce(100, 0.01), folder("streamed_dropped"));
    write(&case.run(), &folder, WriteOptions { csv: true }).unwrap();
    let before = names(&folder);
    let mut stream = Stream::new(&case.system, &folder);
    assert_eq!(names(&folder), before);
    stream.append(&case.trajectory).unwrap();
    // The earlier result is no result any more, and the new one not yet.
    assert!(!folder.join("manifest.json").exists());
    // Three tables, and room to complete them.
    assert_eq!(names(&folder).iter().filter(|name| name.ends_with(".partial")).count(), 4);
    drop(stream);
    assert_eq!(names(&folder), ["nodes.parquet"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let (case, folder) = (bounce(100, 0.01), folder("streamed_file"));
    fs::write(&folder, "a file where the folder should be").unwrap();
    let mut stream = Stream::new(&case.system, &folder);
    let message = stream.append(&case.trajectory).unwrap_err().to_string();
    assert!(message.starts_with("cannot write `") && message.contains("streamed_file"), "{message}");
    let message = stream.append(&case.trajectory).unwrap_err().to_string();
    assert!(message.contains("an earlier piece could not be written"), "{message}");
    fs::remove_file(&folder).unwrap();
}
