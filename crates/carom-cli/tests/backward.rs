//! `--backward`: runs are undone, told in forward time, or refused.

use crate::common;

use common::{Folder, example, paper};
use serde_json::Value;

/// A run, as its object.
fn run(folder: &Folder, args: &[&str]) -> Value {
    folder.carom(&[&["simulate"], args, &["--json", "--no-plots"]].concat()).ended(0).json()
}

/// What `--set` must say to start from a state.
fn assignments(state: &Value) -> Vec<String> {
    let vector = |part: &str, mark: &str| -> Vec<String> {
        let values = state[part].as_object().unwrap();
        values.iter().flat_map(|(name, value)| ["--set".to_owned(), format!("{name}{mark}={value}")]).collect()
    };
    [vector("q", ""), vector("v", "'")].concat()
}

/// Largest difference of two vectors.
fn distance(a: &Value, b: &Value) -> f64 {
    let differences = a.as_object().unwrap().iter().map(|(name, value)| {
        let (value, other) = (value.as_f64().unwrap(), b[name].as_f64().unwrap());
        (value - other).abs()
    });
    differences.fold(0.0, f64::max)
}

/// Runs there and back; the largest distance from the start, and both runs.
fn undo(folder: &Folder, args: &[&str]) -> (f64, Value, Value) {
    let there = run(folder, args);
    let set = assignments(&there["final"]);
    let set: Vec<&str> = set.iter().map(String::as_str).collect();
    let back = run(folder, &[args, &set, &["--backward"]].concat());
    assert_eq!(back["final"]["t"].as_f64().unwrap(), -there["final"]["t"].as_f64().unwrap());
    let start = folder.carom(&["check", args[0], "--json"]).ended(0).json()["initial"].clone();
    let far = distance(&start["q"], &back["final"]["q"]).max(distance(&start["v"], &back["final"]["v"]));
    (far, there, back)
}

#[test]
fn runs_with_impacts_are_undone() {
    let folder = Folder::new();
    let (disk, sleigh) = (paper("003/disk-oblique-both-edges"), paper("003/sleigh"));
    for method in ["midpoint", "left", "suzuki(midpoint)", "taylor"] {
        let jump: &[&str] = if method == "taylor" { &[] } else { &["--jump", "variational"] };
        for (model, until, impacts) in [(&disk, "18", 2), (&sleigh, "60", 3)] {
            let args = [&[model.as_str(), "--method", method, "--until", until], jump].concat();
            let (far, there, back) = undo(&folder, &args);
            assert!(far < 1e-11, "{model} {method}: {far:e}");
            assert_eq!((&there["impact_count"], &back["impact_count"]), (&impacts.into(), &impacts.into()));
            assert_eq!(back["method"], method);
        }
    }
}

#[test]
fn smooth_and_degenerate_runs_are_undone() {
    let folder = Folder::new();
    let pendulum = example("double-pendulum");
    for method in ["trapezoidal", "right", "gauss2", "lobatto3", "strang(left)"] {
        let (far, ..) = undo(&folder, &[&pendulum, "--method", method, "--until", "2"]);
        assert!(far < 1e-12, "{method}: {far:e}");
    }
    let (far, ..) = undo(&folder, &[&example("lotka-volterra"), "--until", "5"]);
    assert!(far < 1e-12, "{far:e}");
    // Energy steps do not end at a given time, but they go back as far as they go forward.
    let orbit = |more: &[&str]| run(&folder, &[&[&example("kepler"), "--method", "energy(midpoint)"], more].concat());
    let (there, back) = (orbit(&[]), orbit(&["--backward"]));
    assert_eq!(there["final"]["t"].as_f64().unwrap(), -back["final"]["t"].as_f64().unwrap());
}

#[test]
fn impacts_read_as_in_forward_time() {
    let folder = Folder::new();
    let args = [&paper("003/sleigh"), "--until", "60", "--method", "taylor"];
    let (_, there, back) = undo(&folder, &args);
    let forward = there["impacts"].as_array().unwrap().iter();
    let backward = back["impacts"].as_array().unwrap().iter().rev();
    for (given, found) in forward.zip(backward) {
        // One clock starts where the other ends.
        assert!((given["t"].as_f64().unwrap() - found["t"].as_f64().unwrap() - 60.0).abs() < 1e-10);
        for part in ["q", "v_minus", "v_plus", "p_minus", "p_plus"] {
            assert!(distance(&given[part], &found[part]) < 1e-11, "{part}");
        }
        assert!((given["impulse"].as_f64().unwrap() - found["impulse"].as_f64().unwrap()).abs() < 1e-11);
        assert!(found["bracket"][0].as_f64() <= found["bracket"][1].as_f64());
    }
    for (name, value) in [("v1", 0.1), ("v2", 0.05)] {
        assert!((back["final"]["w"][name].as_f64().unwrap() - value).abs() < 1e-12, "{name}");
    }
}

#[test]
fn results_have_decreasing_times_and_pictures() {
    let folder = Folder::new();
    let said = folder.carom(&["simulate", &paper("003/sleigh"), "--until", "20", "--backward", "--out", "o"]).ended(0);
    assert!(said.out.contains("method       midpoint, backward in time (order 2"), "{}", said.out);
    let stored = carom::report::read(&folder.0.join("o")).unwrap();
    assert_eq!(stored.manifest["settings"]["backward"], true);
    let times = stored.trajectory.t;
    assert_eq!((times[0], times[200]), (0.0, -20.0));
    assert!(times.windows(2).all(|pair| pair[0] > pair[1]));
    let said = folder.carom(&["plot", "o", "--out", "again"]).ended(0);
    assert_eq!(said.out.lines().count(), 7);
    for name in ["quasivelocities.svg", "gaps.svg", "motion.svg", "animation.svg"] {
        let read = |place: &str| std::fs::read_to_string(folder.0.join(place).join(name)).unwrap();
        assert!(read("o") == read("again"), "{name}");
    }
}

#[test]
fn failures_tell_the_clock() {
    let folder = Folder::new();
    folder.write("fall.toml", "lagrangian = \"0.5*x'^2 + 1/x\"\n[coordinates]\nx = 1.0\n");
    let said = folder.carom(&["simulate", "fall.toml", "--method", "taylor", "--backward", "--json"]).ended(3);
    assert!(said.err.starts_with("error: backward in time, where the clock shows -t: at t = 1.1107"), "{}", said.err);
    assert_eq!(said.json()["final"]["t"].as_f64().unwrap(), -1.11);
    assert_eq!(said.json()["ending"]["time"].as_f64().unwrap(), -1.11);
}

#[test]
fn what_cannot_be_undone_is_refused() {
    let folder = Folder::new();
    let ball = "lagrangian = \"0.5*y'^2 - y\"\n[coordinates]\ny = 1\n[contacts.floor]\ngap = \"y\"\n\
                law = \"newton\"\nrestitution = 0.5\n";
    folder.write("ball.toml", ball);
    let said = folder.carom(&["simulate", "ball.toml", "--backward"]).ended(2);
    let message = "error: --backward is not possible: contact `floor` has the law `newton`, whose impacts cannot be \
                   undone: only elastic ones can\n";
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", message));
    assert!(!folder.0.join("runs").exists());
    let said = folder.carom(&["simulate", &example("kepler"), "--backward", "--stream"]).ended(1);
    assert!(said.err.contains("'--backward' cannot be used with '--stream'"), "{}", said.err);
}
