//! Pictures of a run, as SVG.
//!
//! | picture | shows |
//! |---|---|
//! | `coordinates.svg` | every coordinate over time |
//! | `energy.svg` | what should be constant, minus its first value |
//! | `phase.svg` | every coordinate against its rate |
//! | `quasivelocities.svg` | every quasivelocity over time, if the model has a frame |
//! | `gaps.svg` | gaps of the contacts over time, and when they are closed |
//! | `motion.svg` | the drawn system: snapshots, traces, ground |
//! | `animation.svg` | the drawn system as it moves, again and again |
//! | `path.svg` | the smooth path of a projected run, and the motion that it stands for |
//! | `snapshots.svg` | the drawn system side by side at even times, of a gait |
//! | `convergence.svg`, `inputs.svg`, `paths.svg`, `snapshots.svg` | a plan, with the feature `optimal-control` |
//! | `recovery.svg`, `robustness.svg` | a motion under feedback, with the feature `optimal-control` |
//! | `samples.svg`, `convergence.svg` | a study of designs; not of a run |
//! | `sweep.svg` | a measure over a grid of one or two axes; not of a run |
//! | `projection.svg` | a projection onto the feasible set; not of a run |
//! | `branch.svg`, `multipliers.svg`, `basin.svg` | periodic motions, with the feature `optimal-control`; not of a run |
//!
//! Curves are thinned to a few thousand points without losing extremes, and
//! break where a value is not finite. They pass through the states before and after
//! every impact, so that kinks and jumps are where they belong. Time grows to the right, also if the run went
//! backward. The same run gives the same bytes.

mod axis;
mod canvas;
mod colour;
mod curve;
mod design;
#[cfg(feature = "optimal-control")]
mod feedback;
mod gaps;
mod label;
mod marks;
mod motion;
#[cfg(feature = "optimal-control")]
pub mod orbit;
mod panel;
mod path;
mod phase;
#[cfg(feature = "optimal-control")]
mod plan;
mod projection;
mod quasivelocities;
pub(crate) mod series;
mod sweep;
mod timeline;

pub use design::{DesignFigure, design};
#[cfg(feature = "optimal-control")]
pub use feedback::{Robustness, recovery, robustness};
pub use gaps::gaps;
#[cfg(feature = "optimal-control")]
pub(crate) use motion::lineup;
pub use motion::{animation, motion};
pub use path::path;
pub use phase::phase;
#[cfg(feature = "optimal-control")]
pub use plan::{PlanFigure, plan};
pub use projection::{ProjectionFigure, projection};
pub use quasivelocities::quasivelocities;
#[cfg(feature = "optimal-control")]
pub(crate) use series::{Quantity, column, share};
pub use series::{coordinates, energy};
pub use sweep::{SweepFigure, sweep};

use crate::error::ReportError;
use crate::file::{create_folder, write_file};
use crate::{Caption, Run};
use canvas::{Anchor, Canvas, Font};
use carom_model::Ending;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The names of all pictures.
pub const NAMES: [&str; 17] = [
    "coordinates.svg",
    "quasivelocities.svg",
    "energy.svg",
    "phase.svg",
    "gaps.svg",
    "motion.svg",
    "animation.svg",
    "path.svg",
    "controls.svg",
    "forces.svg",
    "costates.svg",
    "convergence.svg",
    "inputs.svg",
    "paths.svg",
    "snapshots.svg",
    "recovery.svg",
    "robustness.svg",
];
/// Pictures show a motion, so it takes this many nodes.
pub const LEAST_NODES: usize = 2;

/// More panels than this do not fit on a page.
const MAX_PANELS: usize = 6;
/// Width of all pictures, in pixels.
const WIDTH: f64 = 720.0;
/// Height of the strip with the title.
const TITLE: f64 = 44.0;

/// Draws all pictures into `folder`; a model without drawing gets no `motion.svg` and no
/// `animation.svg`, one without contacts no `gaps.svg`, one without a frame no `quasivelocities.svg`, a run that was not
/// projected no `path.svg`. A run with less than [`LEAST_NODES`] nodes gets none.
pub fn draw_all(run: &Run<'_>, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    check_model(run)?;
    if run.trajectory.len() < LEAST_NODES {
        return Ok(Vec::new());
    }
    let mut files = vec![coordinates(run, folder)?];
    files.extend(quasivelocities(run, folder)?);
    files.extend([energy(run, folder)?, phase(run, folder)?]);
    files.extend(gaps(run, folder)?);
    files.extend(motion(run, folder)?);
    files.extend(animation(run, folder)?);
    files.extend(path(run, folder)?);
    Ok(files)
}

/// Paints one picture with its title and writes it.
fn save(
    run: &Run<'_>,
    folder: &Path,
    name: &str,
    height: f64,
    paint: impl FnOnce(&mut Canvas<'_>),
) -> Result<PathBuf, ReportError> {
    save_below(run, folder, name, height, "", paint)
}

/// The same, with `layer`, elements of SVG in pixels, on top.
fn save_below(
    run: &Run<'_>,
    folder: &Path,
    name: &str,
    height: f64,
    layer: &str,
    paint: impl FnOnce(&mut Canvas<'_>),
) -> Result<PathBuf, ReportError> {
    let picture = Canvas::draw([WIDTH, height], layer, |canvas| {
        title(run, canvas);
        paint(canvas);
    });
    store(folder, name, picture)
}

/// Writes a picture that was painted.
fn store(folder: &Path, name: &str, picture: Result<String, String>) -> Result<PathBuf, ReportError> {
    create_folder(folder)?;
    let picture = picture.map_err(|message| ReportError::Picture { path: folder.join(name), message })?;
    Ok(write_file(folder, name, |writer| writer.write_all(picture.as_bytes()))?.path)
}

/// What moved, by which method, and whether it got to the end.
fn title(run: &Run<'_>, canvas: &mut Canvas<'_>) {
    let caption = run.caption.clone().unwrap_or_else(|| Caption {
        title: format!("{}, {}", run.system.name(), run.trajectory.method),
        warning: match &run.trajectory.ending {
            Ending::Failed { time, .. } => format!("failed at t = {}", label::number(*time)),
            Ending::Completed => String::new(),
        },
    });
    canvas.text(&caption.title, [24.0, 22.0], &Font { bold: true, ..Font::new(15.0, Anchor::Left) });
    if !caption.warning.is_empty() {
        let font = Font { color: colour::PALETTE[1], ..Font::new(12.0, Anchor::Right) };
        canvas.text(&caption.warning, [WIDTH - 24.0, 22.0], &font);
    }
}

/// Pictures need units and expressions of the very model that was run.
fn check_model(run: &Run<'_>) -> Result<(), ReportError> {
    let (found, expected) = (&run.trajectory.coordinates, run.system.coordinate_names());
    if *found == expected {
        return Ok(());
    }
    Err(ReportError::OtherModel { found: found.join(", "), expected: expected.join(", ") })
}
