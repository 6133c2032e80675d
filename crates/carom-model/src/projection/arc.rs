//! The circle: one coordinate with a period, whose feasible values are an arc (section V-A).
//!
//! With the feasible arc `[c - a, c + a]`, the other one `[c + a, c + a + 2 b]` around its middle `c + a + b`, and
//! `s` measured from there,
//!
//! ```text
//! P = c + b1 s + b3 s^3,     P(+-b) = c -+ a,     P'(+-b) = -1
//! b1 = (b - 3 a) / (2 b),    b3 = (a - b) / (2 b^3)
//! ```
//!
//! (printed for `c = 0`, `b = pi - a`; the sign of the printed `b3` is wrong). It is monotonic if and only if `b1 < 0`:
//! the feasible arc must be longer than a quarter of the circle. The paper claims it for every arc.

use super::error::ProjectionError;
use super::simple::Simple;
use carom_expr::{Dependence, Id};

/// Places of one period that are looked at for zeros of the gap.
const SAMPLES: usize = 4096;
/// Halvings of an interval that has a zero.
const HALVINGS: usize = 80;

/// The projection of a circle onto an arc.
#[derive(Clone, Debug, PartialEq)]
pub struct Arc {
    /// The period of the coordinate.
    pub period: f64,
    /// Middle of the feasible arc.
    pub centre: f64,
    /// Half the length of the feasible arc.
    pub half: f64,
    /// Coefficient of `s`.
    pub b1: f64,
    /// Coefficient of `s^3`.
    pub b3: f64,
}

impl Arc {
    /// The arc of a system with one coordinate; none if that is not periodic.
    pub(super) fn find(simple: &Simple) -> Result<Option<Self>, ProjectionError> {
        let ([u], [coordinate]) = (&simple.u[..], &simple.coordinates[..]) else { return Ok(None) };
        let roots: Vec<Id> = [simple.lagrangian, simple.gap].into_iter().chain(simple.forces.clone()).collect();
        let Dependence::Periodic(period) = simple.graph.dependence(&roots, *u) else { return Ok(None) };
        let gap = |at: f64| simple.graph.evaluate(&[simple.gap], &[(*u, at)])[0];
        let places = zeros(&gap, period);
        let name = coordinate.name.clone();
        let [first, second] = places[..] else {
            return Err(ProjectionError::ArcCount { coordinate: name, found: places.len() });
        };
        // Between the zeros, or around the other way.
        let is_between = gap(0.5 * (first + second)) > 0.0;
        let (from, to) = if is_between { (first, second) } else { (second - period, first) };
        let (mut centre, half) = (0.5 * (from + to), 0.5 * (to - from));
        if centre <= -0.5 * period {
            centre += period;
        }
        let rest = 0.5 * period - half;
        let (b1, b3) = ((rest - 3.0 * half) / (2.0 * rest), (half - rest) / (2.0 * rest.powi(3)));
        if b1 >= 0.0 {
            let (from, to, share) = (centre - half, centre + half, 2.0 * half / period);
            return Err(ProjectionError::ShortArc { coordinate: name, from, to, share, slope: b1 });
        }
        Ok(Some(Self { period, centre, half, b1, b3 }))
    }

    /// Middle of the arc that is not feasible.
    pub fn opposite(&self) -> f64 {
        self.centre + 0.5 * self.period
    }

    /// The image of the other arc as an expression.
    pub(super) fn image(&self, simple: &mut Simple) -> Id {
        let graph = &mut simple.graph;
        let (opposite, centre) = (graph.constant(self.opposite()), graph.constant(self.centre));
        let s = graph.sub(simple.u[0], opposite);
        let square = graph.mul(s, s);
        let cubic = graph.scale(self.b3, square);
        let linear = graph.constant(self.b1);
        let factor = graph.add(linear, cubic);
        let moved = graph.mul(factor, s);
        graph.add(centre, moved)
    }

    /// How many turns take `z` into the window around `middle`.
    pub fn turns(&self, z: f64, middle: f64) -> f64 {
        ((z - middle) / self.period).round()
    }
}

/// Zeros of the gap where it changes its sign, within one period.
fn zeros(gap: &dyn Fn(f64) -> f64, period: f64) -> Vec<f64> {
    let place = |k: usize| period * ((k as f64 + 0.5) / SAMPLES as f64 - 0.5);
    let mut found = Vec::new();
    for k in 0..SAMPLES {
        let (mut low, mut high) = (place(k), place(k + 1));
        let sign = gap(low);
        if (sign > 0.0) == (gap(high) > 0.0) {
            continue;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if (gap(middle) > 0.0) == (sign > 0.0) { low = middle } else { high = middle }
        }
        found.push(0.5 * (low + high));
    }
    found
}
