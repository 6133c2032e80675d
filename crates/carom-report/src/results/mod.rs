//! Results on disk.
//!
//! | file | content |
//! |---|---|
//! | `nodes.parquet` | one row per node |
//! | `manifest.json` | what was run, how it ended, and how to recognise damage |
//! | `nodes.csv` | the same table as text, on request |
//!
//! The manifest is written last: a folder with a manifest is complete.

mod columns;
mod csv;
mod manifest;
mod summary;
mod table;

pub use summary::summary;

use crate::error::ReportError;
use crate::file::{Fingerprint, create_folder, write_file};
use crate::{Run, plot};
use carom_model::Trajectory;
use columns::columns;
use std::fs;
use std::path::{Path, PathBuf};

/// The table of nodes.
pub const NODES: &str = "nodes.parquet";
/// The table of nodes as text.
pub const NODES_CSV: &str = "nodes.csv";
/// The description of the run.
pub const MANIFEST: &str = "manifest.json";

/// What is written beyond the table of nodes and the manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WriteOptions {
    /// Also write the nodes as text.
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
}

/// Writes the result of a run into `folder`, and says which files there are now.
///
/// Files of an earlier run in the same folder are replaced; its text table and
/// pictures are removed, for they would belong to another motion.
pub fn write(run: &Run<'_>, folder: &Path, options: WriteOptions) -> Result<Vec<PathBuf>, ReportError> {
    create_folder(folder)?;
    remove_earlier(folder)?;
    let (columns, nodes) = (columns(run.trajectory), run.trajectory.len());
    let mut files = vec![write_file(folder, NODES, |writer| table::write(&columns, nodes, writer))?];
    if options.csv {
        files.push(write_file(folder, NODES_CSV, |writer| csv::write(&columns, nodes, writer))?);
    }
    let manifest = manifest::describe(run, &files);
    let text = format!("{manifest:#}\n");
    files.push(write_file(folder, MANIFEST, |writer| std::io::Write::write_all(writer, text.as_bytes()))?);
    Ok(files.into_iter().map(|file| file.path).collect())
}

/// The manifest goes first: without it, what is left of the earlier run is no result.
fn remove_earlier(folder: &Path) -> Result<(), ReportError> {
    for name in [MANIFEST, NODES_CSV].into_iter().chain(plot::NAMES) {
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
    for file in [MANIFEST, NODES] {
        if !folder.join(file).is_file() {
            return Err(ReportError::MissingFile { folder: folder.to_owned(), file: file.to_owned() });
        }
    }
    let parsed = manifest::parse(&folder.join(MANIFEST))?;
    let path = folder.join(NODES);
    check_fingerprint(&path, &parsed)?;
    let mut trajectory = parsed.empty_trajectory;
    let names: Vec<String> = columns(&trajectory).into_iter().map(|column| column.name).collect();
    columns::fill(&mut trajectory, &table::read(&path, &names)?);
    Ok(Stored { manifest: parsed.value, source: parsed.source, trajectory })
}

/// A file with the right fingerprint is the file that was written, so that the
/// Parquet reader never meets damaged data.
fn check_fingerprint(path: &Path, parsed: &manifest::Parsed) -> Result<(), ReportError> {
    let found = Fingerprint::of(path).map_err(|source| ReportError::Read { path: path.to_owned(), source })?;
    let damaged =
        |found: String, expected: String| Err(ReportError::Damaged { path: path.to_owned(), found, expected });
    if found.bytes != parsed.nodes_bytes {
        return damaged(format!("it has {} bytes", found.bytes), format!("{}", parsed.nodes_bytes));
    }
    if found.hex() != parsed.nodes_checksum {
        return damaged(format!("its checksum is {}", found.hex()), parsed.nodes_checksum.clone());
    }
    Ok(())
}
