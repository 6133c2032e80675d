//! Periods that can be read off expressions.
//!
//! Every expression of a variable `x` is sorted into those that drift and the rest,
//!
//! ```text
//! u(x) = a x + w(x),     w periodic,     a a number: the rate
//! sin u, cos u, tan u    are periodic with the periods of w and with 2π/|a| (tan: π/|a|),
//! f(u, v, ..)            is periodic if u, v, .. have the rate zero.
//! ```
//!
//! One sweep over the graph finds the rates. What is found is a period, not always the least one: `sin(x)^2` is
//! said to have `2π`.

use crate::graph::{Graph, Id, Node};
use crate::op::{Binary, Unary};
use std::f64::consts::TAU;

/// Frequencies whose ratio has a larger numerator or denominator have no common period.
const MAX_RATIO: u32 = 64;
/// Relative error of a ratio of frequencies, which are products and sums of a few rounded constants: some roundings,
/// and no more. `cos(0.333333333333*x)` does not come round with `sin(x)`.
const RATIO_ERROR: f64 = 4.0 * f64::EPSILON;

/// How expressions depend on one variable.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Dependence {
    /// Not at all.
    None,
    /// They repeat themselves with this period, which is positive.
    Periodic(f64),
    /// In some other way, or in a way that cannot be read off.
    Other,
}

impl Graph {
    /// Whether `roots` are free of `variable`, have a common period in it, or neither.
    ///
    /// ```
    /// use carom_expr::{Dependence, Scope};
    /// let scope = Scope::default();
    /// let (x, y) = (scope.variable("x"), scope.variable("y"));
    /// let wave = (2.0 * x + y).sin() + y * (3.0 * x).cos();
    /// let graph = scope.with(|graph| graph.clone());
    /// // Frequencies 2 and 3: both have come round after a full turn.
    /// assert_eq!(graph.dependence(&[wave.id()], x.id()), Dependence::Periodic(std::f64::consts::TAU));
    /// assert_eq!(graph.dependence(&[wave.id()], y.id()), Dependence::Other);
    /// ```
    pub fn dependence(&self, roots: &[Id], variable: Id) -> Dependence {
        let order = self.reachable(roots);
        // Indexed like the graph: no rate is known for what does not belong to the roots.
        let mut rates = vec![None; order.last().map_or(0, |id| id.index() + 1)];
        let mut frequencies = Vec::new();
        for id in order {
            let rate = |operand: Id| rates[operand.index()];
            frequencies.extend(self.frequency(id, rate));
            rates[id.index()] = if id == variable { Some(1.0) } else { self.rate(id, rate) };
        }
        if roots.iter().any(|root| rates[root.index()] != Some(0.0)) {
            return Dependence::Other;
        }
        if frequencies.is_empty() {
            return Dependence::None;
        }
        common_frequency(frequencies).map_or(Dependence::Other, |frequency| Dependence::Periodic(TAU / frequency))
    }

    /// The number `a` of `a x + w(x)`; none if the node is not of this form.
    fn rate(&self, id: Id, rate: impl Fn(Id) -> Option<f64>) -> Option<f64> {
        let found = match self.node(id) {
            Node::Unary(Unary::Neg, u) => -rate(u)?,
            // The frequency has been counted: what remains is periodic, if the argument has a rate at all.
            Node::Unary(Unary::Sin | Unary::Cos | Unary::Tan, u) => 0.0 * rate(u)?,
            Node::Binary(Binary::Add, u, v) => rate(u)? + rate(v)?,
            Node::Binary(Binary::Sub, u, v) => rate(u)? - rate(v)?,
            Node::Binary(Binary::Mul, u, v) => match (self.value(u), self.value(v)) {
                (Some(factor), _) => factor * rate(v)?,
                (_, Some(factor)) => factor * rate(u)?,
                _ => self.rate_of_periodic(id, rate)?,
            },
            Node::Binary(Binary::Div, u, v) if self.value(v).is_some() => rate(u)? / self.value(v)?,
            _ => self.rate_of_periodic(id, rate)?,
        };
        // Overflow, or a constant that is not a number. Adding zero takes the sign off a negative one.
        found.is_finite().then_some(found + 0.0)
    }

    /// Zero, if no operand drifts.
    fn rate_of_periodic(&self, id: Id, rate: impl Fn(Id) -> Option<f64>) -> Option<f64> {
        self.node(id).operands().all(|operand| rate(operand) == Some(0.0)).then_some(0.0)
    }

    /// The frequency that a node turns the drift of its argument into.
    fn frequency(&self, id: Id, rate: impl Fn(Id) -> Option<f64>) -> Option<f64> {
        let Node::Unary(op, u) = self.node(id) else { return None };
        let turns = match op {
            Unary::Sin | Unary::Cos => 1.0,
            Unary::Tan => 2.0,
            _ => return None,
        };
        rate(u).map(|rate| turns * rate.abs()).filter(|&frequency| frequency != 0.0)
    }
}

/// The largest frequency of which all are multiples.
fn common_frequency(mut frequencies: Vec<f64>) -> Option<f64> {
    // In an order of their own, so that the result does not depend on how the graph was built.
    frequencies.sort_by(f64::total_cmp);
    frequencies.dedup();
    let (&first, rest) = frequencies.split_first()?;
    // first = q u and next = p u without a common divisor of p and q: their common frequency is u.
    rest.iter().try_fold(first, |common, next| Some(common / f64::from(denominator(next / common)?)))
}

/// The least `q` for which `ratio = p / q` with small whole numbers.
fn denominator(ratio: f64) -> Option<u32> {
    (1..=MAX_RATIO).find(|&q| {
        let multiple = ratio * f64::from(q);
        let p = multiple.round();
        (1.0..=f64::from(MAX_RATIO)).contains(&p) && (multiple - p).abs() <= RATIO_ERROR * p
    })
}
