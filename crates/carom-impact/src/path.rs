//! The first contact along a piece of discrete path, by interval bounds.
//!
//! Between two nodes the path is a polynomial `q(tau)`, `0 <= tau <= 1`. Over a part of it the expression
//! of the gap is bounded by interval arithmetic ([`carom_expr::Bounds`]): a bound that is positive proves
//! that there is no contact; a rate of one sign, `G(q) q' < 0`, isolates one. Otherwise the part is
//! halved, the earlier half first. A gap that dips and comes back within a step is not missed.

use crate::polynomial::FirstRoot;
use carom_expr::{Bounds, FunctionError, Id, Interval};
use carom_linalg::max_abs;
use carom_model::Dynamics;

/// A polynomial path `q(tau) = sum_j c_j tau^j`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    n: usize,
    /// Coefficients, all of one order together.
    coefficients: Vec<f64>,
    /// The same, all of one coordinate together.
    columns: Vec<f64>,
}

impl Path {
    /// An empty path of `n` coordinates.
    pub fn new(n: usize) -> Self {
        Self { n, coefficients: Vec::new(), columns: Vec::new() }
    }

    /// The polynomial with these coefficients, all of one order together.
    pub fn polynomial(&mut self, coefficients: Vec<f64>) {
        self.coefficients = coefficients;
        self.transpose();
    }

    /// Coefficients, all of one order together.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// The cubic with given values and rates at both ends (Hermite).
    pub fn hermite(&mut self, [q0, q1]: [&[f64]; 2], [v0, v1]: [&[f64]; 2], h: f64) {
        let n = self.n;
        self.coefficients.resize(4 * n, 0.0);
        for k in 0..n {
            let (change, left, right) = (q1[k] - q0[k], h * v0[k], h * v1[k]);
            let all = [q0[k], left, 3.0 * change - 2.0 * left - right, left + right - 2.0 * change];
            all.into_iter().enumerate().for_each(|(j, value)| self.coefficients[j * n + k] = value);
        }
        self.transpose();
    }

    /// The polynomial `q0 + sum_i alpha_i(tau) d_i`; `basis` holds the coefficients of `alpha_i`, from the
    /// first order on.
    pub fn displaced(&mut self, q0: &[f64], displacements: &[f64], basis: &[Vec<f64>]) {
        let n = self.n;
        self.coefficients.clear();
        self.coefficients.extend(q0);
        self.coefficients.resize((basis.len() + 1) * n, 0.0);
        for (d, weights) in displacements.chunks_exact(n).zip(basis) {
            for (j, weight) in weights.iter().enumerate() {
                let order = &mut self.coefficients[(j + 1) * n..(j + 2) * n];
                order.iter_mut().zip(d).for_each(|(c, d)| *c += weight * d);
            }
        }
        self.transpose();
    }

    /// The Taylor series `q0 + tau h (v[0] + tau h v[1] / 2 + ...)` on a step of duration `h`, as far as its
    /// terms count; `v` holds all components of one order together.
    pub fn series<'a>(&mut self, q0: &[f64], orders: impl Iterator<Item = &'a [f64]>, h: f64) {
        let n = self.n;
        self.coefficients.clear();
        self.coefficients.extend(q0);
        let (mut power, mut degree) = (1.0, 1);
        for (k, order) in orders.enumerate().take(MAX_DEGREE - 1) {
            power *= h / (k as f64 + 1.0) * if k == 0 { 1.0 } else { k as f64 };
            let begin = self.coefficients.len();
            self.coefficients.extend(order.iter().map(|v| v * power));
            let counts = |(c, q): (&f64, &f64)| c.abs() > NEGLIGIBLE * q.abs().max(f64::MIN_POSITIVE);
            if self.coefficients[begin..].iter().zip(q0).any(counts) {
                degree = k + 1;
            }
        }
        self.coefficients.truncate((degree + 1) * n);
        self.transpose();
    }

    fn transpose(&mut self) {
        self.columns.clear();
        for k in 0..self.n {
            self.columns.extend(self.coefficients.iter().skip(k).step_by(self.n));
        }
    }

    /// Coefficients of one coordinate.
    fn column(&self, k: usize) -> &[f64] {
        let count = self.coefficients.len() / self.n;
        &self.columns[k * count..(k + 1) * count]
    }

    /// Position and rate (per unit of `tau`) at one place.
    pub fn at(&self, tau: f64, q: &mut [f64], rate: &mut [f64]) {
        for (k, (q, rate)) in q.iter_mut().zip(rate).enumerate() {
            let term = |(x, slope): (f64, f64), c: &f64| (x * tau + c, slope * tau + x);
            (*q, *rate) = self.column(k).iter().rev().fold((0.0, 0.0), term);
        }
    }

    /// One coordinate at one place.
    fn position(&self, k: usize, tau: f64) -> f64 {
        self.column(k).iter().rev().fold(0.0, |sum, c| sum * tau + c)
    }

    /// Bounds of some positions and rates (per unit of `tau`) over `[low, high]`.
    fn bounds(&self, which: &[usize], (low, high): (f64, f64), q: &mut [Interval], rate: &mut [Interval]) {
        let width = high - low;
        let mut room = [0.0; MAX_DEGREE + 1];
        for &k in which {
            let (degree, tail) = self.degree_for(k, width);
            // The polynomial about the left end of the part.
            let local = &mut room[..=degree];
            local.copy_from_slice(&self.column(k)[..=degree]);
            for i in 0..degree {
                let mut above = local[degree];
                for value in local[i..degree].iter_mut().rev() {
                    *value += low * above;
                    above = *value;
                }
            }
            let mut position = [local[0] - tail, local[0] + tail];
            let slope = degree_slope(tail, self.column(k).len() - 1);
            let mut speed = [local[1] - slope, local[1] + slope];
            let mut power = width;
            for (j, &c) in local.iter().enumerate().take(degree + 1).skip(1) {
                widen(&mut position, c * power);
                if j < degree {
                    widen(&mut speed, (j + 1) as f64 * local[j + 1] * power);
                }
                power *= width;
            }
            q[k] = Interval::new(position[0], position[1]);
            rate[k] = Interval::new(speed[0], speed[1]);
        }
    }

    /// The degree up to which terms of a coordinate are worth moving to a part of this width, and what the
    /// others sum up to at most. Bounds are no narrower than the part.
    fn degree_for(&self, k: usize, width: f64) -> (usize, f64) {
        let column = self.column(k);
        let full = column.len() - 1;
        let total: f64 = column[1..].iter().map(|c| c.abs()).sum();
        let (mut degree, mut tail) = (full, 0.0);
        for c in column.iter().skip(3).rev() {
            if degree_slope(tail + c.abs(), full) > UNSHIFTED * width * total {
                break;
            }
            tail += c.abs();
            degree -= 1;
        }
        (degree, tail)
    }
}

/// What terms of this sum do to the rate at most.
fn degree_slope(tail: f64, degree: usize) -> f64 {
    tail * degree as f64
}

/// Terms that are left out of a shift widen the bounds by this part of their width.
const UNSHIFTED: f64 = 0.01;

/// Terms below this part of the position do not count.
const NEGLIGIBLE: f64 = 1e-19;

/// Highest degree of a path.
pub const MAX_DEGREE: usize = 64;

/// A term that goes from zero to `end`.
fn widen(range: &mut [f64; 2], end: f64) {
    range[0] += end.min(0.0);
    range[1] += end.max(0.0);
}

/// Halvings down to which contacts are told apart.
const MAX_DEPTH: u32 = 36;
/// Gaps below this part of the configuration are rounding.
const ROUNDING: f64 = 4e-15;
/// Parts that are looked at before the rest of a path is given up.
const MAX_PARTS: usize = 5_000;
/// Places that are looked at instead.
const SAMPLES: usize = 256;
/// Halvings of the first part after a release, where the gap grows from zero with its square.
const RELEASE_DEPTH: u32 = 10;

/// How close roots are unless it is said otherwise.
const ACCURACY: f64 = 1e-7;

/// A part of a path that is to be looked at.
#[derive(Clone, Copy, Debug)]
struct Part {
    low: f64,
    high: f64,
    depth: u32,
    /// The gap at both ends; not a number where it is not known.
    gaps: [f64; 2],
}

/// Looks for contacts along paths.
pub struct PathSearch {
    gaps: Vec<Bounds>,
    /// Rates of the gaps, as functions of position and velocity.
    rates: Vec<Bounds>,
    /// Coordinates that each gap depends on.
    which: Vec<Vec<usize>>,
    box_: Vec<Interval>,
    place: Vec<Interval>,
    parts: Vec<Part>,
    /// How close a root is: what is left of the gap, against the ends of its bracket.
    pub accuracy: f64,
    /// Where the last path came so close to a surface that rounding decides.
    pub touched: Option<f64>,
}

impl PathSearch {
    /// Prepares the surfaces of a system.
    pub fn new(dynamics: &Dynamics) -> Result<Self, FunctionError> {
        let mut graph = dynamics.graph.clone();
        let along: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(dynamics.v.iter().copied()).collect();
        let inputs = [&dynamics.q[..], &dynamics.v].concat();
        let (mut gaps, mut rates, mut which) = (Vec::new(), Vec::new(), Vec::new());
        for surface in &dynamics.surfaces {
            let needed = graph.free_variables(&[surface.gap]);
            which.push((0..dynamics.q.len()).filter(|&k| needed.contains(&dynamics.q[k])).collect());
            let rate = graph.directional(&[surface.gap], &along);
            gaps.push(Bounds::new(&graph, &dynamics.q, &[surface.gap])?);
            rates.push(Bounds::new(&graph, &inputs, &rate)?);
        }
        let zero = Interval::point(0.0);
        let (box_, place) = (vec![zero; inputs.len()], vec![zero; dynamics.q.len()]);
        Ok(Self { gaps, rates, which, box_, place, parts: Vec::new(), accuracy: ACCURACY, touched: None })
    }

    /// True if the gap is positive all over a box.
    pub fn is_clear(&mut self, surface: usize, configurations: &[Interval]) -> bool {
        let mut gap = [Interval::ENTIRE];
        self.gaps[surface].eval(configurations, &mut gap);
        gap[0].lo > 0.0
    }

    /// The first root along `path`. At its beginning the gap is positive, or zero with the given
    /// multiplicity.
    pub fn first_root(&mut self, surface: usize, path: &Path, multiplicity: usize) -> FirstRoot {
        self.touched = None;
        // Bodies that have just come apart are still close.
        let is_told = |low: f64| multiplicity == 0 || multiplicity == 1 && low > 0.0;
        let (mut looked_at, noise) = (0, ROUNDING * max_abs(&path.coefficients[..path.n]));
        self.parts.clear();
        self.parts.push(Part { low: 0.0, high: 1.0, depth: 0, gaps: [f64::NAN; 2] });
        while let Some(Part { low, high, depth, mut gaps }) = self.parts.pop() {
            let gap = self.gap_over(surface, path, low, high);
            if gap.lo > 0.0 {
                continue;
            }
            looked_at += 1;
            // A path that hugs the surface, as after a release: what bounds cannot tell apart, samples can.
            if looked_at > MAX_PARTS {
                return self.by_samples(surface, path, low, noise);
            }
            // The bodies touch all along, to rounding: there is nothing to be told apart.
            if gap.lo > -noise && gap.hi < noise {
                self.touched = is_told(low).then_some(low).or(self.touched);
                continue;
            }
            let rate = self.rate_over(surface);
            let leaves = low == 0.0 && multiplicity > 0;
            for (gap, end) in gaps.iter_mut().zip([low, high]).filter(|(gap, _)| gap.is_nan()) {
                *gap = self.gap_at(surface, path, end);
            }
            if rate.lo > 0.0 && (leaves || gaps[0] > 0.0) {
                continue;
            }
            if rate.hi < 0.0 {
                if gaps[1] > 0.0 {
                    continue;
                }
                let at = self.refine(surface, path, (low, high), gaps);
                return FirstRoot::Crossing { at, bracket: (low, high) };
            }
            // From either end the gap changes by no more than its rate allows.
            let (falls, rises) = (rate.lo.min(0.0) * (high - low), rate.hi.max(0.0) * (high - low));
            if !leaves && gaps[0] + falls > noise || gaps[1] - rises > noise {
                continue;
            }
            let deepest = if leaves && multiplicity > 1 { RELEASE_DEPTH } else { MAX_DEPTH };
            if depth >= deepest {
                if leaves {
                    continue;
                }
                // Rate and gap both vanish here: a grazing contact, unless the path goes on below.
                if gaps[1] < 0.0 {
                    return FirstRoot::Crossing { at: high, bracket: (low, high) };
                }
                self.touched = is_told(low).then_some(0.5 * (low + high)).or(self.touched);
                continue;
            }
            let middle = 0.5 * (low + high);
            let here = self.gap_at(surface, path, middle);
            self.parts.push(Part { low: middle, high, depth: depth + 1, gaps: [here, gaps[1]] });
            self.parts.push(Part { low, high: middle, depth: depth + 1, gaps: [gaps[0], here] });
        }
        FirstRoot::None
    }

    /// The first sample from `low` on that is inside, with the one before.
    fn by_samples(&mut self, surface: usize, path: &Path, low: f64, noise: f64) -> FirstRoot {
        let place = |k: usize| low + (1.0 - low) * k as f64 / SAMPLES as f64;
        let inside = (1..=SAMPLES).find(|&k| self.gap_at(surface, path, place(k)) < -noise);
        let Some(k) = inside else { return FirstRoot::None };
        let bracket = (place(k - 1), place(k));
        let gaps = [bracket.0, bracket.1].map(|end| self.gap_at(surface, path, end));
        FirstRoot::Crossing { at: self.refine(surface, path, bracket, gaps), bracket }
    }

    /// Bounds of the gap over a part of the path.
    fn gap_over(&mut self, surface: usize, path: &Path, low: f64, high: f64) -> Interval {
        let (q, v) = self.box_.split_at_mut(path.n);
        path.bounds(&self.which[surface], (low, high), q, v);
        let mut gap = [Interval::ENTIRE];
        self.gaps[surface].eval(q, &mut gap);
        gap[0]
    }

    /// Bounds of its rate over the same part.
    fn rate_over(&mut self, surface: usize) -> Interval {
        let mut rate = [Interval::ENTIRE];
        self.rates[surface].eval(&self.box_, &mut rate);
        rate[0]
    }

    /// The gap at one place of the path. Leaves the bounds of the last part alone.
    fn gap_at(&mut self, surface: usize, path: &Path, tau: f64) -> f64 {
        for &k in &self.which[surface] {
            self.place[k] = Interval::point(path.position(k, tau));
        }
        let mut gap = [Interval::ENTIRE];
        self.gaps[surface].eval(&self.place, &mut gap);
        gap[0].mid()
    }

    /// The only root between `low` and `high`, well enough for a guess: false position with halving.
    fn refine(&mut self, surface: usize, path: &Path, (mut low, mut high): (f64, f64), gaps: [f64; 2]) -> f64 {
        let [mut at_low, mut at_high] = gaps;
        let mut side = 0;
        for _ in 0..30 {
            let next = (low * at_high - high * at_low) / (at_high - at_low);
            if !(next > low && next < high) {
                break;
            }
            let here = self.gap_at(surface, path, next);
            let is_close = here.abs() < self.accuracy * at_low.abs().max(at_high.abs());
            if here > 0.0 {
                (low, at_low) = (next, here);
                at_high *= if side == 1 { 0.5 } else { 1.0 };
                side = 1;
            } else {
                (high, at_high) = (next, here);
                at_low *= if side == -1 { 0.5 } else { 1.0 };
                side = -1;
            }
            if is_close {
                return next;
            }
        }
        0.5 * (low + high)
    }
}
