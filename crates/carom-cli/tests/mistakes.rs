//! Wrong input: one clear message and an exit code that says whose mistake it was.

use crate::common;

use common::{Folder, example, paper};

/// Runs, and compares everything that was said.
fn expect(folder: &Folder, args: &[&str], code: i32, message: &str) {
    let said = folder.carom(args).ended(code);
    assert_eq!(said.out, "", "{args:?}");
    assert_eq!(said.err.trim_end(), message.trim_end(), "{args:?}");
    assert!(!folder.0.join("runs").exists(), "{args:?} has written results");
}

#[test]
fn wrong_model_is_shown_with_its_place() {
    let folder = Folder::new();
    folder.write("bad.toml", "lagrangian = \"0.5*m*x'^2 - k*x^2\"\n[parameters]\nm = 1.0\n[coordinates]\nx = 0.5\n");
    let message = "\
error[unknown-name]: unknown name `k`
 --> bad.toml:1:28
  |
1 | lagrangian = \"0.5*m*x'^2 - k*x^2\"
  |                            ^
  = help: declare `k` in [parameters]; known names: m, x, x', t";
    let said = folder.carom(&["simulate", "bad.toml"]).ended(2);
    assert!(said.err.starts_with(message.split("; known").next().unwrap()), "{}", said.err);
    folder.carom(&["check", "bad.toml"]).ended(2);
    let json = folder.carom(&["check", "bad.toml", "--json"]).ended(2).json();
    assert_eq!((&json["valid"], &json["diagnostics"][0]["column"]), (&false.into(), &28.into()));
}

#[test]
fn several_mistakes_are_reported_together() {
    let folder = Folder::new();
    folder.write("bad.toml", "lagrangian = \"x'^2 + foo\"\n[coordinates]\nx = 0.5\n[simulation]\nstep = 0\n");
    let said = folder.carom(&["check", "bad.toml"]).ended(2);
    assert_eq!(said.err.matches("error[").count(), 2, "{}", said.err);
}

#[test]
fn wrong_numbers_point_at_the_option() {
    let folder = Folder::new();
    let kepler = example("kepler");
    let wrong = |option: &str, value: &str| {
        let carets = "^".repeat(value.len());
        format!(
            "error[not-positive]: `{}` is {value}, but must be positive\n --> {option}:1:1\n  |\n1 | {value}\n  | {carets}\n  \
             = help: write a number greater than zero",
            option.trim_start_matches('-')
        )
    };
    for (option, value) in [("--step", "0"), ("--step", "-1"), ("--until", "-2.5"), ("--tolerance", "0")] {
        expect(&folder, &["simulate", &kepler, option, value], 2, &wrong(option, value));
    }
    for (option, value) in
        [("--step", "nan"), ("--until", "1/0"), ("--every", "1.5"), ("--step", ""), ("--step", "sin(")]
    {
        let said = folder.carom(&["simulate", &kepler, option, value]).ended(2);
        assert!(said.err.starts_with("error[") && said.err.contains(&format!("--> {option}:1:")), "{}", said.err);
    }
}

#[test]
fn unknown_methods_get_a_suggestion() {
    let folder = Folder::new();
    let kepler = example("kepler");
    for (name, meant) in
        [("midpont", "midpoint"), ("tayler", "taylor"), ("suzuki", "suzuki(midpoint)"), ("energy", "energy(midpoint)")]
    {
        let said = folder.carom(&["simulate", &kepler, "--method", name]).ended(2);
        let start =
            format!("error[unknown-value]: unknown method `{name}`, did you mean `{meant}`?; methods: midpoint, ");
        assert!(said.err.starts_with(&start) && said.err.contains("energy(...), taylor\n --> "), "{}", said.err);
    }
    for (name, message) in [
        ("suzuki(left)", "`suzuki` cannot be applied to `left`: it needs a symmetric method; wrap a rectangle rule in"),
        ("energy(suzuki(midpoint))", "`energy` cannot be applied to `suzuki(midpoint)`: it needs a rule"),
    ] {
        let said = folder.carom(&["simulate", &kepler, "--method", name]).ended(2);
        assert!(said.err.starts_with(&format!("error[unknown-value]: {message}")), "{}", said.err);
    }
    folder.write("bad.toml", "lagrangian = \"x'^2\"\n[coordinates]\nx = 0.5\n[simulation]\nmethod = \"mid\"\n");
    let said = folder.carom(&["simulate", "bad.toml"]).ended(2);
    assert!(said.err.contains("--> bad.toml:5:10"), "{}", said.err);
    folder.carom(&["simulate", &kepler, "--method", &"suzuki(".repeat(1000)]).ended(2);
}

#[test]
fn too_many_nodes_are_refused_before_they_fill_the_memory() {
    let folder = Folder::new();
    let message = "error: the run would record 6.3e301 nodes in 4.5e303 bytes, more than the limit of 8.0e9; \
                   use a longer --step, record fewer nodes with --every, or write them while the run goes on with --stream";
    expect(&folder, &["simulate", &example("kepler"), "--step", "1e-300"], 2, message);
}

#[test]
fn files_that_cannot_be_read_are_not_the_models_fault() {
    let folder = Folder::new();
    for command in ["simulate", "check"] {
        let said = folder.carom(&[command, "missing.toml"]).ended(1);
        assert!(said.err.starts_with("error[unreadable]: the file cannot be read: "), "{}", said.err);
        folder.carom(&[command, "."]).ended(1);
    }
    let message = "error: there is no folder `missing`; give a folder that a run has written";
    expect(&folder, &["plot", "missing"], 1, message);
    let message =
        "error: `.` has no `manifest.json`: it is not a carom result, or its run was interrupted; run the model again";
    expect(&folder, &["plot", "."], 1, message);
}

#[test]
fn results_that_cannot_be_written_are_named() {
    let folder = Folder::new();
    folder.write("occupied", "a file where a folder should be");
    let said = folder.carom(&["simulate", &example("kepler"), "--out", "occupied"]).ended(1);
    assert!(said.err.starts_with("error: cannot write `occupied"), "{}", said.err);
}

#[test]
fn wrong_usage_ends_with_1() {
    let folder = Folder::new();
    folder.carom(&[]).ended(1);
    let said = folder.carom(&["simulat", "x"]).ended(1);
    assert!(said.err.contains("similar subcommand exists: 'simulate'"), "{}", said.err);
    folder.carom(&["simulate"]).ended(1);
    folder.carom(&["simulate", "m.toml", "--stepp", "1"]).ended(1);
    let said = folder.carom(&["check", &example("kepler"), "--set", "e"]).ended(1);
    assert!(said.err.contains("write NAME=VALUE, such as `m=2`"), "{}", said.err);
}

#[test]
fn unknown_names_in_set_are_listed() {
    let folder = Folder::new();
    let message = "\
error[unknown-name]: the model has no parameter, coordinate or setting `q`
 --> --set:1:1
  |
1 | q=1
  | ^
  = help: values that can be set: mu, a, e, x, y, x', y', method, step, until, every, tolerance, formulation, jump, multiple, max_impacts, project";
    expect(&folder, &["simulate", &example("kepler"), "--set", "q=1"], 2, message);
}

const SKATE: &str = "\
lagrangian = \"0.5*(x'^2 + y'^2 + phi'^2)\"
[coordinates]
x = { initial = 0, velocity = 1 }
y = 0
phi = 0
[velocity_constraints]
edge = \"x'*sin(phi) - y'*cos(phi)\"
";

#[test]
fn systems_that_a_method_cannot_run_are_refused() {
    let folder = Folder::new();
    let message = "error: a degenerate Lagrangian (2 admissible directions have no inertia) by `";
    for method in ["trapezoidal", "left", "energy(midpoint)", "taylor"] {
        let said = folder.carom(&["simulate", &example("lotka-volterra"), "--method", method]).ended(2);
        let advice = "` cannot be simulated: methods that work: midpoint, gauss1 .. gauss6, and compositions of them";
        assert!(said.err.contains(&format!("{message}{method}{advice}")), "{}", said.err);
    }
    folder.write("skate.toml", SKATE);
    let message = "error: the formulation `hamel` by `gauss2` cannot be simulated: \
                   use midpoint, a composition of it such as suzuki(midpoint), or taylor";
    expect(&folder, &["simulate", "skate.toml", "--method", "gauss2", "--formulation", "hamel"], 2, message);
    let message = "error: the formulation `hamel` without frame or velocity constraints cannot be simulated: \
                   give the fields of a frame in [frame]";
    for method in ["midpoint", "taylor"] {
        expect(&folder, &["simulate", &example("kepler"), "--method", method, "--formulation", "hamel"], 2, message);
    }
    let message = "error: contact `floor` with energy-keeping steps cannot be simulated: use a method of fixed steps, or --method taylor";
    expect(&folder, &["simulate", &example("bouncing-ball"), "--method", "energy(midpoint)"], 2, message);
    let said = folder.carom(&["simulate", &example("driven-cart-pole"), "--method", "energy(midpoint)"]).ended(2);
    assert!(said.err.starts_with("error: a force, or a Lagrangian that depends on time, cannot"), "{}", said.err);
}

#[test]
fn velocities_off_the_distribution_are_refused_or_projected() {
    let folder = Folder::new();
    folder.write("skate.toml", &SKATE.replace("y = 0", "y = { initial = 0, velocity = 0.5 }"));
    let said = folder.carom(&["simulate", "skate.toml"]).ended(2);
    assert!(said.err.starts_with("error[not-admissible]: "), "{}", said.err);
    assert!(said.err.contains("--project"), "{}", said.err);
    let said = folder.carom(&["simulate", "skate.toml", "--project", "--json"]).ended(0);
    assert!(said.err.starts_with("warning[not-admissible]: "), "{}", said.err);
}

#[test]
fn every_formulation_runs_velocity_constraints() {
    let folder = Folder::new();
    folder.write("skate.toml", SKATE);
    for (method, formulation) in [
        ("midpoint", "multipliers"),
        ("midpoint", "null-space"),
        ("suzuki(midpoint)", "hamel"),
        ("gni", "multipliers"),
        ("taylor", "hamel"),
        ("taylor", "multipliers"),
    ] {
        let args = ["simulate", "skate.toml", "--method", method, "--formulation", formulation, "--json"];
        let said = folder.carom(&args).ended(0);
        assert!(said.json()["constraints"]["max_abs"].as_f64().unwrap() < 1e-13, "{method} {formulation}");
    }
}

#[test]
fn a_start_inside_an_obstacle_is_refused() {
    let folder = Folder::new();
    let message = "error[overlap]: the initial state is inside the obstacle of contact `floor`: the gap is -5.000e-1, \
                   the limit -2e-9";
    for method in ["taylor", "midpoint"] {
        let args = ["simulate", &paper("004/ellipse"), "--set", "y=0.5", "--method", method];
        let said = folder.carom(&args).ended(2);
        assert!(said.err.starts_with(message), "{}", said.err);
        assert!(said.err.trim_end().ends_with("the nearest state where they touch: y = 1"), "{}", said.err);
        assert!(!folder.0.join("runs").exists());
    }
}

#[test]
fn wrong_settings_of_contacts_are_refused() {
    let folder = Folder::new();
    let ball = example("ball-to-rest");
    for (option, value, message) in [
        ("--jump", "smooth", "error[unknown-value]: `jump` cannot be `smooth`"),
        ("--multiple", "all", "error[unknown-value]: `multiple` cannot be `all`"),
        ("--max-impacts", "0", "error[not-positive]: `max_impacts` is 0, but must be a positive integer"),
        ("--max-impacts", "-1", "error[not-positive]: `max_impacts` is -1, but must be a positive integer"),
    ] {
        let said = folder.carom(&["simulate", &ball, option, value]).ended(2);
        assert!(said.err.starts_with(&format!("{message}\n --> {option}:1:1\n")), "{}", said.err);
    }
    let lively = "lagrangian = \"0.5*y'^2 - y\"\n[coordinates]\ny = 1\n[contacts.floor]\ngap = \"y\"\nlaw = \"newton\"\n\
                  restitution = 1.2\n";
    folder.write("lively.toml", lively);
    let message = "\
error[out-of-range]: `restitution` of contact `floor` is 1.2; it must be between 0 and 1: coefficient of restitution, from 0 (plastic) to 1 (elastic)
 --> lively.toml:7:15
  |
7 | restitution = 1.2
  |               ^^^
  = help: write a number that is between 0 and 1";
    expect(&folder, &["simulate", "lively.toml"], 2, message);
}
