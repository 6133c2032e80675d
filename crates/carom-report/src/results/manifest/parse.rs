//! Reading a manifest: everything that the reader relies on is checked here.

use super::super::names;
use super::{FORMAT, VERSION};
use crate::error::ReportError;
use carom_model::{Ending, Finding, Invariant, Statistics, Trajectory};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// What the reader takes from a manifest.
pub(in crate::results) struct Parsed {
    pub value: Value,
    pub source: String,
    pub files: Files,
    pub empty_trajectory: Trajectory,
}

/// Length and checksum of a file, as the manifest has them.
pub(in crate::results) struct Print {
    pub bytes: u64,
    pub checksum: String,
}

/// The files that the manifest lists.
pub(in crate::results) struct Files {
    path: PathBuf,
    list: Value,
}

impl Files {
    /// How to recognise the file called `name`.
    pub fn print(&self, name: &str) -> Result<Print, ReportError> {
        let fields = Fields { path: &self.path, value: &self.list };
        let file = self.list.as_array().and_then(|files| files.iter().find(|file| file["name"] == name));
        let file = file.ok_or_else(|| fields.bad("files", "a list with all tables"))?;
        let checksum = file["fnv1a"].as_str().ok_or_else(|| fields.bad("files.fnv1a", "a text"))?;
        let bytes = file["bytes"].as_u64().ok_or_else(|| fields.bad("files.bytes", "a number"))?;
        Ok(Print { bytes, checksum: checksum.to_owned() })
    }
}

/// Reads a manifest.
pub(in crate::results) fn parse(path: &Path) -> Result<Parsed, ReportError> {
    let bytes = fs::read(path).map_err(|source| ReportError::Read { path: path.to_owned(), source })?;
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| ReportError::NotAManifest { path: path.to_owned(), found: error.to_string() })?;
    check_version(path, &value)?;
    let fields = Fields { path, value: &value };
    Ok(Parsed {
        source: fields.text("/source")?,
        files: Files { path: path.to_owned(), list: value["files"].clone() },
        empty_trajectory: fields.trajectory()?,
        value,
    })
}

fn check_version(path: &Path, value: &Value) -> Result<(), ReportError> {
    if value["format"] != FORMAT {
        let found = format!("`format` is {}, not \"{FORMAT}\"", value.get("format").unwrap_or(&Value::Null));
        return Err(ReportError::NotAManifest { path: path.to_owned(), found });
    }
    let found = &value["format_version"];
    if found.as_u64() != Some(VERSION) {
        return Err(ReportError::Version { path: path.to_owned(), found: found.to_string(), known: VERSION });
    }
    Ok(())
}

/// Access to fields, with errors that name them.
struct Fields<'a> {
    path: &'a Path,
    value: &'a Value,
}

impl Fields<'_> {
    fn bad(&self, field: &str, expected: &'static str) -> ReportError {
        ReportError::BadField { path: self.path.to_owned(), field: field.replace('/', "."), expected }
    }

    fn text(&self, pointer: &str) -> Result<String, ReportError> {
        let text = self.value.pointer(pointer).and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| self.bad(&pointer[1..], "a text"))
    }

    fn count(&self, pointer: &str) -> Result<usize, ReportError> {
        let count = self.value.pointer(pointer).and_then(Value::as_u64);
        let count = count.and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| self.bad(&pointer[1..], "a whole number"))
    }

    /// A number; `null` stands for one that is not finite.
    fn number(&self, pointer: &str) -> Result<f64, ReportError> {
        match self.value.pointer(pointer) {
            Some(Value::Null) => Ok(f64::NAN),
            other => other.and_then(Value::as_f64).ok_or_else(|| self.bad(&pointer[1..], "a number")),
        }
    }

    /// The names in a list of texts or of objects with a `name`.
    fn names(&self, field: &str) -> Result<Vec<String>, ReportError> {
        let bad = || self.bad(field, "a list of names");
        let name = |item: &Value| item.as_str().or(item["name"].as_str()).map(str::to_owned);
        let list = self.value[field].as_array().ok_or_else(bad)?;
        list.iter().map(|item| name(item).ok_or_else(bad)).collect()
    }

    fn trajectory(&self) -> Result<Trajectory, ReportError> {
        let method = self.text("/method")?;
        let invariant = |name| Invariant { name, values: Vec::new() };
        // Results from before there were contacts or quasivelocities have none.
        let later = |field: &str| if self.value[field].is_null() { Ok(Vec::new()) } else { self.names(field) };
        let contacts = later("contacts")?;
        Ok(Trajectory {
            findings: self.findings(&contacts)?,
            contacts,
            quasivelocities: later("quasivelocities")?,
            invariants: self.names("invariants")?.into_iter().map(invariant).collect(),
            statistics: self.statistics()?,
            ending: self.ending()?,
            ..Trajectory::new(self.names("coordinates")?, self.names("constraints")?, &method)
        })
    }

    fn findings(&self, contacts: &[String]) -> Result<Vec<Finding>, ReportError> {
        let bad = || self.bad("findings", "a list of findings about contacts");
        let finding = |index: usize| {
            let (contact, kind) = (self.item(index, "contact")?, self.item(index, "kind")?);
            Ok(Finding {
                t: self.number(&format!("/findings/{index}/t"))?,
                contact: contacts.iter().position(|name| *name == contact).ok_or_else(bad)?,
                kind: names::kind(&kind).ok_or_else(bad)?,
                value: self.number(&format!("/findings/{index}/value"))?,
                message: self.item(index, "message")?,
            })
        };
        let count = self.value["findings"].as_array().map_or(0, Vec::len);
        (0..count).map(finding).collect()
    }

    /// A text of a finding.
    fn item(&self, index: usize, key: &str) -> Result<String, ReportError> {
        self.text(&format!("/findings/{index}/{key}"))
    }

    fn statistics(&self) -> Result<Statistics, ReportError> {
        Ok(Statistics {
            steps: self.count("/statistics/steps")?,
            iterations: self.count("/statistics/iterations")?,
            factorisations: self.count("/statistics/factorisations")?,
            retries: self.count("/statistics/retries")?,
            wall_seconds: self.number("/statistics/wall_s")?,
            setup_seconds: self.number("/statistics/setup_s")?,
        })
    }

    fn ending(&self) -> Result<Ending, ReportError> {
        match self.text("/ending/status")?.as_str() {
            "completed" => Ok(Ending::Completed),
            "failed" => {
                Ok(Ending::Failed { time: self.number("/ending/time")?, message: self.text("/ending/message")? })
            }
            _ => Err(self.bad("ending.status", "`completed` or `failed`")),
        }
    }
}
