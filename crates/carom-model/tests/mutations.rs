//! Damaged model files are read or rejected, but never crash, hang or lose the place of the mistake.
//!
//! `CAROM_MUTATIONS=100000 cargo test --release -p carom-model --test all mutations` tries more of them.

use crate::damage;

use carom_model::Model;
use damage::{Random, mutate};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// No file of this size may take longer.
const MAX_TIME: Duration = Duration::from_secs(5);

/// Pieces of text that this format may stumble over, besides those of all.
const NASTY: [&str; 5] = ["[coordinates]\n", "[energy]\n", "[[draw]]\n", "lagrangian = ", "theta1 = \"theta2\"\n"];

/// Every kind of key that contacts have.
const CONTACTS: &str = r#"lagrangian = "0.5*m*(x'^2 + y'^2 + phi'^2) - m*y"
[parameters]
m = 1
e = 0.5
[coordinates]
x = 1
y = 2
phi = 3
[constraints]
rod = "phi - 3"
[contacts.floor]
gap = "y - 1"
law = "moreau"
restitution = "e^2"
friction = 0.3
tangent = ["x", "phi"]
active = "x + x'"
[contacts.left]
gap = "x"
law = "lossful"
loss = "0.1*x'^2"
impulse = { y = "-0.1*y'" }
[contacts.right]
gap = "5 - x"
law = "reset"
position = { x = "-x" }
velocity = { x = "-x'", y = 0 }
[contacts.foot]
gap = "phi - 3"
closed = true
law = "plastic"
[contacts.toe]
gap = "x + y - 1"
law = "transition"
releases = ["foot", "left"]
[contacts.roof]
gap = "9 - y"
law = "literal"
normal = "y"
[simulation]
jump = "pointwise"
multiple = "sequential"
max_impacts = 100
"#;

/// Every kind of key that frames have.
const FRAME: &str = r#"lagrangian = "0.5*m*(x'^2 + y'^2 + phi'^2)"
[parameters]
m = 1
[coordinates]
x = 1
y = 2
phi = 3
[velocity_constraints]
blade = "sin(phi)*x' - cos(phi)*y'"
[frame.forward]
field = { x = "cos(phi)", y = "sin(phi)" }
initial = "m/10"
unit = "m/s"
doc = "along the blade"
[frame.turn]
field = { phi = 1 }
initial = 2
admissible = true
[frame.across]
field = { x = "-sin(phi)", y = "cos(phi)" }
admissible = false
[simulation]
project = true
"#;

/// Every kind of key that trees have.
const TREE: &str = r#"[parameters]
l = 0.5
[world]
gravity = [0, 0, -9.8]
view = [-60, 20]
[bodies.shank]
parent = "hip"
at = [0, 0, "-l"]
turn = [0, "l/2", 0]
joint = "revolute"
axis = [0, 1, 0.1]
coordinates = "knee"
mass = 1
centre = [0, 0, "-l/2"]
inertia = [0.1, 0.1, 0.01, 0, 0.001, 0]
stiffness = 10
rest = 0.2
damping = 0.1
actuator = "u"
[bodies.hip]
joint = "floating"
axes = "zyx"
coordinates = ["x", "y", "z", "a", "b", "c"]
mass = 3
inertia = [1, 1, 1]
[points.foot]
body = "shank"
at = [0, 0, "-l"]
[points.hook]
body = "world"
at = [0, 0, 3]
[springs.rope]
points = ["hook", "foot"]
stiffness = 3
rest = 1
damping = 0.1
[loops.rod]
points = ["hook", "foot"]
distance = 2
[contacts.ground]
point = "foot"
plane = { normal = [0.1, 0, 1], offset = -2 }
law = "plastic"
[coordinates]
z = 2
[[draw]]
type = "box"
body = "hip"
at = [0, 0, 0.1]
turn = [0, 0, 1]
size = [0.3, 0.2, "l"]
[[draw]]
type = "rod"
body = "shank"
from = [0, 0, 0]
to = "foot"
"#;

fn examples() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    paths.sort();
    let mut texts: Vec<String> = paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    // Contacts, frames and trees have the most to get wrong.
    texts.extend([CONTACTS, CONTACTS, FRAME, FRAME, TREE, TREE].map(str::to_owned));
    texts
}

/// Reads a text and checks what is said about it; true if it is a model.
fn read(text: &str) -> bool {
    match Model::from_text(text, "mutated.toml", &[]) {
        Ok(model) => {
            carom_model::understand(&model);
            true
        }
        Err(diagnostics) => {
            assert!(!diagnostics.0.is_empty());
            let shown = diagnostics.to_string();
            for diagnostic in &diagnostics.0 {
                let line = text.split('\n').nth(diagnostic.line - 1);
                let line = line.unwrap_or_else(|| panic!("line {} of\n{text}\n{shown}", diagnostic.line));
                let length = line.chars().count();
                assert!(
                    (1..=length + 1).contains(&diagnostic.column),
                    "column {} of {line:?}\n{shown}",
                    diagnostic.column
                );
                assert!(!diagnostic.message.is_empty() && diagnostic.length >= 1);
            }
            false
        }
    }
}

#[test]
fn damaged_files_are_read_or_rejected() {
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
