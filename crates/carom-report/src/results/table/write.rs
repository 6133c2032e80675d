//! A table as Parquet: doubles split by bytes, texts by dictionary, then compressed.

use super::{Column, Table, Values};
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// Rows per row group: a column of one group is 8 MiB.
const GROUP_ROWS: usize = 1 << 20;

/// Writes all rows of all columns.
pub(super) fn write(table: &Table<'_>, writer: &mut (impl Write + Send)) -> io::Result<()> {
    write_groups(table, writer).map_err(io::Error::other)
}

fn write_groups(table: &Table<'_>, sink: &mut (impl Write + Send)) -> Result<(), ParquetError> {
    let mut writer = SerializedFileWriter::new(sink, Arc::new(schema(table)?), Arc::new(properties(table).build()))?;
    for start in (0..table.rows).step_by(GROUP_ROWS) {
        write_group(table, start..(start + GROUP_ROWS).min(table.rows), &mut writer)?;
    }
    writer.close().map(drop)
}

/// Writes some rows of all columns as one row group.
pub(super) fn write_group<W: Write + Send>(
    table: &Table<'_>,
    rows: Range<usize>,
    writer: &mut SerializedFileWriter<W>,
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for column in &table.columns {
        let Some(mut place) = group.next_column()? else { break };
        write_column(&column.values, rows.clone(), &mut place)?;
        place.close()?;
    }
    group.close().map(drop)
}

fn write_column(
    values: &Values<'_>,
    rows: Range<usize>,
    place: &mut SerializedColumnWriter<'_>,
) -> Result<usize, ParquetError> {
    match values {
        Values::Number(value) => {
            let values: Vec<f64> = rows.map(value).collect();
            place.typed::<DoubleType>().write_batch(&values, None, None)
        }
        Values::MaybeNumber(value) => {
            // Level 1 says that there is a value, level 0 that there is none.
            let cells: Vec<Option<f64>> = rows.map(value).collect();
            let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
            let values: Vec<f64> = cells.into_iter().flatten().collect();
            place.typed::<DoubleType>().write_batch(&values, Some(&levels), None)
        }
        Values::Count(value) => {
            let values: Vec<i64> = rows.map(|row| i64::try_from(value(row)).unwrap_or(i64::MAX)).collect();
            place.typed::<Int64Type>().write_batch(&values, None, None)
        }
        Values::Text(value) => {
            let values: Vec<ByteArray> = rows.map(|row| ByteArray::from(value(row))).collect();
            place.typed::<ByteArrayType>().write_batch(&values, None, None)
        }
        Values::MaybeText(value) => {
            let cells: Vec<Option<&str>> = rows.map(value).collect();
            let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
            let values: Vec<ByteArray> = cells.into_iter().flatten().map(ByteArray::from).collect();
            place.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)
        }
    }
}

pub(super) fn schema(table: &Table<'_>) -> Result<Type, ParquetError> {
    let field = |column: &Column<'_>| {
        let (kind, logical, repetition) = match column.values {
            Values::Number(_) => (PhysicalType::DOUBLE, None, Repetition::REQUIRED),
            Values::MaybeNumber(_) => (PhysicalType::DOUBLE, None, Repetition::OPTIONAL),
            Values::Count(_) => (PhysicalType::INT64, None, Repetition::REQUIRED),
            Values::Text(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
            Values::MaybeText(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String), Repetition::OPTIONAL),
        };
        let builder = Type::primitive_type_builder(&column.name, kind);
        builder.with_repetition(repetition).with_logical_type(logical).build().map(Arc::new)
    };
    let fields = table.columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder(table.name).with_fields(fields).build()
}

/// Bytes of equal weight side by side compress well, and dictionaries never pay for states;
/// texts are a few names, over and over.
pub(super) fn properties(table: &Table<'_>) -> WriterPropertiesBuilder {
    let mut builder = WriterProperties::builder()
        .set_created_by(created_by())
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::BYTE_STREAM_SPLIT)
        .set_compression(Compression::SNAPPY);
    for column in &table.columns {
        let path = ColumnPath::new(vec![column.name.clone()]);
        builder = match column.values {
            Values::Number(_) | Values::MaybeNumber(_) => builder,
            Values::Count(_) => builder.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            Values::Text(_) | Values::MaybeText(_) => {
                let plain = builder.set_column_encoding(path.clone(), Encoding::PLAIN);
                plain.set_column_dictionary_enabled(path, true)
            }
        };
    }
    builder
}

/// Who wrote a file.
pub(super) fn created_by() -> String {
    format!("carom {}", env!("CARGO_PKG_VERSION"))
}
