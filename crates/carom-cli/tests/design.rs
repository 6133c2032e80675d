//! `carom design`: methods, results, resuming, mistakes.
#![cfg(feature = "optimal-control")]

use crate::common;

use common::{Folder, paper};
use serde_json::Value;

/// A pendulum that is let go; the study asks for the length with which it is farthest at the end.
const SIMULATION: &str = r#"
model = "pendulum.toml"
measure = "-theta"
method = "kriging"
max_evaluations = 12

[variables]
l = [0.5, 2.0]
"#;

const PENDULUM: &str = r#"
lagrangian = "0.5*m*l^2*theta'^2 + m*g*l*cos(theta)"
[parameters]
m = 1.0
l = 1.0
g = 9.81
[coordinates]
theta = 0.5
[simulation]
method = "gauss2"
step = 0.02
until = 1.0
"#;

/// The gait of the thesis on a coarse mesh, and its knee.
fn knee(folder: &Folder) {
    for name in ["planar-biped", "knee-design"] {
        let text = std::fs::read_to_string(paper(&format!("001/{name}"))).unwrap();
        folder.write(&format!("{name}.toml"), &text);
    }
    let gait = std::fs::read_to_string(paper("001/planar-gait")).unwrap();
    folder.write("planar-gait.toml", &gait.replace("intervals = 80", "intervals = 16"));
}

fn pendulum(folder: &Folder) {
    folder.write("pendulum.toml", PENDULUM);
    folder.write("study.toml", SIMULATION);
}

#[test]
fn knee_by_gradient() {
    let folder = Folder::new();
    knee(&folder);
    let found = folder.carom(&["design", "knee-design.toml", "--no-audit", "--json"]).ended(0).json();
    assert_eq!((&found["method"], &found["converged"]), (&"gradient".into(), &true.into()));
    assert!(found["solves"].as_u64().unwrap() <= 5, "{found}");
    assert_eq!(found["best"]["design"]["beta"], 0.7);
    for name in ["evaluations.jsonl", "study.json", "samples.svg", "convergence.svg"] {
        assert!(folder.has(&format!("runs/knee-design/{name}")), "{name}");
    }
    let other = folder.carom(&[
        "design",
        "knee-design.toml",
        "--method",
        "simultaneous",
        "--no-audit",
        "--json",
        "--out",
        "other",
    ]);
    let other = other.ended(0).json();
    let costs = [&found, &other].map(|found| found["best"]["cost"].as_f64().unwrap());
    assert!((costs[0] / costs[1] - 1.0).abs() < 1e-5, "{costs:?}");
}

#[test]
fn the_best_motion_is_audited_and_written() {
    let folder = Folder::new();
    knee(&folder);
    // The mesh is much too coarse, which the audit must say.
    let said = folder.carom(&["design", "knee-design.toml", "--no-plots"]).ended(4);
    assert!(said.err.contains("audit") && said.out.contains("beta = 0.7 m, its upper bound"), "{said:?}");
    for name in ["nodes.parquet", "solution.json", "manifest.json"] {
        assert!(folder.has(&format!("runs/knee-design/best/{name}")), "{name}");
    }
}

#[test]
fn a_measure_of_a_simulation_and_going_on() {
    let folder = Folder::new();
    pendulum(&folder);
    let whole = folder.carom(&["design", "study.toml", "--json", "--out", "whole"]);
    let whole: Value = serde_json::from_str(&whole.out).unwrap();
    let cut = folder.carom(&["design", "study.toml", "--max-evaluations", "5", "--out", "cut"]).ended(3);
    assert!(cut.err.contains("all evaluations are used up; go on with --resume"), "{cut:?}");
    let rest = folder.carom(&["design", "study.toml", "--resume", "--json", "--out", "cut"]);
    let rest: Value = serde_json::from_str(&rest.out).unwrap();
    let pick = |found: &Value| -> Vec<(Value, Value)> {
        let list = found["evaluations"].as_array().unwrap().iter();
        list.map(|sample| (sample["design"].clone(), sample["cost"].clone())).collect()
    };
    assert_eq!(pick(&whole), pick(&rest));
    let cached = rest["evaluations"].as_array().unwrap().iter().filter(|sample| sample["cached"] == true).count();
    assert_eq!(cached, 5);
    // Another seed is another study.
    let said = folder.carom(&["design", "study.toml", "--resume", "--seed", "9", "--out", "cut"]).ended(2);
    assert!(said.err.contains("another study: `seed` is not the same"), "{}", said.err);
}

#[test]
fn a_command() {
    let folder = Folder::new();
    folder.write(
        "study.toml",
        "command = [\"awk\", \"BEGIN { print \\\"a cost:\\\"; print ({x} - 0.3)^2 + ({y} + 0.2)^2 + 1 }\"]\nmethod = \"smf\"\n\
         [variables]\nx = [-1, 1]\ny = [-1, 1]\n[smf]\nfinest = 0.01\n",
    );
    let found = folder.carom(&["design", "study.toml", "--json"]).ended(0).json();
    let cost = found["best"]["cost"].as_f64().unwrap();
    assert!((1.0..1.001).contains(&cost), "{found}");
    assert!(folder.has("runs/study/samples.svg"));
}

#[test]
fn evaluations_are_told() {
    let folder = Folder::new();
    pendulum(&folder);
    let said = folder.carom(&["design", "study.toml", "--verbose", "--max-evaluations", "4"]).ended(3);
    assert_eq!(said.err.lines().filter(|line| line.contains("initial")).count(), 4, "{}", said.err);
    assert!(said.out.contains("\nevaluations  4, 4 inner solves"), "{}", said.out);
    // Evaluations are dots, in the legend too.
    let picture = std::fs::read_to_string(folder.0.join("runs/study/convergence.svg")).unwrap();
    assert_eq!(picture.matches("<circle").count(), 4 + 1);
    let said = folder.carom(&["design", "study.toml", "--quiet", "--max-evaluations", "4"]).ended(3);
    assert_eq!(said.out, "");
}

/// Without --resume, evaluations of an earlier study are kept where they can be resumed.
#[test]
fn earlier_evaluations_are_never_lost() {
    let folder = Folder::new();
    pendulum(&folder);
    folder.carom(&["design", "study.toml", "--max-evaluations", "4", "--no-plots"]).ended(3);
    let before = std::fs::read_to_string(folder.0.join("runs/study/evaluations.jsonl")).unwrap();
    let said = folder.carom(&["design", "study.toml", "--max-evaluations", "3", "--no-plots"]).ended(3);
    assert!(said.err.contains("--resume --out runs/study/earlier-1"), "{}", said.err);
    assert_eq!(before, std::fs::read_to_string(folder.0.join("runs/study/earlier-1/evaluations.jsonl")).unwrap());
    let args =
        ["design", "study.toml", "--max-evaluations", "5", "--resume", "--out", "runs/study/earlier-1", "--json"];
    let said: Value = serde_json::from_str(&folder.carom(&args).ended(3).out).unwrap();
    let cached = said["evaluations"].as_array().unwrap().iter().filter(|sample| sample["cached"] == true).count();
    assert_eq!(cached, 4);
}

#[cfg(unix)]
#[test]
fn ctrl_c_tells_what_was_kept() {
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    let study = "command = [\"sh\", \"-c\", \"sleep 0.1; echo {x}\"]\nmethod = \"kriging\"\n[variables]\nx = [0, 1]\n";
    folder.write("study.toml", &format!("{study}[kriging]\ninitial = 50\n"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(["design", "study.toml", "--threads", "1", "--no-plots", "--out", "o"]).current_dir(&folder.0);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = || std::fs::read_to_string(folder.0.join("o/evaluations.jsonl")).unwrap_or_default().lines().count();
    while lines() < 4 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let kept = lines() - 1;
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert!(err.contains(&format!("{kept} evaluations are kept, go on with --resume")), "{err}");
    assert!(out.contains(&format!("evaluations  {kept},")), "{out}");
}

#[test]
fn mistakes_have_places() {
    let folder = Folder::new();
    pendulum(&folder);
    let wrong = |change: &str, to: &str, expected: &[&str]| {
        assert!(SIMULATION.contains(change));
        folder.write("wrong.toml", &SIMULATION.replace(change, to));
        let said = folder.carom(&["design", "wrong.toml"]).ended(2);
        for text in expected {
            assert!(said.err.contains(text), "{text} in {}", said.err);
        }
    };
    wrong("max_evaluations", "max_evaluation", &["wrong.toml:5:1", "did you mean `max_evaluations`?"]);
    wrong("l = [0.5, 2.0]", "L = [0.5, 2.0]", &["wrong.toml:8:1", "no parameter `L`", "did you mean `l`?"]);
    wrong("[0.5, 2.0]", "[2.0, 0.5]", &["wrong.toml:8:5", "goes from 2 to 0.5"]);
    wrong("[0.5, 2.0]", "{ range = [0.5, 2], gues = 1 }", &["wrong.toml:8:25", "did you mean `guess`?"]);
    wrong("[0.5, 2.0]", "{ range = [0.5, 2], guess = 3 }", &["outside its range from 0.5 to 2"]);
    wrong("\"kriging\"", "\"krigin\"", &["wrong.toml:4:10", "did you mean `kriging`?", "strawman, kriging, smf"]);
    wrong("-theta", "-thet", &["wrong.toml:3:13", "theta"]);
    wrong("[variables]", "command = [\"true\"]\n[variables]", &["both `model` and `command`"]);
    let said = folder.carom(&["design", "study.toml", "--method", "gradient"]).ended(2);
    assert!(
        said.err.contains("`gradient` needs derivatives of the cost, which a simulation does not have"),
        "{}",
        said.err
    );
    for set in ["l=1", "parameters.l=1"] {
        let said = folder.carom(&["design", "study.toml", "--set", set]).ended(2);
        assert!(said.err.contains("study.toml:8:1") && said.err.contains("varied by the study"), "{}", said.err);
    }
    let said = folder.carom(&["design", "study.toml", "--method", "nelder"]).ended(2);
    assert!(said.err.contains("there is no outer method `nelder`"), "{}", said.err);
    for option in ["--seed", "--max-evaluations", "--threads"] {
        let said = folder.carom(&["design", "study.toml", option, "-1"]).ended(1);
        assert!(said.err.contains("write a whole number from 0"), "{}", said.err);
    }
    folder.carom(&["design", "absent.toml"]).ended(1);
    for command in ["simulate", "optimise"] {
        let said = folder.carom(&[command, "study.toml"]).ended(2);
        assert!(said.err.contains("`study.toml` is a study; use `carom design study.toml`"), "{}", said.err);
    }
    folder.write("wrong.toml", &SIMULATION.replace("pendulum.toml", "pendulun.toml"));
    let said = folder.carom(&["design", "wrong.toml"]).ended(1);
    assert!(said.err.contains("model `pendulun.toml`") && said.err.contains("wrong.toml:2:9"), "{}", said.err);
}
