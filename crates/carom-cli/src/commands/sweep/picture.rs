//! The picture of a grid with one or two axes.

use carom::report::ReportError;
use carom::sweep::Dataset;
use std::path::PathBuf;

/// Draws the first measure over the grid, if there is something to draw.
pub fn draw(_dataset: &Dataset) -> Result<Option<PathBuf>, ReportError> {
    Ok(None)
}
