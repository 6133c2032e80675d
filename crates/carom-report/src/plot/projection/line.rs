//! The projection of a line or of a circle, as a curve.

use super::super::axis::Axis;
use super::super::canvas::{Anchor, Canvas, Font, Stroke};
use super::super::colour::{FRAME, PALETTE, QUIET};
use super::super::curve::Place;
use super::super::label::{number, symbol};
use super::super::panel::{Curve, Frame, Panel};
use super::super::{TITLE, WIDTH};
use super::{ProjectionFigure, title};
use crate::error::ReportError;
use carom_model::projection::{ProjectionError, ProjectionKind, ProjectionMap};

/// Points of the curve.
const POINTS: usize = 800;
/// Half of what is shown of a line.
const EXTENT: f64 = 2.0;
/// The frame: left, height.
const FRAME_SIZE: [f64; 2] = [86.0, 380.0];

/// A curve for each side.
struct Sides {
    feasible: Vec<Place>,
    outside: Vec<Place>,
}

pub(super) fn draw(figure: &ProjectionFigure<'_>) -> Result<Result<String, String>, ReportError> {
    let projection = figure.projection;
    let mut map = projection.map()?;
    let (from, to, remark) = match projection.kind() {
        ProjectionKind::Circle(arc) => {
            let half = 0.5 * arc.period;
            let (low, high) = (arc.centre - arc.half, arc.centre + arc.half);
            let slope = format!("P′ = {} at the far side", number(arc.b1));
            let remark =
                format!("feasible: {} to {}, period {}; {slope}", number(low), number(high), number(arc.period));
            (arc.centre - half, arc.centre + half, remark)
        }
        _ => {
            let middle = map.along(&[0.0], 0, 0.0)?[0];
            (middle - EXTENT, middle + EXTENT, String::new())
        }
    };
    let sides = curves(&mut map, from, to)?;
    let frame =
        Frame { left: FRAME_SIZE[0], top: TITLE + 42.0, width: WIDTH - FRAME_SIZE[0] - 24.0, height: FRAME_SIZE[1] };
    let shown = sides.feasible.iter().chain(&sides.outside).map(|point| point[1]);
    let panel = Panel { frame, x: Axis::exactly(from, to), y: Axis::covering(shown, 0.08) };
    let coordinate = &projection.simple().coordinates[0];
    let (name, unit) = (symbol(&coordinate.name), coordinate.unit.as_deref());
    let picture = Canvas::draw([WIDTH, frame.bottom() + 52.0], "", |canvas| {
        title(canvas, figure.title);
        bands(canvas, &panel, &sides.feasible);
        panel.axes(canvas, true);
        panel.labels(canvas, Some(&panel.x.label(&name, unit)), &panel.y.label(&format!("P({name})"), unit), 60.0);
        let identity = Curve { points: vec![[from, from], [to, to]], color: FRAME, width: 0.75 };
        clipped(canvas, &panel, identity);
        panel.curve(canvas, &Curve { points: sides.feasible.clone(), color: PALETTE[2], width: 2.25 });
        panel.curve(canvas, &Curve { points: sides.outside.clone(), color: PALETTE[0], width: 2.25 });
        let names = [("feasible: P is the identity", PALETTE[2]), ("infeasible: projected", PALETTE[0])];
        panel.legend(canvas, &names.map(|(name, color)| (name.to_owned(), color)));
        let quiet = Font { color: QUIET, ..Font::new(11.0, Anchor::Left) };
        canvas.text(&remark, [frame.left, frame.top - 27.0], &quiet);
    });
    Ok(picture)
}

/// Values of `P`; curves break where the other side begins, and where a circle closes.
fn curves(map: &mut ProjectionMap, from: f64, to: f64) -> Result<Sides, ProjectionError> {
    let mut sides = Sides { feasible: Vec::new(), outside: Vec::new() };
    let gap = [f64::NAN; 2];
    let mut last: Option<f64> = None;
    for k in 0..=POINTS {
        let z = from + (to - from) * k as f64 / POINTS as f64;
        let image = map.apply(&[z])?[0];
        let jumps = last.is_some_and(|last| map.period().is_some_and(|period| (image - last).abs() > 0.25 * period));
        let is_feasible = map.gap(&[z]) >= 0.0;
        let (own, other) = if is_feasible {
            (&mut sides.feasible, &mut sides.outside)
        } else {
            (&mut sides.outside, &mut sides.feasible)
        };
        if jumps {
            own.push(gap);
        }
        own.push([z, image]);
        other.push(gap);
        last = Some(image);
    }
    Ok(sides)
}

/// Where the system may be, in light green.
fn bands(canvas: &mut Canvas<'_>, panel: &Panel, feasible: &[Place]) {
    let Frame { top, .. } = panel.frame;
    for stretch in feasible.split(|point| point[0].is_nan()) {
        let (Some(first), Some(last)) = (stretch.first(), stretch.last()) else { continue };
        let [left, right] = [first, last].map(|point| panel.pixel(*point)[0]);
        let bottom = panel.frame.bottom();
        canvas.shade(&[[left, top], [right, top], [right, bottom], [left, bottom]], PALETTE[2], 0.12);
    }
}

/// A straight line as far as it is inside the frame.
fn clipped(canvas: &mut Canvas<'_>, panel: &Panel, line: Curve) {
    let (low, high) = (panel.y.value(0.0), panel.y.value(1.0));
    let points =
        (0..=POINTS).map(|k| line.points[0][0] + (line.points[1][0] - line.points[0][0]) * k as f64 / POINTS as f64);
    let pixels: Vec<[f64; 2]> =
        points.filter(|value| (low..=high).contains(value)).map(|value| panel.pixel([value, value])).collect();
    if pixels.len() > 1 {
        canvas.path(&[pixels[0], pixels[pixels.len() - 1]], Stroke { color: line.color, width: line.width });
    }
}
