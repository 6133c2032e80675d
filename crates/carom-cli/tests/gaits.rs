//! `carom optimise` with a section [gait]: starts, measures, seeds.
#![cfg(feature = "optimal-control")]

use crate::common;

use common::{Folder, example, paper};
use serde_json::Value;

/// The planar gait of the thesis on a coarse mesh, beside its model.
fn small(folder: &Folder) {
    let model = std::fs::read_to_string(paper("001/planar-biped")).unwrap();
    folder.write("planar-biped.toml", &model);
    let gait = std::fs::read_to_string(paper("001/planar-gait")).unwrap();
    assert!(gait.contains("intervals = 80\n") && gait.contains("\nguess = "));
    let gait: Vec<&str> = gait.lines().filter(|line| !line.starts_with("guess = ")).collect();
    folder.write("gait.toml", &gait.join("\n").replace("intervals = 80", "intervals = 12"));
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn starts_and_measures() {
    let folder = Folder::new();
    small(&folder);
    let args = ["optimise", "gait.toml", "--starts", "2", "--seed", "3", "--json", "--no-plots", "--no-audit"];
    let first = folder.carom(&args).ended(0).json();
    let starts = first["gait"]["starts"].as_array().unwrap();
    assert_eq!(starts.len(), 2);
    let mut numbers: Vec<u64> = starts.iter().map(|start| start["start"].as_u64().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1]);
    assert_eq!((&starts[0]["taken"], &starts[1]["taken"]), (&true.into(), &false.into()));
    assert_eq!((&starts[0]["converged"], &starts[0]["status"]), (&true.into(), &"converged".into()));
    assert_eq!(starts[0]["cost"], first["objective"]);
    assert_eq!((&starts[0]["audit"], &first["audit"]), (&Value::Null, &Value::Null));
    assert!(number(&starts[0]["cost"]) <= number(&starts[1]["cost"]) || starts[1]["converged"] == false);
    assert!(number(&starts[0]["iterations"]) > 1.0);
    assert_eq!(first["gait"]["failures"], Value::Array(Vec::new()));
    let found = &first["gait"]["measures"];
    for (name, expected) in [("weight", 98.1), ("length", 0.56), ("speed", 0.56 / 0.9)] {
        assert!((number(&found[name]) - expected).abs() < 1e-9, "{name}: {found}");
    }
    let energy = |name: &str| number(&found[name]["energy"]);
    let (net, positive, absolute) = (energy("net"), energy("positive"), energy("absolute"));
    assert!((2.0 * positive - absolute - net).abs() < 1e-9 && absolute >= energy("net_absolute"), "{found}");
    assert!((number(&found["net"]["eta"]) - net / (98.1 * 0.56)).abs() < 1e-9, "{found}");
    // The effort is the cost.
    assert!((1e-2 * number(&found["u2"]) / (98.1 * 0.56) - number(&first["objective"])).abs() < 1e-9, "{found}");
    assert!(number(&found["impact_loss"]) > 0.0 && number(&found["largest_torque"]) > 0.0);
    assert!(number(&found["least_normal_force"]).is_finite() && number(&found["largest_friction"]) > 0.0);
    // The same seed finds the same.
    let again = folder.carom(&args).ended(0).json();
    assert_eq!((&again["gait"], &again["objective"]), (&first["gait"], &first["objective"]));
    // Another seed begins elsewhere.
    let other = folder.carom(&[&args[..4], &["--seed", "4"], &args[6..]].concat()).ended(0).json();
    assert_ne!(other["gait"]["starts"], first["gait"]["starts"]);
    let manifest = std::fs::read_to_string(folder.0.join("runs/gait/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let settings = &manifest["settings"]["gait"];
    assert_eq!((&settings["starts"], &settings["seed"]), (&2.into(), &4.into()));
}

#[test]
fn starts_are_told() {
    let folder = Folder::new();
    small(&folder);
    let args = ["optimise", "gait.toml", "--starts", "2", "--seed", "3", "--no-plots", "--no-audit"];
    let said = folder.carom(&args).ended(0);
    let rows: Vec<Vec<&str>> = said.out.lines().map(|line| line.split_whitespace().collect()).collect();
    let head = rows.iter().position(|row| row[..] == ["gait", "start", "cost", "status", "audit"]).unwrap();
    assert_eq!((rows[head + 1][0], rows[head + 2][0]), ("taken", "-"), "{}", said.out);
    assert!(rows[head + 1].ends_with(&["not", "audited"]), "{}", said.out);
    for name in ["work of the joints ", "net ", "positive ", "absolute ", "loss of the impact ", "squared torques "] {
        assert!(said.out.contains(&format!("\n{name}")), "{name} in {}", said.out);
    }
}

#[test]
fn starts_belong_to_gaits() {
    let folder = Folder::new();
    let problem = example("optimal/bounce");
    for option in ["--starts", "--seed", "--hops"] {
        let said = folder.carom(&["optimise", &problem, option, "2", "--no-plots"]).ended(2);
        let message = "--starts, --seed and --hops belong to searches of gaits; the problem has no [gait]";
        assert!(said.err.contains(message) && said.out.is_empty(), "{said:?}");
    }
}

#[test]
fn mistakes_of_a_gait_are_shown_in_the_file() {
    let folder = Folder::new();
    small(&folder);
    for (option, words) in [("--starts=0", "must be at least 1"), ("--discover", "leave --discover away")] {
        let said = folder.carom(&["optimise", "gait.toml", option, "--no-plots"]).ended(2);
        assert!(said.err.contains(words), "{said:?}");
    }
    let gait = std::fs::read_to_string(folder.0.join("gait.toml")).unwrap();
    folder.write("gait.toml", &gait.replace("th3 = \"-th3\"", "th3 = \"th3\""));
    let said = folder.carom(&["optimise", "gait.toml"]).ended(2);
    assert!(said.err.contains("error[gait]: ") && said.err.contains("it does not exchange the legs"), "{}", said.err);
    // At the relabelling, with what it must do.
    assert!(said.err.contains("gait.toml:10:11") && said.err.contains("the stance leg takes"), "{}", said.err);
}

/// The audit of a gait on a coarse mesh does not pass: 4, and it says so of the start that was taken.
#[test]
fn coarse_gaits_are_labelled() {
    let folder = Folder::new();
    small(&folder);
    let json = folder.carom(&["optimise", "gait.toml", "--json", "--no-plots"]).ended(4).json();
    let start = &json["gait"]["starts"][0];
    assert_eq!((&start["audit"]["passed"], &json["audit"]["passed"]), (&false.into(), &false.into()));
    assert_eq!((&start["taken"], &start["converged"]), (&true.into(), &true.into()));
}
