//! Multipliers in the complex plane.

use super::super::axis::Axis;
use super::super::canvas::{Canvas, Stroke};
use super::super::colour::{PALETTE, QUIET, faint};
use super::super::label::{number, symbol};
use super::super::panel::{Frame, Panel};
use super::super::{TITLE, WIDTH, store};
use super::{OrbitFigure, title};
use crate::error::ReportError;
use carom_control::orbit::Multipliers;
use std::path::{Path, PathBuf};

/// Sides of the drawn circle.
const SIDES: usize = 240;

/// Draws the multipliers of an orbit, and those along its branch, paler the farther.
pub fn multipliers(figure: &OrbitFigure<'_>, orbit: &Multipliers, folder: &Path) -> Result<PathBuf, ReportError> {
    let along: Vec<&Multipliers> = figure
        .branches
        .iter()
        .take(1)
        .flat_map(|branch| branch.points.iter().map(|point| &point.multipliers))
        .collect();
    let all = along.iter().copied().chain([orbit]).flat_map(|multipliers| &multipliers.values);
    let reach = all.map(|(re, im)| re.abs().max(im.abs())).fold(1.0, f64::max) * 1.12;
    let side = WIDTH - 84.0 - 60.0;
    let frame = Frame { left: 84.0, top: TITLE + 14.0, width: side, height: side };
    let picture = Canvas::draw([WIDTH, TITLE + side + 68.0], "", |canvas| {
        title(canvas, figure.title);
        let axis = || Axis::exactly(-reach, reach);
        let panel = Panel { frame, x: axis(), y: axis() };
        panel.axes(canvas, true);
        panel.labels(canvas, Some("Re μ"), "Im μ", 52.0);
        circle(canvas, &panel);
        for (k, multipliers) in along.iter().enumerate() {
            let weight = 1.0 - 0.75 * k as f64 / along.len() as f64;
            dots(canvas, &panel, multipliers, 2.2, weight);
        }
        dots(canvas, &panel, orbit, 4.5, 1.0);
        if let Some((first, last)) =
            figure.branches.first().and_then(|branch| branch.points.first().zip(branch.points.last()))
        {
            let (from, to) = (number(first.parameter), number(last.parameter));
            panel.note(canvas, &format!("{} from {from} (dark) to {to} (pale)", symbol(figure.parameter)));
        }
    });
    store(folder, "multipliers.svg", picture)
}

fn circle(canvas: &mut Canvas<'_>, panel: &Panel) {
    let corner = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / SIDES as f64;
        panel.pixel([angle.cos(), angle.sin()])
    };
    let corners: Vec<[f64; 2]> = (0..=SIDES).map(corner).collect();
    canvas.path(&corners, Stroke { color: QUIET, width: 1.2 });
}

fn dots(canvas: &mut Canvas<'_>, panel: &Panel, multipliers: &Multipliers, radius: f64, weight: f64) {
    for &(re, im) in &multipliers.values {
        let color = if re.hypot(im) > 1.0 { PALETTE[1] } else { PALETTE[0] };
        canvas.dot(panel.pixel([re, im]), radius, faint(color, weight));
    }
}
