//! `carom feedback`: a gait that falls without it, results, mistakes.
#![cfg(feature = "optimal-control")]

mod common;

use common::{Folder, paper};

fn gait(folder: &Folder) {
    let args = ["optimise", &paper("001/planar-gait"), "--method", "gauss3", "--no-plots", "--out", "gait", "--quiet"];
    folder.carom(&args).ended(0);
}

#[test]
fn a_gait_is_stabilised() {
    let folder = Folder::new();
    gait(&folder);
    let args = ["feedback", "gait", "--push", "th1'=-0.2", "--at", "0.3", "--steps", "6", "--pushes", "3", "--json"];
    let found = folder.carom(&args).ended(0).json();
    let radius = |key: &str| found["spectral_radius"][key].as_f64().unwrap();
    assert!(radius("open") > 1e3 && radius("closed") < 0.5, "{found}");
    assert_eq!(
        (&found["with_feedback"]["completed"], &found["without_feedback"]["completed"]),
        (&true.into(), &false.into())
    );
    assert_eq!(found["phases"][0]["gains"].as_array().unwrap().len(), 80);
    assert_eq!(found["robustness"]["steps"].as_array().unwrap().len(), 6);
    for name in ["feedback.json", "recovery.svg", "robustness.svg"] {
        assert!(folder.has(&format!("gait/{name}")), "{name}");
    }
    let text = folder.carom(&["feedback", "gait", "--steps", "2", "--no-plots", "--out", "other"]).ended(0).out;
    assert!(text.contains("open loop") && text.contains("least normal force"), "{text}");
    assert!(folder.has("other/feedback.json") && !folder.has("other/recovery.svg"));
}

#[test]
fn mistakes_are_named() {
    let folder = Folder::new();
    let ended = folder.carom(&["feedback", "nothing"]).ended(1);
    assert!(ended.err.contains("nothing"), "{}", ended.err);
    gait(&folder);
    for (args, part) in [
        (["--push", "th9'=1"], "there are: x1', y1', th1', th2', th3', th4'"),
        (["--push", "th1'=fast"], "`fast` is not a number"),
        (["--at", "2"], "lasts from 0 to 0.9"),
        (["--input-weight", "0"], "must be a positive number"),
        (["--steps", "0"], "--steps must be from 1"),
    ] {
        let ended = folder.carom(&[&["feedback", "gait"][..], &args].concat()).ended(2);
        assert!(ended.err.contains(part), "{part}: {}", ended.err);
    }
}
