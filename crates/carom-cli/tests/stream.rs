//! `--stream`: the same results and the same summary, in pieces.

use crate::common;

use common::{Folder, example};
use serde_json::Value;

/// The object of a run without what depends on the clock and on the folder.
fn told(folder: &Folder, args: &[&str], code: i32) -> Value {
    let mut json = folder.carom(&[&["simulate"], args, &["--json"]].concat()).ended(code).json();
    for key in ["wall_s", "setup_s", "files"] {
        json[key].take();
    }
    json
}

/// Files of a folder, in order.
fn names(folder: &Folder, run: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder.0.join(run)).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs with and without `--stream`, and compares everything.
fn compare(folder: &Folder, args: &[&str], code: i32) -> Value {
    let plain = told(folder, &[args, &["--no-plots", "--out", "plain"]].concat(), code);
    let streamed = told(folder, &[args, &["--stream", "--out", "streamed"]].concat(), code);
    assert_eq!(plain, streamed, "{args:?}");
    assert_eq!(names(folder, "plain"), names(folder, "streamed"), "{args:?}");
    for run in ["plain", "streamed"] {
        folder.carom(&["plot", run, "--out", &format!("{run}-pictures")]).ended(0);
    }
    for picture in names(folder, "plain-pictures") {
        let read = |run: &str| std::fs::read_to_string(folder.0.join(run).join(&picture)).unwrap();
        assert!(read("plain-pictures") == read("streamed-pictures"), "{args:?}: {picture}");
    }
    streamed
}

#[test]
fn summaries_and_results_are_the_same() {
    let folder = Folder::new();
    // Smooth, with constraints, with impacts, with friction, along the flow, with energy steps.
    for name in ["kepler", "bouncing-ball", "ball-on-slope", "double-pendulum-wall"] {
        compare(&folder, &[&example(name)], 0);
    }
    compare(&folder, &[&example("bouncing-ball"), "--method", "taylor"], 0);
    compare(&folder, &[&example("kepler"), "--method", "energy(midpoint)"], 0);
}

#[test]
fn several_pieces_are_one_motion() {
    let folder = Folder::new();
    let json = compare(&folder, &[&example("chaotic-bouncer"), "--until", "8000"], 0);
    assert_eq!(json["nodes"], 160_001);
    assert!(json["impact_count"].as_u64().unwrap() > 2000);
}

#[test]
fn the_screen_shows_the_same() {
    let folder = Folder::new();
    let shown = |more: &[&str]| {
        let slope = example("ball-on-slope");
        let said = folder.carom(&[&["simulate", &slope, "--out", "o"], more].concat()).ended(0);
        said.out.lines().filter(|line| !line.starts_with("time ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(shown(&["--no-plots"]), shown(&["--stream"]));
}

/// A body that dives below a floor which exists in places only.
const DIVER: &str = r#"
[coordinates]
x = { initial = -0.5, velocity = 1.0 }
y = { initial = -0.5, velocity = -0.1 }
[energy]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "0"
[contacts.floor]
gap = "y"
active = "sin(4*x)"
law = "elastic"
"#;

#[test]
fn diagnostics_do_not_see_the_pieces() {
    let folder = Folder::new();
    folder.write("diver.toml", DIVER);
    // Pieces end amid the second finding and amid the third, and the depth grows.
    let json = compare(&folder, &["diver.toml", "--until", "6", "--step", "2e-5"], 0);
    let found: Vec<f64> =
        json["diagnostics"].as_array().unwrap().iter().map(|found| found["value"].as_f64().unwrap()).collect();
    assert_eq!(found.len(), 4);
    assert!((found[1] + 0.785).abs() < 0.01, "the end of the second is not seen: {found:?}");
}

#[test]
fn a_run_that_fails_keeps_its_pieces() {
    let folder = Folder::new();
    folder.write("fall.toml", "lagrangian = \"0.5*x'^2 + 1/x\"\n[coordinates]\nx = 1.0\n");
    let json = compare(&folder, &["fall.toml", "--method", "taylor", "--step", "1e-5"], 3);
    assert_eq!(json["ending"]["status"], "failed");
    assert!(json["nodes"].as_u64().unwrap() > 100_000);
}

/// Runs where files cannot grow beyond `blocks`: some pieces, and not all, fit into `file`.
#[cfg(unix)]
fn fill(folder: &Folder, blocks: &str, file: &str, args: &[&str]) -> Value {
    let command = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    let carom = ["-c", &command, "sh", env!("CARGO_BIN_EXE_carom"), "simulate", "--stream", "--json", "--out", "o"];
    let output = std::process::Command::new("sh").args(carom).args(args).current_dir(&folder.0).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(error.contains(&format!("its results could not be passed on: cannot write `o/{file}`: ")), "{error}");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["ending"]["status"], &json["ending"]["time"]), (&"failed".into(), &json["final"]["t"]));
    assert!(names(folder, "o").iter().all(|name| !name.ends_with(".partial")));
    // What is left is a result, and no table is ahead of the others.
    let stored = carom::report::read(&folder.0.join("o")).unwrap().trajectory;
    assert_eq!((&json["nodes"], &json["impact_count"]), (&stored.len().into(), &stored.impacts.len().into()));
    // Texts of numbers are read to the last bit but one.
    assert!((json["final"]["t"].as_f64().unwrap() - stored.t.last().unwrap()).abs() < 1e-9);
    folder.carom(&["plot", "o"]).ended(0);
    json
}

#[cfg(unix)]
#[test]
fn a_full_disk_keeps_what_was_written() {
    let folder = Folder::new();
    let json = fill(&folder, "16384", "nodes.parquet", &[&example("kepler"), "--step", "1e-5"]);
    // The first node, and then whole pieces.
    let nodes = json["nodes"].as_u64().unwrap();
    assert!(nodes > 65_536 && nodes % 65_536 == 1, "{nodes}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_takes_back_the_nodes_of_impacts_that_do_not_fit() {
    let folder = Folder::new();
    let args = [&example("chaotic-bouncer"), "--until", "300000", "--every", "1000"];
    let json = fill(&folder, "9000", "events.parquet", &args);
    let impacts = json["impact_count"].as_u64().unwrap();
    assert!(impacts > 8000 && impacts < 99_000, "{impacts}");
}

#[test]
fn what_cannot_be_is_told() {
    let folder = Folder::new();
    let kepler = example("kepler");
    let said = folder.carom(&["simulate", &kepler, "--stream", "--csv"]).ended(1);
    assert!(said.err.contains("'--stream' cannot be used with '--csv'"), "{}", said.err);
    // Memory is no limit any more, but time is.
    let said = folder.carom(&["simulate", &kepler, "--stream", "--step", "1e-300"]).ended(2);
    assert!(said.err.contains("more than the limit of 1e11"), "{}", said.err);
    // A run that does not begin leaves nothing.
    assert!(!folder.0.join("runs").exists());
    folder.write("file", "");
    let said = folder.carom(&["simulate", &kepler, "--stream", "--out", "file/o"]).ended(1);
    assert!(said.err.starts_with("error: cannot write `file/o"), "{}", said.err);
}
