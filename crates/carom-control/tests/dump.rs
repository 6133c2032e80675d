//! Programs of control problems survive their dumps.

use carom_control::{ProblemFile, dump, solve};
use carom_expr::Backend;
use carom_nlp::{Nlp, Program, solver};
use std::path::PathBuf;

fn example(name: &str) -> ProblemFile {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/optimal");
    ProblemFile::read(&folder.join(format!("{name}.toml")), &[]).unwrap()
}

/// Impulses, constraint forces, free durations and parameters: the same optimum, from the same start.
#[test]
fn what_is_loaded_is_solved_alike() {
    for name in ["block-move", "bounce", "hopper", "pendulum-length", "swing-up", "two-impacts"] {
        let file = example(name);
        for method in ["midpoint", "gauss2", "hermite-simpson"] {
            let mut options = file.options();
            options.transcription = method.to_owned();
            options.solver = "interior".to_owned();
            let Ok(solved) = solve(&file.problem, &file.guess, &options, &mut |_| true) else { continue };
            let text = dump(&file.problem, &file.guess, &options).unwrap().to_string();
            let value = serde_json::from_str(&text).unwrap();
            let mut program = Program::load(&value, Backend::Interpreter).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!([program.variables().len(), program.rows().len()], solved.size);
            let outcome = solver("interior").unwrap().solve(&mut program, &options.nlp, &mut |_| true);
            assert_eq!(outcome.status, solved.outcome.status, "{name} {method}");
            assert_eq!(outcome.statistics.iterations, solved.outcome.statistics.iterations, "{name} {method}");
            assert_eq!(outcome.point, solved.outcome.point, "{name} {method}");
        }
    }
}

#[test]
fn another_start_is_kept() {
    let file = example("bounce");
    let mut options = file.options();
    let solved = solve(&file.problem, &file.guess, &options, &mut |_| true).unwrap();
    options.nlp.start = Some(solved.outcome.point.clone());
    let value = dump(&file.problem, &file.guess, &options).unwrap();
    let program = Program::load(&value, Backend::Interpreter).unwrap();
    assert_eq!(program.start(), solved.outcome.point);
}
