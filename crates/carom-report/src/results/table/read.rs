//! Columns of a Parquet file, by name and type.

use crate::error::ReportError;
use parquet::data_type::{ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use std::fs::File;
use std::path::{Path, PathBuf};

/// An open table.
pub struct Reader {
    path: PathBuf,
    file: SerializedFileReader<File>,
    /// Names of the columns, in order.
    present: Vec<String>,
}

/// A column as it is stored: values without gaps, and for every row whether it has one
/// (level 1); a column where all rows must have one has no levels.
struct Raw<T> {
    values: Vec<T>,
    levels: Vec<i16>,
}

impl Reader {
    /// Opens a Parquet file.
    pub fn open(path: &Path) -> Result<Self, ReportError> {
        let file = File::open(path).map_err(|source| ReportError::Read { path: path.to_owned(), source })?;
        let bad_table = |message: String| ReportError::BadTable { path: path.to_owned(), message };
        let file = SerializedFileReader::new(file).map_err(|error| bad_table(error.to_string()))?;
        let schema = file.metadata().file_metadata().schema_descr();
        let present = schema.columns().iter().map(|column| column.name().to_owned()).collect();
        Ok(Self { path: path.to_owned(), file, present })
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        usize::try_from(self.file.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    /// Names of the columns, in order.
    pub fn columns(&self) -> &[String] {
        &self.present
    }

    /// True if there is a column called `name`.
    pub fn has(&self, name: &str) -> bool {
        self.present.iter().any(|present| present == name)
    }

    /// A column of numbers.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, ReportError> {
        self.full::<DoubleType>(name)
    }

    /// A column of numbers that may be absent.
    pub fn maybe_numbers(&self, name: &str) -> Result<Vec<Option<f64>>, ReportError> {
        let Raw { values, levels } = self.raw::<DoubleType>(name)?;
        if levels.is_empty() {
            return Ok(values.into_iter().map(Some).collect());
        }
        let mut values = values.into_iter();
        Ok(levels.into_iter().map(|level| if level > 0 { values.next() } else { None }).collect())
    }

    /// A column of numbers of things.
    pub fn counts(&self, name: &str) -> Result<Vec<usize>, ReportError> {
        let count = |value: i64| usize::try_from(value).map_err(|_| self.bad(name, &format!("{value} is negative")));
        self.full::<Int64Type>(name)?.into_iter().map(count).collect()
    }

    /// A column of texts.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, ReportError> {
        let bytes = self.full::<ByteArrayType>(name)?;
        let text = |bytes: parquet::data_type::ByteArray| bytes.as_utf8().map(str::to_owned);
        bytes.into_iter().map(text).collect::<Result<_, _>>().map_err(|error| self.bad(name, &error.to_string()))
    }

    /// A column of texts that may be absent.
    pub fn maybe_texts(&self, name: &str) -> Result<Vec<Option<String>>, ReportError> {
        let Raw { values, levels } = self.raw::<ByteArrayType>(name)?;
        let text = |bytes: parquet::data_type::ByteArray| bytes.as_utf8().map(str::to_owned);
        let texts = values.into_iter().map(text).collect::<Result<Vec<String>, _>>();
        let texts = texts.map_err(|error| self.bad(name, &error.to_string()))?;
        if levels.is_empty() {
            return Ok(texts.into_iter().map(Some).collect());
        }
        let mut texts = texts.into_iter();
        Ok(levels.into_iter().map(|level| if level > 0 { texts.next() } else { None }).collect())
    }

    /// What is wrong with a column.
    pub fn bad(&self, column: &str, found: &str) -> ReportError {
        ReportError::BadColumn { path: self.path.clone(), column: column.to_owned(), found: found.to_owned() }
    }

    /// A column with a value in every row.
    fn full<T: DataType>(&self, name: &str) -> Result<Vec<T::T>, ReportError> {
        let raw = self.raw::<T>(name)?;
        if raw.levels.contains(&0) { Err(self.bad(name, "it has empty rows")) } else { Ok(raw.values) }
    }

    fn raw<T: DataType>(&self, name: &str) -> Result<Raw<T::T>, ReportError> {
        let place = self.present.iter().position(|present| present == name);
        let missing = || self.bad(name, &format!("its columns are {}", self.present.join(", ")));
        let place = place.ok_or_else(missing)?;
        let mut raw = Raw { values: Vec::new(), levels: Vec::new() };
        for index in 0..self.file.num_row_groups() {
            let group = self.file.get_row_group(index).map_err(|error| self.bad(name, &error.to_string()))?;
            append::<T>(&*group, place, &mut raw).map_err(|message| self.bad(name, &message))?;
        }
        Ok(raw)
    }
}

/// Appends one column of one row group.
fn append<T: DataType>(group: &dyn RowGroupReader, place: usize, raw: &mut Raw<T::T>) -> Result<(), String> {
    let rows = usize::try_from(group.metadata().num_rows()).map_err(|error| error.to_string())?;
    let reader = group.get_column_reader(place).map_err(|error| error.to_string())?;
    let mut reader = T::get_column_reader(reader).ok_or("its values are of another type")?;
    let read = reader.read_records(rows, Some(&mut raw.levels), None, &mut raw.values);
    let (read, ..) = read.map_err(|error| error.to_string())?;
    if read == rows { Ok(()) } else { Err(format!("it has {read} of {rows} rows")) }
}
