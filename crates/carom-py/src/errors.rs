//! Errors of carom as exceptions: the one place where they are mapped.
//!
//! | error | exception | what it carries |
//! |---|---|---|
//! | mistakes in a model | `ModelError`, a `ValueError` | `diagnostics`: code, message, help, file, line, column |
//! | a setting that cannot be used | `SettingsError`, a `ValueError` | |
//! | a run that ended early | `RunError` | `trajectory`: what was computed until then |
//! | Ctrl-C | `Interrupted`, a `KeyboardInterrupt` | `trajectory` |
//!
//! All but `Interrupted` are `CaromError`s. The exceptions themselves are Python classes (`python/carom/errors.py`), so
//! that they can be pickled.

use carom::model::{Diagnostic, Severity};
use carom::run::RunError;
use carom::sweep::SweepError;
use carom::{Diagnostics, ReportError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The names of the exceptions, for the tests of the package.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EXCEPTIONS", ["CaromError", "ModelError", "SettingsError", "RunError", "Interrupted"])
}

/// An exception of the package.
fn raise(name: &str, arguments: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>>, message: &str) -> PyErr {
    Python::attach(|py| {
        let made = py.import("carom.errors").and_then(|errors| {
            let extra = arguments(py)?;
            errors.getattr(name)?.call1((message, extra))
        });
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

/// Options are named as Python has them: `--max-impacts` is `max_impacts`.
fn in_python(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut words = message.split("--");
    out.push_str(words.next().unwrap_or_default());
    for rest in words {
        let is_option = rest.starts_with(|c: char| c.is_ascii_lowercase());
        let end = rest.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(rest.len());
        let name = rest[..end].trim_end_matches('-');
        match is_option && (out.is_empty() || out.ends_with([' ', '`', '('])) {
            true => {
                out.push_str(&name.replace('-', "_"));
                out.push_str(&rest[name.len()..]);
            }
            false => {
                out.push_str("--");
                out.push_str(rest);
            }
        }
    }
    out
}

/// A setting that cannot be used.
pub fn settings(message: &str) -> PyErr {
    raise("SettingsError", |py| Ok(py.None()), &in_python(message))
}

/// A failure that is neither a model's nor a setting's.
pub fn failure(message: &str) -> PyErr {
    raise("RunError", |py| Ok(py.None()), &in_python(message))
}

/// Results that could not be written or drawn.
pub fn report(error: &ReportError) -> PyErr {
    raise("CaromError", |py| Ok(py.None()), &error.to_string())
}

/// Mistakes in a model.
pub fn model(found: &Diagnostics) -> PyErr {
    raise("ModelError", |py| Ok(diagnostics(py, &found.0)?.into_any().unbind()), &found.to_string())
}

/// A run that did not begin.
pub fn run(error: RunError) -> PyErr {
    match error {
        RunError::Model(found) => model(&found),
        RunError::Settings(message) => settings(&message),
        RunError::Projection(error) => settings(&error.to_string()),
        RunError::Run(message) => failure(&message),
    }
}

/// A sweep that does not begin, or does not go on.
pub fn sweep(error: SweepError) -> PyErr {
    match error {
        SweepError::Model(found) => model(&found),
        SweepError::Run(error) => run(error),
        SweepError::File { .. } | SweepError::Encoding { .. } | SweepError::Threads(_) => failure(&error.to_string()),
        other => settings(&other.to_string()),
    }
}

/// Remarks about a model as dictionaries.
pub fn diagnostics<'py>(py: Python<'py>, found: &[Diagnostic]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for diagnostic in found {
        let one = PyDict::new(py);
        let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        one.set_item("severity", severity)?;
        one.set_item("code", diagnostic.code)?;
        one.set_item("message", &diagnostic.message)?;
        one.set_item("help", &diagnostic.help)?;
        one.set_item("file", &diagnostic.file)?;
        one.set_item("line", diagnostic.line)?;
        one.set_item("column", diagnostic.column)?;
        list.append(one)?;
    }
    Ok(list)
}
