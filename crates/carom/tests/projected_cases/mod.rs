//! The systems of the document on projections, and some of our own.
#![allow(dead_code)] // every test program uses its own part

use carom::Model;

/// A model of the repository with other values for parameters.
pub fn model(path: &str, set: &[(&str, &str)]) -> Model {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    let set: Vec<(String, String)> = set.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    Model::from_path(path.as_ref(), &set).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Bar, constrained bar with both guides, sinusoid, cosine, pendulum with both walls: at least four impacts each.
pub fn cases() -> Vec<(&'static str, Model, f64)> {
    vec![
        ("bar", model("papers/000/bar.toml", &[]), 3.0),
        ("straight guide", model("papers/000/constrained-bar.toml", &[("f", "0")]), 3.0),
        ("curved guide", model("papers/000/constrained-bar.toml", &[]), 3.0),
        ("sinusoid", model("papers/000/sinusoid.toml", &[]), 5.0),
        ("cosine", model("papers/002/particle.toml", &[("x0", "-4.5*pi + 0.3")]), 8.0),
        ("pendulum", model("papers/000/pendulum.toml", &[]), 5.0),
        ("pendulum between the walls", model("papers/000/pendulum.toml", &[("speed", "5")]), 3.0),
    ]
}

/// A particle over a curve with a gap of its own; `more` are further sections.
pub fn text(gap: &str, more: &str) -> Model {
    let text = format!(
        r#"
        [coordinates]
        x = {{ initial = 0.3, velocity = 0.4 }}
        y = {{ initial = 2.0 }}
        [energy]
        kinetic = "0.5*(x'^2 + 2*y'^2) + 0.1*x'*y'"
        potential = "9.81*y + 0.5*x^2"
        [contacts.ground]
        gap = "{gap}"
        law = "elastic"
        {more}
        "#
    );
    Model::from_text(&text, "curve.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Drag, and a push that depends on time.
pub fn forced() -> Model {
    text("y - 0.4*sin(2*x)", "[forces]\nx = \"0.5*cos(3*t) - 0.05*x'\"\ny = \"-0.1*y'\"")
}

/// A model with one contact, `ground`, from the tables of a model file.
pub fn contact(coordinates: &str, kinetic: &str, gap: &str, more: &str) -> Model {
    let text = format!(
        "[coordinates]\n{coordinates}\n[energy]\nkinetic = \"{kinetic}\"\n[contacts.ground]\ngap = \"{gap}\"\n\
         law = \"elastic\"\n{more}\n"
    );
    Model::from_text(&text, "contact.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}
