//! Tests that nobody runs: files of a crate with one program of tests that this program does not name.

use crate::root;
use std::path::Path;

/// Fails if a file of tests is not part of `tests/all.rs` beside it.
pub fn check() -> Result<(), String> {
    let crates = std::fs::read_dir(root().join("crates")).map_err(|error| error.to_string())?;
    let mut forgotten: Vec<String> = crates.filter_map(Result::ok).flat_map(|krate| unnamed(&krate.path())).collect();
    forgotten.sort();
    if forgotten.is_empty() { Ok(()) } else { Err(format!("not named in `tests/all.rs`: {}", forgotten.join(", "))) }
}

/// Files of tests that are not named.
fn unnamed(krate: &Path) -> Vec<String> {
    let folder = krate.join("tests");
    let Ok(all) = std::fs::read_to_string(folder.join("all.rs")) else { return Vec::new() };
    let files = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|file| file.path());
    let is_unnamed = |path: &Path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_test = path.extension().is_some_and(|extension| extension == "rs") && stem != "all";
        is_test && !all.lines().any(|line| line == format!("mod {stem};"))
    };
    files.filter(|path| is_unnamed(path)).map(|path| path.display().to_string()).collect()
}
