//! The first contact along polynomial paths: dips that come back within the step, curved gaps, several surfaces.

use crate::common;

use carom_expr::{Expr, Scope};
use carom_impact::path::{Path, PathSearch};
use carom_impact::polynomial::FirstRoot;
use carom_model::{Contact, System};
use common::{Noise, free_system, unit_mass};

/// A system in the plane whose contacts have these gaps.
fn plane_with(gaps: impl for<'s> FnOnce(&'s Scope, Expr<'s>, Expr<'s>) -> Vec<Expr<'s>>) -> System {
    free_system(&unit_mass(2), 2, |scope, q| {
        let gaps = gaps(scope, q[0], q[1]);
        gaps.iter().enumerate().map(|(k, gap)| Contact::new(&format!("gap{k}"), gap.id(), "elastic")).collect()
    })
}

/// Floors, circles and walls: flat, inside and outside of curves, waves, distances.
fn obstacles() -> System {
    plane_with(|_, x, y| {
        vec![
            y + 1.0,
            x.square() + y.square() - 0.25,
            4.0 - x.square() - y.square(),
            y + 1.2 - 0.3 * (5.0 * x).sin(),
            (x.square() + (y - 0.5).square()).sqrt() - 0.3,
            (0.5 * x).exp() - y,
        ]
    })
}

/// The same gaps as numbers.
fn gap(surface: usize, [x, y]: [f64; 2]) -> f64 {
    match surface {
        0 => y + 1.0,
        1 => x * x + y * y - 0.25,
        2 => 4.0 - x * x - y * y,
        3 => y + 1.2 - 0.3 * (5.0 * x).sin(),
        4 => (x * x + (y - 0.5) * (y - 0.5)).sqrt() - 0.3,
        _ => (0.5 * x).exp() - y,
    }
}

fn path(coefficients: &[[f64; 2]]) -> Path {
    let mut path = Path::new(2);
    path.polynomial(coefficients.concat());
    path
}

fn position(path: &Path, tau: f64) -> [f64; 2] {
    let (mut q, mut rate) = ([0.0; 2], [0.0; 2]);
    path.at(tau, &mut q, &mut rate);
    q
}

/// Where the search finds a crossing, which lies in its bracket.
fn crossing(search: &mut PathSearch, surface: usize, path: &Path, multiplicity: usize) -> Option<f64> {
    match search.first_root(surface, path, multiplicity) {
        FirstRoot::None => None,
        FirstRoot::Crossing { at, bracket } => {
            assert!(bracket.0 <= at && at <= bracket.1, "{at} outside of {bracket:?}");
            Some(at)
        }
    }
}

#[test]
fn random_paths_agree_with_dense_samples() {
    let system = obstacles();
    let mut search = PathSearch::new(&system.dynamics()).expect("compiles");
    let mut noise = Noise::new(31);
    let (mut hits, samples) = (0, 20_000);
    for _ in 0..400 {
        // The steps of a method: short and nearly straight, or long and curved.
        let reach = noise.between(0.1, 4.0);
        let start = [noise.between(-1.5, 1.5), noise.between(-0.9, 1.0)];
        let bends = [1.0, 0.7, 0.4].map(|part| [reach * part * noise.next(), reach * part * noise.next()]);
        let path = path(&[&[start][..], &bends].concat());
        for surface in (0..6).filter(|&surface| gap(surface, start) > 0.0) {
            let place = |k: usize| k as f64 / samples as f64;
            let sampled = (1..=samples).map(place).find(|&tau| gap(surface, position(&path, tau)) < -1e-14);
            let found = crossing(&mut search, surface, &path, 0);
            if let Some(sampled) = sampled {
                let found = found.unwrap_or_else(|| panic!("{surface} {path:?}: missed before {sampled}"));
                assert!(found <= sampled, "{surface} {path:?}: {found} after {sampled}");
                hits += 1;
            }
            if let Some(found) = found {
                // A guess is good to 1e-7 of the gap's change over its bracket; before it, nothing is reached.
                assert!(gap(surface, position(&path, found)).abs() < 1e-5, "{surface} {path:?}: {found}");
                let mut before = (1..200).map(|k| gap(surface, position(&path, found * k as f64 / 200.0)));
                assert!(before.all(|gap| gap > 0.0), "{surface} {path:?}: not the first, {found}");
            }
        }
    }
    assert!(hits > 300, "{hits} contacts");
}

/// A path over a flat floor that dips below it by `depth` at `tau = place`, and comes back: the root lies
/// `sqrt(depth / c)` before.
#[test]
fn dips_within_a_step_are_found() {
    let system = plane_with(|_, _, y| vec![y]);
    let mut search = PathSearch::new(&system.dynamics()).expect("compiles");
    let mut noise = Noise::new(32);
    for depth in [1e-2_f64, 1e-4, 1e-6, 1e-8, 1e-10] {
        for _ in 0..200 {
            let (place, c) = (noise.between(0.2, 0.8), noise.between(0.5, 2.0));
            let dip = |depth: f64| path(&[[0.0, c * place * place - depth], [1.0, -2.0 * c * place], [0.0, c]]);
            let expected = place - (depth / c).sqrt();
            let found = crossing(&mut search, 0, &dip(depth), 0).unwrap_or_else(|| panic!("{depth:e} at {place}"));
            assert!((found - expected).abs() < 1e-2 * depth.sqrt(), "{depth:e}: {found} instead of {expected}");
            assert_eq!(crossing(&mut search, 0, &dip(-depth), 0), None, "stays clear by {depth:e} at {place}");
            assert_eq!(search.touched, None, "stays clear by {depth:e} at {place}");
        }
    }
}

/// Straight paths past circles, at a distance from the centre that differs from the radius by `depth`.
#[test]
fn dips_into_curved_obstacles_are_found() {
    let system = plane_with(|_, x, y| vec![x.square() + y.square() - 1.0, (x.square() + y.square()).sqrt() - 1.0]);
    let mut search = PathSearch::new(&system.dynamics()).expect("compiles");
    let mut noise = Noise::new(33);
    for depth in [1e-2_f64, 1e-4, 1e-6, 1e-8, 1e-10] {
        for _ in 0..50 {
            let angle = noise.between(0.0, std::f64::consts::TAU);
            let (normal, along) = ([angle.cos(), angle.sin()], [-angle.sin(), angle.cos()]);
            let (speed, place) = (noise.between(2.0, 4.0), noise.between(0.4, 0.6));
            let line = |distance: f64| {
                let start = [0, 1].map(|k| distance * normal[k] - place * speed * along[k]);
                path(&[start, along.map(|value| speed * value)])
            };
            // Half the chord: sqrt(1 - (1 - depth)^2).
            let expected = place - (depth * (2.0 - depth)).sqrt() / speed;
            for surface in 0..2 {
                let found = crossing(&mut search, surface, &line(1.0 - depth), 0);
                let found = found.unwrap_or_else(|| panic!("{surface} {depth:e} at {place}: missed"));
                assert!((found - expected).abs() < 1e-2 * depth.sqrt(), "{depth:e}: {found} instead of {expected}");
                assert_eq!(crossing(&mut search, surface, &line(1.0 + depth), 0), None, "{surface} clear by {depth:e}");
            }
        }
    }
}

/// Exactly tangent: rounding decides. Either the place is reported, or there is a crossing there with a rate of the
/// order of `sqrt(rounding)`: the values of the gap round within `1e-16`, which is `1e-8` from the place.
#[test]
fn tangent_paths_touch_or_hardly_cross() {
    let system = plane_with(|_, x, y| vec![y, x.square() + y.square() - 1.0]);
    let mut search = PathSearch::new(&system.dynamics()).expect("compiles");
    for place in [0.25, 0.3, 0.375, 0.5, 0.7, 0.75] {
        let parabola = path(&[[0.0, place * place], [1.0, -2.0 * place], [0.0, 1.0]]);
        let line = path(&[[-2.0 * place, 1.0], [2.0, 0.0]]);
        for (surface, path) in [parabola, line].iter().enumerate() {
            let found = crossing(&mut search, surface, path, 0).or(search.touched);
            assert!(found.is_some_and(|at| (at - place).abs() < 1e-7), "{surface} at {place}: {found:?}");
        }
    }
}

/// Two walls close behind each other, in either order of the model.
#[test]
fn the_first_of_two_surfaces() {
    let mut noise = Noise::new(34);
    for distance in [1e-1, 1e-4, 1e-7] {
        let system = plane_with(|_, x, _| vec![1.0 - x, 1.0 + distance - x]);
        let mut search = PathSearch::new(&system.dynamics()).expect("compiles");
        for _ in 0..100 {
            let path = path(&[[0.0, 0.0], [noise.between(1.5, 3.0), 0.0], [noise.next().abs(), 0.0]]);
            let [near, far] = [0, 1].map(|surface| crossing(&mut search, surface, &path, 0).expect("a wall"));
            assert!(near < far, "{near} {far} by {distance:e}");
        }
    }
}

/// After a rebound the gap is zero and grows, after a release it grows with the square of time: the beginning is no
/// contact, the next one is.
#[test]
fn a_gap_that_has_just_opened_is_no_contact() {
    let system = plane_with(|_, x, y| vec![y, y + 0.1 - 0.1 * x.cos()]);
    let mut search = PathSearch::new(&system.dynamics()).expect("compiles");
    for end in [0.9, 0.1, 1e-3] {
        // y = tau (end - tau), and y = tau^2 (end - tau).
        let flight = path(&[[0.0, 0.0], [0.0, end], [0.0, -1.0]]);
        let release = path(&[[0.0, 0.0], [0.0, 0.0], [0.0, end], [0.0, -1.0]]);
        for surface in 0..2 {
            for (path, multiplicity) in [(&flight, 1), (&release, 2)] {
                let found = crossing(&mut search, surface, path, multiplicity).expect("comes down");
                assert!((found - end).abs() < 1e-5 * end, "{multiplicity}: {found} instead of {end}");
            }
        }
        let rising = path(&[[0.0, 0.0], [0.0, end], [0.0, 1.0]]);
        assert_eq!(crossing(&mut search, 0, &rising, 1), None);
    }
}
