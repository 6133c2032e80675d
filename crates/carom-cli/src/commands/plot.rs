//! `carom plot`: the pictures of a result folder, once more.

use crate::args::Plot;
use crate::failure::Failure;
use crate::output::{complain, print};
use carom::report::{self, Stored, plot};
use carom::{Model, Run, Trajectory};
use serde_json::Value;
use std::path::PathBuf;

/// Runs the command.
pub fn run(args: &Plot) -> Result<(), Failure> {
    #[cfg(feature = "optimal-control")]
    if report::optimum::is_optimum(&args.folder) {
        return optimum(args);
    }
    #[cfg(feature = "optimal-control")]
    if report::optimum::is_spline_plan(&args.folder) {
        let out = args.out.as_ref().unwrap_or(&args.folder);
        return say(&report::optimum::redraw_spline_plan(&args.folder, out).map_err(Failure::Model)??);
    }
    let stored = report::read(&args.folder)?;
    let model = model(&stored)?;
    let run = Run {
        system: &model.system,
        drawing: &model.drawing,
        quasivelocities: &model.quasivelocities,
        source: &stored.source,
        trajectory: &stored.trajectory,
        path: stored.path.as_ref(),
        settings: stored.manifest["settings"].clone(),
        caption: None,
    };
    if let Some(reason) = too_short(&stored.trajectory) {
        complain(&reason);
    }
    say(&plot::draw_all(&run, args.out.as_ref().unwrap_or(&args.folder))?)
}

/// The files, one per line.
fn say(files: &[PathBuf]) -> Result<(), Failure> {
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    if files.is_empty() { Ok(()) } else { print(&files.join("\n")) }
}

/// The pictures of a solved problem.
#[cfg(feature = "optimal-control")]
fn optimum(args: &Plot) -> Result<(), Failure> {
    let stored = report::optimum::read(&args.folder)?;
    let file = stored.problem().map_err(Failure::Model)?;
    // Parameters that were found make another model.
    let models = file.models_with(&stored.solution.freed).ok();
    let pictures = report::optimum::Pictures {
        models: models.as_deref().unwrap_or(&file.models),
        file: &file,
        solution: &stored.solution,
        caption: stored.caption(),
        costates: args.costates,
    };
    let out = args.out.as_ref().unwrap_or(&args.folder);
    let mut files = report::optimum::draw(&pictures, out)?;
    for drawn in report::optimum::draw_further(&pictures, out) {
        match drawn {
            Ok(file) => files.push(file),
            Err(error) => complain(&format!("warning: {error}")),
        }
    }
    if let Some(plan) = &stored.plan {
        let shown = (&stored.solution.phases[..], stored.caption());
        files.extend(report::optimum::draw_plan(&file, pictures.models, plan, shown, out)?);
    }
    say(&files)
}

/// Why there are no pictures of a motion, if there are none.
pub fn too_short(trajectory: &Trajectory) -> Option<String> {
    let nodes = match trajectory.len() {
        0 => "the run has none",
        1 => "the run has one",
        _ => return None,
    };
    Some(format!("note: no pictures are drawn: they need {} nodes, and {nodes}", plot::LEAST_NODES))
}

/// The model as it was run: its text and what `--set` replaced.
pub(crate) fn model(stored: &Stored) -> Result<Model, Failure> {
    let settings = &stored.manifest["settings"];
    let assignments = settings["set"].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str);
    let overrides: Vec<(String, String)> =
        assignments.filter_map(|text| text.split_once('=')).map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    let file = settings["model_file"].as_str().unwrap_or("model.toml");
    Model::from_text(&stored.source, file, &overrides).map_err(Failure::Model)
}
