//! What drawings show of the world: the plane of two axes, or the sight from a direction.
//!
//! ```text
//! right = (-sin a, cos a, 0)
//! up    = (-sin e cos a, -sin e sin a, cos e)
//! ```
//!
//! for azimuth `a` and elevation `e` of the one who looks; `[-90, 0]` shows x and z.

use super::super::numbers::Numbers;
use super::super::source::Report;
use super::build::Built;
use super::planes::DeclaredView;
use crate::drawing::{Point, Shape};
use crate::tree::{Plane, Pose, Vector, constant, rounded};
use carom_expr::Graph;

/// Azimuth and elevation of trees that do not move in planes y = const.
const OBLIQUE: [f64; 2] = [-60.0, 20.0];
/// A plane whose normal is this close to the plane of the drawing is seen as a line.
const EDGE_ON: f64 = 1e-9;

/// The axes of the drawing, in the world.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct View {
    right: [f64; 3],
    up: [f64; 3],
}

/// A frame as it is seen: its origin and its axes.
#[derive(Clone, Copy)]
pub(in super::super) struct Seen {
    origin: Point,
    axes: [Point; 3],
}

impl View {
    /// The one that is declared, or the one that suits the tree.
    pub fn new(report: &mut Report, numbers: &mut Numbers<'_>, declared: Option<&DeclaredView>, built: &Built) -> Self {
        match declared {
            Some(DeclaredView::Axes([right, up])) => Self { right: unit(*right), up: unit(*up) },
            Some(DeclaredView::Angles(values)) => {
                let degrees = values.each_ref().map(|value| numbers.evaluate(report, value, "the view").unwrap_or(0.0));
                Self::from(degrees)
            }
            None if built.is_planar => Self { right: unit(0), up: unit(2) },
            None => Self::from(OBLIQUE),
        }
    }

    fn from(degrees: [f64; 2]) -> Self {
        let [(sin_a, cos_a), (sin_e, cos_e)] = degrees.map(|angle| angle.to_radians().sin_cos());
        let (right, up) = ([-sin_a, cos_a, 0.0], [-sin_e * cos_a, -sin_e * sin_a, cos_e]);
        Self { right: right.map(rounded), up: up.map(rounded) }
    }

    /// Where a place of the world is in the drawing.
    pub fn point(&self, graph: &mut Graph, place: Vector) -> Point {
        [self.right, self.up].map(|axis| {
            let axis = constant(graph, axis);
            graph.dot(&axis, &place)
        })
    }

    /// A frame in the drawing.
    pub fn seen(&self, graph: &mut Graph, pose: &Pose) -> Seen {
        Seen { origin: self.point(graph, pose.origin), axes: pose.axes.map(|axis| self.point(graph, axis)) }
    }

    /// The line that a plane is seen as; nothing if it is not seen edge-on.
    pub fn line(&self, graph: &mut Graph, plane: &Plane, normal: [f64; 3]) -> Option<Shape> {
        let along = |axis: [f64; 3]| axis.iter().zip(normal).map(|(a, b)| a * b).sum::<f64>();
        let (right, up) = (along(self.right), along(self.up));
        if (right * right + up * up - 1.0).abs() > EDGE_ON {
            return None;
        }
        // No name of a model has a space in it.
        let variables = ["drawing right", "drawing up"].map(|name| graph.variable(name));
        let slopes = self.point(graph, plane.normal);
        let height = graph.dot(&slopes, &variables);
        Some(Shape::Ground { gap: graph.sub(height, plane.offset), plane: variables })
    }
}

impl Seen {
    /// Where a place of the frame is in the drawing.
    pub fn point(&self, graph: &mut Graph, place: Vector) -> Point {
        std::array::from_fn(|i| {
            let across = graph.dot(&self.axes.map(|axis| axis[i]), &place);
            graph.add(self.origin[i], across)
        })
    }
}

fn unit(axis: usize) -> [f64; 3] {
    std::array::from_fn(|i| if i == axis { 1.0 } else { 0.0 })
}
