//! `carom orbit`.

use crate::common;

use common::{Folder, example};
use serde_json::Value;

fn near(value: &Value, expected: f64, tolerance: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() <= tolerance, "{value}, expected {expected}");
}

#[test]
fn exact_the_rimless_wheel_as_json() {
    let folder = Folder::new();
    let said =
        folder.carom(&["orbit", &example("rimless-wheel"), "--set", "omega=1.3", "--json", "--out", "o"]).ended(0);
    let json: Value = serde_json::from_str(&said.out).unwrap();
    near(&json["period"], 1.035_077_508_377_473_3, 1e-12);
    near(&json["state"]["theta'"], 1.094_904_357_409_142_3, 1e-12);
    near(&json["multipliers"][0]["re"], 0.5, 1e-12);
    assert_eq!((&json["stability"], &json["zero_multipliers"]), (&"stable".into(), &1.into()));
    assert!(folder.has("o/orbit.json") && folder.has("o/multipliers.svg"));
}

#[test]
fn the_compass_gait_with_its_branch_and_that_of_twice_the_period() {
    let folder = Folder::new();
    let said = folder
        .carom(&["orbit", &example("compass-gait"), "--continue", "slope", "--to", "4.6", "--double", "--out", "o"])
        .ended(0);
    let words = [
        "up to an impact of `heel`",
        "stable: the largest multiplier",
        "period doubling at slope = 4.390898249602",
        "doubled",
        "orbits from slope = ",
    ];
    words.iter().for_each(|word| assert!(said.out.contains(word), "{word}: {}", said.out));
    assert!(["branch.csv", "branch-doubled.csv", "branch.svg"].iter().all(|name| folder.has(&format!("o/{name}"))));
    assert!(std::fs::read_to_string(folder.0.join("o/branch.svg")).unwrap().contains("twice the period"));
}

#[test]
fn a_basin_of_the_simplest_walker() {
    let folder = Folder::new();
    let grid = "theta0=0.15:0.25,omega0=-0.25:-0.15";
    let said = folder
        .carom(&["orbit", &example("simplest-walker"), "--basin", grid, "--cells", "8", "--json", "--out", "o"])
        .ended(0);
    let json: Value = serde_json::from_str(&said.out).unwrap();
    let reached = json["basin"]["reached"].as_u64().unwrap();
    assert!(reached > 0 && reached < 64, "{reached}");
    assert!(folder.has("o/basin.svg"));
}

#[test]
fn mistakes_and_falls_are_told() {
    let folder = Folder::new();
    let walker = example("simplest-walker");
    let say = |args: &[&str], code: i32, word: &str| {
        let said = folder.carom(&[&["orbit", walker.as_str(), "--out", "o"], args].concat()).ended(code);
        assert!(said.err.contains(word), "{word}: {}", said.err);
    };
    say(&["--contact", "toe"], 2, "no contact `toe`; its contacts: heel");
    say(&["--drift", "toe"], 2, "no coordinate or rate `toe`");
    say(&["--set", "omega0=0.1"], 3, "no step: 0 of 1 impacts of `heel`");
    say(&["--continue", "slope", "--to", "1"], 2, "no parameter `slope`");
    say(&["--continue", "gamma"], 2, "--to VALUE");
    say(&["--basin", "theta=0:1"], 2, "write two axes");
    say(&["--basin", "theta=0:1,theta=0:2"], 2, "`theta` is both axes");
    for option in ["--settle", "--count", "--cells", "--points", "--steps"] {
        let with = match option {
            "--points" => ["--continue", "gamma"],
            "--cells" | "--steps" => ["--basin", "theta=0:1,phi=0:1"],
            _ => ["--drift", "theta"],
        };
        say(&[&with[..], &[option, "-1"]].concat(), 1, &format!("invalid value '-1' for '{option} <N>'"));
    }
    say(&["--basin", "gamma=0:1,theta=0:1"], 2, "changes how the system moves");
}

/// The search alone would fail, or take longer than the test is allowed to.
#[test]
fn wrong_names_are_told_before_the_search() {
    let folder = Folder::new();
    let walker = example("simplest-walker");
    for (args, word) in [
        (&["--continue", "slope", "--to", "1"][..], "no parameter `slope`"),
        (&["--continue", "slope", "--from", "0", "--to", "1"], "no parameter `slope`"),
        (&["--continue", "gamma", "--to", "steep"], "--to: `steep` is not a number"),
        (&["--basin", "toe=0:1,theta=0:1"], "--basin: there is no `toe`"),
        (&["--basin", "theta=0:1,theta=0:1"], "is both axes"),
    ] {
        // From this start there is no step at all.
        let all = [&["orbit", walker.as_str(), "--set", "omega0=0.1", "--settle", "1000000000"], args].concat();
        let said = folder.carom(&all).ended(2);
        assert!(said.err.contains(word), "{word}: {}", said.err);
    }
}

#[test]
fn files_of_an_earlier_run_are_removed() {
    let folder = Folder::new();
    let wheel = example("rimless-wheel");
    std::fs::create_dir_all(folder.0.join("o")).unwrap();
    for name in ["branch.csv", "branch-doubled.csv", "branch.svg", "basin.svg", "notes.txt"] {
        folder.write(&format!("o/{name}"), "old");
    }
    folder.carom(&["orbit", &wheel, "--set", "omega=1.3", "--no-plots", "--out", "o"]).ended(0);
    assert!(folder.has("o/orbit.json") && folder.has("o/notes.txt"));
    for name in ["branch.csv", "branch-doubled.csv", "branch.svg", "basin.svg"] {
        assert!(!folder.has(&format!("o/{name}")), "{name}");
    }
}

/// All multipliers of an equilibrium of a conservative system are on the unit circle, and stay there.
#[test]
fn an_equilibrium_is_called_one_and_has_no_bifurcations() {
    let folder = Folder::new();
    let model = example("double-pendulum");
    let rest = ["--set", "theta1=0.01", "--set", "theta2=-0.01", "--period", "0.5", "--out", "o"];
    let more = ["--continue", "l", "--to", "1.1", "--points", "40", "--double"];
    let said = folder.carom(&[&["orbit", &model][..], &rest, &more].concat()).ended(0);
    assert!(said.out.contains("\nequilibrium  found in") && !said.out.contains("Neimark"), "{}", said.out);
    assert!(said.err.contains("the branch has no period doubling"), "{}", said.err);
    let found = folder.carom(&[&["orbit", &model, "--json", "--no-plots"][..], &rest].concat()).ended(0).json();
    assert_eq!((&found["equilibrium"], &found["stability"]), (&true.into(), &"neutral".into()));
}

/// Upright it is a saddle, `mu = exp(+-T sqrt((2 +- sqrt 2) g/l))`: what grows takes digits from what shrinks, and that is said.
#[test]
fn exact_multipliers_of_a_saddle_have_an_accuracy() {
    let folder = Folder::new();
    let model = example("double-pendulum");
    let args = ["--set", "theta1=pi", "--set", "theta2=pi", "--period", "2", "--no-plots", "--out", "s"];
    let said = folder.carom(&[&["orbit", &model][..], &args].concat()).ended(0);
    assert!(said.out.contains("to about ") && !said.out.contains("impact forget"), "{}", said.out);
    let json: Value = serde_json::from_str(&std::fs::read_to_string(folder.0.join("s/orbit.json")).unwrap()).unwrap();
    let accuracy = json["multipliers_accuracy"].as_f64().unwrap();
    assert!(accuracy < 1e-8, "{accuracy}");
    let exact = [106_372.524_703_454_11, 120.831_715_398_102_96, 0.008_275_972_882_660_075, 9.400_923_807_983_361e-6];
    for (found, exact) in json["multipliers"].as_array().unwrap().iter().zip(exact) {
        near(&found["re"], exact, accuracy);
    }
}
