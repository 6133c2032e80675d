//! `carom simulate`: from a model file to results, pictures and a summary.

use super::load;
use crate::args::Simulate;
use crate::energy::Expected;
use crate::failure::Failure;
use crate::integrator::{Integrator, Outcome};
use crate::output::{complain, diagnostics, print, warn};
use crate::plan::Plan;
use crate::progress::Progress;
use crate::summary;
use carom::report::{self, WriteOptions, plot};
use carom::{Backend, Model, Run, System, Understanding, understand};
use serde_json::Value;
use std::path::PathBuf;

/// Runs the command.
pub fn run(args: &Simulate) -> Result<(), Failure> {
    let model = load(&args.model, &args.overrides())?;
    let backend = if args.interpret { Backend::Interpreter } else { Backend::fastest() };
    let plan = Plan::new(&model, backend)?;
    let understood = understand(&model);
    warn(&understood.warnings);

    let mut outcome = integrate(args, &model, &plan)?;
    match carom::impact::diagnose(&model.system, &outcome.trajectory) {
        Ok(findings) => outcome.trajectory.findings.extend(findings),
        Err(error) => complain(&format!("warning: the contacts could not be inspected: {error}")),
    }
    let run = Run {
        system: &model.system,
        drawing: &model.drawing,
        source: &model.source,
        trajectory: &outcome.trajectory,
        settings: settings(args, &plan, &model.system),
    };
    let files = store(args, &run)?;
    let doubts: Vec<String> = doubt(&run, &plan, &understood).into_iter().collect();
    doubts.iter().for_each(|doubt| complain(&format!("warning: {doubt}")));
    if args.json {
        let mut object = json(&run, &files, diagnostics(&understood.warnings));
        object["doubts"] = doubts.into();
        print(&object)?;
    } else if !args.quiet {
        print(&summary::table(&run, &plan, &understood, &files))?;
    }
    match outcome.error {
        Some(message) => Err(Failure::Run(message)),
        None => Ok(()),
    }
}

fn integrate(args: &Simulate, model: &Model, plan: &Plan) -> Result<Outcome, Failure> {
    let mut progress = Progress::new(plan.until, args.quiet);
    let outcome = plan.integrator.run(model, plan, &mut |time| {
        progress.observe(time);
        true
    });
    progress.finish();
    outcome
}

/// Beyond this part of the kinetic energy, an energy error means that the motion is not to be trusted.
const DOUBTFUL: f64 = 0.1;
/// Below this part of the energy itself, an error is rounding.
const ROUNDED: f64 = 1e-6;

/// A numerical motion can pass a singularity, or go astray in long steps, without a sign but this.
fn doubt(run: &Run<'_>, plan: &Plan, understood: &Understanding) -> Option<String> {
    let is_error = Expected::of(run.trajectory, understood).is_known();
    let (error, kinetic) = (run.trajectory.energy_error(), run.trajectory.energy_scale());
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
    settings["set"] = args.set.iter().map(|(name, value)| format!("{name}={value}")).collect();
    settings
}

/// Results and pictures; a picture that cannot be drawn does not cost the results.
fn store(args: &Simulate, run: &Run<'_>) -> Result<Vec<PathBuf>, Failure> {
    let folder = args.out.clone().unwrap_or_else(|| {
        let stem = args.model.file_stem().unwrap_or_default();
        PathBuf::from("runs").join(stem)
    });
    let mut files = report::write(run, &folder, WriteOptions { csv: args.csv })?;
    if !args.no_plots {
        match plot::draw_all(run, &folder) {
            Ok(pictures) => files.extend(pictures),
            Err(error) => complain(&format!("warning: {error}")),
        }
    }
    Ok(files)
}

fn json(run: &Run<'_>, files: &[PathBuf], warnings: Value) -> Value {
    let mut object = report::summary(run);
    object["files"] = files.iter().map(|file| file.to_string_lossy()).collect();
    object["warnings"] = warnings;
    object
}
