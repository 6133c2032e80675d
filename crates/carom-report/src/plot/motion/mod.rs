//! t
use super::*;
/// motion
pub fn motion(_run: &Run<'_>, _folder: &Path) -> Result<Option<PathBuf>, ReportError> { Ok(None) }
