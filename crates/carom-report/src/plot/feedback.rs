//! Pictures of a motion under feedback.
//!
//! | picture | shows |
//! |---|---|
//! | `recovery.svg` | distance from the plan over time after a push, with and without feedback |
//! | `robustness.svg` | pushes of different sizes at different times, and after how many steps the motion is back |

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Font};
use super::colour::{INK, PALETTE, QUIET, faint};
use super::curve::Place;
use super::panel::{Curve, Frame, Panel};
use super::{TITLE, WIDTH, store};
use crate::error::ReportError;
use carom_control::{Pursuit, PursuitEnd};
use plotters::style::RGBColor;
use std::path::{Path, PathBuf};

const PLACE: Frame = Frame { left: 86.0, top: TITLE + 42.0, width: WIDTH - 110.0, height: 320.0 };
/// Distances below this are not shown.
const LEAST: f64 = 1e-9;

/// Pushes of different sizes at different times.
#[derive(Clone, Debug, PartialEq)]
pub struct Robustness {
    /// What is pushed, with its unit.
    pub what: String,
    /// Sizes of the pushes.
    pub sizes: Vec<f64>,
    /// Times of the pushes.
    pub times: Vec<f64>,
    /// For each time and size after how many steps the motion is back; zero where it is lost.
    pub steps: Vec<usize>,
    /// Steps that were looked at.
    pub most: usize,
}

/// Draws `recovery.svg`.
pub fn recovery(title: &str, motions: &[(&str, &Pursuit)], push: &str, folder: &Path) -> Result<PathBuf, ReportError> {
    let curves: Vec<Vec<Place>> = motions.iter().map(|(_, motion)| distances(motion)).collect();
    let all = || curves.iter().flatten();
    let y = Axis::covering(all().map(|point| point[1]), 0.05);
    let panel = Panel { frame: PLACE, x: Axis::covering(all().map(|point| point[0]), 0.0), y };
    let picture = Canvas::draw([WIDTH, PLACE.bottom() + 66.0], "", |canvas| {
        heading(canvas, title);
        panel.axes(canvas, true);
        panel.labels(canvas, Some("time / s"), "log\u{2081}\u{2080} of the distance from the plan", 60.0);
        let mut names = Vec::new();
        for (index, ((name, motion), points)) in motions.iter().zip(&curves).enumerate() {
            let color = PALETTE[index % PALETTE.len()];
            panel.curve(canvas, &Curve { points: points.clone(), color, width: 1.5 });
            names.push((format!("{name}: {}", ending(motion)), color));
        }
        panel.legend(canvas, &names);
        panel.note(canvas, push);
    });
    store(folder, "recovery.svg", picture)
}

fn heading(canvas: &mut Canvas<'_>, title: &str) {
    canvas.text(title, [24.0, 22.0], &Font { bold: true, ..Font::new(15.0, Anchor::Left) });
}

/// Logarithms of the distances, in parts of the size of the motion.
fn distances(motion: &Pursuit) -> Vec<Place> {
    motion.nodes.iter().map(|node| [node.t, node.distance.max(LEAST).log10()]).collect()
}

fn ending(motion: &Pursuit) -> String {
    match &motion.end {
        PursuitEnd::Completed if motion.steps.is_empty() => "to the end".to_owned(),
        PursuitEnd::Completed => format!("{} steps", motion.steps.len()),
        PursuitEnd::Lost { time, .. } => format!("lost at t = {time:.3}"),
        PursuitEnd::Missed { time, contact } => format!("`{contact}` not met by t = {time:.3}"),
        PursuitEnd::Stopped { time, .. } => format!("stopped at t = {time:.3}"),
    }
}

/// Draws `robustness.svg`.
pub fn robustness(title: &str, found: &Robustness, folder: &Path) -> Result<PathBuf, ReportError> {
    let (x, y) = (axis(&found.sizes), axis(&found.times));
    let panel = Panel { frame: PLACE, x, y };
    let half = |values: &[f64]| 0.5 * values.windows(2).next().map_or(1.0, |pair| pair[1] - pair[0]);
    let (dx, dy) = (half(&found.sizes), half(&found.times));
    let picture = Canvas::draw([WIDTH, PLACE.bottom() + 66.0], "", |canvas| {
        heading(canvas, title);
        for (index, &steps) in found.steps.iter().enumerate() {
            let (x, y) = (found.sizes[index % found.sizes.len()], found.times[index / found.sizes.len()]);
            let corners = [[x - dx, y - dy], [x + dx, y - dy], [x + dx, y + dy], [x - dx, y + dy]];
            canvas.polygon(&corners.map(|corner| panel.pixel(corner)), shade(steps, found.most));
        }
        panel.axes(canvas, true);
        panel.labels(canvas, Some(&found.what), "time of the push / s", 60.0);
        legend(canvas, &panel, found.most);
    });
    store(folder, "robustness.svg", picture)
}

/// An axis with half a cell on both sides.
fn axis(values: &[f64]) -> Axis {
    let (first, last) = (values[0], values[values.len() - 1]);
    let half = 0.5 * (last - first) / (values.len().max(2) - 1) as f64;
    Axis::exactly(first - half, last + half)
}

/// Fast recoveries are dark, lost motions red.
fn shade(steps: usize, most: usize) -> RGBColor {
    match steps {
        0 => faint(PALETTE[1], 0.6),
        steps => faint(PALETTE[0], 1.0 - 0.75 * (steps - 1) as f64 / most.max(2) as f64),
    }
}

fn legend(canvas: &mut Canvas<'_>, panel: &Panel, most: usize) {
    let names = [("back after 1 step", 1), ("", most.div_ceil(2)), ("", most), ("lost", 0)];
    let mut x = panel.frame.left;
    for (name, steps) in names {
        let y = panel.frame.top - 14.0;
        let corners = [[x, y - 5.0], [x + 14.0, y - 5.0], [x + 14.0, y + 5.0], [x, y + 5.0]];
        canvas.polygon(&corners, shade(steps, most));
        let text = if name.is_empty() { format!("{steps}") } else { name.to_owned() };
        canvas.text(&text, [x + 19.0, y], &Font { color: INK, ..Font::new(11.0, Anchor::Left) });
        x += 36.0 + 7.0 * text.chars().count() as f64;
    }
    let font = Font { color: QUIET, ..Font::new(11.0, Anchor::Right) };
    canvas.text("every push is followed under feedback", [panel.frame.right(), panel.frame.top - 14.0], &font);
}
