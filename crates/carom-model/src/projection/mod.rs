//! Projections onto the feasible set: smooth paths for motions with impacts.
//!
//! The projected Hamilton's principle (Pekarek and Murphey, *Global projections for variational nonsmooth mechanics*)
//! looks for paths `z(t)` on all of `Q` instead of paths that bounce in `C = { phi >= 0 }`,
//!
//! ```text
//! delta int L(P(z), P'(z) z') dt + int F . P'(z) delta z dt = 0,        P : Q -> C                     (5), (10) of 002
//! ```
//!
//! with a map `P` of the class
//!
//! ```text
//! P(P(z)) = P(z),   P continuous,   P = id on C,   P a diffeomorphism off C,
//! P' = I - 2 M^-1 phi'^T phi' / (phi' M^-1 phi'^T)   on the boundary, seen from outside                      (11)
//! ```
//!
//! Then momenta of the projected system are continuous, `z(t)` is once continuously differentiable, and `q = P(z)` is
//! the motion with elastic impacts. Forces act with `M q'' + ... = F` (the printed (11) of 002 has the opposite sign).
//!
//! ```
//! use carom_model::Model;
//! use carom_model::projection::{Projection, ProjectionOptions, VerifyOptions};
//!
//! let model = Model::from_text(
//!     r#"
//!     lagrangian = "0.5*(x'^2 + y'^2) - 9.81*y"
//!     [coordinates]
//!     x = 0.4
//!     y = 3.0
//!     [contacts.ground]
//!     gap = "y + 2*sin(x)"
//!     law = "elastic"
//!     "#,
//!     "sinusoid.toml",
//!     &[],
//! )?;
//! let projection = Projection::new(&model.system, &ProjectionOptions::default())?;
//! // Any k above sup |Lambda|^2 = 4 will do.
//! assert!((projection.normal_form().expect("a normal form").least_k() - 4.0).abs() < 1e-5);
//! projection.verify(&model.system, &VerifyOptions::default())?.require()?;
//! // A point under the ground is mapped above it.
//! let mut map = projection.map()?;
//! let image = map.apply(&[0.5, -2.0])?;
//! assert!(map.gap(&image) > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | what | module |
//! |---|---|
//! | systems that can be projected; constraints are solved first (`P_h`) | [`Simple`], `constraints` |
//! | the coordinate that the gap replaces (12) | [`Monotonic`] |
//! | normal form, the global projection (14) - (16), `k` | [`NormalForm`] |
//! | the circle (V-A) | [`Arc`] |
//! | the earlier projection, good near one impact only | [`Local`] |
//! | numbers: `P`, `P'`, its inverse | [`ProjectionMap`] |
//! | membership in the class, by sampling | [`Verification`] |
//! | the Lagrangian systems on both sides | [`Projection::sides`] |
//!
//! Constrained systems: the document sets `P_c = P_h . P_u` and needs the constraints to be separable (Lemma 3). Here
//! `P_u` is the global projection of the system *on the constraint manifold*, so that (29), `P_c'(z+) = A P_c'(z-)`,
//! holds whether they are separable or not.

mod along;
mod arc;
mod bound;
mod boundary;
mod constraints;
mod definite;
mod domain;
mod error;
mod implicit;
mod inverse;
mod local;
mod map;
mod monotonic;
mod normal;
mod normal_coordinates;
mod reflection;
mod roots;
mod samples;
mod settings;
mod sides;
mod simple;
mod verify;
mod zeros;

pub use arc::Arc;
pub use domain::Domain;
pub use error::ProjectionError;
pub use implicit::Root;
pub use local::Local;
pub use map::ProjectionMap;
pub use monotonic::Monotonic;
pub use normal::NormalForm;
pub use normal_coordinates::{NormalCoordinates, NormalSide};
pub use reflection::{direction, reflection};
pub use roots::RootSolver;
pub use settings::ProjectionOptions;
pub use simple::Simple;
pub use verify::{Check, Verification, VerifyOptions};

use crate::system::System;
use carom_expr::{Graph, Id};
use settings::Settings;

/// Which projection it is.
#[derive(Clone, Debug)]
pub enum ProjectionKind {
    /// The global one, through the normal form.
    Global(NormalForm),
    /// The one of the circle.
    Circle(Arc),
    /// The local one of the earlier work.
    Local(Local),
}

/// A map `P` onto the feasible set of a system.
#[derive(Clone, Debug)]
pub struct Projection {
    simple: Simple,
    kind: ProjectionKind,
    /// `P(u)` off the feasible set.
    image: Vec<Id>,
    /// Variables in `image` that have no formula.
    roots: Vec<Root>,
    /// `P'(u)` off the feasible set, row by row.
    jacobian: Vec<Id>,
    /// Limits of the coordinates that were given: nothing is claimed beyond them.
    limits: Vec<Option<[f64; 2]>>,
}

impl Projection {
    /// The global projection of a system, or that of the circle.
    pub fn new(system: &System, options: &ProjectionOptions) -> Result<Self, ProjectionError> {
        let mut simple = Simple::new(system)?;
        let Settings { only, limits } = Settings::new(&simple, options)?;
        simple.check_definite(&limits)?;
        let monotonic = match monotonic::find(&mut simple, only, &limits) {
            Err(refused @ ProjectionError::NotMonotonic { .. }) => {
                let Some(arc) = Arc::find(&mut simple)? else { return Err(refused) };
                options.check_circle(&simple.coordinates[0].name)?;
                let image = vec![arc.image(&mut simple)];
                return Ok(Self::with(simple, ProjectionKind::Circle(arc), image, Vec::new()));
            }
            found => found?,
        };
        let normal = NormalForm::new(&mut simple, monotonic, options.k, &limits)?;
        let stay: Vec<Id> = normal.others.iter().map(|&i| simple.u[i]).collect();
        let moved = normal.shifted(&mut simple.graph, simple.gap, &stay, &normal.delta);
        let mirrored = simple.graph.neg(simple.gap);
        let root = root_name(&simple, monotonic.coordinate);
        let (first, root) = normal.solved(&mut simple, &moved, mirrored, &root);
        let mut image = vec![first; simple.dimension()];
        normal.others.iter().zip(moved).for_each(|(&i, moved)| image[i] = moved);
        let projection = Self::with(simple, ProjectionKind::Global(normal), image, root.into_iter().collect());
        Ok(Self { limits, ..projection })
    }

    /// The local projection of the earlier work, defined by the configuration of the impact.
    pub fn local(system: &System, impact: &[f64]) -> Result<Self, ProjectionError> {
        let mut simple = Simple::new(system)?;
        simple.check_definite(&vec![None; simple.dimension()])?;
        let local = Local::new(&mut simple, impact)?;
        let image = local.image(&mut simple);
        Ok(Self::with(simple, ProjectionKind::Local(local), image, Vec::new()))
    }

    fn with(mut simple: Simple, kind: ProjectionKind, image: Vec<Id>, roots: Vec<Root>) -> Self {
        let graph = &mut simple.graph;
        let u = simple.u.clone();
        let jacobian = image.iter().flat_map(|&row| implicit::gradient(graph, &roots, row, &u)).collect();
        let limits = vec![None; u.len()];
        Self { simple, kind, image, roots, jacobian, limits }
    }

    /// The system that is projected, on its constraint manifold.
    pub fn simple(&self) -> &Simple {
        &self.simple
    }

    /// Which projection it is.
    pub fn kind(&self) -> &ProjectionKind {
        &self.kind
    }

    /// The normal form, if it is the global projection.
    pub fn normal_form(&self) -> Option<&NormalForm> {
        match &self.kind {
            ProjectionKind::Global(normal) => Some(normal),
            _ => None,
        }
    }

    /// True if it is the local one, which claims nothing far from its impact.
    pub fn is_local(&self) -> bool {
        matches!(self.kind, ProjectionKind::Local(_))
    }

    /// Limits of the coordinates that were given, one entry per coordinate.
    pub fn limits(&self) -> &[Option<[f64; 2]>] {
        &self.limits
    }

    /// The graph of all its expressions.
    pub fn graph(&self) -> &Graph {
        &self.simple.graph
    }

    /// `P(u)` off the feasible set, as expressions of `u` and the roots.
    pub fn image(&self) -> &[Id] {
        &self.image
    }

    /// Variables of the image that equations define.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// `P'(u)` off the feasible set, row by row.
    pub fn jacobian(&self) -> &[Id] {
        &self.jacobian
    }

    /// `P''(u)` off the feasible set as expressions of the returned graph: `d2 P_i/du_j du_k` at `(i n + j) n + k`.
    pub fn second_derivative(&self) -> (Graph, Vec<Id>) {
        let mut graph = self.simple.graph.clone();
        let rows = self.jacobian.iter();
        let all = rows.flat_map(|&row| implicit::gradient(&mut graph, &self.roots, row, &self.simple.u)).collect();
        (graph, all)
    }

    /// A workspace that evaluates it.
    pub fn map(&self) -> Result<ProjectionMap, ProjectionError> {
        ProjectionMap::new(self)
    }
}

/// A name that no coordinate has.
fn root_name(simple: &Simple, coordinate: usize) -> String {
    let mut name = format!("{}_image", simple.coordinates[coordinate].name);
    while simple.coordinates.iter().any(|c| c.name == name) {
        name.push('_');
    }
    name
}
