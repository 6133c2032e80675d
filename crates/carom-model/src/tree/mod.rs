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
//! (`motion`): a chain of `n` links has an expression of size `n`. Loops, springs between points and contacts with planes
//! are in `links`; model files describe the same trees in `[bodies]`.

mod frames;
mod influence;
mod joint;
mod linkage;
mod links;
mod motion;
mod pose;
mod rotation;
mod vector;

pub(crate) use frames::{Frames, Mount, WORLD};
pub(crate) use influence::moving;
pub(crate) use joint::Freedom;
pub use joint::{Axis, Joint};
pub(crate) use linkage::{Plane, damper, difference, distance_constraint, length};
pub use links::Anchor;
pub(crate) use pose::Pose;
pub(crate) use rotation::{Rotation, rounded};
pub(crate) use vector::{Vector, constant};

use crate::builder::{SystemBuilder, SystemError};
use crate::contact::Contact;
use crate::system::System;
use carom_expr::{Graph, Id};

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
    #[error("loop `{name}`: no coordinate has an influence on where its points are to each other")]
    ConstantLoop { name: String },
    #[error("contact `{name}`: the normal of its plane has the length {length}; it must have a direction")]
    Normal { name: String, length: f64 },
}

/// Bodies on joints.
#[derive(Clone, Debug)]
pub struct Tree {
    builder: SystemBuilder,
    graph: Graph,
    names: Vec<String>,
    frames: Frames,
    /// Coordinates with their rates.
    state: Vec<(String, Id, Id)>,
    /// Parameters with their values.
    parameters: Vec<(Id, f64)>,
}

impl Tree {
    /// A world without bodies, with the acceleration of gravity in it.
    pub fn new(name: &str, gravity: [f64; 3]) -> Self {
        let mut graph = Graph::new();
        let gravity = constant(&mut graph, gravity);
        let frames = Frames::new(&mut graph, gravity);
        let (builder, names) = (SystemBuilder::new(name), vec!["world".to_owned()]);
        Self { builder, graph, names, frames, state: Vec::new(), parameters: Vec::new() }
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
        let id = self.graph.variable(name);
        self.parameters.push((id, value));
        id
    }

    /// What everything hangs on.
    pub fn world(&self) -> BodyId {
        BodyId(WORLD)
    }

    /// A body on a joint, whose place in the frame of `parent` is `at`. The frame of the body begins at the joint.
    pub fn attach(&mut self, name: &str, parent: BodyId, at: [Id; 3], joint: &Joint) -> Result<BodyId, TreeError> {
        self.attach_turned(name, parent, at, [0.0; 3], joint)
    }

    /// A body on a joint that stands at an angle to the parent, by roll, pitch and yaw: `Rz(yaw) Ry(pitch) Rx(roll)`.
    pub fn attach_turned(
        &mut self,
        name: &str,
        parent: BodyId,
        at: [Id; 3],
        turn: [f64; 3],
        joint: &Joint,
    ) -> Result<BodyId, TreeError> {
        if self.names.iter().any(|known| known == name) {
            return Err(TreeError::DuplicateBody { name: name.to_owned() });
        }
        let freedoms = joint.freedoms();
        for freedom in &freedoms {
            let (Freedom::Turn(coordinate, _) | Freedom::Slide(coordinate, _)) = *freedom;
            let length = freedom.axis_length();
            if !(length.is_finite() && length > 0.0) {
                let (body, coordinate) = (name.to_owned(), coordinate.to_owned());
                return Err(TreeError::Axis { body, coordinate, length });
            }
        }
        for freedom in &freedoms {
            let (Freedom::Turn(coordinate, _) | Freedom::Slide(coordinate, _)) = *freedom;
            self.builder = std::mem::take(&mut self.builder).coordinate(coordinate);
            let rate = self.graph.variable(&format!("{coordinate}'"));
            self.state.push((coordinate.to_owned(), self.graph.variable(coordinate), rate));
        }
        let mount = Mount { parent: parent.0, at, turn: Rotation::from_angles(turn) };
        self.names.push(name.to_owned());
        Ok(BodyId(self.frames.attach(&mut self.graph, mount, &freedoms)))
    }

    /// Gives a body a mass, with its centre in the body's frame and moments of inertia about axes through the centre that
    /// are parallel to those of the frame.
    pub fn load(&mut self, body: BodyId, mass: Id, centre: [Id; 3], inertia: [Id; 3]) {
        let ([xx, yy, zz], zero) = (inertia, self.graph.constant(0.0));
        self.load_tensor(body, mass, centre, [xx, yy, zz, zero, zero, zero]);
    }

    /// The same with all elements of the tensor of inertia: `Ixx, Iyy, Izz, Ixy, Ixz, Iyz`.
    pub fn load_tensor(&mut self, body: BodyId, mass: Id, centre: [Id; 3], inertia: [Id; 6]) {
        self.frames.load(&mut self.graph, body.0, mass, centre, inertia);
    }

    /// The place in the world of a point of a body.
    pub fn place(&mut self, body: BodyId, point: [Id; 3]) -> [Id; 3] {
        self.frames.place(&mut self.graph, body.0, point)
    }

    /// A spring on a coordinate: the potential `k (x - rest)^2 / 2`.
    pub fn spring(&mut self, coordinate: &str, stiffness: Id, rest: Id) {
        let x = self.graph.variable(coordinate);
        let stretch = self.graph.sub(x, rest);
        self.frames.stretch(&mut self.graph, stiffness, stretch);
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
        self.builder.lagrangian(self.frames.lagrangian).build(self.graph)
    }
}
