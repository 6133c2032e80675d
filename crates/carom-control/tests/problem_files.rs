//! What problem files say is what problems mean.

use crate::problem;

use carom_control::{
    ControlShape, CostKind, Duration, Jump, Norm, ProblemFile, StoredSolution, Where, WorkPart, schema, solve,
};
use carom_model::schema::Form;
use carom_nlp::{Range, Status};
use problem::{COSTS, beside, read};
use std::path::PathBuf;

const EVERYTHING: &str = r#"
name = "everything"
description = "all keys"
model = "model.toml"
method = "gauss2"
solver = "interior"
tolerance = 1e-9
accuracy = 1e-4
max_iterations = 77
max_seconds = 12.5
backend = "interpreter"
total_duration = { max = 3 }
[parameters]
m = "2*g/9.81"
[free]
l = { range = [0.1, "g"], guess = 0.3 }
[phases.down]
duration = { range = [0.1, 2], guess = 0.7 }
shares = [1, 2, 1]
controls = "linear"
formulation = "multipliers"
bounds = { u = [-1, 1], x = { min = -5 }, "y'" = { max = "g" } }
start = { x = 0, "x'" = 0, "y - l" = [0, inf] }
path = { height = { formula = "y", min = 0, at = "both" }, "x^2" = [-inf, 4] }
guess = { x = [0, 0.5, 1], f = 3 }
[phases.up]
duration = 1.5
intervals = 9
closed = ["floor", { contact = "wall", sticks = true }]
end = { x = "2*1" }
[transitions.bounce]
from = "down"
to = "up"
guards = ["floor"]
jump = "variational"
map = { y = "-y" }
[costs]
effort = { integral = "u^2", weight = 0.5, phases = ["up"] }
miss = { terminal = "(x - 1)^2" }
track = { residual = ["x", "y - 1"], norm = "absolute" }
work = { work = "positive", inputs = ["f"] }
quick = { time = true, weight = "2*m" }
"#;

#[test]
fn everything_is_read() {
    let file = read(EVERYTHING).unwrap();
    let problem = &file.problem;
    assert_eq!((problem.name.as_str(), file.description.as_deref()), ("everything", Some("all keys")));
    assert_eq!((file.settings.method.as_str(), file.settings.solver.as_str()), ("gauss2", "interior"));
    assert_eq!((file.settings.accuracy, file.settings.max_iterations), (Some(1e-4), 77));
    assert_eq!(problem.total_duration, Some(Range::at_most(3.0)));
    assert_eq!(problem.freed[0].range, Range::new(0.1, 9.81));
    assert_eq!(problem.freed[0].guess, Some(0.3));
    let [down, up] = &problem.phases[..] else { panic!("two phases") };
    assert_eq!(down.system.parameters()[0].value, 2.0);
    assert_eq!(down.duration, Duration::Free { range: Range::new(0.1, 2.0), guess: 0.7 });
    assert_eq!((down.intervals, &down.shares[..]), (3, &[0.25, 0.5, 0.25][..]));
    assert_eq!(down.shape, ControlShape::Linear);
    assert_eq!(down.bounds[2], ("y'".to_owned(), Range::at_most(9.81)));
    assert_eq!((down.start[2].formula.as_str(), down.start[2].range), ("y - l", Range::at_least(0.0)));
    assert_eq!((down.path[0].condition.name.as_str(), down.path[0].at), ("height", Where::Both));
    assert_eq!(down.path[1].condition.range, Range::at_most(4.0));
    assert_eq!((up.duration, up.intervals), (Duration::Fixed(1.5), 9));
    assert_eq!(
        up.closed.iter().map(|c| (c.contact.as_str(), c.sticks)).collect::<Vec<_>>(),
        [("floor", false), ("wall", true)]
    );
    assert_eq!(up.end[0].range, Range::fixed(2.0));
    let link = &problem.transitions[0];
    assert_eq!((link.from, link.to, link.jump), (0, 1, Jump::Variational));
    assert_eq!(link.map, ["x", "-y"]);
    let kinds: Vec<&CostKind> = problem.costs.iter().map(|cost| &cost.kind).collect();
    assert_eq!(kinds[0], &CostKind::Integral("u^2".to_owned()));
    assert_eq!((problem.costs[0].weight, &problem.costs[0].phases[..]), (0.5, &[1][..]));
    assert_eq!(kinds[2], &CostKind::Residual { formulas: vec!["x".into(), "y - 1".into()], norm: Norm::Absolute });
    assert_eq!(kinds[3], &CostKind::Work { inputs: vec!["f".into()], part: WorkPart::Positive });
    assert_eq!((kinds[4], problem.costs[4].weight), (&CostKind::Time, 4.0));
    // Values at even times, and constants.
    let guess = &file.guess.phases[0];
    assert_eq!(guess.at(0.25)[0], 0.25);
    assert_eq!(guess.control(0.8, 2), [0.0, 3.0]);
}

#[test]
fn searches_of_impacts_are_read() {
    let text = |lines: &str| {
        format!("model = \"model.toml\"\nmethod = \"gauss2\"\n[phases.a]\nduration = 1\n{lines}\n{COSTS}")
    };
    assert!(read(&text("")).unwrap().discover_options().is_none());
    let options = read(&text("[discover]")).unwrap().discover_options().unwrap();
    assert!(options.contacts.is_empty() && options.touches == 3 && options.polish.transcription == "gauss2");
    let lines = "[discover]\ncontacts = [\"wall\", \"floor\"]\ntouches = 2\nshifts = [-0.1, \"1/10\"]\nintervals = 5";
    let options = read(&text(lines)).unwrap().discover_options().unwrap();
    assert_eq!((&options.contacts[..], options.touches), (&["wall".to_owned(), "floor".to_owned()][..], 2));
    assert_eq!((&options.shifts[..], options.intervals), (&[-0.1, 0.1][..], 5));
}

fn example(name: &str) -> ProblemFile {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/optimal");
    ProblemFile::read(&folder.join(format!("{name}.toml")), &[]).unwrap()
}

#[test]
fn examples_have_their_known_costs() {
    let exact = [("block-move", 12.0), ("swing-up", 58.989874440), ("two-impacts", 13.5), ("pendulum-length", 0.0)];
    for (name, cost) in exact {
        let file = example(name);
        let solution = solve(&file.problem, &file.guess, &file.options(), &mut |_| true).unwrap();
        assert_eq!(solution.outcome.status, Status::Converged, "{name}");
        assert!((solution.outcome.objective - cost).abs() < 1e-6, "{name}: {}", solution.outcome.objective);
    }
}

/// A pendulum of one radian swings over in `2 K(sin 1/2) sqrt(l/g)`.
#[test]
fn free_length_is_that_of_the_free_pendulum() {
    let file = example("pendulum-length");
    let solution = solve(&file.problem, &file.guess, &file.options(), &mut |_| true).unwrap();
    // K by the arithmetic-geometric mean.
    let (mut a, mut b) = (1.0_f64, 0.5_f64.cos());
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let elliptic = std::f64::consts::FRAC_PI_2 / a;
    let expected = 9.81 / (4.0 * elliptic * elliptic);
    assert!((solution.freed[0].1 - expected).abs() < 1e-6, "{} {expected}", solution.freed[0].1);
    let models = file.models_with(&solution.freed).unwrap();
    assert!((models[0].system.parameters()[1].value - expected).abs() < 1e-6);
}

#[test]
fn solutions_are_stored_and_found_again() {
    let file = example("bounce");
    let solution = solve(&file.problem, &file.guess, &file.options(), &mut |_| true).unwrap();
    let stored = StoredSolution::of(&solution);
    let again = StoredSolution::from_text(&stored.json().to_string()).unwrap();
    assert_eq!((&again.point, &again.multipliers), (&stored.point, &stored.multipliers));
    assert_eq!(again.phases[0].controls, stored.phases[0].controls);
    let mut guess = file.guess.clone();
    again.fill(&file.problem, &mut guess).unwrap();
    let warm = solve(&file.problem, &guess, &file.options(), &mut |_| true).unwrap();
    assert!((warm.outcome.objective - solution.outcome.objective).abs() < 1e-7);
    for damage in ["{}", "[1]", "not json", &stored.json().to_string().replace("\"times\":[0.0,", "\"times\":[5.0,")] {
        StoredSolution::from_text(damage).unwrap_err();
    }
}

#[test]
fn simulations_are_guesses() {
    let text = format!(
        "model = \"model.toml\"\n[phases.fall]\nduration = [0.1, 2]\n[phases.rise]\nduration = [0.1, 2]\n\
         [transitions.bounce]\nfrom = \"fall\"\nto = \"rise\"\nguards = [\"floor\"]\n{COSTS}[guess]\nsimulate = true\n"
    );
    let file = read(&text).unwrap();
    // From one metre.
    let expected = (2.0_f64 / 9.81).sqrt();
    assert!((file.guess.phases[0].duration - expected).abs() < 1e-3, "{}", file.guess.phases[0].duration);
    assert!(file.guess.phases[0].at(1.0)[1].abs() < 1e-9);
    assert!(file.guess.phases[1].velocity(0.0)[1] > 4.0);
}

#[test]
fn schema_and_reader_know_the_same_keys() {
    let is_known = |text: &str| match read(text) {
        Ok(_) => true,
        Err(found) => !found.0.iter().any(|diagnostic| diagnostic.code == "unknown-key"),
    };
    for section in &schema::SECTIONS {
        assert!(is_known(section.example), "{}", section.example);
        for key in section.keys {
            let (name, key) = (section.name, key.name);
            let text = match section.form {
                Form::Value => format!("{name} = 1\n"),
                Form::Table => format!("[{name}]\n{key} = 1\n"),
                Form::Names | Form::List => format!("[{name}.a]\n{key} = 1\n"),
            };
            assert!(is_known(&text), "{text}");
        }
    }
    for key in &schema::CONDITION {
        let text = format!(
            "model = \"model.toml\"\n[phases.a]\nduration = 1\npath = {{ y = {{ {} = 1 }} }}\n{COSTS}",
            key.name
        );
        assert!(is_known(&text), "{text}");
    }
    assert!(!is_known("[phases.a]\nlength = 1\n"));
    assert!(beside("model.toml").is_ok());
}

#[test]
fn parameters_of_the_models_of_phases_can_be_free() {
    let text = "[free]\nl = [0.1, 2]\n[phases.a]\nmodel = \"model.toml\"\nduration = 1\n[costs]\nc = { integral = \"l^2 + u^2\" }\n";
    assert_eq!(read(text).unwrap().problem.freed[0].name, "l");
    let wrong = read(&text.replace("l = [", "ll = [")).unwrap_err();
    assert_eq!((wrong.0[0].code, wrong.0[0].line), ("unknown-name", 2));
}
