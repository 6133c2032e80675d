//! Cases that have ended, kept in the folder of the results.

use super::declaration::Paper;
use super::verdict::Result as CaseResult;
use crate::failure::Failure;
use serde_json::{Value, json};
use std::path::Path;

/// The file that a case leaves.
const FILE: &str = "case.json";

/// What an outcome belongs to: the program, its files, and how it was called.
pub fn identity(paper: &Paper, is_quick: bool, no_plots: bool) -> Result<String, Failure> {
    let unreadable = |path: &Path, error: std::io::Error| Failure::File {
        path: path.to_owned(),
        why: format!("cannot be read: {error}"),
    };
    let found = std::fs::read_dir(&paper.folder).map_err(|error| unreadable(&paper.folder, error))?;
    let mut files: Vec<_> = found.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut texts = vec![program().into_bytes(), format!("{is_quick} {no_plots}").into_bytes()];
    for path in &files {
        texts.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned().into_bytes());
        texts.push(std::fs::read(path).map_err(|error| unreadable(path, error))?);
    }
    Ok(format!("{:016x}", digest(&texts)))
}

/// Which program this is: another build may have other results.
fn program() -> String {
    let built =
        std::env::current_exe().and_then(|path| path.metadata()).and_then(|data| Ok((data.len(), data.modified()?)));
    format!("{} {:?}", env!("CARGO_PKG_VERSION"), built.ok())
}

/// The hash of texts (FNV-1a), each with its length.
fn digest(texts: &[Vec<u8>]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.len().to_le_bytes().into_iter().chain(text.iter().copied()));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The outcome of a case that has ended, if its files are still the same and its pictures are there.
pub fn load(folder: &Path, identity: &str) -> Option<CaseResult> {
    let text = std::fs::read(folder.join(FILE)).ok()?;
    let kept: Value = serde_json::from_slice(&text).ok()?;
    let result = CaseResult::from_json(&kept["result"])?;
    let is_complete = result.figures.iter().all(|file| Path::new(file).is_file());
    (kept["identity"] == identity && is_complete).then_some(result)
}

/// Keeps the outcome of a case.
pub fn store(folder: &Path, identity: &str, result: &CaseResult) -> Result<(), Failure> {
    let text = format!("{:#}\n", json!({ "identity": identity, "result": result.json() }));
    let path = folder.join(FILE);
    std::fs::write(&path, text).map_err(|error| Failure::File { path, why: format!("cannot be written: {error}") })
}
