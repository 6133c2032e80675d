//! Damaged problem files are read or rejected, but never crash, hang or lose the place of the mistake.
//!
//! `CAROM_MUTATIONS=100000 cargo test --release -p carom-control --test problem_mutations` tries more of them.

mod problem;

use carom_control::{ProblemFile, transcription};
use carom_expr::Backend;
use problem::MODEL;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// No file of this size may take longer.
const MAX_TIME: Duration = Duration::from_secs(10);

/// Pieces of text that parsers stumble over.
const NASTY: [&str; 58] = [
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "\\",
    "\\u0000",
    "\\uD800",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    "==",
    ".",
    ",",
    "#",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "\t",
    "\u{feff}",
    "é",
    "𝄞",
    "(",
    ")",
    "((((((((",
    "^",
    "^^",
    "**",
    "-",
    "--",
    "/0",
    "1e999",
    "1e-400",
    "nan",
    "inf",
    "-inf",
    "0x7fffffffffffffff",
    "9223372036854775808",
    "1_000",
    "''",
    "t'",
    "x''",
    "sin(",
    "if(1,2,3)",
    "atan2(0,0)",
    "[phases.a]\n",
    "[costs]\n",
    "[[phases]]\n",
    "[parameters]\n",
    "duration = ",
    "[guess]\nsimulate = true\n",
    "true",
    "1979-05-27",
    "x = {",
];

/// Numbers that are the same in every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

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

fn mutate(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match random.below(14) {
            0 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
            1 => drop(bytes.drain(at..(at + 1 + random.below(12)).min(bytes.len()))),
            2 | 3 => drop(bytes.splice(at..at, NASTY[random.below(NASTY.len())].bytes())),
            4 => bytes.truncate(at),
            5 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = 32 + random.below(95) as u8),
            6 | 7 => bytes = mutate_lines(&bytes, at.is_multiple_of(2), random),
            _ => bytes = replace_word(&bytes, random),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Puts one word of the file in the place of another, which TOML mostly survives.
fn replace_word(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.'+-*/^".contains(byte);
    let mut words: Vec<&[u8]> = bytes.chunk_by(|a, b| is_word(a) && is_word(b)).collect();
    let (first, second) = (random.below(words.len()), random.below(words.len()));
    if words.get(first).is_some_and(|word| word.iter().all(is_word)) {
        words[first] = words[second];
    }
    words.concat()
}

/// Repeats one line elsewhere, or swaps two.
fn mutate_lines(bytes: &[u8], repeat: bool, random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let (first, second) = (random.below(lines.len()), random.below(lines.len()));
    if repeat {
        lines.insert(second, lines[first]);
    } else {
        lines.swap(first, second);
    }
    lines.join(&b'\n')
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
        let text = mutate(&examples[random.below(examples.len())], &mut random);
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
