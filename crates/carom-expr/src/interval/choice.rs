//! Operations that choose: absolute value, sign, extremes, comparisons, `select`.
//!
//! They round nothing, so their ends are exact. A comparison that holds for all
//! members is `[1, 1]`, one that holds for none `[0, 0]`, any other `[0, 1]`.

use super::Interval;
use crate::op;

impl Interval {
    const FALSE: Self = Self { lo: 0.0, hi: 0.0 };
    const TRUE: Self = Self { lo: 1.0, hi: 1.0 };
    const UNDECIDED: Self = Self { lo: 0.0, hi: 1.0 };

    /// `{ |x| : x ∈ X }`
    #[inline]
    pub fn abs(self) -> Self {
        if self.lo >= 0.0 {
            self
        } else if self.hi <= 0.0 {
            -self
        } else {
            Self { lo: 0.0, hi: self.hi.max(-self.lo) }
        }
    }

    /// `{ sign x : x ∈ X }`, from `-1` to `1`.
    #[inline]
    pub fn sign(self) -> Self {
        Self { lo: op::sign(self.lo), hi: op::sign(self.hi) }
    }

    /// `{ min(x, y) }`
    #[inline]
    pub fn min(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.min(other.hi) }
    }

    /// `{ max(x, y) }`
    #[inline]
    pub fn max(self, other: Self) -> Self {
        Self { lo: self.lo.max(other.lo), hi: self.hi.max(other.hi) }
    }

    /// `{ x < y }` as truth values.
    #[inline]
    pub fn less(self, other: Self) -> Self {
        Self::verdict(self.hi < other.lo, self.lo >= other.hi)
    }

    /// `{ x <= y }` as truth values.
    #[inline]
    pub fn less_equal(self, other: Self) -> Self {
        Self::verdict(self.hi <= other.lo, self.lo > other.hi)
    }

    /// `{ x == y }` as truth values.
    #[inline]
    pub fn equal(self, other: Self) -> Self {
        // Always equal: both are the same single number.
        Self::verdict(self.is(other.lo) && other.is(self.lo), self.hi < other.lo || other.hi < self.lo)
    }

    /// `X` if the condition is never zero, `Y` if it always is, else their hull.
    #[inline]
    pub fn select(condition: Self, x: Self, y: Self) -> Self {
        if !condition.contains_zero() {
            x
        } else if condition.is(0.0) {
            y
        } else {
            x.hull(y)
        }
    }

    #[inline]
    fn verdict(always: bool, never: bool) -> Self {
        if always {
            Self::TRUE
        } else if never {
            Self::FALSE
        } else {
            Self::UNDECIDED
        }
    }
}
