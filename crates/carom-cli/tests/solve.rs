//! `carom optimise --dump` and `carom solve`: programs for bug reports.
#![cfg(feature = "optimal-control")]

use crate::common;

use common::{Folder, example};

fn dump(folder: &Folder, name: &str) -> serde_json::Value {
    let problem = example(&format!("optimal/{name}"));
    let said = folder.carom(&["optimise", &problem, "--dump", "d.json", "--json", "--no-plots"]).ended(0);
    said.json()
}

#[test]
fn programs_are_solved_again() {
    let folder = Folder::new();
    let solved = dump(&folder, "hopper");
    let said = folder.carom(&["solve", "d.json"]).ended(0);
    assert_eq!(said.err, "");
    let line = |name: &str| said.out.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    let size = format!("program    d.json: {} unknowns, {} rows", solved["variables"], solved["rows"]);
    assert_eq!(line("program "), size);
    assert_eq!(line("objective "), "objective  109.6189327");
    assert_eq!(line("solver "), "solver     interior");
    assert!(line("status ").starts_with("status     converged after "), "{}", said.out);
    assert!(line("residuals ").starts_with("residuals  feasibility "), "{}", said.out);
    assert!(line("worst ").contains("row `"), "{}", said.out);
    let json = folder.carom(&["solve", "d.json", "--json", "--solver", "interior"]).ended(0).json();
    assert_eq!((&json["converged"], &json["solver"]), (&true.into(), &"interior".into()));
    let [found, expected] = [&json, &solved].map(|json| json["objective"].as_f64().unwrap());
    assert!((found - expected).abs() < 1e-8 * expected);
    assert!(json["worst"][0]["name"].is_string() && json["dependent"].is_array());
}

#[test]
fn dependent_rows_are_named() {
    let folder = Folder::new();
    let problem = example("optimal/hopper");
    let said = folder.carom(&["optimise", &problem, "--dump", "d.json", "--no-plots"]).ended(0);
    assert!(said.out.contains("\n           rows that depend on others: row `landing / next "), "{}", said.out);
    let said = folder.carom(&["solve", "d.json"]).ended(0);
    assert!(said.out.contains("\ndependent  row `landing / next "), "{}", said.out);
}

#[test]
fn a_search_that_does_not_converge() {
    let folder = Folder::new();
    dump(&folder, "swing-up");
    let said = folder.carom(&["solve", "d.json", "--max-iterations", "3", "--solver", "interior"]).ended(3);
    assert_eq!(said.err, "error: the search did not converge: iteration limit reached; raise --max-iterations\n");
    assert!(said.out.contains("\nstatus     NOT CONVERGED: iteration limit reached after 3 iterations in "));
    assert!(said.out.contains("\nworst      row `swing / node "), "{}", said.out);
    let said = folder.carom(&["solve", "d.json", "--max-seconds", "1e-9", "--quiet"]).ended(3);
    assert_eq!(said.out, "");
    let said = folder.carom(&["solve", "d.json", "--verbose", "--solver", "interior"]).ended(0);
    let last = said.err.lines().last().unwrap();
    assert!(last.trim_start().starts_with("end ") && last.ends_with("converged"), "{}", said.err);
}

#[test]
fn damaged_files_are_named() {
    let folder = Folder::new();
    dump(&folder, "block-move");
    let text = std::fs::read_to_string(folder.0.join("d.json")).unwrap();
    let expect = |text: &str, message: &str| {
        folder.write("x.json", text);
        let said = folder.carom(&["solve", "x.json"]).ended(1);
        assert_eq!(said.out, "");
        assert!(said.err.starts_with(message), "{}", said.err);
    };
    expect("{", "error: `x.json` is not JSON: EOF while parsing");
    expect("{}", "error: `x.json` is not a program: format: expected a value, found nothing");
    expect(&text[..text.len() / 2], "error: `x.json` is not JSON: ");
    let message = "error: `x.json` is not a program: this is version 7 of the format; version 1 can be read";
    expect(&text.replace("\"version\":1", "\"version\":7"), message);
    let message = "error: `x.json` is not a program: kernels[0].nodes[";
    expect(&text.replacen("[\"variable\",", "[\"varable\",", 1), message);
    let said = folder.carom(&["solve", "missing.json"]).ended(1);
    assert!(said.err.starts_with("error: `missing.json` cannot be read: "), "{}", said.err);
    let problem = example("optimal/block-move");
    let said = folder.carom(&["optimise", &problem, "--dump", "no/folder/d.json"]).ended(1);
    assert!(said.err.starts_with("error: `no/folder/d.json` cannot be written: "), "{}", said.err);
    assert!(!folder.0.join("runs/block-move/solution.json").exists() || folder.has("runs/block-move/manifest.json"));
}

#[test]
fn wrong_settings() {
    let folder = Folder::new();
    dump(&folder, "block-move");
    for (option, value, message) in [
        ("--solver", "simplex", "error: there is no solver `simplex`; solvers: "),
        ("--tolerance", "-1", "error: --tolerance is `-1`, but must be a positive number"),
        ("--tolerance", "inf", "error: --tolerance is `inf`, but must be a positive number"),
        ("--max-iterations", "1.5", "error: --max-iterations is 1.5, but must be an integer from 1 to "),
        ("--max-seconds", "soon", "error: --max-seconds is `soon`, but must be a positive number"),
    ] {
        let said = folder.carom(&["solve", "d.json", option, value]).ended(2);
        assert!(said.err.starts_with(message), "{}", said.err);
    }
}
