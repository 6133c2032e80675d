//! Shapes with three dimensions: boxes, cylinders and balls in the frame of a body.
//!
//! A box is a path along its 12 edges, a cylinder its two ends with 12 corners each and four lines between them.

use super::document::Entry;
use super::drawing::{Drawings, Fields};
use super::tree::Seen;
use crate::drawing::Shape;
use crate::tree::{Rotation, Vector};
use carom_expr::Id;
use std::f64::consts::TAU;
use toml::de::DeValue;

/// Corners of the end of a cylinder.
const CORNERS: usize = 12;
/// Every how many corners a line goes to the other end.
const SPACING: usize = 3;

/// The signs of the corners of a box, in an order that goes along every edge: around below, then up, around, and down
/// and up again at the three corners that are left.
const BOX: [[f64; 3]; 16] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, -1.0, -1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, 1.0, 1.0],
    [-1.0, -1.0, 1.0],
];

impl Drawings<'_, '_> {
    /// A box, a cylinder or a ball.
    pub fn solid(&mut self, fields: &Fields<'_>) -> Option<Shape> {
        let frame = self.solid_frame(fields);
        match fields.shape {
            "box" => {
                let size = self.required(fields, "size").and_then(|field| self.triple(&field));
                let (frame, size) = (frame?, size?);
                let corners: Vec<Vector> = BOX.iter().map(|signs| self.scaled(*signs, size)).collect();
                Some(self.path(&frame, corners))
            }
            "cylinder" => {
                let (radius, length) = (self.required(fields, "radius"), self.required(fields, "length"));
                let (radius, length) =
                    (radius.and_then(|r| self.expression(&r)), length.and_then(|l| self.expression(&l)));
                let (frame, radius, length) = (frame?, radius?, length?);
                let diameter = self.expressions.graph.scale(2.0, radius);
                let size = [diameter, diameter, length];
                let corners = cylinder().into_iter().map(|signs| self.scaled(signs, size)).collect();
                Some(self.path(&frame, corners))
            }
            _ => {
                let radius = self.required(fields, "radius").and_then(|field| self.expression(&field))?;
                let graph = &mut self.expressions.graph;
                let origin = [graph.constant(0.0); 3];
                Some(Shape::Circle { center: frame?.point(graph, origin), radius })
            }
        }
    }

    /// The frame of the body, moved to `at` and turned by `turn`.
    fn solid_frame(&mut self, fields: &Fields<'_>) -> Option<Seen> {
        let turn = match fields.get("turn") {
            Some(field) => self.angles(field)?,
            None => [0.0; 3],
        };
        let (frame, at) = match fields.get("at") {
            Some(field) if matches!(field.value, DeValue::String(_)) => self.anchor(field)?,
            Some(field) => (self.body(fields)?, self.triple(field)?),
            None => (self.body(fields)?, [self.expressions.graph.constant(0.0); 3]),
        };
        let graph = &mut self.expressions.graph;
        let pose = self.built.frames.pose(graph, frame).mounted(graph, at, Rotation::from_angles(turn));
        Some(self.view.seen(graph, &pose))
    }

    /// The body and the place in it of a point.
    fn anchor(&mut self, field: &Entry<'_>) -> Option<(usize, Vector)> {
        let name = self.report.string(field)?;
        self.built.point(self.report, &(name.clone(), field.place), "the drawing")?;
        let point = self.built.points.iter().find(|point| point.name == name)?;
        Some((point.body?, point.at))
    }

    fn angles(&mut self, field: &Entry<'_>) -> Option<[f64; 3]> {
        let values = self.report.triple(field)?;
        let angles = values.map(|value| self.numbers.evaluate(self.report, &value, "`turn` of a drawing"));
        let [Some(roll), Some(pitch), Some(yaw)] = angles else { return None };
        Some([roll, pitch, yaw])
    }

    /// Three expressions of coordinates and time.
    fn triple(&mut self, field: &Entry<'_>) -> Option<Vector> {
        let values = self.report.triple(field)?;
        let ids = values.map(|value| self.read_value(&value));
        let [Some(x), Some(y), Some(z)] = ids else { return None };
        Some([x, y, z])
    }

    /// Half of the sizes, with these signs.
    fn scaled(&mut self, signs: [f64; 3], size: [Id; 3]) -> Vector {
        std::array::from_fn(|i| self.expressions.graph.scale(0.5 * signs[i], size[i]))
    }

    fn path(&mut self, frame: &Seen, corners: Vec<Vector>) -> Shape {
        let points = corners.into_iter().map(|corner| frame.point(&mut self.expressions.graph, corner)).collect();
        Shape::Polyline { points, closed: false }
    }
}

/// The corners of a cylinder of radius and half length one: around below, up and down on the way, then around above.
fn cylinder() -> Vec<[f64; 3]> {
    let corner = |index: usize, end: f64| {
        let (sin, cos) = (TAU * (index % CORNERS) as f64 / CORNERS as f64).sin_cos();
        [cos, sin, end]
    };
    let mut path = vec![corner(0, -1.0)];
    for index in 1..=CORNERS {
        path.push(corner(index, -1.0));
        if index % SPACING == 0 && index < CORNERS {
            path.extend([corner(index, 1.0), corner(index, -1.0)]);
        }
    }
    path.extend((0..=CORNERS).map(|index| corner(index, 1.0)));
    path
}
