//! Wrong files with marks: `«` stands where the remark must point at, and is removed before reading.

#![allow(dead_code)] // no test uses all of it

use carom_model::{Diagnostic, Model};

/// A sound model, for mistakes in other sections.
pub const HEAD: &str = "lagrangian = \"0.5*(x'^2 + y'^2)\"\n[coordinates]\nx = 1\ny = 2\n";

/// The remarks about a wrong file.
pub fn diagnostics(text: &str) -> Vec<Diagnostic> {
    match Model::from_text(text, "wrong.toml", &[]) {
        Ok(_) => panic!("this was read without an error:\n{text}"),
        Err(diagnostics) => {
            // Shown where a test fails, and in `--nocapture`.
            if text.len() < 1000 {
                eprintln!("{diagnostics}\n");
            }
            diagnostics.0
        }
    }
}

/// Reads a marked text and compares all remarks with the marks.
pub fn check(codes: &[&str], marked: &str) {
    let places: Vec<(usize, usize)> = marked
        .match_indices('«')
        .enumerate()
        .map(|(index, (at, _))| {
            let before = &marked[..at];
            let line = before.matches('\n').count() + 1;
            let marks_on_line = before.rsplit('\n').next().unwrap().matches('«').count();
            assert!(index < codes.len(), "more marks than codes");
            (line, before.rsplit('\n').next().unwrap().chars().count() - marks_on_line + 1)
        })
        .collect();
    let found = diagnostics(&marked.replace('«', ""));
    let mut found: Vec<(&str, usize, usize)> = found.iter().map(|d| (d.code, d.line, d.column)).collect();
    found.sort_by_key(|(_, line, column)| (*line, *column));
    let expected: Vec<(&str, usize, usize)> = codes.iter().zip(&places).map(|(code, at)| (*code, at.0, at.1)).collect();
    assert_eq!(found, expected, "in\n{marked}");
}

/// The same below a sound beginning.
pub fn check_after_head(codes: &[&str], marked: &str) {
    check(codes, &format!("{HEAD}{marked}"));
}

/// The only remark about a file below the beginning, as `message / help`; `«` marks its place.
pub fn said(marked: &str) -> String {
    let marked = format!("{HEAD}{marked}");
    let found = diagnostics(&marked.replace('«', ""));
    assert_eq!(found.len(), 1, "{found:?}");
    check(&[found[0].code], &marked);
    words(&found[0])
}

/// What a remark says.
pub fn words(diagnostic: &Diagnostic) -> String {
    format!("{} / {}", diagnostic.message, diagnostic.help.as_deref().unwrap_or(""))
}
