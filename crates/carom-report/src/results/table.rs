//! The table of nodes as Parquet: double columns, split by bytes, then compressed.

use super::columns::Column;
use crate::error::ReportError;
use parquet::basic::{Compression, Encoding, Repetition, Type as PhysicalType};
use parquet::column::reader::ColumnReader;
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Rows per row group: a column of one group is 8 MiB.
const GROUP_ROWS: usize = 1 << 20;

/// Writes the first `nodes` rows of all columns.
pub(super) fn write(columns: &[Column<'_>], nodes: usize, writer: &mut (impl Write + Send)) -> io::Result<()> {
    write_groups(columns, nodes, writer).map_err(io::Error::other)
}

fn write_groups(columns: &[Column<'_>], nodes: usize, sink: &mut (impl Write + Send)) -> Result<(), ParquetError> {
    let mut writer = SerializedFileWriter::new(sink, Arc::new(schema(columns)?), Arc::new(properties()))?;
    for start in (0..nodes).step_by(GROUP_ROWS) {
        let rows = start..(start + GROUP_ROWS).min(nodes);
        let mut group = writer.next_row_group()?;
        for column in columns {
            let values: Vec<f64> = rows.clone().map(|k| column.at(k)).collect();
            let Some(mut place) = group.next_column()? else { break };
            place.typed::<DoubleType>().write_batch(&values, None, None)?;
            place.close()?;
        }
        group.close()?;
    }
    writer.close().map(drop)
}

fn schema(columns: &[Column<'_>]) -> Result<Type, ParquetError> {
    let field = |column: &Column<'_>| {
        Type::primitive_type_builder(&column.name, PhysicalType::DOUBLE)
            .with_repetition(Repetition::REQUIRED)
            .build()
            .map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("nodes").with_fields(fields).build()
}

/// Bytes of equal weight side by side compress well, and dictionaries never pay for states.
fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_created_by(format!("carom {}", env!("CARGO_PKG_VERSION")))
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::BYTE_STREAM_SPLIT)
        .set_compression(Compression::SNAPPY)
        .build()
}

/// Reads the columns called `names`, in this order, all of the same length.
pub(super) fn read(path: &Path, names: &[String]) -> Result<Vec<Vec<f64>>, ReportError> {
    let bad_table = |message: String| ReportError::BadTable { path: path.to_owned(), message };
    let file = File::open(path).map_err(|source| ReportError::Read { path: path.to_owned(), source })?;
    let reader = SerializedFileReader::new(file).map_err(|error| bad_table(error.to_string()))?;
    let mut columns = vec![Vec::new(); names.len()];
    let places = find(path, &reader, names)?;
    for index in 0..reader.num_row_groups() {
        let group = reader.get_row_group(index).map_err(|error| bad_table(error.to_string()))?;
        for (place, values) in places.iter().zip(&mut columns) {
            append(&*group, *place, values).map_err(&bad_table)?;
        }
    }
    Ok(columns)
}

/// Positions of the columns called `names`.
fn find(path: &Path, reader: &SerializedFileReader<File>, names: &[String]) -> Result<Vec<usize>, ReportError> {
    let schema = reader.metadata().file_metadata().schema_descr();
    let present: Vec<&str> = schema.columns().iter().map(|column| column.name()).collect();
    let place = |name: &String| {
        present.iter().position(|found| found == name).ok_or_else(|| ReportError::BadColumn {
            path: path.to_owned(),
            column: name.clone(),
            found: format!("its columns are {}", present.join(", ")),
        })
    };
    names.iter().map(place).collect()
}

/// Appends one column of one row group.
fn append(group: &dyn RowGroupReader, place: usize, values: &mut Vec<f64>) -> Result<(), String> {
    let rows = usize::try_from(group.metadata().num_rows()).map_err(|error| error.to_string())?;
    let reader = group.get_column_reader(place).map_err(|error| error.to_string())?;
    let ColumnReader::DoubleColumnReader(mut reader) = reader else {
        return Err(format!("column {place} does not hold doubles"));
    };
    let (read, ..) = reader.read_records(rows, None, None, values).map_err(|error| error.to_string())?;
    if read == rows { Ok(()) } else { Err(format!("column {place} has {read} of {rows} rows")) }
}
