//! Where a cubic crosses zero.
//!
//! Between its critical points a cubic is monotone and crosses zero once or not at all, which the signs at the ends
//! tell. So no crossing is missed, however close two of them are, and a touch (double root) is none.

/// Steps of a root search; bisection alone needs 53 for the last digit of a bracket's width, and as many more for
/// roots close to its left end.
const STEPS: usize = 120;

/// `c_0 + c_1 u + c_2 u^2/2 + c_3 u^3/6`, a motion with constant jerk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cubic(pub(super) [f64; 4]);

impl Cubic {
    fn value(self, u: f64) -> f64 {
        let Self([place, rate, acceleration, jerk]) = self;
        place + u * (rate + u * (acceleration / 2.0 + u * jerk / 6.0))
    }

    fn rate(self, u: f64) -> f64 {
        let Self([_, rate, acceleration, jerk]) = self;
        rate + u * (acceleration + u * jerk / 2.0)
    }

    /// The first moment in `[0, length]` from which on the sign is not `sign` but its opposite.
    ///
    /// The sign at zero is taken to be `sign`, whatever rounding has left there: after a crossing the value is zero.
    pub(super) fn leaves(self, sign: f64, length: f64) -> Option<f64> {
        let mut low = 0.0;
        for high in self.turns(length).into_iter().flatten().chain([length]) {
            if self.value(high) * sign < 0.0 {
                return Some(self.root(sign, low, high));
            }
            low = high;
        }
        None
    }

    /// Critical points inside `(0, length)`, in order.
    fn turns(self, length: f64) -> [Option<f64>; 2] {
        let Self([_, rate, acceleration, jerk]) = self;
        let discriminant = acceleration * acceleration - 2.0 * rate * jerk;
        if discriminant < 0.0 {
            return [None, None];
        }
        // Both roots of the quadratic without cancellation; those that do not exist are not finite.
        let sum = -(acceleration + discriminant.sqrt().copysign(acceleration));
        let inside = |u: f64| (u > 0.0 && u < length).then_some(u);
        match [inside(sum / jerk), inside(2.0 * rate / sum)] {
            [Some(a), Some(b)] => [Some(a.min(b)), Some(a.max(b))],
            any => any,
        }
    }

    /// The root of a monotone part that has `sign` at `low` and the opposite at `high`: Newton's method in a bracket.
    fn root(self, sign: f64, mut low: f64, mut high: f64) -> f64 {
        if self.value(low) * sign <= 0.0 {
            return low;
        }
        let mut u = 0.5 * (low + high);
        for _ in 0..STEPS {
            let value = self.value(u);
            if value == 0.0 {
                return u;
            }
            *(if value * sign > 0.0 { &mut low } else { &mut high }) = u;
            let newton = u - value / self.rate(u);
            let next = if (low..=high).contains(&newton) { newton } else { 0.5 * (low + high) };
            let is_last_digit = (next - u).abs() <= f64::EPSILON * u;
            u = next;
            if is_last_digit {
                break;
            }
        }
        u
    }
}

#[cfg(test)]
mod tests {
    use super::Cubic;

    /// `scale (u - a) (u - b) (u - c)` as a motion.
    fn cubic(scale: f64, [a, b, c]: [f64; 3]) -> Cubic {
        Cubic([-a * b * c, a * b + b * c + c * a, -2.0 * (a + b + c), 6.0].map(|term| scale * term))
    }

    #[test]
    fn all_crossings_are_found() {
        let mut cubic = cubic(-2.0, [0.25, 0.5, 0.75]);
        let (mut sign, mut start) = (1.0, 0.0);
        let mut found = Vec::new();
        while let Some(u) = cubic.leaves(sign, 1.0 - start) {
            start += u;
            found.push(start);
            let Cubic([_, _, acceleration, jerk]) = cubic;
            cubic = Cubic([0.0, cubic.rate(u), acceleration + jerk * u, jerk]);
            sign = -sign;
        }
        assert_eq!(found.len(), 3);
        assert!(found.iter().zip([0.25, 0.5, 0.75]).all(|(found, known)| (found - known).abs() < 1e-15));
    }

    #[test]
    fn touches_are_no_crossings_but_narrow_dips_are() {
        assert_eq!(cubic(1.0, [0.5, 0.5, -1.0]).leaves(1.0, 1.0), None);
        let dip = cubic(1.0, [0.5, 0.5 + 1e-6, -1.0]).leaves(1.0, 1.0).unwrap();
        assert!((dip - 0.5).abs() < 1e-9);
    }

    #[test]
    fn lower_degrees_have_roots_too() {
        assert_eq!(Cubic([1.0, -4.0, 0.0, 0.0]).leaves(1.0, 1.0), Some(0.25));
        assert_eq!(Cubic([1.0, 0.0, -8.0, 0.0]).leaves(1.0, 1.0), Some(0.5));
        assert_eq!(Cubic([1.0, 0.0, 0.0, 0.0]).leaves(1.0, 1.0), None);
        assert_eq!(Cubic([0.0, 0.0, 0.0, 0.0]).leaves(1.0, 1.0), None);
        assert_eq!(Cubic([f64::NAN, 1.0, 0.0, 0.0]).leaves(1.0, 1.0), None);
    }
}
