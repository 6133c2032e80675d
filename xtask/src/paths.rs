//! Documents name files and folders: those must exist.

use crate::{read, root};
use std::path::Path;

/// Folders of documents that are checked, besides the root.
const FOLDERS: [&str; 3] = ["", "docs/book/src", "docs/book/src/reference"];
/// The history of the repository names what is gone.
const SKIPPED: [&str; 1] = ["CHANGELOG.md"];
/// A text in backticks is a path of the repository if it begins with one of these.
const TOP: [&str; 12] = [
    ".cargo/",
    ".ci/",
    "benches/",
    "crates/",
    "docs/",
    "examples/",
    "papers/",
    "python/",
    "reference/",
    "seeds/",
    "studio/",
    "xtask/",
];

/// Checks every document.
pub fn check() -> Result<(), String> {
    let mut missing = Vec::new();
    for folder in FOLDERS {
        for name in documents(folder) {
            let text = read(&name)?;
            let wrong = |path: &&str| !exists(folder, path);
            missing.extend(mentioned(&text).into_iter().filter(wrong).map(|path| format!("{name} names `{path}`")));
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("these do not exist:\n  {}", missing.join("\n  "))) }
}

/// Markdown files of a folder, in order.
fn documents(folder: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(root().join(folder)) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let wanted = names.filter(|name| name.ends_with(".md") && !SKIPPED.contains(&name.as_str()));
    let mut paths: Vec<String> =
        wanted.map(|name| Path::new(folder).join(name).to_string_lossy().into_owned()).collect();
    paths.sort();
    paths
}

/// Paths in backticks and targets of links, outside of code blocks.
fn mentioned(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|part| quoted(part).chain(linked(part)).collect::<Vec<_>>()).collect()
}

fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let is_path = |piece: &&str| {
        TOP.iter().any(|folder| piece.starts_with(folder)) && !piece.contains([' ', '*', '<', '{', '$', '\n'])
    };
    text.split('`').skip(1).step_by(2).filter(is_path)
}

fn linked(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://") && !target.starts_with("mailto:"))
}

/// Quoted paths count from the root, links from the document.
fn exists(folder: &str, path: &str) -> bool {
    root().join(path).exists() || root().join(folder).join(path).exists()
}
