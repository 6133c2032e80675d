//! Contacts on the command line: impacts in results, settings, energy, and runs that end early.

use crate::common;

use common::{Folder, example, paper};
use serde_json::{Value, json};

/// A ball that falls from 1 with gravity 2: impacts at t = 1, 2, 2.5, ... at half the speed each.
const BALL: &str = r#"
name = "Ball"
[parameters]
e = 0.5
[coordinates]
x = { initial = 0.0, velocity = 1.0 }
y = { initial = 1.0 }
[energy]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "2*y"
[contacts.floor]
gap = "y"
law = "newton"
restitution = "e"
doc = "even"
"#;

/// A rod that slides on its tip, too rough for any motion (Painleve).
const ROD: &str = r#"
[coordinates]
x = { initial = "-cos(pi/4)", velocity = 2.0 }
y = "sin(pi/4)"
phi = "pi/4"
[energy]
kinetic = "0.5*(x'^2 + y'^2) + phi'^2/6"
potential = "9.81*y"
[contacts.tip]
gap = "y - sin(phi)"
tangent = "x + cos(phi)"
law = "plastic"
friction = 2.0
closed = true
"#;

fn manifest(folder: &Folder, run: &str) -> Value {
    let text = std::fs::read_to_string(folder.0.join(run).join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn impacts_have_the_documented_keys() {
    let folder = Folder::new();
    let model = paper("004/ellipse");
    let json = folder.carom(&["simulate", &model, "--method", "taylor", "--json", "--no-plots"]).ended(0).json();
    assert_eq!(json["impact_count"], 2);
    let impacts = json["impacts"].as_array().unwrap();
    let times: Vec<f64> = impacts.iter().map(|impact| impact["t"].as_f64().unwrap()).collect();
    for (time, expected) in times.iter().zip([0.750550251917, 1.152508123002]) {
        assert!((time - expected).abs() < 1e-12, "{time}");
    }
    for impact in impacts {
        let expected = "balance bracket contacts energy_change energy_minus impulse iterations law \
                        p_minus p_plus q surfaces t v_minus v_plus";
        assert_eq!(keys(impact).join(" "), expected);
        assert_eq!((&impact["contacts"], &impact["law"]), (&json!(["floor"]), &json!("elastic")));
        assert_eq!(keys(&impact["v_plus"]), ["theta", "x", "y"]);
        assert!(impact["impulse"].as_f64().unwrap() > 0.0);
        assert!(impact["energy_change"].as_f64().unwrap().abs() < 1e-13);
        let (low, high) = (impact["bracket"][0].as_f64().unwrap(), impact["bracket"][1].as_f64().unwrap());
        assert!((low..=high).contains(&impact["t"].as_f64().unwrap()));
    }
    assert_eq!((&json["modes"], &json["diagnostics"]), (&json!([]), &json!([])));
}

#[test]
fn fixed_steps_agree_with_the_flow() {
    let folder = Folder::new();
    let time = |method: &str, jump: &str| {
        let model = example("double-pendulum-wall");
        let args = ["simulate", &model, "--method", method, "--jump", jump, "--until", "1", "--json", "--no-plots"];
        let json = folder.carom(&args).ended(0).json();
        assert_eq!(json["impacts"][0]["balance"]["kind"], jump);
        json["impacts"][0]["t"].as_f64().unwrap()
    };
    let truth = time("taylor", "pointwise");
    for jump in ["pointwise", "variational", "modified"] {
        assert!((time("gauss3", jump) - truth).abs() < 1e-6, "{jump}");
    }
}

#[test]
fn settings_of_contacts_are_remembered() {
    let folder = Folder::new();
    let mut args = vec!["simulate", "ball.toml", "--until", "1.5", "--quiet", "--no-plots"];
    folder.write("ball.toml", &format!("{BALL}[simulation]\njump = \"variational\"\nmax_impacts = 30\n"));
    folder.carom(&args).ended(0);
    let settings = &manifest(&folder, "runs/ball")["settings"];
    assert_eq!(settings["jump"], "variational");
    assert_eq!((&settings["multiple"], &settings["max_impacts"]), (&json!("sequential"), &json!(30)));
    // Options win over the file, and the flow has one way to jump only.
    args.extend(["--method", "taylor", "--jump", "modified", "--multiple", "simultaneous", "--max-impacts", "20"]);
    folder.carom(&args).ended(0);
    let settings = &manifest(&folder, "runs/ball")["settings"];
    assert_eq!(settings["jump"], "pointwise");
    assert_eq!((&settings["multiple"], &settings["max_impacts"]), (&json!("simultaneous"), &json!(20)));
    // Where there are no contacts, there is nothing to remember.
    folder.carom(&["simulate", &example("kepler"), "--quiet", "--no-plots"]).ended(0);
    assert_eq!(manifest(&folder, "runs/kepler")["settings"].get("jump"), None);
}

#[test]
fn check_shows_contacts() {
    let folder = Folder::new();
    folder.write("ball.toml", &format!("{BALL}[simulation]\nmultiple = \"simultaneous\"\nmax_impacts = 30\n"));
    let said = folder.carom(&["check", "ball.toml"]).ended(0);
    let table = "\
contact  gap  state  tangents  meaning  law     with
floor    1    open   0         even     newton  restitution 0.5
";
    assert!(said.out.contains(table), "{}", said.out);
    assert!(said.out.contains("simulation          multiple simultaneous, max_impacts 30\n"), "{}", said.out);
    assert!(!said.out.contains("not simulated"), "{}", said.out);
    let json = folder.carom(&["check", "ball.toml", "--json"]).ended(0).json();
    let floor = json!({
        "name": "floor", "description": "even", "law": "newton", "parameters": { "restitution": 0.5 },
        "gap": 1.0, "tangents": 0, "active": true, "closed": false,
    });
    assert_eq!(json["contacts"], json!([floor]));
    folder.write("rod.toml", ROD);
    let rod = &folder.carom(&["check", "rod.toml", "--json"]).ended(0).json()["contacts"][0];
    assert_eq!(
        (&rod["closed"], &rod["tangents"], &rod["parameters"]["friction"]),
        (&json!(true), &json!(1), &json!(2.0))
    );
}

#[test]
fn what_impacts_take_is_no_error() {
    let folder = Folder::new();
    folder.write("ball.toml", BALL);
    for method in ["taylor", "midpoint"] {
        // The first impact is at a node.
        let args = ["simulate", "ball.toml", "--method", method, "--until", "2.4", "--json", "--no-plots"];
        let said = folder.carom(&args).ended(0);
        assert_eq!(said.err, "", "{method}");
        let json = said.json();
        assert_eq!(json["impact_count"], 2, "{method}");
        assert!((json["energy"]["final"].as_f64().unwrap() - 0.625).abs() < 1e-12, "{method}");
        assert!(json["energy"]["max_abs_error"].as_f64().unwrap() < 1e-12, "{method}");
        assert_eq!(json["doubts"], json!([]));
    }
    let said = folder.carom(&["simulate", "ball.toml", "--until", "2.4", "--no-plots"]).ended(0);
    let row = |name: &str| said.out.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(row("energy").starts_with("energy    from 2.5 to 0.625; apart from the impacts, error at most "));
    assert_eq!(row("impacts"), "impacts   2 from t = 1 to 2 (newton), energy change -1.875");
}

#[test]
fn what_friction_takes_is_no_doubt() {
    let folder = Folder::new();
    let said = folder.carom(&["simulate", &example("ball-on-slope"), "--no-plots"]).ended(0);
    assert_eq!(said.err, "");
    assert!(said.out.contains("; impacts and sliding friction take it\n"), "{}", said.out);
}

#[test]
fn the_limit_of_impacts_keeps_what_was_computed() {
    let folder = Folder::new();
    folder.write("ball.toml", BALL);
    for method in ["taylor", "midpoint"] {
        let said =
            folder.carom(&["simulate", "ball.toml", "--method", method, "--max-impacts", "1", "--json"]).ended(3);
        // The time of the second impact, to rounding.
        let (time, message) = said.err.strip_prefix("error: at t = ").unwrap().split_once(' ').unwrap();
        assert!((time.parse::<f64>().unwrap() - 2.0).abs() < 1e-12, "{}", said.err);
        assert_eq!(message, "the limit of 1 impacts is reached (contact `floor`); raise `max_impacts`\n");
        let json = said.json();
        assert_eq!(json["ending"]["status"], "failed");
        assert_eq!(format!("error: {}\n", json["ending"]["message"].as_str().unwrap()), said.err);
        assert_eq!(json["impact_count"], 1);
        assert!(json["nodes"].as_u64().unwrap() >= 199);
        let stored = manifest(&folder, "runs/ball");
        assert_eq!((&stored["impact_count"], &stored["ending"]), (&json!(1), &json["ending"]));
        for file in ["nodes.parquet", "events.parquet", "modes.parquet", "coordinates.svg", "gaps.svg"] {
            assert!(folder.has(&format!("runs/ball/{file}")), "{file}");
        }
        folder.carom(&["plot", "runs/ball"]).ended(0);
    }
}

#[test]
fn a_run_without_a_first_step_is_written_too() {
    let folder = Folder::new();
    folder.write("rod.toml", ROD);
    for method in ["taylor", "midpoint"] {
        let said = folder.carom(&["simulate", "rod.toml", "--method", method, "--json"]).ended(3);
        let message = "note: no pictures are drawn: they need 2 nodes, and the run has none\n\
                       error: at t = 0 contact `tip` slides with friction";
        assert!(said.err.starts_with(message), "{}", said.err);
        assert_eq!((&said.json()["nodes"], &said.json()["final"]), (&json!(0), &Value::Null));
        assert_eq!(manifest(&folder, "runs/rod")["ending"]["status"], "failed");
        folder.carom(&["plot", "runs/rod"]).ended(0);
    }
}
