//! The motion of a frame, carried from body to body.
//!
//! Velocities are kept in the frame itself, so that every joint adds a few products and nothing is multiplied out:
//!
//! ```text
//! shift by r:                 v <- v + w x r,                 h <- h + g . r
//! slide by s along a:         v <- v + w x (s a) + s' a
//! turn by theta about a:      w <- R^T w + theta' a,  v <- R^T v,  g <- R^T g
//! ```
//!
//! with the angular velocity `w`, the velocity `v` of the origin, the field of gravity `g` and the potential `h = g . x` of the
//! origin, all as seen in the frame.

use super::vector::{Turn, Vector, add, constant, cross, scale};
use carom_expr::{Graph, Id};

/// A frame that moves.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    /// Angular velocity, in the frame.
    pub(super) spin: Vector,
    /// Velocity of the origin, in the frame.
    pub(super) velocity: Vector,
    /// Acceleration of gravity, in the frame.
    pub(super) gravity: Vector,
    /// `g . x` of the origin.
    pub(super) height: Id,
    /// Turns and shifts from the world, for places.
    path: Vec<Step>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Shift(Vector),
    Turn(Turn),
}

impl Motion {
    /// The world at rest.
    pub(super) fn world(graph: &mut Graph, gravity: [f64; 3]) -> Self {
        let zero = constant(graph, [0.0; 3]);
        Self { spin: zero, velocity: zero, gravity: constant(graph, gravity), height: zero[0], path: Vec::new() }
    }

    /// The frame beside it, at `by`.
    pub(super) fn shifted(mut self, graph: &mut Graph, by: Vector) -> Self {
        let swept = cross(graph, self.spin, by);
        self.velocity = add(graph, self.velocity, swept);
        let rise = graph.dot(&self.gravity, &by);
        self.height = graph.add(self.height, rise);
        self.path.push(Step::Shift(by));
        self
    }

    /// The frame that slides along an axis.
    pub(super) fn slid(mut self, graph: &mut Graph, axis: [f64; 3], (place, rate): (Id, Id)) -> Self {
        let axis = constant(graph, axis);
        let by = scale(graph, place, axis);
        self = self.shifted(graph, by);
        let speed = scale(graph, rate, axis);
        self.velocity = add(graph, self.velocity, speed);
        self
    }

    /// The frame that turns about an axis.
    pub(super) fn turned(mut self, graph: &mut Graph, axis: [f64; 3], (angle, rate): (Id, Id)) -> Self {
        let turn = Turn::new(graph, axis, angle);
        let own = constant(graph, axis);
        let own = scale(graph, rate, own);
        let spin = turn.back(graph, self.spin);
        self.spin = add(graph, spin, own);
        self.velocity = turn.back(graph, self.velocity);
        self.gravity = turn.back(graph, self.gravity);
        self.path.push(Step::Turn(turn));
        self
    }

    /// The place in the world of a point of the frame.
    pub(super) fn place(&self, graph: &mut Graph, point: Vector) -> Vector {
        let mut at = point;
        for step in self.path.iter().rev() {
            at = match step {
                Step::Shift(by) => add(graph, *by, at),
                Step::Turn(turn) => turn.forth(graph, at),
            };
        }
        at
    }
}
