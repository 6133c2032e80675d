//! `carom check`, `plot`, `methods` and the help.

mod common;

use common::{Folder, example};
use std::process::{Command, Stdio};

#[test]
fn check_tells_what_it_understood() {
    let folder = Folder::new();
    let said = folder.carom(&["check", &example("pendulum-cartesian"), "--set", "l=2"]).ended(0);
    let expected = "\
Pendulum in Cartesian coordinates: A point mass that a constraint keeps on a circle

degrees of freedom  1
mass matrix         rank 2 of 2, regular
Lagrangian          quadratic in the rates, independent of time, no forces
constraints         rod (rank 1 of 1)
energy              -9.81
conserved           energy: the Lagrangian does not depend on time, and no force acts
simulation          step 0.01, until 10

coordinate  initial    rate  unit   meaning
x           1.7320508  0     m
y           -1         0     m

parameter   value            unit   meaning
m           1                kg
l           2                m      length of the rod
g           9.81             m/s^2
start       1.0471976        rad    initial angle from straight down
";
    assert_eq!((said.out.as_str(), said.err.as_str()), (expected, ""));
}

#[test]
fn check_knows_every_example() {
    let folder = Folder::new();
    let examples = std::fs::read_dir(std::path::Path::new(&example("x")).parent().unwrap()).unwrap();
    let models =
        examples.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "toml"));
    let mut count = 0;
    for model in models {
        let json = folder.carom(&["check", &model.display().to_string(), "--json"]).ended(0).json();
        assert_eq!(json["valid"], true, "{model:?}");
        assert_eq!(json["mass_matrix"]["regularity"], "regular", "{model:?}");
        assert_eq!(json["diagnostics"].as_array().unwrap().len(), 0, "{model:?}");
        count += 1;
    }
    assert!(count >= 8);
}

#[test]
fn check_reports_mechanics_as_json() {
    let folder = Folder::new();
    let json = folder.carom(&["check", &example("spherical-pendulum"), "--json"]).ended(0).json();
    let names: Vec<&str> = json["conserved"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["energy", "p_phi"]);
    assert_eq!(json["degrees_of_freedom"], 2);
}

#[test]
fn plot_draws_again_what_simulate_has_drawn() {
    let folder = Folder::new();
    // The drawing depends on a parameter that was replaced.
    folder.carom(&["simulate", &example("double-pendulum"), "--set", "l=2", "--until", "3", "--quiet"]).ended(0);
    let said = folder.carom(&["plot", "runs/double-pendulum", "--out", "again"]).ended(0);
    assert_eq!(said.out, "again/coordinates.svg\nagain/energy.svg\nagain/phase.svg\nagain/motion.svg\n");
    for name in ["coordinates.svg", "energy.svg", "phase.svg", "motion.svg"] {
        let read = |place: &str| std::fs::read_to_string(folder.0.join(place).join(name)).unwrap();
        assert!(read("runs/double-pendulum") == read("again"), "{name} differs");
    }
}

#[test]
fn methods_come_from_the_registries() {
    let folder = Folder::new();
    let said = folder.carom(&["methods"]).ended(0);
    let row = |name: &str| said.out.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
    assert!(row("midpoint").ends_with("midpoint rule"));
    for name in ["gauss6", "lobatto5", "strang(left)", "kahan-li8(midpoint)", "energy(RULE)", "taylor"] {
        row(name);
    }
    let json = folder.carom(&["methods", "--json"]).ended(0).json();
    assert_eq!(json["rules"][0]["name"], "midpoint");
    assert_eq!(json["rules"][0]["order"], 2);
    assert_eq!(json["compositions"].as_array().unwrap().len(), 6);
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = Folder::new();
    let said = folder.carom(&["--version"]).ended(0);
    assert_eq!(said.out, format!("carom {}\n", env!("CARGO_PKG_VERSION")));
    assert!(folder.carom(&["--help"]).ended(0).out.contains("Exit codes:"));
    for command in ["simulate", "check", "plot", "methods"] {
        let said = folder.carom(&[command, "--help"]).ended(0);
        assert!(said.out.contains(&format!("Examples:\n  carom {command}")), "{command}");
    }
}

/// `carom methods | true`
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let mut reader = Command::new("true").stdin(Stdio::piped()).spawn().unwrap();
    let pipe = reader.stdin.take().unwrap();
    reader.wait().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_carom")).arg("methods").stdout(pipe).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
