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

use super::pose::Step;
use super::rotation::Rotation;
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
    /// Turns and shifts from the frame of the parent, for places.
    pub(super) path: Vec<Step>,
}

impl Motion {
    /// The world at rest.
    pub(super) fn world(graph: &mut Graph, gravity: Vector) -> Self {
        let zero = constant(graph, [0.0; 3]);
        Self { spin: zero, velocity: zero, gravity, height: zero[0], path: Vec::new() }
    }

    /// A frame that moves with this one, as the beginning of a child.
    pub(super) fn child(&self) -> Self {
        Self { path: Vec::new(), ..self.clone() }
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

    /// The frame that stands at an angle to it.
    pub(super) fn rotated(mut self, graph: &mut Graph, rotation: Rotation) -> Self {
        if rotation == Rotation::NONE {
            return self;
        }
        self.spin = rotation.back(graph, self.spin);
        self.velocity = rotation.back(graph, self.velocity);
        self.gravity = rotation.back(graph, self.gravity);
        self.path.push(Step::Fixed(rotation));
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
}
