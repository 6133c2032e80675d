//! The content of files, if it can be one.

use super::diagnostic::{Diagnostics, Severity};
use super::source::{Place, Report, Source};
use std::io::Read;
use std::path::Path;

/// Largest file that is read, in bytes.
pub const MAX_FILE: usize = 1 << 20;

/// The text of a file, not longer than the limit, whatever the path leads to.
pub fn open(path: &Path) -> Result<String, Diagnostics> {
    let file = path.display().to_string();
    let unreadable = |error: std::io::Error| {
        let help = "check the path and its permissions".to_owned();
        single(&file, "", "unreadable", 0, format!("the file cannot be read: {error}"), help)
    };
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(path).map_err(unreadable)?;
    opened.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > MAX_FILE {
        return Err(too_large(&file));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        single(&file, &text, "not-utf8", at, "this is not UTF-8 text".to_owned(), "save the file as UTF-8".to_owned())
    })
}

/// What is said about a file that is larger.
pub fn too_large(file: &str) -> Diagnostics {
    let message = format!("the file has more than {MAX_FILE} bytes");
    single(file, "", "too-large", 0, message, "split the model".to_owned())
}

fn single(file: &str, text: &str, code: &'static str, at: usize, message: String, help: String) -> Diagnostics {
    let report = Report::new(Source::new(file, text));
    let place = Place::in_file(at..at + 1);
    Diagnostics(vec![report.diagnostic(Severity::Error, code, place, message, Some(help))])
}
