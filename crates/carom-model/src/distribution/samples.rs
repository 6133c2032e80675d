//! Numbers that know how much of them is rounding, and ranks of their matrices.
//!
//! Whether a bracket of vector fields vanishes, or lies in the span of others, cannot be seen from a
//! number alone: `1e-17` is what rounding leaves of a zero, and the true value of something small.
//! Expressions are therefore evaluated on intervals ([`carom_expr::Bounds`]), at configurations that are
//! known to a few units in the last place; the width of the result is its noise.

use crate::random::Random;
use carom_expr::{Bounds, Graph, Id, Interval};
use carom_linalg::dot;

/// Units of rounding by which every coordinate is uncertain: `sin(pi)` is then zero.
const UNCERTAIN: f64 = 4.0 * f64::EPSILON;
/// Distance of nearby configurations, along each coordinate.
const NEARBY: f64 = 0.1;
/// Less than this part of a vector is not a direction of its own.
const TOLERANCE: f64 = 1e-10;
/// How much larger than its noise a remainder must be.
const SAFETY: f64 = 16.0;

/// A number and how uncertain it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub value: f64,
    pub noise: f64,
}

impl Measured {
    /// True if nothing but rounding is left.
    pub fn is_zero(self) -> bool {
        self.value.abs() <= SAFETY * self.noise
    }
}

/// A vector and how uncertain it is.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub values: Vec<f64>,
    pub noise: f64,
}

impl Row {
    pub fn new(entries: &[Measured]) -> Self {
        let noise = entries.iter().map(|entry| entry.noise * entry.noise).sum::<f64>().sqrt();
        Self { values: entries.iter().map(|entry| entry.value).collect(), noise }
    }

    pub fn length(&self) -> f64 {
        norm(&self.values)
    }

    /// True if nothing but rounding is left.
    pub fn is_zero(&self) -> bool {
        self.length() <= SAFETY * self.noise
    }
}

pub(crate) fn norm(values: &[f64]) -> f64 {
    dot(values, values).sqrt()
}

/// A point and `count` others nearby, the same in every run.
pub(crate) fn nearby(point: &[f64], count: usize) -> Vec<Vec<f64>> {
    let mut random = Random(1);
    let mut points = vec![point.to_vec()];
    points.extend((0..count).map(|_| point.iter().map(|x| x + NEARBY * random.next()).collect()));
    points
}

/// Values of `roots` at points, for each the values of `inputs`; none where one of them is not finite.
pub(crate) fn measure(graph: &Graph, inputs: &[Id], points: &[Vec<f64>], roots: &[Id]) -> Vec<Option<Vec<Measured>>> {
    let Ok(mut bounds) = Bounds::new(graph, inputs, roots) else { return vec![None; points.len()] };
    let mut found = vec![Interval::ENTIRE; roots.len()];
    let mut at = |point: &Vec<f64>| {
        let around = |x: f64| Interval::new(x - UNCERTAIN * x.abs(), x + UNCERTAIN * x.abs());
        bounds.eval(&point.iter().map(|&x| around(x)).collect::<Vec<_>>(), &mut found);
        let measured = found.iter().map(|interval| Measured { value: interval.mid(), noise: interval.width() });
        let measured: Vec<Measured> = measured.collect();
        measured.iter().all(|entry| entry.noise.is_finite()).then_some(measured)
    };
    points.iter().map(&mut at).collect()
}

/// Which rows are independent beyond their noise (Gram-Schmidt, the longest remainder first).
pub(crate) fn independent(rows: &[Row]) -> Vec<usize> {
    let unit = |row: &Row| row.values.iter().map(|value| value / row.length()).collect::<Vec<f64>>();
    let present = rows.iter().enumerate().filter(|(_, row)| !row.is_zero());
    let mut rest: Vec<(usize, Vec<f64>, f64)> =
        present.map(|(index, row)| (index, unit(row), row.noise / row.length() + f64::EPSILON)).collect();
    let mut chosen = Vec::new();
    loop {
        rest.retain(|(_, row, noise)| norm(row) > TOLERANCE.max(SAFETY * noise));
        let longest = (0..rest.len()).max_by(|&a, &b| norm(&rest[a].1).total_cmp(&norm(&rest[b].1)));
        let Some(longest) = longest else { return chosen };
        let (index, pivot, noise) = rest.swap_remove(longest);
        let length = norm(&pivot);
        for (_, row, uncertain) in &mut rest {
            let along = dot(row, &pivot) / length;
            row.iter_mut().zip(&pivot).for_each(|(value, direction)| *value -= along * direction / length);
            // A direction that is left of a cancellation is as uncertain as it is short.
            *uncertain += along.abs() * noise / length;
        }
        chosen.push(index);
    }
}
