//! How a distribution grows by brackets.
//!
//! ```text
//! D^1 = D,     D^(s+1) = D^s + [D, D^s]
//! ```
//!
//! The dimensions of `D^1, D^2, ...` at a configuration are the growth vector there. It is the same at
//! almost all configurations; elsewhere the dimensions are smaller. Where it stops growing at almost all
//! configurations, `D^s` is closed under brackets, and motions stay on a surface of its dimension.

use super::samples::{Row, independent, measure};
use crate::frame::bracket;
use carom_expr::{Graph, Id};

/// Brackets of one length that are kept; there may be as many as the rank to the power of the length.
const MAX_LAYER: usize = 64;
/// Nodes that brackets may add to the graph.
const MAX_NODES: usize = 20_000;
/// How much longer brackets at the initial configuration may be than elsewhere.
const EXTRA: usize = 3;
/// Two fields that turn into each other this slowly do not: what rounding leaves of coefficients that are zero.
const SLOW: f64 = 1e-14;

/// Dimensions of `D^1, D^2, ...`
#[derive(Clone, Debug, Default)]
pub(super) struct Growth {
    /// At almost all configurations.
    pub generic: Vec<usize>,
    /// At the first sample; empty if it is not known.
    pub first: Vec<usize>,
    /// False if the limits were met before the growth ended.
    pub is_complete: bool,
    /// True if no bracket was left out.
    is_exact: bool,
}

/// A field with its values at the samples.
struct Field {
    components: Vec<Id>,
    rows: Vec<Row>,
}

/// Brackets of `fields` at the samples `points`, until nothing grows or the dimension `most` is reached; none if
/// a value is not finite. The last sample stands for almost all configurations.
pub(super) fn growth(
    graph: &mut Graph,
    q: &[Id],
    fields: &[Vec<Id>],
    points: &[Vec<f64>],
    most: usize,
) -> Option<Growth> {
    let (limit, k) = (graph.len() + MAX_NODES, fields.len());
    let mut all = evaluated(graph, q, fields.to_vec(), points)?;
    let mut layer = 0..k;
    let mut found = Growth { is_exact: true, ..Growth::default() };
    found.add(&all, points.len());
    while !found.has_ended(most) {
        let pairs: Vec<(usize, usize)> = layer.flat_map(|j| (0..k.min(j)).map(move |i| (i, j))).collect();
        let mut brackets = Vec::with_capacity(pairs.len());
        for &(i, j) in &pairs {
            if graph.len() > limit {
                return Some(found.trimmed());
            }
            brackets.push(bracket(graph, q, &all[i].components, &all[j].components));
        }
        let mut brackets = evaluated(graph, q, brackets, points)?;
        for (field, (i, j)) in brackets.iter_mut().zip(pairs) {
            for (sample, row) in field.rows.iter_mut().enumerate() {
                row.noise += SLOW * all[i].rows[sample].length() * all[j].rows[sample].length();
            }
        }
        // What vanishes at all samples vanishes everywhere.
        brackets.retain(|field| field.rows.iter().any(|row| !row.is_zero()));
        if brackets.len() > MAX_LAYER {
            // A basis is enough at almost all configurations, but not at those where the dimension drops.
            brackets = basis(brackets, &all);
            found.is_exact = false;
        }
        layer = all.len()..all.len() + brackets.len();
        all.extend(brackets);
        found.add(&all, points.len());
    }
    found.is_complete = true;
    Some(found.trimmed())
}

impl Growth {
    /// The same everywhere.
    pub fn known(dimensions: &[usize]) -> Self {
        Self { generic: dimensions.to_vec(), first: dimensions.to_vec(), is_complete: true, is_exact: true }
    }

    /// The beginning of a growth that was not followed.
    pub fn at_least(dimensions: &[usize]) -> Self {
        Self { generic: dimensions.to_vec(), ..Self::default() }
    }

    /// Takes the dimensions of the next `D^s`.
    fn add(&mut self, fields: &[Field], samples: usize) {
        let ranks = ranks(fields, samples);
        self.generic.push(ranks.iter().copied().max().unwrap_or(0));
        self.first.extend(ranks.first());
    }

    /// Nothing grows any more, and the first sample has caught up or will not be waited for.
    fn has_ended(&self, most: usize) -> bool {
        let now = self.generic.last().copied().unwrap_or(0);
        let length = upto(&self.generic, now);
        let has_stopped = now >= most || length < self.generic.len();
        let is_behind = self.is_exact && self.first.last() < Some(&now);
        has_stopped && (!is_behind || self.generic.len() >= length + EXTRA)
    }

    /// Without what repeats the end.
    fn trimmed(mut self) -> Self {
        let end = self.generic.last().copied().unwrap_or(0);
        self.generic.truncate(upto(&self.generic, end));
        let known = if self.is_exact { upto(&self.first, end) } else { 0 };
        self.first.truncate(known);
        self
    }
}

/// How many entries there are up to the first that is `end`.
fn upto(all: &[usize], end: usize) -> usize {
    all.iter().position(|&dimension| dimension == end).map_or(all.len(), |place| place + 1)
}

fn evaluated(graph: &Graph, q: &[Id], fields: Vec<Vec<Id>>, points: &[Vec<f64>]) -> Option<Vec<Field>> {
    let values: Option<Vec<_>> = measure(graph, q, points, &fields.concat()).into_iter().collect();
    let (values, n) = (values?, q.len());
    let rows = |index: usize| values.iter().map(|at| Row::new(&at[index * n..(index + 1) * n])).collect();
    let numbered = fields.into_iter().enumerate();
    Some(numbered.map(|(index, components)| Field { components, rows: rows(index) }).collect())
}

/// Dimension of the span at every sample.
fn ranks(fields: &[Field], samples: usize) -> Vec<usize> {
    let at = |sample: usize| fields.iter().map(|field| field.rows[sample].clone()).collect::<Vec<Row>>();
    (0..samples).map(|sample| independent(&at(sample)).len()).collect()
}

/// Those of the `new` fields that, together with the `old` ones, span the same at the last sample.
fn basis(new: Vec<Field>, old: &[Field]) -> Vec<Field> {
    let rows: Vec<Row> = old.iter().chain(&new).filter_map(|field| field.rows.last().cloned()).collect();
    let chosen = independent(&rows);
    let numbered = new.into_iter().enumerate();
    numbered.filter(|(index, _)| chosen.contains(&(old.len() + index))).map(|(_, field)| field).collect()
}
