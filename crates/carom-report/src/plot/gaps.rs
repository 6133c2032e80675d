//! Gaps of the contacts over time: when they touch, and when they hold.

use super::axis::Axis;
use super::canvas::{Canvas, Stroke};
use super::colour::{FRAME, PALETTE};
use super::curve::Place;
use super::marks::MOST;
use super::panel::{Curve, Frame, LEGEND_LINE, Panel, legend_lines};
use super::timeline::{Stop, Timeline};
use super::{TITLE, WIDTH, save};
use crate::Run;
use crate::error::ReportError;
use carom_model::{ContactMode, Impact, Trajectory};
use plotters::style::RGBColor;
use std::path::{Path, PathBuf};

/// Room left and right of the frame.
const SIDES: [f64; 2] = [86.0, 24.0];
/// Height of the frame, and of what is above (names, in one line) and below (time) it.
const HEIGHTS: [f64; 3] = [300.0, 24.0, 52.0];
/// Pixels below which intervals are not told apart.
const PIXELS: f64 = 0.5;

/// Draws the gaps of the first six contacts; nothing if there are no contacts.
///
/// Impacts are dots where the gap is zero; the time is shaded while a contact is closed.
pub fn gaps(run: &Run<'_>, folder: &Path) -> Result<Option<PathBuf>, ReportError> {
    if run.trajectory.contacts.is_empty() {
        return Ok(None);
    }
    let trajectory = &*run.trajectory.in_order_of_time();
    let run = &Run { trajectory, ..run.clone() };
    let names: Vec<(String, RGBColor)> = trajectory.contacts.iter().cloned().zip(PALETTE).collect();
    let (shown, width) = (names.len(), WIDTH - SIDES[0] - SIDES[1]);
    let [height, line, below] = HEIGHTS;
    let above = line + LEGEND_LINE * (legend_lines(&names, width).len() - 1) as f64;
    let frame = Frame { left: SIDES[0], top: TITLE + above, width, height };
    let curves: Vec<Vec<Place>> = (0..shown).map(|contact| curve(trajectory, contact)).collect();
    // The gap of zero is always in sight.
    let values = curves.iter().flatten().map(|point| point[1]).chain([0.0]);
    let times = trajectory.t.iter().copied().chain(trajectory.impacts.iter().map(|impact| impact.t));
    let panel = Panel { frame, x: Axis::covering(times, 0.0), y: Axis::covering(values, 0.06) };
    save(run, folder, "gaps.svg", TITLE + above + height + below, |canvas| {
        (0..shown).for_each(|contact| shade(canvas, &panel, run, contact));
        axes(canvas, &panel, run, &names);
        for (points, color) in curves.into_iter().zip(PALETTE) {
            panel.curve(canvas, &Curve { points, color, width: 1.25 });
        }
        if trajectory.impacts.len() <= MOST {
            trajectory.impacts.iter().for_each(|impact| dots(canvas, &panel, impact));
        }
    })
    .map(Some)
}

/// The gap at nodes, and zero at the impacts of the contact.
fn curve(trajectory: &Trajectory, contact: usize) -> Vec<Place> {
    let timeline = Timeline::new(trajectory);
    let count = trajectory.contacts.len();
    let gap = |stop: Stop<'_>| match stop {
        Stop::Node(k) => trajectory.gaps.get(k * count + contact).copied().unwrap_or(f64::NAN),
        Stop::Before(impact) if impact.impulses.iter().any(|impulse| impulse.contact == contact) => 0.0,
        _ => f64::NAN,
    };
    timeline.curve(|stop| [timeline.time(stop), gap(stop)])
}

fn axes(canvas: &mut Canvas<'_>, panel: &Panel, run: &Run<'_>, names: &[(String, RGBColor)]) {
    let (shown, all) = (names.len(), run.trajectory.contacts.len());
    let rest = if shown < all { format!(" (first {shown} of {all} contacts)") } else { String::new() };
    panel.axes(canvas, true);
    panel.labels(canvas, Some(&panel.x.label("t", None)), &panel.y.label(&format!("gap{rest}"), None), 60.0);
    let [left, right] = [panel.frame.left, panel.frame.right()];
    let zero = panel.frame.bottom() - panel.y.place(0.0) * panel.frame.height;
    canvas.path(&[[left, zero], [right, zero]], Stroke { color: FRAME, width: 1.0 });
    panel.legend(canvas, names);
    panel.note(canvas, &meaning(run));
}

/// What dots and shades mean, as far as there are any.
fn meaning(run: &Run<'_>) -> String {
    let intervals: Vec<Interval> =
        (0..run.trajectory.contacts.len()).flat_map(|contact| intervals(run, contact)).collect();
    let has = |mode: ContactMode| intervals.iter().any(|interval| interval.mode == mode);
    let shades = match (has(ContactMode::Sliding), has(ContactMode::Sticking)) {
        (true, true) => "shaded: sliding, darker: sticking",
        (true, false) => "shaded: sliding",
        (false, true) => "shaded: sticking",
        (false, false) => "",
    };
    let dots = match run.trajectory.impacts.len() {
        0 => String::new(),
        1 => "dot: the impact".to_owned(),
        count @ ..=MOST => format!("dots: {count} impacts"),
        count => format!("{count} impacts, not marked"),
    };
    let parts = [dots.as_str(), shades];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Every contact that took part has a dot, the second above the first.
fn dots(canvas: &mut Canvas<'_>, panel: &Panel, impact: &Impact) {
    let shown = impact.impulses.iter().filter(|impulse| impulse.contact < PALETTE.len());
    for (place, impulse) in shown.enumerate().filter(|_| impact.t.is_finite()) {
        let [x, y] = panel.pixel([impact.t, 0.0]);
        canvas.dot([x, y - 5.0 * place as f64], 2.75, PALETTE[impulse.contact]);
    }
}

/// A time during which a contact is closed.
struct Interval {
    start: f64,
    end: f64,
    mode: ContactMode,
}

/// The times during which a contact is closed.
fn intervals(run: &Run<'_>, contact: usize) -> Vec<Interval> {
    let trajectory = run.trajectory;
    let (Some(&start), Some(&end)) = (trajectory.t.first(), trajectory.t.last()) else { return Vec::new() };
    let changes: Vec<_> = trajectory.modes.iter().filter(|change| change.contact == contact).collect();
    // A contact that is closed from beginning to end has no change; its model says so.
    let is_closed = run.system.contacts().get(contact).is_some_and(|contact| contact.is_closed);
    let unchanged = if is_closed { ContactMode::Sliding } else { ContactMode::Free };
    let first = (start, changes.first().map_or(unchanged, |change| change.from));
    let starts = std::iter::once(first).chain(changes.iter().map(|change| (change.t, change.to)));
    let ends = changes.iter().map(|change| change.t).chain([end]);
    let list = starts.zip(ends).map(|((start, mode), end)| Interval { start, end, mode });
    list.filter(|interval| interval.mode != ContactMode::Free && interval.end > interval.start).collect()
}

/// Shades the times during which a contact is closed.
fn shade(canvas: &mut Canvas<'_>, panel: &Panel, run: &Run<'_>, contact: usize) {
    let x = |time: f64| panel.frame.left + panel.x.place(time).clamp(0.0, 1.0) * panel.frame.width;
    let mut bands: Vec<Interval> = Vec::new();
    for Interval { start, end, mode } in intervals(run, contact) {
        let (start, end) = (x(start), x(end));
        match bands.last_mut() {
            // What is too narrow to be told apart becomes part of its neighbour.
            Some(last) if start - last.end < PIXELS && (last.mode == mode || end - start < PIXELS) => last.end = end,
            _ => bands.push(Interval { start, end, mode }),
        }
    }
    for Interval { start, end, mode } in bands {
        let opacity = if mode == ContactMode::Sticking { 0.24 } else { 0.12 };
        let (top, bottom) = (panel.frame.top, panel.frame.bottom());
        let corners = [[start, top], [end, top], [end, bottom], [start, bottom]];
        canvas.shade(&corners, PALETTE[contact], opacity);
    }
}
