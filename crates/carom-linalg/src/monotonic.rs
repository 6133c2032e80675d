//! The root of a function that only rises, or only falls.

/// Steps of Newton's method, halvings included.
const STEPS: usize = 100;
/// Corrections below this part of the value are rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Roots this much smaller than the way to them are zero, to rounding.
const NEAR_ZERO: f64 = 1e-3;

/// Newton's method from `start`, kept between places where the function has different signs; `f` gives value and slope.
/// Nothing if there is no root, or a value is not finite.
pub fn monotonic_root(start: f64, mut f: impl FnMut(f64) -> (f64, f64)) -> Option<f64> {
    let (mut x, mut low, mut high) = (start, f64::NEG_INFINITY, f64::INFINITY);
    let (mut smallest, mut reach) = (f64::INFINITY, start.abs());
    for _ in 0..STEPS {
        let (value, slope) = f(x);
        if value == 0.0 {
            return Some(x);
        }
        // The sign says on which side the root lies.
        if (value > 0.0) == (slope > 0.0) {
            high = x
        } else {
            low = x
        }
        let mut next = x - value / slope;
        let is_between = next > low && next < high;
        if !is_between && low.is_finite() && high.is_finite() {
            next = 0.5 * (low + high);
        }
        if !next.is_finite() {
            return None;
        }
        let step = (next - x).abs();
        // Values near zero are rounded in units of what they are the difference of.
        let stalls = value.abs() >= smallest && step <= 1e3 * ROUNDING * x.abs().max(1.0);
        reach = reach.max(next.abs());
        // A root at zero has no size of its own.
        if step <= ROUNDING * x.abs().max(NEAR_ZERO * reach) || stalls {
            return Some(next);
        }
        smallest = smallest.min(value.abs());
        x = next;
    }
    None
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
        assert!(bent.is_none_or(|x| x.abs() < 1e-15), "{bent:?}");
        let wavy = monotonic_root(-7.0, |x: f64| (x + 0.9 * x.sin() - 3.0, 1.0 + 0.9 * x.cos()));
        assert!(wavy.is_some_and(|x| (x + 0.9 * x.sin() - 3.0).abs() < 1e-15));
        let zero = monotonic_root(3.0, |x: f64| (x.exp() - 1.0 + x / 1e6, x.exp() + 1e-6));
        assert!(zero.is_some_and(|x| x.abs() < 1e-15), "{zero:?}");
        assert_eq!(monotonic_root(0.0, |x: f64| (x.exp(), x.exp())), None);
        assert_eq!(monotonic_root(0.0, |_| (f64::NAN, 1.0)), None);
    }
}
