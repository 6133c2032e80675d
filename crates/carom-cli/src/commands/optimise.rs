//! `carom optimise`: from a problem file to an audited optimum, results, pictures and a summary.

use super::at_option;
use crate::args::Optimise;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::iterations::Iterations;
use crate::optimum_summary;
use crate::output::{complain, diagnostics, print, warn};
use carom::control::{
    Audit, AuditOptions, ControlError, Ladder, LadderEnd, LadderOptions, ProblemFile, ProblemModel, Solution,
    SolveOptions, StoredSolution, audit, solve, solve_to_accuracy, transcription,
};
use carom::nlp::Status;
use carom::report::optimum::{self, Optimum, Pictures};
use carom::report::{Caption, WriteOptions};
use carom::{Backend, Diagnostics};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What a search came to.
struct Found {
    solution: Solution,
    /// Its meshes, if there were several.
    ladder: Option<(Vec<carom::control::Rung>, LadderEnd)>,
    audit: Option<Audit>,
}

/// Runs the command.
pub fn run(args: &Optimise) -> Result<(), Failure> {
    let mut file = load(&args.problem, &args.overrides())?;
    warn(&file.warnings);
    let mut options = file.options();
    if let Some(folder) = &args.resume {
        resume(args, folder, &mut file, &mut options)?;
    }
    let found = search(args, &mut file, &options).map_err(|error| explain(&file, &error))?;
    let models = models(&file, &found.solution);
    let optimum = Optimum {
        file: &file,
        models: models.as_deref().unwrap_or(&file.models),
        solution: &found.solution,
        audit: found.audit.as_ref(),
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
        print(&optimum_summary::table(&optimum, ladder, &files))?;
    }
    verdict(&found)
}

/// Reads a problem; mistakes in options point at the option.
pub(super) fn load(path: &Path, overrides: &[(String, String)]) -> Result<ProblemFile, Failure> {
    let as_written = |found: Diagnostics| Failure::Model(Diagnostics(found.0.into_iter().map(at_option).collect()));
    ProblemFile::read(path, overrides).map_err(as_written)
}

/// A mistake that shows when the problem is transcribed, at its place.
pub(super) fn explain(file: &ProblemFile, error: &ControlError) -> Failure {
    Failure::Model(Diagnostics(file.explain(error).0.into_iter().map(at_option).collect()))
}

/// Begins with an earlier result: its mesh and motion, and its multipliers if the program is the same.
fn resume(args: &Optimise, folder: &Path, file: &mut ProblemFile, options: &mut SolveOptions) -> Result<(), Failure> {
    let stored = optimum::read(folder)?.solution;
    if args.intervals.is_none() {
        adopt_mesh(&stored, file);
    }
    let not_fit = |why: String| Failure::Settings(format!("`{}` does not fit the problem: {why}", folder.display()));
    stored.fill(&file.problem, &mut file.guess).map_err(not_fit)?;
    // The same numbers of variables and rows, by the same method, are taken for the same program.
    let transcript = transcription(&options.transcription)
        .and_then(|method| method.transcribe(&file.problem, Backend::Interpreter))
        .map_err(|error| explain(file, &error))?;
    let (program, multipliers) = (&transcript.program, &stored.multipliers);
    let size = [program.variables().len(), program.rows().len()];
    let lengths = [stored.point.len(), multipliers.rows.len()];
    let is_same = transcript.method == stored.method && size == lengths && multipliers.lower.len() == size[0];
    let is_finite = stored.point.iter().chain(&multipliers.rows).all(|value| value.is_finite());
    if is_same && is_finite && multipliers.upper.len() == size[0] {
        options.nlp.start = Some(stored.point);
        options.nlp.warm = Some(stored.multipliers);
    }
    Ok(())
}

/// The intervals of a stored solution, phase by phase.
fn adopt_mesh(stored: &StoredSolution, file: &mut ProblemFile) {
    for phase in &mut file.problem.phases {
        if let Some(number) = stored.phases.iter().position(|known| known.name == phase.name) {
            let shares = stored.shares(number);
            let total: f64 = shares.iter().sum();
            phase.intervals = shares.len();
            phase.shares = shares.iter().map(|share| share / total).collect();
        }
    }
}

/// Solves, on one mesh or on several, and audits what converged.
fn search(args: &Optimise, file: &mut ProblemFile, options: &SolveOptions) -> Result<Found, ControlError> {
    let interrupt = Interrupt::install();
    let mut iterations = Iterations::new(args.quiet || args.json && !args.verbose, args.verbose);
    let mut observe = |progress: &carom::nlp::Progress<'_>| {
        iterations.show(progress);
        !interrupt.is_requested()
    };
    let (solution, ladder) = match file.settings.accuracy {
        None => (solve(&file.problem, &file.guess, options, &mut observe)?, None),
        Some(accuracy) => {
            let ladder = LadderOptions { accuracy, ..LadderOptions::default() };
            let Ladder { rungs, solution, problem, end } =
                solve_to_accuracy(&file.problem, &file.guess, options, &ladder, &mut observe)?;
            file.problem = problem;
            (solution, Some((rungs, end)))
        }
    };
    let is_wanted = !args.no_audit && solution.outcome.status.is_success() && !interrupt.is_requested();
    let audit = match is_wanted.then(|| audit(&file.problem, &solution, &AuditOptions::default())) {
        Some(Err(error)) => {
            complain(&format!("warning: the optimum could not be audited: {error}"));
            None
        }
        Some(Ok(audit)) => Some(audit),
        None => None,
    };
    Ok(Found { solution, ladder, audit })
}

/// The models with the parameters that were found; nothing if none was, or if they make no model.
fn models(file: &ProblemFile, solution: &Solution) -> Option<Vec<ProblemModel>> {
    if solution.freed.is_empty() {
        return None;
    }
    match file.models_with(&solution.freed) {
        Ok(models) => Some(models),
        Err(_) => {
            complain(
                &"warning: pictures show the model with its own parameters: with those found, its initial state is none",
            );
            None
        }
    }
}

fn settings(args: &Optimise, file: &ProblemFile, options: &SolveOptions) -> Value {
    let limit = |value: f64| if value.is_finite() { value.into() } else { Value::Null };
    json!({
        "problem_file": args.problem.file_name().unwrap_or_default().to_string_lossy(),
        "method": options.transcription,
        "solver": options.solver,
        "tolerance": options.nlp.tolerance,
        "accuracy": file.settings.accuracy,
        "intervals": file.problem.phases.iter().map(|phase| phase.intervals).collect::<Vec<_>>(),
        "max_iterations": options.nlp.max_iterations,
        "max_seconds": limit(options.nlp.max_seconds),
        "backend": if options.backend == Backend::Interpreter { "interpreter" } else { "native" },
        "resumed": args.resume.is_some(),
    })
}

/// Results and pictures; a picture that cannot be drawn does not cost the results.
fn store(args: &Optimise, optimum: &Optimum<'_>) -> Result<Vec<PathBuf>, Failure> {
    let stem = || args.problem.file_stem().unwrap_or_default();
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("runs").join(stem()));
    let mut files = optimum::write(optimum, &folder, WriteOptions { csv: args.csv })?;
    if !args.no_plots {
        let title = format!("{}, {}", optimum.file.problem.name, optimum.solution.method);
        let pictures = Pictures {
            file: optimum.file,
            models: optimum.models,
            solution: &StoredSolution::of(optimum.solution),
            caption: Caption { title, warning: optimum::label(optimum) },
            costates: args.costates,
        };
        match optimum::draw(&pictures, &folder) {
            Ok(drawn) => files.extend(drawn),
            Err(error) => complain(&format!("warning: {error}")),
        }
    }
    Ok(files)
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

/// What the exit code says.
fn verdict(found: &Found) -> Result<(), Failure> {
    let status = &found.solution.outcome.status;
    if !status.is_success() {
        let advice = match status {
            Status::LocallyInfeasible => "; try another guess, or look at the constraints that are violated",
            Status::IterationLimit => "; raise --max-iterations, or go on with --resume",
            Status::TimeLimit => "; raise --max-seconds, or go on with --resume",
            Status::Stopped => "; go on with --resume",
            _ => "",
        };
        return Err(Failure::Run(format!("the search did not converge: {status}{advice}")));
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
