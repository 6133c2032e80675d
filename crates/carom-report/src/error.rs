//! What can go wrong between a run and the disk.

use std::io;
use std::path::PathBuf;

/// Why results could not be written, read or drawn.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum ReportError {
    #[error("there is no folder `{}`; give a folder that a run has written", folder.display())]
    NoFolder { folder: PathBuf },
    #[error("`{}` has no `{file}`: it is not a carom result, or its run was interrupted; run the model again", folder.display())]
    MissingFile { folder: PathBuf, file: String },
    #[error("cannot write `{}`: {source}; check that the folder is writable and the disk has room", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot read `{}`: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("`{}` is not a carom manifest: {found}; give a folder that a run has written", path.display())]
    NotAManifest { path: PathBuf, found: String },
    #[error("`{}` has format version {found}, and this carom reads version {known}; run the model again", path.display())]
    Version { path: PathBuf, found: String, known: u64 },
    #[error("`{}`: `{field}` should be {expected}; the file was edited or damaged, run the model again", path.display())]
    BadField { path: PathBuf, field: String, expected: &'static str },
    #[error("`{}` is damaged: {found}, but the manifest says {expected}; run the model again", path.display())]
    Damaged { path: PathBuf, found: String, expected: String },
    #[error("`{}` has no usable column `{column}`: {found}; run the model again", path.display())]
    BadColumn { path: PathBuf, column: String, found: String },
    #[error("`{}` is not a readable Parquet file: {message}; run the model again", path.display())]
    BadTable { path: PathBuf, message: String },
    #[error("{place} of the drawing cannot be evaluated: {source}")]
    Drawing { place: String, source: carom_expr::FunctionError },
    #[error("the trajectory has coordinates ({found}), the model has ({expected}); use the model that was run")]
    OtherModel { found: String, expected: String },
    #[error("the projection cannot be drawn: {0}")]
    Projection(#[from] carom_model::projection::ProjectionError),
    #[error("picture `{}` could not be drawn: {message}", path.display())]
    Picture { path: PathBuf, message: String },
}
