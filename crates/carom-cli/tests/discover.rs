//! `carom optimise` with `[discover]` or `--discover`: impacts that nobody told.
#![cfg(feature = "optimal-control")]

use crate::common;

use common::{Folder, example};
use serde_json::Value;

fn bounces() -> String {
    example("optimal/unknown-bounces")
}

/// The example without its section, and with other lines.
fn changed(changes: &[(&str, &str)]) -> String {
    let text = std::fs::read_to_string(bounces()).unwrap();
    let section = "[discover]\ncontacts = [\"floor\"]\ntouches = 3\n";
    assert!(text.contains(section));
    let text = text.replace(section, "");
    changes.iter().fold(text, |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

/// The lines from the one that begins with `first` to the next empty one.
fn part<'a>(out: &'a str, first: &str) -> Vec<&'a str> {
    out.lines().skip_while(|line| !line.starts_with(first)).take_while(|line| !line.is_empty()).collect()
}

#[test]
fn motions_that_were_found_are_a_table() {
    let folder = Folder::new();
    let said = folder.carom(&["optimise", &bounces(), "--out", "o"]).ended(0);
    assert_eq!(said.err, "");
    let expected = [
        "motion  impacts  cost         status     audit   at                       sequence",
        "taken   2        1.592963389  converged  passed  0.444467, 1.25553        free, floor hit, free, floor hit, free",
        "-       3        50.43249446  converged  passed  0.447266, 0.85, 1.25273  free, floor hit, free, floor hit, free, floor hit, free",
        "-       1        63.54606298  converged  passed  1.0493                   free, floor hit, free",
        "-       0        164.2119949  converged  passed  -                        free",
    ];
    // The problem is symmetric in time: of two mirror images with one impact, rounding chooses.
    let found = said.out.replace("0.650703", "1.0493  ");
    assert_eq!(part(&found, "motion "), expected, "{}", said.out);
    assert!(said.out.contains("\nobjective  1.592963389\n") && said.out.contains("\naudit      passed; replayed: "));
    let expected = [
        "impact             time      energy change  impulses",
        "impact 0 of floor  0.444467  0              impulse of floor 8.72045",
        "impact 1 of floor  1.25553   0              impulse of floor 8.72045",
    ];
    assert_eq!(part(&said.out, "impact "), expected, "{}", said.out);
    // The pictures come again, although the sequence is not in the problem file.
    let said = folder.carom(&["plot", "o", "--out", "p"]).ended(0);
    let names = ["coordinates", "phase", "gaps", "motion", "animation", "controls", "energy"];
    assert_eq!(said.out, names.map(|name| format!("p/{name}.svg\n")).concat());
    for name in names {
        let [drawn, again] = ["o", "p"].map(|at| std::fs::read(folder.0.join(format!("{at}/{name}.svg"))).unwrap());
        assert!(drawn == again, "{name}");
    }
}

#[test]
fn other_motions_stand_in_the_manifest() {
    let folder = Folder::new();
    let json = folder.carom(&["optimise", &bounces(), "--out", "o", "--json", "--no-plots"]).ended(0).json();
    let found = json["discovery"].as_array().unwrap();
    assert_eq!(found.len(), 4);
    assert_eq!((&found[0]["taken"], &found[1]["taken"]), (&true.into(), &false.into()));
    assert_eq!((&found[0]["impacts"][1]["contact"], &found[0]["audit"]["passed"]), (&"floor".into(), &true.into()));
    assert_eq!(found[3]["sequence"], "free");
    // Without impacts, gravity has to be held for the whole time: g^2 T + 12 d^2 / T^3.
    let hover = 9.81_f64.powi(2) * 1.7 + 12.0 * 0.25 / 1.7_f64.powi(3);
    assert!((found[3]["cost"].as_f64().unwrap() - hover).abs() < 1e-6);
    let text = std::fs::read_to_string(folder.0.join("o/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(manifest["result"]["discovery"], json["discovery"]);
    assert_eq!(manifest["sequence"]["transitions"][1]["guards"][0], "floor");
    assert_eq!(manifest["settings"]["discover"], true);
}

#[test]
fn progress_is_told() {
    let folder = Folder::new();
    let said = folder.carom(&["optimise", &bounces(), "--verbose", "--no-plots"]).ended(0);
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let lines: Vec<Vec<String>> = said.err.lines().map(words).collect();
    let names = ["start", "relaxation", "impacts", "iterations", "objective", "status"];
    assert_eq!(lines.iter().filter(|line| **line == names).count(), 4);
    assert!(said.err.contains("\n        0         1e0        0  "), "{}", said.err);
    assert!(said.err.contains("        2  free, floor hit, free, floor hit, free: 1.592963389e0, converged\n"));
    // The search ends with the values of the motion that is written.
    assert!(lines.iter().any(|line| line.first().is_some_and(|word| word == "end")));
}

#[test]
fn the_option_needs_no_section() {
    let folder = Folder::new();
    folder.write("p.toml", &changed(&[("duration = 1.7", "duration = 0.2")]));
    let plain = folder.carom(&["optimise", "p.toml", "--json", "--no-plots"]).ended(0).json();
    assert_eq!(plain.get("discovery"), None);
    let json = folder.carom(&["optimise", "p.toml", "--discover", "--json", "--no-plots"]).ended(0).json();
    assert!(json["objective"].as_f64().unwrap() <= plain["objective"].as_f64().unwrap() + 1e-6);
    assert!(!json["discovery"].as_array().unwrap().is_empty());
    // Finer meshes keep the sequence.
    folder.write("p.toml", &changed(&[]));
    let args = ["optimise", "p.toml", "--discover", "--accuracy", "1e-5", "--json", "--no-plots"];
    let json = folder.carom(&args).ended(0).json();
    assert_eq!((&json["meshes"]["accurate"], json["transitions"].as_array().unwrap().len()), (&true.into(), 2));
}

#[test]
fn what_cannot_be_searched_is_told() {
    let folder = Folder::new();
    let refused = |name: &str, text: &str, expected: &str| {
        folder.write(name, text);
        for args in [&["optimise", name][..], &["check", name]] {
            let said = folder.carom(args).ended(2);
            assert!(said.err.starts_with(expected), "{}", said.err);
        }
        assert!(!folder.0.join("runs").exists());
    };
    let search = "[discover]\n\n[costs]";
    let two = changed(&[("[costs]", &format!("[phases.rest]\nduration = 1\n\n{search}"))]);
    let line = two.lines().position(|line| line == "[discover]").unwrap() + 1;
    let expected = format!(
        "error[not-supported]: impacts cannot be searched: the problem has several phases or transitions; give one phase, \
         the search finds the others\n  --> two.toml:{line}:2"
    );
    refused("two.toml", &two, &expected);
    let closed = changed(&[("intervals = 24\n", "intervals = 24\nclosed = [\"floor\"]\n"), ("[costs]", search)]);
    refused("closed.toml", &closed, "error[not-supported]: impacts cannot be searched: the phase has constraints");
    let floor = "[model.contacts.floor]\ngap = \"y - r\"\nlaw = \"elastic\"\n";
    let none = changed(&[(floor, ""), ("[costs]", search)]);
    refused("none.toml", &none, "error[not-supported]: impacts cannot be searched: the system has no contacts");
    let rough = "law = \"moreau\"\nrestitution = 0.5\nfriction = 0.3\ntangent = \"x\"";
    let rough = changed(&[("law = \"elastic\"", rough), ("[costs]", search)]);
    refused("rough.toml", &rough, "error[not-supported]: ");
    let wrong = changed(&[("[costs]", "[discover]\ncontacts = [\"flor\"]\n\n[costs]")]);
    refused("wrong.toml", &wrong, "error[unknown-name]: the model has no contact `flor`");
    // Without the section it stands at the phase.
    folder.write("option.toml", &none.replace("[discover]\n", ""));
    let said = folder.carom(&["optimise", "option.toml", "--discover"]).ended(2);
    assert!(said.err.contains("[phases.transfer]"), "{}", said.err);
}

#[test]
fn searches_are_not_resumed_and_may_be_ended() {
    let folder = Folder::new();
    let said = folder.carom(&["optimise", &bounces(), "--resume", "o"]).ended(2);
    assert!(said.err.starts_with("error: a search of impacts cannot be resumed"), "{}", said.err);
    folder.carom(&["optimise", &bounces(), "--resume", "o", "--discover"]).ended(1);
    let said = folder.carom(&["optimise", &bounces(), "--max-seconds", "1e-9"]).ended(3);
    assert_eq!(said.err, "error: the search did not converge: time limit reached; raise --max-seconds\n");
    assert!(said.out.contains("(not an optimum: time limit reached)"), "{}", said.out);
}

#[test]
fn checks_tell_what_is_searched() {
    let folder = Folder::new();
    let said = folder.carom(&["check", &bounces()]).ended(0);
    let line = "\ndiscovery  impacts of floor, from starts with 0 to 3 touches; 174 unknowns, 192 rows\n";
    assert!(said.out.contains(line), "{}", said.out);
    let json = folder.carom(&["check", &bounces(), "--json"]).ended(0).json();
    assert_eq!(json["discovery"]["variables"], 174);
}
