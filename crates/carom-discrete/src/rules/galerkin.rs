//! Galerkin rules: polynomial paths, any quadrature.
//!
//! The path is the polynomial of degree `s` through `s + 1` control nodes at
//! the Lobatto points. With constraints, `g = 0` is asked at every control
//! node. Between them the path leaves the constraint by `O(h^(s+1))`, but that
//! error is orthogonal to polynomials of degree `s - 2` (the node polynomial of
//! the Lobatto points is), so the action is still right to `O(h^(2s+1))` and
//! the order `2s` survives on constrained systems.

use super::{Sample, Table};
use crate::quadrature::{lagrange, lobatto};

/// Rounding of the interpolation weights below which they are zero.
const ROUNDING: f64 = 1e-14;

/// Polynomial of degree `s`, quadrature at `times` with `weights`.
pub(super) fn table(s: usize, times: &[f64], weights: &[f64]) -> Table {
    let control = lobatto(s).0;
    let clean = |values: Vec<f64>| -> Vec<f64> {
        // The first node is written through the displacements, not by itself.
        let tidy = |x: f64| {
            if x.abs() < ROUNDING {
                0.0
            } else if (x - 1.0).abs() < ROUNDING {
                1.0
            } else {
                x
            }
        };
        values.into_iter().skip(1).map(tidy).collect()
    };
    let sample = |(&time, &weight): (&f64, &f64)| {
        let (position, velocity) = lagrange(&control, time);
        Sample { weight, time, position: clean(position), velocity: clean(velocity) }
    };
    Table { nodes: control[1..].to_vec(), samples: times.iter().zip(weights).map(sample).collect() }
}
