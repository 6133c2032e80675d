//! Files that are there completely or not at all.
//!
//! Every file is written under a temporary name, flushed to the disk and then
//! renamed. Its length and checksum are taken on the way, for the manifest.

use crate::error::ReportError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// A file that was written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Written {
    pub path: PathBuf,
    pub print: Fingerprint,
}

/// Length and checksum of a file's content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fingerprint {
    pub bytes: u64,
    pub checksum: u64,
}

impl Fingerprint {
    // FNV-1a, 64 bits: it finds damage, it does not guard against forgery.
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;

    pub fn new() -> Self {
        Self { bytes: 0, checksum: Self::OFFSET }
    }

    pub fn update(&mut self, data: &[u8]) {
        self.bytes += data.len() as u64;
        self.checksum =
            data.iter().fold(self.checksum, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(Self::PRIME));
    }

    /// The fingerprint of a file on disk.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut print = Self::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(print),
                count => print.update(&buffer[..count]),
            }
        }
    }

    /// The checksum as it stands in the manifest.
    pub fn hex(&self) -> String {
        format!("{:016x}", self.checksum)
    }
}

/// Takes the fingerprint of what passes through to the file.
pub(crate) struct Sink {
    file: File,
    print: Fingerprint,
}

impl Write for Sink {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let count = self.file.write(data)?;
        self.print.update(&data[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Creates the folder and its parents.
pub(crate) fn create_folder(folder: &Path) -> Result<(), ReportError> {
    fs::create_dir_all(folder).map_err(|source| ReportError::Write { path: folder.to_owned(), source })
}

/// Writes `folder/name` through `fill`, or leaves what was there before.
pub(crate) fn write_file(
    folder: &Path,
    name: &str,
    fill: impl FnOnce(&mut BufWriter<Sink>) -> io::Result<()>,
) -> Result<Written, ReportError> {
    let path = folder.join(name);
    let temporary = temporary(&path);
    match fill_and_rename(&temporary, &path, fill) {
        Ok(print) => Ok(Written { path, print }),
        Err(source) => {
            // The temporary file may not exist; the first error is the one to report.
            let _ = fs::remove_file(&temporary);
            Err(ReportError::Write { path, source })
        }
    }
}

/// The name of a file while it is written: hidden, and of this process, so that two runs into one folder do
/// not mix their bytes.
pub(crate) fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.partial", std::process::id()))
}

fn fill_and_rename(
    temporary: &Path,
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<Sink>) -> io::Result<()>,
) -> io::Result<Fingerprint> {
    let mut writer = BufWriter::new(Sink { file: File::create(temporary)?, print: Fingerprint::new() });
    fill(&mut writer)?;
    let sink = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    // Without this a power cut could leave the new name with the content missing.
    sink.file.sync_all()?;
    fs::rename(temporary, path)?;
    Ok(sink.print)
}
