//! Roots of a function of one variable between two places of different sign.

/// False position with halving (Illinois): the value at an end that stays is halved, so that both ends move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FalsePosition {
    /// Where the function is not negative.
    pub low: f64,
    /// Where it is negative.
    pub high: f64,
    values: (f64, f64),
    side: i8,
}

impl FalsePosition {
    /// Begins with the two ends and the values there.
    pub fn new((low, at_low): (f64, f64), (high, at_high): (f64, f64)) -> Self {
        Self { low, high, values: (at_low, at_high), side: 0 }
    }

    /// The next place to look at; none if rounding leaves none between the ends.
    pub fn next(&self) -> Option<f64> {
        let (at_low, at_high) = self.values;
        let next = (self.low * at_high - self.high * at_low) / (at_high - at_low);
        (next > self.low && next < self.high).then_some(next)
    }

    /// The end where the function is closer to zero.
    pub fn nearest(&self) -> f64 {
        if self.values.0.abs() < self.values.1.abs() { self.low } else { self.high }
    }

    /// Larger one of the two values, in size.
    pub fn scale(&self) -> f64 {
        self.values.0.abs().max(self.values.1.abs())
    }

    /// Takes the value at a place between the ends.
    pub fn update(&mut self, place: f64, value: f64, is_low: bool) {
        let half = |again: bool| if again { 0.5 } else { 1.0 };
        if is_low {
            self.low = place;
            self.values = (value, self.values.1 * half(self.side == 1));
            self.side = 1;
        } else {
            self.high = place;
            self.values = (self.values.0 * half(self.side == -1), value);
            self.side = -1;
        }
    }
}
