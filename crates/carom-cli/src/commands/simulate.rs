//! `carom simulate`: from a model file to results, pictures and a summary.

use super::plot::too_short;
use super::{default_folder, load};
use crate::args::Simulate;
use crate::energy::Expected;
use crate::failure::Failure;
use crate::output::{complain, diagnostics, print, warn};
use crate::progress::Progress;
use crate::projected::{self, Smooth};
use crate::projection::derive;
use crate::streaming::Streaming;
use crate::summary::{self, About};
use carom::expr::FunctionError;
use carom::model::{Digest, Regularity, Sink};
use carom::report::{self, WriteOptions, plot};
use carom::run::{Integrator, Observer, Outcome, Plan, Simulated, Start, backward, inspect, simulate};
use carom::{Backend, Model, Run, System, Trajectory, Understanding, understand};
use serde_json::Value;
use std::path::PathBuf;

/// A run that has ended, well or not.
struct Done {
    digest: Digest,
    files: Vec<PathBuf>,
    /// The smooth path and its projection, if there is one.
    smooth: Option<Smooth>,
    /// Why it ended early.
    error: Option<String>,
}

/// Runs the command.
pub fn run(args: &Simulate) -> Result<(), Failure> {
    let model = load(&args.model, &args.overrides())?;
    let backend = if args.interpret { Backend::Interpreter } else { Backend::fastest() };
    let plan = Plan { backward: args.backward, ..Plan::new(&model, backend)? };
    let understood = understand(&model);
    let about =
        About { system: &model.system, understood: &understood, is_degenerate: is_degenerate(&model, &understood) };
    warn(&understood.warnings);

    let Done { digest, files, smooth, error } = match (args.stream, args.projected) {
        (true, _) => stream(args, &model, &plan)?,
        (_, true) => follow(args, &model, &plan)?,
        _ => keep(args, &model, &plan)?,
    };
    let doubts: Vec<String> = doubt(&digest, &plan, &about).into_iter().collect();
    doubts.iter().for_each(|doubt| complain(&format!("warning: {doubt}")));
    if args.json {
        let mut object = json(&model.system, &digest, &files, diagnostics(&understood.warnings));
        object["doubts"] = doubts.into();
        if let Some(smooth) = &smooth {
            object["path"] = report::summarize_path(&smooth.path);
        }
        print(&object)?;
    } else if !args.quiet {
        print(&summary::table(&about, &digest, &plan, smooth.as_ref(), &files))?;
    }
    match error {
        Some(message) => Err(Failure::Run(message)),
        None => Ok(()),
    }
}

/// True if some directions have no inertia anywhere.
fn is_degenerate(model: &Model, understood: &Understanding) -> bool {
    understood.regularity != Regularity::Regular && model.system.dynamics().degeneracy() > 0
}

/// Runs with the whole motion in memory.
fn keep(args: &Simulate, model: &Model, plan: &Plan) -> Result<Done, Failure> {
    let Simulated { outcome, uninspected } = observed(args, plan, |observe| simulate(model, plan, observe))?;
    uninspected.iter().for_each(complain_of_inspection);
    let Outcome { trajectory, error } = outcome;
    let files = store(args, &describe(args, model, plan, &trajectory))?;
    let digest = if plan.backward { backward::digest(&trajectory) } else { Digest::of(&trajectory) };
    Ok(Done { digest, files, smooth: None, error })
}

/// Follows a smooth path through the impacts.
fn follow(args: &Simulate, model: &Model, plan: &Plan) -> Result<Done, Failure> {
    plan.check_size(model)?;
    let projection = derive(model, &args.design)?;
    let (mut outcome, path) =
        observed(args, plan, |observe| projected::run(&plan.integrator, Start::of(model), &projection, plan, observe))?;
    inspect(Start::of(model), &mut outcome).unwrap_or_else(|error| complain_of_inspection(&error));
    let Outcome { trajectory, error } = outcome;
    let mut run = Run { path: Some(&path), ..describe(args, model, plan, &trajectory) };
    run.settings["projected"] = projected::describe(&projection, &args.design);
    let files = store(args, &run)?;
    let about = projected::in_words(&projection);
    Ok(Done { digest: Digest::of(&trajectory), files, smooth: Some(Smooth { path, about }), error })
}

/// The motion is there all the same.
fn complain_of_inspection(error: &FunctionError) {
    complain(&format!("warning: the contacts could not be inspected: {error}"));
}

/// Runs with one piece of the motion in memory at a time.
fn stream(args: &Simulate, model: &Model, plan: &Plan) -> Result<Done, Failure> {
    let mut streaming = Streaming::new(&model.system, &folder(args));
    let sink: Sink<'_> = &mut |piece| streaming.take(piece);
    let Outcome { trajectory, error } =
        observed(args, plan, |observe| plan.integrator.run(Start::of(model), plan, Some(sink), observe))?;
    let (digest, files) = streaming.finish(&describe(args, model, plan, &trajectory))?;
    Ok(Done { digest, files, smooth: None, error })
}

/// Runs while the progress is shown.
fn observed<T>(args: &Simulate, plan: &Plan, run: impl FnOnce(Observer<'_>) -> T) -> T {
    let mut progress = Progress::new(plan.until, args.quiet);
    let outcome = run(&mut |time| {
        progress.observe(time);
        true
    });
    progress.finish();
    outcome
}

fn describe<'a>(args: &Simulate, model: &'a Model, plan: &Plan, trajectory: &'a Trajectory) -> Run<'a> {
    Run {
        system: &model.system,
        drawing: &model.drawing,
        quasivelocities: &model.quasivelocities,
        source: &model.source,
        trajectory,
        path: None,
        settings: settings(args, plan, &model.system),
        caption: None,
    }
}

/// Beyond this part of the kinetic energy, an energy error means that the motion is not to be trusted.
const DOUBTFUL: f64 = 0.1;
/// Below this part of the energy itself, an error is rounding.
const ROUNDED: f64 = 1e-6;

/// A numerical motion can pass a singularity, or go astray in long steps, without a sign but this.
fn doubt(digest: &Digest, plan: &Plan, about: &About<'_>) -> Option<String> {
    let understood = about.understood;
    let is_error = Expected::of(digest, understood).is_known();
    let (error, kinetic) = (digest.energy_error(), digest.energy_scale);
    // Recorded nodes may all be at rest.
    let scale = kinetic.max(ROUNDED * understood.energy.abs());
    // The flow needs a regular Lagrangian.
    let is_last = matches!(plan.integrator, Integrator::Taylor) || about.is_degenerate;
    let other = if is_last { "" } else { ", or compare with --method taylor" };
    (is_error && error > DOUBTFUL * scale).then(|| {
        format!(
            "the energy is off by {error:.1e}, more than a tenth of the largest kinetic energy ({kinetic:.1e}): take a \
             smaller --step{other}; the motion may have passed a singularity"
        )
    })
}

/// What `carom plot` needs to understand the model as it was run.
fn settings(args: &Simulate, plan: &Plan, system: &System) -> Value {
    let mut settings = plan.describe(system);
    settings["model_file"] = args.model.file_name().unwrap_or_default().to_string_lossy().into();
    settings["set"] = args.state().iter().map(|(name, value)| format!("{name}={value}")).collect();
    settings
}

/// Results and pictures; a picture that cannot be drawn does not cost the results.
fn store(args: &Simulate, run: &Run<'_>) -> Result<Vec<PathBuf>, Failure> {
    let folder = folder(args);
    let mut files = report::write(run, &folder, WriteOptions { csv: args.csv })?;
    if !args.no_plots {
        if let Some(reason) = too_short(run.trajectory) {
            complain(&reason);
        }
        match plot::draw_all(run, &folder) {
            Ok(pictures) => files.extend(pictures),
            Err(error) => complain(&format!("warning: {error}")),
        }
    }
    Ok(files)
}

/// Where the results go.
fn folder(args: &Simulate) -> PathBuf {
    args.out.clone().unwrap_or_else(|| default_folder(&args.model))
}

fn json(system: &System, digest: &Digest, files: &[PathBuf], warnings: Value) -> Value {
    let mut object = report::summarize(system, digest);
    object["files"] = files.iter().map(|file| file.to_string_lossy()).collect();
    object["warnings"] = warnings;
    object
}
