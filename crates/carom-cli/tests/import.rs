//! `carom import`: robots from URDF files.

use crate::common;

use common::{Folder, example};

const PENDULUM: &str = r#"<robot name="pendulum">
  <link name="wall"/>
  <link name="the rod">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.2" iyy="0.2" izz="0.01"/></inertial>
    <collision><geometry><sphere radius="1"/></geometry></collision>
    <visual><geometry><mesh filename="package://robot/rod.stl"/></geometry></visual>
  </link>
  <joint name="pivot" type="revolute">
    <parent link="wall"/><child link="the rod"/><axis xyz="0 1 0"/><limit effort="3" velocity="1" lower="-2" upper="2"/>
  </joint>
  <gazebo reference="wall"/>
  <gazebo reference="the rod"/>
</robot>
"#;

#[test]
fn import_writes_a_model_and_tells_what_is_left_out() {
    let folder = Folder::new();
    folder.write("pendulum.urdf", PENDULUM);
    let said = folder.carom(&["import", "pendulum.urdf"]).ended(0);
    let expected = "\
model        pendulum.toml
bodies       2
coordinates  pivot
inputs       u_pivot

remark     lines   what
renamed    3       link `the rod`: is called `the_rod`
collision  5       link `the rod`: collision geometry is not used: contacts are written in [contacts]
mesh       6       link `the rod`: a mesh is not drawn
limits     9       joint `pivot`: limits are not enforced: they are comments of the model file
ignored    11, 12  the robot: `gazebo` has no meaning here; 1 more

Next: carom check pendulum.toml
";
    assert_eq!((said.out.as_str(), said.err.as_str()), (expected, ""));
    let model = std::fs::read_to_string(folder.0.join("pendulum.toml")).unwrap();
    assert!(model.starts_with("# Imported from URDF: robot `pendulum`."));
    assert!(model.contains("[bodies.the_rod]\nparent = \"wall\"\njoint = \"revolute\"\naxis = \"y\"\n"));
}

#[test]
fn import_overwrites_only_if_asked() {
    let folder = Folder::new();
    folder.write("pendulum.urdf", PENDULUM);
    folder.write("pendulum.toml", "mine");
    let said = folder.carom(&["import", "pendulum.urdf"]).ended(1);
    assert_eq!(said.err, "error: `pendulum.toml` exists already; use --force to overwrite it, or --out\n");
    folder.carom(&["import", "pendulum.urdf", "--out", "other.toml", "--base", "planar"]).ended(0);
    assert!(folder.has("other.toml"));
    assert_eq!(std::fs::read_to_string(folder.0.join("pendulum.toml")).unwrap(), "mine");
    let json = folder.carom(&["import", "pendulum.urdf", "--force", "--json", "--base", "floating"]).ended(0).json();
    assert_eq!(json["model"], "pendulum.toml");
    assert_eq!(json["coordinates"].as_array().unwrap().len(), 7);
    assert_eq!((&json["remarks"][0]["code"], &json["remarks"][0]["line"]), (&"renamed".into(), &3.into()));
    assert_ne!(std::fs::read_to_string(folder.0.join("pendulum.toml")).unwrap(), "mine");
}

#[test]
fn import_points_at_mistakes() {
    let folder = Folder::new();
    folder.write("bad.urdf", &PENDULUM.replace("child link=\"the rod\"", "child link=\"rod\""));
    let said = folder.carom(&["import", "bad.urdf"]).ended(2);
    let expected = "error[unknown-link]: `bad.urdf`: line 9: joint `pivot`: there is no link `rod` that could be its child; \
                    links: the rod, wall\n";
    assert_eq!(said.err, expected);
    assert!(!folder.has("bad.toml"));
    let json = folder.carom(&["import", "bad.urdf", "--json"]).ended(2).json();
    assert_eq!((&json["valid"], &json["error"]["code"]), (&false.into(), &"unknown-link".into()));
    assert_eq!(json["error"]["line"], 9);
    std::fs::write(folder.0.join("latin.urdf"), b"<robot>\n\xe9</robot>").unwrap();
    let said = folder.carom(&["import", "latin.urdf"]).ended(2);
    assert!(said.err.contains("line 2, column 1: this is not XML: it is not UTF-8 text"), "{}", said.err);
    let said = folder.carom(&["import", "absent.urdf"]).ended(1);
    assert!(said.err.starts_with("error: `absent.urdf` cannot be read"), "{}", said.err);
    folder.carom(&["import", "bad.urdf", "--base", "loose"]).ended(1);
}

#[test]
fn the_example_is_imported() {
    let folder = Folder::new();
    let robot = example("two-arms").replace(".toml", ".urdf");
    let json = folder.carom(&["import", &robot, "--json"]).ended(0).json();
    assert_eq!(json["bodies"].as_array().unwrap().len(), 8);
    let [written, kept] =
        [folder.0.join("two-arms.toml"), example("two-arms").into()].map(|path| std::fs::read_to_string(path).unwrap());
    assert!(kept.starts_with(&written));
}

#[test]
fn the_example_bounces_and_keeps_its_loop_closed() {
    let folder = Folder::new();
    let json =
        folder.carom(&["simulate", &example("two-arms"), "--until", "0.3", "--no-plots", "--json"]).ended(0).json();
    assert!(json["constraints"]["max_abs"].as_f64().unwrap() < 1e-13);
    assert!(json["impact_count"].as_u64().unwrap() >= 2);
}
