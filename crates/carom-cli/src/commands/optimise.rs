//! `carom optimise`: from a problem file to an audited optimum, results, pictures and a summary.

mod discovery;
mod gaits;
mod planning;
mod results;
mod resume;
mod watch;

use super::at_option;
use crate::args::Optimise;
use crate::failure::Failure;
use crate::optimum_summary;
use crate::output::{complain, diagnostics, print, warn};
use crate::plan_summary;
use carom::Diagnostics;
use carom::control::{
    Audit, AuditOptions, ControlError, DiscoverSettings, Ladder, LadderEnd, LadderOptions, ProblemFile, Solution,
    SolveOptions, audit, dump, solve, solve_to_accuracy,
};
use carom::nlp::{Progress, Status};
use carom::report::optimum::{self, Discovered, Optimum, Planned, Walked};
use results::{folder, models, settings, store};
use serde_json::{Value, json};
use std::path::Path;
use watch::Watch;

/// What a search came to.
struct Found {
    solution: Solution,
    /// Its meshes, if there were several.
    ladder: Option<(Vec<carom::control::Rung>, LadderEnd)>,
    audit: Option<Audit>,
    /// What a search of impacts has found.
    discovered: Option<Discovered>,
    /// What was planned.
    planned: Option<Planned>,
    /// What a search of gaits has found.
    walked: Option<Walked>,
    /// True if one of these did not get to its end.
    is_cut: bool,
}

/// Runs the command.
pub fn run(args: &Optimise) -> Result<(), Failure> {
    let mut file = load(&args.problem, &args.overrides())?;
    warn(&file.warnings);
    let planning = file.plan_options();
    let mut options = planning.as_ref().map_or_else(|| file.options(), |planning| planning.polish.clone());
    if args.discover && file.settings.discover.is_none() {
        file.settings.discover = Some(DiscoverSettings::default());
    }
    if let Some(settings) = &mut file.settings.gait {
        if args.starts == Some(0) || args.seed == Some(0) {
            return Err(Failure::Settings("--starts and --seed must be at least 1".to_owned()));
        }
        if args.discover {
            let message =
                "--discover looks for impacts of one phase; a [gait] has its impact already: leave --discover away";
            return Err(Failure::Settings(message.to_owned()));
        }
        settings.starts = args.starts.unwrap_or(settings.starts);
        settings.seed = args.seed.unwrap_or(settings.seed);
        settings.hops = args.hops.unwrap_or(settings.hops);
    } else if args.starts.is_some() || args.seed.is_some() || args.hops.is_some() {
        let message = "--starts, --seed and --hops belong to searches of gaits; the problem has no [gait]";
        return Err(Failure::Settings(message.to_owned()));
    }
    if let (Some(folder), None) = (&args.resume, &planning) {
        resume::resume(args, folder, &mut file, &mut options)?;
    }
    let watch = Watch::new(args, file.settings.max_seconds);
    let planned = match &planning {
        Some(wanted) => {
            let found = planning::search(args, &mut file, wanted.clone(), &watch)?;
            if found.motion.is_none() {
                return planning::report(args, &file, wanted, &found);
            }
            Some(found)
        }
        None => None,
    };
    let found = search(args, &mut file, &options, (watch, planned))?;
    let models = models(&file, &found.solution);
    let optimum = Optimum {
        file: &file,
        models: models.as_deref().unwrap_or(&file.models),
        solution: &found.solution,
        audit: found.audit.as_ref(),
        discovered: found.discovered.as_ref(),
        planned: found.planned.as_ref(),
        walked: found.walked.as_ref(),
        settings: settings(args, &file, &options),
    };
    let files = store(args, &optimum)?;
    if args.json {
        let mut object = optimum::summary(&optimum);
        object["meshes"] = meshes(&found);
        object["files"] = files.iter().map(|file| file.to_string_lossy()).collect();
        object["warnings"] = diagnostics(&file.warnings);
        print(&object)?;
    } else if !args.quiet {
        let ladder = found.ladder.as_ref().map(|(rungs, end)| (&rungs[..], *end));
        let summary = optimum_summary::table(&optimum, ladder, &files);
        match &found.planned {
            Some(planned) => print(&[plan_summary::table(&planned.plan), summary].join("\n\n"))?,
            None => print(&summary)?,
        }
    }
    verdict(&found)
}

/// Reads a problem; mistakes in options point at the option.
pub(super) fn load(path: &Path, overrides: &[(String, String)]) -> Result<ProblemFile, Failure> {
    let as_written = |found: Diagnostics| Failure::Model(Diagnostics(found.0.into_iter().map(at_option).collect()));
    super::refuse_study(path)?;
    ProblemFile::read(path, overrides).map_err(as_written)
}

/// A mistake that shows when the problem is transcribed, at its place.
pub(crate) fn explain(file: &ProblemFile, error: &ControlError) -> Failure {
    Failure::Model(Diagnostics(file.explain(error).0.into_iter().map(at_option).collect()))
}

/// Solves, on one mesh or on several, and audits what converged.
fn search(
    args: &Optimise,
    file: &mut ProblemFile,
    options: &SolveOptions,
    (mut watch, planned): (Watch, Option<planning::Found>),
) -> Result<Found, Failure> {
    let discovered = match file.discover_options() {
        Some(wanted) => Some(discovery::search(args, file, &wanted, &watch)?),
        None => None,
    };
    let is_cut = discovered.is_some() && watch.is_stopped() || planned.as_ref().is_some_and(|found| found.is_cut);
    let (planned, mut motion) = planned.map_or((None, None), |found| (Some(found.planned), found.motion));
    // A search of gaits keeps its time itself, and some for the audit of what it has found.
    if file.gait.is_some() {
        watch.lift();
    }
    let walked = match file.gait_options().filter(|_| args.resume.is_none()) {
        Some(wanted) => Some(gaits::search(args, file, wanted, &watch)?),
        None => None,
    };
    if let Some(best) = walked.as_ref().and_then(|found| found.search.candidates.first()) {
        motion = Some((best.solution.clone(), best.audit.clone()));
    }
    let is_cut = is_cut || walked.as_ref().is_some_and(|found| found.search.is_stopped);
    watch.lift();
    if let Some(path) = &args.dump {
        let dump = dump(&file.problem, &file.guess, options).map_err(|error| explain(file, &error))?;
        let failed = |error| Failure::File { path: path.clone(), why: format!("cannot be written: {error}") };
        std::fs::write(path, format!("{dump}\n")).map_err(failed)?;
    }
    let mut observe = |progress: &Progress<'_>| watch.observe(progress);
    let (solution, ladder) = match (file.settings.accuracy, &discovered, &motion) {
        (None, Some(found), _) => (found.candidates[found.taken].solution.clone(), None),
        (None, None, Some((solution, _))) => (solution.clone(), None),
        (None, None, None) => {
            let solution = solve(&file.problem, &file.guess, options, &mut observe);
            (solution.map_err(|error| explain(file, &error))?, None)
        }
        (Some(accuracy), ..) => {
            let ladder = LadderOptions { accuracy, ..LadderOptions::default() };
            let Ladder { rungs, solution, problem, end } =
                solve_to_accuracy(&file.problem, &file.guess, options, &ladder, &mut observe)
                    .map_err(|error| explain(file, &error))?;
            file.problem = problem;
            (solution, Some((rungs, end)))
        }
    };
    watch.finish(&solution.outcome);
    let known = discovered.as_ref().and_then(|found| found.audits[found.taken].clone());
    let known = known.or_else(|| motion.and_then(|(_, audit)| audit)).filter(|_| ladder.is_none());
    let is_wanted = !args.no_audit && solution.outcome.status.is_success() && !watch.is_stopped();
    let audit = match known {
        Some(audit) => Some(audit),
        None if is_wanted => match audit(&file.problem, &solution, &AuditOptions::default()) {
            Ok(audit) => Some(audit),
            Err(error) => {
                complain(&format!("warning: the optimum could not be audited: {error}"));
                None
            }
        },
        None => None,
    };
    Ok(Found { solution, ladder, audit, discovered, planned, walked, is_cut })
}

fn meshes(found: &Found) -> Value {
    let Some((rungs, end)) = &found.ladder else { return Value::Null };
    let rung = |rung: &carom::control::Rung| {
        json!({
            "intervals": rung.intervals, "cost": rung.cost, "error": rung.error, "extrapolated": rung.extrapolated,
            "largest_defect": rung.largest_defect, "iterations": rung.iterations, "wall_s": rung.seconds,
        })
    };
    json!({ "rungs": rungs.iter().map(rung).collect::<Vec<_>>(), "accurate": *end == LadderEnd::Accurate })
}

/// What may help a search that did not converge.
pub(super) fn advice(status: &Status) -> &'static str {
    match status {
        Status::LocallyInfeasible => "; try another guess, or look at the constraints that are violated",
        Status::IterationLimit => "; raise --max-iterations",
        Status::TimeLimit => "; raise --max-seconds",
        _ => "",
    }
}

/// What the exit code says.
fn verdict(found: &Found) -> Result<(), Failure> {
    let status = &found.solution.outcome.status;
    if !status.is_success() {
        let resume = match status {
            Status::IterationLimit | Status::TimeLimit => ", or go on with --resume",
            Status::Stopped => "; go on with --resume",
            _ => "",
        };
        let resume = if found.discovered.is_some() { "" } else { resume };
        return Err(Failure::Run(format!("the search did not converge: {status}{}{resume}", advice(status))));
    }
    if found.is_cut {
        let resume = if found.planned.is_some() { "; go on with --resume" } else { "" };
        let what = if found.walked.is_some() { "gaits" } else { "impacts" };
        let message = format!("the search of {what} was ended early: what is written is the best motion so far");
        return Err(Failure::Run(format!("{message}{resume}")));
    }
    if let Some((rungs, end)) = &found.ladder
        && *end != LadderEnd::Accurate
    {
        let error = rungs.last().and_then(|rung| rung.error).unwrap_or(f64::NAN);
        return Err(Failure::Run(format!("the accuracy was not reached: the error of the cost is about {error:.1e}")));
    }
    match &found.audit {
        Some(audit) if !audit.passed => Err(Failure::Audit(audit.verdict())),
        _ => Ok(()),
    }
}
