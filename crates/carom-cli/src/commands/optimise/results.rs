//! What is written of a search: results, pictures, the settings that were used.

use crate::args::Optimise;
use crate::failure::Failure;
use crate::output::complain;
use carom::Backend;
use carom::control::{ProblemFile, ProblemModel, Solution, SolveOptions, StoredSolution};
use carom::report::optimum::{self, Optimum, Pictures, Planned};
use carom::report::{Caption, WriteOptions};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The models with the parameters that were found; nothing if none was, or if they make no model.
pub(super) fn models(file: &ProblemFile, solution: &Solution) -> Option<Vec<ProblemModel>> {
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

pub(super) fn settings(args: &Optimise, file: &ProblemFile, options: &SolveOptions) -> Value {
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
        "discover": file.settings.discover.is_some(),
        "plan": file.settings.plan.is_some(),
        "gait": file.settings.gait.as_ref().map(|gait| json!({
            "starts": gait.starts, "seed": gait.seed, "spread": gait.spread, "effort_first": gait.effort_first,
            "net_first": gait.net_first,
            "coarse": gait.coarse, "hops": gait.hops,
        })),
    })
}

/// Where results go.
pub(super) fn folder(args: &Optimise) -> PathBuf {
    let stem = || args.problem.file_stem().unwrap_or_default();
    args.out.clone().unwrap_or_else(|| PathBuf::from("runs").join(stem()))
}

/// Results and pictures; a picture that cannot be drawn does not cost the results.
pub(super) fn store(args: &Optimise, optimum: &Optimum<'_>) -> Result<Vec<PathBuf>, Failure> {
    let folder = folder(args);
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
        let plan = || match optimum.planned {
            Some(Planned { plan, .. }) => {
                let shown = (&pictures.solution.phases[..], pictures.caption.clone());
                optimum::draw_plan(optimum.file, optimum.models, plan, shown, &folder)
            }
            None => Ok(Vec::new()),
        };
        let further = optimum::draw_further(&pictures, &folder).into_iter().map(|drawn| drawn.map(|file| vec![file]));
        for drawn in [optimum::draw(&pictures, &folder)].into_iter().chain(further).chain([plan()]) {
            match drawn {
                Ok(drawn) => files.extend(drawn),
                Err(error) => complain(&format!("warning: {error}")),
            }
        }
    }
    Ok(files)
}
