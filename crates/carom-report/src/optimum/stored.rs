//! Reading back what was written: for pictures, and to go on.

use super::discovered;
use super::manifest::{FORMAT, VERSION};
use super::planned::read_plan;
use crate::Caption;
use crate::error::ReportError;
use crate::results::{MANIFEST, check_presence};
use carom_control::{ProblemFile, StoredPlan, StoredSolution};
use carom_model::Diagnostics;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A result that was read back.
#[derive(Clone, Debug)]
pub struct StoredOptimum {
    /// The whole manifest.
    pub manifest: Value,
    /// The solution.
    pub solution: StoredSolution,
    /// The plan that it comes from, if it was planned.
    pub plan: Option<StoredPlan>,
}

impl StoredOptimum {
    /// The problem as it was solved.
    pub fn problem(&self) -> Result<ProblemFile, Diagnostics> {
        // Where the search began does not matter any more: the solution stands for every guess.
        let sequence = &self.manifest["sequence"];
        let mut problem = problem(&self.manifest, &discovered::undivided(&self.solution, sequence).json().to_string())?;
        // The sequence of impacts is not in the text if it was searched.
        discovered::divide(&mut problem, sequence);
        Ok(problem)
    }

    /// What stands above its pictures.
    pub fn caption(&self) -> Caption {
        let result = &self.manifest["result"];
        let text = |key: &str| result[key].as_str().unwrap_or_default();
        Caption { title: format!("{}, {}", text("problem"), text("method")), warning: text("label").to_owned() }
    }
}

/// The problem of a manifest; files that are no models are `own`.
pub(super) fn problem(manifest: &Value, own: &str) -> Result<ProblemFile, Diagnostics> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = manifest["set"].as_array().cloned().unwrap_or_default();
    let set: Vec<(String, String)> = list
        .iter()
        .filter_map(|item| item.as_str()?.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let file = text(&manifest["settings"]["problem_file"]);
    let beside = |name: &str| match manifest["models"][name].as_str() {
        Some(model) => Ok(model.to_owned()),
        None => Ok(own.to_owned()),
    };
    ProblemFile::from_text(&text(&manifest["source"]), &file, &set, &beside)
}

/// True if `folder` has the result of an optimal control problem.
pub fn is_optimum(folder: &Path) -> bool {
    let text = fs::read(folder.join(MANIFEST)).unwrap_or_default();
    serde_json::from_slice::<Value>(&text).is_ok_and(|manifest| manifest["format"] == FORMAT)
}

/// Reads what [`super::write`] has written.
pub fn read(folder: &Path) -> Result<StoredOptimum, ReportError> {
    if !folder.is_dir() {
        return Err(ReportError::NoFolder { folder: folder.to_owned() });
    }
    check_presence(folder, MANIFEST)?;
    check_presence(folder, StoredSolution::FILE)?;
    let path = folder.join(MANIFEST);
    let damaged = |path: PathBuf, found: String| ReportError::NotAManifest { path, found };
    let manifest: Value =
        serde_json::from_str(&content(&path)?).map_err(|error| damaged(path.clone(), error.to_string()))?;
    if manifest["format"] != FORMAT {
        let found = format!("`format` is {}, not \"{FORMAT}\"", manifest["format"]);
        return Err(damaged(path, found));
    }
    if manifest["format_version"] != VERSION {
        let found = manifest["format_version"].to_string();
        return Err(ReportError::Version { path, found, known: VERSION });
    }
    let path = folder.join(StoredSolution::FILE);
    let solution = StoredSolution::from_text(&content(&path)?).map_err(|found| damaged(path, found))?;
    Ok(StoredOptimum { manifest, solution, plan: read_plan(folder)? })
}

fn content(path: &Path) -> Result<String, ReportError> {
    fs::read_to_string(path).map_err(|source| ReportError::Read { path: path.to_owned(), source })
}
