//! Every mistake is reported where it is made. In the wrong files below, `«`
//! marks the place that the remark must point at; it is removed before reading.

use crate::marked;

use carom_model::Model;
use marked::{HEAD, check, check_after_head, diagnostics};

#[test]
fn other_ways_to_write_a_rate() {
    for name in ["x_dot", "xdot", "dx", "vx", "v_x"] {
        let found = diagnostics(&format!("{HEAD}[forces]\nx = \"-{name}\"\n"));
        assert_eq!(found[0].help.as_deref(), Some("the rate of `x` is written `x'`"), "{name}");
    }
    // Parameters have no rates.
    let found = diagnostics(&format!("{HEAD}[parameters]\nm = 1\n[forces]\nx = \"-m_dot\"\n"));
    assert!(!found[0].help.as_deref().unwrap_or("").contains("rate"), "{:?}", found[0].help);
}

#[test]
fn names_in_expressions() {
    check(&["unknown-name"], "lagrangian = \"0.5*«xx'^2\"\n[coordinates]\nx = 0\n");
    check(&["unknown-name"], "lagrangian = '0.5*x'\n[coordinates]\nx = \"1 + «k\"\n");
    check(&["unknown-name"], "lagrangian = \"\"\"\n0.5*x'^2\n  - «k*x\"\"\"\n[coordinates]\nx = 0\n");
    check(&["unknown-name"], "lagrangian = '''x'^2 - «k'''\n[coordinates]\nx = 0\n");
    check(
        &["unknown-name"],
        "[coordinates]\n\"x\" = { doc = \"Größe ü\", initial = \"«k\" }\n[energy]\nkinetic = \"x'^2\"\n",
    );
    // With escapes, the characters of the text stand elsewhere: the whole string is marked.
    check(&["unknown-name"], "lagrangian = «\"\\u0078'^2 - k\"\n[coordinates]\nx = 0\n");
    check_after_head(&["unknown-name"], "[forces]\nx = \"-«c*x'\"\n");
}

#[test]
fn syntax_of_expressions() {
    check_after_head(&["expression"], "[forces]\nx = \"2 «x\"\n");
    check_after_head(&["expression"], "[forces]\nx = \"(2*x«\"\n");
    check_after_head(&["expression"], "[forces]\nx = \"«\"\n");
    check_after_head(&["expression"], "[forces]\nx = \"2*«@\"\n");
    check_after_head(&["unknown-function"], "[forces]\nx = \"«sinn(x)\"\n");
    check_after_head(&["expression"], "[forces]\nx = \"«sin + 1\"\n");
    check_after_head(&["expression"], "[forces]\nx = \"«x(2)\"\n");
    check_after_head(&["too-large"], &format!("[forces]\nx = \"{}«x\"\n", "(".repeat(129)));
}

#[test]
fn what_may_stand_where() {
    check_after_head(&["not-allowed"], "[constraints]\nrod = \"x - «t\"\n");
    check_after_head(&["not-allowed"], "[constraints]\nrod = \"«x' - y\"\n");
    check_after_head(&["not-allowed"], "[contacts.floor]\ngap = \"x + «speed\"\n[definitions]\nspeed = \"x'\"\n");
    check(&["not-allowed"], "lagrangian = \"x'^2 + «u*x\"\n[coordinates]\nx = 0\n[inputs]\nu = 1\n");
    check_after_head(&["not-allowed"], "[parameters]\nk = \"2*«x\"\n");
    check_after_head(&["not-allowed"], "[parameters]\nk = 1\n[forces]\nx = \"«k'\"\n");
    check_after_head(&["not-allowed"], "[forces]\nx = \"«x''\"\n");
    check_after_head(&["not-allowed"], "[forces]\nx = \"«t'\"\n");
    check_after_head(&["not-allowed"], "[definitions]\nd = \"x'*y\"\n[forces]\nx = \"«d'\"\n");
    check_after_head(&["not-allowed"], "[contacts.floor]\ngap = \"y\"\nlaw = \"newton\"\nrestitution = \"«x\"\n");
    check_after_head(&["not-allowed"], "[[draw]]\ntype = \"point\"\nat = [\"«x'\", 0]\n");
}

#[test]
fn keys_and_types() {
    check_after_head(&["unknown-key"], "[«parametres]\nk = 1\n[forces]\nx = \"k\"\n");
    check_after_head(&["unknown-key"], "[parameters]\nk = { «vale = 1 }\n[forces]\nx = \"k\"\n");
    check(&["unknown-key"], "lagrangian = \"x'^2\"\n[coordinates]\nx = { «intial = 1 }\n");
    check_after_head(&["unknown-key"], "[simulation]\n«setp = 1\n");
    check_after_head(&["unknown-key"], "[simulation]\n«name = \"a\"\n");
    check_after_head(&["wrong-type"], "[parameters]\nk = «[1, 2]\n[forces]\nx = \"k\"\n");
    check_after_head(&["wrong-type"], "[definitions]\nk = «true\n[forces]\nx = \"k\"\n");
    check_after_head(&["wrong-type"], "[simulation]\nmethod = «3\n");
    check_after_head(&["wrong-type"], "[parameters]\nk = { value = 1, unit = «2 }\n[forces]\nx = \"k\"\n");
    check(&["wrong-type"], "lagrangian = \"x'^2\"\ncoordinates = «3\n");
    check_after_head(&["wrong-type"], "[contacts]\nfloor = «\"y\"\n");
    check_after_head(&["missing-key"], "[parameters]\n«k = { unit = \"m\" }\n[forces]\nx = \"k\"\n");
    check_after_head(&["missing-key"], "[contacts.«floor]\nlaw = \"elastic\"\n");
}

#[test]
fn sections_that_are_missing_or_in_conflict() {
    check(&["missing-section"], "lagrangian = \"1«\"\n");
    check(&["missing-section"], "[coordinates]\nx = «0\n");
    check(&["missing-section"], "[coordinates]\nx = 0\n[definitions]\nr = \"x\"\n«lagrangian = \"0.5*x'^2\"\n");
    check(&["missing-section"], "lagrangian = \"1\"\n[coordinates«]\n");
    check(&["missing-key"], "[coordinates]\nx = 0\n[«energy]\npotential = \"x\"\n");
    check(&["conflict"], "«lagrangian = \"x'^2\"\n[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2\"\n");
}

#[test]
fn cycles_and_names() {
    check_after_head(
        &["cycle"],
        "[parameters]\n«a = \"b\"\nb = \"2*c\"\nc = \"a + 1\"\nd = \"a\"\n[forces]\nx = \"d\"\n",
    );
    check_after_head(&["cycle"], "[definitions]\n«a = \"a + x\"\n[forces]\nx = \"a'\"\n");
    check_after_head(&["duplicate-name"], "[parameters]\n«x = 1\n");
    check_after_head(&["duplicate-name"], "[parameters]\nk = 1\n[definitions]\n«k = \"x\"\n[forces]\nx = \"k\"\n");
    check_after_head(&["reserved-name"], "[parameters]\n«sin = 1\n[forces]\nx = \"sin*x\"\n");
    check_after_head(&["reserved-name"], "[definitions]\n«t = 1\n");
    check_after_head(&["bad-name"], "[parameters]\n«\"my k\" = 1\n");
    check_after_head(&["duplicate-name"], "[constraints]\nrod = \"x - 1\"\n[contacts.«rod]\ngap = \"y\"\n");
}

#[test]
fn values_out_of_range() {
    check_after_head(&["not-finite"], "[parameters]\nk = «inf\n[forces]\nx = \"k\"\n");
    check_after_head(&["not-finite"], "[parameters]\nk = «\"1/z\"\nz = 0\n[forces]\nx = \"k\"\n");
    check_after_head(&["not-finite"], "[forces]\nx = «\"1/(x - 1)\"\n");
    check(&["not-finite"], "lagrangian = «\"x'^2 + log(x)\"\n[coordinates]\nx = 0\n");
    check(&["not-positive"], "lagrangian = \"x'^2\"\n[coordinates]\nx = { periodic = «-1 }\n");
    check_after_head(&["not-positive"], "[simulation]\nstep = «0\n");
    check_after_head(&["not-positive"], "[simulation]\nuntil = «\"1 - 3\"\n");
    check_after_head(&["not-positive"], "[simulation]\nevery = «1.5\n");
    check_after_head(&["unknown-value"], "[simulation]\nformulation = «\"nullspace\"\n");
    check_after_head(&["unknown-value"], "[simulation]\njump = «\"variatonal\"\n");
    check_after_head(&["unknown-value"], "[simulation]\nmultiple = «\"both\"\n");
    check_after_head(&["not-positive"], "[simulation]\nmax_impacts = «0\n");
    check_after_head(&["wrong-type"], "[simulation]\njump = «true\n");
}

#[test]
fn forces_and_constraints() {
    check_after_head(&["unknown-coordinate"], "[forces]\n«z = \"x\"\n");
    check_after_head(&["not-linear"], "[velocity_constraints]\nknife = «\"x'^2 - y'\"\n");
    check_after_head(&["not-linear"], "[velocity_constraints]\nknife = «\"x' - 1\"\n");
    check_after_head(&["not-linear"], "[velocity_constraints]\nknife = «\"x - 1\"\n");
    check_after_head(&["too-many"], "[constraints]\na = \"x - 1\"\n«b = \"y - 2\"\n");
    check_after_head(&["off-constraint"], "[constraints]\nrod = «\"x^2 + y^2 - 1\"\n");
    check_after_head(&["off-constraint"], "[constraints]\nnever = «\"x^2 + y^2 + 1\"\n");
}

#[test]
fn drawings() {
    check_after_head(&["missing-key"], "[[draw]]\n«at = [0, 0]\n");
    check_after_head(&["unknown-value"], "[[draw]]\ntype = «\"rood\"\nfrom = [0, 0]\n");
    check_after_head(&["missing-key"], "[[draw]]\n«type = \"rod\"\nfrom = [0, 0]\n");
    check_after_head(&["wrong-type"], "[[draw]]\ntype = \"point\"\nat = «[0, 0, 0]\n");
    check_after_head(&["unknown-name"], "[[draw]]\ntype = \"point\"\nat = [0, \"«z\"]\n");
    check_after_head(&["unknown-key"], "[[draw]]\ntype = \"point\"\nat = [0, 0]\n«colour = \"red\"\n");
    check_after_head(&["unknown-value"], "[[draw]]\ntype = \"point\"\nat = [0, 0]\ncolor = «\"\\\"/><script>\"\n");
    check_after_head(&["unknown-name"], "[[draw]]\ntype = \"ground\"\ncontact = «\"flor\"\n");
    check_after_head(&["unknown-name"], "[[draw]]\ntype = \"ground\"\ngap = \"y\"\nplane = [\"x\", «\"2\"]\n");
    check(
        &["missing-key"],
        "lagrangian = \"a'^2\"\n[coordinates]\na = 1\n[contacts.c]\ngap = \"a\"\n[[draw]]\n«type = \"ground\"\ncontact = \"c\"\n",
    );
}

#[test]
fn toml_itself() {
    check(&["toml"], "lagrangian = «x'^2\n[coordinates]\nx = 0\n");
    check(&["toml"], "lagrangian = \"x'^2\"\n[coordinates]\nx = 0\n«x = 1\n");
}

#[test]
fn hostile_files() {
    let nested = format!("{HEAD}[[draw]]\nat = {}{}\n", "[".repeat(100_000), "]".repeat(100_000));
    assert!(diagnostics(&nested).iter().all(|d| d.code == "toml"));
    let dotted = format!("{}x = 1\n", "a.".repeat(100_000));
    assert!(diagnostics(&dotted).iter().all(|d| d.code == "toml"));
    assert_eq!(diagnostics(&" ".repeat((1 << 20) + 1))[0].code, "too-large");
    let many: String = (0..1001).map(|k| format!("k{k} = 1\n")).collect();
    assert_eq!(diagnostics(&format!("{HEAD}[parameters]\n{many}"))[0].code, "too-many");
    let strange: String = (0..50_000).map(|k| format!("k{k} = 1\n")).collect();
    assert!(diagnostics(&format!("{HEAD}[simulation]\n{strange}")).len() <= 100);
    assert!(!diagnostics("").is_empty());
    assert!(!diagnostics("\0").is_empty());
    assert_eq!(Model::from_path(env!("CARGO_MANIFEST_DIR").as_ref(), &[]).unwrap_err().0[0].code, "unreadable");
    assert_eq!(Model::from_path("/no/such/file.toml".as_ref(), &[]).unwrap_err().0[0].code, "unreadable");
}
