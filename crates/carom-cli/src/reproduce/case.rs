//! A whole case: its runs, its checks, its figures.

use super::declaration::{Case, Paper, Run};
use super::kept;
use super::measure::measure;
use super::runner::{self, Done, Manner};
use super::verdict::{Checked, Result as CaseResult};
use crate::failure::Failure;
use crate::output::complain;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How cases are run.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Folder of the results.
    pub out: &'a Path,
    /// Long runs are left out.
    pub is_quick: bool,
    /// Cases that have ended are run again.
    pub is_fresh: bool,
    /// No pictures.
    pub no_plots: bool,
    /// No messages.
    pub is_quiet: bool,
}

/// Runs a case, or takes its outcome from an earlier call; true if it did that.
pub fn reproduce(paper: &Paper, case: &Case, options: Options<'_>) -> Result<(CaseResult, bool), Failure> {
    let folder = options.out.join(&case.name);
    let identity = kept::identity(paper, options.is_quick, options.no_plots)?;
    if let Some(result) = kept::load(&folder, &identity).filter(|_| !options.is_fresh) {
        return Ok((result, true));
    }
    create(&folder)?;
    let clock = Instant::now();
    let runs = run_all(paper, case, &folder, options)?;
    let checks = check_all(case, &runs)?;
    let figures = if options.no_plots { Vec::new() } else { copy_all(case, &runs, &folder)? };
    let wall_s = clock.elapsed().as_secs_f64();
    let result = CaseResult {
        case: case.name.clone(),
        source: format!("{}: {}", paper.number, case.source),
        checks,
        figures,
        wall_s,
    };
    kept::store(&folder, &identity, &result)?;
    Ok((result, false))
}

/// What every run leaves; nothing for those that are left out.
fn run_all(paper: &Paper, case: &Case, folder: &Path, options: Options<'_>) -> Result<Vec<Option<Done>>, Failure> {
    let manner = Manner { no_plots: options.no_plots, is_quiet: options.is_quiet };
    let one = |run: &Run| match run.is_long && options.is_quick {
        true => {
            if !options.is_quiet {
                complain(&format!("  left out by --quick: carom {}", run.words.join(" ")));
            }
            Ok(None)
        }
        false => runner::run(run, &paper.folder, &folder.join(&run.name), manner).map(Some),
    };
    case.runs.iter().map(one).collect()
}

fn check_all(case: &Case, runs: &[Option<Done>]) -> Result<Vec<Checked>, Failure> {
    let mut motions: Vec<_> = runs.iter().map(|_| None).collect();
    let mut checks = Vec::new();
    for check in &case.checks {
        let ours = match check.run {
            None => Some(measure(check, None, &mut None)?),
            Some(run) => match &runs[run] {
                Some(done) => Some(measure(check, Some(done), &mut motions[run])?),
                None => None,
            },
        };
        checks.push(Checked::new(check, ours));
    }
    Ok(checks)
}

/// Copies the figures of the document to the folder of the case, under their numbers.
fn copy_all(case: &Case, runs: &[Option<Done>], folder: &Path) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    for (figure, name) in case.figures.iter().zip(names(case)) {
        let Some(done) = &runs[figure.run] else { continue };
        let (from, to) = (done.folder.join(&figure.file), folder.join(name));
        let failed = |error| Failure::File { path: from.clone(), why: format!("cannot be copied: {error}") };
        std::fs::copy(&from, &to).map_err(failed)?;
        files.push(to.to_string_lossy().into_owned());
        files.extend(rasterise(&to)?);
    }
    Ok(files)
}

/// The same picture as PNG beside it.
#[cfg(feature = "png")]
fn rasterise(svg: &Path) -> Result<Option<String>, Failure> {
    let to = svg.with_extension("png");
    let failed = |error| Failure::File { path: to.clone(), why: format!("cannot be written: {error}") };
    std::fs::write(&to, carom::report::png(svg)?).map_err(failed)?;
    Ok(Some(to.to_string_lossy().into_owned()))
}

/// Without the feature `png` there is none.
#[cfg(not(feature = "png"))]
fn rasterise(_svg: &Path) -> Result<Option<String>, Failure> {
    Ok(None)
}

/// File names of the figures: their numbers, in letters that file names can have.
pub fn names(case: &Case) -> Vec<PathBuf> {
    let mut names: Vec<String> = Vec::new();
    for figure in &case.figures {
        let stem = slug(&figure.number);
        let again = names.iter().filter(|name| **name == stem || name.starts_with(&format!("{stem}+"))).count();
        names.push(if again > 0 { format!("{stem}+{}", again + 1) } else { stem });
    }
    names.into_iter().map(|name| PathBuf::from(format!("{name}.svg"))).collect()
}

/// Letters, digits and decimal points, with single dashes between them.
fn slug(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { ' ' };
    let text: String = text.chars().map(plain).collect();
    text.split_whitespace().map(|word| word.trim_matches('.')).collect::<Vec<_>>().join("-")
}

fn create(folder: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::File { path: folder.to_owned(), why: format!("cannot be made: {error}") };
    std::fs::create_dir_all(folder).map_err(failed)
}
