//! Every mistake in a tree is reported where it is made; `«` marks the place.

use crate::marked;

use marked::{check, diagnostics, words};

/// A sound tree, for mistakes in other sections.
const TREE: &str = "[bodies.a]\njoint = \"revolute\"\naxis = \"y\"\ncoordinates = \"q\"\nmass = 1\ncentre = [1, 0, 0]\n\
                    [points.p]\nbody = \"a\"\nat = [1, 0, 0]\n[points.o]\nbody = \"world\"\n";

/// A mistake in the joint of a second body.
fn body(codes: &[&str], marked: &str) {
    check(codes, &format!("{TREE}[bodies.b]\nmass = 1\n{marked}\n"));
}

/// A mistake below the tree.
fn below(codes: &[&str], marked: &str) {
    check(codes, &format!("{TREE}{marked}\n"));
}

/// What is said about the only mistake.
fn said(text: &str) -> String {
    let found = diagnostics(&format!("{TREE}{text}\n"));
    assert_eq!(found.len(), 1, "{found:?}");
    words(&found[0])
}

#[test]
fn parents() {
    body(&["unknown-name"], "parent = «\"c\"");
    assert_eq!(
        said("[bodies.b]\nparent = \"elbow\""),
        "body `b` hangs on `elbow`, which is no body / bodies: world, a, b"
    );
    below(&["cycle"], "[bodies.b]\nparent = «\"c\"\n[bodies.c]\nparent = \"d\"\n[bodies.d]\nparent = \"b\"");
    assert!(said("[bodies.b]\nparent = \"c\"\n[bodies.c]\nparent = \"b\"").contains("hangs on itself: b -> c -> b"));
    below(&["cycle"], "[bodies.b]\nparent = «\"b\"");
    below(&["reserved-name"], "[bodies.«world]\nmass = 1");
    below(&["wrong-type"], "[bodies]\nb = «3");
    body(&["wrong-type"], "parent = «3");
}

#[test]
fn coordinates_of_no_joint() {
    below(&["unknown-coordinate"], "[coordinates]\n«p = 0.5");
    assert!(said("[coordinates]\nqq = 0.5").contains("`qq` belongs to no joint / did you mean `q`?"));
    // With terms of one's own it may move.
    let own = format!("{TREE}[energy]\nkinetic = \"s'^2\"\n[coordinates]\ns = 0.5\n");
    assert!(carom_model::Model::from_text(&own, "own.toml", &[]).is_ok());
}

#[test]
fn robots_are_no_models() {
    let found = diagnostics("<robot name=\"r\">\n</robot>\n");
    assert_eq!((found.len(), found[0].code), (1, "not-a-model"), "{found:?}");
}

#[test]
fn joints() {
    body(&["unknown-value"], "joint = «\"hinge\"");
    assert!(said("[bodies.b]\njoint = \"hinge\"").contains("joints: fixed, revolute, prismatic, universal"));
    check(&["missing-key"], &format!("{TREE}[bodies.«b]\njoint = \"revolute\"\ncoordinates = \"r\"\n"));
    check(
        &["missing-key"],
        &format!("{TREE}[bodies.«b]\njoint = \"spherical\"\ncoordinates = [\"r\", \"s\", \"u\"]\n"),
    );
    check(&["missing-key"], &format!("{TREE}[bodies.«b]\njoint = \"planar\"\n"));
    body(&["wrong-type"], "joint = \"planar\"\ncoordinates = «[\"r\", \"s\"]");
    body(&["wrong-type"], "joint = \"revolute\"\naxis = \"y\"\ncoordinates = «[\"r\", \"s\"]");
    body(&["wrong-type"], "joint = \"universal\"\naxes = «\"zyx\"\ncoordinates = [\"r\", \"s\"]");
    body(&["conflict"], "«axis = \"y\"");
    body(&["conflict"], "joint = \"spherical\"\n«axis = \"y\"\ncoordinates = [\"r\", \"s\", \"u\"]");
    body(&["conflict"], "joint = \"revolute\"\n«axes = \"y\"\ncoordinates = \"r\"");
    body(&["conflict"], "«coordinates = \"r\"");
    body(&["conflict"], "«stiffness = 3");
    body(&["wrong-type"], "joint = \"planar\"\ncoordinates = [\"r\", \"s\", \"u\"]\nstiffness = «3");
    body(&["duplicate-name"], "joint = \"revolute\"\naxis = \"y\"\ncoordinates = «\"q\"");
    body(&["unknown-key"], "«masss = 3");
}

#[test]
fn axes() {
    let revolute = |axis: &str| format!("joint = \"revolute\"\ncoordinates = \"r\"\naxis = {axis}");
    body(&["no-direction"], &revolute("[«0, 0, 0]"));
    body(&["unknown-value"], &revolute("«\"w\""));
    body(&["unknown-value"], &revolute("«\"xy\""));
    body(&["wrong-type"], &revolute("«[0, 1]"));
    body(&["wrong-type"], &revolute("«1"));
    body(&["unknown-name"], &revolute("[\"«n\", 0, 1]"));
    let spherical = |axes: &str| format!("joint = \"spherical\"\ncoordinates = [\"r\", \"s\", \"u\"]\naxes = {axes}");
    body(&["redundant"], &spherical("«\"zzx\""));
    body(&["redundant"], &spherical("«[\"z\", [0, 0, -2], \"x\"]"));
    body(&["unknown-value"], &spherical("«\"abc\""));
    body(&["no-direction"], &spherical("[\"z\", [«0, 0, 0], \"x\"]"));
}

#[test]
fn numbers_of_bodies() {
    check(
        &["out-of-range"],
        "[parameters]\nm = -2\n[bodies.a]\njoint = \"revolute\"\naxis = \"y\"\ncoordinates = \"q\"\nmass = «\"m/2\"\ninertia = [1, 1, 1]\n",
    );
    body(&["out-of-range"], "inertia = [«1, -1, 1]");
    body(&["out-of-range"], "inertia = [«1, 1, 1, 2, 0, 0]");
    body(&["wrong-type"], "inertia = «[1, 1]");
    body(&["wrong-type"], "at = «[1, 1]");
    body(&["wrong-type"], "at = «3");
    body(&["not-finite"], "at = [«\"1/0\", 0, 0]");
    body(&["not-allowed"], "at = [\"«q\", 0, 0]");
    body(&["not-allowed"], "at = [\"«p_x\", 0, 0]");
    body(&["not-allowed"], "turn = [0, \"«q\", 0]");
    below(&["not-allowed"], "[world]\ngravity = [0, 0, \"-«q\"]");
    below(&["unknown-value"], "[world]\nview = «\"xx\"");
    below(&["unknown-value"], "[world]\nview = «\"-xz\"");
    below(&["wrong-type"], "[world]\nview = «[1, 2, 3]");
    below(&["unknown-key"], "[world]\n«gravitation = 3");
}

#[test]
fn points() {
    below(&["unknown-name"], "[points.r]\nbody = «\"c\"");
    below(&["missing-key"], "[points.«r]\nat = [0, 0, 0]");
    below(&["duplicate-name"], "[points.«r]\nbody = \"a\"\n[parameters]\nr_x = 1\n[forces]\nq = \"r_x\"");
    below(&["duplicate-name"], "[points.«r]\nbody = \"a\"\n[definitions]\nr_z = \"q\"");
    below(&["bad-name"], "[points.«my-point]\nbody = \"a\"");
    below(&["unknown-name"], "[forces]\nq = \"«r_x\"");
    assert!(said("[points.r]\nbody = \"elbow\"").contains("bodies: world, a"));
}

#[test]
fn loops_and_springs() {
    // Something else can move.
    let looped = |codes: &[&str], marked: &str| {
        let free = "[bodies.free]\njoint = \"planar\"\ncoordinates = [\"u\", \"v\", \"w\"]\nmass = 1\ninertia = [1, 1, 1]\n\
                    [points.f]\nbody = \"free\"\nat = [0, 1, 0]\n";
        below(codes, &format!("{free}{marked}"));
    };
    looped(&["unknown-name"], "[loops.l]\npoints = [\"p\", «\"r\"]");
    looped(&["wrong-type"], "[loops.l]\npoints = «[\"p\"]");
    looped(&["missing-key"], "[loops.«l]\ndirections = \"x\"");
    looped(&["unknown-value"], "[loops.l]\npoints = [\"p\", \"o\"]\ndirections = «\"xx\"");
    looped(&["conflict"], "[loops.l]\npoints = [\"f\", \"o\"]\ndirections = \"x\"\n«distance = 1");
    looped(&["not-positive"], "[loops.l]\npoints = [\"p\", \"o\"]\ndistance = «0");
    // The distance of the points is always one; nothing moves along y.
    looped(&["constant"], "[loops.«l]\npoints = [\"p\", \"o\"]\ndistance = 1");
    looped(&["constant"], "[loops.«l]\npoints = [\"o\", \"o\"]");
    looped(&["constant"], "[loops.«l]\npoints = [\"p\", \"o\"]\ndirections = \"xy\"");
    looped(&["duplicate-name"], "[constraints]\nl_x = \"q\"\n[loops.«l]\npoints = [\"o\", \"p\"]\ndirections = \"x\"");
    below(&["too-many"], "[loops.«l]\npoints = [\"p\", \"o\"]\ndirections = \"x\"");
    below(&["unknown-name"], "[springs.s]\npoints = [«\"r\", \"p\"]\nstiffness = 1");
    below(&["missing-key"], "[springs.«s]\npoints = [\"o\", \"p\"]\nrest = 1");
    below(&["unknown-key"], "[springs.s]\npoints = [\"o\", \"p\"]\nstiffness = 1\n«lenght = 1");
}

#[test]
fn contacts() {
    below(&["conflict"], "[contacts.c]\ngap = \"q + 9\"\n«point = \"p\"");
    below(&["unknown-name"], "[contacts.c]\npoint = «\"foot\"");
    below(&["conflict"], "[contacts.c]\ngap = \"q + 9\"\n«radius = 1");
    below(&["missing-key"], "[contacts.«c]\nradius = 1");
    below(&["out-of-range"], "[contacts.c]\npoint = \"p\"\nplane = { offset = -9 }\nradius = «-1");
    below(&["no-direction"], "[contacts.c]\npoint = \"p\"\nplane = { normal = [«0, 0, 0] }");
    below(&["unknown-key"], "[contacts.c]\npoint = \"p\"\nplane = { «height = 1 }");
    below(&["wrong-type"], "[contacts.c]\npoint = \"p\"\nplane = «[0, 0, 1]");
    below(&["constant"], "[contacts.c]\npoint = «\"o\"");
    below(&["overlap"], "[contacts.c]\npoint = «\"p\"\nplane = { offset = 1 }");
    // A ball has no tangents of its own.
    below(
        &["missing-key"],
        "[contacts.c]\npoint = \"p\"\nradius = 0.5\nplane = { offset = -9 }\nlaw = «\"moreau\"\nrestitution = 1\nfriction = 0.1",
    );
}

#[test]
fn drawings_of_trees() {
    below(&["unknown-name"], "[[draw]]\ntype = \"point\"\nat = «\"r\"");
    below(&["unknown-name"], "[[draw]]\ntype = \"point\"\nat = [0, 0, 0]\nbody = «\"c\"");
    below(&["conflict"], "[[draw]]\ntype = \"point\"\nat = [0, 0]\n«body = \"a\"");
    below(&["wrong-type"], "[[draw]]\ntype = \"point\"\nat = «[0, 0, 0, 0]");
    below(&["missing-key"], "[[draw]]\n«type = \"box\"");
    below(&["wrong-type"], "[[draw]]\ntype = \"box\"\nsize = «[1, 1]");
    below(&["missing-key"], "[[draw]]\n«type = \"cylinder\"\nradius = 1");
    below(&["not-allowed"], "[[draw]]\ntype = \"ball\"\nradius = 1\nturn = [\"«q\", 0, 0]");
    below(
        &["not-allowed"],
        "[world]\nview = [-60, 20]\n[contacts.c]\npoint = \"p\"\nplane = { offset = -9 }\n[[draw]]\ntype = \"ground\"\ncontact = «\"c\"",
    );
}

#[test]
fn trees_without_motion_and_trees_that_are_too_large() {
    check(&["missing-section"], "[bodies.a]\nmass = «1\n");
    let many: String = (0..1001).map(|k| format!("[bodies.b{k}]\nmass = 1\n")).collect();
    assert_eq!(diagnostics(&many)[0].code, "too-many");
    let floating = |k: usize| {
        let names: Vec<String> = (0..6).map(|i| format!("\"q{k}_{i}\"")).collect();
        format!(
            "[bodies.b{k}]\njoint = \"floating\"\ncoordinates = [{}]\nmass = 1\ninertia = [1, 1, 1]\n",
            names.join(", ")
        )
    };
    let many: String = (0..200).map(floating).collect();
    let found = diagnostics(&many);
    assert_eq!(found[0].code, "too-many");
}
