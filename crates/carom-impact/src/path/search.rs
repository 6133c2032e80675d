//! The first contact along a piece of discrete path, by interval bounds.
//!
//! Between two nodes the path is a polynomial `q(tau)`, `0 <= tau <= 1`. Over a part of it the expression
//! of the gap is bounded by interval arithmetic ([`carom_expr::Bounds`]): a bound that is positive proves
//! that there is no contact; a rate of one sign, `G(q) q' < 0`, isolates one. Otherwise the part is
//! halved, the earlier half first. A gap that dips and comes back within a step is not missed, but for paths that
//! hug a surface to rounding, which are sampled in the end.

use super::Path;
use crate::polynomial::FirstRoot;
use carom_expr::{Bounds, FunctionError, Id, Interval};
use carom_linalg::{FalsePosition, max_abs};
use carom_model::Dynamics;

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
#[derive(Clone)]
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
        let (mut looked_at, noise) = (0, ROUNDING * max_abs(path.start()));
        self.parts.clear();
        // A path that begins at the surface cannot be cleared as a whole.
        let ends: &[f64] = if multiplicity == 0 { &[0.0, 1.0] } else { &[0.0, 0.5, 1.0] };
        for pair in ends.windows(2).rev() {
            self.parts.push(Part { low: pair[0], high: pair[1], depth: 0, gaps: [f64::NAN; 2] });
        }
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
        let (q, v) = self.box_.split_at_mut(self.place.len());
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
    fn refine(&mut self, surface: usize, path: &Path, (low, high): (f64, f64), gaps: [f64; 2]) -> f64 {
        let mut ends = FalsePosition::new((low, gaps[0]), (high, gaps[1]));
        if self.accuracy >= 1.0 {
            // None if the gap is rounding at one of the ends.
            return ends.next().unwrap_or(ends.nearest());
        }
        for _ in 0..30 {
            // A path may end at the surface, to rounding.
            let Some(next) = ends.next() else { return ends.nearest() };
            let here = self.gap_at(surface, path, next);
            let is_close = here.abs() < self.accuracy * ends.scale();
            ends.update(next, here, here > 0.0);
            if is_close {
                return next;
            }
        }
        0.5 * (ends.low + ends.high)
    }
}
