//! A Parquet file that grows by one row group at a time.

use super::write::{created_by, properties, schema, write_group};
use super::{Table, parquet};
use crate::error::ReportError;
use crate::file::{Fingerprint, Written};
use crate::partial::Partial;
use parquet::errors::ParquetError;
use parquet::file::metadata::{FileMetaData, ParquetMetaData, ParquetMetaDataWriter};
use parquet::file::properties::EnabledStatistics;
use parquet::file::writer::SerializedFileWriter;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// More than a column of a row group takes in the list of groups: 80 bytes and its name.
const FOOTER_BYTES: u64 = 256;

/// A table that is written piece by piece.
///
/// Row groups are encoded in memory and then written at once, so that the file always ends with a whole one,
/// also when the disk is full: it can be closed after any failure, and has all groups before that.
pub(in crate::results) struct Growing {
    path: PathBuf,
    file: Partial,
    /// Encodes, and remembers where the groups are.
    encoder: SerializedFileWriter<Vec<u8>>,
    /// Groups that are in the file.
    groups: usize,
    /// What was there before the last piece.
    mark: (Fingerprint, usize),
    /// The encoder knows of groups that are not in the file.
    is_cut: bool,
}

impl Growing {
    /// An empty file with the columns of `table`.
    pub fn create(folder: &Path, table: &Table<'_>) -> Result<Self, ReportError> {
        let path = folder.join(parquet(table.name));
        // Indices of pages would be held in memory until the end.
        let properties = properties(table).set_statistics_enabled(EnabledStatistics::Chunk);
        let properties = Arc::new(properties.set_offset_index_disabled(true).build());
        let encoder =
            schema(table).and_then(|schema| SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties));
        let encoder = encoder.map_err(|error| not_encoded(&path, error))?;
        let file = Partial::create(path.clone())?;
        let mark = (file.print(), 0);
        let mut table = Self { path, file, encoder, groups: 0, mark, is_cut: false };
        // The first bytes, which even a table without rows has.
        table.write_encoded()?;
        Ok(table)
    }

    /// Room for the list of groups, with one more group.
    pub fn footer_room(&self) -> u64 {
        FOOTER_BYTES * (self.groups as u64 + 2) * self.encoder.schema_descr().num_columns() as u64
    }

    /// Marks the end of the last piece.
    pub fn mark(&mut self) {
        self.mark = (self.file.print(), self.groups);
    }

    /// Goes back to the mark. Nothing can be appended after that.
    pub fn rewind(&mut self) -> Result<(), ReportError> {
        (self.groups, self.is_cut) = (self.mark.1, true);
        self.file.rewind(self.mark.0)
    }

    /// Appends all rows of a table as one group.
    pub fn append(&mut self, table: &Table<'_>) -> Result<(), ReportError> {
        if table.rows == 0 {
            return Ok(());
        }
        write_group(table, 0..table.rows, &mut self.encoder).map_err(|error| not_encoded(&self.path, error))?;
        self.write_encoded()?;
        self.groups += 1;
        Ok(())
    }

    fn write_encoded(&mut self) -> Result<(), ReportError> {
        self.encoder.flush().map_err(|source| ReportError::Write { path: self.path.clone(), source })?;
        self.file.append(&std::mem::take(self.encoder.inner_mut()))
    }

    /// Writes the list of groups behind them, and gives the file its name.
    pub fn finish(mut self) -> Result<Written, ReportError> {
        let footer = if self.is_cut { self.footer() } else { self.own_footer() };
        self.file.append(&footer.map_err(|error| not_encoded(&self.path, error))?)?;
        self.file.finish()
    }

    fn own_footer(&mut self) -> Result<Vec<u8>, ParquetError> {
        self.encoder.finish()?;
        Ok(std::mem::take(self.encoder.inner_mut()))
    }

    /// A footer without the groups that are not there.
    fn footer(&self) -> Result<Vec<u8>, ParquetError> {
        let groups = self.encoder.flushed_row_groups()[..self.groups].to_vec();
        let rows = groups.iter().map(|group| group.num_rows()).sum();
        let version = self.encoder.properties().writer_version().as_num();
        let columns = Arc::new(self.encoder.schema_descr().clone());
        let file = FileMetaData::new(version, rows, Some(created_by()), None, columns, None);
        let mut footer = Vec::new();
        ParquetMetaDataWriter::new(&mut footer, &ParquetMetaData::new(file, groups)).finish()?;
        Ok(footer)
    }
}

fn not_encoded(path: &Path, error: ParquetError) -> ReportError {
    ReportError::Write { path: path.to_owned(), source: io::Error::other(error) }
}
