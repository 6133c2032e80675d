//! Wrong problems and options: one clear message, nothing written.
#![cfg(feature = "optimal-control")]

use crate::common;

use common::{Folder, example};

const BLOCK: &str = "\
[model]
lagrangian = \"0.5*x'^2\"
coordinates = { x = 0 }
inputs = { u = 0 }
forces = { x = \"u\" }
[phases.move]
duration = 1
start = { x = 0 }
[costs]
effort = { integral = \"u^2\" }
";

/// Runs, and compares everything that was said.
fn expect(folder: &Folder, args: &[&str], code: i32, message: &str) {
    let said = folder.carom(args).ended(code);
    assert_eq!(said.out, "", "{args:?}");
    assert_eq!(said.err.trim_end(), message.trim_end(), "{args:?}");
    assert!(!folder.0.join("runs").exists(), "{args:?} has written results");
}

#[test]
fn mistakes_are_shown_with_their_places() {
    let folder = Folder::new();
    folder.write("p.toml", &BLOCK.replace("start = { x = 0 }", "start = { z = 0 }\nbounds = { u = [2, 1] }"));
    let message = "\
error[unknown-name]: unknown name `z`
 --> p.toml:8:11
  |
8 | start = { z = 0 }
  |           ^
  = help: known names: x, u

error[conflict]: the bounds of `u`: no number lies between 2 and 1
 --> p.toml:9:16
  |
9 | bounds = { u = [2, 1] }
  |                ^^^^^^
  = help: the lower bound stands first";
    expect(&folder, &["optimise", "p.toml"], 2, message);
    let json = folder.carom(&["check", "p.toml", "--json"]).ended(2).json();
    assert_eq!((&json["valid"], &json["diagnostics"][0]["line"]), (&false.into(), &8.into()));
}

#[test]
fn mistakes_of_the_transcription_have_places_too() {
    let folder = Folder::new();
    folder.write("p.toml", &BLOCK.replace("start = { x = 0 }", "path = { \"x'\" = { max = 1 } }"));
    for command in ["optimise", "check"] {
        let said = folder.carom(&[command, "p.toml"]).ended(2);
        assert!(
            said.err.starts_with("error[not-allowed]: phase `move`: the condition along the path `x'` uses `x'`"),
            "{}",
            said.err
        );
        assert!(said.err.contains("--> p.toml:8:10"), "{}", said.err);
    }
}

#[test]
fn wrong_options_point_at_the_option() {
    let folder = Folder::new();
    folder.write("p.toml", BLOCK);
    let message = "\
error[not-positive]: `intervals` is 0, but must be an integer from 1 to 1000000
 --> --intervals:1:1
  |
1 | 0
  | ^
  = help: write a positive integer";
    expect(&folder, &["optimise", "p.toml", "--intervals", "0"], 2, message);
    for (option, value, start) in [
        ("--method", "midpont", "error[unknown-value]: there is no transcription `midpont`\n --> --method:1:1"),
        ("--solver", "simplex", "error[unknown-value]: there is no solver `simplex`\n --> --solver:1:1"),
        ("--accuracy", "-1", "error[not-positive]: `accuracy` is -1, but must be positive\n --> --accuracy:1:1"),
        ("--max-seconds", "1/0", "error[not-finite]: `max_seconds` is inf"),
        ("--backend", "gpu", "error[unknown-value]: `backend` cannot be `gpu`\n --> --backend:1:1"),
        ("--set", "k=1", "error[unknown-name]: the model has no parameter, coordinate or setting `k`\n --> --set:1:1"),
    ] {
        let said = folder.carom(&["optimise", "p.toml", option, value]).ended(2);
        assert!(said.err.starts_with(start), "{}", said.err);
    }
}

#[test]
fn models_are_not_problems_and_problems_are_not_models() {
    let folder = Folder::new();
    let said = folder.carom(&["optimise", &example("kepler")]).ended(2);
    assert!(said.err.starts_with("error[not-a-problem]: this is a model, not a problem"), "{}", said.err);
    folder.write("p.toml", BLOCK);
    let message = "error: `p.toml` is a problem, not a model; use `carom optimise p.toml`";
    expect(&folder, &["simulate", "p.toml"], 2, message);
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new();
    let said = folder.carom(&["optimise", "missing.toml"]).ended(1);
    assert!(said.err.starts_with("error[unreadable]: the file cannot be read: "), "{}", said.err);
    folder.write("p.toml", "model = \"missing.toml\"\n[phases.a]\nduration = 1\n[costs]\nquick = { time = true }\n");
    let said = folder.carom(&["optimise", "p.toml"]).ended(1);
    assert!(said.err.starts_with("error[unreadable]: model `missing.toml`: the file cannot be read"), "{}", said.err);
    folder.write("p.toml", BLOCK);
    let message = "error: there is no folder `nowhere`; give a folder that a run has written";
    expect(&folder, &["optimise", "p.toml", "--resume", "nowhere"], 1, message);
    std::fs::create_dir(folder.0.join("other")).unwrap();
    folder.write("other/manifest.json", "{}");
    folder.write("other/solution.json", "{}");
    let said = folder.carom(&["optimise", "p.toml", "--resume", "other"]).ended(1);
    assert!(said.err.contains("is not a carom manifest"), "{}", said.err);
}
