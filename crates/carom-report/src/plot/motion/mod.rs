//! The drawn system: snapshots along the motion, traces, and the ground.
//!
//! Snapshots are evenly spaced in time, older ones fainter. Both directions of
//! the plane have the same scale.

mod ground;
mod scene;
mod sheet;
mod trace;

use super::canvas::{Anchor, Canvas, Font, Stroke};
use super::colour::{FRAME, PALETTE, QUIET, faint, parse};
use super::curve::Place;
use super::label::number;
use super::panel::{Curve, Panel};
use super::{WIDTH, check_model, save};
use crate::Run;
use crate::error::ReportError;
use carom_model::{Primitive, Trajectory};
use plotters::style::RGBColor;
use scene::{Body, Look, Scene, node_state};
use std::path::{Path, PathBuf};

/// Snapshots of a motion.
const SNAPSHOTS: usize = 10;
/// Weight of the oldest snapshot's colours; the last has 1.
const OLDEST: f64 = 0.18;
/// Weight of the traces' colours.
const TRACE: f64 = 0.6;

/// The bodies at one time, with the weight of their colours.
struct Snapshot {
    time: f64,
    weight: f64,
    bodies: Vec<Body>,
}

/// Draws the motion of the system; nothing if it has no drawing or never moved.
pub fn motion(run: &Run<'_>, folder: &Path) -> Result<Option<PathBuf>, ReportError> {
    check_model(run)?;
    if run.drawing.is_empty() {
        return Ok(None);
    }
    let mut scene = Scene::new(run.system, run.drawing)?;
    let snapshots = snapshots(&mut scene, run.trajectory);
    let Some(last) = snapshots.last() else { return Ok(None) };
    let traces = trace::traces(&mut scene, run.trajectory);
    let state = node_state(run.trajectory, nearest_node(run.trajectory, last.time));
    let bodies = snapshots.iter().flat_map(|snapshot| &snapshot.bodies).flat_map(|body| &body.points);
    let sheet = sheet::Sheet::around(bodies.chain(traces.iter().flat_map(|trace| &trace.points)).copied());
    let panel = sheet.panel();
    let grounds = ground::grounds(run.system, run.drawing, &state, &panel)?;
    save(run, folder, "motion.svg", sheet.height(), |canvas| {
        panel.axes(canvas, true);
        panel.remark(canvas, &powers(&panel));
        for ground in &grounds {
            ground.draw(canvas);
        }
        for trace in &traces {
            let color = faint(color(run.drawing, trace.primitive), TRACE);
            panel.curve(canvas, &Curve { points: trace.points.clone(), color, width: 1.0 });
        }
        for snapshot in &snapshots {
            draw_snapshot(canvas, &panel, run.drawing, snapshot);
        }
        legend(canvas, &sheet, &snapshots);
    })
    .map(Some)
}

/// Bodies at nodes evenly spaced in time, as far as everything is finite.
fn snapshots(scene: &mut Scene, trajectory: &Trajectory) -> Vec<Snapshot> {
    let mut finite = (0..trajectory.len()).filter(|&k| scene.is_finite(&node_state(trajectory, k)));
    let Some(first) = finite.next() else { return Vec::new() };
    let last = finite.next_back().unwrap_or(first);
    let (start, end) = (trajectory.t[first], trajectory.t[last]);
    let time = |i: usize| start + (end - start) * i as f64 / (SNAPSHOTS - 1) as f64;
    let mut nodes: Vec<usize> = (0..SNAPSHOTS).map(|i| nearest_node(trajectory, time(i)).clamp(first, last)).collect();
    nodes.dedup();
    nodes.retain(|&k| scene.is_finite(&node_state(trajectory, k)));
    let count = nodes.len();
    // Equal ratios: the last snapshots stand out, the first are hints.
    let weight = |i: usize| OLDEST.powf((count - 1 - i) as f64 / (count.max(2) - 1) as f64);
    let snapshot = |(i, k): (usize, usize)| Snapshot {
        time: trajectory.t[k],
        weight: weight(i),
        bodies: scene.bodies(&node_state(trajectory, k)),
    };
    nodes.into_iter().enumerate().map(snapshot).collect()
}

/// The node nearest to a time.
fn nearest_node(trajectory: &Trajectory, time: f64) -> usize {
    let after = trajectory.t.partition_point(|&t| t < time).min(trajectory.len() - 1);
    let before = after.saturating_sub(1);
    if (trajectory.t[before] - time).abs() < (trajectory.t[after] - time).abs() { before } else { after }
}

/// The colour of a primitive: its own, or quiet for plain bodies.
fn color(drawing: &[Primitive], index: usize) -> RGBColor {
    let own = drawing[index].color.as_deref().and_then(parse);
    own.unwrap_or(if drawing[index].trace { PALETTE[0] } else { QUIET })
}

fn draw_snapshot(canvas: &mut Canvas<'_>, panel: &Panel, drawing: &[Primitive], snapshot: &Snapshot) {
    for body in &snapshot.bodies {
        let color = faint(color(drawing, body.primitive), snapshot.weight);
        let pixels: Vec<Place> = body.points.iter().map(|&point| panel.pixel(point)).collect();
        match body.look {
            Look::Dot => pixels.iter().for_each(|&pixel| canvas.dot(pixel, 4.0, color)),
            Look::Thin => canvas.path(&pixels, Stroke { color, width: 1.0 }),
            Look::Thick => canvas.path(&pixels, Stroke { color, width: 3.0 }),
            Look::Area => {
                // Lighter inside, so that what is drawn on it stays visible.
                canvas.polygon(&pixels, faint(color, 0.35));
                canvas.path(&pixels, Stroke { color, width: 1.25 });
            }
        }
    }
}

/// What the ticks have to be multiplied by, if anything.
fn powers(panel: &Panel) -> String {
    let labels = [panel.x.label("x", None), panel.y.label("y", None)];
    if labels == ["x", "y"] { String::new() } else { labels.join(", ") }
}

/// The times of the snapshots, in their weights.
fn legend(canvas: &mut Canvas<'_>, sheet: &sheet::Sheet, snapshots: &[Snapshot]) {
    // Entries stay close together if there are few.
    let step = (sheet.legend_width() / snapshots.len() as f64).min(90.0);
    let start = WIDTH / 2.0 + 20.0 - step * snapshots.len() as f64 / 2.0;
    canvas.text("t =", [start - 8.0, sheet.legend_top()], &Font::new(11.0, Anchor::Right));
    for (index, snapshot) in snapshots.iter().enumerate() {
        let x = start + index as f64 * step + 6.0;
        canvas.dot([x, sheet.legend_top()], 4.0, faint(QUIET, snapshot.weight));
        canvas.text(&number(snapshot.time), [x + 9.0, sheet.legend_top()], &Font::new(11.0, Anchor::Left));
    }
    let top = sheet.legend_top() - 16.0;
    let line = [[sheet.panel().frame.left, top], [sheet.panel().frame.right(), top]];
    canvas.path(&line, Stroke { color: faint(FRAME, 0.5), width: 0.5 });
}
