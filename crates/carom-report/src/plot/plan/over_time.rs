//! Quantities over time: `inputs.svg`, and paths of systems that are no plane.

use super::super::axis::Axis;
use super::super::canvas::{Canvas, Stroke};
use super::super::colour::{PALETTE, QUIET, faint};
use super::super::curve::Place;
use super::super::label::{number, symbol};
use super::super::panel::{Curve, Frame, Panel};
use super::super::{MAX_PANELS, TITLE, WIDTH};
use super::{
    Look, PlanFigure, SPLINE, TAKEN, UNFORCED, chosen, impacts, taken, taken_name, title, unforced, unprojected,
};
use carom_control::PhaseSolution;
use carom_control::planner::Snapshot;
use plotters::style::RGBColor;

/// Distance of the frames from the left and the right edge.
const SIDES: [f64; 2] = [86.0, 24.0];
/// Above the first panel, between panels, and below the last one.
const ROOM: [f64; 3] = [28.0, 30.0, 52.0];
/// Pixels between ticks of small panels.
pub(super) const SMALL: [f64; 2] = [34.0, 34.0];
/// Points of an input within an interval.
const POINTS: usize = 8;

/// Curves of one quantity; names of the first panel are the legend.
struct Row {
    symbol: String,
    unit: Option<String>,
    curves: Vec<(String, Vec<Place>, Look)>,
}

/// Inputs of the last spline and of the motion that was taken.
pub(super) fn inputs(figure: &PlanFigure<'_>) -> Result<String, String> {
    let Some(last) = figure.plan.snapshots.last() else { return Err("there is no path".to_owned()) };
    let row = |(index, name): (usize, &String)| {
        let unit = figure.system.inputs().iter().find(|input| input.name == *name).and_then(|input| input.unit.clone());
        let spline = last.t.iter().zip(&last.u).map(|(&t, u)| [t, u[index]]).collect();
        let mut curves = vec![(spline_name(last), spline, SPLINE)];
        if !figure.motion.is_empty() {
            curves.push((taken_name(figure), control(figure.motion, name), TAKEN));
        }
        Row { symbol: symbol(name), unit, curves }
    };
    let rows: Vec<Row> = figure.plan.inputs.iter().enumerate().take(MAX_PANELS).map(row).collect();
    column(figure, last, &rows)
}

/// Coordinates of the last path, before and after its projection.
pub(super) fn paths(figure: &PlanFigure<'_>) -> Result<String, String> {
    let Some(last) = figure.plan.snapshots.last() else { return Err("there is no path".to_owned()) };
    let row = |(index, name): (usize, &String)| {
        let known = figure.system.coordinates().iter().find(|coordinate| coordinate.name == *name);
        let over = |rows: &[Vec<f64>]| last.t.iter().zip(rows).map(|(&t, row)| [t, row[index]]).collect();
        let mut curves = vec![
            ("spline z, unprojected".to_owned(), over(&last.unprojected), unprojected()),
            (format!("q = P(z), {}", impacts(last.impacts.len())), over(&last.q), SPLINE),
        ];
        if figure.unforced.is_some() {
            curves.push(("without inputs".to_owned(), unforced(figure, name), UNFORCED));
        }
        if !figure.motion.is_empty() {
            curves.push((taken_name(figure), taken(figure, name), TAKEN));
        }
        Row { symbol: symbol(name), unit: known.and_then(|coordinate| coordinate.unit.clone()), curves }
    };
    let rows: Vec<Row> = figure.plan.coordinates.iter().enumerate().take(MAX_PANELS).map(row).collect();
    column(figure, last, &rows)
}

fn spline_name(last: &Snapshot) -> String {
    format!("spline, {}", impacts(last.impacts.len()))
}

/// An input of a motion, curved in each interval.
fn control(motion: &[PhaseSolution], name: &str) -> Vec<Place> {
    let mut points = Vec::new();
    for phase in motion {
        let Some(input) = phase.inputs.iter().position(|known| known == name) else { continue };
        for (k, ends) in phase.times.windows(2).enumerate().take(phase.controls.values.len()) {
            for point in 0..=POINTS {
                let share = point as f64 / POINTS as f64;
                let value = phase.controls.at(k, share).get(input).copied().unwrap_or(f64::NAN);
                points.push([ends[0] + share * (ends[1] - ends[0]), value]);
            }
        }
        points.push([f64::NAN; 2]);
    }
    points
}

/// Panels one below the other, over the same time.
fn column(figure: &PlanFigure<'_>, last: &Snapshot, rows: &[Row]) -> Result<String, String> {
    let [above, between, below] = ROOM;
    let height = (440.0 / rows.len().max(1) as f64).clamp(120.0, 280.0);
    let total = TITLE + above + rows.len() as f64 * (height + between) - between + below;
    Canvas::draw([WIDTH, total], "", |canvas| {
        title(canvas, &figure.caption);
        for (index, row) in rows.iter().enumerate() {
            let top = TITLE + above + index as f64 * (height + between);
            let frame = Frame { left: SIDES[0], top, width: WIDTH - SIDES[0] - SIDES[1], height };
            let values = row.curves.iter().flat_map(|(_, points, _)| points.iter().map(|point| point[1]));
            let x = Axis::covering(last.t.iter().copied(), 0.0);
            let panel = Panel { frame, x, y: Axis::covering(values, 0.06) };
            let is_lowest = index + 1 == rows.len();
            panel.axes(canvas, is_lowest);
            let lines = figure.motion.iter().skip(1).map(|phase| phase.begins);
            let lines: Vec<f64> = if figure.motion.is_empty() { last.impacts.clone() } else { lines.collect() };
            marks(canvas, &panel, &lines);
            let label = panel.y.label(&row.symbol, row.unit.as_deref());
            panel.labels(canvas, is_lowest.then_some("t"), &label, 60.0);
            for (_, points, look) in &row.curves {
                panel.curve(canvas, &Curve { points: points.clone(), color: look.color, width: look.width });
            }
            if index == 0 {
                let names: Vec<_> = row.curves.iter().map(|(name, _, look)| (name.clone(), look.color)).collect();
                panel.legend(canvas, &names);
            }
            if is_lowest && !lines.is_empty() {
                let whose = if figure.motion.is_empty() { "the spline" } else { "the motion taken" };
                panel.note(canvas, &format!("lines: impacts of {whose}"));
            }
        }
    })
}

/// Thin lines at impacts.
fn marks(canvas: &mut Canvas<'_>, panel: &Panel, times: &[f64]) {
    let (top, bottom) = (panel.frame.top, panel.frame.bottom());
    for &t in times {
        let x = panel.frame.left + panel.x.place(t) * panel.frame.width;
        canvas.path(&[[x, bottom], [x, top]], Stroke { color: faint(QUIET, 0.45), width: 0.75 });
    }
}

/// All coordinates over time, a panel for each snapshot.
pub(super) fn snapshots(figure: &PlanFigure<'_>) -> Result<String, String> {
    let list = chosen(figure.plan);
    let names = &figure.plan.coordinates;
    let color = |index: usize| PALETTE[index % PALETTE.len()];
    let grid = Grid::new(list.len());
    let all = list.iter().flat_map(|snapshot| snapshot.q.iter().chain(&snapshot.unprojected)).flatten().copied();
    let y = Axis::covering(all, 0.06);
    Canvas::draw([WIDTH, grid.height()], "", |canvas| {
        title(canvas, &figure.caption);
        let names: Vec<(String, RGBColor)> =
            names.iter().enumerate().map(|(index, name)| (symbol(name), color(index))).collect();
        for (index, snapshot) in list.iter().enumerate() {
            let panel = Panel { frame: grid.frame(index), x: Axis::covering(snapshot.t.iter().copied(), 0.0), y };
            panel.spaced_axes(canvas, true, SMALL);
            marks(canvas, &panel, &snapshot.impacts);
            for coordinate in 0..names.len() {
                let over = |rows: &[Vec<f64>]| -> Vec<Place> {
                    snapshot.t.iter().zip(rows).map(|(&t, row)| [t, row[coordinate]]).collect()
                };
                let smooth =
                    Curve { points: over(&snapshot.unprojected), color: faint(color(coordinate), 0.4), width: 3.0 };
                panel.curve(canvas, &smooth);
                panel.curve(canvas, &Curve { points: over(&snapshot.q), color: color(coordinate), width: 1.25 });
            }
            heading(canvas, &panel, snapshot);
        }
        let frame = Frame { top: grid.height() - 8.0, left: SIDES[0], width: WIDTH - SIDES[0] - SIDES[1], height: 0.0 };
        let legend = Panel { frame, x: Axis::exactly(0.0, 1.0), y };
        legend.legend(canvas, &names);
        let note = Frame { top: grid.height() - 50.0, ..frame };
        Panel { frame: note, ..legend }.note(canvas, "thin: q = P(z); wide: z, unprojected");
    })
}

/// Which iteration it is.
pub(super) fn heading(canvas: &mut Canvas<'_>, panel: &Panel, snapshot: &Snapshot) {
    let Snapshot { iteration, cost, .. } = snapshot;
    panel.remark(canvas, &format!("iteration {iteration}: {}, {}", number(*cost), impacts(snapshot.impacts.len())));
}

/// Frames in rows, two in each.
pub(super) struct Grid {
    count: usize,
    across: usize,
    height: f64,
}

impl Grid {
    /// Room left of, right of, above and below each frame.
    const ROOM: [f64; 4] = [54.0, 18.0, 26.0, 30.0];

    pub fn new(count: usize) -> Self {
        let across = if count > 4 { 3 } else { count.clamp(1, 2) };
        Self { count, across, height: 220.0 }
    }

    /// Frames as tall as they are wide, times `ratio`.
    pub fn proportioned(count: usize, ratio: f64) -> Self {
        let mut own = Self::new(count);
        own.height = (own.width() * ratio).clamp(120.0, 420.0);
        own
    }

    pub fn width(&self) -> f64 {
        WIDTH / self.across as f64 - Self::ROOM[0] - Self::ROOM[1]
    }

    pub fn frame(&self, index: usize) -> Frame {
        let (row, column) = (index / self.across, index % self.across);
        let [left, _, top, bottom] = Self::ROOM;
        Frame {
            left: WIDTH / self.across as f64 * column as f64 + left,
            top: TITLE + row as f64 * (self.height + top + bottom) + top,
            width: self.width(),
            height: self.height,
        }
    }

    /// Height of the page, with a legend below.
    pub fn height(&self) -> f64 {
        self.frame(self.count.saturating_sub(1)).bottom() + 52.0
    }
}
