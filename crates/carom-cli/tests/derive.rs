//! `carom derive`: two ways to one derivative, refusals, mistakes.

use crate::common;

use common::{Folder, paper};
use serde_json::Value;

fn matrix(value: &Value) -> Vec<f64> {
    let rows = value.as_array().unwrap().iter();
    rows.flat_map(|row| row.as_array().unwrap().iter().map(|entry| entry.as_f64().unwrap()).collect::<Vec<_>>())
        .collect()
}

/// Discrete mechanics and the reference flow share the jump and nothing else.
#[test]
fn steps_and_flow_agree() {
    let folder = Folder::new();
    let (model, by) = (paper("004/ellipse"), "a,g,m");
    let run = |method: &str| {
        let args = ["derive", &model, "--until", "1.3", "--by", by, "--method", method, "--step", "0.01", "--json"];
        folder.carom(&args).ended(0).json()
    };
    let (steps, flow) = (run("gauss4"), run("taylor"));
    assert_eq!(steps["events"].as_array().unwrap().len(), 2);
    for key in ["by_state", "by_parameters"] {
        let (a, b) = (matrix(&steps[key]), matrix(&flow[key]));
        let size = b.iter().fold(1.0_f64, |most, entry| most.max(entry.abs()));
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9 * size), "{key}: {a:?} {b:?}");
    }
    for (a, b) in steps["events"].as_array().unwrap().iter().zip(flow["events"].as_array().unwrap()) {
        let (a, b) = (matrix(&a["saltation"]), matrix(&b["saltation"]));
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-7 * (1.0 + b.abs())), "{a:?} {b:?}");
    }
}

#[test]
fn tables_name_rows_and_columns() {
    let folder = Folder::new();
    let text = folder.carom(&["derive", &paper("004/ellipse"), "--until", "1", "--by", "g"]).ended(0).out;
    let head = ["model", "method  ", "step    0.0"];
    head.iter().for_each(|part| assert!(text.contains(part), "{part} in\n{text}"));
    for part in ["end, t = 1", "by theta'", "parameters  by g", "impact of floor, t = 0.7505502519: saltation matrix"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn what_has_no_derivative_is_refused() {
    let folder = Folder::new();
    folder.write(
        "ball.toml",
        "lagrangian = \"0.5*y'^2 - 9.81*y\"\n[coordinates]\ny = 1.0\n[contacts.floor]\ngap = \"y\"\nlaw = \"newton\"\nrestitution = 0.5\n",
    );
    let ended = folder.carom(&["derive", "ball.toml", "--until", "2"]).ended(3);
    assert!(ended.err.contains("impacts of `floor` accumulate"), "{}", ended.err);
    let ended = folder.carom(&["derive", "ball.toml", "--by", "m"]).ended(2);
    assert!(ended.err.contains("there is no parameter `m`"), "{}", ended.err);
    for (by, part) in [("", "a name is missing"), ("g,,a", "a name is missing"), ("g,a,g", "`g` is given twice")] {
        let ended = folder.carom(&["derive", &paper("004/ellipse"), "--until", "1", "--by", by]).ended(2);
        assert!(ended.err.contains(part), "{part}: {}", ended.err);
    }
    let ended = folder.carom(&["derive", "ball.toml", "--method", "energy(midpoint)"]).ended(2);
    assert!(ended.err.contains("discrete energy"), "{}", ended.err);
}

#[test]
fn second_derivatives_of_smooth_runs() {
    let folder = Folder::new();
    // Two steps of the midpoint rule: y = y0 + v0 t - g t^2/2 exactly, with g = k^2.
    folder.write(
        "fall.toml",
        "lagrangian = \"0.5*y'^2 - k^2*y\"\n[parameters]\nk = 3.0\n[coordinates]\ny = 1.0\n[contacts.floor]\ngap = \"y + 1\"\nlaw = \"elastic\"\n",
    );
    let run = |until: &str, name: &str| {
        folder.carom(&[
            "derive",
            "fall.toml",
            "--until",
            until,
            "--step",
            "0.1",
            "--by",
            "k",
            "--second",
            name,
            "--json",
        ])
    };
    let object = run("0.2", "y").ended(0).json();
    assert_eq!(object["second"]["of"], "y");
    let hessian = matrix(&object["second"]["hessian"]);
    assert!((hessian[8] + 0.04).abs() < 1e-15 && hessian[..8].iter().all(|entry| entry.abs() < 1e-15), "{hessian:?}");
    let ended = run("1", "y").ended(3);
    assert!(ended.err.contains("second derivative through impacts"), "{}", ended.err);
    let ended = run("0.2", "x").ended(2);
    assert!(ended.err.contains("there is no coordinate or rate `x`"), "{}", ended.err);
}
