//! The recursion of Riccati over a chain of linear maps.

use super::PhaseFeedback;
use super::chain::{Chain, Link};
use crate::error::ControlError;
use carom_linalg::Lu;

/// Most periods until the recursion is periodic.
const MAX_PERIODS: usize = 2000;
/// Changes of `S` below this part of it are none.
const PERIODIC: f64 = 1e-11;

/// A small dense matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) values: Vec<f64>,
}

impl Matrix {
    pub(crate) fn new(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let values = (0..rows * columns).map(|k| entry(k / columns.max(1), k % columns.max(1))).collect();
        Self { rows, columns, values }
    }

    pub(crate) fn unit(size: usize) -> Self {
        Self::new(size, size, |i, j| f64::from(u8::from(i == j)))
    }

    pub(crate) fn at(&self, i: usize, j: usize) -> f64 {
        self.values[i * self.columns + j]
    }

    pub(crate) fn transposed(&self) -> Self {
        Self::new(self.columns, self.rows, |i, j| self.at(j, i))
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        Self::new(self.rows, other.columns, |i, j| (0..self.columns).map(|k| self.at(i, k) * other.at(k, j)).sum())
    }

    pub(crate) fn plus(&self, factor: f64, other: &Self) -> Self {
        Self::new(self.rows, self.columns, |i, j| self.at(i, j) + factor * other.at(i, j))
    }

    /// `self^-1 other`; none if there is no inverse.
    pub(crate) fn solve(&self, other: &Self) -> Option<Self> {
        let mut lu = Lu::new(self.rows);
        lu.factor(&self.values).ok()?;
        let mut columns = other.transposed();
        columns.values.chunks_exact_mut(self.rows.max(1)).for_each(|column| lu.solve(column));
        Some(columns.transposed())
    }

    pub(crate) fn size(&self) -> f64 {
        carom_linalg::max_abs(&self.values)
    }
}

/// Gains of all links, in the bases of the tangent spaces; none at transitions.
pub(super) struct Gains {
    links: Vec<Option<Matrix>>,
}

/// The regulator of a chain, and the number of periods that it took.
pub(super) fn gains(chain: &Chain) -> Result<(Gains, usize), ControlError> {
    let mut s = chain.weight_at_end();
    for period in 1..=MAX_PERIODS {
        let (next, links) = sweep(chain, &s)?;
        let change = if chain.is_periodic { next.plus(-1.0, &s).size() / next.size() } else { 0.0 };
        if change <= PERIODIC {
            return Ok((Gains { links }, period));
        }
        if !change.is_finite() {
            break;
        }
        s = next;
    }
    Err(ControlError::Feedback {
        why: format!(
            "the recursion of Riccati is not periodic after {MAX_PERIODS} periods; can the inputs stabilise the motion?"
        ),
    })
}

/// Once backwards: `S` at the beginning, and the gains.
fn sweep(chain: &Chain, end: &Matrix) -> Result<(Matrix, Vec<Option<Matrix>>), ControlError> {
    let mut s = end.clone();
    let mut gains = Vec::with_capacity(chain.links.len());
    for link in chain.links.iter().rev() {
        match link {
            Link::Jump { matrix, .. } => {
                s = matrix.transposed().times(&s).times(matrix);
                gains.push(None);
            }
            Link::Interval { a, b, state_weight, input_weight, .. } => {
                let back = b.transposed().times(&s);
                let denominator = input_weight.plus(1.0, &back.times(b));
                let gain = denominator.solve(&back.times(a)).ok_or_else(|| ControlError::Feedback {
                    why: "the weight of the controls is singular".to_owned(),
                })?;
                let regulated = a.plus(-1.0, &b.times(&gain));
                let next = state_weight.plus(1.0, &a.transposed().times(&s).times(&regulated));
                // Rounding must not make it lose its symmetry.
                s = Matrix::new(next.rows, next.columns, |i, j| 0.5 * (next.at(i, j) + next.at(j, i)));
                gains.push(Some(gain));
            }
        }
    }
    gains.reverse();
    Ok((s, gains))
}

impl Gains {
    /// The maps `A - B K`.
    pub(super) fn closed(&self, chain: &Chain) -> Vec<Matrix> {
        let closed = |(link, gain): (&Link, &Option<Matrix>)| match (link, gain) {
            (Link::Interval { a, b, .. }, Some(gain)) => a.plus(-1.0, &b.times(gain)),
            (Link::Interval { a, .. }, None) => a.clone(),
            (Link::Jump { matrix, .. }, _) => matrix.clone(),
        };
        chain.links.iter().zip(&self.links).map(closed).collect()
    }

    /// The gains as matrices of `(q, v)`, phase by phase.
    pub(super) fn in_coordinates(&self, chain: &Chain) -> Vec<PhaseFeedback> {
        let mut phases: Vec<PhaseFeedback> =
            chain.names.iter().map(|name| PhaseFeedback { name: name.clone(), gains: Vec::new() }).collect();
        for (link, gain) in chain.links.iter().zip(&self.links) {
            if let (Link::Interval { phase, basis, .. }, Some(gain)) = (link, gain) {
                phases[*phase].gains.push(gain.times(basis).values);
            }
        }
        phases
    }
}
