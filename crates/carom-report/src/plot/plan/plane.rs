//! Two coordinates as a plane, with the boundary of the feasible set.

use super::super::axis::Axis;
use super::super::canvas::Canvas;
use super::super::curve::Place;
use super::super::label::symbol;
use super::super::motion::{Ground, grounds};
use super::super::panel::{Curve, Frame, Panel};
use super::super::{TITLE, WIDTH};
use super::over_time::{Grid, SMALL, heading};
use super::{Look, PlanFigure, SPLINE, TAKEN, UNFORCED, chosen, dense, impacts, taken_name, title, unprojected};
use crate::error::ReportError;
use carom_control::planner::Snapshot;
use carom_model::{Primitive, Shape};

/// Room left and right of the frame, above it and below it.
const ROOM: [f64; 4] = [72.0, 24.0, 42.0, 52.0];
/// Heights of the frame.
const HEIGHTS: [f64; 2] = [240.0, 640.0];

/// The window that all curves fit into.
pub(super) struct Plane {
    low: Place,
    high: Place,
    /// True if both directions have the same unit, and then the same scale.
    is_even: bool,
}

impl Plane {
    /// Nothing if the system does not have two coordinates.
    pub fn new(figure: &PlanFigure<'_>) -> Result<Option<Self>, ReportError> {
        let coordinates = figure.system.coordinates();
        if coordinates.len() != 2 || figure.plan.coordinates != figure.system.coordinate_names() {
            return Ok(None);
        }
        let chosen = chosen(figure.plan);
        let points = chosen.iter().flat_map(|snapshot| snapshot.q.iter().chain(&snapshot.unprojected));
        let points = points.filter_map(|q| Some([*q.first()?, *q.get(1)?]));
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in points.chain(taken(figure)).filter(|point| point.iter().all(|x| x.is_finite())) {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        if low[0] > high[0] {
            return Ok(None);
        }
        for axis in 0..2 {
            let around = (0.07 * (high[axis] - low[axis])).max(1e-3 * high[axis].abs().max(1.0));
            (low[axis], high[axis]) = (low[axis] - around, high[axis] + around);
        }
        Ok(Some(Self { low, high, is_even: coordinates[0].unit == coordinates[1].unit }))
    }

    /// Height over width.
    fn ratio(&self) -> f64 {
        (self.high[1] - self.low[1]) / (self.high[0] - self.low[0])
    }

    /// Axes on a frame; the window grows where its proportions differ.
    fn panel(&self, frame: Frame) -> Panel {
        let (mut low, mut high) = (self.low, self.high);
        if self.is_even {
            let wanted = frame.height / frame.width;
            let (axis, factor) =
                if self.ratio() < wanted { (1, wanted / self.ratio()) } else { (0, self.ratio() / wanted) };
            let (centre, half) = (0.5 * (low[axis] + high[axis]), 0.5 * factor * (high[axis] - low[axis]));
            (low[axis], high[axis]) = (centre - half, centre + half);
        }
        Panel { frame, x: Axis::exactly(low[0], high[0]), y: Axis::exactly(low[1], high[1]) }
    }

    /// The last path, before and after its projection, the motion that was taken, and the one without inputs.
    pub fn paths(&self, figure: &PlanFigure<'_>) -> Result<String, String> {
        let Some(last) = figure.plan.snapshots.last() else { return Err("there is no path".to_owned()) };
        let [left, right, above, below] = ROOM;
        let room = WIDTH - left - right;
        let height = if self.is_even { room * self.ratio() } else { 420.0 }.clamp(HEIGHTS[0], HEIGHTS[1]);
        let panel = self.panel(Frame { left, top: TITLE + above, width: room, height });
        let boundary = boundary(figure, last, &panel).map_err(|error| error.to_string())?;
        let mut curves = vec![
            ("spline z, unprojected".to_owned(), points(&last.unprojected), unprojected()),
            (format!("q = P(z), {}", impacts(last.impacts.len())), points(&last.q), SPLINE),
        ];
        if let Some(motion) = figure.unforced {
            let timeline = super::super::timeline::Timeline::new(motion);
            let curve = timeline.curve(|stop| [timeline.coordinate(stop, 0), timeline.coordinate(stop, 1)]);
            curves.insert(0, ("without inputs".to_owned(), curve, UNFORCED));
        }
        if !figure.motion.is_empty() {
            curves.push((taken_name(figure), taken(figure), TAKEN));
        }
        Canvas::draw([WIDTH, panel.frame.bottom() + below], "", |canvas| {
            title(canvas, &figure.caption);
            panel.axes(canvas, true);
            boundary.iter().for_each(|ground| ground.draw(canvas));
            for (_, points, Look { color, width }) in &curves {
                panel.curve(canvas, &Curve { points: inside(&panel, points), color: *color, width: *width });
            }
            let names: Vec<_> = curves.iter().map(|(name, _, look)| (name.clone(), look.color)).collect();
            panel.legend(canvas, &names);
            let [x, y] = [0, 1].map(|index| &figure.system.coordinates()[index]);
            let label = |axis: &Axis, index: usize| {
                let coordinate = [x, y][index];
                axis.label(&symbol(&coordinate.name), coordinate.unit.as_deref())
            };
            panel.labels(canvas, Some(&label(&panel.x, 0)), &label(&panel.y, 1), 48.0);
        })
    }

    /// Paths at some iterations.
    pub fn snapshots(&self, figure: &PlanFigure<'_>) -> Result<Result<String, String>, ReportError> {
        let list = chosen(figure.plan);
        let grid = if self.is_even { Grid::proportioned(list.len(), self.ratio()) } else { Grid::new(list.len()) };
        let mut drawn = Vec::new();
        for (index, snapshot) in list.iter().enumerate() {
            let panel = self.panel(grid.frame(index));
            let boundary = boundary(figure, snapshot, &panel)?;
            drawn.push((panel, boundary, *snapshot));
        }
        Ok(Canvas::draw([WIDTH, grid.height()], "", |canvas| {
            title(canvas, &figure.caption);
            for (panel, boundary, snapshot) in &drawn {
                panel.spaced_axes(canvas, true, SMALL);
                boundary.iter().for_each(|ground| ground.draw(canvas));
                for (rows, look) in [(&snapshot.unprojected, unprojected()), (&snapshot.q, SPLINE)] {
                    let points = settled(points(rows));
                    panel.curve(canvas, &Curve { points, color: look.color, width: look.width });
                }
                heading(canvas, panel, snapshot);
            }
            let frame = Frame { top: grid.height() - 8.0, left: ROOM[0], width: WIDTH - ROOM[0], height: 0.0 };
            let legend = Panel { frame, x: Axis::exactly(0.0, 1.0), y: Axis::exactly(0.0, 1.0) };
            let names = [("spline z, unprojected", unprojected()), ("q = P(z)", SPLINE)];
            legend.legend(canvas, &names.map(|(name, look)| (name.to_owned(), look.color)));
        }))
    }
}

/// A path that stays where it is becomes a dot.
fn settled(points: Vec<Place>) -> Vec<Place> {
    let Some(first) = points.first().copied() else { return points };
    let stays =
        points.iter().all(|point| (0..2).all(|i| (point[i] - first[i]).abs() <= 1e-9 * first[i].abs().max(1.0)));
    if stays { vec![first] } else { points }
}

fn points(rows: &[Vec<f64>]) -> Vec<Place> {
    rows.iter().map(|row| [row[0], row[1]]).collect()
}

/// The motion that was taken, in the plane.
fn taken(figure: &PlanFigure<'_>) -> Vec<Place> {
    figure.motion.iter().flat_map(dense).filter_map(|(_, q)| Some([*q.first()?, *q.get(1)?])).collect()
}

/// What is outside of the window breaks a curve: motions without inputs go where they like.
fn inside(panel: &Panel, points: &[Place]) -> Vec<Place> {
    let is_inside = |point: &Place| {
        (0.0..=1.0).contains(&panel.x.place(point[0])) && (0.0..=1.0).contains(&panel.y.place(point[1]))
    };
    points.iter().map(|point| if is_inside(point) { *point } else { [f64::NAN; 2] }).collect()
}

/// Where the gaps vanish, in the plane of the coordinates.
fn boundary(figure: &PlanFigure<'_>, snapshot: &Snapshot, panel: &Panel) -> Result<Vec<Ground>, ReportError> {
    let system = figure.system;
    let &[x, y] = system.q() else { return Ok(Vec::new()) };
    let ground = |gap| Primitive { shape: Shape::Ground { gap, plane: [x, y] }, color: None, trace: false };
    let drawing: Vec<Primitive> = system.contacts().iter().map(|contact| ground(contact.gap)).collect();
    let state: Vec<f64> = std::iter::once(snapshot.t.last().copied().unwrap_or(0.0)).chain([0.0; 4]).collect();
    grounds(system, &drawing, &state, panel)
}
