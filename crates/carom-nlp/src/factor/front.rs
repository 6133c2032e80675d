//! Partial factorisation of one dense front.
//!
//! A front holds the unknowns that can be eliminated now (the first ones) and those that are coupled with
//! them (the others). Pivots are sought among the first ones only, and accepted if they are not small
//! against the whole column (Duff and Reid 1983): of size one if
//!
//! ```text
//! |a_cc| >= u max_i |a_ic|,
//! ```
//!
//! of size two if `|P^-1| (max_i |a_ic|, max_i |a_ir|)^T <= 1/u` in both components. Unknowns for which
//! there is no such pivot are delayed: they wait for the next front, where more of their column is known.
//!
//! Only the lower triangle is kept, column by column.

use super::Inertia;

/// Smallest accepted ratio of a pivot to its column. Small, since every solution is refined.
const THRESHOLD: f64 = 1e-5;

/// What is left of a column, against what was there at first, below which it has cancelled.
const CANCELLED: f64 = 1e-14;

/// One front, being eliminated.
#[derive(Debug, Default)]
pub(crate) struct Front {
    /// Number of unknowns.
    pub(crate) size: usize,
    /// Unknowns, eliminated ones first.
    pub(crate) index: Vec<u32>,
    /// The lower triangle, column by column, `size` entries each.
    pub(crate) a: Vec<f64>,
    /// Sizes of columns at the beginning, by which cancellation is judged.
    pub(crate) norm: Vec<f64>,
    /// Off-diagonal entries of pivots of size two, at their first column; zero for others.
    pub(crate) off: Vec<f64>,
    /// Number of eliminated unknowns.
    pub(crate) pivots: usize,
    /// Signs of the pivots.
    pub(crate) inertia: Inertia,
    /// Unknowns whose pivots vanished.
    pub(crate) vanished: Vec<u32>,
    /// The two columns of a pivot, before they are scaled.
    columns: [Vec<f64>; 2],
}

/// A pivot that can be taken.
enum Pivot {
    One(usize),
    Two(usize, usize),
    /// A column that has vanished.
    Zero(usize),
}

impl Front {
    /// An empty front of these unknowns.
    pub(crate) fn reset(&mut self, size: usize) {
        self.size = size;
        self.index.clear();
        self.a.clear();
        self.a.resize(size * size, 0.0);
        self.off.clear();
        self.off.resize(size, 0.0);
        self.norm.clear();
        self.pivots = 0;
        self.inertia = Inertia::default();
        self.vanished.clear();
    }

    /// Adds to an entry.
    #[inline]
    pub(crate) fn add(&mut self, i: usize, j: usize, value: f64) {
        let at = if i >= j { j * self.size + i } else { i * self.size + j };
        self.a[at] += value;
    }

    #[inline]
    fn entry(&self, i: usize, j: usize) -> f64 {
        self.a[if i >= j { j * self.size + i } else { i * self.size + j }]
    }

    /// Eliminates what can be eliminated among the first `candidates` unknowns. In the last front nothing can
    /// be delayed: columns that have vanished are pivots of size zero.
    pub(crate) fn eliminate(&mut self, candidates: usize, last: bool) {
        while self.pivots < candidates {
            match self.find(candidates, last) {
                Some(Pivot::One(c)) => {
                    self.exchange(self.pivots, c);
                    self.eliminate_one();
                }
                Some(Pivot::Two(c, r)) => {
                    // The partner may stand where the first one goes.
                    self.exchange(self.pivots, c);
                    let r = if r == self.pivots { c } else { r };
                    self.exchange(self.pivots + 1, r);
                    self.eliminate_two();
                }
                Some(Pivot::Zero(c)) => {
                    self.exchange(self.pivots, c);
                    let (p, size) = (self.pivots, self.size);
                    self.a[p * size + p..(p + 1) * size].fill(0.0);
                    self.inertia.zero += 1;
                    self.vanished.push(self.index[p]);
                    self.pivots += 1;
                }
                None => break,
            }
        }
    }

    /// The first acceptable pivot.
    fn find(&self, candidates: usize, last: bool) -> Option<Pivot> {
        let mut vanished = None;
        for c in self.pivots..candidates {
            let (diagonal, all, near, r) = self.scan(c, usize::MAX, candidates);
            if diagonal.max(all) <= CANCELLED * self.norm[c] || diagonal.max(all) == 0.0 {
                vanished.get_or_insert(c);
                continue;
            }
            if diagonal >= THRESHOLD * all && diagonal > CANCELLED * self.norm[c] {
                return Some(Pivot::One(c));
            }
            if near > 0.0 && self.accepts(c, r, candidates) {
                return Some(Pivot::Two(c, r));
            }
        }
        if last { vanished.map(Pivot::Zero).or_else(|| self.largest(candidates)) } else { None }
    }

    /// If rounding lets every test fail in the last front, the largest diagonal entry is taken.
    fn largest(&self, candidates: usize) -> Option<Pivot> {
        let by_size = |a: &usize, b: &usize| self.entry(*a, *a).abs().total_cmp(&self.entry(*b, *b).abs());
        let best = (self.pivots..candidates).max_by(by_size)?;
        Some(if self.entry(best, best) == 0.0 { Pivot::Zero(best) } else { Pivot::One(best) })
    }

    /// Diagonal entry of column `c`, largest other entry, largest one among the candidates and its row; row
    /// `without` is left out.
    fn scan(&self, c: usize, without: usize, candidates: usize) -> (f64, f64, f64, usize) {
        let size = self.size;
        let (mut all, mut near, mut r) = (0.0_f64, 0.0_f64, c);
        for i in self.pivots..c {
            let value = self.a[i * size + c].abs();
            if i != without && value > near {
                (near, r) = (value, i);
            }
        }
        let column = &self.a[c * size..(c + 1) * size];
        for (i, value) in column.iter().enumerate().take(candidates).skip(c + 1) {
            let value = value.abs();
            if i != without && value > near {
                (near, r) = (value, i);
            }
        }
        all = all.max(near);
        all = column[candidates.max(c + 1)..].iter().fold(all, |all, value| all.max(value.abs()));
        (column[c].abs(), all, near, r)
    }

    /// True if columns `c` and `r` make a pivot of size two.
    fn accepts(&self, c: usize, r: usize, candidates: usize) -> bool {
        let (acc, arr, acr) = (self.entry(c, c), self.entry(r, r), self.entry(r, c));
        let determinant = (acc * arr - acr * acr).abs();
        let (_, others_c, ..) = self.scan(c, r, candidates);
        let (_, others_r, ..) = self.scan(r, c, candidates);
        let limit = determinant / THRESHOLD;
        // The determinant itself must not have cancelled.
        determinant > 1e-12 * (acc * arr).abs().max(acr * acr)
            && arr.abs() * others_c + acr.abs() * others_r <= limit
            && acr.abs() * others_c + acc.abs() * others_r <= limit
    }

    /// Exchanges two unknowns that have not been eliminated, `a <= b`.
    fn exchange(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        let (a, b, size) = (a.min(b), a.max(b), self.size);
        self.index.swap(a, b);
        self.norm.swap(a, b);
        // Rows of columns to the left, eliminated ones included: L moves along.
        for j in 0..a {
            self.a.swap(j * size + a, j * size + b);
        }
        self.a.swap(a * size + a, b * size + b);
        for i in a + 1..b {
            self.a.swap(a * size + i, i * size + b);
        }
        for i in b + 1..size {
            self.a.swap(a * size + i, b * size + i);
        }
    }

    fn eliminate_one(&mut self) {
        let (p, size) = (self.pivots, self.size);
        let (done, rest) = self.a.split_at_mut((p + 1) * size);
        let column = &mut done[p * size..];
        let d = column[p];
        let inverse = 1.0 / d;
        let [saved, _] = &mut self.columns;
        saved.clear();
        saved.extend_from_slice(column);
        column[p + 1..].iter_mut().for_each(|value| *value *= inverse);
        for (j, target) in (p + 1..size).zip(rest.chunks_exact_mut(size)) {
            let factor = column[j];
            if factor != 0.0 {
                for (t, s) in target[j..].iter_mut().zip(&saved[j..]) {
                    *t -= factor * s;
                }
            }
        }
        if d > 0.0 {
            self.inertia.positive += 1;
        } else {
            self.inertia.negative += 1;
        }
        self.pivots += 1;
    }

    fn eliminate_two(&mut self) {
        let (p, size) = (self.pivots, self.size);
        let (done, rest) = self.a.split_at_mut((p + 2) * size);
        let (first, second) = done[p * size..].split_at_mut(size);
        let (a, b, c) = (first[p], first[p + 1], second[p + 1]);
        let determinant = a * c - b * b;
        let (ia, ib, ic) = (c / determinant, -b / determinant, a / determinant);
        let [one, two] = &mut self.columns;
        one.clear();
        one.extend_from_slice(first);
        two.clear();
        two.extend_from_slice(second);
        for i in p + 2..size {
            first[i] = ia * one[i] + ib * two[i];
            second[i] = ib * one[i] + ic * two[i];
        }
        for (j, target) in (p + 2..size).zip(rest.chunks_exact_mut(size)) {
            let (f, s) = (first[j], second[j]);
            if f != 0.0 || s != 0.0 {
                for ((t, x), y) in target[j..].iter_mut().zip(&one[j..]).zip(&two[j..]) {
                    *t -= f * x + s * y;
                }
            }
        }
        self.off[p] = b;
        first[p + 1] = 0.0;
        if determinant < 0.0 {
            self.inertia.positive += 1;
            self.inertia.negative += 1;
        } else if a > 0.0 {
            self.inertia.positive += 2;
        } else {
            self.inertia.negative += 2;
        }
        self.pivots += 2;
    }
}
