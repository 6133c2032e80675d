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
use super::simple::{Simple, short};
use super::zeros;
use carom_expr::{Dependence, Id};

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
    pub(super) fn find(simple: &mut Simple) -> Result<Option<Self>, ProjectionError> {
        let ([u], [coordinate]) = (&simple.u[..], &simple.coordinates[..]) else { return Ok(None) };
        let roots: Vec<Id> = [simple.lagrangian, simple.gap].into_iter().chain(simple.forces.clone()).collect();
        let Dependence::Periodic(period) = simple.graph.dependence(&roots, *u) else { return Ok(None) };
        let (u, name) = (*u, coordinate.name.clone());
        let zeros = zeros::find(simple, period)?;
        let [first, second] = zeros[..] else {
            let words: Vec<String> = zeros.iter().map(|&zero| short(zero)).collect();
            let places = if words.is_empty() { String::new() } else { format!(": {name} = {}", words.join(", ")) };
            return Err(ProjectionError::ArcCount { coordinate: name, found: zeros.len(), places });
        };
        // Between the zeros, or around the other way.
        let is_between = simple.graph.evaluate(&[simple.gap], &[(u, 0.5 * (first + second))])[0] > 0.0;
        let (from, to) = if is_between { (first, second) } else { (second - period, first) };
        zeros::prove(simple, (from, to), period)?;
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

    /// Half the length of the arc that is not feasible.
    pub fn rest(&self) -> f64 {
        0.5 * self.period - self.half
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
