//! Pictures as PNG, for what does not show SVG.
//!
//! Machines without fonts are common where nobody looks at a screen, so that letters come along: a part of DejaVu Sans
//! (`fonts/LICENSE` of this crate).

use crate::error::ReportError;
use resvg::{tiny_skia, usvg};
use std::path::Path;

const FONT: &[u8] = include_bytes!("../fonts/DejaVuSans.ttf");
const FAMILY: &str = "DejaVu Sans";
/// Pixels of the picture per pixel of the drawing.
const SCALE: f32 = 2.0;

/// The picture `svg` as PNG.
pub fn png(svg: &Path) -> Result<Vec<u8>, ReportError> {
    let text = std::fs::read_to_string(svg).map_err(|source| ReportError::Read { path: svg.to_owned(), source })?;
    let failed = |message: String| ReportError::Picture { path: svg.to_owned(), message };
    let mut options = usvg::Options { font_family: FAMILY.to_owned(), ..usvg::Options::default() };
    let fonts = options.fontdb_mut();
    fonts.load_font_data(FONT.to_vec());
    fonts.set_sans_serif_family(FAMILY);
    let tree = usvg::Tree::from_str(&text, &options).map_err(|error| failed(error.to_string()))?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or_else(|| failed("it has no size".to_owned()))?;
    let pixels = tiny_skia::Pixmap::new(size.width(), size.height());
    let mut pixels = pixels.ok_or_else(|| failed("it is too large".to_owned()))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failed(error.to_string()))
}
