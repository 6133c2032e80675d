//! `carom simulate`: what it writes, prints and returns.

use crate::common;

use common::{Folder, example, paper};
use serde_json::Value;

fn is_number_by_name(value: &Value, names: &[&str]) -> bool {
    let object = value.as_object().unwrap();
    object.keys().map(String::as_str).eq(names.iter().copied()) && object.values().all(Value::is_number)
}

#[test]
fn json_has_the_promised_keys() {
    let folder = Folder::new();
    let said = folder.carom(&["simulate", &example("double-pendulum"), "--json", "--until", "2"]).ended(0);
    assert_eq!(said.err, "");
    let json = said.json();
    assert_eq!(json["model"], "Double pendulum");
    assert_eq!(json["method"], "midpoint");
    assert_eq!(json["steps"], 200);
    assert!(json["wall_s"].as_f64().unwrap() > 0.0);
    assert_eq!(json["final"]["t"], 2.0);
    for part in ["q", "v", "p"] {
        assert!(is_number_by_name(&json["final"][part], &["theta1", "theta2"]), "{part}");
    }
    let energy = |key: &str| json["energy"][key].as_f64().unwrap();
    let error = energy("max_abs_error");
    assert!(error < 0.1 && (energy("final") - energy("initial")).abs() <= error);
    assert_eq!(json["constraints"]["max_abs"], 0.0);
    assert_eq!(json["impacts"], Value::Array(Vec::new()));
    assert_eq!(json["warnings"], Value::Array(Vec::new()));
    assert_eq!(json["ending"]["status"], "completed");
}

#[test]
fn results_and_pictures_are_written() {
    let folder = Folder::new();
    let json = folder.carom(&["simulate", &example("kepler"), "--json", "--csv"]).ended(0).json();
    let expected = [
        "nodes.parquet",
        "nodes.csv",
        "manifest.json",
        "coordinates.svg",
        "energy.svg",
        "phase.svg",
        "motion.svg",
        "animation.svg",
    ];
    let expected = expected.map(|name| format!("runs/kepler/{name}"));
    let files: Vec<&str> = json["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    assert_eq!(files, expected);
    assert!(files.iter().all(|file| folder.has(file)));
}

#[test]
fn summary_tells_system_method_and_state() {
    let folder = Folder::new();
    let model = example("pendulum-cartesian");
    let said = folder.carom(&["simulate", &model, "--formulation", "null-space", "--out", "o", "--no-plots"]).ended(0);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines[0], "system       Pendulum in Cartesian coordinates: 2 coordinates, 1 degree of freedom");
    assert_eq!(lines[1], "method       midpoint (order 2, symplectic, symmetric, keeps momenta)");
    assert_eq!(lines[2], "steps        1000 of 0.01, 1001 nodes recorded");
    assert!(lines[3].starts_with("time         ") && lines[3].ends_with("to derive and compile"));
    assert!(lines[4].starts_with("energy       -4.905, error at most 1.5e-3"));
    assert!(lines[5].starts_with("constraints  residual at most "));
    assert_eq!(lines[7].split_whitespace().collect::<Vec<_>>(), ["at", "t", "=", "10", "value", "rate", "momentum"]);
    assert_eq!(lines[11..], ["files  o/nodes.parquet", "       o/manifest.json"]);
}

#[test]
fn every_kind_of_method_agrees() {
    let folder = Folder::new();
    let last = |method: &str| {
        let args = ["simulate", &example("kepler"), "--json", "--no-plots", "--until", "1", "--step", "0.01"];
        let json = folder.carom(&[&args[..], &["--method", method]].concat()).ended(0).json();
        assert_eq!(json["method"], method);
        json["final"]["q"]["x"].as_f64().unwrap()
    };
    let truth = last("taylor");
    for (method, tolerance) in
        [("midpoint", 1e-3), ("gauss3", 1e-9), ("suzuki(trapezoidal)", 1e-5), ("strang(left)", 1e-3)]
    {
        assert!((last(method) - truth).abs() < tolerance, "{method}");
    }
}

#[test]
fn interpreter_gives_the_same_bits() {
    let folder = Folder::new();
    let args = ["simulate", &example("double-pendulum"), "--json", "--no-plots"];
    let native = folder.carom(&args).ended(0).json();
    let interpreted = folder.carom(&[&args[..], &["--interpret"]].concat()).ended(0).json();
    assert_eq!(native["final"], interpreted["final"]);
}

#[test]
fn options_replace_settings_and_set_replaces_values() {
    let folder = Folder::new();
    let model = example("kepler");
    let args = ["simulate", &model, "--set", "e=0.2", "--step", "2*pi/100", "--until", "pi", "--every", "10", "--json"];
    let json = folder.carom(&args).ended(0).json();
    assert_eq!((&json["steps"], &json["nodes"]), (&Value::from(50), &Value::from(6)));
    // Half a period later the planet is at its aphelion, a (1 + e).
    assert!((json["final"]["q"]["x"].as_f64().unwrap() + 1.2).abs() < 1e-2);
    let manifest = std::fs::read_to_string(folder.0.join("runs/kepler/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["settings"]["set"][0], "e=0.2");
    assert_eq!(manifest["settings"]["every"], 10);
}

#[test]
fn quiet_says_nothing() {
    let folder = Folder::new();
    let said = folder.carom(&["simulate", &example("kepler"), "--quiet"]).ended(0);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
}

#[test]
fn failed_run_keeps_what_it_computed() {
    let folder = Folder::new();
    folder.write("fall.toml", "lagrangian = \"0.5*x'^2 + 1/x\"\n[coordinates]\nx = 1.0\n");
    let said = folder.carom(&["simulate", "fall.toml", "--method", "taylor", "--json"]).ended(3);
    // A mass at rest at x = 1 reaches the centre at pi/(2 sqrt 2).
    assert!(said.err.starts_with("error: at t = 1.1107"), "{}", said.err);
    let json = said.json();
    assert_eq!(json["ending"]["status"], "failed");
    assert_eq!(json["final"]["t"].as_f64().unwrap(), 1.11);
    assert!(folder.has("runs/fall/nodes.parquet") && folder.has("runs/fall/manifest.json"));
    folder.carom(&["plot", "runs/fall"]).ended(0);
}

#[test]
fn warnings_go_to_stderr_and_into_the_object() {
    let folder = Folder::new();
    folder.write("still.toml", "lagrangian = \"0.5*x'^2 + y*x\"\n[coordinates]\nx = 1.0\ny = 0.0\n");
    let said = folder.carom(&["simulate", "still.toml", "--json"]).ended(3);
    assert!(said.err.starts_with("warning[degenerate]: "), "{}", said.err);
    assert!(said.err.contains("--> still.toml:1:14"), "{}", said.err);
    assert_eq!(said.json()["warnings"][0]["code"], "degenerate");
}

#[test]
fn a_run_without_a_motion_has_no_pictures() {
    let folder = Folder::new();
    folder.write("still.toml", "lagrangian = \"0.5*x'^2 + y*x\"\n[coordinates]\nx = 1.0\ny = 0.0\n");
    let said = folder.carom(&["simulate", "still.toml"]).ended(3);
    let note = "note: no pictures are drawn: they need 2 nodes, and the run has none";
    assert!(said.err.contains(note), "{}", said.err);
    let files = "files  runs/still/nodes.parquet\n       runs/still/manifest.json\n";
    assert!(said.out.ends_with(files) && !folder.has("runs/still/energy.svg"), "{}", said.out);
    let said = folder.carom(&["plot", "runs/still"]).ended(0);
    assert_eq!((said.out.as_str(), said.err.trim_end()), ("", note));
}

#[test]
fn degenerate_systems_are_told_as_such() {
    let folder = Folder::new();
    let said = folder.carom(&["simulate", &example("lotka-volterra"), "--no-plots"]).ended(0);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines[0], "system  Lotka-Volterra: 2 coordinates, phase space of dimension 2");
    assert_eq!(lines[1], "method  midpoint (order 2, degenerate Lagrangian)");
    // The flow does not take them, so nobody is sent there.
    let said = folder.carom(&["simulate", &example("lotka-volterra"), "--no-plots", "--step", "1"]).ended(0);
    assert!(said.err.contains("warning: the energy is off by"), "{}", said.err);
    assert!(!said.err.contains("compare with --method taylor"), "{}", said.err);
}

#[test]
fn quasivelocities_are_shown_and_kept() {
    let folder = Folder::new();
    let sleigh = paper("003/sleigh");
    let said = folder.carom(&["simulate", &sleigh, "--until", "60", "--out", "o"]).ended(0);
    assert!(
        said.out.contains("\n\nquasivelocity  value\nv1             -0.1\nv2             0.05\n\nfiles"),
        "{}",
        said.out
    );
    assert!(folder.has("o/quasivelocities.svg"));
    let manifest = std::fs::read_to_string(folder.0.join("o/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["quasivelocities"][1]["unit"], "rad/s");
    let json = folder.carom(&["simulate", &sleigh, "--until", "60", "--stream", "--json"]).ended(0).json();
    assert!(is_number_by_name(&json["final"]["w"], &["v1", "v2"]));
}

#[test]
fn a_motion_through_a_singularity_is_doubted() {
    let folder = Folder::new();
    folder.write("fall.toml", "lagrangian = \"0.5*x'^2 + 1/x\"\n[coordinates]\nx = 1.0\n");
    let said = folder.carom(&["simulate", "fall.toml", "--method", "trapezoidal", "--json"]).ended(0);
    assert!(said.err.starts_with("warning: the energy is off by"), "{}", said.err);
    assert!(said.json()["doubts"][0].as_str().unwrap().contains("singularity"));
}
