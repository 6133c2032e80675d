//! Every mistake of a problem file is reported where it is made, all of them at once.

use crate::problem;

use carom_control::{ProblemFile, transcription};
use carom_expr::Backend;
use problem::{COSTS, MODEL, beside, check, check_after, check_phase, diagnostics, read, said};

#[test]
fn sections_and_keys() {
    check_phase(&["unknown-key"], "duration = 1\n«durtion = 2");
    check(
        &["unknown-key"],
        &format!("model = \"model.toml\"\n«metod = \"midpoint\"\n[phases.a]\nduration = 1\n{COSTS}"),
    );
    check(&["missing-section"], "model = \"model.toml\"\n[phases.a]\nduration = «1\n");
    check(&["missing-section"], &format!("model = \"model.toml\"\n{}", COSTS.replace(" }\n", " «}\n")));
    check(&["missing-section"], "[phases.a]\nduration = 1\n[costs]\neffort = { time = true «}\n");
    check(&["missing-key"], &format!("model = \"model.toml\"\n[phases.«a]\nintervals = 3\n{COSTS}"));
    check(&["wrong-type"], &format!("model = \"model.toml\"\nphases = «3\n{COSTS}"));
    check(&["wrong-type"], &format!("model = «3\n[phases.a]\nduration = 1\n{COSTS}"));
    check(&["not-a-problem"], &MODEL.replace("[coordinates]", "[«coordinates]"));
    assert!(said("model = \"model.toml\"\n[phases.a]\nduration = 1\n").contains("effort = { integral = \"u^2\" }"));
}

#[test]
fn settings() {
    for (line, code) in [
        ("method = «\"midpont\"", "unknown-value"),
        ("method = «\"gni\"", "unknown-value"),
        ("solver = «\"interor\"", "unknown-value"),
        ("backend = «\"fast\"", "unknown-value"),
        ("tolerance = «0", "not-positive"),
        ("tolerance = «-1e-8", "not-positive"),
        ("accuracy = «0.0", "not-positive"),
        ("max_iterations = «0", "not-positive"),
        ("max_iterations = «1.5", "not-positive"),
        ("max_seconds = «nan", "not-finite"),
        ("total_duration = «[2, 1]", "conflict"),
        ("total_duration = «-1", "not-positive"),
        ("method = «3", "wrong-type"),
    ] {
        check(&[code], &format!("model = \"model.toml\"\n{line}\n[phases.a]\nduration = 1\n{COSTS}"));
    }
    let words = said(&format!("model = \"model.toml\"\nmethod = \"midpont\"\n[phases.a]\nduration = 1\n{COSTS}"));
    assert!(words.contains("did you mean `midpoint`?"), "{words}");
}

#[test]
fn searches_of_impacts() {
    let with = |lines: &str| format!("model = \"model.toml\"\n[phases.a]\nduration = 1\n[discover]\n{lines}\n{COSTS}");
    for (line, code) in [
        ("contacts = [«\"flor\"]", "unknown-name"),
        ("contacts = «\"floor\"", "wrong-type"),
        ("contacts = «[]", "empty"),
        ("contacts = [«3]", "wrong-type"),
        ("touches = «0", "not-positive"),
        ("touches = «1.5", "not-positive"),
        ("touches = «1000", "not-positive"),
        ("touches = «[2]", "wrong-type"),
        ("shifts = [0, «0.5]", "out-of-range"),
        ("shifts = «0.1", "wrong-type"),
        ("shifts = [«nan]", "not-finite"),
        ("intervals = «-1", "not-positive"),
        ("«touch = 2", "unknown-key"),
    ] {
        check(&[code], &with(line));
    }
    check(&["wrong-type"], &format!("model = \"model.toml\"\ndiscover = «true\n[phases.a]\nduration = 1\n{COSTS}"));
    let words = said(&with("contacts = [\"flor\"]"));
    assert!(words.contains("did you mean `floor`?"), "{words}");
}

#[test]
fn models() {
    let with = |lines: &str| format!("{lines}\n[phases.a]\nduration = 1\n{COSTS}");
    check(&["unreadable"], &with("model = «\"missing.toml\""));
    check(&["unknown-name"], &with("model = \"model.toml\"\n[parameters]\n«mm = 1"));
    check(&["unknown-name"], &with("model = \"model.toml\"\n[parameters]\nm = \"2*«k\""));
    check(&["not-finite"], &with("model = \"model.toml\"\n[parameters]\nm = \"«1/0\""));
    check(&["not-finite"], &with("model = \"model.toml\"\n[parameters]\nm = «nan"));
    // A model inside has its own mistakes, and others are still looked for.
    let inside = "[model]\nlagrangian = \"x'^2 - «k*x\"\n[model.coordinates]\nx = 0\n[phases.a]\nduration = «-1\n";
    check(&["unknown-name", "not-positive"], &format!("{inside}{COSTS}"));
}

#[test]
fn freed_parameters() {
    let with = |lines: &str, rest: &str| {
        format!("model = \"model.toml\"\n[free]\n{lines}\n[phases.a]\nduration = 1\n{rest}{COSTS}")
    };
    check(&["unknown-name"], &with("«ll = [0, 1]", ""));
    check(&["conflict"], &with("l = «[1, 0]", ""));
    check(&["out-of-range"], &with("l = { range = [1, 2], guess = «3 }", ""));
    check(&["not-finite"], &with("l = { range = [1, 2], guess = «nan }", ""));
    check(&["missing-key"], &with("l = «{ guess = 1 }", ""));
    check(&["conflict"], &with("l = { «range = [0, 1], min = 0 }", ""));
    // An unknown is no number.
    check(&["not-allowed"], &with("l = [0, 1]", "end = { x = \"2*«l\" }\n"));
}

#[test]
fn durations_and_meshes() {
    for (line, code) in [
        ("duration = «0", "not-positive"),
        ("duration = «-1", "not-positive"),
        ("duration = «nan", "not-finite"),
        ("duration = «inf", "not-finite"),
        ("duration = «[2, 1]", "conflict"),
        ("duration = «[-1, 1]", "not-positive"),
        ("duration = { range = [1, 2], guess = «5 }", "out-of-range"),
        ("duration = { range = [1, 2], guess = «0 }", "not-positive"),
        ("duration = 1\nintervals = «0", "not-positive"),
        ("duration = 1\nintervals = «2.5", "not-positive"),
        ("duration = 1\nintervals = «2000000", "not-positive"),
        ("duration = 1\nshares = [1, «0]", "not-positive"),
        ("duration = 1\nintervals = 3\nshares = «[1, 2]", "conflict"),
        ("duration = 1\nshares = «[]", "conflict"),
        ("duration = 1\ncontrols = «\"cubic\"", "unknown-value"),
        ("duration = 1\nformulation = «\"hamel\"", "unknown-value"),
        ("duration = 1\nclosed = [«\"flor\"]", "unknown-name"),
        ("duration = 1\nclosed = «\"floor\"", "wrong-type"),
    ] {
        check_phase(&[code], line);
    }
}

#[test]
fn bounds_and_conditions() {
    for (line, code) in [
        ("bounds = { «z = [0, 1] }", "unknown-name"),
        ("bounds = { x = «[1, 0] }", "conflict"),
        ("bounds = { x = [«nan, 1] }", "not-finite"),
        ("bounds = { x = «[0, 1, 2] }", "wrong-type"),
        ("bounds = { x = «[inf, inf] }", "conflict"),
        ("bounds = { x = { «lower = 1 } }", "unknown-key"),
        ("bounds = «[1]", "wrong-type"),
        ("start = { «z = 0 }", "unknown-name"),
        ("start = { \"x + «zz\" = 0 }", "unknown-name"),
        ("start = { \"«x_dot\" = 0 }", "unknown-name"),
        ("start = { «u = 0 }", "not-allowed"),
        ("start = { x = \"«k\" }", "unknown-name"),
        ("start = { x = \"«y\" }", "not-allowed"),
        ("start = { x = { formula = \"x^\", range = 0 } }", "expression"),
        ("start = { x = { range = 0, «at = \"nodes\" } }", "unknown-key"),
        ("bounds = { x = [0, 1] }\nend = { x = «2 }", "conflict"),
        ("path = { y = { min = 0, at = «\"middle\" } }", "unknown-value"),
        ("path = { \"«force_floor\" = { min = 0 } }", "unknown-name"),
    ] {
        let line = line.replace("\"x^\"", "\"x^«\"");
        check_phase(&[code], &format!("duration = 1\n{line}"));
    }
    // All mistakes of a file are told in one reading.
    check_phase(
        &["unknown-name", "conflict", "unknown-value"],
        "duration = 1\nbounds = { «z = 1, x = «[1, 0] }\ncontrols = «\"a\"",
    );
    // Closed contacts have forces.
    let text = "model = \"model.toml\"\n[phases.a]\nduration = 1\nclosed = [{ contact = \"wall\", sticks = true }]\n\
                path = { \"force_wall - force_wall_t\" = { min = 0 } }\n";
    read(&format!("{text}{COSTS}")).unwrap();
}

#[test]
fn guesses() {
    for (line, code) in [
        ("guess = { «z = 1 }", "unknown-name"),
        ("guess = { x = [0, «nan] }", "not-finite"),
        ("guess = { x = «[] }", "wrong-size"),
        ("guess = { x = «true }", "wrong-type"),
        ("guess = «3", "wrong-type"),
    ] {
        check_phase(&[code], &format!("duration = 1\n{line}"));
    }
    check_after(&["unreadable"], &format!("{COSTS}[guess]\nfrom = «\"nowhere\"\n"));
    check_after(&["unknown-key"], &format!("{COSTS}[guess]\n«form = \"nowhere\"\n"));
    check_after(&["wrong-type"], &format!("{COSTS}[guess]\nsimulate = «1\n"));
}

#[test]
fn transitions() {
    let link = |lines: &str| format!("[transitions.hit]\nfrom = \"a\"\nto = \"b\"\n{lines}\n{COSTS}");
    check_after(&["unknown-name"], &link("guards = [«\"flor\"]"));
    check_after(&["duplicate-name"], &link("guards = [\"floor\", «\"floor\"]"));
    check_after(&["unknown-value"], &link("jump = «\"modified\""));
    check_after(&["wrong-size"], &link("map = «[\"x\"]"));
    check_after(&["unknown-name"], &link("map = { «z = \"x\" }"));
    check_after(&["unknown-name"], &link("map = { x = \"-«z\" }"));
    check_after(&["unknown-key"], &link("«guard = [\"floor\"]"));
    check_after(&["unknown-name"], &format!("[transitions.hit]\nfrom = \"a\"\nto = «\"c\"\n{COSTS}"));
    check_after(&["missing-key"], &format!("[transitions.«hit]\nfrom = \"a\"\n{COSTS}"));
    check(
        &["conflict"],
        &format!(
            "model = \"model.toml\"\n[phases.a]\nduration = 1\nclosed = [\"floor\"]\n[phases.b]\nduration = 1\n\
             [transitions.hit]\nfrom = \"a\"\nto = \"b\"\nguards = [«\"floor\"]\n{COSTS}"
        ),
    );
    // A phase that nothing leads to is doubtful, but not wrong.
    check(
        &["loose-phase"],
        &format!(
            "model = \"model.toml\"\n[phases.a]\nduration = 1\n[phases.b]\nduration = 1\n[phases.«c]\nduration = 1\n{}",
            link("")
        ),
    );
}

#[test]
fn costs() {
    for (line, code) in [
        ("effort = «\"u^2\"", "wrong-type"),
        ("«effort = { weight = 1 }", "missing-key"),
        ("effort = { integral = \"u\", «terminal = \"x\" }", "missing-key"),
        ("effort = { integral = \"«w^2\" }", "unknown-name"),
        ("effort = { terminal = «\"u\" }", "not-allowed"),
        ("effort = { integral = \"u\", weight = «nan }", "not-finite"),
        ("effort = { integral = \"u\", phases = [«\"c\"] }", "unknown-name"),
        ("effort = { integral = \"u\", «norm = \"square\" }", "conflict"),
        ("effort = { work = «\"all\" }", "unknown-value"),
        ("effort = { work = \"net\", inputs = [«\"v\"] }", "unknown-name"),
        ("effort = { residual = «[] }", "missing-key"),
        ("effort = { residual = [\"x\", \"«z\"], norm = \"absolute\" }", "unknown-name"),
        ("effort = { time = «false }", "conflict"),
        ("effort = { integral = \"u\", «wieght = 2 }", "unknown-key"),
    ] {
        check_after(&[code], &format!("[costs]\n{line}\n"));
    }
}

/// What only a transcription can know is told at its place, too.
#[test]
fn mistakes_that_show_later() {
    let explain = |text: &str| {
        let file = read(text).unwrap();
        let method = transcription(&file.settings.method).unwrap();
        let error = method.transcribe(&file.problem, Backend::Interpreter).err().expect("a mistake");
        let found = file.explain(&error).0;
        (found[0].code, found[0].line, found[0].message.clone())
    };
    let text = format!("model = \"model.toml\"\n[phases.a]\nduration = 1\npath = {{ \"x'\" = [0, 1] }}\n{COSTS}");
    let (code, line, message) = explain(&text);
    assert_eq!((code, line), ("not-allowed", 4), "{message}");
    let text = format!("model = \"model.toml\"\n[phases.a]\nduration = 1\ncontrols = \"linear\"\n{COSTS}");
    assert_eq!(explain(&text).0, "not-supported");
}

#[test]
fn overrides_point_at_the_command_line() {
    let text = format!("model = \"model.toml\"\n[phases.a]\nduration = 1\n{COSTS}");
    let wrong = |key: &str, value: &str| {
        let set = [(key.to_owned(), value.to_owned())];
        let found = ProblemFile::from_text(&text, "p.toml", &set, &beside).unwrap_err();
        (found.0[0].code, found.0[0].file.clone(), found.0[0].column)
    };
    assert_eq!(wrong("m", "1/0"), ("not-finite", "--set".to_owned(), 3));
    assert_eq!(wrong("mm", "1"), ("unknown-name", "--set".to_owned(), 1));
    assert_eq!(wrong("problem.method", "midpont"), ("unknown-value", "--set".to_owned(), 16));
    assert_eq!(wrong("problem.intervals", "0").0, "not-positive");
    let set = [("problem.intervals".to_owned(), "7".to_owned()), ("g".to_owned(), "1".to_owned())];
    let file = ProblemFile::from_text(&text, "p.toml", &set, &beside).unwrap();
    assert_eq!(file.problem.phases[0].intervals, 7);
    assert_eq!(file.models[0].system.parameters()[1].value, 1.0);
}

#[test]
fn hostile_sizes_are_refused() {
    let long =
        format!("model = \"model.toml\"\n[phases.a]\nduration = \"{}1{}\"\n{COSTS}", "(".repeat(500), ")".repeat(500));
    assert_eq!(diagnostics(&long)[0].code, "too-large");
    assert_eq!(diagnostics(&"#".repeat(2 << 20))[0].code, "too-large");
    let many: String = (0..20_001).map(|k| format!("{k},")).collect();
    let text = format!("model = \"model.toml\"\n[phases.a]\nduration = 1\nguess = {{ x = [{many}] }}\n{COSTS}");
    assert_eq!(diagnostics(&text)[0].code, "wrong-size");
    let phases: String = (0..30).map(|k| format!("[phases.p{k}]\nduration = 1\nintervals = 1000000\n")).collect();
    assert_eq!(diagnostics(&format!("model = \"model.toml\"\n{phases}{COSTS}"))[0].code, "too-large");
}
