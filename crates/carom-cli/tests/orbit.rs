//! `carom orbit`.

mod common;

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
    say(&["--basin", "gamma=0:1,theta=0:1"], 2, "changes how the system moves");
}
