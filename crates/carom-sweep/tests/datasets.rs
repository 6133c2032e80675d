//! A dataset is the same bit for bit, however it came to be.

mod common;

use carom_sweep::{Dataset, Sweep, SweepError, run};
use common::*;
use std::sync::atomic::{AtomicUsize, Ordering};

const OVER: [&str; 2] = ["e=0.5:0.9:4", "y=0.5:1.5:9"];

#[test]
fn threads_do_not_matter() {
    let worker = sweep(BALL, &OVER).prepare().unwrap();
    let (one, two) = (Folder::new("one"), Folder::new("two"));
    complete(&worker, &one.0, 1);
    complete(&worker, &two.0, 2);
    assert_eq!(contents(&one.0).len(), 1 + 8);
    assert!(contents(&one.0) == contents(&two.0));
}

#[test]
fn an_interrupted_sweep_is_completed_to_the_same_bytes() {
    let worker = sweep(BALL, &OVER).prepare().unwrap();
    let (whole, cut) = (Folder::new("whole"), Folder::new("cut"));
    complete(&worker, &whole.0, 2);
    let dataset = Dataset::open(&cut.0, worker.sweep()).unwrap();
    // Asked before every part and at every point: stops in the middle of a part.
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::SeqCst) > 30;
    let ran = run(&worker, &dataset, Some(1), &stop, &|_| {}).unwrap();
    assert!(ran.computed > 0 && ran.missing > 0, "{ran:?}");
    assert_eq!(dataset.missing().len(), ran.missing.div_ceil(5));
    let again = complete(&worker, &cut.0, 2);
    assert!(again.missing().is_empty());
    assert!(contents(&whole.0) == contents(&cut.0));
}

#[test]
fn any_process_computes_a_part_from_the_json() {
    let sweep = sweep(BALL, &OVER);
    let elsewhere = Sweep::from_json(&sweep.to_json()).unwrap();
    assert_eq!(elsewhere, sweep);
    let (here, there) = (sweep.prepare().unwrap(), elsewhere.prepare().unwrap());
    for part in [3, 0, 7] {
        assert!(here.part(part, &|| false).unwrap() == there.part(part, &|| false).unwrap());
    }
    assert!(matches!(here.part(8, &|| false), Err(SweepError::NoPart { part: 8, parts: 8 })));
    assert!(matches!(here.part(0, &|| true), Err(SweepError::Stopped)));
}

#[test]
fn damage_is_healed_and_leftovers_are_cleaned() {
    let worker = sweep(BALL, &OVER).prepare().unwrap();
    let folder = Folder::new("damaged");
    let dataset = complete(&worker, &folder.0, 1);
    let before = contents(&folder.0);
    // A part that is cut, one that is another one, one that is gone, and what a killed process leaves.
    let bytes = std::fs::read(dataset.path(1)).unwrap();
    std::fs::write(dataset.path(1), &bytes[..bytes.len() / 2]).unwrap();
    std::fs::copy(dataset.path(3), dataset.path(2)).unwrap();
    std::fs::remove_file(dataset.path(7)).unwrap();
    std::fs::write(folder.0.join(".part-00004.parquet.1.partial"), "half").unwrap();
    assert_eq!(dataset.missing(), [1, 2, 7]);
    complete(&worker, &folder.0, 2);
    assert!(contents(&folder.0) == before);
}

#[test]
fn another_sweep_is_refused() {
    let folder = Folder::new("other");
    let first = sweep(BALL, &OVER);
    complete(&first.prepare().unwrap(), &folder.0, 1);
    let other = Sweep { set: vec![("g".to_owned(), "1".to_owned())], ..first.clone() };
    let error = Dataset::open(&folder.0, &other).unwrap_err().to_string();
    assert!(error.contains("`set` ({}, now {\"g\":\"1\"})") && error.contains("--fresh"), "{error}");
    let edited = Sweep { text: first.text.replace("9.81", "9.8"), ..first.clone() };
    let error = Dataset::open(&folder.0, &edited).unwrap_err().to_string();
    assert!(error.contains("the text of the file"), "{error}");
    assert_eq!(Dataset::fresh(&folder.0, &other).unwrap().missing().len(), 8);
}
