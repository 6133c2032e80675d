//! Zeros of a gap on a circle: found by sampling, and proved to be the only ones by interval bounds.
//!
//! ```text
//! inside the feasible arc    sup(-phi) < 0,
//! inside the other arc       sup(phi) < 0,
//! near the ends              phi' has one sign:   each has one zero.
//! ```

use super::domain::Domain;
use super::error::ProjectionError;
use super::monotonic::{Slope, slope_of};
use super::simple::Simple;
use carom_expr::{Graph, Id, Interval, Supremum, SupremumOptions, supremum};

/// Places of one period that are looked at for zeros of the gap.
const SAMPLES: usize = 4096;
/// Halvings of an interval that has a zero.
const HALVINGS: usize = 80;
/// How far from an end its neighbourhood reaches, in periods; narrower ones if nothing is proved for wider ones.
const NEAR: [f64; 3] = [1e-3, 1e-5, 1e-7];
/// A neighbourhood is no larger than this part of the shorter arc.
const SHARE: f64 = 0.25;

/// Zeros where the gap changes its sign, within one period.
pub(super) fn find(simple: &mut Simple, period: f64) -> Result<Vec<f64>, ProjectionError> {
    let (u, gap) = (simple.u[0], simple.gap);
    let first = period * (0.5 / SAMPLES as f64 - 0.5);
    let mut places: Vec<f64> = (0..SAMPLES).map(|k| first + period * k as f64 / SAMPLES as f64).collect();
    // The largest and the smallest gap: a short arc has one of them.
    let whole = Interval::new(-0.5 * period, 0.5 * period);
    for extreme in [gap, simple.graph.neg(gap)] {
        let found = over(&simple.graph, extreme, u, whole)?;
        places.extend(found.at.first().map(|at| at - period * ((at - first) / period).floor()));
    }
    places.sort_by(f64::total_cmp);
    places.push(first + period);
    let value = |at: f64| simple.graph.evaluate(&[gap], &[(u, at)])[0];
    let mut zeros = Vec::new();
    for pair in places.windows(2) {
        let (mut low, mut high) = (pair[0], pair[1]);
        let is_feasible = value(low) > 0.0;
        if is_feasible == (value(high) > 0.0) {
            continue;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if (value(middle) > 0.0) == is_feasible { low = middle } else { high = middle }
        }
        zeros.push(0.5 * (low + high));
    }
    Ok(zeros)
}

/// Refuses gaps that are not proved to be positive between `from` and `to` and negative on the rest of the circle.
pub(super) fn prove(simple: &mut Simple, (from, to): (f64, f64), period: f64) -> Result<(), ProjectionError> {
    let shorter = (to - from).min(period - (to - from));
    let mut refused = Ok(());
    for near in NEAR.map(|near| (near * period).min(SHARE * shorter)) {
        refused = prove_with(simple, (from, to), period, near);
        match refused {
            Err(ProjectionError::ArcNotProved { .. }) => {}
            told => return told,
        }
    }
    refused
}

fn prove_with(simple: &mut Simple, (from, to): (f64, f64), period: f64, near: f64) -> Result<(), ProjectionError> {
    let (u, gap) = (simple.u[0], simple.gap);
    let minus = simple.graph.neg(gap);
    let refuse = |place: f64, what: &'static str| {
        let coordinate = simple.coordinates[0].name.clone();
        Err(ProjectionError::ArcNotProved { coordinate, place, what })
    };
    for (f, inside, what) in [
        (minus, Interval::new(from + near, to - near), "the gap is positive"),
        (gap, Interval::new(to + near, from + period - near), "the gap is negative"),
    ] {
        let found = over(&simple.graph, f, u, inside)?;
        if found.upper >= 0.0 {
            return refuse(found.at.first().copied().unwrap_or(inside.mid()), what);
        }
    }
    let mut graph = simple.graph.clone();
    let slope = graph.gradient(gap, &[u])[0];
    for end in [from, to] {
        let domain = Domain { variables: vec![u], ranges: vec![Interval::new(end - near, end + near)] };
        if !matches!(slope_of(&mut graph, slope, &domain)?, Slope::Positive(_) | Slope::Negative(_)) {
            return refuse(end, "the slope of the gap has one sign");
        }
    }
    Ok(())
}

/// The supremum over a range of the one coordinate.
fn over(graph: &Graph, f: Id, u: Id, range: Interval) -> Result<Supremum, ProjectionError> {
    Ok(supremum(graph, f, &[u], &[range], SupremumOptions::default())?)
}
