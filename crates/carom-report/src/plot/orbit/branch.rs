//! A branch of orbits over its parameter.

use super::super::axis::Axis;
use super::super::canvas::{Anchor, Canvas, Font};
use super::super::colour::{INK, PALETTE};
use super::super::curve::Place;
use super::super::label::{number, symbol};
use super::super::panel::{Curve, Frame, Panel};
use super::super::{TITLE, WIDTH, store};
use super::{OrbitFigure, state_symbol, title};
use crate::error::ReportError;
use carom_control::orbit::{Branch, BranchPoint, Kind, Stability};
use plotters::style::RGBColor;
use std::path::{Path, PathBuf};

/// What is drawn of an orbit that takes a number of steps.
type Value = dyn Fn(&BranchPoint, usize) -> f64;

/// Most components of the state that are shown.
const MOST: usize = 4;
/// Height of a panel with its texts.
const HEIGHT: f64 = 170.0;
/// Room for the legend.
const LEGEND: f64 = 26.0;

/// Draws components of the state, and the duration of a step, over the parameter.
pub fn branch(figure: &OrbitFigure<'_>, folder: &Path) -> Result<Option<PathBuf>, ReportError> {
    if figure.branches.first().is_none_or(|branch| branch.points.len() < 2) {
        return Ok(None);
    }
    let shown: Vec<usize> = figure.free.iter().copied().take(MOST).collect();
    let mut rows: Vec<(String, Box<Value>)> = Vec::new();
    for &place in &shown {
        rows.push((state_symbol(&figure.names[place]), Box::new(move |point, _| point.state[place])));
    }
    // The mean of its steps, so that branches meet where they begin.
    rows.push(("duration".to_owned(), Box::new(|point, steps| point.duration / steps as f64)));
    let height = TITLE + LEGEND + rows.len() as f64 * HEIGHT + 30.0;
    let picture = Canvas::draw([WIDTH, height], "", |canvas| {
        title(canvas, figure.title);
        for (index, (name, value)) in rows.iter().enumerate() {
            let top = TITLE + LEGEND + index as f64 * HEIGHT;
            let frame = Frame { left: 84.0, top, width: WIDTH - 84.0 - 24.0, height: HEIGHT - 34.0 };
            draw(
                canvas,
                frame,
                (figure.branches, figure.parameter),
                (name, value.as_ref()),
                (index == 0, index + 1 == rows.len()),
            );
        }
    });
    store(folder, "branch.svg", picture).map(Some)
}

fn draw(
    canvas: &mut Canvas<'_>,
    frame: Frame,
    (branches, parameter): (&[Branch], &str),
    (name, value): (&str, &Value),
    (is_first, is_last): (bool, bool),
) {
    let points = || branches.iter().enumerate().flat_map(|(k, own)| own.points.iter().map(move |point| (point, k + 1)));
    let x = Axis::covering(points().map(|(point, _)| point.parameter), 0.02);
    let y = Axis::covering(points().map(|(point, steps)| value(point, steps)), 0.08);
    let panel = Panel { frame, x, y };
    panel.axes(canvas, is_last);
    let label = panel.x.label(&symbol(parameter), None);
    panel.labels(canvas, is_last.then_some(&label), &panel.y.label(name, None), 60.0);
    for (k, own) in branches.iter().enumerate() {
        follow(canvas, &panel, own, &|point| value(point, k + 1), is_first);
        if let Some(middle) = own.points.get(own.points.len() / 2).filter(|_| is_first && k > 0) {
            let at = panel.pixel([middle.parameter, value(middle, k + 1)]);
            let font = Font { color: INK, ..Font::new(10.5, Anchor::Right) };
            canvas.text("twice the period", [at[0] - 7.0, at[1] - 9.0], &font);
        }
    }
    if is_first {
        let names: Vec<(String, RGBColor)> = [Stability::Stable, Stability::Neutral, Stability::Unstable]
            .into_iter()
            .filter(|stability| points().any(|(point, _)| point.multipliers.stability() == *stability))
            .map(|stability| (stability.name().to_owned(), colour(stability)))
            .collect();
        panel.legend(canvas, &names);
    }
}

/// Draws one branch with its bifurcations.
fn follow(
    canvas: &mut Canvas<'_>,
    panel: &Panel,
    branch: &Branch,
    value: &dyn Fn(&BranchPoint) -> f64,
    is_named: bool,
) {
    for (stability, points) in stretches(branch, value) {
        let width = if stability == Stability::Stable { 2.2 } else { 1.1 };
        panel.curve(canvas, &Curve { points, color: colour(stability), width });
    }
    for found in &branch.bifurcations {
        let at = panel.pixel([found.orbit.parameter, value(&found.orbit)]);
        canvas.dot(at, 4.0, kind_colour(found.kind));
        if is_named {
            let text = format!("{} {}", found.kind.name(), number(found.orbit.parameter));
            canvas.text(&text, [at[0] + 7.0, at[1] - 9.0], &Font { color: INK, ..Font::new(10.5, Anchor::Left) });
        }
    }
}

/// Stretches of one stability. They meet at the bifurcation between them, or in the middle if none was located.
fn stretches(branch: &Branch, value: &dyn Fn(&BranchPoint) -> f64) -> Vec<(Stability, Vec<Place>)> {
    let place = |point: &BranchPoint| [point.parameter, value(point)];
    let mut all: Vec<(Stability, Vec<Place>)> = Vec::new();
    for (k, point) in branch.points.iter().enumerate() {
        let (stability, here) = (point.multipliers.stability(), place(point));
        match all.last_mut() {
            Some((was, places)) if *was == stability => places.push(here),
            Some((_, places)) => {
                let before = &branch.points[k - 1];
                let (low, high) = (before.parameter.min(point.parameter), before.parameter.max(point.parameter));
                let between = branch.bifurcations.iter().find(|found| (low..=high).contains(&found.orbit.parameter));
                let last = place(before);
                let middle = [0.5 * (last[0] + here[0]), 0.5 * (last[1] + here[1])];
                let joint = between.map_or(middle, |found| place(&found.orbit));
                places.push(joint);
                all.push((stability, vec![joint, here]));
            }
            None => all.push((stability, vec![here])),
        }
    }
    all
}

pub(super) fn colour(stability: Stability) -> RGBColor {
    match stability {
        Stability::Stable => PALETTE[0],
        Stability::Neutral => PALETTE[3],
        Stability::Unstable => PALETTE[1],
    }
}

fn kind_colour(kind: Kind) -> RGBColor {
    match kind {
        Kind::Fold => PALETTE[2],
        Kind::PeriodDoubling => PALETTE[4],
        Kind::NeimarkSacker => PALETTE[5],
    }
}
