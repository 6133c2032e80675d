//! The supremum of an expression over a box, by branch and bound.
//!
//! ```text
//! lower = f(at)  <=  sup { f(x) : x ∈ X₁ × ... × Xₙ, f(x) defined }  <=  upper
//! ```
//!
//! The box is divided; every part has a bound above from interval arithmetic, and the part with the largest
//! one is divided next. The supremum is below the largest bound that is left, and above every value that has
//! been seen (Moore, Kearfott and Cloud, *Introduction to Interval Analysis*, SIAM 2009, sections 6.3 and 11.3;
//! Hansen and Walster, *Global Optimization Using Interval Analysis*, 2004, chapter 12).
//!
//! | file | |
//! |---|---|
//! | `enclose` | bounds above: natural extension, monotone sides, mean-value form |
//! | `tail` | bounds above on sides that have no end |
//! | `region` | where parts are cut, also without an end |
//! | `peak` | values below: points inside, and a climb from the best |
//!
//! Sides may be infinite. Where `f` decays, a tail is soon below what was found elsewhere; where no bound is
//! found, `upper` is infinite, and `lower` says how far `f` is known to reach. Periods are not known here: see
//! [`Graph::dependence`]. Bounded are the values of real arithmetic: a floating-point value may exceed `upper` by its
//! own rounding. As with [`Bounds`](crate::Bounds), what follows from a value that is not a number
//! (`min(log(x), 5)` with a negative `x`) is not enclosed; parts where `f` is nowhere defined have no bound and are
//! best left out of the domain.

mod enclose;
mod peak;
mod region;
mod tail;

use crate::compile::FunctionError;
use crate::graph::{Graph, Id};
use crate::interval::Interval;
use enclose::Enclosure;
use peak::Peak;
use region::{Region, cut};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What is known of a supremum.
#[derive(Clone, PartialEq, Debug)]
pub struct Supremum {
    /// The largest value seen; minus infinity if the function was not defined anywhere.
    pub lower: f64,
    /// Where it was seen, one number for each variable; empty if nowhere.
    pub at: Vec<f64>,
    /// A number that no value exceeds; infinite if none was found.
    pub upper: f64,
    /// Number of parts that were bounded.
    pub boxes: usize,
}

/// When the search ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SupremumOptions {
    /// Bounds may be apart by this multiple of the value.
    pub relative: f64,
    /// Bounds may be apart by this much, whatever the value: what rounding leaves of a supremum that is zero.
    pub absolute: f64,
    /// The most parts that are bounded.
    pub max_boxes: usize,
}

impl Default for SupremumOptions {
    fn default() -> Self {
        Self { relative: 1e-6, absolute: 1e-14, max_boxes: 20_000 }
    }
}

impl SupremumOptions {
    /// A bound not above this one is good enough.
    fn target(&self, lower: f64) -> f64 {
        let allowed = lower + (self.relative * lower.abs()).max(self.absolute);
        // Without a value every bound is too high.
        if lower.is_finite() { allowed } else { f64::NEG_INFINITY }
    }
}

/// Encloses the supremum of `f` over the box in which `variables[i]` is in `domain[i]`.
///
/// ```
/// use carom_expr::{Interval, Scope, SupremumOptions, ids, supremum};
/// let scope = Scope::default();
/// let x = scope.variable("x");
/// let bump = 1.0 / (1.0 + x.square());
/// let (f, variables) = (bump.id(), ids(&[x]));
/// let found = supremum(&scope.into_graph(), f, &variables, &[Interval::ENTIRE], SupremumOptions::default())?;
/// assert_eq!((found.lower, found.at), (1.0, vec![0.0]));
/// assert!(found.upper < 1.0 + 1e-6);
/// # Ok::<(), carom_expr::FunctionError>(())
/// ```
///
/// # Panics
/// If there are not as many sides as variables.
pub fn supremum(
    graph: &Graph,
    f: Id,
    variables: &[Id],
    domain: &[Interval],
    options: SupremumOptions,
) -> Result<Supremum, FunctionError> {
    assert_eq!(variables.len(), domain.len(), "number of sides");
    let domain = relevant(graph, f, variables, domain);
    let mut search = Search {
        enclosure: Enclosure::new(graph, f, variables, &domain)?,
        peak: Peak::new(graph, f, variables, &domain)?,
        parts: BinaryHeap::new(),
        settled: f64::NEG_INFINITY,
        boxes: 0,
        options,
    };
    search.add(domain, f64::INFINITY);
    while search.boxes < options.max_boxes
        && let Some(part) = search.next()
    {
        search.divide(part);
    }
    Ok(search.result())
}

/// The domain; sides of variables that do not occur shrink to a point.
fn relevant(graph: &Graph, f: Id, variables: &[Id], domain: &[Interval]) -> Region {
    let occurring = graph.free_variables(&[f]);
    let side = |(variable, side): (&Id, &Interval)| {
        let side = Interval::new(side.lo, side.hi);
        if occurring.contains(variable) { side } else { Interval::point(region::inside(side)) }
    };
    variables.iter().zip(domain).map(side).collect()
}

/// A box, and what its values do not exceed.
struct Part {
    region: Region,
    above: f64,
    /// The side to cut; none if no side can be cut.
    side: Option<usize>,
    /// Number of the part.
    age: usize,
}

impl Ord for Part {
    /// By bound; of equal bounds, infinite ones above all, the oldest first, so that none is forgotten.
    fn cmp(&self, other: &Self) -> Ordering {
        self.above.total_cmp(&other.above).then(other.age.cmp(&self.age))
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Part {}

struct Search {
    enclosure: Enclosure,
    peak: Peak,
    /// Parts that may contain larger values than were seen, the largest bound first.
    parts: BinaryHeap<Part>,
    /// The largest bound of parts that cannot be divided.
    settled: f64,
    boxes: usize,
    options: SupremumOptions,
}

impl Search {
    /// The part with the largest bound, unless the bounds are good enough.
    fn next(&mut self) -> Option<Part> {
        let enough = self.options.target(self.peak.value).max(self.settled);
        if self.parts.peek()?.above <= enough { None } else { self.parts.pop() }
    }

    fn divide(&mut self, part: Part) {
        let place = part.side.and_then(|side| Some((side, cut(part.region[side])?)));
        let Some((side, place)) = place else {
            self.settled = self.settled.max(part.above);
            return;
        };
        let (mut below, mut beyond) = (part.region.clone(), part.region);
        below[side].hi = place;
        beyond[side].lo = place;
        self.add(below, part.above);
        self.add(beyond, part.above);
    }

    /// Bounds a part, and looks at a point of it; `above` is what is known of its values.
    fn add(&mut self, mut region: Region, above: f64) {
        self.boxes += 1;
        let (above, side) = self.enclosure.enclose(&mut region, above);
        let target = self.options.target(self.peak.value);
        if self.peak.visit_inside(&region) && self.peak.value > target {
            self.peak.climb(&region);
        }
        if above > self.peak.value {
            self.parts.push(Part { region, above, side, age: self.boxes });
        }
    }

    fn result(mut self) -> Supremum {
        let left = self.parts.peek().map_or(f64::NEG_INFINITY, |part| part.above);
        let upper = left.max(self.settled);
        if upper == f64::INFINITY {
            self.peak.grow();
        }
        let Peak { value, at, .. } = self.peak;
        Supremum { lower: value, at, upper: upper.max(value), boxes: self.boxes }
    }
}
