//! The frames of a tree and its Lagrangian, as expressions of any graph: what trees in Rust and in model files share.
//!
//! ```text
//! L = sum over bodies of  m |v_c|^2 / 2 + w . I w / 2 + m g . x_c - sum over springs of k (x - rest)^2 / 2
//! v_c = v + w x c,   g . x_c = h + g . c
//! ```
//!
//! with the motion `(w, v, g, h)` of the body's frame (`motion`) and the centre of mass `c` in it.

use super::joint::Freedom;
use super::motion::Motion;
use super::pose::Pose;
use super::rotation::Rotation;
use super::vector::{Vector, add, cross};
use carom_expr::{Graph, Id};

/// Where the world stands among the frames.
pub(crate) const WORLD: usize = 0;

/// A joint in the frame of its parent: where it is, and which way it points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mount {
    pub(crate) parent: usize,
    pub(crate) at: Vector,
    pub(crate) turn: Rotation,
}

/// The frames of the bodies, after that of the world.
#[derive(Clone, Debug)]
pub(crate) struct Frames {
    frames: Vec<Frame>,
    /// Everything that was loaded so far.
    pub(crate) lagrangian: Id,
}

#[derive(Clone, Debug)]
struct Frame {
    motion: Motion,
    parent: usize,
    /// Computed when a place is asked for.
    pose: Option<Pose>,
}

impl Frames {
    /// The world alone, with the acceleration of gravity in it.
    pub(crate) fn new(graph: &mut Graph, gravity: Vector) -> Self {
        let (motion, pose) = (Motion::world(graph, gravity), Some(Pose::world(graph)));
        Self { frames: vec![Frame { motion, parent: WORLD, pose }], lagrangian: graph.constant(0.0) }
    }

    /// A frame on a joint. The axes of the freedoms have directions.
    pub(crate) fn attach(&mut self, graph: &mut Graph, mount: Mount, freedoms: &[Freedom<'_>]) -> usize {
        let mut motion = self.frames[mount.parent].motion.child().shifted(graph, mount.at).rotated(graph, mount.turn);
        for freedom in freedoms {
            let (Freedom::Turn(coordinate, axis) | Freedom::Slide(coordinate, axis)) = *freedom;
            let state = (graph.variable(coordinate), graph.variable(&format!("{coordinate}'")));
            let length = freedom.axis_length();
            let unit = axis.map(|part| part / length);
            motion = match freedom {
                Freedom::Turn(..) => motion.turned(graph, unit, state),
                Freedom::Slide(..) => motion.slid(graph, unit, state),
            };
        }
        self.frames.push(Frame { motion, parent: mount.parent, pose: None });
        self.frames.len() - 1
    }

    /// Adds a mass, with its centre and its inertia `Ixx, Iyy, Izz, Ixy, Ixz, Iyz` about the centre.
    pub(crate) fn load(&mut self, graph: &mut Graph, body: usize, mass: Id, centre: Vector, inertia: [Id; 6]) {
        let motion = &self.frames[body].motion;
        // m (|v_c|^2 / 2 + g . x_c)
        let swept = cross(graph, motion.spin, centre);
        let velocity = add(graph, motion.velocity, swept);
        let square = graph.dot(&velocity, &velocity);
        let fall = graph.dot(&motion.gravity, &centre);
        let height = graph.add(motion.height, fall);
        let half = graph.scale(0.5, square);
        let moving = graph.add(half, height);
        let translation = graph.mul(mass, moving);
        // w . I w / 2
        let [xx, yy, zz, xy, xz, yz] = inertia;
        let momentum = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]].map(|row| graph.dot(&row, &motion.spin));
        let turning = graph.dot(&momentum, &motion.spin);
        let rotation = graph.scale(0.5, turning);
        let own = graph.add(translation, rotation);
        self.lagrangian = graph.add(self.lagrangian, own);
    }

    /// Takes the potential `k x^2 / 2` of a spring off the Lagrangian.
    pub(crate) fn stretch(&mut self, graph: &mut Graph, stiffness: Id, x: Id) {
        let square = graph.mul(x, x);
        let energy = graph.mul(stiffness, square);
        let potential = graph.scale(0.5, energy);
        self.lagrangian = graph.sub(self.lagrangian, potential);
    }

    /// Where a frame is in the world.
    pub(crate) fn pose(&mut self, graph: &mut Graph, body: usize) -> Pose {
        // Up to the first frame that is known, then down again.
        let mut unknown = Vec::new();
        let mut here = body;
        let mut pose = loop {
            if let Some(pose) = self.frames[here].pose {
                break pose;
            }
            unknown.push(here);
            here = self.frames[here].parent;
        };
        for index in unknown.into_iter().rev() {
            for step in self.frames[index].motion.path.clone() {
                pose = pose.followed(graph, step);
            }
            self.frames[index].pose = Some(pose);
        }
        pose
    }

    /// The place in the world of a point of a body.
    pub(crate) fn place(&mut self, graph: &mut Graph, body: usize, point: Vector) -> Vector {
        self.pose(graph, body).place(graph, point)
    }
}
