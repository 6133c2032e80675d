//! The root of a function that only rises, or only falls.

/// Corrections below this part of the value are rounding.
pub const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Steps of Newton's method, halvings included.
const STEPS: usize = 300;
/// A bracket that so many steps have not halved is halved by the next one.
const PATIENCE: usize = 3;
/// Roots this much smaller than the last value before them are zero, to rounding.
const NEAR_ZERO: f64 = 1e-3;

/// Newton's method from `start`, kept between places where the function has different signs; `f` gives value and slope.
/// Where it is slow, the interval between those places is halved. Nothing if there is no root, or no value at `start`.
pub fn monotonic_root(start: f64, mut f: impl FnMut(f64) -> (f64, f64)) -> Option<f64> {
    let (mut x, mut bracket) = (start, Bracket::new());
    let (mut smallest, mut reach, mut last_step) = (f64::INFINITY, start.abs(), f64::INFINITY);
    let (mut good, mut rises) = (None, true);
    for _ in 0..STEPS {
        let (value, slope) = f(x);
        if value == 0.0 {
            return Some(x);
        }
        if value.is_nan() {
            // Too far: half the way back to where there was a value.
            let back = 0.5 * (x + good?);
            if back == x {
                return None;
            }
            x = back;
            continue;
        }
        good = Some(x);
        // A slope may underflow; its sign is always the same.
        rises = if slope == 0.0 { rises } else { slope > 0.0 };
        bracket.narrow(x, (value > 0.0) == rises);
        let mut next = x - value / slope;
        let step = (next - x).abs();
        // Values near zero are rounded in units of what they are the difference of.
        let stalls = value.abs() >= smallest && step <= 1e3 * ROUNDING * x.abs().max(1.0);
        // A root at zero has no size of its own.
        let is_there = step <= ROUNDING * x.abs().max(NEAR_ZERO * reach) || stalls;
        if is_there && slope.is_finite() {
            return Some(next);
        }
        let is_slow = bracket.is_stuck() && step > 0.5 * last_step;
        if !bracket.contains(next) || is_slow {
            next = bracket.middle().unwrap_or(next);
        }
        // Nothing lies between the ends, or there are none.
        if !next.is_finite() || next == x {
            return next.is_finite().then_some(next);
        }
        smallest = smallest.min(value.abs());
        reach = x.abs();
        last_step = (next - x).abs();
        x = next;
    }
    None
}

/// Where the root is known to lie.
struct Bracket {
    low: f64,
    high: f64,
    /// Its width when it was last halved, and steps since.
    width: f64,
    steps: usize,
}

impl Bracket {
    fn new() -> Self {
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, width: f64::INFINITY, steps: 0 }
    }

    /// The root lies below `x`, or above it.
    fn narrow(&mut self, x: f64, is_below: bool) {
        if is_below {
            self.high = x
        } else {
            self.low = x
        }
        self.steps += 1;
        let width = self.high - self.low;
        if width <= 0.5 * self.width {
            (self.width, self.steps) = (width, 0);
        }
    }

    fn is_stuck(&self) -> bool {
        self.steps >= PATIENCE && self.width.is_finite()
    }

    fn contains(&self, x: f64) -> bool {
        x > self.low && x < self.high
    }

    /// None if it has no end.
    fn middle(&self) -> Option<f64> {
        let middle = 0.5 * self.low + 0.5 * self.high;
        middle.is_finite().then_some(middle)
    }
}

#[cfg(test)]
mod tests {
    use super::monotonic_root;

    #[test]
    fn roots_of_steep_flat_and_bent_functions() {
        let cubic = monotonic_root(40.0, |x| (x * x * x + x - 10.0, 3.0 * x * x + 1.0));
        assert!((cubic.unwrap_or(f64::NAN) - 2.0).abs() < 1e-15);
        // Newton's method alone runs away from here.
        let bent = monotonic_root(20.0, |x: f64| (x.atan(), 1.0 / (1.0 + x * x)));
        assert!(bent.is_some_and(|x| x.abs() < 1e-15), "{bent:?}");
        let wavy = monotonic_root(-7.0, |x: f64| (x + 0.9 * x.sin() - 3.0, 1.0 + 0.9 * x.cos()));
        assert!(wavy.is_some_and(|x| (x + 0.9 * x.sin() - 3.0).abs() < 1e-15));
        let zero = monotonic_root(3.0, |x: f64| (x.exp() - 1.0 + x / 1e6, x.exp() + 1e-6));
        assert!(zero.is_some_and(|x| x.abs() < 1e-15), "{zero:?}");
        assert_eq!(monotonic_root(0.0, |x: f64| (x.exp(), x.exp())), None);
        assert_eq!(monotonic_root(0.0, |_| (f64::NAN, 1.0)), None);
    }

    #[test]
    fn newtons_method_would_take_hundreds_of_steps() {
        // From above the root of an exponential it steps by one.
        let exponential = monotonic_root(0.0, |y: f64| (y + y.exp() - 800.0, 1.0 + y.exp()));
        assert!(exponential.is_some_and(|y| (y + y.exp() - 800.0).abs() < 800.0 * 1e-14), "{exponential:?}");
        // Beyond the largest exponent, too: the first step leads to 5000.
        let overflow = monotonic_root(0.0, |y: f64| (y + y.exp() - 1e4, 1.0 + y.exp()));
        assert!(overflow.is_some_and(|y| (y + y.exp() - 1e4).abs() < 1e4 * 1e-14), "{overflow:?}");
        // From above the root of a cube by a third.
        let cube = monotonic_root(0.0, |y: f64| (y + y.powi(3) - 1e60, 1.0 + 3.0 * y * y));
        assert!(cube.is_some_and(|y| (y / 1e20 - 1.0).abs() < 1e-15), "{cube:?}");
        // A falling function, flat where the search begins.
        let falling = monotonic_root(30.0, |x: f64| (-x.tanh() - 1e-3 * x, -1e-3 - x.cosh().powi(-2)));
        assert!(falling.is_some_and(|x| x.abs() < 1e-15), "{falling:?}");
        // No value far out: infinity over infinity.
        let ratio = |x: f64| x.exp() / (1.0 + x.exp());
        let back = monotonic_root(8.0, |x: f64| (ratio(x) - 0.5, ratio(x) * (1.0 - ratio(x))));
        assert!(back.is_some_and(|x| x.abs() < 1e-14), "{back:?}");
    }
}
