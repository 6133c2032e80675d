//! The smooth path of a projected run, and the motion `q = P(z)` that it stands for: `path.svg`.

use super::axis::Axis;
use super::canvas::Canvas;
use super::colour::{INK, PALETTE, faint};
use super::curve::Place;
use super::label::{number, symbol};
use super::marks;
use super::motion::Plane;
use super::panel::{Curve, Frame, Panel};
use super::timeline::Timeline;
use super::{MAX_PANELS, TITLE, WIDTH, check_model, save};
use crate::Run;
use crate::error::ReportError;
use carom_impact::{Crossing, ProjectedPath};
use plotters::style::RGBColor;
use std::path::{Path, PathBuf};

/// Distance of the frames from the left and the right edge.
const SIDES: [f64; 2] = [86.0, 24.0];
/// Above the first panel, between panels, and below the last one.
const ROOM: [f64; 3] = [24.0, 30.0, 52.0];

/// Draws the coordinates of the path and of its projection over time and, if the drawing traces points, both curves
/// over the ground; nothing if the run was not projected.
pub fn path(run: &Run<'_>, folder: &Path) -> Result<Option<PathBuf>, ReportError> {
    check_model(run)?;
    let Some(path) = run.path.filter(|path| path.t.len() >= super::LEAST_NODES) else { return Ok(None) };
    let [above, between, below] = ROOM;
    let shown = path.names.len().min(MAX_PANELS);
    let height = (420.0 / shown as f64).clamp(110.0, 260.0);
    let top = |index: usize| TITLE + above + index as f64 * (height + between);
    let end = top(shown) - between + below;
    let plane = Plane::new(run, end + 8.0)?;
    let total = plane.as_ref().map_or(end, |plane| plane.bottom() + 30.0);
    save(run, folder, "path.svg", total, |canvas| {
        for index in 0..shown {
            let frame = Frame { left: SIDES[0], top: top(index), width: WIDTH - SIDES[0] - SIDES[1], height };
            row(canvas, run, path, index, frame);
        }
        if let Some(plane) = plane {
            plane.draw(canvas, looks());
        }
    })
    .map(Some)
}

/// Colours and widths of the path and of the motion: where they agree, both can be seen.
fn looks() -> [(RGBColor, f64); 2] {
    [(faint(PALETTE[3], 0.85), 3.0), (INK, 1.0)]
}

/// One coordinate over time.
fn row(canvas: &mut Canvas<'_>, run: &Run<'_>, path: &ProjectedPath, index: usize, frame: Frame) {
    let (n, name) = (path.names.len(), &path.names[index]);
    let smooth: Vec<Place> = path.t.iter().enumerate().map(|(k, &t)| [t, path.z[k * n + index]]).collect();
    let timeline = Timeline::new(run.trajectory);
    let place = run.trajectory.coordinates.iter().position(|known| known == name).unwrap_or(index);
    let seen = timeline.curve(|stop| [timeline.time(stop), timeline.coordinate(stop, place)]);
    let values = smooth.iter().chain(&seen).map(|point| point[1]);
    let panel = Panel { frame, x: Axis::covering(path.t.iter().copied(), 0.0), y: Axis::covering(values, 0.06) };
    let is_lowest = index + 1 == n.min(MAX_PANELS);
    panel.axes(canvas, is_lowest);
    marks::draw(canvas, &panel, run.trajectory);
    let unit = run.system.coordinates()[place].unit.as_deref();
    let time = panel.x.label("t", None);
    panel.labels(canvas, is_lowest.then_some(time.as_str()), &panel.y.label(&symbol(name), unit), 60.0);
    let [(path_color, path_width), (color, width)] = looks();
    panel.curve(canvas, &Curve { points: smooth, color: path_color, width: path_width });
    panel.curve(canvas, &Curve { points: seen, color, width });
    if index == 0 {
        panel.legend(canvas, &[("smooth path z".to_owned(), path_color), ("motion q = P(z)".to_owned(), color)]);
        panel.remark(canvas, &smoothness(path));
    }
    if is_lowest {
        panel.note(canvas, &marks::meaning(run.trajectory));
    }
}

fn smoothness(path: &ProjectedPath) -> String {
    let largest = path.crossings.iter().map(Crossing::kink).fold(0.0, f64::max);
    match path.crossings.len() {
        0 => "no crossings".to_owned(),
        1 => format!("one crossing, z′ continuous to {}", number(largest)),
        count => format!("{count} crossings, z′ continuous to {}", number(largest)),
    }
}
