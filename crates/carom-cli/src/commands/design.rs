//! `carom design`: from a study file to the best design, its evaluations, pictures and a summary.

mod optimum;
mod pictures;

use super::{at_option, default_folder};
use crate::args::DesignStudy;
use crate::design_summary::{evaluation, object, table};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::{complain, diagnostics, print, warn};
use carom::Diagnostics;
use carom::design::{DesignError, Event, Inner, Journal, Outcome, Reason, StudyFile, run as search};
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};

/// The summary as JSON.
const SUMMARY: &str = "study.json";

/// Runs the command.
pub fn run(args: &DesignStudy) -> Result<(), Failure> {
    let file = load(args)?;
    warn(&file.warnings);
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&args.study));
    let mut journal = journal(args, &file, &folder).map_err(refused)?;
    let outcome = evaluate(args, &file, &mut journal)?;
    let mut files = vec![folder.join("evaluations.jsonl")];
    let best = best(args, &file, &outcome, &folder)?;
    files.extend(best.iter().flat_map(|best| best.files.iter().cloned()));
    if !args.no_plots {
        match pictures::draw(&file, &outcome, &folder) {
            Ok(drawn) => files.extend(drawn),
            Err(error) => complain(&format!("warning: {error}")),
        }
    }
    let audit = best.as_ref().and_then(|best| best.audit.as_ref());
    let mut summary = object(&file, &outcome, audit);
    let path = folder.join(SUMMARY);
    write(&path, &format!("{summary:#}\n"))?;
    files.push(path);
    if args.json {
        summary["files"] = files.iter().map(|file| file.to_string_lossy()).collect();
        summary["warnings"] = diagnostics(&file.warnings);
        print(&summary)?;
    } else if !args.quiet {
        print(&table(&file, &outcome, audit, &files))?;
    }
    verdict(&outcome, best.as_ref())
}

/// The journal of the study; one of an earlier study that is not resumed is set aside, never lost.
fn journal(args: &DesignStudy, file: &StudyFile, folder: &Path) -> Result<Journal, DesignError> {
    if args.resume {
        return Journal::resume(folder, &file.identity());
    }
    if let Some(place) = Journal::set_aside(folder)? {
        let (folder, place) = (folder.display(), place.display());
        complain(&format!(
            "note: `{folder}` had evaluations already; they are now in `{place}`. To go on with them, give --resume --out {place}; \
             to leave them where they are, give another --out"
        ));
    }
    Journal::create(folder, &file.identity())
}

/// Reads the study; options of the command line replace what it says.
fn load(args: &DesignStudy) -> Result<StudyFile, Failure> {
    let as_written = |found: Diagnostics| Failure::Model(Diagnostics(found.0.into_iter().map(at_option).collect()));
    let mut file = StudyFile::read(&args.study, &args.set).map_err(as_written)?;
    let zero = [("max-evaluations", args.max_evaluations), ("threads", args.threads)];
    if let Some((name, _)) = zero.into_iter().find(|(_, value)| *value == Some(0)) {
        return Err(Failure::Settings(format!("--{name} must be at least 1")));
    }
    if let Some(method) = &args.method {
        file.set_method(method).map_err(refused)?;
    }
    if !args.set.is_empty() && matches!(file.inner, Inner::Command(_)) {
        return Err(Failure::Settings("--set replaces parameters of a model, and the study has none".to_owned()));
    }
    let study = &mut file.study;
    study.max_evaluations = args.max_evaluations.unwrap_or(study.max_evaluations);
    study.threads = args.threads.unwrap_or(study.threads);
    study.seed = args.seed.unwrap_or(study.seed);
    Ok(file)
}

/// Evaluates until the method has enough, or Ctrl-C.
fn evaluate(args: &DesignStudy, file: &StudyFile, journal: &mut Journal) -> Result<Outcome, Failure> {
    let interrupt = Interrupt::install();
    let is_wanted = !args.quiet && (args.verbose || stderr().is_terminal() && !args.json);
    let mut shown = 0;
    let stop = || interrupt.is_requested();
    let mut observe = |event: Event<'_>| {
        let Event::Sample(sample) = event;
        if is_wanted {
            complain(&evaluation(file, sample, shown == 0));
        }
        shown += 1;
    };
    search(&file.study, file.inner.objective(), journal, &stop, &mut observe).map_err(refused)
}

/// The motion of the best design, if the study is about motions.
fn best(
    args: &DesignStudy,
    file: &StudyFile,
    outcome: &Outcome,
    folder: &Path,
) -> Result<Option<optimum::Best>, Failure> {
    match (&file.inner, outcome.best()) {
        (Inner::Control { file, objective }, Some(sample)) if !args.no_audit && outcome.reason != Reason::Stopped => {
            optimum::write(file, objective, sample, &folder.join("best"), !args.no_plots).map(Some)
        }
        _ => Ok(None),
    }
}

fn write(path: &PathBuf, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::File { path: path.clone(), why: format!("cannot be written: {error}") };
    std::fs::write(path, text).map_err(failed)
}

/// Why a study cannot be run.
fn refused(error: DesignError) -> Failure {
    match error {
        DesignError::File { path, action, why } => Failure::File { path, why: format!("cannot be {action}: {why}") },
        DesignError::FirstFailed { .. } => Failure::Run(error.to_string()),
        other => Failure::Settings(other.to_string()),
    }
}

/// What the exit code says.
fn verdict(outcome: &Outcome, best: Option<&optimum::Best>) -> Result<(), Failure> {
    let kept = outcome.samples.len();
    let resume = match outcome.reason {
        Reason::Converged(_) => String::new(),
        Reason::Stalled(_) => "; see `evaluations.jsonl`".to_owned(),
        Reason::Budget => "; go on with --resume and more --max-evaluations".to_owned(),
        Reason::Stopped => format!("; {kept} evaluations are kept, go on with --resume"),
    };
    if !matches!(outcome.reason, Reason::Converged(_)) {
        return Err(Failure::Run(format!("the study did not come to its end: {}{resume}", outcome.reason)));
    }
    match best.and_then(|best| best.audit.as_ref()) {
        Some(audit) if !audit.passed => Err(Failure::Audit(audit.verdict())),
        _ => Ok(()),
    }
}
