//! Trees of bodies in model files: `[world]`, `[bodies]`, `[points]`, `[loops]`, `[springs]`.
//!
//! | step | module |
//! |---|---|
//! | how the tables are written | `bodies`, `joints`, `links`, `planes` |
//! | names that they bring: coordinates, inputs | `names` |
//! | which body hangs on which | `parents` |
//! | numbers of parameters, also as expressions | `measures` |
//! | frames, Lagrangian, forces, points | `build` |
//! | loops and springs between points, contacts of points with planes | `linkages`, `contacts` |
//! | drawings of trees | `view`, `automatic` |
//!
//! The kinematics itself is that of [`crate::tree`].

mod automatic;
mod bodies;
mod build;
mod contacts;
mod joints;
mod linkages;
mod links;
mod measures;
mod names;
mod parents;
mod planes;
mod view;

pub(super) use automatic::drawing;
pub(super) use bodies::{DeclaredBody, DeclaredPoint};
pub(super) use build::Built;
pub(super) use contacts::PlaneContact;
pub(super) use linkages::LoopConstraint;
pub(super) use links::{DeclaredLoop, DeclaredSpring, Named};
pub(super) use planes::{DeclaredPlane, DeclaredWorld};
pub(super) use view::{Seen, View};

/// Everything that the file says about its tree.
#[derive(Clone, Debug, Default)]
pub(super) struct DeclaredTree {
    pub world: DeclaredWorld,
    pub bodies: Vec<DeclaredBody>,
    pub points: Vec<DeclaredPoint>,
    pub loops: Vec<DeclaredLoop>,
    pub springs: Vec<DeclaredSpring>,
}

impl DeclaredTree {
    /// There are bodies, and so there is a Lagrangian.
    pub fn is_given(&self) -> bool {
        !self.bodies.is_empty()
    }
}
