//! Which starts reach an orbit.

use super::super::axis::Axis;
use super::super::canvas::Canvas;
use super::super::colour::{GRID, PALETTE, faint};
use super::super::panel::{Frame, Panel};
use super::super::{TITLE, WIDTH, store};
use super::{state_symbol, title};
use crate::error::ReportError;
use carom_control::orbit::{Basin, Fate};
use plotters::style::RGBColor;
use std::path::{Path, PathBuf};

/// Draws a basin; `orbit` is the place of the orbit itself, if it is on the plane.
pub fn basin(heading: &str, basin: &Basin, orbit: Option<[f64; 2]>, folder: &Path) -> Result<PathBuf, ReportError> {
    let side = WIDTH - 84.0 - 60.0;
    let frame = Frame { left: 84.0, top: TITLE + 30.0, width: side, height: 0.8 * side };
    let slowest = basin.fates.iter().map(|fate| if let Fate::Reaches(k) = fate { *k } else { 0 }).max().unwrap_or(0);
    let picture = Canvas::draw([WIDTH, TITLE + 0.8 * side + 84.0], "", |canvas| {
        title(canvas, heading);
        let [x, y] = &basin.axes;
        let axis = |range: (f64, f64)| Axis::exactly(range.0, range.1);
        let panel = Panel { frame, x: axis(x.range), y: axis(y.range) };
        cells(canvas, &panel, basin, slowest);
        panel.axes(canvas, true);
        let (across, up) = (panel.x.label(&state_symbol(&x.name), None), panel.y.label(&state_symbol(&y.name), None));
        panel.labels(canvas, Some(&across), &up, 60.0);
        if let Some(at) = orbit {
            canvas.dot(panel.pixel(at), 4.0, PALETTE[1]);
        }
        let fast = ("the orbit, in few steps".to_owned(), shade(0, slowest));
        let slow = (format!("in {slowest}"), shade(slowest, slowest));
        let names =
            [fast, slow, ("not there yet, or elsewhere".to_owned(), ELSEWHERE), ("no further step".to_owned(), GRID)];
        // Cells, as in the picture.
        panel.legend_with(canvas, &names, &|canvas, _, [x, y], color| {
            canvas.polygon(&[[x, y - 5.0], [x + 14.0, y - 5.0], [x + 14.0, y + 5.0], [x, y + 5.0]], color);
        });
    });
    store(folder, "basin.svg", picture)
}

/// Starts that go on, but not to the orbit.
const ELSEWHERE: RGBColor = PALETTE[3];

/// Cells of one colour side by side are one rectangle.
fn cells(canvas: &mut Canvas<'_>, panel: &Panel, basin: &Basin, slowest: usize) {
    let [x, y] = &basin.axes;
    let edge = |axis: &carom_control::orbit::BasinAxis, k: usize| {
        axis.range.0 + k as f64 / axis.count as f64 * (axis.range.1 - axis.range.0)
    };
    for (row, fates) in basin.fates.chunks_exact(x.count.max(1)).enumerate() {
        let mut begin = 0;
        for k in 1..=fates.len() {
            if k < fates.len() && colour(fates[k], slowest) == colour(fates[begin], slowest) {
                continue;
            }
            let (left, right, low, high) = (edge(x, begin), edge(x, k), edge(y, row), edge(y, row + 1));
            let corners = [[left, low], [right, low], [right, high], [left, high]].map(|corner| panel.pixel(corner));
            canvas.polygon(&corners, colour(fates[begin], slowest));
            begin = k;
        }
    }
}

fn colour(fate: Fate, slowest: usize) -> RGBColor {
    match fate {
        Fate::Reaches(k) => shade(k, slowest),
        Fate::Elsewhere => ELSEWHERE,
        Fate::Fails(_) => GRID,
    }
}

/// Dark for few steps, pale for many.
fn shade(steps: usize, slowest: usize) -> RGBColor {
    faint(PALETTE[0], 1.0 - 0.7 * steps as f64 / slowest.max(1) as f64)
}
