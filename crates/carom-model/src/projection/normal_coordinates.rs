//! Paths in normal-form coordinates `z = (phi, q^2, ..., q^n)`: what they mean for the system, on each side.
//!
//! ```text
//! z^1 >= 0:   q = Psi^-1(z)
//! z^1 <  0:   q = Psi^-1(Pbar(z)),      Pbar of (14), (15), with Delta at Psi^-1(z)
//! ```
//!
//! The boundary is the plane `z^1 = 0`: a path that is polynomial in time crosses it at roots of a polynomial.

use super::error::ProjectionError;
use super::implicit::{self, Root};
use super::monotonic;
use super::normal::NormalForm;
use super::root_name;
use super::settings::{ProjectionOptions, Settings};
use super::simple::Simple;
use crate::system::System;
use carom_expr::{Graph, Id};

/// The system in normal-form coordinates.
#[derive(Clone, Debug)]
pub struct NormalCoordinates {
    /// The system, with the graph of everything below; its inputs are left as variables.
    pub simple: Simple,
    /// The normal form.
    pub normal: NormalForm,
    /// Variables of `z`, the gap first.
    pub z: Vec<Id>,
    /// Variables of `z'`.
    pub dz: Vec<Id>,
    /// Variables of `z''`.
    pub ddz: Vec<Id>,
    /// Inside, outside.
    pub sides: [NormalSide; 2],
}

/// What a path in normal-form coordinates means on one side.
#[derive(Clone, Debug)]
pub struct NormalSide {
    /// Coordinates `u` of the system, as expressions of `z` and the roots.
    pub u: Vec<Id>,
    /// Their rates, as expressions of `z`, `z'` and the roots.
    pub du: Vec<Id>,
    /// Their second derivatives in time.
    pub ddu: Vec<Id>,
    /// Variables that equations define.
    pub roots: Vec<Root>,
}

impl NormalCoordinates {
    /// The normal-form coordinates of a system; inputs that `keep` names stay variables.
    pub fn new(
        system: &System,
        options: &ProjectionOptions,
        keep: &dyn Fn(&str) -> bool,
    ) -> Result<Self, ProjectionError> {
        let mut simple = Simple::keeping(system, keep)?;
        let Settings { only, limits } = Settings::new(&simple, options)?;
        simple.check_definite(&limits)?;
        let monotonic = monotonic::find(&mut simple, only, &limits)?;
        let normal = NormalForm::new(&mut simple, monotonic, options.k, &limits)?;
        let n = simple.dimension();
        let (z, dz, ddz) =
            (simple.graph.variables("[z]", n), simple.graph.variables("[z']", n), simple.graph.variables("[z'']", n));
        let name = root_name(&simple, monotonic.coordinate);
        let mut roots = Vec::new();
        let (first, root) = normal.solved(&mut simple, &z[1..], z[0], &format!("[{name}]"));
        roots.extend(root);
        let inner = arranged(&normal, first, &z[1..]);
        let inside = NormalSide::new(&mut simple.graph, inner.clone(), roots.clone(), (&z, &dz, &ddz));
        // Delta belongs to the point outside; the image has the mirrored gap.
        let at: Vec<(Id, Id)> = simple.u.iter().copied().zip(inner).collect();
        let delta = simple.graph.substitute(&normal.delta, &at);
        let moved = normal.shifted(&mut simple.graph, z[0], &z[1..], &delta);
        let mirrored = simple.graph.neg(z[0]);
        let (first, root) = normal.solved(&mut simple, &moved, mirrored, &format!("[{name} mirrored]"));
        roots.extend(root);
        let outside = NormalSide::new(&mut simple.graph, arranged(&normal, first, &moved), roots, (&z, &dz, &ddz));
        Ok(Self { simple, normal, z, dz, ddz, sides: [inside, outside] })
    }
}

/// The coordinates in the order of the system.
fn arranged(normal: &NormalForm, first: Id, others: &[Id]) -> Vec<Id> {
    let mut all = vec![first; others.len() + 1];
    normal.others.iter().zip(others).for_each(|(&place, &other)| all[place] = other);
    all
}

impl NormalSide {
    fn new(graph: &mut Graph, u: Vec<Id>, roots: Vec<Root>, (z, dz, ddz): (&[Id], &[Id], &[Id])) -> Self {
        let mut along: Vec<(Id, Id)> = z.iter().copied().zip(dz.iter().copied()).collect();
        let du = implicit::directional(graph, &roots, &u, &along);
        along.extend(dz.iter().copied().zip(ddz.iter().copied()));
        let ddu = implicit::directional(graph, &roots, &du, &along);
        Self { u, du, ddu, roots }
    }

    /// The gradient of `f` with respect to `variables`, roots being functions of them.
    pub fn gradient(&self, graph: &mut Graph, f: Id, variables: &[Id]) -> Vec<Id> {
        implicit::gradient(graph, &self.roots, f, variables)
    }
}
