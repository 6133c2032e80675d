//! The bound of `|Lambda|` that the constant `k` needs, proved by interval arithmetic or refused.
//!
//! Where no bound is proved on all of the domain, it is proved near the origin, and the tails are sampled: farther out
//! there should be no larger values. A pole at a finite place has no bound near the origin, however rarely samples meet it.

use super::domain::Domain;
use super::error::ProjectionError;
use super::simple::Simple;
use carom_expr::{Graph, Id, Interval, Supremum, SupremumOptions, Unary, supremum};

/// `k` is so many times the least possible one, if it is to be chosen.
const MARGIN: f64 = 2.0;
/// A bound that is only sampled is doubled.
const SAMPLED: f64 = 2.0;
/// Where no bound is proved, one must be proved within the first distance, and values within both are compared.
const NEAR: f64 = 1e2;
const FAR: f64 = 1e4;
/// Values farther out may be larger by this factor, to what sampling can tell.
const GROWTH: f64 = 1.05;
/// Parts into which the far box is divided.
const SAMPLED_BOXES: usize = 5_000;

/// What is known of `sup |Lambda|`.
pub(super) struct Bound {
    /// Over the whole domain.
    pub(super) supremum: Supremum,
    /// The number that `k` is chosen for: proved, or proved near the origin and sampled in the tails.
    value: f64,
}

impl Bound {
    /// By the one entry of `Lambda`, by the eigenvalue of two rows, or by the sum of squares of more.
    pub(super) fn new(
        simple: &mut Simple,
        lambda: &[Id],
        size: usize,
        limits: &[Option<[f64; 2]>],
    ) -> Result<Self, ProjectionError> {
        let graph = &mut simple.graph;
        let entries: Vec<Id> = lambda.iter().copied().filter(|&entry| !graph.is_zero(entry)).collect();
        let square =
            if size == 2 && entries.len() > 1 { spectral(graph, lambda) } else { graph.dot(&entries, &entries) };
        let domain = Domain::limited(graph, &entries, &simple.u, limits);
        let within = |distance: f64, max_boxes: usize| -> Result<Supremum, ProjectionError> {
            let cut = |range: &Interval| Interval::new(range.lo.max(-distance), range.hi.min(distance));
            let ranges: Vec<Interval> = domain.ranges.iter().map(cut).collect();
            let options = SupremumOptions { max_boxes, ..SupremumOptions::default() };
            let found = supremum(&simple.graph, square, &domain.variables, &ranges, options)?;
            Ok(Supremum { lower: found.lower.max(0.0).sqrt(), upper: found.upper.max(0.0).sqrt(), ..found })
        };
        let boxes = SupremumOptions::default().max_boxes;
        let found = within(f64::INFINITY, boxes)?;
        if found.upper.is_finite() {
            return Ok(Self { value: found.upper, supremum: found });
        }
        let (near, far) = (within(NEAR, boxes)?, within(FAR, SAMPLED_BOXES)?);
        let grows = far.lower > GROWTH * near.lower || found.lower > GROWTH * far.lower;
        if grows || !near.upper.is_finite() {
            let all = [found, far, near];
            let worst = all.iter().max_by(|a, b| a.lower.total_cmp(&b.lower)).unwrap_or(&all[0]);
            return Err(ProjectionError::Unbounded { value: worst.lower, point: simple.point(&worst.at) });
        }
        Ok(Self { value: near.upper.max(SAMPLED * found.lower), supremum: found })
    }

    /// The constant `k`, chosen or checked.
    pub(super) fn factor(&self, simple: &Simple, given: Option<f64>) -> Result<f64, ProjectionError> {
        let Some(k) = given else {
            return Ok(if self.value > 0.0 { MARGIN * self.value * self.value } else { 1.0 });
        };
        let Supremum { lower, at, .. } = &self.supremum;
        let is_number = k.is_finite() && k > 0.0;
        if !is_number || k <= lower * lower {
            let (value, point) = (*lower, simple.point(at));
            return Err(ProjectionError::SmallFactor { k, value, point, bound: lower * lower });
        }
        Ok(k)
    }
}

/// The largest eigenvalue of `Lambda^T Lambda` for two rows: `(t + sqrt((a - d)^2 + 4 b^2)) / 2`.
fn spectral(graph: &mut Graph, lambda: &[Id]) -> Id {
    let column = |k: usize| [lambda[k], lambda[2 + k]];
    let a = graph.dot(&column(0), &column(0));
    let b = graph.dot(&column(0), &column(1));
    let d = graph.dot(&column(1), &column(1));
    let (sum, difference) = (graph.add(a, d), graph.sub(a, d));
    let twice = graph.scale(2.0, b);
    let square = graph.dot(&[difference, twice], &[difference, twice]);
    let root = graph.unary(Unary::Sqrt, square);
    let both = graph.add(sum, root);
    graph.scale(0.5, both)
}
