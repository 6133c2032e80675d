//! Results on disk.
//!
//! | file | content |
//! |---|---|
//! | `nodes.parquet` | one row per node |
//! | `events.parquet` | one row per contact of each impact; only if there are contacts |
//! | `modes.parquet` | one row per change of mode of a contact; only if there are contacts |
//! | `path.parquet` | one row per node of a smooth path; only if the run was projected |
//! | `manifest.json` | what was run, how it ended, and how to recognise damage |
//! | `nodes.csv`, `events.csv`, `modes.csv`, `path.csv` | the same tables as text, on request |
//!
//! The manifest is written last: a folder with a manifest is complete.

mod events;
mod manifest;
mod modes;
mod names;
mod nodes;
mod path;
mod stream;
mod summary;
pub mod table;

pub use stream::Stream;
pub use summary::{summarize, summarize_path, summary};

use crate::error::ReportError;
use crate::file::{Fingerprint, Written, create_folder, write_file};
use crate::{Run, plot};
use carom_impact::ProjectedPath;
use carom_model::{Digest, Trajectory};
use std::fs;
use std::path::{Path, PathBuf};
use table::{Reader, Table};

/// The table of nodes.
pub const NODES: &str = "nodes.parquet";
/// The table of nodes as text.
pub const NODES_CSV: &str = "nodes.csv";
/// The table of impacts.
pub const EVENTS: &str = "events.parquet";
/// The table of impacts as text.
pub const EVENTS_CSV: &str = "events.csv";
/// The table of changes of mode.
pub const MODES: &str = "modes.parquet";
/// The table of changes of mode as text.
pub const MODES_CSV: &str = "modes.csv";
/// The table of a smooth path.
pub const PATH: &str = "path.parquet";
/// The table of a smooth path as text.
pub const PATH_CSV: &str = "path.csv";
/// The description of the run.
pub const MANIFEST: &str = "manifest.json";

/// Further files of optimal control problems.
const OPTIMUM: [&str; 8] = [
    "controls.parquet",
    "controls.csv",
    "intervals.parquet",
    "intervals.csv",
    "impacts.parquet",
    "impacts.csv",
    "solution.json",
    "plan.json",
];

/// What is written beyond the tables and the manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WriteOptions {
    /// Also write the tables as text.
    pub csv: bool,
}

/// A result that was read back.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// The whole manifest.
    pub manifest: serde_json::Value,
    /// The text of the model file.
    pub source: String,
    /// The motion.
    pub trajectory: Trajectory,
    /// The smooth path whose projection the motion is, if the run was projected.
    pub path: Option<ProjectedPath>,
}

/// Writes the result of a run into `folder`, and says which files there are now.
///
/// Files of an earlier run in the same folder are replaced; its text tables, tables of
/// contacts and pictures are removed, for they would belong to another motion.
pub fn write(run: &Run<'_>, folder: &Path, options: WriteOptions) -> Result<Vec<PathBuf>, ReportError> {
    create_folder(folder)?;
    remove_earlier(folder)?;
    let mut files = Vec::new();
    for table in tables(run.trajectory).into_iter().chain(run.path.map(path::table)) {
        files.extend(table.write(folder, options.csv)?);
    }
    write_manifest(run, &Digest::of(run.trajectory), folder, files)
}

/// Writes the manifest of a run whose tables are `files`, and says which files there are now.
fn write_manifest(
    run: &Run<'_>,
    digest: &Digest,
    folder: &Path,
    mut files: Vec<Written>,
) -> Result<Vec<PathBuf>, ReportError> {
    let text = format!("{:#}\n", manifest::describe(run, digest, &files));
    files.push(write_file(folder, MANIFEST, |writer| std::io::Write::write_all(writer, text.as_bytes()))?);
    Ok(files.into_iter().map(|file| file.path).collect())
}

/// The tables of a motion.
fn tables(trajectory: &Trajectory) -> Vec<Table<'_>> {
    let mut tables = vec![nodes::table(trajectory)];
    if !trajectory.contacts.is_empty() {
        tables.extend([events::table(trajectory, events::Before::default()), modes::table(trajectory)]);
    }
    tables
}

/// The manifest goes first: without it, what is left of the earlier run is no result.
pub(crate) fn remove_earlier(folder: &Path) -> Result<(), ReportError> {
    let tables = [NODES_CSV, EVENTS, EVENTS_CSV, MODES, MODES_CSV, PATH, PATH_CSV].into_iter().chain(OPTIMUM);
    for name in [MANIFEST].into_iter().chain(tables).chain(plot::NAMES) {
        let path = folder.join(name);
        match fs::remove_file(&path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                return Err(ReportError::Write { path, source });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Reads what [`write()`] has written.
pub fn read(folder: &Path) -> Result<Stored, ReportError> {
    if !folder.is_dir() {
        return Err(ReportError::NoFolder { folder: folder.to_owned() });
    }
    check_presence(folder, MANIFEST)?;
    let parsed = manifest::parse(&folder.join(MANIFEST))?;
    let mut trajectory = parsed.empty_trajectory;
    nodes::fill(&mut trajectory, &open(folder, NODES, &parsed.files)?)?;
    if !trajectory.contacts.is_empty() {
        trajectory.impacts = events::read(&trajectory, &open(folder, EVENTS, &parsed.files)?)?;
        trajectory.modes = modes::read(&trajectory, &open(folder, MODES, &parsed.files)?)?;
    }
    let described = &parsed.value["path"];
    let path = match described.is_null() {
        true => None,
        false => Some(path::read(described, &open(folder, PATH, &parsed.files)?)?),
    };
    Ok(Stored { manifest: parsed.value, source: parsed.source, trajectory, path })
}

pub(crate) fn check_presence(folder: &Path, file: &str) -> Result<(), ReportError> {
    if folder.join(file).is_file() {
        return Ok(());
    }
    Err(ReportError::MissingFile { folder: folder.to_owned(), file: file.to_owned() })
}

/// Opens a table that is the one that was written.
fn open(folder: &Path, name: &str, files: &manifest::Files) -> Result<Reader, ReportError> {
    check_presence(folder, name)?;
    let path = folder.join(name);
    check_fingerprint(&path, &files.print(name)?)?;
    Reader::open(&path)
}

/// A file with the right fingerprint is the file that was written, so that the
/// Parquet reader never meets damaged data.
fn check_fingerprint(path: &Path, expected: &manifest::Print) -> Result<(), ReportError> {
    let found = Fingerprint::of(path).map_err(|source| ReportError::Read { path: path.to_owned(), source })?;
    let damaged =
        |found: String, expected: String| Err(ReportError::Damaged { path: path.to_owned(), found, expected });
    if found.bytes != expected.bytes {
        return damaged(format!("it has {} bytes", found.bytes), format!("{}", expected.bytes));
    }
    if found.hex() != expected.checksum {
        return damaged(format!("its checksum is {}", found.hex()), expected.checksum.clone());
    }
    Ok(())
}
