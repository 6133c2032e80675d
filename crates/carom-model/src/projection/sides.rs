//! The switched Lagrangian system of a projection: one system on each side of the boundary.
//!
//! ```text
//! phi >= 0:   L(z, z'),                force F
//! phi <= 0:   L(P(z), P'(z) z'),       force P'(z)^T F(P(z), P'(z) z', t)                         (5), (10) of 002
//! ```
//!
//! Each has the boundary as its contact, from its own side; what happens there is not an impact: momenta are
//! continuous (7). Where the image has roots, they are coordinates of the outer system with their equations as
//! holonomic constraints, `e(z, r) = 0`. The term `(de/dt)^2 / 2` gives them inertia; it vanishes with `de/dt` and does no
//! more.

use super::Projection;
use super::error::ProjectionError;
use super::simple::pulled_back;
use crate::builder::SystemBuilder;
use crate::contact::Contact;
use crate::system::System;
use carom_expr::Id;

impl Projection {
    /// The systems inside and outside the feasible set. Coordinates of both are those of [`Projection::simple`], those of
    /// the outer one are followed by the roots.
    pub fn sides(&self) -> Result<[System; 2], ProjectionError> {
        Ok([self.inner()?, self.outer()?])
    }

    fn inner(&self) -> Result<System, ProjectionError> {
        let simple = &self.simple;
        let builder = self.builder().lagrangian(simple.lagrangian);
        let builder = with_forces(builder, simple.coordinates.iter().map(|c| c.name.clone()), &simple.forces);
        let contact = Contact::new(&simple.contact, simple.gap, "elastic");
        Ok(builder.contact(contact).build(simple.graph.clone())?)
    }

    fn outer(&self) -> Result<System, ProjectionError> {
        let simple = &self.simple;
        let mut graph = simple.graph.clone();
        let name = |id: Id| simple.graph.variable_name(id).unwrap_or_default().to_owned();
        let roots: Vec<Id> = self.roots.iter().map(|root| root.variable).collect();
        let rates: Vec<Id> = roots.iter().map(|&root| graph.variable(&format!("{}'", name(root)))).collect();
        let (all, speeds) = ([&simple.u[..], &roots].concat(), [&simple.du[..], &rates].concat());
        let along: Vec<(Id, Id)> = all.iter().copied().zip(speeds.iter().copied()).collect();
        let velocity = graph.directional(&self.image, &along);
        let mut at: Vec<(Id, Id)> = simple.u.iter().copied().zip(self.image.iter().copied()).collect();
        at.extend(simple.du.iter().copied().zip(velocity));
        let mut lagrangian = graph.substitute(&[simple.lagrangian], &at)[0];
        let forces = graph.substitute(&simple.forces, &at);
        let jacobian = graph.jacobian(&self.image, &all).dense(&mut graph);
        let forces = pulled_back(&mut graph, &jacobian, &forces, all.len());
        let mut builder = self.builder();
        for root in &self.roots {
            let rate = graph.directional(&[root.equation], &along)[0];
            let square = graph.mul(rate, rate);
            let inertia = graph.scale(0.5, square);
            lagrangian = graph.add(lagrangian, inertia);
            let name = name(root.variable);
            builder = builder.coordinate(&name).constraint(&format!("{name} defined"), root.equation);
        }
        let builder = with_forces(builder.lagrangian(lagrangian), all.iter().map(|&id| name(id)), &forces);
        let gap = graph.neg(simple.gap);
        Ok(builder.contact(Contact::new(&simple.contact, gap, "elastic")).build(graph)?)
    }

    fn builder(&self) -> SystemBuilder {
        let coordinates = self.simple.coordinates.iter().cloned();
        coordinates.fold(SystemBuilder::new("projected"), SystemBuilder::coordinate_with)
    }
}

fn with_forces(builder: SystemBuilder, names: impl Iterator<Item = String>, forces: &[Id]) -> SystemBuilder {
    names.zip(forces).fold(builder, |builder, (name, &force)| builder.force(&name, force))
}
