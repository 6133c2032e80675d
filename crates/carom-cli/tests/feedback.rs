//! `carom feedback`: a gait that falls without it, results, mistakes.
#![cfg(feature = "optimal-control")]

use crate::common;

use common::{Folder, example, paper};

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
fn no_push_and_few_pushes() {
    let folder = Folder::new();
    gait(&folder);
    let args = ["feedback", "gait", "--push", "th1'=0", "--steps", "2", "--pushes", "1"];
    let said = folder.carom(&args).ended(0);
    assert!(said.out.contains("push        none"), "{}", said.out);
    assert!(said.out.contains("of 6 pushes are forgotten"), "{}", said.out);
}

/// A motion that ends where it ends: how far from the plan that is.
#[test]
fn a_motion_that_is_not_periodic_has_a_distance() {
    let folder = Folder::new();
    let problem = example("optimal/swing-up");
    folder.carom(&["optimise", &problem, "--no-plots", "--out", "o", "--quiet"]).ended(0);
    let said = folder.carom(&["feedback", "o", "--no-plots"]).ended(0);
    assert!(said.out.contains("the motion was followed to its end; at the end"), "{}", said.out);
    let found = folder.carom(&["feedback", "o", "--no-plots", "--json"]).ended(0).json();
    let distance = |key: &str| found[key]["final_distance"].as_f64().unwrap();
    assert!(distance("with_feedback") < distance("without_feedback"), "{found}");
}

#[test]
fn mistakes_are_named() {
    let folder = Folder::new();
    for option in ["--pushes", "--steps"] {
        let ended = folder.carom(&["feedback", "nothing", option, "-1"]).ended(1);
        assert!(ended.err.contains("write a whole number from 0"), "{}", ended.err);
    }
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
