//! Functions of angles, and the angle of a point.
//!
//! Between multiples of `π/2` the sine, the cosine and the tangent are monotone. With
//! `Q = { m ∈ ℤ : m π/2 ∈ X }`,
//!
//! ```text
//! max sin X = 1 if some m ∈ Q is 1 mod 4, else the larger value at the ends,
//! min sin X = -1 if some m ∈ Q is 3 mod 4, else the smaller value at the ends,
//! ```
//!
//! the cosine likewise with 0 and 2, and the tangent has a pole at every odd `m`.

use super::Interval;
use std::f64::consts::{FRAC_2_PI, PI};

/// The multiples of a right angle inside an interval: `first`, `first + 1`, ..., fewer than four.
struct Quarters {
    first: i64,
    count: i64,
}

impl Quarters {
    /// Beyond this many radians, turns are not counted.
    const LIMIT: f64 = 1e9;
    /// Relative error allowed in counting: `2/π`, the product and the sum here are
    /// rounded, each by half an epsilon. A right angle too many is harmless: the end
    /// that nearly reaches it has nearly the extreme value.
    const SLACK: f64 = 4.0 * f64::EPSILON;

    /// `None` if there may be four or more, that is, a full turn.
    #[inline]
    fn inside(x: Interval) -> Option<Self> {
        if !(x.lo >= -Self::LIMIT && x.hi <= Self::LIMIT) {
            return None;
        }
        let (lo, hi) = (x.lo * FRAC_2_PI, x.hi * FRAC_2_PI);
        let before = (lo - lo.abs() * Self::SLACK).floor() as i64;
        let last = (hi + hi.abs() * Self::SLACK).floor() as i64;
        (last - before < 4).then_some(Self { first: before + 1, count: last - before })
    }

    /// True if one of them is `remainder` modulo 4.
    #[inline]
    fn include(&self, remainder: i64) -> bool {
        ((remainder - self.first) & 3) < self.count
    }
}

/// The range of a sine or cosine with these values at the ends.
#[inline]
fn wave(a: f64, b: f64, bottom: bool, top: bool) -> Interval {
    let lo = if bottom { -1.0 } else { a.min(b) };
    let hi = if top { 1.0 } else { a.max(b) };
    Interval::from_library_with_zeros(lo, hi).cut(-1.0, 1.0)
}

impl Interval {
    const WAVE: Self = Self { lo: -1.0, hi: 1.0 };

    /// `{ sin x : x ∈ X }`; `[-1, 1]` for angles beyond `10⁹`.
    #[inline]
    pub fn sin(self) -> Self {
        let range = |q: Quarters| wave(self.lo.sin(), self.hi.sin(), q.include(3), q.include(1));
        Quarters::inside(self).map_or(Self::WAVE, range)
    }

    /// `{ cos x : x ∈ X }`; `[-1, 1]` for angles beyond `10⁹`.
    #[inline]
    pub fn cos(self) -> Self {
        let range = |q: Quarters| wave(self.lo.cos(), self.hi.cos(), q.include(2), q.include(0));
        Quarters::inside(self).map_or(Self::WAVE, range)
    }

    /// Sine and cosine together, in less time than one after the other.
    #[inline]
    pub fn sin_cos(self) -> (Self, Self) {
        let Some(q) = Quarters::inside(self) else { return (Self::WAVE, Self::WAVE) };
        let ((sin_lo, cos_lo), (sin_hi, cos_hi)) = (self.lo.sin_cos(), self.hi.sin_cos());
        (wave(sin_lo, sin_hi, q.include(3), q.include(1)), wave(cos_lo, cos_hi, q.include(2), q.include(0)))
    }

    /// `{ tan x : x ∈ X }`; the whole line across a pole and for angles beyond `10⁹`.
    #[inline]
    pub fn tan(self) -> Self {
        match Quarters::inside(self) {
            Some(q) if !q.include(1) && !q.include(3) => Self::from_library_with_zeros(self.lo.tan(), self.hi.tan()),
            _ => Self::ENTIRE,
        }
    }

    /// `{ atan2(y, x) : y ∈ Y, x ∈ X }` with `Y` = self: the angles of the points `(x, y)`.
    ///
    /// `[-π, π]` if the box meets the cut `y = 0, x ≤ 0`, where the sign of zero decides
    /// the angle. Elsewhere the angle is monotone in `x` and in `y`: extremes at corners.
    pub fn atan2(self, x: Self) -> Self {
        let y = self;
        let half_turn = PI.next_up();
        if y.contains_zero() && x.lo <= 0.0 {
            return Self { lo: -half_turn, hi: half_turn };
        }
        let (a, b, c, d) = (y.lo.atan2(x.lo), y.lo.atan2(x.hi), y.hi.atan2(x.lo), y.hi.atan2(x.hi));
        // The angle of a far point can underflow to a zero that is not exact.
        let range = Self::from_library(a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
        range.cut(-half_turn, half_turn)
    }
}
