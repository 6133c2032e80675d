//! Two coordinates: the local projection, the global one in normal form, and the same in the coordinates of the system.

use super::super::TITLE;
use super::super::axis::Axis;
use super::super::canvas::{Anchor, Canvas, Font, Stroke};
use super::super::colour::{INK, PALETTE, QUIET, faint};
use super::super::curve::Place;
use super::super::label::symbol;
use super::super::panel::{Frame, Panel};
use super::samples::{Samples, View};
use super::{ProjectionFigure, title};
use crate::error::ReportError;
use carom_expr::Dependence;
use carom_model::projection::{NormalForm, Projection, ProjectionError, ProjectionKind, ProjectionMap};
use plotters::style::RGBColor;

/// Width of the picture, and room for texts left of every frame, between frames, and right of the last one.
const PAGE: f64 = 1120.0;
const ROOM: [f64; 2] = [66.0, 20.0];
/// Height of the frames.
const HEIGHT: f64 = 300.0;
/// So many periods of a coordinate are shown.
const PERIODS: f64 = 1.5;
/// Half of what is shown of a coordinate without a period or limits.
const EXTENT: f64 = 5.0;
/// How much more than the boundary itself is shown, and the least part of the width.
const AROUND: [f64; 2] = [2.2, 0.1];
/// Points of the boundary.
const POINTS: usize = 300;

/// The part of the plane that is shown.
struct Window {
    right: [f64; 2],
    up: [f64; 2],
    /// The boundary.
    boundary: Vec<Place>,
}

/// One of the three.
struct Part<'a> {
    heading: String,
    projection: &'a Projection,
    view: View,
    /// Ends of the second direction.
    up: [f64; 2],
    label: (String, Option<&'a str>),
    boundary: Vec<Place>,
    /// True if the gap grows upwards.
    grows: bool,
    impact: Option<Place>,
}

pub(super) fn draw(figure: &ProjectionFigure<'_>, normal: &NormalForm) -> Result<Result<String, String>, ReportError> {
    let projection = figure.projection;
    let mut map = projection.map()?;
    let original = View { stay: normal.others[0], replaced: normal.monotonic.coordinate, is_normal: false };
    let impact = match figure.local.map(Projection::kind) {
        Some(ProjectionKind::Local(local)) => Some(local.impact.clone()),
        _ => None,
    };
    let window = Window::around(projection, &mut map, original, impact.as_deref())?;
    let parts = parts(figure, (original, &window), impact.as_deref());
    let across = (PAGE - ROOM[1]) / parts.len() as f64;
    let stay = &projection.simple().coordinates[original.stay];
    let mut drawn = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let left = index as f64 * across + ROOM[0];
        let frame = Frame { left, top: TITLE + 36.0, width: across - ROOM[0], height: HEIGHT };
        let [right, up] = [window.right, part.up].map(|[low, high]| Axis::exactly(low, high));
        let panel = Panel { frame, x: right, y: up };
        let samples = Samples::of(&mut part.projection.map()?, part.view, &panel);
        drawn.push((part, panel, samples));
    }
    let bottom = TITLE + 36.0 + HEIGHT;
    let has_lost = drawn.iter().any(|(.., samples)| !samples.lost.is_empty());
    let picture = Canvas::draw([PAGE, bottom + 78.0], "", |canvas| {
        title(canvas, figure.title);
        for (part, panel, samples) in &drawn {
            part.draw(canvas, panel, samples);
            let right = panel.x.label(&symbol(&stay.name), stay.unit.as_deref());
            panel.labels(canvas, Some(&right), &panel.y.label(&part.label.0, part.label.1), 46.0);
        }
        legend(canvas, bottom + 62.0, has_lost, impact.is_some());
    });
    Ok(picture)
}

/// Local (if there is one), in normal form, in the coordinates of the system.
fn parts<'a>(
    figure: &ProjectionFigure<'a>,
    (original, window): (View, &Window),
    impact: Option<&[f64]>,
) -> Vec<Part<'a>> {
    let projection = figure.projection;
    let replaced = &projection.simple().coordinates[original.replaced];
    let grows = projection.normal_form().is_none_or(|normal| normal.monotonic.grows);
    let plain = |heading: &str, projection: &'a Projection| Part {
        heading: heading.to_owned(),
        projection,
        view: original,
        up: window.up,
        label: (symbol(&replaced.name), replaced.unit.as_deref()),
        boundary: window.boundary.clone(),
        grows,
        impact: None,
    };
    let half = 0.5 * (window.up[1] - window.up[0]);
    let mut parts = Vec::new();
    if let Some(local) = figure.local {
        let impact = impact.map(|at| [at[original.stay], at[original.replaced]]);
        parts.push(Part { impact, ..plain("local, for one impact", local) });
    }
    parts.push(Part {
        view: View { is_normal: true, ..original },
        up: [-half, half],
        label: ("gap φ".to_owned(), None),
        boundary: window.right.map(|right| [right, 0.0]).to_vec(),
        grows: true,
        ..plain("global, in normal form", projection)
    });
    parts.push(plain("global, in the coordinates of the system", projection));
    parts
}

impl Window {
    /// Some periods of the coordinate that stays, around the impact; of the other one, what shows the boundary well.
    fn around(
        projection: &Projection,
        map: &mut ProjectionMap,
        view: View,
        impact: Option<&[f64]>,
    ) -> Result<Self, ProjectionError> {
        let simple = projection.simple();
        let centre = impact.map_or(0.0, |at| at[view.stay]);
        let dependence = simple.graph.dependence(&[simple.lagrangian, simple.gap], simple.u[view.stay]);
        // A Lagrangian with gravity along the line does not hide the period of the gap.
        let of_gap = simple.graph.dependence(&[simple.gap], simple.u[view.stay]);
        let right = match (projection.limits()[view.stay], dependence, of_gap) {
            (Some(limits), ..) => limits,
            (None, Dependence::Periodic(period), _) | (None, _, Dependence::Periodic(period)) => {
                [centre - 0.5 * PERIODS * period, centre + 0.5 * PERIODS * period]
            }
            _ => [centre - EXTENT, centre + EXTENT],
        };
        let start = impact.map_or(0.0, |at| at[view.replaced]);
        let mut boundary = Vec::with_capacity(POINTS + 1);
        for k in 0..=POINTS {
            let mut u = vec![start; 2];
            u[view.stay] = right[0] + (right[1] - right[0]) * k as f64 / POINTS as f64;
            let touching = map.along(&u, view.replaced, 0.0)?;
            boundary.push([touching[view.stay], touching[view.replaced]]);
        }
        let ends = boundary
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], point| [low.min(point[1]), high.max(point[1])]);
        let half = (AROUND[0] * 0.5 * (ends[1] - ends[0])).max(AROUND[1] * (right[1] - right[0]));
        let middle = 0.5 * (ends[0] + ends[1]);
        Ok(Self { right, up: [middle - half, middle + half], boundary })
    }
}

impl Part<'_> {
    fn draw(&self, canvas: &mut Canvas<'_>, panel: &Panel, samples: &Samples) {
        let frame = panel.frame;
        let line: Vec<Place> = self.boundary.iter().map(|&point| panel.pixel(point)).collect();
        // The feasible set lies above its boundary, or below.
        let far = if self.grows { frame.top } else { frame.bottom() };
        let area: Vec<Place> = line.iter().copied().chain([[frame.right(), far], [frame.left, far]]).collect();
        canvas.polygon(&area, faint(PALETTE[2], 0.22));
        panel.axes(canvas, true);
        let is_inside =
            |[x, y]: Place| (frame.left..frame.right()).contains(&x) && (frame.top..frame.bottom()).contains(&y);
        let mut dots = |places: &[Place], radius: f64, color: RGBColor| {
            let pixels = places.iter().map(|&place| panel.pixel(place));
            pixels.filter(|&pixel| is_inside(pixel)).for_each(|pixel| canvas.dot(pixel, radius, color));
        };
        dots(&samples.images, 1.125, faint(PALETTE[0], 0.8));
        dots(&samples.projected, 2.25, PALETTE[0]);
        dots(&samples.lost, 2.25, PALETTE[1]);
        canvas.path(&line, Stroke { color: PALETTE[2], width: 1.75 });
        if let Some(impact) = self.impact {
            canvas.dot(panel.pixel(impact), 6.0, RGBColor(255, 255, 255));
            canvas.dot(panel.pixel(impact), 4.75, INK);
        }
        let bold = Font { bold: true, ..Font::new(12.0, Anchor::Left) };
        canvas.text(&self.heading, [frame.left, frame.top - 24.0], &bold);
        let quiet = Font { color: QUIET, ..Font::new(11.0, Anchor::Left) };
        canvas.text(&samples.tell(), [frame.left, frame.top - 9.0], &quiet);
    }
}

/// What the marks mean.
fn legend(canvas: &mut Canvas<'_>, y: f64, has_lost: bool, has_impact: bool) {
    let mut x = ROOM[0];
    let mut entry = |canvas: &mut Canvas<'_>, radius: f64, color: RGBColor, text: &str| {
        canvas.dot([x + 5.0, y], radius, color);
        canvas.text(text, [x + 15.0, y], &Font::new(11.5, Anchor::Left));
        x += 42.0 + 6.2 * text.chars().count() as f64;
    };
    entry(canvas, 6.0, faint(PALETTE[2], 0.35), "feasible set");
    entry(canvas, 2.75, PALETTE[0], "infeasible, projected onto the feasible set");
    entry(canvas, 1.375, faint(PALETTE[0], 0.8), "the image");
    if has_lost {
        entry(canvas, 2.75, PALETTE[1], "infeasible, and so is the image");
    }
    if has_impact {
        entry(canvas, 4.75, INK, "impact that defines the local projection");
    }
}
