//! `carom simulate`: from a model file to results, pictures and a summary.

use super::load;
use crate::args::Simulate;
use crate::energy::Expected;
use crate::failure::Failure;
use crate::inspection;
use crate::integrator::{Integrator, Outcome};
use crate::output::{complain, diagnostics, print, warn};
use crate::plan::Plan;
use crate::progress::Progress;
use crate::streaming::Streaming;
use crate::summary;
use carom::model::{Digest, Sink};
use carom::report::{self, WriteOptions, plot};
use carom::{Backend, Model, Run, System, Trajectory, Understanding, understand};
use serde_json::Value;
use std::path::PathBuf;

/// A run that has ended, well or not.
struct Done {
    digest: Digest,
    files: Vec<PathBuf>,
    /// Why it ended early.
    error: Option<String>,
}

/// Runs the command.
pub fn run(args: &Simulate) -> Result<(), Failure> {
    let model = load(&args.model, &args.overrides())?;
    let backend = if args.interpret { Backend::Interpreter } else { Backend::fastest() };
    let plan = Plan::new(&model, backend)?;
    let understood = understand(&model);
    warn(&understood.warnings);

    let Done { digest, files, error } =
        if args.stream { stream(args, &model, &plan)? } else { keep(args, &model, &plan)? };
    let doubts: Vec<String> = doubt(&digest, &plan, &understood).into_iter().collect();
    doubts.iter().for_each(|doubt| complain(&format!("warning: {doubt}")));
    if args.json {
        let mut object = json(&model.system, &digest, &files, diagnostics(&understood.warnings));
        object["doubts"] = doubts.into();
        print(&object)?;
    } else if !args.quiet {
        print(&summary::table(&model.system, &digest, &plan, &understood, &files))?;
    }
    match error {
        Some(message) => Err(Failure::Run(message)),
        None => Ok(()),
    }
}

/// Runs with the whole motion in memory.
fn keep(args: &Simulate, model: &Model, plan: &Plan) -> Result<Done, Failure> {
    plan.check_size(model)?;
    let Outcome { mut trajectory, error } = integrate(args, model, plan, None)?;
    match carom::impact::diagnose(&model.system, &trajectory) {
        Ok(findings) => trajectory.findings.extend(findings),
        Err(error) => complain(&format!("warning: the contacts could not be inspected: {error}")),
    }
    inspection::sort(&mut trajectory.findings);
    let files = store(args, &describe(args, model, plan, &trajectory))?;
    Ok(Done { digest: Digest::of(&trajectory), files, error })
}

/// Runs with one piece of the motion in memory at a time.
fn stream(args: &Simulate, model: &Model, plan: &Plan) -> Result<Done, Failure> {
    let mut streaming = Streaming::new(&model.system, &folder(args));
    let Outcome { trajectory, error } = integrate(args, model, plan, Some(&mut |piece| streaming.take(piece)))?;
    let (digest, files) = streaming.finish(&describe(args, model, plan, &trajectory))?;
    Ok(Done { digest, files, error })
}

fn integrate(args: &Simulate, model: &Model, plan: &Plan, sink: Option<Sink<'_>>) -> Result<Outcome, Failure> {
    let mut progress = Progress::new(plan.until, args.quiet);
    let outcome = plan.integrator.run(model, plan, sink, &mut |time| {
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
        source: &model.source,
        trajectory,
        settings: settings(args, plan, &model.system),
    }
}

/// Beyond this part of the kinetic energy, an energy error means that the motion is not to be trusted.
const DOUBTFUL: f64 = 0.1;
/// Below this part of the energy itself, an error is rounding.
const ROUNDED: f64 = 1e-6;

/// A numerical motion can pass a singularity, or go astray in long steps, without a sign but this.
fn doubt(digest: &Digest, plan: &Plan, understood: &Understanding) -> Option<String> {
    let is_error = Expected::of(digest, understood).is_known();
    let (error, kinetic) = (digest.energy_error(), digest.energy_scale);
    // Recorded nodes may all be at rest.
    let scale = kinetic.max(ROUNDED * understood.energy.abs());
    let other = if matches!(plan.integrator, Integrator::Taylor) { "" } else { ", or compare with --method taylor" };
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
        match plot::draw_all(run, &folder) {
            Ok(pictures) => files.extend(pictures),
            Err(error) => complain(&format!("warning: {error}")),
        }
    }
    Ok(files)
}

/// Where the results go.
fn folder(args: &Simulate) -> PathBuf {
    let stem = || args.model.file_stem().unwrap_or_default();
    args.out.clone().unwrap_or_else(|| PathBuf::from("runs").join(stem()))
}

fn json(system: &System, digest: &Digest, files: &[PathBuf], warnings: Value) -> Value {
    let mut object = report::summarize(system, digest);
    object["files"] = files.iter().map(|file| file.to_string_lossy()).collect();
    object["warnings"] = warnings;
    object
}
