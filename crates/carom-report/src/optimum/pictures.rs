//! Pictures of a solution: the motion as that of any run, and controls, forces and costates over time.

use super::energies;
use super::tables::union;
use super::trajectory;
use crate::error::ReportError;
use crate::plot::{self, Quantity, column, share};
use crate::{Caption, Run};
use carom_control::{PhaseSolution, ProblemFile, ProblemModel, StoredSolution};
use carom_model::Trajectory;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Points of a curved control within an interval.
const POINTS: usize = 6;

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Pictures<'a> {
    /// The problem.
    pub file: &'a ProblemFile,
    /// Its models, with the parameters that were found.
    pub models: &'a [ProblemModel],
    /// The solution.
    pub solution: &'a StoredSolution,
    /// What stands above the pictures.
    pub caption: Caption,
    /// Draw the costates too.
    pub costates: bool,
}

/// What most pictures share.
pub(super) struct Stage<'a> {
    model: &'a ProblemModel,
    /// The motion, or its times alone.
    motion: Trajectory,
    /// True if all phases are about one system.
    is_whole: bool,
}

impl<'a> Stage<'a> {
    /// A run with the motion.
    pub fn run(&'a self, pictures: &'a Pictures<'_>) -> Run<'a> {
        Run {
            system: &self.model.system,
            drawing: &self.model.drawing,
            quasivelocities: &self.model.quasivelocities,
            source: &pictures.file.source,
            trajectory: &self.motion,
            path: None,
            settings: Value::Null,
            caption: Some(pictures.caption.clone()),
        }
    }
}

impl<'a> Pictures<'a> {
    /// The model of a phase; phases that were found have the first one.
    pub(super) fn model(&self, phase: usize) -> Option<&'a ProblemModel> {
        let numbers = &self.file.phase_models;
        self.models.get(*numbers.get(phase).or(numbers.first())?)
    }

    /// The motion and its model; nothing without phases.
    pub(super) fn stage(&self) -> Result<Option<Stage<'a>>, ReportError> {
        let StoredSolution { phases, transitions, method, .. } = self.solution;
        let Some(model) = self.model(0) else { return Ok(None) };
        let whole = trajectory(&self.file.problem, &model.system, phases, transitions, method)?;
        let is_whole = whole.is_some();
        Ok(Some(Stage { model, motion: whole.unwrap_or_else(|| times(phases)), is_whole }))
    }
}

/// Draws pictures that the others do not need, each with its own error: `energy.svg`, and `snapshots.svg` of a gait.
pub fn draw_further(pictures: &Pictures<'_>, folder: &Path) -> Vec<Result<PathBuf, ReportError>> {
    let drawn = [energies::energy(pictures, folder), snapshots(pictures, folder)];
    drawn.into_iter().filter_map(Result::transpose).collect()
}

/// The figures of a gait.
fn snapshots(pictures: &Pictures<'_>, folder: &Path) -> Result<Option<PathBuf>, ReportError> {
    match pictures.stage()? {
        Some(stage) if stage.is_whole && pictures.file.gait.is_some() => plot::lineup(&stage.run(pictures), folder),
        _ => Ok(None),
    }
}

/// Draws everything else into `folder`.
pub fn draw(pictures: &Pictures<'_>, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let Some(stage) = pictures.stage()? else { return Ok(Vec::new()) };
    let (phases, run) = (&pictures.solution.phases[..], stage.run(pictures));
    let mut files = Vec::new();
    if stage.is_whole {
        files.extend([plot::coordinates(&run, folder)?, plot::phase(&run, folder)?]);
        files.extend(plot::gaps(&run, folder)?);
        files.extend(plot::motion(&run, folder)?);
        files.extend(plot::animation(&run, folder)?);
    } else {
        let names = union(phases, |phase| &phase.coordinates);
        files.extend(series(&run, folder, "coordinates.svg", phases, &names, &|phase, name| {
            nodes(phase, &phase.coordinates, &phase.q, name)
        })?);
    }
    let inputs = union(phases, |phase| &phase.inputs);
    files.extend(series(&run, folder, "controls.svg", phases, &inputs, &control)?);
    let constraints = union(phases, |phase| &phase.constraints);
    files.extend(series(&run, folder, "forces.svg", phases, &constraints, &|phase, name| {
        nodes(phase, &phase.constraints, &phase.forces, name)
    })?);
    let coordinates = union(phases, |phase| &phase.coordinates);
    // Costates of pinned coordinates do not exist.
    let has_costates = phases.iter().all(|phase| phase.costates.iter().all(|row| row.len() == phase.coordinates.len()));
    if pictures.costates && has_costates {
        files.extend(series(&run, folder, "costates.svg", phases, &coordinates, &costate)?);
    }
    Ok(files)
}

type Curve<'a> = dyn Fn(&PhaseSolution, &str) -> Vec<[f64; 2]> + 'a;

/// A panel for each name; nothing if there are none. Curves break between phases.
fn series(
    run: &Run<'_>,
    folder: &Path,
    file: &str,
    phases: &[PhaseSolution],
    names: &[&str],
    curve: &Curve<'_>,
) -> Result<Option<PathBuf>, ReportError> {
    if names.is_empty() {
        return Ok(None);
    }
    let coordinate = |name: &str| run.system.coordinates().iter().find(|c| c.name == name)?.unit.as_deref();
    let input = |name: &str| run.system.inputs().iter().find(|input| input.name == name)?.unit.as_deref();
    let unit = |name: &str| match file {
        "controls.svg" => input(name),
        "coordinates.svg" => coordinate(name),
        _ => None,
    };
    let shown: Vec<String> = names
        .iter()
        .map(|name| match file {
            "costates.svg" => format!("lambda_{name}"),
            "forces.svg" => format!("force of {name}"),
            _ => (*name).to_owned(),
        })
        .collect();
    let list: Vec<Quantity<'_>> =
        shown.iter().zip(names).map(|(shown, name)| Quantity { name: shown, unit: unit(name) }).collect();
    let rows = share(&list, "quantities", |index| {
        let mut points = Vec::new();
        // The point at no time is not drawn, but forces are seen against zero.
        let zero = if file == "forces.svg" { 0.0 } else { f64::NAN };
        for phase in phases {
            points.extend(curve(phase, names[index]));
            points.push([f64::NAN, zero]);
        }
        points
    });
    column(run, folder, file, &rows).map(Some)
}

/// A value at the nodes of a phase.
fn nodes(phase: &PhaseSolution, names: &[String], values: &[Vec<f64>], name: &str) -> Vec<[f64; 2]> {
    let Some(place) = names.iter().position(|known| known == name) else { return Vec::new() };
    let value = |(time, row): (&f64, &Vec<f64>)| [*time, row.get(place).copied().unwrap_or(f64::NAN)];
    phase.times.iter().zip(values).map(value).collect()
}

/// A control: constant or curved in each interval.
fn control(phase: &PhaseSolution, name: &str) -> Vec<[f64; 2]> {
    let Some(input) = phase.inputs.iter().position(|known| known == name) else { return Vec::new() };
    let points = if phase.controls.degree() < 2 { 1 } else { POINTS };
    let mut curve = Vec::new();
    for (k, ends) in phase.times.windows(2).enumerate().take(phase.controls.values.len()) {
        for point in 0..=points {
            let fraction = point as f64 / points as f64;
            let value = phase.controls.at(k, fraction).get(input).copied().unwrap_or(f64::NAN);
            curve.push([ends[0] + fraction * (ends[1] - ends[0]), value]);
        }
    }
    curve
}

/// A costate: at nodes, or in the middle of intervals.
fn costate(phase: &PhaseSolution, name: &str) -> Vec<[f64; 2]> {
    let Some(place) = phase.coordinates.iter().position(|known| known == name) else { return Vec::new() };
    let at = |k: usize| match phase.costates.len() == phase.times.len() {
        true => phase.times[k],
        false => 0.5 * (phase.times[k] + phase.times[(k + 1).min(phase.times.len() - 1)]),
    };
    let rows = phase.costates.iter().take(phase.times.len()).enumerate();
    rows.map(|(k, row)| [at(k), row.get(place).copied().unwrap_or(f64::NAN)]).collect()
}

/// Times alone, for the axes.
fn times(phases: &[PhaseSolution]) -> Trajectory {
    let mut trajectory = Trajectory::new(Vec::new(), Vec::new(), "");
    trajectory.t = phases.iter().flat_map(|phase| phase.times.iter().copied()).collect();
    trajectory
}
