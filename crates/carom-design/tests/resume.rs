//! A study that is interrupted goes on, and ends with the same numbers.

mod common;

use carom_design::{DesignError, Function, Journal, Outcome, Reason, Study, run};
use common::{branin, branin_variables};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-design-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn study(method: &str) -> Study {
    Study { max_evaluations: 18, ..Study::new("branin", branin_variables(), method) }
}

/// Runs, and stops after so many evaluations.
fn stopped(study: &Study, journal: &mut Journal, after: usize) -> Outcome {
    let count = AtomicUsize::new(0);
    let cost = Function(|x: &[f64]| {
        count.fetch_add(1, Ordering::SeqCst);
        Ok(branin(x))
    });
    run(study, &cost, journal, &|| count.load(Ordering::SeqCst) >= after, &mut |_| ()).unwrap()
}

fn bits(outcome: &Outcome) -> Vec<Vec<u64>> {
    let of = |sample: &carom_design::Sample| {
        sample.design.iter().copied().chain(sample.cost).map(f64::to_bits).collect::<Vec<u64>>()
    };
    outcome.samples.iter().map(of).collect()
}

#[test]
fn interrupted_studies_end_with_the_same_bits() {
    for method in ["kriging", "smf"] {
        let whole = stopped(&study(method), &mut Journal::in_memory(), usize::MAX);
        let folder = Folder::new(&format!("resume-{method}"));
        let identity = json!({ "name": "branin" });
        // Within the first batch, and later.
        let early = stopped(&study(method), &mut Journal::create(&folder.0, &identity).unwrap(), 2);
        let later = stopped(&study(method), &mut Journal::resume(&folder.0, &identity).unwrap(), 6);
        assert_eq!((early.reason, later.reason), (Reason::Stopped, Reason::Stopped));
        // A line that was not completed.
        let mut file = std::fs::OpenOptions::new().append(true).open(folder.0.join("evaluations.jsonl")).unwrap();
        write!(file, "{{\"number\": 99, \"phase\"").unwrap();
        let mut journal = Journal::resume(&folder.0, &identity).unwrap();
        assert!(journal.len() >= 8, "{}", journal.len());
        let last = stopped(&study(method), &mut journal, usize::MAX);
        assert_eq!(bits(&last), bits(&whole), "{method}");
        assert_eq!(last.reason, whole.reason);
        // Some evaluations of a batch may have been under way when it was stopped.
        assert!(last.samples.iter().filter(|sample| sample.is_cached).count() >= 8);
    }
}

#[test]
fn journals_of_other_studies_are_refused() {
    let folder = Folder::new("other");
    stopped(&study("kriging"), &mut Journal::create(&folder.0, &json!({ "seed": 1 })).unwrap(), usize::MAX);
    let error = Journal::resume(&folder.0, &json!({ "seed": 2 })).unwrap_err();
    assert!(matches!(&error, DesignError::Journal { line: 1, why, .. } if why.contains("`seed`")), "{error}");
    let mut journal = Journal::resume(&folder.0, &json!({ "seed": 1 })).unwrap();
    let other = Study { seed: 5, ..study("kriging") };
    let cost = Function(|x: &[f64]| Ok(branin(x)));
    let error = run(&other, &cost, &mut journal, &|| false, &mut |_| ()).unwrap_err();
    assert!(matches!(error, DesignError::OtherStudy { number: 0, .. }), "{error}");
}
