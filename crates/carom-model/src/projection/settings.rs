//! How a projection is made.

use super::error::ProjectionError;
use super::simple::Simple;

/// How a projection is made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProjectionOptions {
    /// The coordinate that the gap replaces; the best one if absent.
    pub coordinate: Option<String>,
    /// The constant `k`; chosen from the bound of `|Lambda|` if absent.
    pub k: Option<f64>,
    /// Limits of coordinates, by name: bounds are proved within them.
    pub domain: Vec<(String, [f64; 2])>,
}

/// The options, with coordinates by number.
pub(super) struct Settings {
    /// The coordinate that the gap is to replace.
    pub(super) only: Option<usize>,
    /// Limits, one entry per coordinate.
    pub(super) limits: Vec<Option<[f64; 2]>>,
}

impl Settings {
    pub(super) fn new(simple: &Simple, options: &ProjectionOptions) -> Result<Self, ProjectionError> {
        let place = |name: &String| {
            let known = || simple.coordinates.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ");
            let missing = || ProjectionError::UnknownCoordinate { name: name.clone(), known: known() };
            simple.coordinates.iter().position(|c| c.name == *name).ok_or_else(missing)
        };
        let only = options.coordinate.as_ref().map(place).transpose()?;
        let mut limits = vec![None; simple.dimension()];
        for (name, limit) in &options.domain {
            let [from, to] = *limit;
            // Comparisons with not-a-number are false.
            let is_range = from < to && from.is_finite() && to.is_finite();
            if !is_range {
                return Err(ProjectionError::BadDomain { name: name.clone(), from, to });
            }
            limits[place(name)?] = Some(*limit);
        }
        Ok(Self { only, limits })
    }
}

impl ProjectionOptions {
    /// Refuses what means nothing for the projection of a circle.
    pub(super) fn check_circle(&self, coordinate: &str) -> Result<(), ProjectionError> {
        let given = [("k", self.k.is_some()), ("domain", !self.domain.is_empty())];
        let Some((setting, _)) = given.into_iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
        Err(ProjectionError::NoMeaning { setting, coordinate: coordinate.to_owned() })
    }
}
