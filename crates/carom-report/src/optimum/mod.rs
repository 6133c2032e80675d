//! Results of optimal control problems.
//!
//! | file | content |
//! |---|---|
//! | `nodes.parquet` | one row per node: state, constraint forces, costates |
//! | `controls.parquet` | one row per value of the controls |
//! | `intervals.parquet` | one row per interval: duration, work of the inputs, defect |
//! | `impacts.parquet` | one row per impulse of each transition; only if there are any |
//! | `solution.json` | what `--resume` and guesses begin with: motion, point and multipliers |
//! | `plan.json` | what was planned, if it was: the descent, all motions, and what `--resume` needs to go on |
//! | `manifest.json` | what was asked, how it was solved, what came out, what the audit says |
//! | `nodes.csv`, ... | the same tables as text, on request |
//!
//! The manifest is written last: a folder with a manifest is complete.

mod discovered;
mod energies;
mod manifest;
mod pictures;
mod planned;
mod stored;
mod summary;
mod tables;
mod trajectory;
mod walked;

pub use discovered::Discovered;
pub use pictures::{Pictures, draw, draw_further};
pub use planned::{Planned, SplinePlan, draw_plan, is_spline_plan, read_plan, redraw_spline_plan};
pub use stored::{StoredOptimum, is_optimum, read};
pub use summary::{label, place, summary, violation};
pub use trajectory::trajectory;
pub use walked::Walked;

use crate::WriteOptions;
use crate::error::ReportError;
use crate::file::{Written, create_folder, write_file};
use crate::results::{MANIFEST, remove_earlier};
use carom_control::{Audit, ProblemFile, ProblemModel, Solution, StoredSolution};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A solved problem with everything that is worth keeping.
#[derive(Clone, Debug)]
pub struct Optimum<'a> {
    /// The problem.
    pub file: &'a ProblemFile,
    /// Its models, with the parameters that were found.
    pub models: &'a [ProblemModel],
    /// What came out.
    pub solution: &'a Solution,
    /// What the audit says, if there was one.
    pub audit: Option<&'a Audit>,
    /// What a search of impacts has found, if there was one.
    pub discovered: Option<&'a Discovered>,
    /// What was planned, if it was.
    pub planned: Option<&'a Planned>,
    /// What a search of gaits has found, if there was one.
    pub walked: Option<&'a Walked>,
    /// The settings as they were used.
    pub settings: Value,
}

/// Writes the result of a search into `folder`, and says which files there are now.
pub fn write(optimum: &Optimum<'_>, folder: &Path, options: WriteOptions) -> Result<Vec<PathBuf>, ReportError> {
    create_folder(folder)?;
    remove_earlier(folder)?;
    let mut files: Vec<Written> = Vec::new();
    for table in tables::tables(optimum) {
        files.extend(table.write(folder, options.csv)?);
    }
    let text = format!("{}\n", StoredSolution::of(optimum.solution).json());
    files.push(write_file(folder, StoredSolution::FILE, |writer| writer.write_all(text.as_bytes()))?);
    if let Some(planned) = optimum.planned {
        files.push(planned::write_plan(&planned.plan, folder)?);
    }
    let text = format!("{:#}\n", manifest::describe(optimum, &files));
    files.push(write_file(folder, MANIFEST, |writer| writer.write_all(text.as_bytes()))?);
    Ok(files.into_iter().map(|file| file.path).collect())
}
