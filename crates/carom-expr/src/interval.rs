//! Intervals: the real numbers between two floating-point ends.
//!
//! An operation on intervals encloses what it does to their members,
//!
//! ```text
//! X ∘ Y ⊇ { x ∘ y : x ∈ X, y ∈ Y, x ∘ y defined },
//! ```
//!
//! and, by induction, an expression of intervals encloses the values of the
//! expression (Moore, Kearfott and Cloud, *Introduction to Interval Analysis*,
//! SIAM 2009, chapters 2 and 5). Ends are rounded outwards, so this holds for real
//! arithmetic and for floating-point arithmetic alike. Members outside the domain of
//! an operation are passed over; if no member is inside, the result is the whole
//! line. Not enclosed is what follows from a value that is not a number.

mod angle;
mod choice;
mod function;

use std::ops::{Add, Div, Mul, Neg, Sub};

/// All real numbers `x` with `lo <= x <= hi`.
///
/// The ends are numbers with `lo <= hi`; `lo` may be minus infinity and `hi` plus
/// infinity, which stand for "unbounded". [`Interval::new`] sees to that.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

impl Interval {
    /// The whole line: nothing is known.
    pub const ENTIRE: Self = Self { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// `[lo, hi]`; the whole line if an end is not a number or no real number lies between them.
    #[inline]
    pub fn new(lo: f64, hi: f64) -> Self {
        // Comparisons with not-a-number are false.
        let holds_a_number = lo <= hi && lo < f64::INFINITY && hi > f64::NEG_INFINITY;
        if holds_a_number { Self { lo, hi } } else { Self::ENTIRE }
    }

    /// `[x, x]`; the whole line if `x` is infinite or not a number.
    #[inline]
    pub fn point(x: f64) -> Self {
        Self::new(x, x)
    }

    /// The smallest interval that contains both.
    #[inline]
    pub fn hull(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// `lo <= x <= hi`
    #[inline]
    pub fn contains(self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    /// `lo <= 0 <= hi`
    #[inline]
    pub fn contains_zero(self) -> bool {
        self.contains(0.0)
    }

    /// `hi - lo`, rounded upwards.
    #[inline]
    pub fn width(self) -> f64 {
        sum_above(self.hi, -self.lo)
    }

    /// A number of the interval near `(lo + hi) / 2`; always finite.
    #[inline]
    pub fn mid(self) -> f64 {
        let (lo, hi) = (self.lo.max(f64::MIN), self.hi.min(f64::MAX));
        // Halved first: the sum may overflow. Halves of the tiniest numbers round to zero.
        (0.5 * lo + 0.5 * hi).max(lo).min(hi)
    }

    /// `{ x² : x ∈ X }`, which is never negative, unlike the product of two equal intervals.
    #[inline]
    pub fn square(self) -> Self {
        let Self { lo, hi } = self.abs();
        // A zero is exact at the lower end by the sign, at the upper end only if nothing else is inside.
        let above = if hi == 0.0 { 0.0 } else { (hi * hi).next_up() };
        Self { lo: (lo * lo).next_down().max(0.0), hi: above }
    }

    /// True if the interval is the single number `x`.
    #[inline]
    fn is(self, x: f64) -> bool {
        self.lo == x && self.hi == x
    }

    /// The hull of products or quotients of ends, each rounded once.
    #[inline]
    fn from_corners(corners: [f64; 4], sign: Sign) -> Self {
        // `0 * inf` and `inf / inf` are not numbers; `min` and `max` pass over them,
        // rightly, because a neighbouring corner has the same limit.
        let [a, b, c, d] = corners;
        let lo = a.min(b).min(c.min(d)).next_down();
        let hi = a.max(b).max(c.max(d)).next_up();
        // Rounding, and underflow too, keep the sign.
        match sign {
            Sign::NotNegative => Self { lo: lo.max(0.0), hi },
            Sign::NotPositive => Self { lo, hi: hi.min(0.0) },
            Sign::Unknown => Self { lo, hi },
        }
    }
}

/// What is known of the sign of a product or a quotient.
enum Sign {
    NotNegative,
    NotPositive,
    Unknown,
}

impl Sign {
    #[inline]
    fn of_product(a: Interval, b: Interval) -> Self {
        let (a_up, a_down, b_up, b_down) = (a.lo >= 0.0, a.hi <= 0.0, b.lo >= 0.0, b.hi <= 0.0);
        if (a_up && b_up) || (a_down && b_down) {
            Self::NotNegative
        } else if (a_up && b_down) || (a_down && b_up) {
            Self::NotPositive
        } else {
            Self::Unknown
        }
    }
}

/// A number not above `x + y`.
#[inline]
fn sum_below(x: f64, y: f64) -> f64 {
    let sum = x + y;
    // A floating-point sum that is zero is exact: addition does not underflow.
    if x == 0.0 || y == 0.0 || sum == 0.0 { sum } else { sum.next_down() }
}

/// A number not below `x + y`.
#[inline]
fn sum_above(x: f64, y: f64) -> f64 {
    -sum_below(-x, -y)
}

impl Neg for Interval {
    type Output = Self;
    /// `[-hi, -lo]`, exact
    #[inline]
    fn neg(self) -> Self {
        Self { lo: -self.hi, hi: -self.lo }
    }
}

impl Add for Interval {
    type Output = Self;
    /// `[a.lo + b.lo, a.hi + b.hi]`
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { lo: sum_below(self.lo, other.lo), hi: sum_above(self.hi, other.hi) }
    }
}

impl Sub for Interval {
    type Output = Self;
    /// `[a.lo - b.hi, a.hi - b.lo]`
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Self;
    /// The least and the greatest product of ends; exact if a factor is 0 or 1.
    #[inline]
    fn mul(self, other: Self) -> Self {
        if self.is(0.0) || other.is(1.0) {
            return self;
        }
        if other.is(0.0) || self.is(1.0) {
            return other;
        }
        let (a, b) = (self, other);
        Self::from_corners([a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi], Sign::of_product(a, b))
    }
}

impl Div for Interval {
    type Output = Self;
    /// The least and the greatest quotient of ends; the whole line if the divisor contains zero.
    #[inline]
    fn div(self, other: Self) -> Self {
        if other.contains_zero() {
            return Self::ENTIRE;
        }
        if self.is(0.0) || other.is(1.0) {
            return self;
        }
        let (a, b) = (self, other);
        Self::from_corners([a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi], Sign::of_product(a, b))
    }
}
