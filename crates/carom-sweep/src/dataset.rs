//! A folder that collects the parts of a sweep.
//!
//! | | |
//! |---|---|
//! | `sweep.json` | the sweep, written first |
//! | `points/part-00000.parquet` ... | the parts; the folder `points` has nothing else, and is read as one table |
//!
//! A part gets its name when it is complete, so that an interruption at any time costs the parts that were being computed
//! and nothing else.

use crate::table::POINT;
use crate::{Sweep, SweepError};
use carom_report::table::Reader;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The sweep.
const SWEEP: &str = "sweep.json";
/// The picture that the command line draws of a sweep.
const PICTURE: &str = "sweep.svg";
/// The folder of the parts.
const POINTS: &str = "points";
/// The name of a file that is being written ends so.
const PARTIAL: &str = ".partial";

/// The parts of one sweep in a folder.
#[derive(Clone, Debug)]
pub struct Dataset {
    folder: PathBuf,
    sweep: Sweep,
}

impl Dataset {
    /// A new folder, or one that has parts of the same sweep.
    pub fn open(folder: &Path, sweep: &Sweep) -> Result<Self, SweepError> {
        let dataset = Self { folder: folder.to_owned(), sweep: sweep.clone() };
        let points = dataset.table();
        fs::create_dir_all(&points).map_err(|source| failed(&points, "created", source))?;
        let path = folder.join(SWEEP);
        match fs::read_to_string(&path) {
            Ok(known) => dataset.compare(&known)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                dataset.write(&path, sweep.to_json().as_bytes())?;
            }
            Err(source) => return Err(failed(&path, "read", source)),
        }
        dataset.clean()?;
        Ok(dataset)
    }

    /// The same, after the parts of whatever sweep was there are removed; a file of that name that is no sweep is not.
    pub fn fresh(folder: &Path, sweep: &Sweep) -> Result<Self, SweepError> {
        let spec = folder.join(SWEEP);
        if spec.exists() && !std::fs::read_to_string(&spec).is_ok_and(|text| Sweep::from_json(&text).is_ok()) {
            let message = format!("`{}` is not a sweep; choose another folder, or remove it", spec.display());
            return Err(SweepError::Points(message));
        }
        let points = folder.join(POINTS);
        let mut old: Vec<PathBuf> = files(&points)?.into_iter().filter(|path| is_part(path)).collect();
        old.extend([SWEEP, PICTURE].map(|name| folder.join(name)));
        for path in old {
            remove(&path)?;
        }
        Self::open(folder, sweep)
    }

    /// The folder that was opened.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of the parts: it is read as one table.
    pub fn table(&self) -> PathBuf {
        self.folder.join(POINTS)
    }

    /// The sweep.
    pub fn sweep(&self) -> &Sweep {
        &self.sweep
    }

    /// The file of a part.
    pub fn path(&self, part: usize) -> PathBuf {
        self.table().join(format!("part-{part:05}.parquet"))
    }

    /// Parts that are not there, or damaged.
    pub fn missing(&self) -> Vec<usize> {
        (0..self.sweep.parts()).filter(|part| !self.has(*part)).collect()
    }

    /// True if a part is there: a table with the points that it should have.
    pub fn has(&self, part: usize) -> bool {
        let points = self.sweep.part(part);
        let Ok(reader) = Reader::open(&self.path(part)) else { return false };
        reader.rows() == points.len() && reader.counts(POINT).is_ok_and(|found| found.into_iter().eq(points))
    }

    /// Writes a part; it is there completely or not at all.
    pub fn store(&self, part: usize, bytes: &[u8]) -> Result<(), SweepError> {
        self.write(&self.path(part), bytes)
    }

    /// Opens a part that is there.
    pub fn read(&self, part: usize) -> Result<Reader, SweepError> {
        let path = self.path(part);
        Reader::open(&path).map_err(|error| failed(&path, "read", io::Error::other(error)))
    }

    /// The sweep in the folder must be this one.
    fn compare(&self, known: &str) -> Result<(), SweepError> {
        let differs = match serde_json::from_str::<Value>(known) {
            Ok(known) => difference(&known, &self.sweep.to_value()),
            Err(_) => Some(format!("`{SWEEP}` is not one that a sweep has written")),
        };
        match differs {
            None => Ok(()),
            Some(differs) => Err(SweepError::OtherSweep { folder: self.folder.clone(), differs }),
        }
    }

    /// Files are written beside the parts and then moved, so that a reader of the table never meets half of one.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), SweepError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = self.folder.join(format!(".{name}.{}{PARTIAL}", std::process::id()));
        let written = || -> io::Result<()> {
            let mut file = File::create(&temporary)?;
            file.write_all(bytes)?;
            // Without this a power cut could leave the new name with the content missing.
            file.sync_all()?;
            fs::rename(&temporary, path)
        };
        // Another process that begins in the same folder may have cleaned up what it took for a leftover.
        let again = |error: io::Error| if error.kind() == io::ErrorKind::NotFound { written() } else { Err(error) };
        written().or_else(again).map_err(|source| {
            let _ = fs::remove_file(&temporary);
            failed(path, "written", source)
        })
    }

    /// Removes what an interrupted process has left.
    fn clean(&self) -> Result<(), SweepError> {
        let is_leftover = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with('.') && name.ends_with(PARTIAL)
        };
        files(&self.folder)?.iter().filter(|path| is_leftover(path)).try_for_each(|path| remove(path))
    }
}

/// What two sweeps differ in.
fn difference(known: &Value, own: &Value) -> Option<String> {
    if known == own {
        return None;
    }
    let words = |field: &str| match field {
        "text" => "the text of the file".to_owned(),
        "beside" => "the text of a file that it names".to_owned(),
        "part_rows" => "the rows of a part".to_owned(),
        "carom" => format!("the version of carom ({}, now {})", known[field], own[field]),
        "set" | "points" | "measures" | "kind" | "file" => format!("`{field}` ({}, now {})", known[field], own[field]),
        other => format!("`{other}`"),
    };
    let fields = own.as_object()?.keys().filter(|field| known[field.as_str()] != own[field.as_str()]);
    let differing: Vec<String> = fields.map(|field| words(field)).collect();
    Some(format!("it differs in {}", differing.join(", ")))
}

fn is_part(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("part-") && name.ends_with(".parquet")
}

/// The files of a folder; none if there is no folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, SweepError> {
    match fs::read_dir(folder) {
        Ok(entries) => Ok(entries.filter_map(|entry| Some(entry.ok()?.path())).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(failed(folder, "read", source)),
    }
}

fn remove(path: &Path) -> Result<(), SweepError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(failed(path, "removed", source)),
        _ => Ok(()),
    }
}

fn failed(path: &Path, action: &'static str, source: io::Error) -> SweepError {
    SweepError::File { path: path.to_owned(), action, source }
}
