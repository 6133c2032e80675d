//! Frames in model files: what they say is what the system is, and where it starts.

use carom_model::{Diagnostics, Model, understand};

const HEAD: &str = "lagrangian = \"0.5*(x'^2 + y'^2 + theta'^2)\"\n[parameters]\nspeed = 0.1\n";
const REST: &str = "[coordinates]\nx = 0\ny = 0\ntheta = \"pi/3\"\n";
const MOVING: &str =
    "[coordinates]\nx = { velocity = \"speed*cos(pi/3)\" }\ny = { velocity = \"speed*sin(pi/3)\" }\ntheta = \"pi/3\"\n";
const BLADE: &str = "[velocity_constraints]\nblade = \"sin(theta)*x' - cos(theta)*y'\"\n";
const FORWARD: &str = "[frame.forward]\nfield = { x = \"cos(theta)\", y = \"sin(theta)\" }\n";
const TURN: &str = "[frame.turn]\nfield = { theta = 1 }\n";
const ACROSS: &str = "[frame.across]\nfield = { x = \"-sin(theta)\", y = \"cos(theta)\" }\nadmissible = false\n";

fn read(parts: &[&str], set: &[(&str, &str)]) -> Result<Model, Diagnostics> {
    let set: Vec<(String, String)> = set.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Model::from_text(&format!("{HEAD}{}", parts.concat()), "sleigh.toml", &set)
}

fn load(parts: &[&str]) -> Model {
    read(parts, &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

fn near(found: &[f64], expected: &[f64]) {
    let error = found.iter().zip(expected).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    assert!(found.len() == expected.len() && error < 1e-15, "{found:?} is not {expected:?}");
}

fn quasivelocities(model: &Model) -> Vec<f64> {
    model.quasivelocities.iter().map(|w| w.value).collect()
}

#[test]
fn fields_determine_the_constraint() {
    for (parts, name) in [(vec![REST, FORWARD, TURN], "frame1"), (vec![REST, FORWARD, ACROSS, TURN], "across")] {
        let model = load(&parts);
        let frame = model.system.frame().expect("a frame");
        let names: Vec<&str> = frame.fields.iter().map(|field| field.name.as_str()).collect();
        assert_eq!((frame.rank, &names[..2]), (2, &["forward", "turn"][..]));
        let constraints = model.system.velocity_constraints();
        assert_eq!((constraints.len(), constraints[0].name.as_str()), (1, name));
        assert_eq!((understand(&model).degrees_of_freedom, model.warnings.len()), (2, 0));
    }
}

#[test]
fn fields_may_stand_beside_the_constraints_and_need_not_leave_any() {
    let both = load(&[REST, FORWARD, TURN, ACROSS, BLADE]);
    assert_eq!(both.system.velocity_constraints()[0].name, "blade");
    let free = load(&[REST, FORWARD, TURN, &ACROSS.replace("admissible = false", "admissible = true")]);
    assert_eq!((free.system.velocity_constraints().len(), free.quasivelocities.len()), (0, 3));
    assert_eq!(understand(&free).degrees_of_freedom, 3);
}

#[test]
fn components_may_use_parameters_and_definitions() {
    let fields = "[definitions]\nheading = \"2*theta\"\n[frame.forward]\n\
                  field = { x = \"speed*cos(heading/2)\", y = \"speed*sin(heading/2)\" }\ninitial = 2\n";
    let model = load(&[REST, fields, TURN, BLADE]);
    near(&model.initial.v, &[0.1, 0.2 * (3f64.sqrt() / 2.0), 0.0]);
    assert_eq!(understand(&model).warnings, []);
}

#[test]
fn initial_quasivelocities_are_the_velocity() {
    let labels = "initial = \"2*speed\"\nunit = \"m/s\"\ndoc = \"along the blade\"\n";
    for others in [&[TURN][..], &[TURN, BLADE], &[TURN, ACROSS], &[ACROSS, TURN, BLADE]] {
        let model = load(&[&[REST, FORWARD, labels], others].concat());
        near(&model.initial.v, &[0.1, 0.2 * (3f64.sqrt() / 2.0), 0.0]);
        near(&quasivelocities(&model), &[0.2, 0.0]);
        let forward = &model.quasivelocities[0];
        let (unit, doc) = (forward.unit.as_deref(), forward.doc.as_deref());
        assert_eq!((forward.name.as_str(), unit, doc), ("forward", Some("m/s"), Some("along the blade")));
    }
}

#[test]
fn velocities_of_coordinates_have_quasivelocities() {
    let model = load(&[MOVING, FORWARD, TURN]);
    near(&quasivelocities(&model), &[0.1, 0.0]);
    assert_eq!(model.warnings, []);
}

#[test]
fn quasivelocities_belong_to_the_configuration_on_the_constraints() {
    // The configuration moves to phi = 1 before the field is looked at.
    let text = "lagrangian = \"0.5*(x'^2 + y'^2 + z'^2 + phi'^2)\"\n[coordinates]\nx = 0\ny = 0\nz = 0\nphi = 1.01\n\
                [constraints]\nlock = \"phi - 1\"\n[frame.a]\nfield = { x = \"cos(phi)\", y = \"sin(phi)\" }\ninitial = 1\n\
                [frame.b]\nfield = { phi = 1 }\n[frame.c]\nfield = { z = 1 }\n";
    let model = Model::from_text(text, "m.toml", &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    near(&model.initial.v, &[1f64.cos(), 1f64.sin(), 0.0, 0.0]);
    let codes: Vec<&str> = model.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["off-constraint"]);
    // What the constraint forbids is taken away, and the quasivelocities follow.
    let set = [("frame.b".to_owned(), "3".to_owned())];
    let model = Model::from_text(text, "m.toml", &set).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    near(&quasivelocities(&model), &[1.0, 0.0, 0.0]);
    assert_eq!(model.warnings.last().map(|warning| warning.code), Some("not-tangent"));
}

#[test]
fn quasivelocities_are_set_on_the_command_line() {
    for name in ["forward", "frame.forward"] {
        let model = read(&[REST, FORWARD, TURN], &[(name, "3*speed")]).unwrap();
        near(&quasivelocities(&model), &[0.3, 0.0]);
    }
    let found = read(&[REST, FORWARD, TURN], &[("forwards", "1")]).unwrap_err().0;
    assert_eq!((found[0].code, found[0].help.as_deref()), ("unknown-name", Some("did you mean `forward`?")));
    let found = read(&[REST, FORWARD, TURN], &[("forward", "1"), ("x'", "2")]).unwrap_err().0;
    assert_eq!((found.len(), found[0].code, found[0].file.as_str(), found[0].column), (1, "conflict", "--set", 4));
    assert!(found[0].help.as_ref().is_some_and(|help| help.contains("`--set forward=1`")), "{:?}", found[0].help);
}

#[test]
fn a_field_of_many_coordinates_is_read_or_refused_in_time() {
    let frame = |n: usize, fields: usize, complete: bool| {
        let names: Vec<String> = (0..n).map(|k| format!("x{k}")).collect();
        let kinetic: Vec<String> = names.iter().map(|x| format!("{x}'^2")).collect();
        let mut text = format!("lagrangian = \"{}\"\n[coordinates]\n", kinetic.join(" + "));
        names.iter().for_each(|x| text += &format!("{x} = 1\n"));
        for k in 0..if complete { n } else { fields } {
            let entry = |(j, x): (usize, &String)| format!("{x} = \"cos({}*{x})\"", 1 + (j * (k + 1)) % 17);
            let entries: Vec<String> = names.iter().enumerate().map(entry).collect();
            text += &format!("[frame.u{k}]\nadmissible = {}\nfield = {{ {} }}\n", k < fields, entries.join(", "));
        }
        let begin = std::time::Instant::now();
        let read = Model::from_text(&text, "wide.toml", &[]);
        assert!(begin.elapsed().as_secs() < 20, "{n} coordinates, {fields} fields: {:?}", begin.elapsed());
        read.map(|_| ()).map_err(|found| found.0[0].code)
    };
    assert_eq!(frame(10, 4, true), Ok(()));
    assert_eq!(frame(11, 4, true), Err("too-many"));
    assert_eq!(frame(16, 3, false), Ok(()));
    assert_eq!(frame(70, 1, false), Err("too-many"));
    assert_eq!(frame(12, 11, false), Err("too-many"));
}
