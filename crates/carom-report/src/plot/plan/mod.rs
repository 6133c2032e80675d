//! Pictures of a plan: how its cost fell, the inputs, the paths, and how they came to be.
//!
//! | picture | shows |
//! |---|---|
//! | `convergence.svg` | cost of the path over the iterations, and where impacts came and went |
//! | `inputs.svg` | inputs of the spline, and those of the motion that was taken |
//! | `paths.svg` | the path before and after its projection, the motion that was taken, and the one without inputs |
//! | `snapshots.svg` | paths at some iterations |
//!
//! Two coordinates are a plane with the boundary of the feasible set; others are shown over time.

mod convergence;
mod over_time;
mod plane;

use super::canvas::{Anchor, Canvas, Font};
use super::colour::{INK, PALETTE, faint};
use super::curve::Place;
use super::{WIDTH, store};
use crate::Caption;
use crate::error::ReportError;
use carom_control::planner::Snapshot;
use carom_control::{PhaseSolution, StoredPlan};
use carom_model::{System, Trajectory};
use plotters::style::RGBColor;
use std::path::{Path, PathBuf};

/// Most snapshots of a picture, and how many of them are the first ones.
const SHOWN: usize = 6;
const FIRST: usize = 3;

/// A plan with everything that its pictures show.
#[derive(Clone, Debug)]
pub struct PlanFigure<'a> {
    /// The plan.
    pub plan: &'a StoredPlan,
    /// The system.
    pub system: &'a System,
    /// The motion that was taken, phase by phase; empty if there is none.
    pub motion: &'a [PhaseSolution],
    /// The motion without inputs, if it is known.
    pub unforced: Option<&'a Trajectory>,
    /// What stands above the pictures.
    pub caption: Caption,
}

/// Draws all pictures into `folder`.
pub fn plan(figure: &PlanFigure<'_>, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let mut files = vec![store(folder, "convergence.svg", convergence::draw(figure))?];
    if figure.plan.snapshots.is_empty() {
        return Ok(files);
    }
    files.push(store(folder, "inputs.svg", over_time::inputs(figure))?);
    let [paths, snapshots] = match plane::Plane::new(figure)? {
        Some(plane) => [plane.paths(figure), plane.snapshots(figure)?],
        None => [over_time::paths(figure), over_time::snapshots(figure)],
    };
    files.push(store(folder, "paths.svg", paths)?);
    files.push(store(folder, "snapshots.svg", snapshots)?);
    Ok(files)
}

/// How a curve looks.
#[derive(Clone, Copy)]
struct Look {
    color: RGBColor,
    width: f64,
}

/// The path before its projection.
fn unprojected() -> Look {
    Look { color: faint(PALETTE[3], 0.85), width: 3.0 }
}

/// The path of the descent.
const SPLINE: Look = Look { color: PALETTE[0], width: 1.75 };
/// The motion that was taken.
const TAKEN: Look = Look { color: INK, width: 1.25 };
/// The motion without inputs.
const UNFORCED: Look = Look { color: PALETTE[2], width: 1.0 };

fn title(canvas: &mut Canvas<'_>, caption: &Caption) {
    canvas.text(&caption.title, [24.0, 22.0], &Font { bold: true, ..Font::new(15.0, Anchor::Left) });
    if !caption.warning.is_empty() {
        let font = Font { color: PALETTE[1], ..Font::new(12.0, Anchor::Right) };
        canvas.text(&caption.warning, [WIDTH - 24.0, 22.0], &font);
    }
}

/// The first three snapshots, the last one, and some in between.
fn chosen(plan: &StoredPlan) -> Vec<&Snapshot> {
    let all = &plan.snapshots;
    if all.len() <= SHOWN {
        return all.iter().collect();
    }
    let between = |k: usize| FIRST - 1 + k * (all.len() - FIRST) / (SHOWN - FIRST);
    (0..FIRST).chain((1..=SHOWN - FIRST).map(between)).map(|index| &all[index]).collect()
}

/// The name of the motion that was taken.
fn taken_name(figure: &PlanFigure<'_>) -> String {
    format!("motion taken, {}", impacts(figure.motion.len().saturating_sub(1)))
}

fn impacts(count: usize) -> String {
    match count {
        0 => "no impact".to_owned(),
        1 => "1 impact".to_owned(),
        count => format!("{count} impacts"),
    }
}

/// A coordinate of the motion that was taken, over time.
fn taken(figure: &PlanFigure<'_>, name: &str) -> Vec<Place> {
    let mut points = Vec::new();
    for phase in figure.motion {
        let Some(place) = phase.coordinates.iter().position(|known| known == name) else { continue };
        points.extend(dense(phase).into_iter().map(|(t, q)| [t, q[place]]));
    }
    points
}

/// Points between the nodes of a phase, as its nodes and velocities have them.
fn dense(phase: &PhaseSolution) -> Vec<(f64, Vec<f64>)> {
    const PARTS: usize = 16;
    let mut points = Vec::new();
    for (k, ends) in phase.times.windows(2).enumerate() {
        let h = ends[1] - ends[0];
        for part in 0..=PARTS {
            let s = part as f64 / PARTS as f64;
            // Hermite's cubic.
            let (a, b) = ((1.0 + 2.0 * s) * (1.0 - s).powi(2), s * (1.0 - s).powi(2));
            let (c, d) = (s * s * (3.0 - 2.0 * s), s * s * (s - 1.0));
            let value = |i: usize| {
                let (q, v) = (&phase.q, &phase.v);
                a * q[k][i] + b * h * v[k][i] + c * q[k + 1][i] + d * h * v[k + 1][i]
            };
            points.push((ends[0] + s * h, (0..phase.coordinates.len()).map(value).collect()));
        }
    }
    points
}

/// A coordinate of the motion without inputs, over time.
fn unforced(figure: &PlanFigure<'_>, name: &str) -> Vec<Place> {
    let Some(motion) = figure.unforced else { return Vec::new() };
    let Some(place) = motion.coordinates.iter().position(|known| known == name) else { return Vec::new() };
    let timeline = super::timeline::Timeline::new(motion);
    timeline.curve(|stop| [timeline.time(stop), timeline.coordinate(stop, place)])
}
