//! Boxes that may be unbounded, and where to cut them.
//!
//! ```text
//! (-∞, ∞) -> 0,     [0, ∞) -> 1,     [a, ∞) -> 2a,     [a, b] -> (a + b)/2
//! ```
//!
//! Doubling reaches every scale in a few cuts: tails that decay are soon small.

use crate::interval::Interval;

/// A box: one interval for each variable.
pub(super) type Region = Vec<Interval>;

/// Tails from here on are not cut: what is not bounded there will not be bounded further out.
const LAST_TAIL: f64 = (1_u128 << 100) as f64;

pub(super) fn is_bounded(side: Interval) -> bool {
    side.lo.is_finite() && side.hi.is_finite()
}

/// A number strictly inside, at which the side is cut in two; none if there is none or it would not help.
pub(super) fn cut(side: Interval) -> Option<f64> {
    let Interval { lo, hi } = side;
    match (lo.is_finite(), hi.is_finite()) {
        (true, true) => Some(side.mid()).filter(|&mid| lo < mid && mid < hi),
        (false, false) => Some(0.0),
        (true, false) if lo < 0.0 => Some(0.0),
        (true, false) => (lo < LAST_TAIL).then_some((2.0 * lo).max(1.0)),
        (false, true) => cut(-side).map(|place| -place),
    }
}

/// A number of the side, well inside if it is wide.
pub(super) fn inside(side: Interval) -> f64 {
    cut(side).unwrap_or(if side.lo.is_finite() { side.lo } else { side.hi })
}

/// The width of a side in proportion to the `domain`, between 0 and 2.
pub(super) fn share(side: Interval, domain: Interval) -> f64 {
    if is_bounded(domain) {
        return side.width() / domain.width();
    }
    // The line is mapped to (-1, 1); cutting a tail where its end has doubled halves its image.
    let image = |x: f64| if x.is_finite() { x / (1.0 + x.abs()) } else { x.signum() };
    image(side.hi) - image(side.lo)
}
