//! What there is to say about a projection, before it is put into words.

use carom::Model;
use carom::expr::Id;
use carom::model::projection::{Projection, Simple, Verification};

/// A projection of a model, and what sampling says of it.
pub struct Report<'a> {
    pub model: &'a Model,
    pub projection: &'a Projection,
    pub verification: &'a Verification,
}

impl<'a> Report<'a> {
    pub fn new(model: &'a Model, projection: &'a Projection, verification: &'a Verification) -> Self {
        Self { model, projection, verification }
    }

    pub fn simple(&self) -> &'a Simple {
        self.projection.simple()
    }

    /// Names of the coordinates that are left.
    pub fn names(&self) -> Vec<&'a str> {
        self.simple().coordinates.iter().map(|coordinate| coordinate.name.as_str()).collect()
    }

    /// Coordinates that constraints determine, with their formulas.
    pub fn solved(&self) -> Vec<(&'a str, Id)> {
        let all = self.model.system.coordinates();
        let is_left = |place: &usize| self.simple().places.contains(place);
        let solved = (0..all.len()).filter(|place| !is_left(place));
        solved.map(|place| (all[place].name.as_str(), self.simple().embedding[place])).collect()
    }

    /// An expression in the syntax of model files, with terms collected if that makes it shorter.
    pub fn formula(&self, id: Id) -> String {
        let graph = self.projection.graph();
        let mut collected = graph.clone();
        let other = collected.collect(id);
        let (plain, other) = (graph.display(id), collected.display(other));
        if other.len() < plain.len() { other } else { plain }
    }

    /// The number of its operations.
    pub fn size(&self, ids: &[Id]) -> usize {
        self.projection.graph().operation_count(ids)
    }

    /// A configuration in words.
    pub fn point(&self, u: &[f64]) -> String {
        self.simple().point(u)
    }
}
