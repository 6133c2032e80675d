//! The drawn system at even times, side by side: `snapshots.svg` of a gait.
//!
//! Every figure stands in a window of its own, as wide as the figure; all windows have one scale and one height, so that
//! flat ground is one line.

use super::super::axis::Axis;
use super::super::canvas::{Anchor, Canvas, Font, Stroke};
use super::super::colour::{PALETTE, QUIET, faint, parse};
use super::super::curve::Place;
use super::super::label::number;
use super::super::panel::{Frame, Panel};
use super::super::{TITLE, WIDTH, check_model, save};
use super::frames::Reel;
use super::ground::{Ground, HATCH, grounds};
use super::scene::{Body, Look, Scene, node_state};
use super::snapshot::extent;
use super::{DOT, INSIDE};
use crate::Run;
use crate::error::ReportError;
use carom_model::{Primitive, Trajectory};
use plotters::style::RGBColor;
use std::path::{Path, PathBuf};

/// Figures of a row.
const FIGURES: usize = 8;
/// Room left and right of the row.
const SIDE: f64 = 24.0;
/// Pixels between figures at least, and of a window at least, for the time below it.
const GAP: f64 = 16.0;
const NARROW: f64 = 46.0;
/// Pixels of a figure at most, from bottom to top.
const TALL: f64 = 300.0;
/// Pixels above and below the figures.
const MARGINS: [f64; 2] = [10.0, 16.0];
/// Below the windows, for the times.
const BELOW: f64 = 44.0;
/// Halvings that find the scale.
const HALVINGS: usize = 60;

/// The bodies at one time.
struct Figure {
    state: Vec<f64>,
    bodies: Vec<Body>,
    /// The smallest box around them.
    low: Place,
    high: Place,
}

/// Draws the system side by side at even times; nothing if it has no drawing or no extent.
pub fn lineup(run: &Run<'_>, folder: &Path) -> Result<Option<PathBuf>, ReportError> {
    check_model(run)?;
    let trajectory = &*run.trajectory.in_order_of_time();
    let figures = figures(&mut Scene::new(run.system, run.drawing)?, trajectory);
    let Some(panels) = panels(&figures) else { return Ok(None) };
    let mut floors: Vec<Vec<Ground>> = Vec::new();
    for (figure, panel) in figures.iter().zip(&panels) {
        floors.push(grounds(run.system, run.drawing, &figure.state, &longer(panel))?);
    }
    let height = panels[0].frame.bottom() + BELOW;
    save(run, folder, "snapshots.svg", height, |canvas| {
        floors.iter().flatten().for_each(|ground| ground.draw(canvas));
        for (figure, panel) in figures.iter().zip(&panels) {
            figure.bodies.iter().for_each(|body| draw(canvas, panel, run.drawing, body));
        }
        draw_times(canvas, &figures, &panels);
    })
    .map(Some)
}

/// The figures that can be drawn.
fn figures(scene: &mut Scene, trajectory: &Trajectory) -> Vec<Figure> {
    let Some([first, last]) = extent(scene, trajectory) else { return Vec::new() };
    let (reel, start, end) = (Reel::new(trajectory), trajectory.t[first], trajectory.t[last]);
    let time = |k: usize| start + (end - start) * k as f64 / (FIGURES - 1) as f64;
    let mut states: Vec<Vec<f64>> = (0..FIGURES - 1).map(|k| reel.at(time(k))).collect();
    // The last posture is the one before an impact that ends the motion.
    states.push(node_state(trajectory, last));
    states.retain(|state| scene.is_finite(state));
    states.into_iter().map(|state| Figure::new(scene.bodies(&state), state)).collect()
}

impl Figure {
    fn new(bodies: Vec<Body>, state: Vec<f64>) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in bodies.iter().flat_map(|body| &body.points) {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        Self { state, bodies, low, high }
    }

    fn width(&self) -> f64 {
        self.high[0] - self.low[0]
    }
}

/// A window for each figure, from left to right; nothing if there is nothing to see.
fn panels(figures: &[Figure]) -> Option<Vec<Panel>> {
    let low = figures.iter().map(|figure| figure.low[1]).fold(f64::INFINITY, f64::min);
    let high = figures.iter().map(|figure| figure.high[1]).fold(f64::NEG_INFINITY, f64::max);
    let widths: Vec<f64> = figures.iter().map(Figure::width).collect();
    let largest = widths.iter().copied().fold(high - low, f64::max);
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let room = WIDTH - 2.0 * SIDE;
    let scale = scale(&widths, TALL / (high - low).max(1e-3 * largest), room);
    // What is left is shared by all.
    let spare = (room - total(&widths, scale)) / figures.len() as f64;
    let height = scale * (high - low) + MARGINS[0] + MARGINS[1];
    let y = Axis::exactly(low - MARGINS[1] / scale, high + MARGINS[0] / scale);
    // Hatches go on from window to window.
    let whole = |width: f64| (width / HATCH[0]).floor() * HATCH[0];
    let sum: f64 = widths.iter().map(|&width| whole(window(width, scale) + spare)).sum();
    let mut left = (WIDTH - sum) / 2.0;
    let panel = |figure: &Figure| {
        let width = whole(window(figure.width(), scale) + spare);
        let (middle, half) = (figure.low[0] / 2.0 + figure.high[0] / 2.0, width / scale / 2.0);
        let frame = Frame { left, top: TITLE + 8.0, width, height };
        left += width;
        Panel { frame, x: Axis::exactly(middle - half, middle + half), y }
    };
    Some(figures.iter().map(panel).collect())
}

/// The window with room on its left for a hatch that begins there.
fn longer(panel: &Panel) -> Panel {
    let Frame { left, top, width, height } = panel.frame;
    let [from, to] = [left - HATCH[0], left + width].map(|x| panel.point([x, top])[0]);
    Panel {
        frame: Frame { left: left - HATCH[0], width: width + HATCH[0], top, height },
        x: Axis::exactly(from, to),
        y: panel.y,
    }
}

/// Pixels per length: the most with which all figures find room, `most` at most.
fn scale(widths: &[f64], most: f64, room: f64) -> f64 {
    if total(widths, most) <= room {
        return most;
    }
    let (mut low, mut high) = (0.0, most);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if total(widths, middle) <= room { low = middle } else { high = middle }
    }
    low
}

fn total(widths: &[f64], scale: f64) -> f64 {
    widths.iter().map(|&width| window(width, scale)).sum()
}

fn window(width: f64, scale: f64) -> f64 {
    (width * scale + GAP).max(NARROW)
}

/// The colour of a primitive: its own, or one by its place in the drawing.
fn color(drawing: &[Primitive], index: usize) -> RGBColor {
    drawing[index].color.as_deref().and_then(parse).unwrap_or(PALETTE[index % PALETTE.len()])
}

fn draw(canvas: &mut Canvas<'_>, panel: &Panel, drawing: &[Primitive], body: &Body) {
    let color = color(drawing, body.primitive);
    let pixels: Vec<Place> = body.points.iter().map(|&point| panel.pixel(point)).collect();
    match body.look {
        Look::Dot => pixels.iter().for_each(|&pixel| canvas.dot(pixel, DOT, color)),
        Look::Thin if body.moves => {
            canvas.path(&pixels, Stroke { color, width: 2.0 });
            // Joints.
            pixels.iter().for_each(|&pixel| canvas.dot(pixel, 2.0, color));
        }
        Look::Thin => canvas.path(&pixels, Stroke { color, width: 1.0 }),
        Look::Thick => canvas.path(&pixels, Stroke { color, width: 3.0 }),
        Look::Area => {
            canvas.polygon(&pixels, faint(color, INSIDE));
            canvas.path(&pixels, Stroke { color, width: 1.25 });
        }
    }
}

/// The time under each figure.
fn draw_times(canvas: &mut Canvas<'_>, figures: &[Figure], panels: &[Panel]) {
    for (index, (figure, Panel { frame, .. })) in figures.iter().zip(panels).enumerate() {
        let text = number(figure.state[0]);
        let text = if index == 0 { format!("t = {text}") } else { text };
        let font = Font { color: QUIET, ..Font::new(11.0, Anchor::Center) };
        canvas.text(&text, [frame.left + frame.width / 2.0, frame.bottom() + 16.0], &font);
    }
}
