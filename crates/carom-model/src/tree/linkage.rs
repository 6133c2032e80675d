//! What joins two points `a`, `b` of a tree, or a point and a plane.
//!
//! ```text
//! distance:   g = (|a - b|^2 - d^2) / (2 d)
//! damper:     Q_i = -c l' dl/dq_i              with l = |a - b|
//! plane:      gap = n . p - offset - radius    with |n| = 1
//! tangents:   t . p                            with t1 = e - (e . n) n made a unit vector, t2 = n x t1
//! ```

use super::vector::{Vector, cross, scale};
use carom_expr::{Graph, Id, Unary};

/// The tangents begin with the direction x, unless the normal has more of it than this; then with y.
const STEEP: f64 = 0.9;

/// `a - b`
pub(crate) fn difference(graph: &mut Graph, [a, b]: [Vector; 2]) -> Vector {
    std::array::from_fn(|i| graph.sub(a[i], b[i]))
}

/// `|a - b|`
pub(crate) fn length(graph: &mut Graph, ends: [Vector; 2]) -> Id {
    let along = difference(graph, ends);
    norm(graph, along)
}

fn norm(graph: &mut Graph, x: Vector) -> Id {
    let square = graph.dot(&x, &x);
    graph.unary(Unary::Sqrt, square)
}

/// Vanishes where the points have this distance; its gradient has unit length there, as that of the distance has.
pub(crate) fn distance_constraint(graph: &mut Graph, ends: [Vector; 2], distance: Id) -> Id {
    let along = difference(graph, ends);
    let square = graph.dot(&along, &along);
    let wanted = graph.mul(distance, distance);
    let excess = graph.sub(square, wanted);
    let twice = graph.scale(2.0, distance);
    graph.div(excess, twice)
}

/// The forces of a damper along the line between the points, one per coordinate.
pub(crate) fn damper(graph: &mut Graph, ends: [Vector; 2], damping: Id, state: &[(Id, Id)]) -> Vec<Id> {
    let length = length(graph, ends);
    let rate = graph.directional(&[length], state).first().copied().unwrap_or(length);
    let tension = graph.mul(damping, rate);
    let force = graph.neg(tension);
    let q: Vec<Id> = state.iter().map(|(q, _)| *q).collect();
    let arms = graph.gradient(length, &q);
    arms.into_iter().map(|arm| graph.mul(force, arm)).collect()
}

/// A plane `n . x = offset`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    pub(crate) normal: Vector,
    pub(crate) offset: Id,
}

impl Plane {
    /// With a normal of unit length.
    pub(crate) fn new(graph: &mut Graph, normal: Vector, offset: Id) -> Self {
        let length = norm(graph, normal);
        Self { normal: normal.map(|part| graph.div(part, length)), offset }
    }

    /// The gap of a ball about a point.
    pub(crate) fn gap(&self, graph: &mut Graph, place: Vector, radius: Id) -> Id {
        let height = graph.dot(&self.normal, &place);
        let above = graph.sub(height, self.offset);
        graph.sub(above, radius)
    }

    /// Two directions in the plane; `along_x` is the part of the normal along x, by the numbers that are known.
    pub(crate) fn tangents(&self, graph: &mut Graph, along_x: f64) -> [Vector; 2] {
        let leading = if along_x.abs() <= STEEP { 0 } else { 1 };
        let part = scale(graph, self.normal[leading], self.normal);
        let one = graph.constant(1.0);
        let across: Vector = std::array::from_fn(|i| match i == leading {
            true => graph.sub(one, part[i]),
            false => graph.neg(part[i]),
        });
        let length = norm(graph, across);
        let first = across.map(|part| graph.div(part, length));
        [first, cross(graph, self.normal, first)]
    }
}
