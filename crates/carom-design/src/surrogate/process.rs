//! Kriging: a Gaussian process through samples (Sacks, Welch, Mitchell, Wynn 1989).
//!
//! ```text
//! y(x) = f(x) . b + z(x),       cov z(a), z(c) = s^2 R(a, c; lengths)
//! b    = (F^T R^-1 F)^-1 F^T R^-1 y,      s^2 = (y - F b)^T R^-1 (y - F b) / n
//! lengths maximise   -n/2 log s^2 - 1/2 log det R - 1/2 sum (log(l_i/0.3)/1.2)^2
//! prediction         f(x) . b + r^T R^-1 (y - F b)
//! variance           s^2 (1 - r^T R^-1 r + w^T (F^T R^-1 F)^-1 w),     w = f(x) - F^T R^-1 r
//! ```
//!
//! The last term is a weak prior of the length scales around a third of the range: a few samples alone may be explained best by lengths that
//! are absurd. The maximum is found by compass search from several starts.
//!
//! Designs are shares of their ranges, costs are seen relative to their spread. A nugget on the diagonal of `R`, as small as the
//! factorisation allows, keeps it positive definite.

use super::cholesky::Cholesky;
use super::compass::{Compass, compass};
use super::kernel::Kernel;
use super::sampling::latin_hypercube;
use crate::study::Mean;

/// Length scales are searched between these shares of the ranges.
const LENGTHS: [f64; 2] = [0.02, 20.0];
/// Centre of the prior of length scales, and its deviation in logarithms.
const PRIOR: [f64; 2] = [0.3, 1.2];
/// Nuggets that are tried, the first one that works is taken.
const NUGGETS: [f64; 5] = [1e-12, 1e-10, 1e-8, 1e-6, 1e-4];
/// Starts of the search of length scales.
const STARTS: usize = 4;
/// Evaluations of the likelihood from each start, per variable.
const EFFORT: usize = 40;

/// What kind of process it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProcessOptions {
    /// Its correlations.
    pub kernel: Kernel,
    /// Its trend.
    pub mean: Mean,
    /// Seed of the starts of its fit.
    pub seed: u64,
}

/// What a process expects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// A Gaussian process through samples.
#[derive(Clone, Debug)]
pub struct Process {
    options: ProcessOptions,
    points: Vec<Vec<f64>>,
    lengths: Vec<f64>,
    /// Shift and scale of the costs.
    scale: [f64; 2],
    fit: Fit,
}

/// All that depends on the length scales.
#[derive(Clone, Debug)]
struct Fit {
    factor: Cholesky,
    trend: Vec<f64>,
    /// `R^-1 (y - F b)`
    weights: Vec<f64>,
    variance: f64,
    /// `R^-1 F`, column by column, and the factor of `F^T R^-1 F`.
    trend_columns: Vec<Vec<f64>>,
    trend_factor: Cholesky,
    likelihood: f64,
}

impl Process {
    /// Fits a process to costs at designs in the unit cube; nothing if there are none, or if no factorisation works.
    pub fn fit(points: &[Vec<f64>], costs: &[f64], options: ProcessOptions) -> Option<Self> {
        let dimension = points.first()?.len();
        let options = ProcessOptions { mean: mean(options.mean, points), ..options };
        let n = costs.len() as f64;
        let shift = costs.iter().sum::<f64>() / n;
        let spread = (costs.iter().map(|cost| (cost - shift).powi(2)).sum::<f64>() / n).sqrt();
        let scale = if spread > 0.0 { spread } else { 1.0 };
        let y: Vec<f64> = costs.iter().map(|cost| (cost - shift) / scale).collect();
        let lengths = lengths(points, &y, options, dimension);
        let fit = Fit::new(points, &y, &lengths, options)?;
        Some(Self { options, points: points.to_vec(), lengths, scale: [shift, scale], fit })
    }

    /// The length scales, as shares of the ranges.
    pub fn lengths(&self) -> &[f64] {
        &self.lengths
    }

    /// What is expected at a design in the unit cube.
    pub fn predict(&self, x: &[f64]) -> Prediction {
        let correlation = |point: &Vec<f64>| self.options.kernel.correlation(x, point, &self.lengths);
        let r: Vec<f64> = self.points.iter().map(correlation).collect();
        let f = trend(x, self.options.mean);
        let fit = &self.fit;
        let mean = dot(&f, &fit.trend) + dot(&r, &fit.weights);
        let half = fit.factor.forward(&r);
        let missing: Vec<f64> = f.iter().zip(&fit.trend_columns).map(|(f, column)| f - dot(column, &r)).collect();
        let of_trend = fit.trend_factor.forward(&missing);
        let share = (1.0 - dot(&half, &half) + dot(&of_trend, &of_trend)).max(0.0);
        let [shift, scale] = self.scale;
        Prediction { mean: shift + scale * mean, deviation: scale * (fit.variance * share).sqrt() }
    }
}

/// The most likely length scales.
fn lengths(points: &[Vec<f64>], y: &[f64], options: ProcessOptions, dimension: usize) -> Vec<f64> {
    let (lower, upper) = (vec![LENGTHS[0].ln(); dimension], vec![LENGTHS[1].ln(); dimension]);
    let exp = |logs: &[f64]| logs.iter().map(|log| log.exp()).collect::<Vec<f64>>();
    let prior = |log: &f64| 0.5 * ((log - PRIOR[0].ln()) / PRIOR[1]).powi(2);
    let mut cost = |logs: &[f64]| {
        let fit = Fit::new(points, y, &exp(logs), options);
        fit.map_or(f64::INFINITY, |fit| logs.iter().map(prior).sum::<f64>() - fit.likelihood)
    };
    let wanted = Compass { lower: &lower, upper: &upper, step: 1.0, finest: 0.02, limit: EFFORT * (dimension + 1) };
    // A third of the range is a good guess of many problems; the others look elsewhere.
    let mut starts = vec![vec![(1.0f64 / 3.0).ln(); dimension]];
    for share in latin_hypercube(STARTS - 1, dimension, options.seed) {
        starts.push(share.iter().zip(lower.iter().zip(&upper)).map(|(share, (a, b))| a + share * (b - a)).collect());
    }
    let found = starts.iter().map(|start| compass(&mut cost, start, &wanted));
    let best = found.reduce(|a, b| if b.1 < a.1 { b } else { a });
    exp(&best.map_or_else(|| vec![(1.0f64 / 3.0).ln(); dimension], |best| best.0))
}

impl Fit {
    fn new(points: &[Vec<f64>], y: &[f64], lengths: &[f64], options: ProcessOptions) -> Option<Self> {
        let n = points.len();
        let mut matrix = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..i {
                matrix[i * n + j] = options.kernel.correlation(&points[i], &points[j], lengths);
            }
        }
        let factor = NUGGETS.iter().find_map(|nugget| {
            let mut matrix = matrix.clone();
            (0..n).for_each(|i| matrix[i * n + i] = 1.0 + nugget);
            Cholesky::new(matrix, n)
        })?;
        let rows: Vec<Vec<f64>> = points.iter().map(|point| trend(point, options.mean)).collect();
        let terms = rows.first()?.len();
        let column = |k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
        let trend_columns: Vec<Vec<f64>> = (0..terms).map(|k| factor.solve(&column(k))).collect();
        let mut normal = vec![0.0; terms * terms];
        for i in 0..terms {
            for j in 0..terms {
                normal[i * terms + j] = dot(&column(i), &trend_columns[j]);
            }
        }
        let trend_factor = Cholesky::new(normal, terms)?;
        let right: Vec<f64> = trend_columns.iter().map(|column| dot(column, y)).collect();
        let trend = trend_factor.solve(&right);
        let rest: Vec<f64> = rows.iter().zip(y).map(|(row, y)| y - dot(row, &trend)).collect();
        let weights = factor.solve(&rest);
        // Costs that the trend explains completely leave no variance.
        let variance = (dot(&rest, &weights) / n as f64).max(1e-30);
        let likelihood = -0.5 * (n as f64 * variance.ln() + factor.log_determinant());
        Some(Self { factor, trend, weights, variance, trend_columns, trend_factor, likelihood })
    }
}

/// A linear trend takes more points than it has terms.
fn mean(wanted: Mean, points: &[Vec<f64>]) -> Mean {
    let dimension = points.first().map_or(0, Vec::len);
    if points.len() > dimension + 2 { wanted } else { Mean::Constant }
}

/// The terms of the trend at a design.
fn trend(x: &[f64], mean: Mean) -> Vec<f64> {
    match mean {
        Mean::Constant => vec![1.0],
        Mean::Linear => std::iter::once(1.0).chain(x.iter().copied()).collect(),
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
