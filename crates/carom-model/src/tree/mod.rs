//! Multibody trees: bodies on joints, expanded to an ordinary [`System`].
//!
//! ```
//! use carom_model::tree::{Joint, Tree};
//!
//! // Two rods that swing in the plane of x and z.
//! let mut tree = Tree::new("double pendulum", [0.0, 0.0, -9.81]);
//! let [zero, one, half, inertia] = [0.0, 1.0, 0.5, 1.0 / 12.0].map(|value| tree.number(value));
//! let (axis, end, centre) = ([0.0, 1.0, 0.0], [zero, zero, one], [zero, zero, half]);
//! let revolute = |angle: &str| Joint::Revolute { angle: angle.to_owned(), axis };
//! let (world, origin) = (tree.world(), [zero; 3]);
//! let upper = tree.attach("upper", world, origin, &revolute("shoulder"))?;
//! tree.load(upper, one, centre, [inertia, inertia, zero]);
//! let lower = tree.attach("lower", upper, end, &revolute("elbow"))?;
//! tree.load(lower, one, centre, [inertia, inertia, zero]);
//! let system = tree.build()?;
//! assert_eq!(system.coordinate_names(), ["shoulder", "elbow"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The Lagrangian is `sum over bodies of m |v_c|^2 / 2 + w . I w / 2 + m g . x_c`, with velocities seen in the bodies themselves
//! (`motion`): a chain of `n` links has an expression of size `n`.

mod joint;
mod motion;
mod vector;

pub use joint::{Axis, Joint};

use crate::builder::{SystemBuilder, SystemError};
use crate::contact::Contact;
use crate::system::System;
use carom_expr::{Graph, Id};
use joint::Freedom;
use motion::Motion;
use vector::{add, cross};

/// A body of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyId(usize);

/// Why a tree cannot grow.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum TreeError {
    #[error("there are two bodies called `{name}`")]
    DuplicateBody { name: String },
    #[error("body `{body}`: the axis of `{coordinate}` has the length {length}; it must have a direction")]
    Axis { body: String, coordinate: String, length: f64 },
}

/// Bodies on joints.
#[derive(Clone, Debug)]
pub struct Tree {
    builder: SystemBuilder,
    graph: Graph,
    names: Vec<String>,
    frames: Vec<Motion>,
    lagrangian: Id,
}

impl Tree {
    /// A world without bodies, with the acceleration of gravity in it.
    pub fn new(name: &str, gravity: [f64; 3]) -> Self {
        let mut graph = Graph::new();
        let world = Motion::world(&mut graph, gravity);
        let lagrangian = graph.constant(0.0);
        let (names, frames) = (vec!["world".to_owned()], vec![world]);
        Self { builder: SystemBuilder::new(name), graph, names, frames, lagrangian }
    }

    /// The graph of its expressions.
    pub fn graph(&mut self) -> &mut Graph {
        &mut self.graph
    }

    /// A number.
    pub fn number(&mut self, value: f64) -> Id {
        self.graph.constant(value)
    }

    /// A parameter with its value.
    pub fn parameter(&mut self, name: &str, value: f64) -> Id {
        self.builder = std::mem::take(&mut self.builder).parameter(name, value);
        self.graph.variable(name)
    }

    /// What everything hangs on.
    pub fn world(&self) -> BodyId {
        BodyId(0)
    }

    /// A body on a joint, whose place in the frame of `parent` is `at`. The frame of the body begins at the joint.
    pub fn attach(&mut self, name: &str, parent: BodyId, at: [Id; 3], joint: &Joint) -> Result<BodyId, TreeError> {
        if self.names.iter().any(|known| known == name) {
            return Err(TreeError::DuplicateBody { name: name.to_owned() });
        }
        let mut frame = self.frames[parent.0].clone().shifted(&mut self.graph, at);
        for freedom in joint.freedoms() {
            let (Freedom::Turn(coordinate, axis) | Freedom::Slide(coordinate, axis)) = freedom;
            let length = axis.iter().map(|part| part * part).sum::<f64>().sqrt();
            if !(length.is_finite() && length > 0.0) {
                let (body, coordinate) = (name.to_owned(), coordinate.to_owned());
                return Err(TreeError::Axis { body, coordinate, length });
            }
            self.builder = std::mem::take(&mut self.builder).coordinate(coordinate);
            let state = (self.graph.variable(coordinate), self.graph.variable(&format!("{coordinate}'")));
            let unit = axis.map(|part| part / length);
            frame = match freedom {
                Freedom::Turn(..) => frame.turned(&mut self.graph, unit, state),
                Freedom::Slide(..) => frame.slid(&mut self.graph, unit, state),
            };
        }
        self.names.push(name.to_owned());
        self.frames.push(frame);
        Ok(BodyId(self.frames.len() - 1))
    }

    /// Gives a body a mass, with its centre in the body's frame and moments of inertia about axes through the centre that
    /// are parallel to those of the frame.
    pub fn load(&mut self, body: BodyId, mass: Id, centre: [Id; 3], inertia: [Id; 3]) {
        let (graph, frame) = (&mut self.graph, &self.frames[body.0]);
        let swept = cross(graph, frame.spin, centre);
        let velocity = add(graph, frame.velocity, swept);
        let square = graph.dot(&velocity, &velocity);
        let fall = graph.dot(&frame.gravity, &centre);
        let height = graph.add(frame.height, fall);
        let half = graph.scale(0.5, square);
        let moving = graph.add(half, height);
        let translation = graph.mul(mass, moving);
        let momentum: [Id; 3] = std::array::from_fn(|i| graph.mul(inertia[i], frame.spin[i]));
        let turning = graph.dot(&momentum, &frame.spin);
        let rotation = graph.scale(0.5, turning);
        let own = graph.add(translation, rotation);
        self.lagrangian = graph.add(self.lagrangian, own);
    }

    /// The place in the world of a point of a body.
    pub fn place(&mut self, body: BodyId, point: [Id; 3]) -> [Id; 3] {
        self.frames[body.0].place(&mut self.graph, point)
    }

    /// A spring on a coordinate: the potential `k (x - rest)^2 / 2`.
    pub fn spring(&mut self, coordinate: &str, stiffness: Id, rest: Id) {
        let x = self.graph.variable(coordinate);
        let stretch = self.graph.sub(x, rest);
        let square = self.graph.mul(stretch, stretch);
        let energy = self.graph.mul(stiffness, square);
        let potential = self.graph.scale(0.5, energy);
        self.lagrangian = self.graph.sub(self.lagrangian, potential);
    }

    /// A damper on a coordinate: the force `-c x'`.
    pub fn damper(&mut self, coordinate: &str, damping: Id) {
        let rate = self.graph.variable(&format!("{coordinate}'"));
        let resistance = self.graph.mul(damping, rate);
        let force = self.graph.neg(resistance);
        self.force(coordinate, force);
    }

    /// An input that drives a coordinate; zero in simulations.
    pub fn actuator(&mut self, input: &str, coordinate: &str) {
        let zero = self.graph.constant(0.0);
        self.builder = std::mem::take(&mut self.builder).input(input, zero);
        let force = self.graph.variable(input);
        self.force(coordinate, force);
    }

    /// A force on a coordinate.
    pub fn force(&mut self, coordinate: &str, force: Id) {
        self.builder = std::mem::take(&mut self.builder).force(coordinate, force);
    }

    /// A holonomic constraint, such as a loop that closes.
    pub fn constraint(&mut self, name: &str, id: Id) {
        self.builder = std::mem::take(&mut self.builder).constraint(name, id);
    }

    /// A contact.
    pub fn contact(&mut self, contact: Contact) {
        self.builder = std::mem::take(&mut self.builder).contact(contact);
    }

    /// The system.
    pub fn build(self) -> Result<System, SystemError> {
        self.builder.lagrangian(self.lagrangian).build(self.graph)
    }
}
