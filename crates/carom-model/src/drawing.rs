//! How a system is drawn: simple shapes whose coordinates are expressions.

use carom_expr::Id;

/// A point of the drawing plane.
pub type Point = [Id; 2];

/// Something to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// The shape.
    pub shape: Shape,
    /// An SVG colour, such as `steelblue` or `#2a6f97`.
    pub color: Option<String>,
    /// True if the path of its (last) point is drawn along the motion.
    pub trace: bool,
}

/// The shapes. Lengths are in the units of the drawing plane.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A dot.
    Point {
        /// Where.
        at: Point,
    },
    /// A thin straight line.
    Line {
        /// One end.
        from: Point,
        /// The other end.
        to: Point,
    },
    /// A thick straight line with round ends.
    Rod {
        /// One end.
        from: Point,
        /// The other end.
        to: Point,
    },
    /// A chain of straight lines.
    Polyline {
        /// The corners.
        points: Vec<Point>,
        /// True if the last corner joins the first.
        closed: bool,
    },
    /// A circle.
    Circle {
        /// Its centre.
        center: Point,
        /// Its radius.
        radius: Id,
    },
    /// An ellipse.
    Ellipse {
        /// Its centre.
        center: Point,
        /// Half axes, along its own directions.
        radii: [Id; 2],
        /// Angle of the first axis.
        angle: Id,
    },
    /// The curve where a gap vanishes, as a function of two plane variables.
    Ground {
        /// The gap, in which `plane` are free.
        gap: Id,
        /// The variables that stand for the plane's coordinates.
        plane: [Id; 2],
    },
}
