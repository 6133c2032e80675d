//! `carom optimise` with `[plan]`: impacts that nobody has counted.
#![cfg(feature = "optimal-control")]

use crate::common;

use common::{Folder, example, paper};
use serde_json::Value;

const MODEL: &str = r#"
name = "Ball"
[model]
parameters = { m = 1, g = 9.81 }
coordinates = { x = 0, y = 1 }
inputs = { u = 0, f = 0 }
[model.energy]
kinetic = "0.5*m*(x'^2 + y'^2)"
potential = "m*g*y"
[model.forces]
x = "u"
y = "f"
[model.contacts.floor]
gap = "y"
law = "elastic"
[phases.move]
duration = 1.2
start = { x = 0, y = 1, "x'" = 0, "y'" = 0 }
end = { x = 0.5, y = 1, "x'" = 0, "y'" = 0 }
[costs]
effort = { integral = "u^2 + f^2" }
"#;

/// A small plan.
fn ball(lines: &str) -> String {
    format!("{MODEL}\n[plan]\nstages = 8\niterations = 15\nfree_iterations = 5\n{lines}\n")
}

const SEARCH: &str = "impacts = 2\nbeam = 2\ntimes = 6";

/// The ball bounces once, at half the time: `12 d^2 / T^3` along the floor, and what slows the fall and the rise.
fn one_bounce() -> f64 {
    // Until the impact at T/2 the force falls from `a` to zero: y(T/2) = 1 - g T^2/8 + a T^2/12 = 0.
    let (t, g): (f64, f64) = (1.2, 9.81);
    let a = (g * t * t / 8.0 - 1.0) * 12.0 / (t * t);
    12.0 * 0.25 / t.powi(3) + a * a * t / 3.0
}

fn plan_of(folder: &Folder, name: &str) -> Value {
    let text = std::fs::read_to_string(folder.0.join(name).join("plan.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn part<'a>(out: &'a str, first: &str) -> Vec<&'a str> {
    out.lines().skip_while(|line| !line.starts_with(first)).take_while(|line| !line.is_empty()).collect()
}

#[test]
fn the_best_motion_is_written_and_the_others_are_listed() {
    let folder = Folder::new();
    folder.write("ball.toml", &ball(SEARCH));
    let said = folder.carom(&["optimise", "ball.toml", "--out", "o"]).ended(0);
    assert_eq!(said.err, "");
    let table = part(&said.out, "impacts ");
    let words: Vec<Vec<&str>> = table.iter().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[0].join(" "), "impacts cost impact times worst corner residual", "{}", said.out);
    assert_eq!((words[1][0], words[2][0], words[3][0]), ("0", "1", "2"));
    assert_eq!((words[2][2], words[2][4]), ("0.6", "taken"));
    assert!((words[2][1].parse::<f64>().unwrap() - one_bounce()).abs() < 1e-7, "{}", said.out);
    assert!(said.out.starts_with("plan  descent over 18 parameters: 15 iterations, "), "{}", said.out);
    assert!(said.out.contains("search of up to 2 impacts: ") && said.out.contains("; finished\n"));
    assert!(said.out.contains("\naudit      passed; replayed: "), "{}", said.out);
    assert!(said.out.contains("\nmethod     gauss3 (order 6), 16 intervals; solver interior\n"), "{}", said.out);
    // Beside the motion stands the plan.
    let plan = plan_of(&folder, "o");
    assert_eq!((plan["status"].as_str(), plan["stopped"].as_bool()), (Some("limit"), Some(false)));
    let descent = plan["descent"].as_array().unwrap();
    let costs: Vec<f64> = descent.iter().map(|iteration| iteration["cost"].as_f64().unwrap()).collect();
    assert!(costs.len() == 16 && costs.windows(2).all(|pair| pair[1] <= pair[0]), "{costs:?}");
    assert!(["integral", "miss", "crossings"].iter().all(|key| !descent[3][key].is_null()));
    assert_eq!(plan["parameters"].as_array().unwrap().len(), 18);
    let motion = &plan["motions"][1];
    assert!((motion["impacts"][0]["q"]["x"].as_f64().unwrap() - 0.25).abs() < 1e-9);
    assert!(["velocity", "energy", "place", "printed"].iter().all(|key| motion["corners"][0][key].is_f64()));
    assert!(motion["depth"].as_f64().unwrap() < 1e-9 && motion["flights"].as_f64().unwrap() < 1e-6);
    // The pictures come again.
    let said = folder.carom(&["plot", "o", "--out", "p"]).ended(0);
    for name in ["coordinates", "controls", "convergence", "inputs", "paths", "snapshots"] {
        assert!(said.out.contains(&format!("p/{name}.svg\n")), "{}", said.out);
        let [drawn, again] = ["o", "p"].map(|at| std::fs::read(folder.0.join(format!("{at}/{name}.svg"))).unwrap());
        assert!(drawn == again, "{name}");
    }
    // Another result leaves nothing of it.
    folder.carom(&["optimise", &example("optimal/block-move"), "--out", "o"]).ended(0);
    assert!(!folder.has("o/plan.json") && !folder.has("o/paths.svg"));
}

#[test]
fn json_has_all_of_it() {
    let folder = Folder::new();
    folder.write("ball.toml", &ball(SEARCH));
    let json = folder.carom(&["optimise", "ball.toml", "--json", "--no-plots", "--method", "gauss2"]).ended(0).json();
    assert!((json["objective"].as_f64().unwrap() - one_bounce()).abs() < 1e-6);
    assert_eq!((&json["method"], &json["audit"]["passed"]), (&"gauss2".into(), &true.into()));
    let plan = &json["plan"];
    assert_eq!((plan["taken"].as_u64(), plan["finished"].as_bool()), (Some(1), Some(true)));
    assert_eq!(plan["descent"].as_array().unwrap().len(), 16);
    assert_eq!(plan["motions"].as_array().unwrap().len(), 3);
    assert!(plan["programs"].as_u64().unwrap() > 10);
    let text = std::fs::read_to_string(folder.0.join("runs/ball/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(manifest["settings"]["plan"], true);
    assert_eq!(manifest["sequence"]["transitions"][0]["guards"][0], "floor");
    assert_eq!(manifest["result"]["plan"]["motions"], plan["motions"]);
    let files: Vec<&str> = manifest["files"].as_array().unwrap().iter().filter_map(|f| f["name"].as_str()).collect();
    assert!(files.contains(&"plan.json"), "{files:?}");
}

#[test]
fn without_a_search_the_spline_is_the_result() {
    let folder = Folder::new();
    folder.write("ball.toml", &ball("search = false\npenalties = []"));
    let said = folder.carom(&["optimise", "ball.toml", "--out", "o"]).ended(3);
    let limit =
        "error: the descent reached its limit of iterations; raise `iterations` of [plan], or go on with --resume\n";
    assert_eq!(said.err, limit);
    assert!(said.out.contains("\nend      MISSED by "), "{}", said.out);
    folder.write("more.toml", &ball("search = false\npenalties = []").replace("iterations = 15", "iterations = 2000"));
    let json = folder.carom(&["optimise", "more.toml", "--out", "m", "--json"]).ended(0).json();
    assert_eq!((&json["optimum"], &json["converged"]), (&false.into(), &true.into()));
    let missed = json["final_error"].as_f64().unwrap();
    assert!(missed > 0.0 && missed < 0.05, "{missed}");
    assert!(json["label"].as_str().unwrap().contains("misses its end by"));
    assert!(!folder.has("m/solution.json") && folder.has("m/plan.json") && folder.has("m/manifest.json"));
    let said = folder.carom(&["plot", "m", "--out", "p"]).ended(0);
    assert_eq!(said.out, "p/convergence.svg\np/inputs.svg\np/paths.svg\np/snapshots.svg\n");
    for name in ["convergence", "inputs", "paths", "snapshots"] {
        let [drawn, again] = ["m", "p"].map(|at| std::fs::read(folder.0.join(format!("{at}/{name}.svg"))).unwrap());
        assert!(drawn == again, "{name}");
    }
    // It goes on where the limit was: the history is longer.
    let json = folder.carom(&["optimise", "more.toml", "--resume", "o", "--out", "o", "--json"]).ended(0).json();
    let descent = json["plan"]["descent"].as_array().unwrap();
    assert!(descent.len() > 16);
    assert!(descent.iter().enumerate().all(|(k, iteration)| iteration["iteration"] == k));
}

#[test]
fn plans_that_were_cut_short_go_on() {
    let folder = Folder::new();
    folder.write("ball.toml", &ball(SEARCH));
    folder.write("short.toml", &ball(&format!("{SEARCH}\nseconds = 1e-9")));
    let whole = folder.carom(&["optimise", "ball.toml", "--json", "--no-plots"]).ended(0).json();
    let same = |json: &Value| (json["objective"].as_f64().unwrap() - whole["objective"].as_f64().unwrap()).abs() < 1e-9;
    // Before the first iteration.
    let said = folder.carom(&["optimise", "ball.toml", "--out", "o", "--no-plots", "--max-seconds", "1e-9"]).ended(3);
    assert_eq!(said.err, "error: the descent was stopped; go on with --resume\n");
    assert_eq!(plan_of(&folder, "o")["descent"].as_array().unwrap().len(), 1);
    let args = ["optimise", "ball.toml", "--resume", "o", "--out", "o", "--json", "--no-plots"];
    let json = folder.carom(&args).ended(0).json();
    assert!(same(&json) && json["plan"]["descent"].as_array().unwrap().len() == 16);
    // Before the first program of the search.
    let said = folder.carom(&["optimise", "short.toml", "--out", "s", "--no-plots"]).ended(3);
    assert!(said.err.contains("--resume") || said.err.contains("the search found no motion"), "{}", said.err);
    let args = ["optimise", "ball.toml", "--resume", "s", "--out", "s", "--json", "--no-plots"];
    assert!(same(&folder.carom(&args).ended(0).json()));
    // Nothing is left to do, and nothing is lost.
    assert!(same(&folder.carom(&args).ended(0).json()));
    folder.write("other.toml", &ball(SEARCH).replace("stages = 8", "stages = 9"));
    let said = folder.carom(&["optimise", "other.toml", "--resume", "s"]).ended(2);
    assert!(
        said.err.contains("`s` does not fit the problem: its spline has 18 parameters, this one 20"),
        "{}",
        said.err
    );
    folder.carom(&["optimise", &example("optimal/block-move"), "--out", "b", "--no-plots"]).ended(0);
    let said = folder.carom(&["optimise", "ball.toml", "--resume", "b"]).ended(2);
    assert!(said.err.starts_with("error: `b` has no `plan.json`"), "{}", said.err);
    folder.carom(&["optimise", "ball.toml", "--resume", "nowhere"]).ended(1);
    folder.write("s/plan.json", "{}");
    folder.carom(&["optimise", "ball.toml", "--resume", "s"]).ended(1);
}

#[test]
fn progress_is_told_to_whoever_looks() {
    let folder = Folder::new();
    folder.write("ball.toml", &ball(SEARCH));
    let said = folder.carom(&["optimise", "ball.toml", "--verbose", "--no-plots"]).ended(0);
    let lines: Vec<Vec<&str>> = said.err.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["descent", "cost", "integral", "error", "impacts"]);
    assert_eq!((lines[1][0], lines[16][0]), ("0", "15"));
    let at = |name: &str| lines.iter().position(|line| line[0] == name).unwrap_or_else(|| panic!("{}", said.err));
    assert!(at("search") < at("polish"));
    assert_eq!(lines.len() - at("polish") - 1, 3);
    let said = folder.carom(&["optimise", "ball.toml", "--quiet", "--no-plots"]).ended(0);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
}

#[test]
fn checks_tell_how_it_is_planned() {
    let folder = Folder::new();
    let said = folder.carom(&["check", &paper("002/plan")]).ended(0);
    let expected = "\nplan     descent over splines of 50 stages, 40 iterations, penalty 3000\n         free knots, penalty 3000, 30000, 30 iterations each\n         search of 0 to 4 impacts, 5 motions for each, at 32 times, for 60 s\n";
    assert!(said.out.contains(expected), "{}", said.out);
    assert!(said.out.contains("gauss3, solver "), "{}", said.out);
    let json = folder.carom(&["check", &paper("002/plan-printed"), "--json"]).ended(0).json();
    assert_eq!((&json["plan"]["search"], &json["plan"]["iterations"]), (&Value::Null, &1000.into()));
    folder.carom(&["check", &example("optimal/plan-bar")]).ended(0);
}

#[test]
fn what_cannot_be_planned_is_told() {
    let folder = Folder::new();
    let refused = |name: &str, changes: &[(&str, &str)], expected: &str| {
        let text = changes.iter().fold(ball(SEARCH), |text, (old, new)| {
            assert!(text.contains(old), "{old}");
            text.replace(old, new)
        });
        folder.write(name, &text);
        let line = text.lines().position(|line| line == "[plan]").unwrap() + 1;
        for args in [&["optimise", name][..], &["check", name]] {
            let said = folder.carom(args).ended(2);
            assert!(said.err.starts_with(expected), "{}", said.err);
            assert!(said.err.contains(&format!("--> {name}:{line}:2")), "{}", said.err);
        }
        let json = folder.carom(&["check", name, "--json"]).ended(2).json();
        assert_eq!(json["diagnostics"][0]["line"], line);
        assert!(!folder.0.join("runs").exists());
    };
    let two = [("[costs]", "[phases.rest]\nduration = 1\n[costs]")];
    refused("two.toml", &two, "error[conflict]: [plan] needs one phase, and there are 2: move, rest");
    refused("both.toml", &[("[costs]", "[discover]\n[costs]")], "error[conflict]: the problem has both");
    let cannot = "the motion cannot be planned: ";
    refused("few.toml", &[("y = \"f\"\n", "")], &format!("error[not-supported]: {cannot}it is not fully actuated"));
    let second = [("[phases.move]", "[model.contacts.wall]\ngap = \"3 - x\"\nlaw = \"elastic\"\n[phases.move]")];
    refused("gaps.toml", &second, &format!("error[contact-count]: {cannot}the system has 2 contacts"));
    let deep = [("start = { x = 0, y = 1,", "start = { x = 0, y = -1,")];
    refused("deep.toml", &deep, &format!("error[not-supported]: {cannot}it starts at"));
    let round = [("gap = \"y\"", "gap = \"x^2 + y^2 - 0.1\"")];
    refused("round.toml", &round, &format!("error[not-monotonic]: {cannot}the gap of `floor`"));
    folder.write("ball.toml", &ball(SEARCH));
    let said = folder.carom(&["optimise", "ball.toml", "--discover"]).ended(2);
    assert!(said.err.contains("leave --discover away"), "{}", said.err);
}

/// Ctrl-C once: the search ends, what it has is polished and written.
#[cfg(unix)]
#[test]
fn an_interrupted_plan_keeps_its_motions() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    folder.write("ball.toml", &ball("impacts = 3\nbeam = 20\ntimes = 1000"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["optimise", "ball.toml", "--verbose", "--no-plots", "--out", "o"])
        .current_dir(&folder.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    // The names of the columns of the search, and the first motion.
    while !line.contains("programs") && lines.read_line(&mut line).unwrap() > 0 {}
    lines.read_line(&mut line).unwrap();
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3), "{rest}");
    let message = "error: the search of impacts was ended early: what is written is the best motion so far; go on with --resume\n";
    assert!(rest.ends_with(message), "{rest}");
    assert!(folder.has("o/manifest.json") && folder.has("o/solution.json"));
    let plan = plan_of(&folder, "o");
    assert_eq!((plan["stopped"].as_bool(), plan["finished"].as_bool()), (Some(true), Some(false)));
    assert!(plan["motions"][0]["motion"].as_bool().unwrap());
}
