//! What a model file says is what the system is.

use carom_expr::Id;
use carom_model::{Model, Shape};
use std::path::PathBuf;

fn example(name: &str) -> Model {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    Model::from_path(&path, &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

fn load(text: &str) -> Model {
    Model::from_text(text, "model.toml", &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

/// Value of an expression of the system's graph.
fn value(model: &Model, id: Id, q: &[f64], v: &[f64], t: f64) -> f64 {
    let system = &model.system;
    let mut graph = system.graph().clone();
    let ids = system.specialise(&mut graph, &[id]);
    let variables = [system.q(), system.v(), &[system.time()]].concat();
    let numbers = [q, v, &[t]].concat();
    graph.evaluate(&ids, &variables.into_iter().zip(numbers).collect::<Vec<_>>())[0]
}

#[test]
fn examples_load_without_remarks() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let model = Model::from_path(&path, &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
            assert_eq!(model.warnings, [], "{}", path.display());
            let understanding = carom_model::understand(&model);
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            // What makes these examples worth having is worth a remark.
            let remarkable: &[&str] = match name {
                "lc-circuit" => &["integrable", "degenerate"],
                "lotka-volterra" | "point-vortices" => &["degenerate"],
                _ => &[],
            };
            let codes: Vec<&str> = understanding.warnings.iter().map(|warning| warning.code).collect();
            assert_eq!(codes, remarkable, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 8, "only {count} examples");
}

#[test]
fn coordinates_keep_the_order_of_the_file() {
    let model = load("lagrangian = \"0.5*(z'^2 + a'^2 + m'^2)\"\n[coordinates]\nz = 1\na = 2\nm = { initial = 3 }\n");
    assert_eq!(model.system.coordinate_names(), ["z", "a", "m"]);
    assert_eq!(model.initial.q, [1.0, 2.0, 3.0]);
    assert_eq!(model.initial.v, [0.0; 3]);
}

#[test]
fn parameters_may_use_later_ones() {
    let text = "
        lagrangian = \"0.5*J*x'^2\"
        [coordinates]
        x = { initial = 'J/2', velocity = \"2*m\", periodic = 'J' }
        [parameters]
        J = { value = \"m*l^2/12\", unit = \"kg m^2\", doc = \"inertia\" }
        m = \"2*l\"
        l = 3
    ";
    let model = load(text);
    let values: Vec<f64> = model.system.parameters().iter().map(|p| p.value).collect();
    assert_eq!(values, [4.5, 6.0, 3.0]);
    assert_eq!((model.initial.q[0], model.initial.v[0]), (2.25, 12.0));
    assert_eq!(model.system.coordinates()[0].period, Some(4.5));
    assert_eq!(model.system.parameters()[0].unit.as_deref(), Some("kg m^2"));
}

#[test]
fn double_pendulum_has_its_textbook_lagrangian() {
    let model = example("double-pendulum.toml");
    let (q, v): ([f64; 2], [f64; 2]) = ([0.7, -0.4], [1.3, -2.1]);
    let g = 9.81;
    let kinetic = v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * (q[0] - q[1]).cos();
    let potential = -g * (2.0 * q[0].cos() + q[1].cos());
    let lagrangian = value(&model, model.system.lagrangian(), &q, &v, 0.0);
    assert!((lagrangian - (kinetic - potential)).abs() < 1e-13, "{lagrangian}");
}

#[test]
fn peer_chain_of_rods_has_the_energy_of_the_peers() {
    // M_ij = c_ij cos(th_i - th_j), V = -sum_i k_i cos th_i, as the comparison programs have it.
    let model = example("planar-chain-4.toml");
    let (q, v): ([f64; 4], [f64; 4]) = ([0.6, 0.5, 0.4, 0.3], [0.3, -0.2, 0.9, 1.1]);
    assert_eq!(model.initial.q, q);
    let mut expected = 0.0;
    for i in 0..4 {
        expected += 9.8 * (4.0 - i as f64 - 0.5) * q[i].cos();
        for j in 0..4 {
            let c = if i == j { 3.0 - i as f64 + 1.0 / 3.0 } else { 3.5 - i.max(j) as f64 };
            expected += 0.5 * c * (q[i] - q[j]).cos() * v[i] * v[j];
        }
    }
    let lagrangian = value(&model, model.system.lagrangian(), &q, &v, 0.0);
    assert!((lagrangian - expected).abs() < 1e-12, "{lagrangian} against {expected}");
}

#[test]
fn a_prime_on_a_definition_is_its_total_derivative() {
    let text = "
        lagrangian = \"0.5*d'^2\"
        [coordinates]
        x = 0.3
        y = 0.2
        [parameters]
        w = 2
        [definitions]
        d = \"sin(w*t)*x*e\"
        e = \"exp(x - y)\"
    ";
    let model = load(text);
    let d = model.system.definitions().iter().find(|d| d.name == "d").unwrap().id;
    let (q, v, t, h) = ([0.4, -0.3], [0.7, 1.9], 0.8, 1e-5);
    let along = |s: f64| value(&model, d, &[q[0] + s * v[0], q[1] + s * v[1]], &v, t + s);
    let rate = (along(h) - along(-h)) / (2.0 * h);
    let lagrangian = value(&model, model.system.lagrangian(), &q, &v, t);
    assert!((lagrangian - 0.5 * rate * rate).abs() < 1e-8, "{lagrangian} against {}", 0.5 * rate * rate);
}

#[test]
fn inputs_forces_and_settings() {
    let model = example("driven-cart-pole.toml");
    let force = value(&model, model.system.forces()[0], &[0.0, 0.2], &[1.5, 0.0], 0.4);
    assert!((force - (2.0 * 1.2f64.sin() - 0.45)).abs() < 1e-14);
    assert_eq!((model.settings.step, model.settings.until), (Some(0.01), Some(10.0)));
    assert_eq!(example("kepler.toml").settings.until, Some(20.0 * std::f64::consts::PI));
}

#[test]
fn contacts_and_drawings() {
    let text = "
        lagrangian = \"0.5*(a'^2 + b'^2) - b\"
        [coordinates]
        a = 0
        b = 2
        [parameters]
        e = 0.5
        [contacts.hill]
        gap = \"b - sin(a)\"
        law = \"newton\"
        restitution = \"e^2\"
        [[draw]]
        type = \"ground\"
        contact = \"hill\"
        plane = [\"a\", \"b\"]
        [[draw]]
        type = \"ground\"
        gap = \"height - 0.1*across\"
        plane = [\"across\", \"height\"]
        [[draw]]
        type = \"ellipse\"
        center = [\"a\", 1]
        radii = [1, \"e\"]
        angle = \"t\"
        color = \"#2a6f97\"
    ";
    let model = load(text);
    let contact = &model.system.contacts()[0];
    assert_eq!((contact.name.as_str(), contact.law.as_str()), ("hill", "newton"));
    assert_eq!(contact.law_parameters[0].name, "restitution");
    assert_eq!(value(&model, contact.law_parameters[0].id, &[0.0; 2], &[0.0; 2], 0.0), 0.25);
    let Shape::Ground { gap, plane } = model.drawing[0].shape else { panic!("{:?}", model.drawing[0]) };
    assert_eq!((gap, plane), (contact.gap, [model.system.q()[0], model.system.q()[1]]));
    let Shape::Ground { plane, .. } = model.drawing[1].shape else { panic!("{:?}", model.drawing[1]) };
    assert_eq!(model.system.graph().variable_name(plane[0]), Some("across"));
    assert_eq!(model.drawing[2].color.as_deref(), Some("#2a6f97"));
}

#[test]
fn a_long_chain_of_definitions_is_read_without_recursion() {
    let mut text = String::from("lagrangian = \"0.5*x'^2 - d0\"\n[coordinates]\nx = 0\n[definitions]\n");
    for k in 0..999 {
        text.push_str(&format!("d{k} = \"{}d{}{}\"\n", "(".repeat(100), k + 1, ")".repeat(100)));
    }
    text.push_str("d999 = \"x\"\n");
    assert_eq!(load(&text).system.definitions().len(), 1000);
}

#[test]
fn states_near_a_constraint_are_moved_onto_it() {
    let text = "lagrangian = \"0.5*(x'^2 + y'^2)\"\n[coordinates]\nx = { initial = 0.71, velocity = 1 }\ny = 0.71\n\
                [constraints]\nrod = \"x^2 + y^2 - 1\"\n";
    let model = load(text);
    let codes: Vec<&str> = model.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["off-constraint", "not-tangent"]);
    let (q, v) = (&model.initial.q, &model.initial.v);
    assert!((q[0] * q[0] + q[1] * q[1] - 1.0).abs() < 1e-14);
    assert!((q[0] * v[0] + q[1] * v[1]).abs() < 1e-14);
    assert!((v[0] - 0.5).abs() < 1e-12);
}
