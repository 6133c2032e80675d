//! Where a frame is in the world: its origin and its three axes, shared by all points of the body.
//!
//! ```text
//! place of r:               o + A r
//! shift by r:               o <- o + A r
//! turn R:                   A <- A R
//! ```

use super::rotation::Rotation;
use super::vector::{Turn, Vector, add, constant, scale};
use carom_expr::Graph;

/// One part of the way from a frame to the next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Shift(Vector),
    Turn(Turn),
    Fixed(Rotation),
}

/// Origin and axes of a frame, in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pose {
    pub(crate) origin: Vector,
    /// The columns of `A`.
    pub(crate) axes: [Vector; 3],
}

impl Pose {
    /// The world itself.
    pub(crate) fn world(graph: &mut Graph) -> Self {
        let origin = constant(graph, [0.0; 3]);
        Self { origin, axes: unit_vectors(graph) }
    }

    /// `o + A r`
    pub(crate) fn place(&self, graph: &mut Graph, point: Vector) -> Vector {
        let direction = self.direction(graph, point);
        add(graph, self.origin, direction)
    }

    /// `A r`
    fn direction(&self, graph: &mut Graph, r: Vector) -> Vector {
        let mut sum = constant(graph, [0.0; 3]);
        for (axis, part) in self.axes.into_iter().zip(r) {
            let along = scale(graph, part, axis);
            sum = add(graph, sum, along);
        }
        sum
    }

    /// The frame at `at` in this one, with a fixed rotation.
    pub(crate) fn mounted(&self, graph: &mut Graph, at: Vector, rotation: Rotation) -> Self {
        self.followed(graph, Step::Shift(at)).followed(graph, Step::Fixed(rotation))
    }

    /// The frame one step further.
    pub(super) fn followed(&self, graph: &mut Graph, step: Step) -> Self {
        if let Step::Shift(by) = step {
            return Self { origin: self.place(graph, by), ..*self };
        }
        let axes = unit_vectors(graph).map(|unit| {
            let turned = match &step {
                Step::Turn(turn) => turn.forth(graph, unit),
                Step::Fixed(rotation) => rotation.forth(graph, unit),
                Step::Shift(_) => unit,
            };
            self.direction(graph, turned)
        });
        Self { axes, ..*self }
    }
}

fn unit_vectors(graph: &mut Graph) -> [Vector; 3] {
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|unit| constant(graph, unit))
}
