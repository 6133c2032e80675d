//! Problem files for tests, wrong ones with marks: `«` stands where the remark must point at.
#![allow(dead_code)] // no test uses all of it

use carom_control::ProblemFile;
use carom_model::{Diagnostic, Diagnostics};

/// A model with a coordinate of each kind, an input, two contacts and a constraint-free Lagrangian.
pub const MODEL: &str = "\
[parameters]
m = 1
g = 9.81
l = 0.5
[coordinates]
x = 0
y = 1
[energy]
kinetic = \"0.5*m*(x'^2 + y'^2)\"
potential = \"m*g*y\"
[inputs]
u = 0
f = 0
[forces]
x = \"u\"
y = \"f\"
[contacts.floor]
gap = \"y\"
law = \"elastic\"
[contacts.wall]
gap = \"2 - x\"
law = \"newton\"
restitution = 0.5
tangent = \"y\"
";

/// What a sound problem ends with.
pub const COSTS: &str = "[costs]\neffort = { integral = \"u^2 + f^2\" }\n";

/// Opens the model, whatever it is called.
pub fn beside(name: &str) -> Result<String, Diagnostics> {
    match name {
        "model.toml" => Ok(MODEL.to_owned()),
        other => Err(carom_model::reading::open(std::path::Path::new(other)).unwrap_err()),
    }
}

/// Reads a problem.
pub fn read(text: &str) -> Result<ProblemFile, Diagnostics> {
    ProblemFile::from_text(text, "wrong.toml", &[], &beside)
}

/// The remarks about a wrong file.
pub fn diagnostics(text: &str) -> Vec<Diagnostic> {
    remarks(text, read(text))
}

/// The remarks of a reading that must have some.
pub fn remarks(text: &str, found: Result<ProblemFile, Diagnostics>) -> Vec<Diagnostic> {
    match found {
        Ok(file) if file.warnings.is_empty() => panic!("this was read without a remark:\n{text}"),
        Ok(file) => file.warnings,
        Err(found) => {
            // Shown where a test fails, and in `--nocapture`.
            eprintln!("{found}\n");
            found.0
        }
    }
}

/// Reads a marked text and compares all remarks with the marks.
pub fn check(codes: &[&str], marked: &str) {
    compare(codes, marked, &diagnostics(&marked.replace('«', "")));
}

/// Compares remarks with the marks of a text.
pub fn compare(codes: &[&str], marked: &str, found: &[Diagnostic]) {
    let place = |(at, _): (usize, &str)| {
        let before = &marked[..at];
        let line = before.rsplit('\n').next().unwrap();
        (before.matches('\n').count() + 1, line.chars().filter(|&c| c != '«').count() + 1)
    };
    let places: Vec<(usize, usize)> = marked.match_indices('«').map(place).collect();
    let mut found: Vec<(&str, usize, usize)> = found.iter().map(|d| (d.code, d.line, d.column)).collect();
    found.sort_by_key(|(_, line, column)| (*line, *column));
    let expected: Vec<(&str, usize, usize)> = codes.iter().zip(&places).map(|(code, at)| (*code, at.0, at.1)).collect();
    assert_eq!(found, expected, "in\n{marked}");
    assert_eq!(codes.len(), places.len(), "in\n{marked}");
}

/// The same for the lines of one phase.
pub fn check_phase(codes: &[&str], lines: &str) {
    check(codes, &format!("model = \"model.toml\"\n[phases.a]\n{lines}\n{COSTS}"));
}

/// The same for lines below two sound phases.
pub fn check_after(codes: &[&str], lines: &str) {
    check(codes, &format!("model = \"model.toml\"\n[phases.a]\nduration = 1\n[phases.b]\nduration = 1\n{lines}"));
}

/// The only remark about a file, as `message / help`.
pub fn said(text: &str) -> String {
    let found = diagnostics(text);
    assert_eq!(found.len(), 1, "{found:?}");
    format!("{} / {}", found[0].message, found[0].help.as_deref().unwrap_or(""))
}
