//! The drawn system as it moves, in a picture that plays by itself.
//!
//! Everything that stands still is drawn as in `motion.svg`. Bodies are elements whose attributes have a value per
//! frame; what shows pictures but no motion shows the first frame. A motion takes from three to ten seconds, its own time
//! if it lies between, and begins again.

use super::super::canvas::{Canvas, Stroke};
use super::super::colour::{FRAME, INK, PALETTE, faint};
use super::super::curve::Place;
use super::super::label::number;
use super::super::panel::Panel;
use super::super::{check_model, save_below};
use super::frames::{Film, Frame};
use super::layer::{Clock, hex, short, time};
use super::scene::{Body, Ellipse, Look, Scene, node_state};
use super::sheet::Sheet;
use super::snapshot::nearest_node;
use super::{DOT, INSIDE, color, draw_traces, ground, joined, powers, trace, width};
use crate::Run;
use crate::error::ReportError;
use carom_model::Primitive;
use std::path::{Path, PathBuf};

/// Seconds that a motion takes.
const SECONDS: [f64; 2] = [3.0, 10.0];
/// Room for the time, left of the bar that runs with it.
const CAPTION: f64 = 90.0;

/// Draws the motion of the system as an animation; nothing if it has no drawing, never moves, or has too many points.
pub fn animation(run: &Run<'_>, folder: &Path) -> Result<Option<PathBuf>, ReportError> {
    check_model(run)?;
    if run.drawing.is_empty() {
        return Ok(None);
    }
    let trajectory = &*run.trajectory.in_order_of_time();
    let run = &Run { trajectory, ..run.clone() };
    let mut scene = Scene::new(run.system, run.drawing)?;
    let Some(film) = Film::new(&mut scene, trajectory) else { return Ok(None) };
    let (Some(first), Some(last)) = (film.frames.first(), film.frames.last()) else { return Ok(None) };
    let span = last.time - first.time;
    let seconds = span.clamp(SECONDS[0], SECONDS[1]);
    let bodies = film.frames.iter().flat_map(|frame| &frame.bodies).flat_map(|body| &body.points);
    let traces = trace::traces(&mut scene, trajectory, last.time);
    let sheet = Sheet::around(bodies.chain(traces.iter().flat_map(|trace| &trace.points)).copied());
    let panel = sheet.panel();
    let is_finite = |point: &Place| panel.pixel(*point).iter().all(|x| x.is_finite());
    let is_drawn = |body: &Body| body.points.iter().all(is_finite);
    let moves = |frame: &Frame| frame.bodies.iter().zip(&first.bodies).any(|(a, b)| a.points != b.points);
    let is_shown = film.frames.iter().all(|frame| frame.bodies.iter().all(is_drawn)) && span > 0.0;
    if !is_shown || !film.frames.iter().any(moves) {
        return Ok(None);
    }
    let clock = Clock::new(&film.frames, seconds);
    let state = node_state(trajectory, nearest_node(trajectory, last.time));
    let grounds = ground::grounds(run.system, run.drawing, &state, &panel)?;
    let bar = Bar { left: panel.frame.left + CAPTION, right: panel.frame.right(), y: sheet.legend_top() };
    let layer = moving_bodies(&film, &clock, &panel, run.drawing) + &bar.layer(&film, &clock);
    let remark = joined([powers(&panel), pace(span, seconds), part(&film)]);
    save_below(run, folder, "animation.svg", sheet.height(), &layer, |canvas| {
        panel.axes(canvas, true);
        panel.remark(canvas, &remark);
        for ground in &grounds {
            ground.draw(canvas);
        }
        draw_traces(canvas, &panel, run.drawing, &traces);
        bar.draw(canvas, &film);
    })
    .map(Some)
}

/// How fast time passes.
fn pace(span: f64, seconds: f64) -> String {
    match seconds / span {
        1.0 => String::new(),
        factor if factor > 1.0 => format!("slowed {}-fold", number(factor)),
        factor => format!("speeded up {}-fold", number(1.0 / factor)),
    }
}

/// How much of the motion is shown, if not all.
fn part(film: &Film) -> String {
    let ([start, end], last) = (film.whole, film.frames.last().map_or(f64::NAN, |frame| frame.time));
    // Rounding may cost the last digit.
    if last >= end - 1e-9 * (end - start) {
        return String::new();
    }
    format!("up to t = {} of {}", number(last), number(end))
}

/// All bodies, each with its places in all frames.
fn moving_bodies(film: &Film, clock: &Clock, panel: &Panel, drawing: &[Primitive]) -> String {
    let count = film.frames.first().map_or(0, |frame| frame.bodies.len());
    let all = |number: usize| film.frames.iter().map(|frame| &frame.bodies[number]).collect::<Vec<_>>();
    (0..count).map(|number| moving_body(&all(number), clock, panel, drawing)).collect()
}

fn moving_body(body: &[&Body], clock: &Clock, panel: &Panel, drawing: &[Primitive]) -> String {
    let Some(first) = body.first() else { return String::new() };
    let color = color(drawing, first.primitive);
    let pixel = |point: Place| panel.pixel(point).map(|x| short(x, 1));
    let inside = if first.look == Look::Area { hex(faint(color, INSIDE)) } else { "none".to_owned() };
    let style = format!("fill=\"{inside}\" stroke=\"{}\" stroke-width=\"{}\"", hex(color), width(first.look));
    let along = |axis: usize| body.iter().map(|body| pixel(body.points[0])[axis].clone()).collect::<Vec<_>>();
    if first.look == Look::Dot {
        let style = format!("fill=\"{}\" r=\"{DOT}\"", hex(color));
        return clock.element("circle", &style, &[("cx", along(0)), ("cy", along(1))]);
    }
    if let Some(ellipses) = body.iter().map(|body| body.round).collect::<Option<Vec<Ellipse>>>() {
        return moving_ellipse(&ellipses, clock, panel, &style);
    }
    let corners = |body: &&Body| body.points.iter().map(|&point| pixel(point).join(",")).collect::<Vec<_>>().join(" ");
    clock.element("polyline", &style, &[("points", body.iter().map(corners).collect())])
}

/// An ellipse that is moved and turned.
fn moving_ellipse(ellipses: &[Ellipse], clock: &Clock, panel: &Panel, style: &str) -> String {
    let list = |of: &dyn Fn(&Ellipse) -> String| ellipses.iter().map(of).collect::<Vec<String>>();
    // Both directions have the same scale.
    let length = |ellipse: &Ellipse, axis: usize| {
        let Ellipse { center: [x, y], radii, .. } = *ellipse;
        short((panel.pixel([x + radii[axis], y])[0] - panel.pixel([x, y])[0]).abs(), 1)
    };
    let center = list(&|ellipse| panel.pixel(ellipse.center).map(|x| short(x, 1)).join(" "));
    // Pixels count downwards, so that angles turn the other way.
    let angle = list(&|ellipse| short(-ellipse.angle.to_degrees(), 1));
    let radii = [("rx", list(&|ellipse| length(ellipse, 0))), ("ry", list(&|ellipse| length(ellipse, 1)))];
    let outer = clock.transformed("g", "", "translate", &center);
    let inner = clock.transformed("g", "", "rotate", &angle);
    format!("{outer}{inner}{}</g></g>\n", clock.element("ellipse", style, &radii).trim_end())
}

/// The time, as a number and as a point on a line with the impacts.
struct Bar {
    left: f64,
    right: f64,
    y: f64,
}

impl Bar {
    fn place(&self, film: &Film, time: f64) -> f64 {
        let [start, end] = [film.frames.first(), film.frames.last()].map(|frame| frame.map_or(0.0, |frame| frame.time));
        self.left + (self.right - self.left) * (time - start) / (end - start)
    }

    /// What stands still.
    fn draw(&self, canvas: &mut Canvas<'_>, film: &Film) {
        canvas.path(&[[self.left, self.y], [self.right, self.y]], Stroke { color: FRAME, width: 1.0 });
        for frame in film.frames.iter().filter(|frame| frame.is_impact) {
            let x = self.place(film, frame.time);
            canvas.path(&[[x, self.y - 5.0], [x, self.y + 5.0]], Stroke { color: PALETTE[1], width: 1.0 });
        }
    }

    /// What moves.
    fn layer(&self, film: &Film, clock: &Clock) -> String {
        let places = film.frames.iter().map(|frame| short(self.place(film, frame.time), 1)).collect();
        let style = format!("cy=\"{}\" r=\"4\" fill=\"{}\"", short(self.y, 1), hex(INK));
        let mut text = clock.element("circle", &style, &[("cx", places)]);
        let span = film.frames.last().map_or(0.0, |last| last.time) - film.frames[0].time;
        for (number, frame) in film.frames.iter().enumerate().filter(|(number, _)| !clock.is_skipped(*number)) {
            let words = format!("t = {}", time(frame.time, span));
            text += &clock.caption(number, [self.left - CAPTION, self.y + 4.0], INK, &words);
        }
        text
    }
}
