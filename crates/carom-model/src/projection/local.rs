//! The local projection of the authors' earlier work, for comparison (Figure 1, left).
//!
//! It knows the configuration `q_i` of the impact and reflects along the direction that is right there:
//!
//! ```text
//! P(z) = z - 2 phi(z) d,      d = M^-1 phi'^T / (phi' M^-1 phi'^T)   at q_i.
//! ```
//!
//! At `q_i` it is the identity and has the Jacobian (11). Elsewhere on the boundary the Jacobian is another one, and far
//! from it images need not be feasible. (The earlier paper is not among the documents; this is the simplest map with
//! the properties that are quoted from it.)

use super::error::ProjectionError;
use super::reflection::direction;
use super::simple::Simple;
use carom_expr::Id;

/// Gaps below this, in the units of the model, are contacts.
const TOUCHING: f64 = 1e-6;

/// The local projection.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// Configuration of the impact.
    pub impact: Vec<f64>,
    /// Direction of the reflection.
    pub direction: Vec<f64>,
}

impl Local {
    pub(super) fn new(simple: &mut Simple, impact: &[f64]) -> Result<Self, ProjectionError> {
        let n = simple.dimension();
        let point = || simple.point(impact);
        if impact.len() != n || impact.iter().any(|value| !value.is_finite()) {
            return Err(ProjectionError::NoImage { point: point(), why: "this is not a configuration" });
        }
        let slopes = simple.graph.gradient(simple.gap, &simple.u);
        let at: Vec<(Id, f64)> = simple.u.iter().copied().zip(impact.iter().copied()).collect();
        let values = simple.graph.evaluate(&[&[simple.gap], &slopes[..], &simple.mass].concat(), &at);
        if values[0].is_nan() || values[0].abs() > TOUCHING {
            return Err(ProjectionError::NoImage { point: simple.point(impact), why: "bodies do not touch there" });
        }
        let (slope, mass) = values[1..].split_at(n);
        let singular = || ProjectionError::NoImage { point: simple.point(impact), why: "the mass matrix is singular" };
        let direction = direction(mass, slope).ok_or_else(singular)?;
        Ok(Self { impact: impact.to_vec(), direction })
    }

    pub(super) fn image(&self, simple: &mut Simple) -> Vec<Id> {
        let (gap, u) = (simple.gap, simple.u.clone());
        let graph = &mut simple.graph;
        let each = u.iter().zip(&self.direction).map(|(&z, &d)| {
            let shift = graph.scale(2.0 * d, gap);
            graph.sub(z, shift)
        });
        each.collect()
    }
}
