//! The picture of a sweep over one or two axes: `sweep.svg`, a curve or a map.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Font};
use super::colour::{GRID, INK, PALETTE, faint};
use super::design::ticks;
use super::label::{number, symbol};
use super::panel::{Curve, Frame, Panel};
use super::{TITLE, WIDTH, store};
use crate::error::ReportError;
use plotters::style::RGBColor;
use std::path::{Path, PathBuf};

const PLACE: Frame = Frame { left: 92.0, top: TITLE + 34.0, width: WIDTH - 116.0, height: 400.0 };
/// Colours of a map, from the smallest value to the largest.
const SHADES: usize = 24;
/// Most points of a curve that are shown as dots too.
const DOTS: usize = 80;

/// A number at every point of a grid.
#[derive(Clone, Debug, Default)]
pub struct SweepFigure {
    /// What stands above the picture.
    pub title: String,
    /// Names and values of the axes, one or two; the first is the slowest.
    pub axes: Vec<(String, Vec<f64>)>,
    /// What is shown.
    pub measure: String,
    /// Its values in the order of the points; absent where a point failed.
    pub values: Vec<Option<f64>>,
}

/// Draws a grid with one or two axes.
pub fn sweep(figure: &SweepFigure, folder: &Path) -> Result<Option<PathBuf>, ReportError> {
    let has_values = figure.values.iter().flatten().any(|value| value.is_finite());
    let picture = match figure.axes.len() {
        1 if has_values => curve(figure),
        2 if has_values => map(figure),
        _ => return Ok(None),
    };
    store(folder, "sweep.svg", picture).map(Some)
}

fn title(canvas: &mut Canvas<'_>, figure: &SweepFigure) {
    canvas.text(&figure.title, [24.0, 22.0], &Font { bold: true, ..Font::new(15.0, Anchor::Left) });
}

/// How many points have no value.
fn remark(figure: &SweepFigure) -> String {
    match figure.values.iter().filter(|value| value.is_none()).count() {
        0 => String::new(),
        failed => format!("{failed} failed"),
    }
}

/// A name as a symbol, with the prime of a rate.
fn named(name: &str) -> String {
    let stem = name.trim_end_matches('\'');
    format!("{}{}", symbol(stem), &name[stem.len()..])
}

fn curve(figure: &SweepFigure) -> Result<String, String> {
    let (name, places) = &figure.axes[0];
    let values = figure.values.iter().map(|value| value.unwrap_or(f64::NAN));
    let points: Vec<[f64; 2]> = places.iter().copied().zip(values).map(|(x, y)| [x, y]).collect();
    let finite = points.iter().map(|point| point[1]).filter(|y| y.is_finite());
    let (x, y) = (Axis::covering(places.iter().copied(), 0.02), Axis::covering(finite, 0.06));
    let panel = Panel { frame: PLACE, x, y };
    Canvas::draw([WIDTH, PLACE.bottom() + 56.0], "", |canvas| {
        title(canvas, figure);
        panel.axes(canvas, true);
        let label = panel.x.label(&named(name), None);
        panel.labels(canvas, Some(&label), &panel.y.label(&named(&figure.measure), None), 66.0);
        panel.curve(canvas, &Curve { points: points.clone(), color: PALETTE[0], width: 1.5 });
        let known = points.iter().filter(|point| point[1].is_finite());
        if points.len() <= DOTS {
            known.for_each(|point| canvas.dot(panel.pixel(*point), 2.5, INK));
        }
        panel.remark(canvas, &remark(figure));
    })
}

/// The first axis upwards, the second across.
fn map(figure: &SweepFigure) -> Result<String, String> {
    let [(up, ys), (across, xs)] = [&figure.axes[0], &figure.axes[1]];
    let (columns, rows) = (edges(xs), edges(ys));
    let [x, y] = [&columns, &rows].map(|edges| {
        let (low, high) = span(edges);
        Axis::exactly(low, high)
    });
    let panel = Panel { frame: PLACE, x, y };
    let finite: Vec<f64> = figure.values.iter().flatten().copied().filter(|value| value.is_finite()).collect();
    let (low, high) = span(&finite);
    Canvas::draw([WIDTH, PLACE.bottom() + 56.0], "", |canvas| {
        title(canvas, figure);
        for (place, value) in figure.values.iter().enumerate() {
            let (row, column) = (place / xs.len(), place % xs.len());
            let [left, right] = [columns[column], columns[column + 1]];
            let [bottom, top] = [rows[row], rows[row + 1]];
            let corners =
                [[left, bottom], [right, bottom], [right, top], [left, top]].map(|corner| panel.pixel(corner));
            canvas.polygon(&corners, shade(*value, low, high));
        }
        ticks(canvas, &panel);
        let (right, left) = (panel.x.label(&named(across), None), panel.y.label(&named(up), None));
        panel.labels(canvas, Some(&right), &left, 60.0);
        let words = format!("{} from {} (light) to {} (dark)", figure.measure, number(low), number(high));
        let failed = remark(figure);
        panel.remark(canvas, &if failed.is_empty() { words } else { format!("{words}; {failed} (grey)") });
    })
}

fn shade(value: Option<f64>, low: f64, high: f64) -> RGBColor {
    let Some(value) = value.filter(|value| value.is_finite()) else { return GRID };
    let share = ((value - low) / (high - low).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    faint(PALETTE[0], 0.06 + 0.84 * (share * SHADES as f64).round() / SHADES as f64)
}

fn span(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
}

/// Where the tile of a value ends and the next begins.
fn edges(values: &[f64]) -> Vec<f64> {
    let between = values.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    let (first, last) = (values[0], values[values.len() - 1]);
    let (second, before) = (values[1.min(values.len() - 1)], values[values.len().saturating_sub(2)]);
    let ends = (first - 0.5 * (second - first), last + 0.5 * (last - before));
    std::iter::once(ends.0).chain(between).chain([ends.1]).collect()
}
