//! The drawn system: snapshots along the motion, or the motion itself; traces, and the ground.
//!
//! Snapshots are evenly spaced in time, older ones fainter; at impacts the system is
//! drawn in outline. Both directions of
//! the plane have the same scale.
//!
//! | step | module |
//! |---|---|
//! | bodies of a state | `scene` |
//! | states between nodes | `between` |
//! | chosen states, all on one sheet | `snapshot` |
//! | states after each other | `frames`, `animation`, `layer` |
//! | states at even times, side by side | `lineup` |
//! | a smooth path beside the motion | `smooth` |
//! | what stands still: window, traces, ground | `sheet`, `trace`, `ground` |

mod animation;
mod between;
mod frames;
mod ground;
mod layer;
#[cfg(feature = "optimal-control")]
mod lineup;
mod scene;
mod sheet;
mod smooth;
mod snapshot;
mod trace;

use super::canvas::{Anchor, Canvas, Font, Stroke};
use super::colour::{FRAME, PALETTE, QUIET, faint, parse};
use super::curve::Place;
use super::label::number;
use super::panel::{Curve, Panel};
use super::{WIDTH, check_model, save};
use crate::Run;
use crate::error::ReportError;
use carom_model::Primitive;
use plotters::style::RGBColor;
use scene::{Look, Scene, node_state};
use snapshot::{Snapshot, nearest_node, snapshots};
use std::path::{Path, PathBuf};

pub use animation::animation;
#[cfg(feature = "optimal-control")]
pub(super) use ground::{Ground, grounds};
#[cfg(feature = "optimal-control")]
pub(crate) use lineup::lineup;
pub(super) use smooth::Plane;

/// Weight of the traces' colours.
const TRACE: f64 = 0.6;
/// Weight of the inside of areas: lighter, so that what is drawn on it stays visible.
const INSIDE: f64 = 0.35;
/// Radius of dots.
const DOT: f64 = 4.0;

/// Draws the motion of the system; nothing if it has no drawing or never moved.
pub fn motion(run: &Run<'_>, folder: &Path) -> Result<Option<PathBuf>, ReportError> {
    check_model(run)?;
    if run.drawing.is_empty() {
        return Ok(None);
    }
    let trajectory = &*run.trajectory.in_order_of_time();
    let run = &Run { trajectory, ..run.clone() };
    let mut scene = Scene::new(run.system, run.drawing)?;
    let snapshots = snapshots(&mut scene, run.trajectory);
    let Some(last) = snapshots.last() else { return Ok(None) };
    let traces = trace::traces(&mut scene, run.trajectory, f64::INFINITY);
    let state = node_state(run.trajectory, nearest_node(run.trajectory, last.time));
    let bodies = snapshots.iter().flat_map(|snapshot| &snapshot.bodies).flat_map(|body| &body.points);
    let sheet = sheet::Sheet::around(bodies.chain(traces.iter().flat_map(|trace| &trace.points)).copied());
    let panel = sheet.panel();
    let grounds = ground::grounds(run.system, run.drawing, &state, &panel)?;
    save(run, folder, "motion.svg", sheet.height(), |canvas| {
        panel.axes(canvas, true);
        panel.remark(canvas, &remark(&panel, &snapshots, run.trajectory.impacts.len()));
        for ground in &grounds {
            ground.draw(canvas);
        }
        draw_traces(canvas, &panel, run.drawing, &traces);
        for snapshot in &snapshots {
            draw_snapshot(canvas, &panel, run.drawing, snapshot);
        }
        legend(canvas, &sheet, &snapshots);
    })
    .map(Some)
}

/// The colour of a primitive: its own, or quiet for plain bodies.
fn color(drawing: &[Primitive], index: usize) -> RGBColor {
    let own = drawing[index].color.as_deref().and_then(parse);
    own.unwrap_or(if drawing[index].trace { PALETTE[0] } else { QUIET })
}

/// Width of the lines of a body.
fn width(look: Look) -> f64 {
    match look {
        Look::Dot | Look::Thin => 1.0,
        Look::Thick => 3.0,
        Look::Area => 1.25,
    }
}

fn draw_traces(canvas: &mut Canvas<'_>, panel: &Panel, drawing: &[Primitive], traces: &[trace::Trace]) {
    for trace in traces {
        let color = faint(color(drawing, trace.primitive), TRACE);
        panel.curve(canvas, &Curve { points: trace.points.clone(), color, width: 1.0 });
    }
}

fn draw_snapshot(canvas: &mut Canvas<'_>, panel: &Panel, drawing: &[Primitive], snapshot: &Snapshot) {
    for body in &snapshot.bodies {
        let color = faint(color(drawing, body.primitive), snapshot.weight);
        let pixels: Vec<Place> = body.points.iter().map(|&point| panel.pixel(point)).collect();
        match body.look {
            Look::Dot if snapshot.is_impact => pixels.iter().for_each(|&pixel| canvas.dot(pixel, 2.5, color)),
            Look::Thick if snapshot.is_impact => canvas.path(&pixels, Stroke { color, width: 1.5 }),
            Look::Area if snapshot.is_impact => canvas.path(&pixels, Stroke { color, width: 1.0 }),
            Look::Dot => pixels.iter().for_each(|&pixel| canvas.dot(pixel, DOT, color)),
            Look::Thin | Look::Thick => canvas.path(&pixels, Stroke { color, width: width(body.look) }),
            Look::Area => {
                canvas.polygon(&pixels, faint(color, INSIDE));
                canvas.path(&pixels, Stroke { color, width: width(body.look) });
            }
        }
    }
}

/// What has to be known to read the picture: powers of ten, and what is drawn in outline.
fn remark(panel: &Panel, snapshots: &[Snapshot], impacts: usize) -> String {
    let outlined = match snapshots.iter().filter(|snapshot| snapshot.is_impact).count() {
        0 => String::new(),
        all if all == impacts => "outlined: at impacts".to_owned(),
        some => format!("outlined: at {some} of {impacts} impacts"),
    };
    joined([powers(panel), outlined])
}

/// What the ticks have to be multiplied by, if anything.
fn powers(panel: &Panel) -> String {
    let labels = [panel.x.label("x", None), panel.y.label("y", None)];
    if labels == ["x", "y"] { String::new() } else { labels.join(", ") }
}

fn joined<const N: usize>(parts: [String; N]) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// The times of the evenly spaced snapshots, in their weights.
fn legend(canvas: &mut Canvas<'_>, sheet: &sheet::Sheet, snapshots: &[Snapshot]) {
    let snapshots: Vec<&Snapshot> = snapshots.iter().filter(|snapshot| !snapshot.is_impact).collect();
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
