//! Trees with more than joints: loops that close, springs between points, contacts with planes.
//!
//! ```
//! use carom_model::Contact;
//! use carom_model::tree::{Anchor, Joint, Tree};
//!
//! // A point on two slides, tied to the origin, above the floor z = -1.
//! let mut tree = Tree::new("bead", [0.0, 0.0, -9.81]);
//! let [zero, one] = [0.0, 1.0].map(|value| tree.number(value));
//! let joint = Joint::Planar {
//!     places: ["x", "z"].map(str::to_owned),
//!     angle: "turn".to_owned(),
//!     axes: [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
//! };
//! let world = tree.world();
//! let bead = tree.attach("bead", world, [zero; 3], &joint)?;
//! tree.load(bead, one, [zero; 3], [one; 3]);
//! let ends = [Anchor::new(world, [zero; 3]), Anchor::new(bead, [zero; 3])];
//! tree.spring_between(ends, one, zero);
//! let floor = tree.plane_contact("floor", ends[1], [0.0, 0.0, 1.0], -1.0, "elastic")?;
//! assert_eq!(floor.tangents.len(), 1);
//! tree.contact(floor);
//! assert_eq!(tree.build()?.contacts().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::linkage::{Plane, damper, difference, distance_constraint, length};
use super::vector::{Vector, constant};
use super::{BodyId, Tree, TreeError, moving};
use crate::contact::Contact;
use carom_expr::Id;

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The body.
    pub body: BodyId,
    /// Where it is in the frame of the body.
    pub at: [Id; 3],
}

impl Anchor {
    /// The point of `body` at `at`.
    pub fn new(body: BodyId, at: [Id; 3]) -> Self {
        Self { body, at }
    }
}

impl Tree {
    /// The points stay together: constraints `name_x`, `name_y`, `name_z`, without those on which no coordinate has an
    /// influence.
    pub fn loop_closure(&mut self, name: &str, ends: [Anchor; 2]) -> Result<(), TreeError> {
        let ends = self.places(ends);
        let apart = difference(&mut self.graph, ends);
        let moves = moving(&self.graph, &apart, &self.parameters);
        if !moves.contains(&true) {
            return Err(TreeError::ConstantLoop { name: name.to_owned() });
        }
        for ((letter, id), _) in "xyz".chars().zip(apart).zip(moves).filter(|(_, moves)| *moves) {
            self.constraint(&format!("{name}_{letter}"), id);
        }
        Ok(())
    }

    /// The points keep a distance: the constraint `(|a - b|^2 - d^2) / (2 d)`.
    pub fn loop_distance(&mut self, name: &str, ends: [Anchor; 2], distance: Id) -> Result<(), TreeError> {
        let ends = self.places(ends);
        let id = distance_constraint(&mut self.graph, ends, distance);
        if !moving(&self.graph, &[id], &self.parameters).contains(&true) {
            return Err(TreeError::ConstantLoop { name: name.to_owned() });
        }
        self.constraint(name, id);
        Ok(())
    }

    /// A spring between two points: the potential `k (|a - b| - rest)^2 / 2`.
    pub fn spring_between(&mut self, ends: [Anchor; 2], stiffness: Id, rest: Id) {
        let ends = self.places(ends);
        let length = length(&mut self.graph, ends);
        let stretch = self.graph.sub(length, rest);
        self.frames.stretch(&mut self.graph, stiffness, stretch);
    }

    /// A damper between two points: the force `-c d|a - b|/dt` along the line between them.
    pub fn damper_between(&mut self, ends: [Anchor; 2], damping: Id) {
        let ends = self.places(ends);
        let state: Vec<(Id, Id)> = self.state.iter().map(|(_, q, v)| (*q, *v)).collect();
        let forces = damper(&mut self.graph, ends, damping, &state);
        let names: Vec<String> = self.state.iter().map(|(name, ..)| name.clone()).collect();
        names.iter().zip(forces).for_each(|(name, force)| self.force(name, force));
    }

    /// The contact of a point with the plane `n . x = offset`, to which [`Tree::contact`] adds it: with the tangents in the
    /// plane on which coordinates have an influence.
    pub fn plane_contact(
        &mut self,
        name: &str,
        point: Anchor,
        normal: [f64; 3],
        offset: f64,
        law: &str,
    ) -> Result<Contact, TreeError> {
        let length = normal.iter().map(|part| part * part).sum::<f64>().sqrt();
        if !(length.is_finite() && length > 0.0) {
            return Err(TreeError::Normal { name: name.to_owned(), length });
        }
        let place = self.place(point.body, point.at);
        let graph = &mut self.graph;
        let (unit, offset, zero) = (constant(graph, normal), graph.constant(offset), graph.constant(0.0));
        let plane = Plane::new(graph, unit, offset);
        let gap = plane.gap(graph, place, zero);
        let tangents = plane.tangents(graph, normal[0] / length).map(|tangent| graph.dot(&tangent, &place));
        let moves = moving(graph, &tangents, &self.parameters);
        let tangents = tangents.into_iter().zip(moves).filter(|(_, moves)| *moves).map(|(id, _)| id).collect();
        Ok(Contact { tangents, ..Contact::new(name, gap, law) })
    }

    fn places(&mut self, ends: [Anchor; 2]) -> [Vector; 2] {
        ends.map(|end| self.place(end.body, end.at))
    }
}
