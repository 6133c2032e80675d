//! `carom optimise`: what it writes, prints and returns.
#![cfg(feature = "optimal-control")]

use crate::common;

use common::{Folder, example};
use serde_json::Value;

fn problem(name: &str) -> String {
    example(&format!("optimal/{name}"))
}

/// Lines of the summary, with times of the clock left out.
fn summary(out: &str) -> String {
    let line = |line: &str| match line.split_once(" in ") {
        Some((before, _)) if line.starts_with("status") => before.to_owned(),
        _ => line.to_owned(),
    };
    out.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Numbers that rounding may change are cut off.
fn rows<'a>(out: &'a str, names: &[&str]) -> Vec<&'a str> {
    out.lines().filter(|line| names.iter().any(|name| line.starts_with(name))).collect()
}

#[test]
fn summary_of_an_optimum() {
    let folder = Folder::new();
    let said = folder.carom(&["optimise", &problem("bounce"), "--out", "o", "--no-plots", "--csv"]).ended(0);
    assert_eq!(said.err, "");
    let out = summary(&said.out);
    let expected = [
        "problem    Bounce: 2 phases, 337 unknowns, 174 rows",
        "method     gauss2 (order 4), 40 intervals; solver interior",
        "objective  50.50918204",
        "cost    value",
        "effort  50.50918204",
        "phase   begins    lasts",
        "fall    0         0.5545388043",
        "rise    0.554539  0.6454611957",
        "impact  time      energy change  impulses",
        "bounce  0.554539  -2.99315       impulse of floor 7.34007",
    ];
    let names =
        ["problem ", "method ", "objective ", "cost ", "effort ", "phase ", "fall ", "rise ", "impact ", "bounce "];
    assert_eq!(rows(&out, &names), expected, "{out}");
    assert!(
        out.contains("\nstatus     converged after ") && out.contains("\naudit      passed; replayed: state off by ")
    );
    let files: Vec<&str> = out.split("files  ").nth(1).unwrap().lines().map(str::trim).collect();
    let expected = ["nodes", "controls", "intervals", "impacts"]
        .map(|name| [format!("o/{name}.parquet"), format!("o/{name}.csv")]);
    let expected = [expected.concat(), vec!["o/solution.json".to_owned(), "o/manifest.json".to_owned()]].concat();
    assert_eq!(files, expected);
    let nodes = std::fs::read_to_string(folder.0.join("o/nodes.csv")).unwrap();
    assert!(
        nodes.starts_with("phase,node,t,q.x,q.y,v.x,v.y,costate.x,costate.y\nfall,0,0.0,0.0,1.0,"),
        "{}",
        &nodes[..200]
    );
    assert_eq!(nodes.lines().count(), 1 + 21 + 21);
}

#[test]
fn json_and_manifest() {
    let folder = Folder::new();
    let said = folder.carom(&["optimise", &problem("pendulum-length"), "--json", "--costates"]).ended(0);
    assert_eq!(said.err, "");
    let json = said.json();
    assert_eq!((&json["status"], &json["optimum"], &json["label"]), (&"converged".into(), &true.into(), &"".into()));
    assert!((json["freed"]["l"].as_f64().unwrap() - 0.874143).abs() < 1e-5);
    assert!(json["costs"]["effort"].as_f64().unwrap() < 1e-9);
    assert_eq!(json["phases"][0]["end"]["q"]["theta"], 1.0);
    assert_eq!(json["audit"]["passed"], true);
    let files: Vec<&str> = json["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    let expected = ["nodes.parquet", "controls.parquet", "intervals.parquet", "solution.json", "manifest.json"];
    let pictures =
        ["coordinates.svg", "phase.svg", "motion.svg", "animation.svg", "controls.svg", "costates.svg", "energy.svg"];
    let expected: Vec<String> =
        expected.iter().chain(&pictures).map(|name| format!("runs/pendulum-length/{name}")).collect();
    assert_eq!(files, expected);
    let manifest: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.0.join("runs/pendulum-length/manifest.json")).unwrap())
            .unwrap();
    assert_eq!((&manifest["format"], &manifest["settings"]["method"]), (&"carom-optimum".into(), &"gauss2".into()));
    let source = std::fs::read_to_string(problem("pendulum-length")).unwrap();
    assert_eq!(manifest["source"].as_str(), Some(source.as_str()));
    assert_eq!(manifest["result"]["objective"], json["objective"]);
    // The pictures come again, byte for byte.
    let drawn = std::fs::read(folder.0.join("runs/pendulum-length/motion.svg")).unwrap();
    let said = folder.carom(&["plot", "runs/pendulum-length", "--out", "again"]).ended(0);
    assert_eq!(
        said.out,
        "again/coordinates.svg\nagain/phase.svg\nagain/motion.svg\nagain/animation.svg\nagain/controls.svg\n\
         again/energy.svg\n"
    );
    assert_eq!(std::fs::read(folder.0.join("again/motion.svg")).unwrap(), drawn);
}

#[test]
fn a_search_that_does_not_converge_is_kept_and_labelled() {
    let folder = Folder::new();
    let args = ["optimise", &problem("swing-up"), "--max-iterations", "3", "--out", "o"];
    let said = folder.carom(&args).ended(3);
    let message =
        "error: the search did not converge: iteration limit reached; raise --max-iterations, or go on with --resume\n";
    assert_eq!(said.err, message);
    assert!(
        said.out.contains("\nstatus     NOT CONVERGED: iteration limit reached after 3 iterations in "),
        "{}",
        said.out
    );
    assert!(said.out.contains("(not an optimum: iteration limit reached)"), "{}", said.out);
    assert!(said.out.contains("\nviolated  row `swing / node "), "{}", said.out);
    assert!(
        std::fs::read_to_string(folder.0.join("o/controls.svg"))
            .unwrap()
            .contains("not an optimum: iteration limit reached")
    );
    // It goes on from there.
    let json =
        folder.carom(&["optimise", &problem("swing-up"), "--resume", "o", "--out", "p", "--json"]).ended(0).json();
    assert!((json["objective"].as_f64().unwrap() - 58.98987444).abs() < 1e-6);
    let first = json["iterations"].as_u64().unwrap();
    let json = folder.carom(&["optimise", &problem("swing-up"), "--resume", "p", "--json"]).ended(0).json();
    let again = json["iterations"].as_u64().unwrap();
    assert!(again < first && again <= 3, "{again} of {first}");
    // Another mesh begins with the motion alone.
    let args =
        ["optimise", &problem("swing-up"), "--resume", "p", "--intervals", "150", "--method", "gauss2", "--json"];
    let json = folder.carom(&args).ended(0).json();
    assert_eq!((&json["method"], &json["phases"][0]["intervals"]), (&"gauss2".into(), &150.into()));
}

#[test]
fn an_optimum_that_fails_its_audit_is_labelled_everywhere() {
    let folder = Folder::new();
    let args = ["optimise", &problem("swing-up"), "--intervals", "12", "--out", "o"];
    let said = folder.carom(&args).ended(4);
    assert!(said.err.starts_with("error: the audit: NOT PASSED: swing: the mesh is too coarse"), "{}", said.err);
    assert!(
        said.out.contains("(audit not passed)") && said.out.contains("audit      NOT PASSED; replayed"),
        "{}",
        said.out
    );
    for picture in ["coordinates", "controls", "motion", "animation", "phase"] {
        let text = std::fs::read_to_string(folder.0.join(format!("o/{picture}.svg"))).unwrap();
        assert!(text.contains("audit not passed"), "{picture}");
    }
    let json = folder.carom(&[&args[..4], &["--json"]].concat()).ended(4).json();
    assert_eq!((&json["converged"], &json["optimum"]), (&true.into(), &false.into()));
    assert_eq!((&json["label"], &json["audit"]["passed"]), (&"audit not passed".into(), &false.into()));
    assert!(!json["audit"]["findings"].as_array().unwrap().is_empty());
    let json = folder.carom(&[&args[..4], &["--json", "--no-audit"]].concat()).ended(0).json();
    assert_eq!((&json["label"], &json["audit"]), (&"not audited".into(), &Value::Null));
}

#[test]
fn meshes_are_refined() {
    let folder = Folder::new();
    let args = ["optimise", &problem("swing-up"), "--accuracy", "1e-2", "--no-plots"];
    let said = folder.carom(&args).ended(0);
    assert!(said.out.contains("\nmeshes     100 intervals: 58.98987444\n"), "{}", said.out);
    let json = folder.carom(&[&args[..], &["--json"]].concat()).ended(0).json();
    assert_eq!(json["meshes"]["accurate"], true);
    assert!((json["objective"].as_f64().unwrap() - 58.8078).abs() < 1e-2);
}

/// The gait falls over without feedback: its mesh is judged, its end is not.
#[test]
fn unstable_motions_are_told() {
    let folder = Folder::new();
    let problem = common::paper("001/planar-gait");
    let args = ["optimise", &problem, "--method", "gauss2", "--intervals", "60", "--no-plots"];
    let said = folder.carom(&args).ended(0);
    let line = "-fold, the end of the replay is not judged\n";
    assert!(said.out.contains("\n           unstable: defects grow 6.") && said.out.contains(line), "{}", said.out);
    let json = folder.carom(&[&args[..], &["--json"]].concat()).ended(0).json();
    assert!(json["audit"]["unstable"][0]["amplification"].as_f64().unwrap() > 1e4);
}

/// A gait has figures side by side, and energies with the loss of its impact.
#[test]
fn gaits_have_energies_and_figures() {
    let folder = Folder::new();
    folder.carom(&["optimise", &common::paper("001/planar-gait"), "--no-audit", "--out", "o"]).ended(0);
    let said = folder.carom(&["plot", "o", "--out", "p"]).ended(0);
    assert!(said.out.ends_with("p/forces.svg\np/energy.svg\np/snapshots.svg\n"), "{}", said.out);
    let text = |path: &str| std::fs::read_to_string(folder.0.join(path)).unwrap();
    for name in ["energy", "snapshots"] {
        assert!(text(&format!("o/{name}.svg")) == text(&format!("p/{name}.svg")), "{name}");
    }
    // One point after the impact in each panel of energies.
    assert_eq!(text("o/energy.svg").matches("<circle").count(), 3);
    // The colours of the two legs, with three joints in each of eight figures.
    for color in ["#33669E", "#CC6677"] {
        let joints =
            text("o/snapshots.svg").lines().filter(|line| line.contains("<circle") && line.contains(color)).count();
        assert_eq!(joints, 24, "{color}");
    }
}

#[test]
fn iterations_are_lines() {
    let folder = Folder::new();
    let said = folder.carom(&["optimise", &problem("bounce"), "--verbose", "--no-plots"]).ended(0);
    let lines: Vec<&str> = said.err.lines().collect();
    let names = ["interior", "objective", "violation", "stationarity", "barrier", "step"];
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>(), names);
    assert!(lines.len() > 3 && lines[1].trim_start().starts_with("0 "), "{}", said.err);
    // The last line has the values of the point that is returned.
    let end: Vec<&str> = lines[lines.len() - 1].split_whitespace().collect();
    assert_eq!((end[0], end[1], end[4]), ("end", "5.050918204e1", "converged"), "{}", said.err);
    // Nobody looks, or nobody wants to.
    assert_eq!(folder.carom(&["optimise", &problem("bounce"), "--no-plots"]).ended(0).err, "");
    let said = folder.carom(&["optimise", &problem("bounce"), "--quiet"]).ended(0);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
}

/// Ctrl-C once: the search ends, what it has is written.
#[cfg(unix)]
#[test]
fn an_interrupted_search_keeps_its_point() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["optimise", &problem("swing-up"), "--intervals", "20000", "--verbose", "--no-plots", "--out", "o"])
        .current_dir(&folder.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    // The names of the columns, then the first iteration.
    lines.read_line(&mut line).unwrap();
    lines.read_line(&mut line).unwrap();
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3), "{rest}");
    assert!(rest.ends_with("error: the search did not converge: stopped by request; go on with --resume\n"), "{rest}");
    assert!(folder.has("o/manifest.json") && folder.has("o/solution.json"));
}

#[test]
fn problems_are_checked() {
    let folder = Folder::new();
    let expected = "\
Bounce: A ball is thrown from one side to the other by way of the floor, pushed as little as possible

model        Ball: x, y; controls fx, fy
method       gauss2, solver automatic
program      337 unknowns, 174 rows
transitions  bounce: fall to rise, impact of floor
costs        effort, weight 1

phase  duration  intervals  conditions
fall   0.1 to 1  20         0 bounds, 4 at the start, 0 at the end, 0 on the way
rise   0.1 to 1  20         0 bounds, 0 at the start, 4 at the end, 0 on the way
";
    assert_eq!(folder.carom(&["check", &problem("bounce")]).ended(0).out, expected);
    let json = folder.carom(&["check", &problem("bounce"), "--json"]).ended(0).json();
    assert_eq!((&json["valid"], &json["variables"], &json["rows"]), (&true.into(), &337.into(), &174.into()));
}

#[test]
fn examples_are_optima() {
    let folder = Folder::new();
    for name in ["block-move", "swing-up", "bounce", "two-impacts", "pendulum-length", "unknown-bounces"] {
        let json = folder.carom(&["optimise", &problem(name), "--json", "--no-plots"]).ended(0).json();
        assert_eq!(json["optimum"], true, "{name}");
    }
}

const CART: &str = "lagrangian = \"0.5*x'^2\"\ncoordinates = { x = 0 }\ninputs = { u = 0 }\nforces = { x = \"u\" }\n";
const PLANE: &str = "\
lagrangian = \"0.5*(x'^2 + y'^2)\"
coordinates = { x = 0, y = 0 }
inputs = { u = 0, w = 0 }
forces = { x = \"u\", y = \"w\" }
";
const TWO_MODELS: &str = "\
method = \"gauss2\"
[phases.slide]
model = \"cart.toml\"
duration = [0.2, 2]
intervals = 10
start = { x = 0, \"x'\" = 0 }
end = { x = 1 }
[phases.fly]
model = \"plane.toml\"
duration = [0.2, 2]
intervals = 10
end = { x = 2, y = 0, \"x'\" = 0, \"y'\" = 0 }
[transitions.leave]
from = \"slide\"
to = \"fly\"
map = { y = 0 }
[costs]
effort = { integral = \"u^2\" }
quick = { time = true, weight = 5 }
";

/// Over two metres from rest to rest: 12 d^2 / T^3 + 5 T is least at T = (144/5)^(1/4).
#[test]
fn phases_may_have_models_of_their_own() {
    let folder = Folder::new();
    folder.write("cart.toml", CART);
    folder.write("plane.toml", PLANE);
    folder.write("two.toml", TWO_MODELS);
    let json = folder.carom(&["optimise", "two.toml", "--json", "--csv"]).ended(0).json();
    let time = 28.8_f64.powf(0.25);
    assert!((json["objective"].as_f64().unwrap() - (48.0 / time.powi(3) + 5.0 * time)).abs() < 1e-6);
    assert!((json["duration"].as_f64().unwrap() - time).abs() < 1e-5);
    let nodes = std::fs::read_to_string(folder.0.join("runs/two/nodes.csv")).unwrap();
    assert!(nodes.starts_with("phase,node,t,q.x,q.y,v.x,v.y,costate.x,costate.y\nslide,0,0.0,0.0,,0.0,,"), "{nodes}");
    let said = folder.carom(&["plot", "runs/two"]).ended(0);
    assert_eq!(said.out, "runs/two/coordinates.svg\nruns/two/controls.svg\nruns/two/energy.svg\n");
    // Its motion is a guess for others.
    folder.write("three.toml", &TWO_MODELS.replace("[costs]", "[guess]\nfrom = \"runs/two\"\n[costs]"));
    folder.carom(&["optimise", "three.toml", "--json"]).ended(0);
    folder.write(
        "four.toml",
        &TWO_MODELS.replace("slide", "glide").replace("[costs]", "[guess]\nfrom = \"x.json\"\n[costs]"),
    );
    let said = folder.carom(&["optimise", "four.toml"]).ended(1);
    assert!(said.err.starts_with("error[unreadable]: the guess `x.json` cannot be read"), "{}", said.err);
}

#[test]
fn a_start_without_values_is_told() {
    let folder = Folder::new();
    folder.write("cart.toml", CART);
    let text = "model = \"cart.toml\"\n[phases.a]\nduration = 1\nstart = { x = 0 }\n[costs]\nlow = { integral = \"log(x - 1)\" }\n";
    folder.write("p.toml", text);
    let said = folder.carom(&["optimise", "p.toml", "--quiet"]).ended(3);
    assert_eq!(said.err, "error: the search did not converge: the objective is not a finite number at the start\n");
    assert!(folder.has("runs/p/manifest.json"));
}
