//! `carom reproduce`: cases, verdicts, results that are kept, mistakes.

use crate::common;

use common::{Folder, Said};
use std::path::{Path, PathBuf};

/// A file or folder of the repository.
fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Runs the command on the documents of the repository.
fn reproduce(folder: &Folder, words: &[&str]) -> Said {
    let papers = repository("papers").display().to_string();
    folder.carom(&["reproduce", "--papers", &papers].into_iter().chain(words.iter().copied()).collect::<Vec<_>>())
}

/// A document of its own, with one case about the star.
fn document(folder: &Folder, expected: &str) {
    std::fs::create_dir_all(folder.0.join("papers/004")).unwrap();
    let model = std::fs::read_to_string(repository("papers/004/star.toml")).unwrap();
    folder.write("papers/004/star.toml", &model);
    folder.write("papers/004/expected.toml", expected);
}

const CASE: &str = r#"
title = "A document"
[cases.star]
title = "a square"
source = "Section 4.2"
runs.flow = "simulate star.toml --method taylor"
checks = [
    { name = "impacts", measure = "impacts", until = 5, reference = 7, from = "reference solution", tolerance = 0, verdict = "not stated in the paper" },
    { name = "again", measure = "impacts", printed = 6, reference = 7, from = "reference solution", tolerance = 0, verdict = "paper in error", shown_by = "a test" },
]
"#;

#[test]
fn cases_are_listed() {
    let folder = Folder::new();
    let said = reproduce(&folder, &["--list"]).ended(0);
    let wanted = [
        "php-figure-1",
        "php-bar",
        "php-constrained-bar",
        "php-pendulum",
        "wedge",
        "elastic",
        "elastic-constrained",
        "lossful",
        "lossful-constrained",
        "plastic",
        "plastic-constrained",
        "transition",
        "gait-planar",
        "gait-3d",
        "knee-design",
        "forced-particle",
        "sleigh",
        "disk",
        "particle",
        "star",
        "ellipse",
        "pendulum",
    ];
    for name in wanted {
        assert!(said.out.lines().any(|line| line.split_whitespace().next() == Some(name)), "{name}: {}", said.out);
    }
}

#[test]
fn every_quick_case_comes_out_as_expected() {
    let folder = Folder::new();
    let said = reproduce(&folder, &["--all", "--quick", "--json", "--no-plots", "-q"]).ended(0);
    let cases = said.json();
    let verdicts = |name: &str| {
        let case = cases.as_array().unwrap().iter().find(|case| case["case"] == name).unwrap();
        case["checks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|check| check["verdict"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    // What is left out is marked, and said.
    let said = reproduce(&folder, &["gait-3d", "--quick"]).ended(0);
    assert!(said.err.contains("left out by --quick: carom optimise spatial-gait.toml"), "{}", said.err);
    assert!(verdicts("gait-3d").iter().all(|verdict| verdict == "not run"));
    for case in cases.as_array().unwrap().iter().filter(|case| case["case"] != "gait-3d") {
        let name = case["case"].as_str().unwrap();
        let allowed = ["agrees", "paper in error", "not stated in the paper"];
        let may_be_left = name == "gait-planar";
        let is_fine = |verdict: &String| allowed.contains(&verdict.as_str()) || may_be_left && verdict == "not run";
        assert!(verdicts(name).iter().all(is_fine), "{case}");
    }
}

#[test]
fn a_case_has_its_figures_and_is_kept() {
    let folder = Folder::new();
    let found = reproduce(&folder, &["disk", "--json"]).ended(0).json();
    let keys: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["case", "source", "checks", "figures", "wall_s"]);
    let check: Vec<&String> = found["checks"][0].as_object().unwrap().keys().collect();
    assert_eq!(check, ["name", "printed", "reference", "ours", "tolerance", "verdict"]);
    assert!(found["checks"].as_array().unwrap().iter().any(|check| check["verdict"] == "paper in error"));
    assert!(folder.has("runs/reproduce/disk/fig-2.svg"), "{found}");
    if cfg!(feature = "png") {
        let picture = std::fs::read(folder.0.join("runs/reproduce/disk/fig-2.png")).unwrap();
        assert!(picture.starts_with(b"\x89PNG") && picture.len() > 10_000, "{}", picture.len());
    }
    for file in found["figures"].as_array().unwrap() {
        assert!(folder.has(file.as_str().unwrap()), "{file}");
    }
    // The second call runs nothing.
    let again = reproduce(&folder, &["disk"]).ended(0);
    assert!(again.out.contains("kept from an earlier call") && !again.err.contains("carom simulate"), "{again:?}");
    let fresh = reproduce(&folder, &["disk", "--fresh"]).ended(0);
    assert!(fresh.err.contains("carom simulate disk.toml"), "{fresh:?}");
    // Several cases are an array.
    let both = reproduce(&folder, &["disk", "star", "--json", "-q"]).ended(0).json();
    assert_eq!(both.as_array().map(Vec::len), Some(2));
    // The same one twice is one.
    let twice = reproduce(&folder, &["disk", "disk"]).ended(0);
    assert!(twice.out.contains("\n1 case, ") && twice.err.contains("[1/1]"), "{twice:?}");
    assert!(twice.out.contains("error") && twice.out.contains("tolerance"), "{twice:?}");
    assert!(reproduce(&folder, &["disk", "disk", "--json", "-q"]).ended(0).json().is_object());
}

#[test]
fn expectations_that_do_not_come_true_are_said() {
    let folder = Folder::new();
    document(&folder, CASE);
    let said = folder.carom(&["reproduce", "--all", "--json", "--no-plots", "-q"]).ended(0);
    assert_eq!(said.json()[0]["checks"][1]["verdict"], "paper in error");
    // Another reference, a print that is right after all: neither is what is expected.
    for (from, to) in [("reference = 7, from", "reference = 8, from"), ("printed = 6", "printed = 7")] {
        document(&folder, &CASE.replace(from, to));
        let said = folder.carom(&["reproduce", "star", "--no-plots"]).ended(4);
        assert!(said.out.contains("disagrees") && said.err.contains("disagree: star"), "{said:?}");
    }
}

#[test]
fn mistakes_list_what_there_is() {
    let folder = Folder::new();
    let said = reproduce(&folder, &["wedges"]).ended(2);
    assert!(said.err.contains("there is no case `wedges`") && said.err.contains("php-bar"), "{}", said.err);
    assert!(said.err.contains("did you mean `wedge`?"), "{}", said.err);
    let said = reproduce(&folder, &[]).ended(1);
    assert!(said.err.contains("--all") && said.err.contains("--list"), "{}", said.err);
    let mistakes = [
        ("tolerance = 0", "tolerances = 0", "allowed keys: name, run, measure"),
        ("measure = \"impacts\"", "measure = \"bounces\"", "measures: impacts, time"),
        ("not stated in the paper", "unknown", "verdicts: agrees, paper in error"),
        (", shown_by = \"a test\"", "", "an error needs the test that shows it"),
        ("runs.flow = \"simulate", "runs.flow = \"import", "commands: simulate, optimise"),
    ];
    for (from, to, expected) in mistakes {
        document(&folder, &CASE.replace(from, to));
        let said = folder.carom(&["reproduce", "--all"]).ended(2);
        assert!(said.err.contains(expected) && said.err.contains("expected.toml:"), "{expected}: {}", said.err);
    }
    document(&folder, &CASE.replace("star.toml --method", "sun.toml --method"));
    let said = folder.carom(&["reproduce", "star"]).ended(3);
    assert!(said.err.contains("ended with exit code 1"), "{}", said.err);
    let said = Folder::new().carom(&["reproduce", "--list"]).ended(1);
    assert!(said.err.contains("--papers"), "{}", said.err);
}

/// Every error of a document names a test that exists.
#[test]
fn errors_are_shown_by_tests_that_exist() {
    let mut count = 0;
    for paper in ["000", "001", "002", "003", "004"] {
        let text = std::fs::read_to_string(repository(&format!("papers/{paper}/expected.toml"))).unwrap();
        for piece in text.split("shown_by = \"").skip(1) {
            let named = piece.split('"').next().unwrap();
            let (file, test) = named.split_once(": ").unwrap();
            let code = std::fs::read_to_string(repository(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(code.contains(&format!("fn {test}()")), "{named}");
            count += 1;
        }
    }
    assert!(count >= 15, "{count}");
}
