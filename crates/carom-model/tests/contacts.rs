//! Contacts and their laws, as model files write them.

use carom_expr::Id;
use carom_model::laws::{LAWS, LawValue};
use carom_model::{Contact, Model, understand};

/// A disc over a floor, between two walls.
const HEAD: &str = "
lagrangian = \"0.5*m*(x'^2 + y'^2 + 0.5*r^2*phi'^2) - m*g*y\"
[parameters]
m = 2
r = 0.1
g = 9.81
e = 0.5
[coordinates]
x = 0.3
y = { initial = 1, velocity = -1 }
phi = 0
[contacts.left]
gap = \"x - r\"
";

/// The contact `floor` with these lines.
fn floor(lines: &str) -> Model {
    let text = format!("{HEAD}[contacts.floor]\ngap = \"y - r\"\n{lines}\n");
    Model::from_text(&text, "disc.toml", &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

fn contact(model: &Model) -> &Contact {
    &model.system.contacts()[1]
}

/// Value of an expression of the system's graph.
fn value(model: &Model, id: Id, q: [f64; 3], v: [f64; 3], t: f64) -> f64 {
    let system = &model.system;
    let mut graph = system.graph().clone();
    let ids = system.specialise(&mut graph, &[id]);
    let variables = [system.q(), system.v(), &[system.time()]].concat();
    let numbers = [&q[..], &v, &[t]].concat();
    graph.evaluate(&ids, &variables.into_iter().zip(numbers).collect::<Vec<_>>())[0]
}

/// Value of a number of the law at `x = 1, y = 2, phi = 3, x' = 4, y' = 5, phi' = 6, t = 7`.
fn parameter(model: &Model, name: &str) -> f64 {
    let id = contact(model).parameter(name).unwrap_or_else(|| panic!("no {name}"));
    value(model, id, [1.0, 2.0, 3.0], [4.0, 5.0, 6.0], 7.0)
}

fn names(model: &Model) -> Vec<&str> {
    contact(model).law_parameters.iter().map(|parameter| parameter.name.as_str()).collect()
}

#[test]
fn a_contact_without_a_law_is_elastic() {
    let model = floor("");
    let floor = contact(&model);
    assert_eq!((floor.law.as_str(), floor.is_closed, floor.active), ("elastic", false, None));
    assert_eq!((floor.tangents.len(), floor.law_parameters.len(), floor.releases.len()), (0, 0, 0));
    assert_eq!(value(&model, floor.gap, [0.0, 2.0, 0.0], [0.0; 3], 0.0), 1.9);
}

#[test]
fn numbers_of_laws_may_be_expressions_of_parameters() {
    for law in ["newton", "moreau", "poisson"] {
        let friction = if law == "newton" { "" } else { "friction = 0.3\ntangent = \"x + r*phi\"" };
        let model = floor(&format!("law = \"{law}\"\nrestitution = \"e^2\"\n{friction}"));
        assert_eq!(contact(&model).law, law);
        assert_eq!(parameter(&model, "restitution"), 0.25);
        assert_eq!(contact(&model).parameter("friction").is_some(), law != "newton");
    }
}

#[test]
fn one_tangent_or_two() {
    let model = floor("law = \"moreau\"\nrestitution = 0\nfriction = 1\ntangent = \"x + r*phi\"");
    let tangents = &contact(&model).tangents;
    assert_eq!(tangents.len(), 1);
    assert!((value(&model, tangents[0], [1.0, 2.0, 3.0], [0.0; 3], 0.0) - 1.3).abs() < 1e-15);
    for (text, count) in [("[\"x\"]", 1), ("[\"x + r*phi\", \"phi\"]", 2)] {
        let model = floor(&format!("law = \"moreau\"\nrestitution = 0\nfriction = 1\ntangent = {text}"));
        assert_eq!(contact(&model).tangents.len(), count);
    }
}

#[test]
fn plastic_contacts_with_and_without_friction() {
    assert_eq!(names(&floor("law = \"plastic\"")), [""; 0]);
    assert_eq!(contact(&floor("law = \"plastic\"\ntangent = \"x\"")).tangents.len(), 1);
    let model = floor("law = \"plastic\"\ntangent = \"x\"\nfriction = 2.5");
    assert_eq!(parameter(&model, "friction"), 2.5);
}

#[test]
fn lossful_contacts() {
    let model = floor("law = \"lossful\"\nloss = \"0.1*m*y'^2 + t\"\nimpulse = { x = \"-0.1*x'\", phi = 1 }");
    assert_eq!(names(&model), ["loss", "impulse.x", "impulse.phi"]);
    assert_eq!((parameter(&model, "loss"), parameter(&model, "impulse.x")), (0.1 * 2.0 * 25.0 + 7.0, -0.4));
    assert_eq!(parameter(&model, "impulse.phi"), 1.0);
    assert_eq!(names(&floor("law = \"lossful\"")), [""; 0]);
}

#[test]
fn resets() {
    let lines = "law = \"reset\"\nposition = { phi = \"-phi\" }\n[contacts.floor.velocity]\ny = \"-e*y'\"\nphi = \"cos(2*phi)*phi'\"";
    let model = floor(lines);
    assert_eq!(names(&model), ["position.phi", "velocity.y", "velocity.phi"]);
    assert_eq!((parameter(&model, "position.phi"), parameter(&model, "velocity.y")), (-3.0, -2.5));
    assert_eq!(parameter(&model, "velocity.phi"), 6.0f64.cos() * 6.0);
}

#[test]
fn transitions_release_other_contacts() {
    let model = floor("law = \"transition\"\nreleases = [\"left\"]");
    assert_eq!(contact(&model).releases, ["left"]);
    assert_eq!(names(&model), [""; 0]);
}

#[test]
fn the_literal_law_knows_its_coordinate() {
    let model = floor("law = \"literal\"\nnormal = \"y\"");
    assert_eq!(contact(&model).parameter("normal"), Some(model.system.q()[1]));
}

#[test]
fn every_law_is_read_with_an_example_of_each_key() {
    for law in &LAWS {
        let mut lines = format!("law = \"{}\"\ntangent = \"x\"\n", law.name);
        for key in law.keys {
            let example = match key.value {
                LawValue::Number { .. } => "0.5",
                LawValue::Expression => "\"x*x'*t*m\"",
                LawValue::PerCoordinate => "{ x = 1 }",
                LawValue::Coordinate => "\"y\"",
                LawValue::Contacts => "[\"left\"]",
            };
            lines += &format!("{} = {example}\n", key.name);
        }
        assert_eq!(contact(&floor(&lines)).law, law.name);
    }
}

#[test]
fn regions_and_documentation() {
    let model = floor("active = \"-phi*x'\"\ndoc = \"an even floor\"");
    let floor = contact(&model);
    assert_eq!(value(&model, floor.active.unwrap(), [0.0, 0.0, 2.0], [3.0, 0.0, 0.0], 0.0), -6.0);
    assert_eq!(floor.doc.as_deref(), Some("an even floor"));
}

#[test]
fn contacts_that_do_not_exist_may_overlap() {
    // A leg that swings through the ground, and a door with a law on each side.
    let text = HEAD.replace("x = 0.3", "x = -2")
        + "active = \"phi'\"\n[contacts.right]\ngap = \"x - r\"\nactive = \"-phi' - 1\"\n";
    let model = Model::from_text(&text, "leg.toml", &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    assert_eq!(model.system.contacts()[0].gap, model.system.contacts()[1].gap);
    assert!(!understand(&model).contacts[0].is_active);
}

#[test]
fn closed_contacts_touch() {
    let text = HEAD.replace("initial = 1, velocity = -1", "initial = 0.1")
        + "[contacts.floor]\ngap = \"y - r\"\nclosed = true\n";
    let model = Model::from_text(&text, "disc.toml", &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    assert!(contact(&model).is_closed && !model.system.contacts()[0].is_closed);
    assert!(!contact(&floor("closed = false")).is_closed);
}

#[test]
fn small_overlaps_are_rounding() {
    for (x, is_feasible) in [("0.1 - 1e-10", true), ("0.1 - 1e-8", false), ("0.1", true)] {
        let text = HEAD.replace("x = 0.3", &format!("x = \"{x}\""));
        assert_eq!(Model::from_text(&text, "disc.toml", &[]).is_ok(), is_feasible, "{x}");
    }
    // The tolerance grows with the coordinates.
    let text = HEAD.replace("x = 0.3", "x = \"1e3\"").replace("x - r", "x - 1000.0000001");
    assert!(Model::from_text(&text, "disc.toml", &[]).is_ok());
}

#[test]
fn what_is_understood_of_contacts() {
    let model = floor("law = \"moreau\"\nrestitution = \"e^2\"\nfriction = 0.3\ntangent = \"x\"");
    let floor_state = understand(&model).contacts[1].clone();
    assert_eq!((floor_state.name.as_str(), floor_state.law.as_str(), floor_state.gap), ("floor", "moreau", 0.9));
    assert_eq!((floor_state.tangents, floor_state.is_closed, floor_state.is_active), (1, false, true));
    let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    assert_eq!(floor_state.parameters, [pair("restitution", "0.25"), pair("friction", "0.3")]);
    let model = floor("law = \"transition\"\nreleases = [\"left\"]");
    assert_eq!(understand(&model).contacts[1].parameters, [pair("releases", "left")]);
    let model = floor("law = \"lossful\"\nloss = \"0.1*m*y'^2\"");
    assert_eq!(understand(&model).contacts[1].parameters, [pair("loss", "0.2*y'*y'")]);
}

#[test]
fn settings_of_impacts() {
    let text = format!("{HEAD}[simulation]\njump = \"modified\"\nmultiple = \"simultaneous\"\nmax_impacts = 50\n");
    let settings =
        Model::from_text(&text, "disc.toml", &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}")).settings;
    assert_eq!((settings.jump.as_deref(), settings.multiple.as_deref()), (Some("modified"), Some("simultaneous")));
    assert_eq!(settings.max_impacts, Some(50));
    let pairs = [("jump", "pointwise"), ("simulation.multiple", "sequential"), ("max_impacts", "10*m")];
    let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let settings =
        Model::from_text(&text, "disc.toml", &pairs).unwrap_or_else(|diagnostics| panic!("{diagnostics}")).settings;
    assert_eq!((settings.jump.as_deref(), settings.multiple.as_deref()), (Some("pointwise"), Some("sequential")));
    assert_eq!(settings.max_impacts, Some(20));
}
