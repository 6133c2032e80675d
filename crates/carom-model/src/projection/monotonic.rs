//! Coordinates in which the gap is monotonic, (12), proved or refuted by interval bounds.
//!
//! ```text
//! d phi/d q^1 >= c > 0   on all of Q     (or <= -c: the order of the line does not matter)
//! ```
//!
//! Bounds away from zero are asked for, not just a sign: they make `q^1 -> phi` a map onto the whole line, which the
//! mirror image `phi -> -phi` needs. `exp(y)` is monotonic, but no gap has the value minus that.

use super::domain::Domain;
use super::error::ProjectionError;
use super::simple::{Simple, short};
use carom_expr::{FunctionError, Graph, Id, SupremumOptions, supremum};

/// What interval bounds say about a slope.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Slope {
    /// At least this.
    Positive(f64),
    /// At most minus this.
    Negative(f64),
    /// It has both signs, or vanishes: where, and how large it is there.
    Both([(Vec<f64>, f64); 2]),
    /// Neither proved nor refuted.
    Open,
}

/// The sign of `slope` over the domain.
pub(super) fn slope_of(graph: &mut Graph, slope: Id, domain: &Domain) -> Result<Slope, FunctionError> {
    if let Some(value) = graph.value(slope).filter(|value| *value != 0.0) {
        return Ok(if value > 0.0 { Slope::Positive(value) } else { Slope::Negative(-value) });
    }
    let options = SupremumOptions::default();
    let minus = graph.neg(slope);
    let below = supremum(graph, minus, &domain.variables, &domain.ranges, options)?;
    if below.upper < 0.0 {
        return Ok(Slope::Positive(-below.upper));
    }
    let above = supremum(graph, slope, &domain.variables, &domain.ranges, options)?;
    if above.upper < 0.0 {
        return Ok(Slope::Negative(-above.upper));
    }
    let has_both = below.lower >= 0.0 && above.lower >= 0.0;
    Ok(if has_both { Slope::Both([(above.at, above.lower), (below.at, -below.lower)]) } else { Slope::Open })
}

/// A coordinate in which the gap is monotonic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Monotonic {
    /// Its number.
    pub coordinate: usize,
    /// The slope is at least this large.
    pub least: f64,
    /// True if the gap grows with it.
    pub grows: bool,
    /// True if the gap is linear in it.
    pub is_linear: bool,
}

/// The best coordinate: one with a linear gap if there is one.
pub(super) fn find(
    simple: &mut Simple,
    only: Option<usize>,
    limits: &[Option<[f64; 2]>],
) -> Result<Monotonic, ProjectionError> {
    let (mut best, mut reasons): (Option<Monotonic>, Vec<String>) = (None, Vec::new());
    let gap = simple.gap;
    for coordinate in (0..simple.dimension()).filter(|&k| only.is_none_or(|only| only == k)) {
        let slope = simple.graph.gradient(gap, &[simple.u[coordinate]])[0];
        let name = simple.coordinates[coordinate].name.clone();
        let domain = Domain::limited(&simple.graph, &[slope], &simple.u, limits);
        let is_linear = !simple.graph.depends_on(slope, &[simple.u[coordinate]]);
        let verdict = slope_of(&mut simple.graph, slope, &domain)?;
        let (least, grows) = match verdict {
            Slope::Positive(least) => (least, true),
            Slope::Negative(least) => (least, false),
            _ => {
                reasons.push(format!("  {name}: {}", why_not(simple, slope, &verdict)));
                continue;
            }
        };
        let found = Monotonic { coordinate, least, grows, is_linear };
        if best.is_none_or(|known| is_linear && !known.is_linear) {
            best = Some(found);
        }
    }
    best.ok_or_else(|| ProjectionError::NotMonotonic { contact: simple.contact.clone(), reasons: reasons.join("\n") })
}

/// Why a coordinate will not do.
fn why_not(simple: &Simple, slope: Id, verdict: &Slope) -> String {
    if simple.graph.is_zero(slope) {
        return "the gap does not depend on it".to_owned();
    }
    let text = simple.graph.display(slope);
    match verdict {
        Slope::Both(points) => {
            let each = points.iter().map(|(at, value)| format!("{} at {}", short(*value), simple.point(at)));
            format!("the slope {text} is {}", each.collect::<Vec<_>>().join(" and "))
        }
        _ => format!("the slope {text} is not bounded away from zero, as far as interval bounds can tell"),
    }
}
