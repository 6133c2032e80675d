//! From a file on disk to a sweep that carries everything.

use crate::{Kind, Sweep, SweepError};
use carom_model::reading::open;
use std::path::Path;

impl Sweep {
    /// A sweep of one point over a model, a problem or a study, whichever the file is. What it names beside it is taken along.
    pub fn from_path(path: &Path, set: &[(String, String)]) -> Result<Self, SweepError> {
        let text = open(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut sweep = Self::new(kind_of(&text), &name, &text);
        sweep.set = set.to_vec();
        #[cfg(feature = "optimal-control")]
        {
            sweep.beside = named(&sweep, path)?;
        }
        Ok(sweep)
    }
}

#[cfg(feature = "optimal-control")]
fn kind_of(text: &str) -> Kind {
    match text {
        _ if carom_design::StudyFile::is_study(text) => Kind::Design,
        _ if carom_control::ProblemFile::is_problem(text) => Kind::Optimisation,
        _ => Kind::Simulation,
    }
}

#[cfg(not(feature = "optimal-control"))]
fn kind_of(_text: &str) -> Kind {
    Kind::Simulation
}

/// Names and texts of the files that a problem or a study opens. Mistakes are shown with the path of the file.
#[cfg(feature = "optimal-control")]
fn named(sweep: &Sweep, path: &Path) -> Result<Vec<(String, String)>, SweepError> {
    use std::cell::RefCell;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let found = RefCell::new(Vec::new());
    let beside = |name: &str| {
        let text = open(&folder.join(name))?;
        let mut found = found.borrow_mut();
        if !found.iter().any(|(known, _)| known == name) {
            found.push((name.to_owned(), text.clone()));
        }
        Ok(text)
    };
    let file = path.display().to_string();
    match sweep.kind {
        Kind::Simulation => {}
        Kind::Optimisation => {
            carom_control::ProblemFile::from_text(&sweep.text, &file, &sweep.set, &beside)?;
        }
        Kind::Design => {
            carom_design::StudyFile::from_text(&sweep.text, &file, &sweep.set, &beside)?;
        }
    }
    Ok(found.into_inner())
}
