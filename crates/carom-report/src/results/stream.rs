//! Results that are written while the run goes on, so that they may be larger than the memory.

use super::table::{Growing, Table};
use super::{events, modes, nodes, remove_earlier, write_manifest};
use crate::Run;
use crate::error::ReportError;
use crate::file::create_folder;
use crate::reserve::Reserve;
use carom_model::{Digest, System, Trajectory};
use std::io;
use std::path::{Path, PathBuf};

/// Writes a motion piece by piece, each as one row group of every table.
///
/// [`Stream::append`] is what a sink of a run does with its pieces; [`Stream::finish`] makes the folder a result
/// that [`super::read`] reads like any other. Until then the tables have temporary names.
pub struct Stream {
    folder: PathBuf,
    tables: Vec<Growing>,
    /// Room for what ends the tables, and for the manifest.
    reserve: Option<Reserve>,
    before: events::Before,
    is_broken: bool,
}

impl Stream {
    /// The results of `system` in `folder`. Nothing is touched there before the first piece.
    pub fn new(system: &System, folder: &Path) -> Self {
        let tangents = system.contacts().iter().map(|contact| contact.tangents.len()).max();
        let before = events::Before { events: 0, tangents: tangents.max(Some(events::TANGENTS)) };
        Self { folder: folder.to_owned(), tables: Vec::new(), reserve: None, before, is_broken: false }
    }

    /// Writes the next piece of the motion. After a failure, nothing of this piece is left and nothing can be
    /// appended, but the pieces before it are kept.
    pub fn append(&mut self, piece: &Trajectory) -> Result<(), ReportError> {
        if self.is_broken {
            let source = io::Error::other("an earlier piece could not be written");
            return Err(ReportError::Write { path: self.folder.clone(), source });
        }
        let written = self.open(piece).and_then(|()| self.write(piece));
        self.is_broken = written.is_err();
        written
    }

    fn write(&mut self, piece: &Trajectory) -> Result<(), ReportError> {
        self.tables.iter_mut().for_each(Growing::mark);
        let room = self.tables.iter().map(Growing::footer_room).sum();
        self.reserve.as_mut().map_or(Ok(()), |reserve| reserve.ensure(room))?;
        for (file, table) in self.tables.iter_mut().zip(tables(piece, self.before)) {
            if let Err(error) = file.append(&table) {
                // All tables end with the same piece.
                self.tables.iter_mut().try_for_each(Growing::rewind)?;
                return Err(error);
            }
        }
        self.before.events += piece.impacts.len();
        Ok(())
    }

    /// Writes the manifest, and says which files there are now. `digest` is that of all pieces that were appended.
    pub fn finish(mut self, run: &Run<'_>, digest: &Digest) -> Result<Vec<PathBuf>, ReportError> {
        // A run that failed at once has no pieces.
        self.open(&digest.header)?;
        self.reserve = None;
        let files = self.tables.into_iter().map(Growing::finish).collect::<Result<_, _>>()?;
        write_manifest(run, digest, &self.folder, files)
    }

    /// Creates the tables of a motion with the names of `header`, unless they are there.
    fn open(&mut self, header: &Trajectory) -> Result<(), ReportError> {
        if !self.tables.is_empty() {
            return Ok(());
        }
        create_folder(&self.folder)?;
        remove_earlier(&self.folder)?;
        self.reserve = Some(Reserve::create(&self.folder)?);
        let create = |table: Table<'_>| Growing::create(&self.folder, &table);
        self.tables = tables(header, self.before).into_iter().map(create).collect::<Result<_, _>>()?;
        Ok(())
    }
}

/// The tables of a piece, with the same columns for all pieces.
fn tables(piece: &Trajectory, before: events::Before) -> Vec<Table<'_>> {
    let mut tables = vec![nodes::full_table(piece)];
    if !piece.contacts.is_empty() {
        tables.extend([events::table(piece, before), modes::table(piece)]);
    }
    tables
}
