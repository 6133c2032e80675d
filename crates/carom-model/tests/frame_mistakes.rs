//! Mistakes in `[frame]`, each reported where it is made; `«` marks the place.

use crate::marked;

use marked::{check, diagnostics, words};

const HEAD: &str = "lagrangian = \"0.5*(x'^2 + y'^2 + theta'^2)\"\n[coordinates]\nx = 0\ny = 0\ntheta = 1\n";
const FORWARD: &str = "[frame.forward]\nfield = { x = \"cos(theta)\", y = \"sin(theta)\" }\n";
const TURN: &str = "[frame.turn]\nfield = { theta = 1 }\n";
const BLADE: &str = "[velocity_constraints]\nblade = \"sin(theta)*x' - cos(theta)*y'\"\n";

fn check_frame(codes: &[&str], parts: &[&str]) {
    check(codes, &format!("{HEAD}{}", parts.concat()));
}

/// The only remark, as `message / help`.
fn said(code: &str, parts: &[&str]) -> String {
    check_frame(&[code], parts);
    words(&diagnostics(&format!("{HEAD}{}", parts.concat()).replace('«', ""))[0])
}

#[test]
fn keys_and_types() {
    check_frame(&["wrong-type"], &["[frame]\nforward = «\"cos(theta)\"\n"]);
    check(&["wrong-type"], &format!("frame = «3\n{HEAD}"));
    check_frame(&["wrong-type"], &["[frame.forward]\nfield = «\"cos(theta)\"\n", TURN]);
    check_frame(&["wrong-type"], &["[frame.forward]\nfield = { x = «[1], y = 1 }\n", TURN]);
    check_frame(&["wrong-type"], &[FORWARD, "admissible = «1\n", TURN]);
    check_frame(&["wrong-type"], &[FORWARD, "unit = «1\n", TURN]);
    check_frame(&["wrong-type"], &[FORWARD, "doc = «1\n", TURN]);
    check_frame(&["wrong-type"], &[FORWARD, "initial = «true\n", TURN]);
    check_frame(&["not-finite"], &[FORWARD, "initial = «inf\n", TURN]);
    check_frame(&["missing-key"], &["[frame.«forward]\ninitial = 1\n", TURN]);
    check_frame(&["missing-key"], &["[frame.forward]\nfield = «{}\n", TURN]);
    let said = said("unknown-key", &[FORWARD, "«inital = 1\n", TURN]);
    assert!(said.contains("did you mean `initial`? allowed keys: field, initial, admissible, unit, doc"), "{said}");
    check_frame(&["unknown-key"], &["[frame.forward]\n«x = 1\nfield = { x = 1 }\n", TURN]);
    check_frame(&["unknown-key"], &["[«frames.turn]\nfield = { theta = 1 }\n"]);
}

#[test]
fn components() {
    let said = said("unknown-coordinate", &["[frame.turn]\nfield = { «thet = 1 }\n", FORWARD]);
    assert!(said.contains("field `turn` has a component along `thet`") && said.contains("`theta`"), "{said}");
    check_frame(&["unknown-name"], &["[frame.turn]\nfield = { theta = \"2*«k\" }\n", FORWARD]);
    check_frame(&["not-allowed"], &["[frame.turn]\nfield = { theta = \"«x'\" }\n", FORWARD]);
    check_frame(&["not-allowed"], &["[frame.turn]\nfield = { theta = \"1 + «t\" }\n", FORWARD]);
    check_frame(&["not-allowed"], &["[frame.turn]\nfield = { theta = \"«turn\" }\n", FORWARD]);
    check_frame(&["not-allowed"], &[FORWARD, TURN, "[forces]\nx = \"-«forward'\"\n"]);
    check_frame(&["not-allowed"], &[FORWARD, "initial = \"2*«theta\"\n", TURN]);
    check_frame(&["not-finite"], &[FORWARD, "[frame.turn]\nfield = «{ theta = \"1/x\" }\n"]);
    check_frame(&["expression"], &["[frame.turn]\nfield = { theta = \"2*«\" }\n", FORWARD]);
}

#[test]
fn names() {
    check_frame(&["duplicate-name"], &[TURN, "[frame.«x]\nfield = { x = 1 }\n"]);
    check_frame(&["duplicate-name"], &["[parameters]\nturn = 1\n", FORWARD, "[frame.«turn]\nfield = { theta = 1 }\n"]);
    check_frame(&["duplicate-name"], &["[inputs]\nturn = 1\n", FORWARD, "[frame.«turn]\nfield = { theta = 1 }\n"]);
    check_frame(&["reserved-name"], &[FORWARD, "[frame.«sin]\nfield = { theta = 1 }\n"]);
    check_frame(&["bad-name"], &[FORWARD, "[frame.«\"2 turns\"]\nfield = { theta = 1 }\n"]);
    // Constraints that follow from the fields have names too.
    check_frame(&["duplicate-name"], &[FORWARD, TURN, "[contacts.«frame1]\ngap = \"x + 1\"\n"]);
    let across = "[frame.across]\nfield = { x = \"-sin(theta)\", y = \"cos(theta)\" }\nadmissible = false\n";
    check_frame(&["duplicate-name"], &[FORWARD, TURN, across, "[contacts.«across]\ngap = \"x + 1\"\n"]);
}

#[test]
fn sizes() {
    let said_more = said("frame-size", &[FORWARD, TURN, "[frame.«up]\nfield = { y = 1 }\n", BLADE]);
    assert!(said_more.contains("3 fields and 1 velocity constraints") && said_more.contains("give 2"), "{said_more}");
    check_frame(&["frame-size"], &["[frame.«turn]\nfield = { theta = 1 }\n", BLADE]);
    check_frame(&["frame-size"], &[FORWARD, TURN, "[frame.a]\nfield = { x = 1 }\n[frame.«b]\nfield = { y = 1 }\n"]);
    check_frame(&["frame-size"], &[FORWARD, "[frame.«up]\nfield = { y = 1 }\nadmissible = false\n"]);
    let up = "[frame.up]\nfield = { y = 1 }\n[frame.«down]\nfield = { y = \"-1 - x^2\" }\nadmissible = false\n";
    assert!(said("frame-size", &[FORWARD, TURN, up]).contains("remove it"));
    let none = ["[frame.«turn]\nfield = { theta = 1 }\nadmissible = false\n", BLADE];
    assert!(said("frame-size", &none).contains("no field of the frame is admissible"));
    check_frame(&["too-many"], &["[constraints]\n«a = \"x\"\n", TURN]);
    check_frame(&["too-many"], &["[constraints]\na = \"x\"\nb = \"y\"\n[velocity_constraints]\n«c = \"theta'\"\n"]);
}

#[test]
fn fields_that_do_not_fit_the_constraints() {
    let said = said("not-admissible", &["[frame.up]\nfield = «{ y = 1 }\n", TURN, BLADE]);
    assert!(said.contains("field `up` violates velocity constraint `blade`"), "{said}");
    assert!(said.contains("(on line 11)") && said.contains("`admissible = false`"), "{said}");
}

#[test]
fn fields_that_depend_on_each_other() {
    check_frame(&["dependent-fields"], &[TURN, "[frame.«twice]\nfield = { theta = \"2 + x^2\" }\n"]);
    check_frame(&["dependent-fields"], &[FORWARD, "[frame.turn]\nfield = «{ theta = 0 }\n"]);
    // Only where the motion begins.
    let said_here = said("dependent-fields", &[FORWARD, "[frame.turn]\nfield = «{ theta = \"x\" }\n"]);
    assert!(said_here.contains("depends on the fields before it at the initial state"), "{said_here}");
    let said_zero = said("dependent-fields", &["[frame.turn]\nfield = «{ theta = \"x\" }\n", FORWARD]);
    assert!(said_zero.contains("is zero at the initial state"), "{said_zero}");
}

#[test]
fn initial_quasivelocities_exclude_velocities() {
    let head = HEAD.replace("y = 0", "y = { velocity = «0 }");
    check(&["conflict"], &format!("{head}{FORWARD}initial = 1\n{TURN}"));
    let found = diagnostics(&format!("{head}{FORWARD}initial = 1\n{TURN}").replace('«', ""));
    let said = words(&found[0]);
    assert!(said.contains("velocity of `y`") && said.contains("field `forward`"), "{said}");
    assert!(said.contains("on line 8"), "{said}");
    let across =
        "[frame.across]\nfield = { x = \"-sin(theta)\", y = \"cos(theta)\" }\nadmissible = false\ninitial = «1\n";
    check_frame(&["conflict"], &[FORWARD, TURN, across]);
}
