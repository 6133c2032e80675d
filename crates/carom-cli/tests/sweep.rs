//! `carom sweep`: points, results, completion, mistakes.

use crate::common;

use common::{Folder, example, paper};

/// Files of the table, with their bytes.
fn table(folder: &Folder, out: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder.0.join(out).join("points")).unwrap();
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_grid_on_one_and_on_two_threads() {
    let folder = Folder::new();
    let ball = example("bouncing-ball");
    let sweep = |out: &str, threads: &str| {
        let over = ["--over", "y=1:2:4", "--over", "x'=-1,0,1", "--until", "1", "--measure", "top=largest y"];
        let rest = ["--part-rows", "5", "--threads", threads, "--out", out, "--json"];
        folder.carom(&[&["sweep", &ball][..], &over, &rest].concat()).ended(0).json()
    };
    let found = sweep("one", "1");
    assert_eq!((&found["points"], &found["computed"], &found["failed"]), (&12.into(), &12.into(), &0.into()));
    assert_eq!(found["parts"], 3);
    sweep("two", "2");
    assert_eq!(table(&folder, "one").len(), 3);
    assert!(table(&folder, "one") == table(&folder, "two"));
    // Nothing is missing; then a part is.
    assert_eq!(sweep("one", "1")["computed"], 0);
    std::fs::remove_file(folder.0.join("one/points/part-00001.parquet")).unwrap();
    let found = sweep("one", "2");
    assert_eq!((&found["known"], &found["computed"]), (&7.into(), &5.into()));
    assert!(table(&folder, "one") == table(&folder, "two"));
}

#[test]
fn the_summary_says_how_to_read_the_table() {
    let folder = Folder::new();
    folder.write("starts.csv", "y,x'\n1,0\n-3,0\n2,1\n");
    let ball = example("bouncing-ball");
    let said = folder.carom(&["sweep", &ball, "--points", "starts.csv", "--until", "1"]).ended(0);
    for words in [
        "points      3",
        "failed      1",
        "inside the obstacle",
        "pandas.read_parquet(\"runs/bouncing-ball-sweep/points\")",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    assert!(folder.has("runs/bouncing-ball-sweep/sweep.json"));
}

#[test]
fn random_points_and_another_sweep_in_the_folder() {
    let folder = Folder::new();
    let ellipse = paper("004/ellipse");
    let sweep = |seed: &str, more: &[&str]| {
        let over =
            ["--over", "theta=0:2*pi", "--random", "6", "--seed", seed, "--until", "0.2", "--out", "out", "--json"];
        folder.carom(&[&["sweep", &ellipse][..], &over, more].concat())
    };
    assert_eq!(sweep("1", &[]).ended(0).json()["computed"], 6);
    let first = table(&folder, "out");
    let said = sweep("2", &[]).ended(2);
    assert!(said.err.contains("has another sweep") && said.err.contains("--fresh"), "{}", said.err);
    assert_eq!(sweep("2", &["--fresh"]).ended(0).json()["computed"], 6);
    assert!(first != table(&folder, "out"));
    sweep("1", &["--fresh"]).ended(0);
    assert!(first == table(&folder, "out"));
}

#[test]
fn mistakes_are_found_before_anything_runs() {
    let folder = Folder::new();
    let ball = example("bouncing-ball");
    let cases: [(&[&str], &str); 8] = [
        (&[], "what does the sweep go over?"),
        (&["--over", "yy=1,2"], "did you mean `y`?"),
        (&["--over", "y=1:2"], "write `y=from:to:count`"),
        (&["--over", "y=1:2:x"], "is not what a sweep can go over"),
        (&["--over", "method=midpiont"], "midpoint"),
        (&["--over", "y=1,2", "--measure", "top=largest z"], "unknown name `z`"),
        (&["--over", "y=1,2", "--step", "-1"], "must be positive"),
        (&["--over", "y=1,2", "--threads", "0"], "--threads must be at least 1"),
    ];
    for (args, words) in cases {
        let said = folder.carom(&[&["sweep", &ball][..], args].concat()).ended(2);
        assert!(said.err.contains(words), "{args:?}: {}", said.err);
        assert!(!folder.0.join("runs").exists());
    }
    folder.carom(&["sweep", &ball, "--points", "none.csv"]).ended(1);
    folder.carom(&["sweep", "none.toml", "--over", "y=1,2"]).ended(1);
}

#[cfg(feature = "optimal-control")]
#[test]
fn problems_and_studies_are_swept_too() {
    let folder = Folder::new();
    let block = example("optimal/block-move");
    let found = folder.carom(&["sweep", &block, "--over", "m=1,2", "--out", "optima", "--json"]).ended(0).json();
    assert_eq!((&found["kind"], &found["failed"]), (&"optimisation".into(), &0.into()));
    let said = folder.carom(&["sweep", &block, "--over", "m=1,2", "--step", "0.1"]).ended(2);
    assert!(said.err.contains("--step belongs to simulations"), "{}", said.err);
    folder.write("pendulum.toml", "lagrangian = \"0.5*l^2*theta'^2 + 9.81*l*cos(theta)\"\nparameters = { l = 1 }\ncoordinates = { theta = 0.5 }\n");
    folder.write("study.toml", "model = \"pendulum.toml\"\nmeasure = \"-theta\"\n[variables]\nl = [0.5, 2.0]\n");
    let found = folder.carom(&["sweep", "study.toml", "--over", "l=0.5:2:4", "--json"]).ended(0).json();
    assert_eq!((&found["kind"], &found["computed"]), (&"design".into(), &4.into()));
}
