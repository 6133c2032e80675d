//! A file that grows while a run goes on, and gets its name when it is complete.

use crate::error::ReportError;
use crate::file::{Fingerprint, Written, temporary};
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// A file under a temporary name. If it is dropped before it is complete, nothing is left of it.
#[derive(Debug)]
pub(crate) struct Partial {
    path: PathBuf,
    temporary: PathBuf,
    file: File,
    /// What is in the file.
    print: Fingerprint,
}

impl Partial {
    /// Begins the file that will be `path`.
    pub fn create(path: PathBuf) -> Result<Self, ReportError> {
        let temporary = temporary(&path);
        match File::create(&temporary) {
            Ok(file) => Ok(Self { path, temporary, file, print: Fingerprint::new() }),
            Err(source) => Err(ReportError::Write { path, source }),
        }
    }

    /// What is in the file so far, to come back to.
    pub fn print(&self) -> Fingerprint {
        self.print
    }

    /// Appends `data`. After a failure a part of it may be there, and [`Partial::rewind`] takes it back.
    pub fn append(&mut self, data: &[u8]) -> Result<(), ReportError> {
        self.file.write_all(data).map_err(|source| self.failure(source))?;
        self.print.update(data);
        Ok(())
    }

    /// Goes back to what was in the file when it had this fingerprint.
    pub fn rewind(&mut self, print: Fingerprint) -> Result<(), ReportError> {
        self.print = print;
        let cut = self.file.set_len(print.bytes).and_then(|()| self.file.seek(SeekFrom::Start(print.bytes)));
        cut.map(drop).map_err(|source| self.failure(source))
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<Written, ReportError> {
        // Without this a power cut could leave the new name with the content missing.
        self.file.sync_all().map_err(|source| self.failure(source))?;
        fs::rename(&self.temporary, &self.path).map_err(|source| self.failure(source))?;
        Ok(Written { path: self.path.clone(), print: self.print })
    }

    fn failure(&self, source: io::Error) -> ReportError {
        ReportError::Write { path: self.path.clone(), source }
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // After the file has got its name there is nothing to remove.
        let _ = fs::remove_file(&self.temporary);
    }
}
