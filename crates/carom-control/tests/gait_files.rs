//! The section `[gait]`: what it says, and every mistake at its place.

use crate::problem;
use crate::walking;

use carom_control::{Gait, WorkPart};
use carom_nlp::Range;
use problem::{compare, remarks};
use walking::{own, read};

/// A sound gait.
const LINES: &str = r#"stance = "stance"
swing = "swing"
relabel = { x1 = 0, y1 = 0, th1 = "th1 + th2 + th3 + th4", th2 = "-th4", th3 = "-th3", th4 = "-th2" }
length = 0.56
weight = "2*(m1 + m2)*g"
duration = 0.9
"#;

fn whole(lines: &str) -> String {
    format!("model = \"planar-biped.toml\"\n[gait]\n{lines}")
}

/// All remarks about a marked text.
fn check(codes: &[&str], marked: &str) {
    let text = marked.replace('«', "");
    compare(codes, marked, &remarks(&text, read(&text)));
}

/// All remarks about a sound gait in which `old` became `new`.
fn check_with(codes: &[&str], old: &str, new: &str) {
    assert_eq!(LINES.matches(old).count(), 1, "{old}");
    check(codes, &whole(&LINES.replace(old, new)));
}

/// The only remark about lines below a sound gait, as `message / help`.
fn said(lines: &str) -> String {
    let text = whole(&format!("{LINES}{lines}\n"));
    let found = remarks(&text, read(&text));
    assert_eq!(found.len(), 1, "{found:?}");
    format!("{} / {}", found[0].message, found[0].help.as_deref().unwrap_or(""))
}

fn gait(lines: &str) -> Gait {
    own(&read(&whole(&format!("{LINES}{lines}"))).unwrap_or_else(|found| panic!("{found}"))).clone()
}

#[test]
fn everything_is_read() {
    let file = read(&whole(LINES)).unwrap();
    let (plain, options) = (own(&file), file.gait_options().unwrap());
    assert_eq!((plain.stance.as_str(), plain.swing.as_str(), plain.length.as_str()), ("stance", "swing", "0.56"));
    assert_eq!((plain.effort, plain.work, plain.friction, plain.normal_force), (1.0, None, None, None));
    assert_eq!((plain.clearance, plain.step.intervals, plain.step.duration.guess()), (0.0, 50, 0.9));
    assert_eq!((options.starts, options.seed, options.coarse), (1, 1, None));
    assert_eq!((options.effort_first, options.net_first), (false, false));
    // A start that wanders is given up.
    assert_eq!(options.solve.nlp.max_iterations, 1000);
    let lines = "work = \"positive\"\neffort = \"1/4\"\nfriction = 0.7\nnormal_force = 5\nclearance = 0.02\nstarts = 4\nseed = 9\n\
                 spread = 0.3\ncoarse = 10\neffort_first = true\nnet_first = true\nintervals = 12\nbounds = { th2 = { min = 0 } }\n";
    let file = read(&whole(&format!("{LINES}{lines}"))).unwrap();
    let (full, options) = (own(&file), file.gait_options().unwrap());
    assert_eq!((full.work, full.effort, full.clearance), (Some(WorkPart::Positive), 0.25, 0.02));
    assert_eq!((full.friction, full.normal_force), (Some(0.7), Some(5.0)));
    assert_eq!((options.starts, options.seed, options.spread), (4, 9, 0.3));
    assert_eq!((options.coarse, options.effort_first, options.net_first), (Some(10), true, true));
    assert_eq!((full.step.intervals, &full.step.bounds[..]), (12, &[("th2".to_owned(), Range::at_least(0.0))][..]));
    assert_eq!(file.gait_starts().unwrap().len(), 4);
    // It became a phase with conditions and a transition back.
    let problem = &file.problem;
    let conditions: Vec<&str> = problem.phases[0].path.iter().map(|path| path.condition.name.as_str()).collect();
    assert_eq!(conditions, ["clearance", "normal force", "friction forward", "friction backward"]);
    let strike = &problem.transitions[0];
    assert_eq!(
        (strike.name.as_str(), strike.from, strike.to, &strike.guards[..]),
        ("strike", 0, 0, &["swing".to_owned()][..])
    );
    let costs: Vec<&str> = problem.costs.iter().map(|cost| cost.name.as_str()).collect();
    assert_eq!(costs, ["work", "effort"]);
    // Further costs, and no effort.
    let costs = gait("effort = 0\n[costs]\nhurry = { time = true }\n").problem().unwrap().costs;
    assert_eq!(costs.iter().map(|cost| cost.name.as_str()).collect::<Vec<_>>(), ["hurry"]);
}

#[test]
fn missing_keys() {
    for (key, line) in [
        ("stance", "stance = \"stance\"\n"),
        ("swing", "swing = \"swing\"\n"),
        ("length", "length = 0.56\n"),
        ("weight", "weight = \"2*(m1 + m2)*g\"\n"),
        ("duration", "duration = 0.9\n"),
    ] {
        let text = whole(&LINES.replace(line, "")).replace("[gait]", "[«gait]");
        check(&["missing-key"], &text);
        let found = remarks(key, read(&text.replace('«', "")));
        assert!(found[0].message.contains(&format!("`{key}`")), "{key}: {}", found[0].message);
    }
    let start = LINES.find("relabel").unwrap();
    let end = start + LINES[start..].find('\n').unwrap() + 1;
    check(&["missing-key"], &whole(&LINES.replace(&LINES[start..end], "")).replace("[gait]", "[«gait]"));
    // All of them at once.
    check(&["missing-key"; 6], "model = \"planar-biped.toml\"\n[««««««gait]\nintervals = 3\n");
}

#[test]
fn unknown_names_and_words() {
    check_with(&["unknown-name"], "swing = \"swing\"", "swing = «\"swig\"");
    check_with(&["wrong-type"], "stance = \"stance\"", "stance = «3");
    check_with(&["unknown-key"], "duration = 0.9", "duration = 0.9\n«frction = 0.6");
    check_with(&["unknown-value"], "duration = 0.9", "duration = 0.9\nwork = «\"absolut\"");
    check_with(&["unknown-name"], "length = 0.56", "length = \"«Lstep\"");
    check_with(&["unknown-name"], "th2 = \"-th4\"", "th2 = \"-«th5\"");
    check_with(&["unknown-name"], "th2 = \"-th4\"", "«th7 = \"-th4\"");
    assert!(said("frction = 0.6").contains("did you mean `friction`?"));
    assert!(said("work = \"absolut\"").contains("did you mean `absolute`?"));
    let text = whole(&LINES.replace("\"swing\"", "\"swig\""));
    let found = remarks(&text, read(&text));
    assert!(found[0].help.as_deref().unwrap().contains("did you mean `swing`?"), "{found:?}");
}

#[test]
fn numbers_out_of_range() {
    for (line, code) in [
        ("friction = «-0.1", "not-positive"),
        ("friction = «0", "not-positive"),
        ("normal_force = «-1", "out-of-range"),
        ("effort = «-1e-3", "out-of-range"),
        ("clearance = «-0.01", "out-of-range"),
        ("friction = «nan", "not-finite"),
        ("starts = «0", "not-positive"),
        ("starts = «1.5", "not-positive"),
        ("seed = «-1", "not-positive"),
        ("spread = «0", "not-positive"),
        ("coarse = «0", "not-positive"),
        ("effort_first = «1", "wrong-type"),
        ("net_first = «1", "wrong-type"),
        ("friction = «\"rough\"", "unknown-name"),
    ] {
        let line = if code == "unknown-name" { line.replace("«\"", "\"«") } else { line.to_owned() };
        check(&[code], &whole(&format!("{LINES}{line}\n")));
    }
    assert!(said("friction = -0.1").contains("`friction` of [gait] is -0.1, but must be positive"));
    assert!(said("effort = -0.1").contains("`effort` of [gait] is -0.1, but must not be negative"));
    // A width needs a second tangent; the exchange leads back to where steps begin.
    for (old, new, words) in [
        ("length = 0.56", "length = 0.56\nwidth = 0.1", "the feet have one tangent"),
        ("length = 0.56", "length = 0", "`length` is 0, but must be a positive number"),
        ("weight = \"2*(m1 + m2)*g\"", "weight = -3", "`weight` is -3, but must be a positive number"),
        ("x1 = 0", "x1 = 0.3", "the stance foot is 0.300000 away from 0, where steps begin"),
    ] {
        let text = whole(&LINES.replace(old, new));
        let found = remarks(&text, read(&text));
        assert_eq!((found.len(), found[0].code), (1, "gait"), "{found:?}");
        assert!(found[0].message.contains(words), "{found:?}");
    }
    check_with(&["not-positive"], "duration = 0.9", "duration = «-0.9");
    // What varies along the motion is no length.
    for formula in ["th1", "0.5 + th1'", "1 + t"] {
        let text = whole(&LINES.replace("length = 0.56", &format!("length = \"{formula}\"")));
        let found = remarks(&text, read(&text));
        compare(&["gait"], &text.replace("length = \"", "length = «\""), &found);
        assert!(found[0].message.contains("which varies along the motion; use parameters only"), "{found:?}");
    }
}

#[test]
fn relabellings_of_other_sizes() {
    check_with(
        &["wrong-size"],
        "relabel = { x1 = 0, y1 = 0, th1 = \"th1 + th2 + th3 + th4\", th2 = \"-th4\", th3 = \"-th3\", th4 = \"-th2\" }",
        "relabel = «[\"th1\", \"th2\"]",
    );
    // Lists in the order of the coordinates are as good as tables.
    let list = "[\"0\", \"0\", \"th1 + th2 + th3 + th4\", \"-th4\", \"-th3\", \"-th2\"]";
    let start = LINES.find('{').unwrap();
    let table = &LINES[start..LINES.find('}').unwrap() + 1];
    assert!(read(&whole(&LINES.replace(table, list))).is_ok());
    // Rates are no places.
    let rate = whole(&LINES.replace("th2 = \"-th4\"", "th2 = \"-th4'\""));
    let found = remarks(&rate, read(&rate));
    compare(&["gait"], &rate.replace("\"-th4'", "«\"-th4'"), &found);
    assert!(found[0].message.contains("the relabelling `-th4'` uses `th4'`, which is no place"), "{found:?}");
}

#[test]
fn sections_that_do_not_go_together() {
    for section in ["[«phases.a]\nduration = 1", "[«transitions.a]\nfrom = \"step\"\nto = \"step\"", "[«discover]"] {
        check(&["conflict"], &whole(&format!("{LINES}{section}\n")));
    }
    for (key, work) in [("effort_first", ""), ("net_first", ""), ("net_first", "work = \"net\"\n")] {
        check(&["conflict"], &whole(&format!("{LINES}{work}{key} = «true\n")));
    }
    let words = said("[phases.a]\nduration = 1");
    assert!(words.starts_with("the problem has both [gait] and [phases] / keep one of them"), "{words}");
}

/// Feet that cannot walk: the same twice, or one without a direction.
#[test]
fn feet() {
    let both = whole(&LINES.replace("swing = \"swing\"", "swing = «\"stance\""));
    check(&["gait"], &both);
    let text = whole(LINES);
    let smooth = |name: &str| Ok(walking::text(name).replace("tangent = \"foot_x\"\n", ""));
    let found = remarks(&text, carom_control::ProblemFile::from_text(&text, "gait.toml", &[], &smooth));
    compare(&["gait"], &text.replace("swing = ", "swing = «"), &found);
    assert!(found[0].message.contains("contact `swing` has no tangent"), "{}", found[0].message);
    // An exchange that exchanges nothing.
    check_with(
        &["gait"],
        "relabel = { x1 = 0, y1 = 0, th1 = \"th1 + th2",
        "relabel = «{ x1 = 0, y1 = 0, th1 = \"th1 - th2",
    );
    // Steps that lead nowhere.
    for length in ["0", "-0.5", "\"m1 - 2\""] {
        let text = whole(&LINES.replace("length = 0.56", &format!("length = «{length}")));
        check(&["gait"], &text);
    }
}
