//! `--stream`: what happens to the pieces of a run.

use crate::output::complain;
use carom::model::{Digest, Refusal};
use carom::report::Stream;
use carom::run::inspection::Inspection;
use carom::{ReportError, Run, System, Trajectory};
use std::path::{Path, PathBuf};

/// Writes the pieces, and remembers what the summary needs of them.
pub struct Streaming<'a> {
    stream: Stream,
    digest: Option<Digest>,
    inspection: Option<Inspection<'a>>,
}

impl<'a> Streaming<'a> {
    /// Results of `system` go to `folder`.
    pub fn new(system: &'a System, folder: &Path) -> Self {
        Self { stream: Stream::new(system, folder), digest: None, inspection: Some(Inspection::new(system)) }
    }

    /// Takes the next piece.
    pub fn take(&mut self, piece: &Trajectory) -> Result<(), Refusal> {
        self.stream.append(piece)?;
        let digest = match self.digest.take() {
            Some(mut digest) => {
                digest.add(piece);
                digest
            }
            None => Digest::of(piece),
        };
        let digest = self.digest.insert(digest);
        if let Some(inspection) = &mut self.inspection
            && let Err(error) = inspection.inspect(piece, digest)
        {
            complain(&format!("warning: the contacts could not be inspected: {error}"));
            // Once is enough.
            self.inspection = None;
        }
        Ok(())
    }

    /// Completes the results with what the run returned; the digest and the files.
    pub fn finish(self, run: &Run<'_>) -> Result<(Digest, Vec<PathBuf>), ReportError> {
        let mut digest = self.digest.unwrap_or_else(|| Digest::of(run.trajectory));
        digest.end(run.trajectory);
        let files = self.stream.finish(run, &digest)?;
        Ok((digest, files))
    }
}
