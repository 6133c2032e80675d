//! Degenerate Lagrangians: the mass matrix is singular on the admissible velocities, everywhere.
//!
//! Then momenta do not determine velocities, and a motion is a curve in the Pontryagin bundle `(q, v, p)`
//! (Yoshimura and Marsden 2006): point vortices, predators and prey, circuits.

use crate::dynamics::Dynamics;
use crate::random::Random;
use carom_expr::Id;
use carom_linalg::{RangeNull, dot, multiply, rank};

/// States at which the mass matrix is looked at.
const SAMPLES: usize = 12;
/// Pivots below this, against the largest row, count as zero.
const TOLERANCE: f64 = 1e-10;

impl Dynamics {
    /// How many admissible directions have no inertia, in general; zero for a regular Lagrangian.
    pub fn degeneracy(&self) -> usize {
        let n = self.dimension();
        let mut graph = self.graph.clone();
        let momentum = self.momentum(&mut graph);
        let mass = graph.jacobian(&momentum, &self.v).dense(&mut graph);
        let constraints = self.jacobian(&mut graph);
        let roots = [&mass[..], &constraints].concat();
        let mut random = Random(1);
        let mut lacking = None;
        for sample in 0..SAMPLES {
            // Half of the states have positive coordinates, as logarithms and roots want them.
            let mut place = |_: &Id| if sample % 2 == 0 { random.next() } else { 1.0 + 0.9 * random.next() };
            let mut values: Vec<(Id, f64)> = self.q.iter().chain(&self.v).map(|id| (*id, place(id))).collect();
            values.push((self.time, 0.0));
            let found = graph.evaluate(&roots, &values);
            if !found.iter().all(|value| value.is_finite()) {
                continue;
            }
            let (mass, constraints) = found.split_at(n * n);
            let defect = defect(mass, constraints, n);
            lacking = Some(lacking.map_or(defect, |least: usize| least.min(defect)));
            if defect == 0 {
                break;
            }
        }
        lacking.unwrap_or(0)
    }
}

/// Inertias below this, against the largest one, are squares of rounding errors: `cos(pi/2)^2` is 4e-33.
const RESIDUE: f64 = 1e-28;

/// Directions of the null space of the constraints without inertia. Coordinates are measured in units in
/// which each has inertia one, if it has any: a light body beside a heavy one is not massless.
pub(crate) fn defect(mass: &[f64], constraints: &[f64], n: usize) -> usize {
    let largest = (0..n).map(|i| mass[i * n + i].abs()).fold(0.0, f64::max);
    let has_inertia = |i: usize| mass[i * n + i].abs() > RESIDUE * largest;
    let unit = |i: usize| if has_inertia(i) { 1.0 / mass[i * n + i].abs().sqrt() } else { 1.0 };
    let units: Vec<f64> = (0..n).map(unit).collect();
    let mass: Vec<f64> = mass.iter().enumerate().map(|(k, value)| value * units[k / n] * units[k % n]).collect();
    let mut rows: Vec<f64> = constraints.iter().enumerate().map(|(k, value)| value * units[k % n]).collect();
    for row in rows.chunks_exact_mut(n) {
        let size = carom_linalg::max_abs(row);
        row.iter_mut().filter(|_| size > 0.0).for_each(|value| *value /= size);
    }
    let bases = RangeNull::new(&rows, n, TOLERANCE);
    let tangent: Vec<&[f64]> = bases.null_space().chunks_exact(n).collect();
    let mut restricted = Vec::with_capacity(tangent.len() * tangent.len());
    for row in &tangent {
        let mut image = vec![0.0; n];
        multiply(&mass, row, &mut image);
        restricted.extend(tangent.iter().map(|other| dot(&image, other)));
    }
    tangent.len() - rank(&restricted, tangent.len(), TOLERANCE)
}
