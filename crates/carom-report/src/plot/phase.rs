//! Phase portraits: every coordinate against its rate.

use super::axis::Axis;
use super::canvas::Canvas;
use super::colour::PALETTE;
use super::curve::Place;
use super::label::symbol;
use super::panel::{Curve, Frame, Panel};
use super::timeline::Timeline;
use super::{MAX_PANELS, TITLE, WIDTH, check_model, save};
use crate::Run;
use crate::error::ReportError;
use std::path::{Path, PathBuf};

/// Room left of and below every frame for its texts.
const TEXTS: [f64; 2] = [76.0, 54.0];
/// Room right of and above every frame.
const EDGES: [f64; 2] = [20.0, 12.0];

/// Draws the first six coordinates against their rates; a dot marks the start. Impacts are jumps of the rates.
pub fn phase(run: &Run<'_>, folder: &Path) -> Result<PathBuf, ReportError> {
    check_model(run)?;
    let count = run.system.dimension().min(MAX_PANELS);
    let across = if count == 1 { 1 } else { 2 };
    let cell = [WIDTH / across as f64, if count == 1 { 460.0 } else { 320.0 }];
    let rows = count.div_ceil(across);
    save(run, folder, "phase.svg", TITLE + rows as f64 * cell[1], |canvas| {
        for index in 0..count {
            let corner = [(index % across) as f64 * cell[0], TITLE + (index / across) as f64 * cell[1]];
            let frame = Frame {
                left: corner[0] + TEXTS[0],
                top: corner[1] + EDGES[1],
                width: cell[0] - TEXTS[0] - EDGES[0],
                height: cell[1] - TEXTS[1] - EDGES[1],
            };
            portrait(canvas, run, index, frame);
        }
    })
}

fn portrait(canvas: &mut Canvas<'_>, run: &Run<'_>, index: usize, frame: Frame) {
    let n = run.trajectory.dimension();
    let timeline = Timeline::new(run.trajectory);
    let points = timeline.curve(|stop| [timeline.coordinate(stop, index), timeline.rate(stop, index)]);
    // A point counts only where both are finite, for it is not drawn otherwise.
    let finite: Vec<Place> = points.iter().copied().filter(|point| point.iter().all(|x| x.is_finite())).collect();
    let axis = |direction: usize| Axis::covering(finite.iter().map(|point| point[direction]), 0.06);
    let panel = Panel { frame, x: axis(0), y: axis(1) };
    let coordinate = &run.system.coordinates()[index];
    let name = symbol(&coordinate.name);
    panel.axes(canvas, true);
    let x_label = panel.x.label(&name, coordinate.unit.as_deref());
    // The unit of time is not known, so the rate has none.
    panel.labels(canvas, Some(&x_label), &panel.y.label(&format!("{name}′"), None), 52.0);
    let color = PALETTE[index % PALETTE.len()];
    if let Some(&start) = finite.first() {
        canvas.dot(panel.pixel(start), 3.5, color);
    }
    panel.curve(canvas, &Curve { points, color, width: 1.0 });
    // What is left out is said, once.
    if index == 1 && n > MAX_PANELS {
        panel.remark(canvas, &format!("first {MAX_PANELS} of {n} coordinates"));
    }
}
