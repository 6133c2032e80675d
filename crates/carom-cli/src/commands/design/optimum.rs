//! The motion of the best design: solved once more from where it was found, audited, written.

use crate::failure::Failure;
use crate::output::complain;
use carom::control::{Audit, AuditOptions, ProblemFile, Solution, StoredSolution, audit};
use carom::design::{ControlObjective, Sample};
use carom::report::optimum::{self, Optimum, Pictures};
use carom::report::{Caption, WriteOptions};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The motion of the best design.
pub(super) struct Best {
    /// Its audit, if there could be one.
    pub audit: Option<Audit>,
    /// Its files.
    pub files: Vec<PathBuf>,
}

/// Solves, audits and writes.
pub(super) fn write(
    file: &ProblemFile,
    objective: &ControlObjective,
    sample: &Sample,
    folder: &Path,
    is_drawn: bool,
) -> Result<Best, Failure> {
    let solution = objective.optimum(sample).map_err(|error| Failure::Settings(error.to_string()))?;
    let options = file.gait_options().map_or_else(AuditOptions::default, |options| options.audit);
    let audit = match audit(&objective.problem_at(&sample.design), &solution, &options) {
        Ok(audit) => Some(audit),
        Err(error) => {
            complain(&format!("warning: the best motion could not be audited: {error}"));
            None
        }
    };
    let models = file.models_with(&solution.freed).ok();
    let optimum = Optimum {
        file,
        models: models.as_deref().unwrap_or(&file.models),
        solution: &solution,
        audit: audit.as_ref(),
        discovered: None,
        planned: None,
        walked: None,
        settings: json!({ "design": solution.freed }),
    };
    let mut files = optimum::write(&optimum, folder, WriteOptions { csv: false })?;
    if is_drawn {
        files.extend(draw(&optimum, &solution, folder));
    }
    Ok(Best { audit, files })
}

/// Pictures; one that cannot be drawn does not cost the results.
fn draw(optimum: &Optimum<'_>, solution: &Solution, folder: &Path) -> Vec<PathBuf> {
    let title = format!("{}, {}", optimum.file.problem.name, solution.method);
    let pictures = Pictures {
        file: optimum.file,
        models: optimum.models,
        solution: &StoredSolution::of(solution),
        caption: Caption { title, warning: optimum::label(optimum) },
        costates: false,
    };
    let further = optimum::draw_further(&pictures, folder).into_iter().map(|drawn| drawn.map(|file| vec![file]));
    let mut files = Vec::new();
    for drawn in [optimum::draw(&pictures, folder)].into_iter().chain(further) {
        match drawn {
            Ok(drawn) => files.extend(drawn),
            Err(error) => complain(&format!("warning: {error}")),
        }
    }
    files
}
