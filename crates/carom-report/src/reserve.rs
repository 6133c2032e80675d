//! Room on the disk that is kept free, so that what was written can be completed when the disk is full.

use crate::error::ReportError;
use crate::file::temporary;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Enough for a manifest, and for lists of some thousand row groups.
const LEAST: u64 = 4 << 20;

/// A file of zeros that gives its room back when it is dropped.
pub(crate) struct Reserve {
    path: PathBuf,
    file: File,
    bytes: u64,
}

impl Reserve {
    /// Keeps a little room in `folder`.
    pub fn create(folder: &Path) -> Result<Self, ReportError> {
        let path = temporary(&folder.join("reserve"));
        let file = File::create(&path).map_err(|source| ReportError::Write { path: path.clone(), source })?;
        let mut reserve = Self { path, file, bytes: 0 };
        reserve.grow(LEAST)?;
        Ok(reserve)
    }

    /// Keeps room for `bytes`, and some more, so that this is seldom work.
    pub fn ensure(&mut self, bytes: u64) -> Result<(), ReportError> {
        if bytes > self.bytes { self.grow(2 * bytes) } else { Ok(()) }
    }

    fn grow(&mut self, bytes: u64) -> Result<(), ReportError> {
        let mut zeros = io::repeat(0).take(bytes - self.bytes);
        let written = io::copy(&mut zeros, &mut self.file);
        self.bytes = bytes;
        written.map(drop).map_err(|source| ReportError::Write { path: self.path.clone(), source })
    }
}

impl Drop for Reserve {
    fn drop(&mut self) {
        // Another process may have emptied the folder.
        let _ = fs::remove_file(&self.path);
    }
}
