//! Texts that are no robots: every mistake is named, with its line.

use carom_model::urdf::{ImportOptions, Limit, MAX_FILE, MimicMistake, UrdfError, import};

fn refused(text: &str) -> UrdfError {
    import(text, &ImportOptions::default()).map(|found| found.bodies.len()).unwrap_err()
}

/// A robot of two links, with a joint that is given.
fn robot(joint: &str) -> String {
    format!("<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n{joint}\n</robot>")
}

fn joint(inside: &str) -> String {
    robot(&format!("<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n{inside}</joint>"))
}

/// The code and the line, and what the message must contain.
fn check(text: &str, code: &str, line: usize, part: &str) {
    let error = refused(text);
    assert_eq!((error.code(), error.line()), (code, line), "{error}");
    assert!(error.to_string().contains(part), "{error}");
}

#[test]
fn texts_that_are_no_robots() {
    check("", "not-xml", 1, "not XML");
    check("<robot>\n<link name=\"a\">\n</robot>", "not-xml", 3, "link");
    check("\n<sdf/>", "no-robot", 2, "`sdf`");
    check("<robot name=\"r\"/>", "no-links", 1, "no `link`");
    check("<!DOCTYPE r [<!ENTITY a \"b\">]>\n<robot/>", "document-type", 1, "entities are not read");
    check("<robot>\n<link name=\"&a;\"/></robot>", "not-xml", 2, "entity");
    let xacro = "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><link name=\"a\"/>\n<xacro:leg/></robot>";
    check(xacro, "xacro", 2, "xacro robot.xacro > robot.urdf");
    check("<robot><link name=\"a\"/></robot>", "nothing-moves", 1, "`floating`");
}

#[test]
fn links_that_make_no_tree() {
    check("<robot><link/></robot>", "missing-attribute", 1, "<link name=\"...\">");
    check("<robot><link name=\"a\"/>\n<link name=\"a\"/></robot>", "duplicate-name", 2, "link called `a` on line 1");
    check(&robot(""), "several-roots", 3, "`a`, `b`");
    check(&robot("<joint name=\"j\" type=\"fixed\"><child link=\"b\"/></joint>"), "missing-element", 4, "`parent`");
    check(&robot("<joint name=\"j\" type=\"fixed\"><parent link=\"b\"/></joint>"), "missing-element", 4, "`child`");
    check(&robot("<joint name=\"j\"><parent link=\"b\"/></joint>"), "missing-attribute", 4, "`type`");
    check(
        &joint("").replace("parent link=\"a\"", "parent link=\"aa\""),
        "unknown-link",
        4,
        "parent; did you mean `a`?",
    );
    check(&joint("").replace("child link=\"b\"", "child link=\"xyz\""), "unknown-link", 4, "links: a, b");
    check(&joint("").replace("revolute", "revolut"), "unknown-joint-type", 4, "did you mean `revolute`?");
    let end = "<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>";
    check(&joint("").replace("</robot>", &format!("{end}</robot>")), "cycle", 6, "`k`");
    let own = "<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"b\"/></joint>";
    check(&robot(own), "cycle", 4, "link `b` hangs on itself");
    let twice = joint("").replace("</robot>", &format!("{}</robot>", end.replace("link=\"a\"", "link=\"b\"")));
    check(&twice, "two-parents", 6, "on line 4, of `j`");
    let same = joint("").replace("</robot>", &format!("{}</robot>", end.replace("\"k\"", "\"j\"")));
    check(&same, "duplicate-name", 6, "another joint called `j` on line 4");
}

#[test]
fn numbers_that_are_none() {
    check(&joint("<axis xyz=\"0 0\"/>"), "bad-numbers", 5, "`xyz` of `axis` is `0 0`, but must be 3 number");
    for wrong in ["0 0 1 0", "a b c", "nan 0 0", "0 inf 0", "0 0 1e999", "0 0 1e51", ""] {
        check(&joint(&format!("<axis xyz=\"{wrong}\"/>")), "bad-numbers", 5, wrong);
        check(&joint(&format!("<origin rpy=\"{wrong}\"/>")), "bad-numbers", 5, wrong);
    }
    check(&joint("<origin xyz=\"${l} 0 0\"/>"), "bad-numbers", 5, "xacro");
    check(&joint("<axis xyz=\"0 0 -0\"/>"), "zero-axis", 5, "`j` has an axis without direction");
    check(&joint("<axis/>"), "missing-attribute", 5, "xyz");
    check(&joint("<limit effort=\"much\"/>"), "bad-numbers", 5, "`much`");
    let link = |inside: &str| {
        joint("").replace("<link name=\"b\"/>", &format!("<link name=\"b\"><inertial>{inside}</inertial></link>"))
    };
    check(&link("<mass value=\"-1\"/>"), "negative-mass", 3, "`b` has the mass -1");
    check(&link(""), "missing-element", 3, "`inertial` of link `b` has no element `mass`");
    check(&link("<mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\"/>"), "missing-attribute", 3, "izz");
}

#[test]
fn mimics_that_lead_nowhere() {
    let of = |inside: &str| match refused(&joint(inside)) {
        UrdfError::Mimic { line: 5, mistake, .. } => mistake,
        other => panic!("{other}"),
    };
    assert_eq!(of("<mimic joint=\"k\"/>"), MimicMistake::Unknown);
    assert_eq!(of("<mimic joint=\"j\"/>"), MimicMistake::Circle);
    let fixed =
        "<link name=\"c\"/><joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"c\"/></joint></robot>";
    let error = refused(&joint("<mimic joint=\"k\"/>").replace("</robot>", fixed));
    assert!(matches!(error, UrdfError::Mimic { mistake: MimicMistake::NotOneCoordinate, .. }));
    let chain = fixed
        .replace("fixed", "prismatic")
        .replace("</joint>", "<mimic joint=\"j\" offset=\"1e40\" multiplier=\"1e40\"/></joint>");
    let error = refused(&joint("<mimic joint=\"k\"/>").replace("</robot>", &chain));
    assert!(matches!(error, UrdfError::Mimic { mistake: MimicMistake::Circle, .. }));
    let third = "<link name=\"d\"/><joint name=\"l\" type=\"prismatic\"><parent link=\"b\"/><child link=\"d\"/></joint></robot>";
    let far = joint("<mimic joint=\"k\" multiplier=\"1e40\"/>")
        .replace("</robot>", &chain.replace("joint=\"j\"", "joint=\"l\""))
        .replace("</robot>", third);
    assert!(matches!(refused(&far), UrdfError::Mimic { mistake: MimicMistake::NotFinite, .. }));
}

#[test]
fn too_much_of_anything() {
    let of = |text: &str| match refused(text) {
        UrdfError::TooMuch { of, .. } => of,
        other => panic!("{other}"),
    };
    assert_eq!(of(&" ".repeat(MAX_FILE + 1)), Limit::Bytes);
    assert_eq!(of(&format!("<robot>{}</robot>", "<a/>".repeat(Limit::Nodes.most() + 1))), Limit::Nodes);
    // Also if nothing is closed.
    assert_eq!(of(&"<a>".repeat(1_000_000)), Limit::Depth);
    assert_eq!(of(&format!("<robot>{}", "<a b=\"/\">".repeat(400_000))), Limit::Depth);
    let attributes: String = (0..50_000).map(|number| format!(" a{number}=\"\"")).collect();
    assert_eq!(of(&format!("<robot{attributes}/>")), Limit::Attributes);
    let spaces: String = (0..1000).map(|number| format!("<a xmlns:a{number}=\"b{number}\"/>")).collect();
    assert_eq!(of(&format!("<robot>{spaces}</robot>")), Limit::Namespaces);
    let chain = |count: usize| {
        let links: String = (0..count).map(|at| format!("<link name=\"l{at}\"/>")).collect();
        let joint = |at: usize| {
            let next = at + 1;
            format!("<joint name=\"j{at}\" type=\"revolute\"><parent link=\"l{at}\"/><child link=\"l{next}\"/></joint>")
        };
        let joints: String = (0..count - 1).map(joint).collect();
        format!("<robot>{links}{joints}</robot>")
    };
    assert_eq!(of(&chain(Limit::Links.most() + 1)), Limit::Links);
    assert_eq!(of(&chain(Limit::Chain.most() + 1)), Limit::Chain);
    assert!(import(&chain(Limit::Chain.most()), &ImportOptions::default()).is_ok());
    // More drawings than a model file may have.
    let visuals = "<visual><geometry><sphere radius=\"0.1\"/></geometry></visual>".repeat(25_000);
    let drawn = joint("").replace("<link name=\"b\"/>", &format!("<link name=\"b\">{visuals}</link>"));
    assert_eq!(of(&drawn), Limit::Model);
    assert!(import(&drawn, &ImportOptions { drawings: false, ..ImportOptions::default() }).is_ok());
}

#[test]
fn long_names_do_not_make_long_messages() {
    let name = "n".repeat(100_000);
    let text = joint("").replace("parent link=\"a\"", &format!("parent link=\"{name}\""));
    assert!(refused(&text).to_string().len() < 400);
    let found = import(&joint("").replace("\"a\"", &format!("\"{name}\"")), &ImportOptions::default()).unwrap();
    assert!(found.model.len() < 3000 && found.bodies[0].len() <= 60);
}
