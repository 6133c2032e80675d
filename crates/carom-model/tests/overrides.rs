//! Values given on the command line take the place of those in the file.

use carom_model::{Diagnostic, Model};

const TEXT: &str = "
lagrangian = \"0.5*m*(x'^2 + y'^2) - k*x^2\"
[parameters]
m = 1
k = \"2*m\"
[coordinates]
x = { initial = 0.5, velocity = 1 }
y = 0
[inputs]
u = 0
[forces]
y = \"u\"
[simulation]
step = 0.1
";

fn set(pairs: &[(&str, &str)]) -> Result<Model, Vec<Diagnostic>> {
    let pairs: Vec<(String, String)> = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Model::from_text(TEXT, "model.toml", &pairs).map_err(|diagnostics| diagnostics.0)
}

#[test]
fn parameters_states_and_settings() {
    let pairs = [
        ("m", "3"),
        ("x", "k/2"),
        ("x'", "-1"),
        ("step", "0.1/k"),
        ("simulation.until", "3"),
        ("method", "midpoint"),
        ("every", "5"),
        ("parameters.m", "4"),
        ("u", "sin(t)"),
    ];
    let model = set(&pairs).unwrap();
    let values: Vec<f64> = model.system.parameters().iter().map(|p| p.value).collect();
    assert_eq!(values, [4.0, 8.0], "the last value wins, and others follow it");
    assert_eq!((model.initial.q[0], model.initial.v[0]), (4.0, -1.0));
    let settings = &model.settings;
    assert_eq!((settings.step, settings.until, settings.every), (Some(0.0125), Some(3.0), Some(5)));
    assert_eq!(settings.method.as_deref(), Some("midpoint"));
    assert!(model.system.graph().depends_on(model.system.inputs()[0].signal, &[model.system.time()]));
}

#[test]
fn mistakes_point_into_the_argument() {
    let cases = [
        ("mm", "2", "unknown-name", 1, "`m`"),
        ("z", "2", "unknown-name", 1, "values that can be set"),
        ("draw.x", "2", "unknown-name", 1, "sections that can be set"),
        ("simulation.stepp", "2", "unknown-name", 1, "`step`"),
        ("m", "2*kk", "unknown-name", 5, "`k`"),
        ("m", "", "expression", 3, "write"),
        ("m", "1/0", "not-finite", 3, "division"),
        ("step", "-1", "not-positive", 6, "greater than zero"),
        ("x", "t", "not-allowed", 3, "numbers and parameters"),
        ("formulation", "nul-space", "unknown-value", 13, "null-space"),
    ];
    for (key, value, code, column, help) in cases {
        let found = set(&[(key, value)]).expect_err(key);
        let first = &found[0];
        assert_eq!((first.file.as_str(), first.code, first.line, first.column), ("--set", code, 1, column), "{key}");
        assert_eq!(first.source_line, format!("{key}={value}"));
        assert!(first.help.as_ref().is_some_and(|text| text.contains(help)), "{key}: {:?}", first.help);
        assert_eq!(found.len(), 1, "{found:?}");
    }
}

#[test]
fn a_cycle_made_on_the_command_line_is_found() {
    let found = set(&[("m", "k")]).unwrap_err();
    assert_eq!(found[0].code, "cycle");
    assert!(found[0].message.contains("m -> k -> m"), "{}", found[0].message);
}

/// Parameters that are formulas of one that stays a variable go along with it; others are numbers.
#[test]
fn formulas_follow_parameters_that_are_kept() {
    let text = r#"
        lagrangian = "0.5*J*x'^2 - 0.5*k*x^2"
        [parameters]
        l = 0.5
        rest = "1 - l"
        J = "m*rest^2"
        m = 2.0
        k = "3*m"
        [coordinates]
        x = 1.0
    "#;
    let system = Model::from_text(text, "oscillator.toml", &[]).unwrap().system;
    assert_eq!(system.dependents(&["l".to_owned()]), ["rest", "J"]);
    assert!(system.dependents(&["rest".to_owned()]).contains(&"J".to_owned()));
    let mut graph = system.graph().clone();
    let lagrangian = system.specialise_keeping(&mut graph, &[system.lagrangian()], &|name| name == "l")[0];
    let (l, state) = (graph.variable("l"), [(system.q()[0], 0.5), (system.v()[0], 3.0)]);
    for value in [0.5, 0.2] {
        let found = graph.evaluate(&[lagrangian], &[&state[..], &[(l, value)]].concat())[0];
        let expected = 0.5 * 2.0 * (1.0f64 - value).powi(2) * 9.0 - 0.5 * 6.0 * 0.25;
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }
    // A value from outside is a number again.
    let system = Model::from_text(text, "oscillator.toml", &[("rest".into(), "0.7".into())]).unwrap().system;
    assert!(system.dependents(&["l".to_owned()]).is_empty());
}
