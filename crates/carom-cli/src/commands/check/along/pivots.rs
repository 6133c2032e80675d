//! Pivots of the constraints at the nodes of a motion and between them.

use carom::Trajectory;
use carom::model::Legendre;

/// Pivots below this count as zero.
const ZERO: f64 = 1e-6;
/// A minimum above this is not looked at more closely.
const CLOSE: f64 = 0.1;
/// Minima that are looked at.
const MAX_MINIMA: usize = 1000;
/// Every iteration takes away four tenths of the interval.
const ITERATIONS: usize = 50;

/// A minimum of the smallest pivot.
#[derive(Clone, Copy, Debug)]
pub struct Minimum {
    pub t: f64,
    pub pivot: f64,
    pub rank: usize,
}

/// The constraints of a motion.
pub struct Pivots<'a> {
    motion: &'a Trajectory,
    legendre: &'a mut Legendre,
    /// Largest length of every row.
    scales: Vec<f64>,
    rank: usize,
    /// The pivot that decides about the rank, at every node.
    last: Vec<f64>,
}

impl<'a> Pivots<'a> {
    /// Looks at the nodes, of which there must be some.
    pub fn new(motion: &'a Trajectory, legendre: &'a mut Legendre) -> Self {
        let n = motion.coordinates.len();
        let mut scales = vec![0.0f64; legendre.constraint_count()];
        for q in motion.q.chunks_exact(n) {
            let rows = legendre.constraints(q).1.chunks_exact(n);
            scales.iter_mut().zip(rows).for_each(|(scale, row)| *scale = scale.max(norm(row)));
        }
        let mut all = Self { motion, legendre, scales, rank: 0, last: Vec::new() };
        let nodes: Vec<Vec<f64>> = motion.q.chunks_exact(n).map(|q| all.at(q)).collect();
        all.rank = nodes.iter().map(|pivots| rank(pivots)).max().unwrap_or(0);
        let place = all.rank.saturating_sub(1);
        all.last = nodes.iter().map(|pivots| pivots.get(place).copied().unwrap_or(0.0)).collect();
        all
    }

    /// The rank almost everywhere.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The smallest pivot at a node, and its time.
    pub fn smallest(&self) -> (f64, f64) {
        let nodes = self.last.iter().copied().zip(self.motion.t.iter().copied());
        nodes.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, 0.0))
    }

    /// Minima of the pivot that may be zeros.
    pub fn minima(&mut self) -> Vec<Minimum> {
        let end = self.last.len() - 1;
        let is_low = |k: &usize| {
            let (before, here, after) = (self.last[k.saturating_sub(1)], self.last[*k], self.last[end.min(k + 1)]);
            // Of a plateau the beginning counts.
            here < CLOSE && here <= after && (*k == 0 || here < before)
        };
        let low: Vec<usize> = (0..=end).filter(is_low).take(MAX_MINIMA).collect();
        low.into_iter().map(|k| self.minimum(k.saturating_sub(1), end.min(k + 1))).collect()
    }

    /// The minimum between two nodes, by golden sections.
    fn minimum(&mut self, from: usize, to: usize) -> Minimum {
        let (mut low, mut high) = (self.motion.t[from], self.motion.t[to]);
        let part = 0.5 * (5f64.sqrt() - 1.0);
        let (mut left, mut right) = (high - part * (high - low), low + part * (high - low));
        let (mut at_left, mut at_right) = (self.pivot(from, to, left), self.pivot(from, to, right));
        for _ in 0..ITERATIONS {
            if at_left <= at_right {
                (high, right, at_right) = (right, left, at_left);
                left = high - part * (high - low);
                at_left = self.pivot(from, to, left);
            } else {
                (low, left, at_left) = (left, right, at_right);
                right = low + part * (high - low);
                at_right = self.pivot(from, to, right);
            }
        }
        // At the ends of a motion the minimum may be a node.
        let inside = 0.5 * (low + high);
        let times = [inside, self.motion.t[from], self.motion.t[to]];
        let found = times.map(|t| (self.pivot(from, to, t), t));
        let (pivot, t) = found.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::NAN, inside));
        let q = self.between(from, to, t);
        Minimum { t, pivot, rank: rank(&self.at(&q)) }
    }

    fn pivot(&mut self, from: usize, to: usize, t: f64) -> f64 {
        let q = self.between(from, to, t);
        self.at(&q).get(self.rank.saturating_sub(1)).copied().unwrap_or(0.0)
    }

    /// The configuration at a time between two nodes, on the cubics that have their positions and velocities.
    fn between(&self, from: usize, to: usize, t: f64) -> Vec<f64> {
        let (n, motion) = (self.motion.coordinates.len(), self.motion);
        let a = (from..to).rev().find(|&k| motion.t[k] <= t).unwrap_or(from);
        let b = to.min(a + 1);
        let h = motion.t[b] - motion.t[a];
        if h <= 0.0 {
            return motion.q[a * n..(a + 1) * n].to_vec();
        }
        let s = (t - motion.t[a]) / h;
        let hermite = |i: usize| {
            let (q, v) = (|k: usize| motion.q[k * n + i], |k: usize| motion.v[k * n + i]);
            let (change, start, end) = (q(b) - q(a), h * v(a), h * v(b));
            q(a) + s * (start + s * (3.0 * change - 2.0 * start - end + s * (start + end - 2.0 * change)))
        };
        (0..n).map(hermite).collect()
    }

    /// Pivots at a configuration, the largest first (Gram-Schmidt on scaled rows).
    fn at(&mut self, q: &[f64]) -> Vec<f64> {
        let rows = self.legendre.constraints(q).1.chunks_exact(q.len()).zip(&self.scales);
        let mut rest: Vec<Vec<f64>> = rows
            .filter(|(_, scale)| **scale > 0.0)
            .map(|(row, &scale)| row.iter().map(|x| x / scale).collect())
            .collect();
        let mut pivots = Vec::with_capacity(rest.len());
        while let Some(longest) = (0..rest.len()).max_by(|&a, &b| norm(&rest[a]).total_cmp(&norm(&rest[b]))) {
            let row = rest.swap_remove(longest);
            let length = norm(&row);
            pivots.push(length);
            if length > 0.0 {
                for other in &mut rest {
                    let along = dot(other, &row) / (length * length);
                    other.iter_mut().zip(&row).for_each(|(value, direction)| *value -= along * direction);
                }
            }
        }
        pivots
    }
}

fn rank(pivots: &[f64]) -> usize {
    pivots.iter().filter(|pivot| **pivot > ZERO).count()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm(row: &[f64]) -> f64 {
    dot(row, row).sqrt()
}
