//! Damaged problem files are read or rejected, but never crash, hang or lose the place of the mistake.
//!
//! `CAROM_MUTATIONS=100000 cargo test --release -p carom-control --test all problem_mutations` tries more of them.

#[path = "../../carom-model/tests/damage/mod.rs"]
mod damage;
use crate::problem;

use carom_control::{ProblemFile, transcription};
use carom_expr::Backend;
use damage::{Random, mutate};
use problem::MODEL;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// No file of this size may take longer.
const MAX_TIME: Duration = Duration::from_secs(10);

/// Pieces of text that this format may stumble over, besides those of all.
const NASTY: [&str; 5] = ["[phases.a]\n", "[costs]\n", "[[phases]]\n", "duration = ", "[guess]\nsimulate = true\n"];

/// The examples, with their models inside or beside them.
fn examples() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/optimal");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// Whatever is asked for, a model is there; the cart with its pole under its own name.
fn beside(name: &str) -> Result<String, carom_model::Diagnostics> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    Ok(match name {
        "../driven-cart-pole.toml" => std::fs::read_to_string(folder.join("driven-cart-pole.toml")).unwrap(),
        _ => MODEL.to_owned(),
    })
}

/// Reads a text and checks what is said about it; true if it is a problem.
fn read(text: &str) -> bool {
    let found = match ProblemFile::from_text(text, "mutated.toml", &[], &beside) {
        Ok(mut file) => {
            // The equations do not depend on the mesh.
            for phase in &mut file.problem.phases {
                phase.intervals = phase.intervals.min(3);
                phase.shares.clear();
            }
            let method = transcription(&file.settings.method).unwrap();
            let transcribed = method.transcribe(&file.problem, Backend::Interpreter);
            match transcribed.and_then(|mut transcript| file.guess.apply(&file.problem, &mut transcript)) {
                Ok(()) => return true,
                Err(error) => file.explain(&error),
            }
        }
        Err(found) => found,
    };
    assert!(!found.0.is_empty());
    let shown = found.to_string();
    for diagnostic in found.0.iter().filter(|diagnostic| diagnostic.file == "mutated.toml") {
        let line = text.split('\n').nth(diagnostic.line - 1);
        let line = line.unwrap_or_else(|| panic!("line {} of\n{text}\n{shown}", diagnostic.line));
        let length = line.chars().count();
        assert!((1..=length + 1).contains(&diagnostic.column), "column {} of {line:?}\n{shown}", diagnostic.column);
        assert!(!diagnostic.message.is_empty() && diagnostic.length >= 1);
    }
    false
}

#[test]
fn damaged_problems_are_read_or_rejected() {
    let count: usize = std::env::var("CAROM_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let examples = examples();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    // The generator is the only source of chance: a failure repeats.
    let (mut slowest, mut slow_text, mut accepted) = (Duration::ZERO, String::new(), 0);
    let start = Instant::now();
    for _ in 0..count {
        let text = mutate(&examples[random.below(examples.len())], &NASTY, &mut random);
        let begin = Instant::now();
        accepted += usize::from(read(&text));
        let time = begin.elapsed();
        if time > slowest {
            (slowest, slow_text) = (time, text);
        }
    }
    eprintln!("{count} mutations in {:.1?}, {accepted} accepted, slowest {slowest:.1?}", start.elapsed());
    assert!(slowest < MAX_TIME, "{slowest:?} for\n{slow_text}");
}
