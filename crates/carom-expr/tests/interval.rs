//! Operations on intervals: rounded outwards, tight, exact where nothing is rounded,
//! and defined for every argument.

use crate::common;

use carom_expr::Interval;
use common::Noise;
use std::f64::consts::{FRAC_PI_2, PI};

const INFINITY: f64 = f64::INFINITY;

/// True if `found` contains `[lo, hi]` and is larger by no more than `slack`, relative.
fn close(found: Interval, lo: f64, hi: f64, slack: f64) -> bool {
    let room = |x: f64| slack * x.abs() + 1e-300;
    found.lo <= lo && found.hi >= hi && found.lo >= lo - room(lo) && found.hi <= hi + room(hi)
}

#[track_caller]
fn assert_close(found: Interval, lo: f64, hi: f64) {
    assert!(close(found, lo, hi, 1e-14), "{found:?} instead of [{lo}, {hi}]");
}

/// True if the interval has numbers on the side of `rounded` where the exact value is.
fn holds(range: Interval, rounded: f64, exact_minus_rounded: f64) -> bool {
    let (below, above) = (exact_minus_rounded < 0.0, exact_minus_rounded > 0.0);
    range.contains(rounded) && (!below || range.lo < rounded) && (!above || range.hi > rounded)
}

#[test]
fn rounding_errors_of_arithmetic_are_inside() {
    let mut noise = Noise::new(17);
    for _ in 0..10_000 {
        let (x, y) = (3.0 * noise.next(), 3.0 * noise.next());
        let (a, b) = (Interval::point(x), Interval::point(y));
        // Knuth's error of a sum; a fused operation gives the others, or their residuals.
        let (sum, product, quotient, root) = (x + y, x * y, x / y, x.abs().sqrt());
        let part = sum - x;
        assert!(holds(a + b, sum, (x - (sum - part)) + (y - part)), "{x} + {y}");
        assert!(holds(a - -b, sum, (x - (sum - part)) + (y - part)), "{x} - -{y}");
        assert!(holds(a * b, product, x.mul_add(y, -product)), "{x} {y}");
        assert!(holds(a.square(), x * x, x.mul_add(x, -(x * x))), "{x}^2");
        assert!(holds(a / b, quotient, (-quotient).mul_add(y, x) * y.signum()), "{x} / {y}");
        assert!(holds(a.abs().sqrt(), root, (-root).mul_add(root, x.abs())), "sqrt |{x}|");
    }
}

#[test]
fn identities_hold_inside_the_bounds_of_points() {
    let mut noise = Noise::new(18);
    let quarter_turn = Interval::new(FRAC_PI_2, FRAC_PI_2.next_up());
    for _ in 0..10_000 {
        let (x, y) = (noise.next(), 3.0 * noise.next());
        let (a, b) = (Interval::point(x), Interval::point(y));
        let ones = [
            b.sin().square() + b.cos().square(),
            b.cosh().square() - b.sinh().square(),
            b.exp() * (-b).exp(),
            b.tanh() * b.cosh() / b.sinh(),
            b.tan() * b.cos() / b.sin(),
            b.abs().pow(a) * b.abs().pow(-a),
        ];
        let zeros = [
            b.exp().log() - b,
            a.asin() + a.acos() - quarter_turn,
            a.tan().atan() - a,
            a.atan2(b.abs()) - (a / b.abs()).atan(),
            b.abs().pow(a) - (a * b.abs().log()).exp(),
            b.abs().pow(Interval::point(3.0)) - b.abs() * b.square(),
        ];
        assert!(ones.iter().all(|range| close(*range, 1.0, 1.0, 1e-12)), "{ones:?}, x = {x}, y = {y}");
        assert!(zeros.iter().all(|range| range.contains_zero()), "{zeros:?}, x = {x}, y = {y}");
    }
}

#[test]
fn known_ranges_are_tight() {
    let interval = Interval::new;
    let number = Interval::point;
    assert_close(interval(0.1, 0.2).sin(), 0.1_f64.sin(), 0.2_f64.sin());
    assert_close(interval(0.1, 0.2).cos(), 0.2_f64.cos(), 0.1_f64.cos());
    assert_close(interval(1.0, 2.0).sin(), 1.0_f64.sin(), 1.0);
    assert_close(interval(3.0, 4.0).cos(), -1.0, 4.0_f64.cos());
    assert_close(interval(-1.0, 1.2).tan(), -(1.0_f64.tan()), 1.2_f64.tan());
    assert_close(interval(100.0, 100.1).sin(), 100.0_f64.sin(), 100.1_f64.sin());
    assert_close(interval(-1.0, 2.0).square(), 0.0, 4.0);
    assert_close(interval(-1.0, 2.0).pow(number(2.0)), 0.0, 4.0);
    assert_close(interval(-1.0, 2.0).pow(number(3.0)), -1.0, 8.0);
    assert_close(interval(1.0, 2.0).pow(number(-2.0)), 0.25, 1.0);
    assert_close(interval(-2.0, -1.0).pow(number(-3.0)), -1.0, -0.125);
    assert_close(interval(4.0, 9.0).pow(number(1.5)), 8.0, 27.0);
    assert_close(interval(0.5, 2.0).pow(interval(-1.0, 2.0)), 0.25, 4.0);
    assert_close(interval(-1.0, 2.0) * interval(-3.0, 5.0), -6.0, 10.0);
    assert_close(interval(1.0, 2.0) / interval(-8.0, -4.0), -0.5, -0.125);
    assert_close(interval(-2.0, 1.0).cosh(), 1.0, 2.0_f64.cosh());
    assert_close(interval(1.0, 2.0).atan2(interval(-1.0, 1.0)), 1.0_f64.atan2(1.0), 1.0_f64.atan2(-1.0));
}

#[test]
fn exact_operations_do_not_widen() {
    let (x, zero, one) = (Interval::new(0.1, 0.7), Interval::point(0.0), Interval::point(1.0));
    for same in [x + zero, zero + x, x - zero, x * one, one * x, x / one, x.abs(), (-x).abs(), -(-x), x.max(zero)] {
        assert_eq!(same, x);
    }
    for nothing in [x * zero, zero * Interval::ENTIRE, zero / x, zero.sqrt(), zero.sin(), x.min(zero), zero.square()] {
        assert_eq!(nothing, zero);
    }
    // Signs survive rounding.
    let tiny = Interval::new(0.0, 1e-200);
    assert_eq!([(tiny * tiny).lo, (tiny + tiny).lo, tiny.sqrt().lo, tiny.sin().lo, (-tiny * tiny).hi], [0.0; 5]);
}

#[test]
fn comparisons_and_choices_are_decided_where_they_can_be() {
    let (low, high, both) = (Interval::new(0.0, 1.0), Interval::new(1.0, 2.0), Interval::new(0.5, 1.5));
    let (no, yes, open) = (Interval::point(0.0), Interval::point(1.0), Interval::new(0.0, 1.0));
    assert_eq!([low.less(high), high.less(low), low.less_equal(high), high.less_equal(low)], [open, no, yes, open]);
    assert_eq!([low.less(high + yes), (high + yes).less_equal(low), low.less(both)], [yes, no, open]);
    assert_eq!([low.equal(high), yes.equal(yes), low.equal(high + yes), low.equal(low)], [open, yes, no, open]);
    assert_eq!([both.sign(), Interval::new(-1.0, 0.0).sign(), no.sign()], [yes, Interval::new(-1.0, 0.0), no]);
    let choose = |condition| Interval::select(condition, low, high);
    assert_eq!([choose(yes), choose(-high), choose(no), choose(open)], [low, low, high, Interval::new(0.0, 2.0)]);
}

#[test]
fn domains_poles_and_cuts() {
    let interval = Interval::new;
    let entire = Interval::ENTIRE;
    assert_close(interval(-4.0, 9.0).sqrt(), 0.0, 3.0);
    assert_close(interval(0.5, 7.0).asin(), 0.5_f64.asin(), FRAC_PI_2);
    assert_close(interval(-7.0, 0.5).acos(), 0.5_f64.acos(), PI);
    assert_eq!(interval(-1.0, 1.0).log(), interval(-INFINITY, 0.0));
    let outside = [interval(-2.0, -1.0).sqrt(), interval(-2.0, 0.0).log(), interval(2.0, 3.0).asin()];
    assert_eq!(outside, [entire; 3]);
    assert_eq!([interval(-9.0, -2.0).acos(), interval(-2.0, -1.0).pow(Interval::point(0.5))], [entire; 2]);
    let poles = [interval(1.0, 2.0).tan(), interval(-5.0, 5.0).tan(), interval(1e10, 1e10).tan()];
    assert_eq!(poles, [entire; 3]);
    let divisors = [interval(-1.0, 1.0), interval(0.0, 1.0), interval(-1.0, 0.0), Interval::point(0.0)];
    assert_eq!(divisors.map(|divisor| interval(1.0, 2.0) / divisor), [entire; 4]);
    assert_eq!(interval(-1.0, 1.0).pow(Interval::point(-3.0)), entire);
    assert_eq!(interval(-2.0, 1.0).pow(Interval::point(-2.0)).hi, INFINITY);
    assert_close(interval(-1.0, 1.0).atan2(interval(-2.0, -1.0)), -PI, PI);
    for wide in [interval(0.0, 7.0), interval(-1e300, 1e300), interval(1e12, 1e12 + 1e-3), entire] {
        assert_eq!([wide.sin(), wide.cos(), wide.sin_cos().0], [interval(-1.0, 1.0); 3]);
    }
}

#[test]
fn constructors_and_measures() {
    let entire = Interval::ENTIRE;
    for (lo, hi) in [(f64::NAN, 1.0), (1.0, f64::NAN), (2.0, 1.0), (INFINITY, INFINITY), (-INFINITY, -INFINITY)] {
        assert_eq!(Interval::new(lo, hi), entire);
    }
    let half = Interval::new(1.0, INFINITY);
    assert!(half.contains(1e308) && !half.contains(0.0) && half.contains(half.mid()) && entire.mid() == 0.0);
    assert_eq!(Interval::point(1.0).hull(Interval::point(-2.0)), Interval::new(-2.0, 1.0));
    assert_eq!((Interval::point(0.3).width(), Interval::point(5e-324).mid(), entire.width()), (0.0, 5e-324, INFINITY));
    assert!(!Interval::new(1.0, 2.0).contains(f64::NAN) && Interval::new(-1.0, 0.0).contains_zero());
}

#[test]
fn powers_of_negative_and_zero_bases() {
    let interval = Interval::new;
    // (-2)^1 = -2 and (-2)^2 = 4: the whole exponents are defined.
    let varied = interval(-2.0, -1.0).pow(interval(1.0, 2.0));
    assert!(varied.contains(-2.0) && varied.contains(4.0) && varied.hi < 4.1);
    assert_close(interval(0.0, 2.0).pow(interval(1.0, 2.0)), 0.0, 4.0);
    // The inverse of a zero of either sign.
    for zero in [0.0, -0.0] {
        assert_eq!(interval(zero, 1.0).pow(interval(-1.0, 1.0)), Interval::ENTIRE);
        assert_eq!(interval(zero, 1.0).pow(Interval::point(-3.0)), Interval::ENTIRE);
        assert_close(interval(zero, 1.0).pow(Interval::point(-1.5)), 1.0, INFINITY);
    }
    for base in [Interval::ENTIRE, interval(-1.0, 2.0), Interval::point(0.0)] {
        assert_eq!(base.pow(Interval::point(0.0)), Interval::point(1.0));
        assert_eq!(base.pow(Interval::point(1.0)), base);
    }
}

#[test]
fn poles_and_extremes_between_neighbouring_numbers() {
    for k in 0..1000 {
        // A multiple of a right angle lies within two places of its rounded value.
        let angle = FRAC_PI_2 * f64::from(2 * k + 1);
        let around = Interval::new(angle.next_down().next_down(), angle.next_up().next_up());
        assert_eq!(around.tan(), Interval::ENTIRE, "{angle}");
        assert!(around.sin().contains(if k % 2 == 0 { 1.0 } else { -1.0 }), "{angle}");
    }
    assert_eq!(Interval::new(FRAC_PI_2, FRAC_PI_2.next_up()).tan(), Interval::ENTIRE);
}
