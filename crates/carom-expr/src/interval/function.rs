//! Elementary functions that are monotone, or monotone on each side of zero.
//!
//! ```text
//! f increasing:  f([lo, hi]) = [f(lo), f(hi)],    f decreasing:  [f(hi), f(lo)],
//! f even, increasing on the right:  f(X) = f(|X|)
//! ```
//!
//! A domain with an end (`sqrt`, `log`, `asin`, `acos`, real powers) cuts the argument
//! down to what lies inside; if nothing does, the result is the whole line.
//! (Moore, Kearfott and Cloud 2009, chapter 5.)

use super::Interval;

/// Places by which a value of the mathematical library is moved outwards.
///
/// The GNU C library documents errors of 1 unit in the last place, and 2 for the
/// hyperbolic functions, counted from the correctly rounded value: at most 2.5 units. Twice
/// that also holds the values that the library gives for neighbours inside, or the real
/// value beside a power of two, where the units halve.
const LIBRARY_PLACES: i64 = 6;

/// `x` moved by `count` floating-point numbers, at most to infinity.
#[inline]
fn moved(x: f64, count: i64) -> f64 {
    // With the other bits of negative numbers inverted, the bits are integers in the order of the numbers.
    let ordered = |bits: i64| bits ^ (((bits >> 63) as u64) >> 1) as i64;
    let infinity = f64::INFINITY.to_bits() as i64;
    let key = ordered(x.to_bits() as i64).saturating_add(count).clamp(!infinity, infinity);
    f64::from_bits(ordered(key) as u64)
}

impl Interval {
    /// Encloses the range whose ends the library rounded to `lo` and `hi`.
    #[inline]
    pub(super) fn from_library(lo: f64, hi: f64) -> Self {
        Self { lo: moved(lo, -LIBRARY_PLACES), hi: moved(hi, LIBRARY_PLACES) }
    }

    /// The same for functions that are zero only where the library is exact (`sin 0`,
    /// `log 1`), so that a sign that is known stays known.
    #[inline]
    pub(super) fn from_library_with_zeros(lo: f64, hi: f64) -> Self {
        let wide = Self::from_library(lo, hi);
        Self { lo: if lo == 0.0 { 0.0 } else { wide.lo }, hi: if hi == 0.0 { 0.0 } else { wide.hi } }
    }

    /// The members between `lo` and `hi`, if there are any.
    #[inline]
    fn inside(self, lo: f64, hi: f64) -> Option<Self> {
        (self.hi >= lo && self.lo <= hi).then(|| self.cut(lo, hi))
    }

    /// Ends beyond `lo` and `hi`, where no value can be, move there.
    #[inline]
    pub(super) fn cut(self, lo: f64, hi: f64) -> Self {
        Self { lo: self.lo.max(lo), hi: self.hi.min(hi) }
    }

    #[inline]
    fn increasing(self, function: impl Fn(f64) -> f64) -> Self {
        Self::from_library_with_zeros(function(self.lo), function(self.hi))
    }

    /// `{ √x : x ∈ X, x ≥ 0 }`; the whole line if there is no such `x`.
    #[inline]
    pub fn sqrt(self) -> Self {
        let Some(Self { lo, hi }) = self.inside(0.0, f64::INFINITY) else { return Self::ENTIRE };
        let above = if hi == 0.0 { 0.0 } else { hi.sqrt().next_up() };
        Self { lo: lo.sqrt().next_down().max(0.0), hi: above }
    }

    /// `{ eˣ : x ∈ X }`
    #[inline]
    pub fn exp(self) -> Self {
        Self::from_library(self.lo.exp(), self.hi.exp()).cut(0.0, f64::INFINITY)
    }

    /// `{ log x : x ∈ X, x > 0 }`, natural; the whole line if there is no such `x`.
    #[inline]
    pub fn log(self) -> Self {
        if self.hi <= 0.0 {
            return Self::ENTIRE;
        }
        self.cut(0.0, f64::INFINITY).increasing(f64::ln)
    }

    /// `{ asin x : x ∈ X, |x| ≤ 1 }`; the whole line if there is no such `x`.
    #[inline]
    pub fn asin(self) -> Self {
        self.inside(-1.0, 1.0).map_or(Self::ENTIRE, |x| x.increasing(f64::asin))
    }

    /// `{ acos x : x ∈ X, |x| ≤ 1 }`; the whole line if there is no such `x`.
    #[inline]
    pub fn acos(self) -> Self {
        let range = |x: Self| Self::from_library_with_zeros(x.hi.acos(), x.lo.acos());
        self.inside(-1.0, 1.0).map_or(Self::ENTIRE, range)
    }

    /// `{ atan x : x ∈ X }`
    #[inline]
    pub fn atan(self) -> Self {
        self.increasing(f64::atan)
    }

    /// `{ sinh x : x ∈ X }`
    #[inline]
    pub fn sinh(self) -> Self {
        self.increasing(f64::sinh)
    }

    /// `{ cosh x : x ∈ X }`, never below 1.
    #[inline]
    pub fn cosh(self) -> Self {
        self.abs().increasing(f64::cosh).cut(1.0, f64::INFINITY)
    }

    /// `{ tanh x : x ∈ X }`, between -1 and 1.
    #[inline]
    pub fn tanh(self) -> Self {
        self.increasing(f64::tanh).cut(-1.0, 1.0)
    }

    /// `{ xʸ : x ∈ X, y ∈ Y }`
    ///
    /// | exponent | bounds |
    /// |---|---|
    /// | an even number | those of the power of the absolute value |
    /// | an odd number | increasing; negative: decreasing, the whole line across `x = 0` |
    /// | any other number | monotone on `x ≥ 0`, undefined elsewhere |
    /// | an interval | on `x ≥ 0` the power is monotone in `x` and in `y`: extremes at corners |
    pub fn pow(self, exponent: Self) -> Self {
        if !exponent.is(exponent.lo) {
            return self.pow_varied(exponent);
        }
        let y = exponent.lo;
        match (y, y.fract() == 0.0) {
            (0.0, _) => Self { lo: 1.0, hi: 1.0 },
            (1.0, _) => self,
            (_, true) if y % 2.0 == 0.0 => self.abs().power_range(y),
            (_, true) => self.odd_power(y),
            (_, false) => self.inside(0.0, f64::INFINITY).map_or(Self::ENTIRE, |x| x.power_range(y)),
        }
    }

    /// Powers with an odd whole exponent.
    fn odd_power(self, y: f64) -> Self {
        // x^y = -|x|^y on the left, so both sides come from the power of positive numbers;
        // across zero, negative powers are unbounded on both.
        let (left, right) = ((-self).inside(0.0, f64::INFINITY), self.inside(0.0, f64::INFINITY));
        match (left.map(|x| -x.power_range(y)), right.map(|x| x.power_range(y))) {
            (Some(left), Some(right)) => left.hull(right),
            (Some(side), None) | (None, Some(side)) => side,
            (None, None) => Self::ENTIRE,
        }
    }

    /// Powers with an exponent that varies.
    fn pow_varied(self, exponent: Self) -> Self {
        let magnitude = self.abs();
        let range = magnitude.power_range(exponent.lo).hull(magnitude.power_range(exponent.hi));
        // A negative base has powers of either sign, at the whole exponents; so has a
        // zero that was rounded from below, where exponents are negative.
        let either_sign = self.lo < 0.0 || (self.lo == 0.0 && exponent.lo < 0.0);
        if either_sign { range.hull(-range) } else { range }
    }

    /// `{ xʸ : x ∈ X }` for an `X` without negative numbers.
    fn power_range(self, y: f64) -> Self {
        // The absolute value takes the sign off a negative zero.
        let (a, b) = (self.lo.abs().powf(y), self.hi.powf(y));
        Self::from_library(a.min(b), a.max(b)).cut(0.0, f64::INFINITY)
    }
}
