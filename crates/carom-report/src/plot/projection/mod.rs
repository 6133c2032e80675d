//! A projection onto the feasible set: `projection.svg`.
//!
//! | coordinates | shows |
//! |---|---|
//! | one | `P` as a curve, over one period if it is a circle (`line`) |
//! | two | samples of the local projection, of the global one in normal form, and of that in the coordinates of the system: Figure 1 of the document (`samples`, `plane`) |
//! | more | nothing |

mod line;
mod plane;
mod samples;

use super::canvas::{Anchor, Canvas, Font};
use super::store;
use crate::error::ReportError;
use carom_model::projection::{Projection, ProjectionKind};
use std::path::{Path, PathBuf};

/// What is drawn of a projection.
#[derive(Clone, Copy, Debug)]
pub struct ProjectionFigure<'a> {
    /// What stands above the picture.
    pub title: &'a str,
    /// The projection.
    pub projection: &'a Projection,
    /// The local one, to compare with; for two coordinates.
    pub local: Option<&'a Projection>,
}

/// The picture of a projection.
const NAME: &str = "projection.svg";

/// Draws a projection; nothing if it has more than two coordinates.
pub fn projection(figure: &ProjectionFigure<'_>, folder: &Path) -> Result<Option<PathBuf>, ReportError> {
    let simple = figure.projection.simple();
    let picture = match (simple.dimension(), figure.projection.kind()) {
        (1, _) => line::draw(figure)?,
        (2, ProjectionKind::Global(normal)) => plane::draw(figure, normal)?,
        _ => return Ok(None),
    };
    store(folder, NAME, picture).map(Some)
}

/// The title, as above all pictures.
fn title(canvas: &mut Canvas<'_>, text: &str) {
    canvas.text(text, [24.0, 22.0], &Font { bold: true, ..Font::new(15.0, Anchor::Left) });
}
