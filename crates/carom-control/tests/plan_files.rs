//! The section `[plan]`: what it says, what it leaves open, and every mistake at its place.

use crate::problem;

use carom_control::planner::{LineSearch, PlanEvent, PlanOptions, PlanStart, SearchOptions, plan, plannable};
use carom_control::{ControlError, PlanSettings, ProblemFile, StoredPlan, schema};
use problem::{COSTS, check, read, said};

/// A ball over a floor, fully actuated, with one gap.
const BALL: &str = "\
[model]
parameters = { m = 1, g = 9.81 }
coordinates = { x = 0, y = 1 }
inputs = { u = 0, f = 0 }
[model.energy]
kinetic = \"0.5*m*(x'^2 + y'^2)\"
potential = \"m*g*y\"
[model.forces]
x = \"u\"
y = \"f\"
[model.contacts.floor]
gap = \"y\"
law = \"elastic\"
[phases.a]
duration = 1.2
start = { x = 0, y = 1, \"x'\" = 0, \"y'\" = 0 }
end = { x = 0.5, y = 1, \"x'\" = 0, \"y'\" = 0 }
[costs]
effort = { integral = \"u^2 + f^2\" }
";

/// Settings that are quick.
const QUICK: &str =
    "[plan]\nstages = 8\niterations = 15\npenalties = [3e3]\nfree_iterations = 5\nimpacts = 2\nbeam = 2\ntimes = 6\n";

fn ball(lines: &str) -> ProblemFile {
    read(&format!("{lines}\n{BALL}")).unwrap_or_else(|error| panic!("{error}"))
}

fn with(lines: &str) -> String {
    format!("model = \"model.toml\"\n[phases.a]\nduration = 1\n[plan]\n{lines}\n{COSTS}")
}

#[test]
fn absent_values_are_those_of_the_planner() {
    assert!(ball("").plan_options().is_none());
    let (options, defaults) = (ball("[plan]").plan_options().unwrap(), PlanOptions::default());
    assert_eq!(format!("{options:?}"), format!("{defaults:?}"));
    assert_eq!(ball("[plan]").settings.plan, Some(PlanSettings::default()));
    // The reference says the same numbers.
    let section = schema::SECTIONS.iter().find(|section| section.name == "plan").unwrap();
    let said = |key: &str| section.keys.iter().find(|known| known.name == key).unwrap().doc;
    for (key, value) in [
        ("stages", defaults.stages.to_string()),
        ("iterations", defaults.descent.max_iterations.to_string()),
        ("penalty", defaults.penalty.to_string()),
        ("free_iterations", defaults.free_iterations.to_string()),
        ("scale", defaults.descent.scale.to_string()),
        ("armijo", format!("{:e}", defaults.descent.armijo)),
        ("impacts", SearchOptions::default().impacts.to_string()),
        ("beam", SearchOptions::default().beam.to_string()),
        ("times", SearchOptions::default().times.to_string()),
        ("seconds", SearchOptions::default().max_seconds.to_string()),
        ("intervals", defaults.intervals.to_string()),
        ("flight_intervals", defaults.flight_intervals.to_string()),
    ] {
        assert!(said(key).contains(&format!("{value} if absent")), "{key}: {}", said(key));
    }
    assert_eq!(defaults.penalties, [3e3, 3e4]);
    assert!(said("penalties").contains("`[3e3, 3e4]` if absent"));
}

#[test]
fn all_keys_are_read() {
    let lines = "[plan]\nstages = 12\niterations = 7\npenalty = \"2*g\"\npenalties = [1, 2.5]\nfree_iterations = 3\nscale = 0.5\narmijo = 0.1\nline_search = \"more-thuente\"\nk = 2\ncoordinate = \"y\"\ndomain = { x = [-1, \"2*m\"] }\nimpacts = 0\nbeam = 2\ntimes = 9\nseconds = 1.5\nintervals = 5\nflight_intervals = 4";
    let options = ball(lines).plan_options().unwrap();
    assert_eq!((options.stages, options.descent.max_iterations, options.free_iterations), (12, 7, 3));
    assert_eq!((options.penalty, &options.penalties[..]), (2.0 * 9.81, &[1.0, 2.5][..]));
    assert_eq!((options.descent.scale, options.descent.armijo), (0.5, 0.1));
    assert_eq!(options.descent.search, LineSearch::MoreThuente);
    assert_eq!((options.projection.k, options.projection.coordinate.as_deref()), (Some(2.0), Some("y")));
    assert_eq!(options.projection.domain, [("x".to_owned(), [-1.0, 2.0])]);
    assert_eq!(options.search, Some(SearchOptions { impacts: 0, beam: 2, times: 9, max_seconds: 1.5 }));
    assert_eq!((options.intervals, options.flight_intervals), (5, 4));
    plannable(&ball(lines).problem, &options).unwrap();
    assert_eq!(ball("[plan]\nsearch = false").plan_options().unwrap().search, None);
    assert!(ball("[plan]\nsearch = true").plan_options().unwrap().search.is_some());
    // Every key of the reference is one of these.
    let section = schema::SECTIONS.iter().find(|section| section.name == "plan").unwrap();
    assert!(section.keys.iter().all(|key| key.name == "search" || lines.contains(&format!("{} = ", key.name))));
}

#[test]
fn the_end_is_solved_as_the_problem_says() {
    let polish = |lines: &str| ball(&format!("{lines}\n[plan]")).plan_options().unwrap().polish;
    let defaults = PlanOptions::default().polish;
    let found = polish("method = \"gauss2\"\ntolerance = 1e-7");
    assert_eq!((found.transcription.as_str(), found.nlp.tolerance), ("gauss2", 1e-7));
    assert_eq!((polish("").transcription, polish("").nlp.tolerance), (defaults.transcription, defaults.nlp.tolerance));
    assert_eq!(polish("solver = \"interior\"\nmax_iterations = 9").nlp.max_iterations, 9);
    // Options of the command line are settings, too.
    let set = |key: &str, value: &str| vec![(format!("problem.{key}"), value.to_owned())];
    let options = |set: &[(String, String)]| {
        let file = ProblemFile::from_text(&format!("[plan]\n{BALL}"), "p.toml", set, &problem::beside).unwrap();
        file.plan_options().unwrap()
    };
    assert_eq!(options(&set("method", "midpoint")).polish.transcription, "midpoint");
    assert_eq!(options(&set("intervals", "3")).intervals, 3);
}

#[test]
fn numbers_and_words() {
    for (line, code) in [
        ("stages = «0", "not-positive"),
        ("stages = «100000", "not-positive"),
        ("stages = «[2]", "wrong-type"),
        ("iterations = «1.5", "not-positive"),
        ("free_iterations = «0", "not-positive"),
        ("penalty = «0", "not-positive"),
        ("penalty = «nan", "not-finite"),
        ("penalties = «3", "wrong-type"),
        ("penalties = [1, «-2]", "not-positive"),
        ("scale = «-1", "not-positive"),
        ("armijo = «0", "not-positive"),
        ("armijo = «0.7", "out-of-range"),
        ("line_search = «\"halvin\"", "unknown-value"),
        ("line_search = «1", "wrong-type"),
        ("k = «0", "not-positive"),
        ("coordinate = «\"z\"", "unknown-name"),
        ("coordinate = «3", "wrong-type"),
        ("domain = «3", "wrong-type"),
        ("domain = { «z = [0, 1] }", "unknown-name"),
        ("domain = { x = «[1, 0] }", "conflict"),
        ("domain = { x = «[0, inf] }", "out-of-range"),
        ("domain = { x = «3 }", "out-of-range"),
        ("domain = { x = «[0, 1, 2] }", "wrong-type"),
        ("search = «1", "wrong-type"),
        ("impacts = «-1", "out-of-range"),
        ("impacts = «0.5", "out-of-range"),
        ("impacts = «1000", "out-of-range"),
        ("beam = «0", "not-positive"),
        ("times = «0", "not-positive"),
        ("seconds = «0", "not-positive"),
        ("intervals = «0", "not-positive"),
        ("flight_intervals = «-3", "not-positive"),
        ("«impact = 2", "unknown-key"),
    ] {
        check(&[code], &with(line));
    }
    check(&["wrong-type"], &format!("model = \"model.toml\"\nplan = «true\n[phases.a]\nduration = 1\n{COSTS}"));
    assert!(said(&with("impact = 2")).contains("did you mean `impacts`?"));
    assert!(said(&with("line_search = \"halvin\"")).contains("did you mean `halving`?"));
    // Two mistakes are two remarks.
    check(&["not-positive", "unknown-key"], &with("stages = «0\n«stags = 3"));
}

#[test]
fn a_plan_stands_alone() {
    let head = "model = \"model.toml\"\n[phases.a]\nduration = 1\n";
    check(&["conflict"], &format!("{head}[discover]\n[«plan]\n{COSTS}"));
    check(&["conflict"], &format!("{head}[phases.b]\nduration = 1\n[«plan]\n{COSTS}"));
    let link = "[transitions.again]\nfrom = \"a\"\nto = \"a\"\nguards = [\"floor\"]\n";
    check(&["conflict"], &format!("{head}{link}[«plan]\n{COSTS}"));
    let bounded = "model = \"model.toml\"\n[phases.a]\nduration = 1\nbounds = { u = [-1, 1] }\n";
    check(&["not-supported"], &format!("{bounded}[«plan]\nsearch = false\n{COSTS}"));
    read(&format!("{bounded}[plan]\n{COSTS}")).unwrap();
    // What has no effect is a warning.
    check(&["no-effect"], &with("search = false\n«beam = 3"));
}

#[test]
fn what_the_planner_refuses_stands_at_the_section() {
    let refused = |changes: &[(&str, &str)], lines: &str, code: &str, words: &str| {
        let text = changes.iter().fold(format!("[plan]\n{lines}\n{BALL}"), |text, (old, new)| {
            assert!(text.contains(old), "{old}");
            text.replace(old, new)
        });
        let file = read(&text).unwrap_or_else(|error| panic!("{error}"));
        let error = plannable(&file.problem, &file.plan_options().unwrap()).expect_err(words);
        assert!(matches!(error, ControlError::Plan { .. } | ControlError::Projection(_)), "{error}");
        let found = file.explain(&error).0.remove(0);
        assert_eq!((found.code, found.line, found.column), (code, 1, 2), "{found}");
        assert!(found.message.contains(words), "{found}");
    };
    refused(&[("y = \"f\"\n", "")], "", "not-supported", "not fully actuated");
    refused(
        &[("x = \"u\"\n", "x = \"u + f\"\n"), ("y = \"f\"", "y = \"u + f\"")],
        "",
        "not-supported",
        "fully actuated",
    );
    refused(&[("x = \"u\"\n", "x = \"u^3\"\n")], "", "not-supported", "not linear in the inputs");
    let second = "[model.contacts.wall]\ngap = \"3 - x\"\nlaw = \"elastic\"\n[phases.a]";
    refused(&[("[phases.a]", second)], "", "contact-count", "exactly one gap");
    let rough = "law = \"newton\"\nrestitution = 0.5";
    refused(&[("law = \"elastic\"", rough)], "", "contact", "elastic impacts");
    refused(&[("gap = \"y\"", "gap = \"x^2 + y^2 - 0.1\"")], "", "not-monotonic", "monotonic in no coordinate");
    refused(&[("gap = \"y\"", "gap = \"y - sin(x^2)\"")], "", "unbounded", "no bound of |Lambda|");
    refused(&[("gap = \"y\"", "gap = \"y - cos(x)\"")], "k = 0.1", "small-factor", "k = 0.1 is too small");
    refused(
        &[("start = { x = 0, y = 1,", "start = { x = 0, y = -1,")],
        "",
        "not-supported",
        "the gap of `floor` is -1",
    );
    refused(&[("start = { x = 0, y = 1, \"x'\" = 0,", "start = { x = 0, y = 1,")], "", "not-supported", "`x'` is not");
    refused(&[("duration = 1.2", "duration = { range = [1, 2] }")], "", "not-supported", "its duration is free");
    refused(&[("end = { x = 0.5,", "end = { x = [0.5, 1],")], "", "not-supported", "bounded at the end");
    refused(&[("integral = \"u^2 + f^2\"", "work = \"absolute\"")], "", "not-supported", "is not smooth");
}

#[test]
fn stored_plans_come_back_and_go_on() {
    let file = ball(QUICK);
    let options = file.plan_options().unwrap();
    let whole = plan(&file.problem, &PlanStart::default(), &options, &mut |_| true).unwrap();
    let stored = StoredPlan::of(&whole, &file.problem, None);
    let best = whole.best().unwrap().cost;
    assert!(stored.search.as_ref().unwrap().is_finished());
    assert_eq!(stored.motions[stored.taken.unwrap()].cost, best);
    let again = StoredPlan::from_text(&stored.json().to_string()).unwrap();
    assert_eq!(again.summary(), stored.summary());
    // Snapshots are rounded, all else is kept; a search that is finished keeps less.
    assert_eq!((again.descent, again.motions), (stored.descent.clone(), stored.motions.clone()));
    let close = |a: &[Vec<f64>], b: &[Vec<f64>]| {
        a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() <= 1e-7 * b.abs())
    };
    assert!(again.snapshots.iter().zip(&stored.snapshots).all(|(a, b)| close(&a.q, &b.q) && close(&a.u, &b.u)));

    // Stopped anywhere and gone on, it finds the same; the history is continued.
    let mut events = 0;
    plan(&file.problem, &PlanStart::default(), &options, &mut |_| {
        events += 1;
        true
    })
    .unwrap();
    for stop in [1, 7, 25, events / 4, events / 2, events - 10] {
        let mut seen = 0;
        let mut watch = |_: PlanEvent<'_>| {
            seen += 1;
            seen < stop
        };
        let cut = plan(&file.problem, &PlanStart::default(), &options, &mut watch).unwrap();
        let text = StoredPlan::of(&cut, &file.problem, None).json().to_string();
        let earlier = StoredPlan::from_text(&text).unwrap();
        let mut left = options.clone();
        let start = earlier.resume(&file.problem, &mut left).unwrap();
        assert!(left.descent.max_iterations <= options.descent.max_iterations - earlier.iterations());
        let rest = plan(&file.problem, &start, &left, &mut |_| true).unwrap();
        let joined = StoredPlan::of(&rest, &file.problem, Some(&earlier));
        assert!((rest.best().unwrap().cost - best).abs() <= 1e-9 * best, "stopped after {stop} of {events}");
        assert!(joined.descent.iter().enumerate().all(|(k, iteration)| iteration.number == k));
        assert_eq!(joined.descent[..earlier.descent.len()], earlier.descent);
        assert!(joined.snapshots.windows(2).all(|pair| pair[0].iteration < pair[1].iteration));
        assert!(joined.search.unwrap().is_finished());
    }
}

#[test]
fn damaged_plans_are_refused() {
    let file = ball(&format!("{QUICK}search = false\n"));
    let options = file.plan_options().unwrap();
    let found = plan(&file.problem, &PlanStart::default(), &options, &mut |_| true).unwrap();
    let stored = StoredPlan::of(&found, &file.problem, None);
    assert_eq!((stored.search.clone(), stored.taken, stored.motions.len()), (None, None, 0));
    let value = stored.json();
    let refused = |change: &dyn Fn(&mut serde_json::Value), words: &str| {
        let mut value = value.clone();
        change(&mut value);
        let error = StoredPlan::from_text(&value.to_string()).expect_err(words);
        assert!(error.contains(words), "{error}");
    };
    refused(&|value| value["format"] = "other".into(), "its format is not `carom-plan`");
    refused(&|value| value["descent"] = serde_json::json!([]), "its descent is damaged");
    refused(&|value| value["parameters"][0] = serde_json::Value::Null, "its descent is damaged");
    refused(&|value| value["descent"][0]["iteration"] = "a".into(), "`iteration` is no whole number");
    refused(&|value| value["snapshots"][0]["q"][0] = serde_json::json!([1.0]), "its snapshots are damaged");
    assert!(StoredPlan::from_text("{").is_err());
    // A plan of another problem does not fit, nor does one of another size.
    let mut moved = file.problem.clone();
    moved.phases[0].end[0].range = carom_nlp::Range::fixed(0.7);
    let error = stored.resume(&moved, &mut options.clone()).unwrap_err();
    assert!(error.contains("0.7"), "{error}");
    let mut other = PlanOptions { stages: 9, ..options };
    assert!(stored.resume(&file.problem, &mut other).unwrap_err().contains("keep `stages` of [plan]"));
}
