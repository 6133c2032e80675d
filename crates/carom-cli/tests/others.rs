//! `carom check`, `plot`, `methods` and the help.

use crate::common;

use common::{Folder, example, paper};
use std::process::{Command, Stdio};

#[test]
fn check_tells_what_it_understood() {
    let folder = Folder::new();
    let said = folder.carom(&["check", &example("pendulum-cartesian"), "--set", "l=2"]).ended(0);
    let expected = "\
Pendulum in Cartesian coordinates: A point mass that a constraint keeps on a circle

degrees of freedom     1
mass matrix            rank 2 of 2, regular
Lagrangian             quadratic in the rates, independent of time, no forces
constraints            rod (rank 1 of 1)
rank along the motion  1 (t = 0 .. 10)
energy                 -9.81
conserved              energy: the Lagrangian does not depend on time, and no force acts
simulation             step 0.01, until 10

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
        // Some are degenerate, or have velocity constraints that are holonomic in truth, on purpose.
        let is_degenerate = json["mass_matrix"]["regularity"] == "degenerate";
        assert!(is_degenerate || json["mass_matrix"]["regularity"] == "regular", "{model:?}");
        for diagnostic in json["diagnostics"].as_array().unwrap() {
            let code = diagnostic["code"].as_str().unwrap();
            assert!(code == "degenerate" && is_degenerate || code == "integrable", "{model:?}: {code}");
        }
        count += 1;
    }
    assert!(count >= 8);
}

#[test]
fn check_knows_lagrangians_that_are_linear_in_the_rates() {
    let folder = Folder::new();
    let said = folder.carom(&["check", &example("point-vortices")]).ended(0);
    let expected = [
        "phase space  dimension 8: the equations of motion are of first order",
        "mass matrix  rank 0 of 8, degenerate",
        "Lagrangian   linear in the rates, independent of time, no forces",
    ];
    assert_eq!(rows(&said.out, "phase space", "energy"), expected);
    let json = folder.carom(&["check", &example("point-vortices"), "--json"]).ended(0).json();
    assert_eq!((&json["linear"], &json["phase_space"]["dimension"]), (&true.into(), &8.into()));
    // Degenerate, but with inertia somewhere.
    let json = folder.carom(&["check", &example("lc-circuit"), "--json"]).ended(0).json();
    assert_eq!((&json["linear"], json["phase_space"].is_null()), (&false.into(), true));
    // Nothing says how z moves.
    folder.write("odd.toml", "lagrangian = \"y*x' - x^2 - y^2 - z^2\"\n[coordinates]\nx = 1\ny = 0\nz = 0\n");
    let said = folder.carom(&["check", "odd.toml"]).ended(0);
    assert!(rows(&said.out, "phase space", "mass")[0].contains("dimension 3 at most"), "{}", said.out);
}

#[test]
fn check_reports_mechanics_as_json() {
    let folder = Folder::new();
    let json = folder.carom(&["check", &example("spherical-pendulum"), "--json"]).ended(0).json();
    let names: Vec<&str> = json["conserved"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["energy", "p_phi"]);
    assert_eq!(json["degrees_of_freedom"], 2);
}

/// The rows of `check` from one to another, exclusive.
fn rows<'a>(out: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    out.lines().skip_while(|line| !line.starts_with(from)).take_while(|line| !line.starts_with(to)).collect()
}

#[test]
fn check_knows_the_distribution_of_a_sleigh() {
    let folder = Folder::new();
    let said = folder.carom(&["check", &paper("003/sleigh")]).ended(0);
    let expected = [
        "velocity constraints   blade (rank 1 of 1)",
        "distribution           rank 2, grows (2, 3): nonholonomic",
        "rank along the motion  1 (t = 0 .. 400)",
    ];
    assert_eq!(rows(&said.out, "velocity constraints", "frame"), expected);
    assert_eq!(rows(&said.out, "frame", "energy")[1].trim_start(), "[v1, v2] = -v3");
    assert_eq!(said.err, "");
    let json = folder.carom(&["check", &paper("003/sleigh"), "--json"]).ended(0).json();
    assert_eq!(json["distribution"]["growth"], serde_json::json!([2, 3]));
    assert_eq!(json["distribution"]["verdict"], "nonholonomic");
    assert_eq!(json["rank_along_the_motion"]["rank"], 1);
}

#[test]
fn check_says_that_a_constraint_is_holonomic_in_truth() {
    let folder = Folder::new();
    folder.write(
        "pendulum.toml",
        "lagrangian = \"2*(theta'^2 + phi'^2*sin(theta)^2) - 19.6*cos(theta)\"\n[coordinates]\n\
         theta = { initial = \"0.75*pi\", velocity = \"0.25*pi\" }\n\
         phi = { initial = 0, velocity = \"0.25*(pi + 0.5)*pi\" }\n\
         [velocity_constraints]\nspiral = \"(pi + cos(theta)^2)*theta' - phi'\"\n",
    );
    let said = folder.carom(&["check", "pendulum.toml"]).ended(0);
    let row = "distribution           rank 1, holonomic in truth: a distribution of rank one is always integrable";
    assert_eq!(rows(&said.out, "distribution", "rank along"), [row]);
    let warning = "warning[integrable]: velocity constraint `spiral` is holonomic in truth";
    assert!(said.err.starts_with(warning) && said.err.contains("constraints of positions"), "{}", said.err);
}

#[test]
fn check_sees_where_the_rank_drops() {
    let folder = Folder::new();
    let model = |x: &str, until: &str| {
        format!(
            "lagrangian = \"0.5*(x'^2 + y'^2)\"\n[coordinates]\nx = {x}\ny = 0\n[velocity_constraints]\n\
             edge = \"x*y'\"\n[simulation]\nstep = 0.1\nuntil = {until}\n"
        )
    };
    folder.write("through.toml", &model("{ initial = 1, velocity = -0.32 }", "8"));
    let said = folder.carom(&["check", "through.toml"]).ended(0);
    let row = "rank along the motion  1, but 0 at t = 3.125 (t = 0 .. 8)";
    assert_eq!(rows(&said.out, "rank along", "energy"), [row]);
    let json = folder.carom(&["check", "through.toml", "--json"]).ended(0).json();
    assert!((json["rank_along_the_motion"]["drops"][0]["t"].as_f64().unwrap() - 3.125).abs() < 1e-9);
    folder.write("from.toml", &model("{ initial = 0, velocity = 1 }", "8"));
    let said = folder.carom(&["check", "from.toml"]).ended(0);
    let row = "                       at the initial state the rank of the constraints is 0, nearby 1";
    assert_eq!(rows(&said.out, "distribution", "rank along")[1], row);
    assert!(rows(&said.out, "rank along", "energy")[0].contains("not known: at t = 0"), "{}", said.out);
}

#[test]
fn check_says_how_far_a_motion_was_followed() {
    let folder = Folder::new();
    // It falls into the singularity, along a line.
    folder.write(
        "fall.toml",
        "lagrangian = \"0.5*(x'^2 + y'^2) + 1/abs(x)\"\n[coordinates]\nx = 1\ny = 0\n\
         [velocity_constraints]\nline = \"y'\"\n",
    );
    let said = folder.carom(&["check", "fall.toml"]).ended(0);
    let found = rows(&said.out, "rank along", "energy");
    assert!(found[0].starts_with("rank along the motion  1 (t = 0 .. 1.1"), "{found:?}");
    assert!(found[1].trim_start().starts_with("followed up to t = 1.1"), "{found:?}");
}

#[test]
fn check_describes_a_frame() {
    let folder = Folder::new();
    folder.write(
        "sleigh.toml",
        "lagrangian = \"0.5*(x'^2 + y'^2 + theta'^2)\"\n[coordinates]\nx = 0\ny = 0\ntheta = 0.3\n\
         [velocity_constraints]\nblade = \"sin(theta)*x' - cos(theta)*y'\"\n[frame]\n\
         drive = { field = { x = \"cos(theta)\", y = \"sin(theta)\" }, initial = 1 }\nturn = { field = { theta = 1 } }\n",
    );
    let said = folder.carom(&["check", "sleigh.toml"]).ended(0);
    let expected = [
        "frame                  drive, turn; regular at the initial state (volume 1), reduced mass matrix constant",
        "                       [drive, turn] = blade",
        "Hamel's equations      drive' = 0",
        "                       turn' = 0",
    ];
    assert_eq!(rows(&said.out, "frame", "energy"), expected);
}

#[test]
fn plot_draws_again_what_simulate_has_drawn() {
    let folder = Folder::new();
    // The drawing depends on a parameter that was replaced.
    folder.carom(&["simulate", &example("double-pendulum"), "--set", "l=2", "--until", "3", "--quiet"]).ended(0);
    let said = folder.carom(&["plot", "runs/double-pendulum", "--out", "again"]).ended(0);
    assert_eq!(
        said.out,
        "again/coordinates.svg\nagain/energy.svg\nagain/phase.svg\nagain/motion.svg\nagain/animation.svg\n"
    );
    for name in ["coordinates.svg", "energy.svg", "phase.svg", "motion.svg", "animation.svg"] {
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
    for command in ["simulate", "check", "import", "plot", "methods"] {
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
