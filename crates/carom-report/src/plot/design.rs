//! Pictures of a study: its samples with the surrogate, and how the best cost fell.
//!
//! | picture | shows |
//! |---|---|
//! | `samples.svg` | one variable: cost over design, the surrogate with its uncertainty; two: the surrogate as a map |
//! | `convergence.svg` | every cost, and the best one so far, over the number of the evaluation |

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Font, Stroke};
use super::colour::{FRAME, INK, PALETTE, QUIET, faint};
use super::label::{number, symbol};
use super::panel::{Curve, Frame, Panel};
use super::{TITLE, WIDTH, store};
use crate::Caption;
use crate::error::ReportError;
use plotters::style::RGBColor;
use std::path::{Path, PathBuf};

const PLACE: Frame = Frame { left: 92.0, top: TITLE + 34.0, width: WIDTH - 116.0, height: 360.0 };
/// Colours of a map, from the smallest value to the largest.
const SHADES: usize = 24;
/// Pixels that a tile of a map reaches over the next.
const SEAM: f64 = 0.5;

/// What is drawn of a study.
#[derive(Clone, Debug, Default)]
pub struct DesignFigure {
    /// What stands above the pictures.
    pub caption: Caption,
    /// Names and units of the design variables.
    pub variables: Vec<(String, Option<String>)>,
    /// Bounds of the design variables.
    pub ranges: Vec<[f64; 2]>,
    /// Designs in the order of their evaluation; the cost is absent where it failed.
    pub samples: Vec<(Vec<f64>, Option<f64>)>,
    /// One variable: `[design, mean, deviation]` of the surrogate, in the order of the designs.
    pub surrogate: Vec<[f64; 3]>,
    /// Two variables: means of the surrogate on an even grid over the ranges, row by row of the second variable.
    pub map: Vec<Vec<f64>>,
}

/// Draws what there is into `folder`; nothing without a cost.
pub fn design(figure: &DesignFigure, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    if !figure.samples.iter().any(|(_, cost)| cost.is_some()) {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    match figure.variables.len() {
        1 => files.push(store(folder, "samples.svg", curve(figure))?),
        2 if !figure.map.is_empty() => files.push(store(folder, "samples.svg", map(figure))?),
        _ => {}
    }
    files.push(store(folder, "convergence.svg", convergence(figure))?);
    Ok(files)
}

fn title(canvas: &mut Canvas<'_>, caption: &Caption) {
    canvas.text(&caption.title, [24.0, 22.0], &Font { bold: true, ..Font::new(15.0, Anchor::Left) });
    let font = Font { color: PALETTE[1], ..Font::new(12.0, Anchor::Right) };
    if !caption.warning.is_empty() {
        canvas.text(&caption.warning, [WIDTH - 24.0, 22.0], &font);
    }
}

/// Samples and surrogate of one variable.
fn curve(figure: &DesignFigure) -> Result<String, String> {
    let known: Vec<[f64; 2]> = figure.samples.iter().filter_map(|(design, cost)| Some([design[0], (*cost)?])).collect();
    let band = |[_, mean, deviation]: &[f64; 3]| [mean - 2.0 * deviation, mean + 2.0 * deviation];
    let lowest = known.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min);
    let highest = known.iter().map(|point| point[1]).fold(f64::NEG_INFINITY, f64::max);
    // A surrogate that knows little does not make the samples small.
    let reach = (highest - lowest).max(1e-12 * highest.abs());
    let within = |value: f64| value.clamp(lowest - reach, highest + reach);
    let shown = figure.surrogate.iter().flat_map(band).map(within);
    let y = Axis::covering(known.iter().map(|point| point[1]).chain(shown), 0.06);
    let [from, to] = figure.ranges[0];
    let panel = Panel { frame: PLACE, x: Axis::covering([from, to].into_iter(), 0.02), y };
    Canvas::draw([WIDTH, PLACE.bottom() + 56.0], "", |canvas| {
        title(canvas, &figure.caption);
        if figure.surrogate.iter().any(|point| point[2] > 0.0) {
            let upper = figure.surrogate.iter().map(|point| panel.pixel([point[0], within(band(point)[1])]));
            let lower = figure.surrogate.iter().rev().map(|point| panel.pixel([point[0], within(band(point)[0])]));
            canvas.polygon(&upper.chain(lower).collect::<Vec<_>>(), faint(PALETTE[0], 0.16));
        }
        panel.axes(canvas, true);
        let label = |(name, unit): &(String, Option<String>)| panel.x.label(&symbol(name), unit.as_deref());
        panel.labels(canvas, figure.variables.first().map(label).as_deref(), &panel.y.label("cost", None), 66.0);
        let means = figure.surrogate.iter().map(|point| [point[0], within(point[1])]).collect();
        panel.curve(canvas, &Curve { points: means, color: PALETTE[0], width: 1.5 });
        dots(canvas, &panel, &known);
        let mut names = vec![("samples, in their order".to_owned(), INK)];
        if !figure.surrogate.is_empty() {
            names.push(("surrogate, two deviations".to_owned(), PALETTE[0]));
        }
        panel.legend_with(canvas, &names, &mark);
    })
}

/// The first entry of a legend stands for samples, which are dots; the others for curves.
fn mark(canvas: &mut Canvas<'_>, entry: usize, [x, y]: [f64; 2], color: RGBColor) {
    match entry {
        0 => canvas.dot([x + 7.0, y], 3.0, color),
        _ => canvas.path(&[[x, y], [x + 14.0, y]], Stroke { color, width: 2.0 }),
    }
}

/// Samples with their numbers, the best one in colour.
fn dots(canvas: &mut Canvas<'_>, panel: &Panel, known: &[[f64; 2]]) {
    let best = known.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min);
    for (index, point) in known.iter().enumerate() {
        let at = panel.pixel(*point);
        let color = if point[1] == best { PALETTE[1] } else { INK };
        canvas.dot(at, if point[1] == best { 4.5 } else { 3.0 }, color);
        let font = Font { color: QUIET, ..Font::new(10.0, Anchor::Left) };
        canvas.text(&(index + 1).to_string(), [at[0] + 6.0, at[1] - 8.0], &font);
    }
}

/// The surrogate of two variables as a map, with the samples on it.
fn map(figure: &DesignFigure) -> Result<String, String> {
    let [x, y] = [0, 1].map(|axis| Axis::covering(figure.ranges[axis].into_iter(), 0.0));
    let frame = Frame { height: 480.0, ..PLACE };
    let panel = Panel { frame, x, y };
    let all = figure.map.iter().flatten().copied().filter(|value| value.is_finite());
    let (low, high) =
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    let known = figure.samples.iter().filter_map(|(design, cost)| Some((design, (*cost)?)));
    let best = known.clone().map(|(_, cost)| cost).fold(f64::INFINITY, f64::min);
    Canvas::draw([WIDTH, frame.bottom() + 56.0], "", |canvas| {
        title(canvas, &figure.caption);
        tiles(canvas, figure, frame, [low, high]);
        ticks(canvas, &panel);
        let label = |axis: usize| {
            let (name, unit) = &figure.variables[axis];
            [panel.x, panel.y][axis].label(&symbol(name), unit.as_deref())
        };
        panel.labels(canvas, Some(&label(0)), &label(1), 60.0);
        for (design, cost) in known {
            let color = if cost == best { PALETTE[1] } else { INK };
            canvas.dot(panel.pixel([design[0], design[1]]), if cost == best { 5.0 } else { 3.0 }, color);
        }
        panel.remark(canvas, &format!("surrogate from {} (light) to {} (dark)", number(low), number(high)));
    })
}

fn tiles(canvas: &mut Canvas<'_>, figure: &DesignFigure, frame: Frame, [low, high]: [f64; 2]) {
    let rows = figure.map.len();
    for (row, values) in figure.map.iter().enumerate() {
        let (width, height) = (frame.width / values.len() as f64, frame.height / rows as f64);
        for (column, value) in values.iter().enumerate() {
            // Square roots show the valley, where it matters.
            let share = ((value - low) / (high - low).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0).sqrt();
            let shade = (share * SHADES as f64).round() / SHADES as f64;
            let (x, y) = (frame.left + column as f64 * width, frame.bottom() - (row + 1) as f64 * height);
            // A little larger than it is: no seams shine through.
            let (right, bottom) = ((x + width + SEAM).min(frame.right()), y + height);
            let y = (y - SEAM).max(frame.top);
            let corners = [[x, y], [right, y], [right, bottom], [x, bottom]];
            canvas.polygon(&corners, faint(PALETTE[0], 0.06 + 0.84 * shade));
        }
    }
}

/// Ticks without a grid, which a map does not need.
pub(super) fn ticks(canvas: &mut Canvas<'_>, panel: &Panel) {
    let Frame { left, width, height, .. } = panel.frame;
    let (bottom, stroke) = (panel.frame.bottom(), Stroke { color: FRAME, width: 0.75 });
    let (top, right) = (panel.frame.top, panel.frame.right());
    canvas.path(&[[left, top], [right, top], [right, bottom], [left, bottom], [left, top]], stroke);
    for (place, text) in panel.x.ticks(8) {
        let x = left + place * width;
        canvas.path(&[[x, bottom], [x, bottom + 4.0]], stroke);
        canvas.text(&text, [x, bottom + 13.0], &Font::new(11.0, Anchor::Center));
    }
    for (place, text) in panel.y.ticks(8) {
        let y = bottom - place * height;
        canvas.path(&[[left - 4.0, y], [left, y]], stroke);
        canvas.text(&text, [left - 7.0, y], &Font::new(11.0, Anchor::Right));
    }
}

/// Costs, and the best one so far.
fn convergence(figure: &DesignFigure) -> Result<String, String> {
    let costs = figure.samples.iter().enumerate().filter_map(|(index, (_, cost))| Some([(index + 1) as f64, (*cost)?]));
    let costs: Vec<[f64; 2]> = costs.collect();
    let mut best: Vec<[f64; 2]> = Vec::new();
    for &[number, cost] in &costs {
        let before = best.last().map_or(f64::INFINITY, |last| last[1]);
        // Steps: it stays until it falls.
        if before.is_finite() {
            best.push([number, before]);
        }
        best.push([number, before.min(cost)]);
    }
    let y = Axis::covering(costs.iter().map(|point| point[1]), 0.06);
    let panel = Panel { frame: PLACE, x: Axis::exactly(0.5, figure.samples.len() as f64 + 0.5), y };
    Canvas::draw([WIDTH, PLACE.bottom() + 56.0], "", |canvas| {
        title(canvas, &figure.caption);
        panel.axes(canvas, true);
        panel.labels(canvas, Some("evaluation"), &panel.y.label("cost", None), 66.0);
        panel.curve(canvas, &Curve { points: best.clone(), color: PALETTE[1], width: 1.75 });
        costs.iter().for_each(|&point| canvas.dot(panel.pixel(point), 3.0, INK));
        let failed = figure.samples.iter().filter(|(_, cost)| cost.is_none()).count();
        panel.legend_with(canvas, &[("evaluations".to_owned(), INK), ("best so far".to_owned(), PALETTE[1])], &mark);
        panel.remark(canvas, &if failed > 0 { format!("{failed} failed") } else { String::new() });
    })
}
