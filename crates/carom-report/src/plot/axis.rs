//! Axes: a range that fits the data, and ticks that fit the range.
//!
//! Data are shown as `(value - offset) / 10^exponent`; the label of the axis
//! says so. Ticks then are short numbers, whatever the data are.

use super::label::{minus, number, superscript};

/// A range narrower than this part of its values is a constant with rounding errors.
const CONSTANT: f64 = 1e-13;
/// A range narrower than this part of its values is shown from an offset.
const OFFSET: f64 = 1e-4;

/// Numbers below this are zero: their powers of ten are beyond what a number can be.
const ZERO: f64 = 1e-290;

/// A linear axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    /// Lower end, as shown.
    pub low: f64,
    /// Upper end, as shown.
    pub high: f64,
    offset: f64,
    exponent: i32,
}

impl Axis {
    /// An axis for all finite `values`, with `margin` times their range on both sides.
    pub fn covering(values: impl Iterator<Item = f64>, margin: f64) -> Self {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        if low > high {
            return Self { low: 0.0, high: 1.0, offset: 0.0, exponent: 0 };
        }
        let largest = low.abs().max(high.abs());
        let largest = if largest < ZERO { 0.0 } else { largest };
        // Halves, because the range of huge numbers may overflow.
        let half = high / 2.0 - low / 2.0;
        if half <= (CONSTANT * largest).max(ZERO) {
            let around = if largest == 0.0 { 1.0 } else { 0.1 * largest };
            return Self::exactly(low - around, high + around);
        }
        let offset = if half < OFFSET * largest { rounded(low / 2.0 + high / 2.0, half) } else { 0.0 };
        let pad = 2.0 * margin * half;
        let shown = Self::exactly(low - offset - pad, high - offset + pad);
        Self { offset, ..shown }
    }

    /// An axis from `low` to `high`.
    pub fn exactly(low: f64, high: f64) -> Self {
        let magnitude = low.abs().max(high.abs()).log10().floor();
        // From 0.01 to 9999 numbers are read without a power of ten; the rest keeps clear of overflow.
        let exponent = if (-2.0..4.0).contains(&magnitude) { 0 } else { magnitude.clamp(-300.0, 308.0) as i32 };
        let scale = 10f64.powi(-exponent);
        let (low, high) = (low.max(f64::MIN) * scale, high.min(f64::MAX) * scale);
        Self { low, high, offset: 0.0, exponent }
    }

    /// The value as shown.
    pub fn shown(&self, value: f64) -> f64 {
        (value - self.offset) * 10f64.powi(-self.exponent)
    }

    /// Where a value stands between the ends, from 0 to 1.
    pub fn place(&self, value: f64) -> f64 {
        (self.shown(value) - self.low) / (self.high - self.low)
    }

    /// The value at a place from 0 to 1.
    pub fn value(&self, place: f64) -> f64 {
        self.offset + (self.low + place * (self.high - self.low)) * 10f64.powi(self.exponent)
    }

    /// What stands on the axis, given the symbol and the unit of the values.
    pub fn label(&self, symbol: &str, unit: Option<&str>) -> String {
        let mut text = symbol.to_owned();
        if self.offset != 0.0 {
            let sign = if self.offset < 0.0 { "+" } else { "−" };
            text += &format!(" {sign} {}", number(self.offset.abs()));
        }
        let power = (self.exponent != 0).then(|| format!("10{}", superscript(self.exponent)));
        let parts: Vec<String> = power.into_iter().chain(unit.map(str::to_owned)).collect();
        if parts.is_empty() { text } else { format!("{text}  [{}]", parts.join(" ")) }
    }

    /// Up to about `count` round numbers inside the range: their places from 0 to 1 and their texts.
    pub fn ticks(&self, count: usize) -> Vec<(f64, String)> {
        let span = self.high - self.low;
        let step = round_step(span / count.max(1) as f64);
        let (first, last) = ((self.low / step - 1e-9).ceil(), (self.high / step + 1e-9).floor());
        let decimals = (-step.log10().floor()).clamp(0.0, 17.0) as usize;
        let tick = |index: usize| {
            let value = (first + index as f64) * step;
            ((value - self.low) / span, minus(&format!("{:.*}", decimals, value + 0.0)))
        };
        // The cast saturates: a degenerate range gives no ticks, not an endless list.
        (0..=(last - first).clamp(0.0, 100.0) as usize).map(tick).collect()
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is not below `raw`.
fn round_step(raw: f64) -> f64 {
    let power = 10f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= raw * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// `value` without the digits below `scale`.
fn rounded(value: f64, scale: f64) -> f64 {
    let digits = (-scale.log10().floor()).clamp(-300.0, 300.0) as i32;
    if digits >= 0 {
        let power = 10f64.powi(digits);
        (value * power).round() / power
    } else {
        let power = 10f64.powi(-digits);
        (value / power).round() * power
    }
}
