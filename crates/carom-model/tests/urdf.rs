//! Robots from URDF: what becomes of links, joints, motors and drawings.

use carom_model::urdf::{Base, Import, ImportOptions, What, import};

/// A link with a mass, so that nothing is remarked.
const MASS: &str = r#"<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>"#;

fn fixed(text: &str) -> Import {
    import(text, &ImportOptions::default()).unwrap()
}

fn on(base: Base, text: &str) -> Import {
    import(text, &ImportOptions { base, ..ImportOptions::default() }).unwrap()
}

/// A root and a link on one joint.
fn pair(kind: &str, inside: &str, link: &str) -> String {
    format!(
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\">{link}</link>\
         <joint name=\"j\" type=\"{kind}\"><parent link=\"a\"/><child link=\"b\"/>{inside}</joint></robot>"
    )
}

/// The lines of a section.
fn section<'a>(import: &'a Import, name: &str) -> Vec<&'a str> {
    let begins = format!("[{name}]");
    let lines = import.model.lines().skip_while(move |line| *line != begins).skip(1);
    lines.take_while(|line| !line.is_empty() && !line.starts_with('[')).collect()
}

fn values(line: &str) -> Vec<f64> {
    let list = line.split_once("= [").unwrap().1.trim_end_matches(']');
    list.split(", ").map(|number| number.parse().unwrap()).collect()
}

fn codes(import: &Import) -> Vec<&'static str> {
    import.remarks.iter().map(|remark| remark.what.code()).collect()
}

#[test]
fn a_link_becomes_a_body() {
    let link = r#"<inertial><origin xyz="0 0.1 -0.2"/><mass value="2.5"/>
        <inertia ixx="0.3" ixy="0.01" ixz="-0.02" iyy="0.4" iyz="0.03" izz="0.5"/></inertial>"#;
    let inside = r#"<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 -1 0"/><dynamics damping="0.7"/>
        <limit effort="5" velocity="2" lower="-1" upper="1.5"/>"#;
    let found = fixed(&pair("revolute", inside, link));
    let expected = [
        "parent = \"a\"",
        "at = [1, 2, 3]",
        "turn = [0.1, 0.2, 0.3]",
        "joint = \"revolute\"",
        "axis = \"-y\"",
        "coordinates = \"j\"",
        "mass = 2.5",
        "centre = [0, 0.1, -0.2]",
        "inertia = [0.3, 0.4, 0.5, 0.01, -0.02, 0.03]",
        "damping = 0.7",
        "actuator = \"u_j\"",
    ];
    assert_eq!(section(&found, "bodies.b"), expected);
    let coordinate = "j = { initial = 0, unit = \"rad\" }  # limits, not enforced: -1 .. 1.5, speed 2, effort 5";
    assert_eq!(section(&found, "coordinates"), [coordinate]);
    assert_eq!((found.bodies, found.coordinates), (vec!["a".to_owned(), "b".to_owned()], vec!["j".to_owned()]));
    assert_eq!(found.inputs, ["u_j"]);
    assert_eq!(
        found.remarks[0].to_string(),
        "line 3: joint `j`: limits are not enforced: they are comments of the model file"
    );
}

/// Products of rotations about single axes, not the closed formula.
fn turn([roll, pitch, yaw]: [f64; 3]) -> [[f64; 3]; 3] {
    let about = |axis: usize, angle: f64| {
        let (i, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut matrix = [[0.0; 3]; 3];
        matrix[axis][axis] = 1.0;
        (matrix[i][i], matrix[k][k]) = (angle.cos(), angle.cos());
        (matrix[k][i], matrix[i][k]) = (angle.sin(), -angle.sin());
        matrix
    };
    product(product(about(2, yaw), about(1, pitch)), about(0, roll))
}

fn product(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|k| (0..3).map(|j| a[i][j] * b[j][k]).sum()))
}

#[test]
fn inertia_is_turned_into_the_frame_of_the_link() {
    for rpy in [[0.3, -0.7, 1.9], [std::f64::consts::FRAC_PI_2, 0.0, 0.0], [0.0, 0.4, 0.0]] {
        let [roll, pitch, yaw] = rpy;
        let link = format!(
            "<inertial><origin xyz=\"0 0 1\" rpy=\"{roll:?} {pitch:?} {yaw:?}\"/><mass value=\"1\"/>\
             <inertia ixx=\"0.3\" ixy=\"0.01\" ixz=\"-0.02\" iyy=\"0.4\" iyz=\"0.03\" izz=\"0.5\"/></inertial>"
        );
        let found = fixed(&pair("continuous", "", &link));
        let line = *section(&found, "bodies.b").iter().find(|line| line.starts_with("inertia")).unwrap();
        let r = turn(rpy);
        let transposed = std::array::from_fn(|i| std::array::from_fn(|k| r[k][i]));
        let own = [[0.3, 0.01, -0.02], [0.01, 0.4, 0.03], [-0.02, 0.03, 0.5]];
        let full = product(product(r, own), transposed);
        let expected = [full[0][0], full[1][1], full[2][2], full[0][1], full[0][2], full[1][2]];
        assert!(values(line).iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{line}, {expected:?}");
    }
    // A quarter turn swaps moments, without a rest of rounding.
    let quarter = r#"<inertial><origin rpy="0 1.5707963267948966 0"/><mass value="1"/>
        <inertia ixx="0.1" iyy="0.2" izz="0.25"/></inertial>"#;
    assert!(section(&fixed(&pair("continuous", "", quarter)), "bodies.b").contains(&"inertia = [0.25, 0.2, 0.1]"));
}

#[test]
fn every_type_of_joint_is_known() {
    let body = |kind: &str, inside: &str| {
        let base = if kind == "fixed" { Base::Planar } else { Base::Fixed };
        let found = on(base, &pair(kind, inside, MASS));
        assert!(found.remarks.is_empty(), "{:?}", found.remarks);
        let lines = section(&found, "bodies.b");
        let lines =
            lines.iter().filter(|line| ["joint", "axis", "axes", "coord"].iter().any(|key| line.starts_with(key)));
        lines.copied().collect::<Vec<_>>().join("; ")
    };
    assert_eq!(body("fixed", ""), "joint = \"fixed\"");
    assert_eq!(body("revolute", ""), "joint = \"revolute\"; axis = \"x\"; coordinates = \"j\"");
    assert_eq!(
        body("continuous", "<axis xyz=\"0 0.6 0.8\"/>"),
        "joint = \"revolute\"; axis = [0, 0.6, 0.8]; coordinates = \"j\""
    );
    assert_eq!(body("prismatic", "<axis xyz=\"0 0 1\"/>"), "joint = \"prismatic\"; axis = \"z\"; coordinates = \"j\"");
    assert_eq!(
        body("planar", "<axis xyz=\"0 1 0\"/>"),
        "joint = \"planar\"; axes = \"xzy\"; coordinates = [\"j_x\", \"j_z\", \"j_turn\"]"
    );
    assert_eq!(
        body("floating", ""),
        "joint = \"floating\"; axes = \"zyx\"; coordinates = [\"j_x\", \"j_y\", \"j_z\", \"j_yaw\", \"j_pitch\", \"j_roll\"]"
    );
    // Slides across any axis, at right angles.
    let slanted = body("planar", "<axis xyz=\"0.6 0 -0.8\"/>");
    let axes = slanted.split("axes = [").nth(1).unwrap().split("];").next().unwrap();
    let axes: Vec<Vec<f64>> =
        axes.split("], [").map(|axis| values(&format!("= [{}", axis.trim_matches(['[', ']'])))).collect();
    let dot = |i: usize, k: usize| axes[i].iter().zip(&axes[k]).map(|(a, b)| a * b).sum::<f64>();
    assert_eq!(axes[2], [0.6, 0.0, -0.8]);
    for (i, k) in [(0, 1), (0, 2), (1, 2)] {
        assert!(dot(i, k).abs() < 1e-15 && (dot(i, i) - 1.0).abs() < 1e-15);
    }
}

#[test]
fn joints_that_turn_on_and_on_are_periodic() {
    let found = fixed(&pair("continuous", "", MASS));
    assert_eq!(section(&found, "coordinates"), ["j = { initial = 0, unit = \"rad\", periodic = true }"]);
}

#[test]
fn the_root_hangs_on_the_world_as_asked() {
    let robot = format!("<robot name=\"r\"><link name=\"a\">{MASS}</link></robot>");
    let planar = on(Base::Planar, &robot);
    let expected = ["joint = \"planar\"", "axes = \"xzy\"", "coordinates = [\"base_x\", \"base_z\", \"base_pitch\"]"];
    assert_eq!(section(&planar, "bodies.a")[..3], expected);
    assert_eq!(on(Base::Floating, &robot).coordinates.len(), 6);
    // Nothing that hangs on nothing must have a mass.
    let empty = on(Base::Floating, "<robot name=\"r\"><link name=\"a\"/></robot>");
    assert_eq!(codes(&empty), ["no-mass"]);
}

#[test]
fn joints_that_mimic_others_become_constraints() {
    let joint = |name: &str, child: &str, inside: &str| {
        format!(
            "<joint name=\"{name}\" type=\"prismatic\"><parent link=\"a\"/><child link=\"{child}\"/>\
             <limit effort=\"1\" velocity=\"1\" lower=\"0.25\" upper=\"1\"/>{inside}</joint>"
        )
    };
    let links: String = ["b", "c", "d"].iter().map(|name| format!("<link name=\"{name}\">{MASS}</link>")).collect();
    let robot = format!(
        "<robot name=\"hand\"><link name=\"a\"/>{links}{}{}{}</robot>",
        joint("left", "b", ""),
        joint("right", "c", "<mimic joint=\"left\"/>"),
        joint("third", "d", "<mimic joint=\"right\" multiplier=\"-0.5\" offset=\"0.125\"/>"),
    );
    let found = fixed(&robot);
    let expected = ["mimic_right = \"right - left\"", "mimic_third = \"third + 0.5*right - 0.125\""];
    assert_eq!(section(&found, "constraints"), expected);
    // They begin on the constraints, and within the limits of their leader.
    let begins: Vec<&str> = section(&found, "coordinates").iter().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(begins, ["left = { initial = 0.25", "right = { initial = 0.25", "third = { initial = 0"]);
    assert_eq!(found.inputs, ["u_left"]);
    assert_eq!(codes(&found).iter().filter(|code| **code == "begins").count(), 1);
}

#[test]
fn names_become_such_that_expressions_can_use_them() {
    let names = ["world", "a-b", "a.b", "a_b", "sin", "1 \"x\"\n", "é", ""];
    let link =
        |name: &str| format!("<link name=\"{}\">{MASS}</link>", name.replace('"', "&quot;").replace('\n', "&#10;"));
    let joints = ["t", "sin", "left knee", "left_knee", "u_left_knee", "pi", "2nd", "q"];
    let links: String = names.iter().map(|name| link(name)).collect();
    let joint = |(at, name): (usize, &&str)| {
        let link = |at: usize| names.get(at).map_or("ü", |name| name).replace('"', "&quot;").replace('\n', "&#10;");
        let [parent, child] = [link(at), link(at + 1)];
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
             <limit effort=\"1\"/></joint>"
        )
    };
    let joints: String = joints.iter().enumerate().map(joint).collect();
    let found = fixed(&format!(
        "<robot name=\"a &quot;b&quot; \\ c&#10;d\">{links}<link name=\"ü\">{MASS}</link>{joints}</robot>"
    ));
    assert_eq!(found.bodies, ["world_2", "a_b_2", "a_b_3", "a_b", "sin_2", "body_1__x__", "body", "body_2", "body_3"]);
    assert_eq!(found.coordinates, ["t_2", "sin_2", "left_knee_2", "left_knee", "u_left_knee", "pi_2", "q_2nd", "q"]);
    assert_eq!(found.inputs[2..4], ["u_left_knee_2", "u_left_knee_3"]);
    // All that was renamed is said; everything is TOML still.
    assert_eq!(codes(&found).iter().filter(|code| **code == "renamed").count(), 8 + 5);
    let (table, errors) = toml::de::DeTable::parse_recoverable(&found.model);
    assert!(errors.is_empty(), "{errors:?}");
    let table = table.get_ref();
    assert_eq!(table["name"].get_ref().as_str(), Some("a \"b\" \\ c?d"));
    assert_eq!(table["bodies"].get_ref().as_table().unwrap().len(), 9);
}

#[test]
fn primitives_are_drawn_in_their_colours() {
    let link = format!(
        r##"{MASS}
        <visual><origin xyz="1 2 3" rpy="0 0 0.5"/><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
        <visual><geometry><cylinder radius="0.5" length="2"/></geometry>
          <material name="own"><color rgba="0 0.5 1 0.2"/></material></visual>
        <visual><geometry><sphere radius="0.25"/></geometry><material name="own"/></visual>
        <visual><geometry><sphere radius="0"/></geometry><material name="blue"/></visual>
        <visual><geometry><mesh filename="file:///etc/passwd"/></geometry></visual>
        <collision><geometry><sphere radius="1"/></geometry></collision>"##
    );
    let robot = pair("continuous", "", &link);
    let robot = robot
        .replace("<robot name=\"r\">", "<robot name=\"r\"><material name=\"red\"><color rgba=\"1 0 0 1\"/></material>");
    let found = fixed(&robot);
    let drawn = found.model.split_once("[[draw]]").unwrap().1;
    let expected = "
type = \"box\"
body = \"b\"
at = [1, 2, 3]
turn = [0, 0, 0.5]
size = [1, 2, 3]
color = \"#ff0000\"

[[draw]]
type = \"cylinder\"
body = \"b\"
length = 2
radius = 0.5
color = \"#0080ff\"

[[draw]]
type = \"ball\"
body = \"b\"
radius = 0.25
color = \"#0080ff\"
";
    assert_eq!(drawn, expected);
    assert_eq!(codes(&found), ["not-drawn", "material", "mesh", "collision"]);
    assert!(!found.model.contains("passwd"));
    let plain = import(&robot, &ImportOptions { drawings: false, ..ImportOptions::default() }).unwrap();
    assert!(!plain.model.contains("draw"));
}

#[test]
fn what_is_left_out_is_said() {
    let link = r#"<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="-1"/></inertial><contact/>"#;
    let inside = r#"<axis xyz="0 0 2"/><axis xyz="0 0 1"/><dynamics friction="1"/><calibration rising="1"/>"#;
    let found = fixed(&pair("continuous", inside, link).replace("</robot>", "<gazebo/><transmission/><odd/></robot>"));
    let said: Vec<(&str, &What)> = found.remarks.iter().map(|remark| (remark.subject.as_str(), &remark.what)).collect();
    let name = |name: &str| name.to_owned();
    for expected in [
        ("link `b`", What::Unknown(name("contact"))),
        ("joint `j`", What::AxisLength(2.0)),
        ("joint `j`", What::Repeated(name("axis"))),
        ("joint `j`", What::Friction),
        ("joint `j`", What::Ignored(name("calibration"))),
        ("the robot", What::Ignored(name("gazebo"))),
        ("the robot", What::Ignored(name("transmission"))),
        ("the robot", What::Unknown(name("odd"))),
    ] {
        assert!(said.contains(&(expected.0, &expected.1)), "{expected:?} in {said:?}");
    }
    let least = said.iter().find_map(|(_, what)| if let What::Indefinite(least) = what { Some(*least) } else { None });
    assert!((least.unwrap() + 1.0).abs() < 1e-12);
    assert_eq!(said.len(), 9, "{said:?}");
    assert!(found.model.contains("# inertia = [1, 1, -1, 0, 0, 0]  # not positive semidefinite: left out"));
    assert!(found.model.contains("axis = \"z\""));
    let rod = r#"<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="2.1"/></inertial>"#;
    assert_eq!(codes(&fixed(&pair("continuous", "", rod))), ["triangle"]);
    let point = r#"<inertial><mass value="1"/></inertial>"#;
    assert_eq!(codes(&fixed(&pair("prismatic", "", point))), ["point-mass"]);
    assert_eq!(codes(&fixed(&pair("prismatic", "", ""))), ["no-mass"]);
}

#[test]
fn the_example_is_what_the_import_writes() {
    let read = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        std::fs::read_to_string(path).unwrap()
    };
    let found = fixed(&read("two-arms.urdf"));
    let written = read("two-arms.toml");
    assert!(
        written.starts_with(&found.model),
        "run `carom import examples/two-arms.urdf` and replace the part above the mark"
    );
    assert!(written[found.model.len()..].trim_start().starts_with("# Added by hand"));
}
