//! Writing to the terminal, or to whatever stands in its place.

use crate::failure::Failure;
use carom::Diagnostic;
use serde_json::{Value, json};
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Prints to standard output; a reader that has left is no error.
pub fn print(text: &impl Display) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

/// Prints to standard error, if anyone listens.
pub fn complain(text: &impl Display) {
    let text = text.to_string();
    if !text.is_empty() {
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

/// Prints the warnings about a model, each followed by an empty line.
pub fn warn(warnings: &[Diagnostic]) {
    for warning in warnings {
        complain(&format!("{warning}\n"));
    }
}

/// Remarks about a model as JSON.
pub fn diagnostics(found: &[Diagnostic]) -> Value {
    let describe = |diagnostic: &Diagnostic| {
        json!({
            "severity": match diagnostic.severity {
                carom::model::Severity::Error => "error",
                carom::model::Severity::Warning => "warning",
            },
            "code": diagnostic.code,
            "message": diagnostic.message,
            "help": diagnostic.help,
            "file": diagnostic.file,
            "line": diagnostic.line,
            "column": diagnostic.column,
        })
    };
    found.iter().map(describe).collect()
}
