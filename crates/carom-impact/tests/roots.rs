//! The first root of polynomials: known roots, clusters, touching, roots at the beginning.

use crate::common;

use carom_impact::polynomial::{FirstRoot, RootFinder, evaluate};
use common::Noise;

/// Coefficients of `scale * prod (1 - x / r)`: positive at zero.
fn with_roots(roots: &[f64], scale: f64) -> Vec<f64> {
    roots.iter().fold(vec![scale], |coefficients, root| times(&coefficients, &[1.0, -1.0 / root]))
}

fn times(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; a.len() + b.len() - 1];
    a.iter().enumerate().for_each(|(i, x)| b.iter().enumerate().for_each(|(j, y)| product[i + j] += x * y));
    product
}

/// What rounding leaves of the values of a polynomial on `[0, length]`.
fn rounding(coefficients: &[f64], length: f64) -> f64 {
    4e-16 * coefficients.iter().rev().fold(0.0, |sum, c| sum * length + c.abs())
}

fn first(coefficients: &[f64], length: f64, multiplicity: usize) -> (Option<f64>, Option<f64>) {
    let mut finder = RootFinder::default();
    let noise = rounding(coefficients, length);
    match finder.first_root(coefficients, length, multiplicity, noise) {
        FirstRoot::None => (None, finder.touched),
        FirstRoot::Crossing { at, bracket } => {
            assert!(bracket.0 <= at && at <= bracket.1, "{at} outside of {bracket:?}");
            (Some(at), finder.touched)
        }
    }
}

/// The first of many samples where a polynomial is clearly negative.
fn sampled(coefficients: &[f64], length: f64, samples: usize) -> Option<f64> {
    let noise = rounding(coefficients, length);
    (1..=samples).map(|k| length * k as f64 / samples as f64).find(|&x| evaluate(coefficients, x).0 < -10.0 * noise)
}

/// Error of a simple root: rounding of the values over the slope.
fn bound(coefficients: &[f64], root: f64, length: f64) -> f64 {
    10.0 * rounding(coefficients, length) / evaluate(coefficients, root).1.abs() + 1e-15 * root
}

#[test]
fn the_first_of_random_roots() {
    let mut noise = Noise::new(21);
    for _ in 0..2000 {
        let count = 1 + noise.below(7);
        // Roots on both sides of the interval, and beyond it.
        let mut roots: Vec<f64> = (0..count).map(|_| noise.between(-1.0, 2.0)).filter(|x| x.abs() > 0.02).collect();
        roots.sort_by(f64::total_cmp);
        let (coefficients, length) = (with_roots(&roots, 3.0), noise.between(0.5, 1.5));
        let expected = roots.iter().copied().find(|&x| x > 0.0 && x < length);
        let is_isolated = roots.windows(2).all(|pair| pair[1] - pair[0] > 1e-4);
        let at_the_end = roots.iter().any(|x| (x - length).abs() < 1e-6);
        if is_isolated && !at_the_end {
            match (first(&coefficients, length, 0).0, expected) {
                (Some(found), Some(root)) => {
                    assert!((found - root).abs() <= bound(&coefficients, root, length), "{found} of {roots:?}");
                }
                (found, expected) => assert_eq!(found, expected, "{roots:?} up to {length}"),
            }
        }
    }
}

#[test]
fn clusters_are_not_jumped_over() {
    let mut noise = Noise::new(22);
    for distance in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
        for _ in 0..300 {
            // Two roots close to each other, then another one: the polynomial dips and comes back.
            let root = noise.between(0.05, 0.7);
            let coefficients = with_roots(&[root, root + distance, root + 0.2 + noise.between(0.0, 0.1)], 1.0);
            // How deep it dips, against rounding.
            let depth = -evaluate(&coefficients, root + 0.5 * distance).0;
            let found = first(&coefficients, 1.0, 0).0.expect("three roots");
            if depth > 20.0 * rounding(&coefficients, 1.0) {
                assert!((found - root).abs() < 0.1 * distance, "{found} instead of {root} by {distance:e}");
            }
            assert!(found < root + 0.4, "{found} instead of {root}");
        }
    }
}

#[test]
fn never_later_than_samples_say() {
    let mut noise = Noise::new(23);
    for _ in 0..500 {
        let degree = 2 + noise.below(12);
        let mut coefficients: Vec<f64> = (0..=degree).map(|k| noise.next() * 3_f64.powi(k as i32)).collect();
        coefficients[0] = coefficients[0].abs() + 1e-3;
        let (found, sampled) = (first(&coefficients, 1.0, 0).0, sampled(&coefficients, 1.0, 20_000));
        if let Some(sampled) = sampled {
            assert!(found.is_some_and(|found| found <= sampled), "{found:?} after {sampled}: {coefficients:?}");
        }
        if let Some(found) = found {
            // It really crosses there.
            let noise = rounding(&coefficients, 1.0);
            assert!(evaluate(&coefficients, found).0.abs() <= 100.0 * noise, "{found}: {coefficients:?}");
        }
    }
}

/// A double root does not cross: it is touched, wherever it lies, and what comes after it is still found.
#[test]
fn double_roots_are_touched() {
    let mut noise = Noise::new(24);
    let evenly = (1..16).map(|k| k as f64 / 16.0);
    let random: Vec<f64> = (0..300).map(|_| noise.between(0.05, 0.7)).collect();
    let (mut wrong, mut all, mut heard) = (Vec::new(), 0, 0);
    for root in evenly.chain(random) {
        for after in [None, Some(0.98), Some(2.0)] {
            let roots: Vec<f64> = [root, root].into_iter().chain(after).collect();
            let expected = after.filter(|&x| x < 1.0);
            let (found, touched) = first(&with_roots(&roots, 1.0), 1.0, 0);
            let is_found = match (found, expected) {
                (Some(found), Some(root)) => (found - root).abs() < 1e-9,
                (found, expected) => found == expected,
            };
            // Parts shorter than 1e-3 that stay within the noise are not divided.
            let is_near = touched.is_none_or(|at| (at - root).abs() < 1e-3);
            (all, heard) = (all + 1, heard + usize::from(touched.is_some()));
            if !(is_found && is_near) {
                wrong.push((root, after, found, touched));
            }
        }
    }
    // Rounding of the coefficients may lift the polynomial off zero.
    assert!(2 * heard > all, "{heard} of {all} are reported");
    let some = &wrong[..wrong.len().min(4)];
    assert!(wrong.is_empty(), "{} of {all}: (double root, next root, found, touched) {some:?}", wrong.len());
}

#[test]
fn roots_at_the_beginning_are_divided_out() {
    let mut noise = Noise::new(25);
    for multiplicity in [1, 2] {
        for _ in 0..500 {
            let root = noise.between(1e-3, 0.9);
            let others = [root, 1.5 + noise.next(), -0.3];
            if (others[1] - root).abs() < 1e-3 {
                continue;
            }
            let mut coefficients = with_roots(&others, 2.0);
            coefficients.splice(0..0, vec![0.0; multiplicity]);
            let expected = root.min(others[1]);
            // Nothing is lost of a root that is close to the beginning, and there is none before it.
            let found = first(&coefficients, 1.0, multiplicity).0.expect("a root");
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
            assert_eq!(first(&coefficients, 0.9 * expected, multiplicity).0, None);
        }
    }
}

/// A polynomial that stays positive by more than rounding has no root, however close it comes.
#[test]
fn near_misses_are_no_roots() {
    let mut noise = Noise::new(26);
    for clearance in [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
        for _ in 0..100 {
            let x = noise.between(0.1, 0.9);
            // (tau - x)^2 + clearance
            let coefficients = [x * x + clearance, -2.0 * x, 1.0];
            assert_eq!(first(&coefficients, 1.0, 0).0, None, "x = {x}, clearance {clearance:e}");
            let below = [x * x - clearance, -2.0 * x, 1.0];
            let found = first(&below, 1.0, 0).0.expect("two roots");
            let expected = x - clearance.sqrt();
            assert!((found - expected).abs() <= 1e-15 / clearance.sqrt(), "{found} instead of {expected}");
        }
    }
}
