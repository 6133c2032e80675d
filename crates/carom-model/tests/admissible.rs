//! Initial velocities that velocity constraints do not admit.

use carom_model::{Diagnostic, Model, Severity};

/// A sleigh whose blade points along the diagonal, with these velocities.
fn sleigh(velocities: [&str; 3], simulation: &str) -> String {
    let [x, y, theta] = velocities;
    format!(
        "lagrangian = \"x'^2 + y'^2 + 1.5*theta'^2\"\n[coordinates]\nx = {{ velocity = {x} }}\ny = {{ velocity = {y} }}\n\
         theta = {{ initial = \"pi/4\", velocity = {theta} }}\n[velocity_constraints]\n\
         blade = \"sin(theta)*x' - cos(theta)*y'\"\n{simulation}"
    )
}

fn read(text: &str, set: &[(&str, &str)]) -> Result<Model, Vec<Diagnostic>> {
    let set: Vec<(String, String)> = set.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Model::from_text(text, "sleigh.toml", &set).map_err(|found| found.0)
}

fn load(text: &str, set: &[(&str, &str)]) -> Model {
    read(text, set).unwrap_or_else(|found| panic!("{found:?}"))
}

const OFF: [&str; 3] = ["0.1", "0.3", "1"];

#[test]
fn a_velocity_off_the_distribution_is_refused() {
    let found = read(&sleigh(OFF, ""), &[]).unwrap_err();
    assert_eq!((found.len(), found[0].severity, found[0].code), (1, Severity::Error, "not-admissible"));
    assert_eq!((found[0].line, found[0].column, found[0].length), (7, 9, 31));
    let (message, help) = (&found[0].message, found[0].help.as_deref().unwrap_or(""));
    assert!(message.contains("`blade` is -1.414e-1 instead of 0"), "{message}");
    assert!(help.contains("velocity = 0.2 for `x`, velocity = 0.2 for `y`"), "{help}");
    assert!(help.contains("--project") && help.contains("`project = true` in [simulation]"), "{help}");
    // What it says can be written.
    let model = load(&sleigh(["0.2", "0.2", "1"], ""), &[]);
    assert_eq!(model.warnings, []);
}

#[test]
fn the_nearest_admissible_velocity_is_taken_on_demand() {
    let asked = sleigh(OFF, "[simulation]\nproject = true\n");
    for model in [load(&asked, &[]), load(&sleigh(OFF, ""), &[("simulation.project", "true")])] {
        let expected = [0.2, 0.2, 1.0];
        assert!(model.initial.v.iter().zip(expected).all(|(v, w)| (v - w).abs() < 1e-15), "{:?}", model.initial.v);
        let warning = &model.warnings[0];
        assert_eq!((warning.severity, warning.code, warning.line), (Severity::Warning, "not-admissible", 7));
        let help = warning.help.as_deref().unwrap_or("");
        assert!(help.contains("velocity = 0.2 for `x`, velocity = 0.2 for `y`"), "{help}");
        assert!(model.settings.project);
    }
    assert!(read(&asked, &[("project", "false")]).is_err());
    let wrong = read(&sleigh(OFF, ""), &[("project", "yes")]).unwrap_err();
    assert_eq!((wrong[0].code, wrong[0].file.as_str(), wrong[0].column), ("unknown-value", "--set", 9));
    let wrong = read(&sleigh(OFF, "[simulation]\nproject = 1\n"), &[]).unwrap_err();
    assert_eq!((wrong[0].code, wrong[0].line), ("wrong-type", 9));
}

#[test]
fn nearest_is_meant_in_the_metric_of_the_mass_matrix() {
    // x' = y' with masses 1 and 3: the momentum is shared.
    let text = "lagrangian = \"0.5*x'^2 + 1.5*y'^2\"\n[coordinates]\nx = { velocity = 1 }\ny = 0\n\
                [velocity_constraints]\ntie = \"x' - y'\"\n[simulation]\nproject = true\n";
    let v = load(text, &[]).initial.v;
    assert!(v.iter().all(|v| (v - 0.25).abs() < 1e-15), "{v:?}");
}

#[test]
fn without_a_mass_matrix_the_euclidean_nearest_is_taken() {
    let text = "lagrangian = \"x*y' - y*x' - x^2\"\n[coordinates]\nx = { velocity = 1 }\ny = 0\n\
                [velocity_constraints]\ntie = \"x' - 3*y'\"\n";
    let help = read(text, &[]).unwrap_err()[0].help.clone().unwrap_or_default();
    assert!(help.contains("velocity = 0.9 for `x`, velocity = 0.3 for `y`"), "{help}");
    // Constraints that are the same leave the multipliers open, but not the velocity.
    let text = sleigh(OFF, "again = \"2*sin(theta)*x' - 2*cos(theta)*y'\"\n");
    let found = read(&text, &[]).unwrap_err();
    assert_eq!(
        found.iter().map(|d| (d.code, d.line)).collect::<Vec<_>>(),
        [("not-admissible", 7), ("not-admissible", 8)]
    );
    assert!(found[1].help.as_ref().is_some_and(|help| help.contains("velocity = 0.2 for `x`")), "{:?}", found[1].help);
}

#[test]
fn rounding_is_no_violation() {
    for velocities in [["\"0.7*cos(pi/4)\"", "\"0.7*sin(pi/4)\"", "1"], ["1e-17", "0", "0"], ["1", "0.9999999995", "3"]]
    {
        let model = load(&sleigh(velocities, ""), &[]);
        assert_eq!(model.warnings, []);
        let v = &model.initial.v;
        assert!((v[0] - v[1]).abs() <= 4e-16 * v[0].abs(), "{v:?}");
    }
    assert!(read(&sleigh(["1", "0.99999", "3"], ""), &[]).is_err());
    // Small velocities are not small violations.
    assert!(read(&sleigh(["1e-11", "0", "0"], ""), &[]).is_err());
}

#[test]
fn suggestions_are_precise_enough_to_be_taken() {
    for [x, y] in [["1e-5", "3e-6"], ["-123456.7", "8.9"], ["0.1", "0.3"], ["1e9", "2e-3"]] {
        let found = read(&sleigh([x, y, "0"], ""), &[]).unwrap_err();
        let help = found[0].help.clone().unwrap_or_default();
        let values: Vec<&str> = help.split("velocity = ").skip(1).filter_map(|rest| rest.split(' ').next()).collect();
        load(&sleigh([values[0], values[1], "0"], ""), &[]);
    }
}

#[test]
fn holonomic_constraints_do_not_hide_a_violation() {
    // The velocity leaves the plane z = 0 and slides off the blade.
    let text = "lagrangian = \"0.5*(x'^2 + y'^2 + z'^2 + theta'^2)\"\n[coordinates]\nx = 0\ny = { velocity = 1 }\n\
                z = { velocity = 1 }\ntheta = { velocity = 2 }\n[constraints]\nplane = \"z\"\n[velocity_constraints]\n\
                blade = \"sin(theta)*x' - cos(theta)*y'\"\n";
    let found = read(text, &[]).unwrap_err();
    let codes: Vec<(&str, Severity)> = found.iter().map(|d| (d.code, d.severity)).collect();
    assert_eq!(codes, [("not-tangent", Severity::Warning), ("not-admissible", Severity::Error)]);
    assert_eq!(load(text, &[("project", "true")]).initial.v, [0.0, 0.0, 0.0, 2.0]);
}

#[test]
fn constraints_that_follow_from_fields_say_so() {
    let text = "lagrangian = \"0.5*(x'^2 + y'^2)\"\n[coordinates]\nx = { velocity = 1 }\ny = { velocity = 1 }\n\
                [frame.along]\nfield = { x = 1, y = 3 }\n";
    let found = read(text, &[]).unwrap_err();
    assert_eq!((found.len(), found[0].code, found[0].line, found[0].column), (1, "not-admissible", 5, 8));
    assert!(found[0].message.contains("`frame1`, which follows from the fields,"), "{}", found[0].message);
    let model = load(text, &[("project", "true")]);
    assert!((model.quasivelocities[0].value - 0.4).abs() < 1e-15);
}
