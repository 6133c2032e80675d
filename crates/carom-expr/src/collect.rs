//! Sums of products, collected: what cancels, cancels.
//!
//! Hash-consing and local rules do not see that `(a cos)^2 + (a sin)^2` is `a^2`. Written as a polynomial in
//! its atoms (variables, sines, roots, ..) and their inverses an expression is unique up to
//! `sin^2 = 1 - cos^2`; terms that cancel are gone, and so is the argument of the sines. Frames that turn with a
//! body live on this.

use crate::graph::{Graph, Id, Node};
use crate::op::{Binary, Unary};
use std::collections::{BTreeMap, HashMap};

/// Longer expressions, and longer sums, are left alone.
const MAX_OPERATIONS: usize = 1_000;
const MAX_TERMS: usize = 200;
/// Highest power of an atom, and most terms that squares are replaced by.
const MAX_DEGREE: i32 = 16;
const MAX_REPLACED: usize = 4_000;
/// Higher powers are atoms.
const MAX_POWER: f64 = 8.0;
/// Coefficients below this many roundings of what they are the sum of have cancelled.
const CANCELLED: f64 = 8.0 * f64::EPSILON;

/// Atoms with their powers.
type Monomial = Vec<(Id, i32)>;
/// Coefficients, and the sizes of the sums that have rounded them.
type Polynomial = BTreeMap<Monomial, (f64, f64)>;
/// A term that may have squares to be replaced.
type Term = (BTreeMap<Id, i32>, (f64, f64));

impl Graph {
    /// The expression as a collected sum of products, if that is shorter.
    pub fn collect(&mut self, root: Id) -> Id {
        // This also bounds how deep the recursion below can go.
        if self.operation_count(&[root]) > MAX_OPERATIONS {
            return root;
        }
        let mut known = HashMap::new();
        let Some(polynomial) = self.polynomial(root, &mut known) else { return root };
        let Some(polynomial) = self.reduced(&polynomial) else { return root };
        let collected = self.assemble(&polynomial);
        let is_shorter = self.operation_count(&[collected]) < self.operation_count(&[root]);
        if is_shorter { collected } else { root }
    }

    /// The polynomial of an expression; none if it is too long.
    fn polynomial(&self, id: Id, known: &mut HashMap<Id, Option<Polynomial>>) -> Option<Polynomial> {
        if let Some(found) = known.get(&id) {
            return found.clone();
        }
        let mut of = |id: Id| self.polynomial(id, known);
        let atom = || Some(Polynomial::from([(vec![(id, 1)], (1.0, 1.0))]));
        let found = match self.node(id) {
            Node::Constant(bits) => {
                let value = f64::from_bits(bits);
                Some(Polynomial::from([(Vec::new(), (value, value.abs()))]))
            }
            Node::Unary(Unary::Neg, a) => of(a).map(|a| scaled(&a, -1.0)),
            Node::Binary(Binary::Add, a, b) => sum(of(a), of(b), 1.0),
            Node::Binary(Binary::Sub, a, b) => sum(of(a), of(b), -1.0),
            Node::Binary(Binary::Mul, a, b) => match (of(a), of(b)) {
                (Some(a), Some(b)) => self.product(&a, &b),
                _ => None,
            },
            Node::Binary(Binary::Div, a, b) => match (of(a), of(b).as_ref().and_then(inverse)) {
                (Some(a), Some(inverse)) => self.product(&a, &inverse),
                (None, Some(_)) => None,
                (_, None) => atom(),
            },
            Node::Binary(Binary::Pow, a, b) => match self.value(b) {
                Some(power) if power.fract() == 0.0 && (2.0..=MAX_POWER).contains(&power) => {
                    let base = of(a);
                    let first = base.clone();
                    (1..power as usize).fold(first, |all, _| self.product(&all?, base.as_ref()?))
                }
                _ => atom(),
            },
            _ => atom(),
        };
        let found = found.filter(|found| found.len() <= MAX_TERMS);
        known.insert(id, found.clone());
        found
    }

    fn product(&self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        if a.len() * b.len() > MAX_TERMS * 4 {
            return None;
        }
        let mut all = Polynomial::new();
        for ((left, x), (right, y)) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
            let mut powers: BTreeMap<Id, i32> = left.iter().copied().collect();
            right.iter().for_each(|&(atom, power)| *powers.entry(atom).or_default() += power);
            if powers.values().any(|power| power.abs() > MAX_DEGREE) {
                return None;
            }
            add(&mut all, powers, (x.0 * y.0, (x.0 * y.1).abs().max((x.1 * y.0).abs())));
        }
        all.retain(|_, (value, size)| value.abs() > CANCELLED * *size);
        Some(all)
    }

    /// Squares of sines are replaced; of cosines instead, where sines stand below a fraction line.
    /// None if there are too many.
    fn reduced(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        let powers = polynomial.keys().flatten();
        let below: Vec<Id> = powers.filter(|(_, power)| *power < 0).filter_map(|(atom, _)| self.angle(*atom)).collect();
        let mut all = Polynomial::new();
        let mut left: Vec<Term> = polynomial.iter().map(|(m, term)| (m.iter().copied().collect(), *term)).collect();
        let mut replaced = 0;
        while let Some((mut powers, term)) = left.pop() {
            let Some((atom, other)) = self.square(&powers, &below) else {
                add(&mut all, powers, term);
                continue;
            };
            replaced += 1;
            if replaced > MAX_REPLACED {
                return None;
            }
            powers.entry(atom).and_modify(|power| *power -= 2);
            left.push((powers.clone(), term));
            *powers.entry(other).or_default() += 2;
            left.push((powers, (-term.0, term.1)));
        }
        all.retain(|_, (value, size)| value.abs() > CANCELLED * *size);
        (all.len() <= MAX_TERMS).then_some(all)
    }

    /// The angle of a sine.
    fn angle(&self, atom: Id) -> Option<Id> {
        match self.node(atom) {
            Node::Unary(Unary::Sin, angle) => Some(angle),
            _ => None,
        }
    }

    /// A square that is to be replaced, and what its complement is the square of.
    fn square(&self, powers: &BTreeMap<Id, i32>, below: &[Id]) -> Option<(Id, Id)> {
        powers.iter().filter(|(_, power)| **power >= 2).find_map(|(&atom, _)| match self.node(atom) {
            Node::Unary(Unary::Sin, angle) if !below.contains(&angle) => {
                self.find(Node::Unary(Unary::Cos, angle)).map(|other| (atom, other))
            }
            Node::Unary(Unary::Cos, angle) if below.contains(&angle) => {
                self.find(Node::Unary(Unary::Sin, angle)).map(|other| (atom, other))
            }
            _ => None,
        })
    }

    fn assemble(&mut self, polynomial: &Polynomial) -> Id {
        let mut sum = self.constant(0.0);
        for (monomial, (coefficient, _)) in polynomial {
            let mut term = self.constant(1.0);
            for &(atom, power) in monomial.iter().filter(|(_, power)| *power > 0) {
                term = (0..power).fold(term, |term, _| self.mul(term, atom));
            }
            for &(atom, power) in monomial.iter().filter(|(_, power)| *power < 0) {
                term = (power..0).fold(term, |term, _| self.div(term, atom));
            }
            let term = self.scale(*coefficient, term);
            sum = self.add(sum, term);
        }
        sum
    }
}

/// Adds a term.
fn add(all: &mut Polynomial, powers: BTreeMap<Id, i32>, term: (f64, f64)) {
    let entry = all.entry(powers.into_iter().filter(|(_, power)| *power != 0).collect()).or_default();
    *entry = (entry.0 + term.0, entry.1 + term.1);
}

/// One over a single term.
fn inverse(a: &Polynomial) -> Option<Polynomial> {
    let mut terms = a.iter();
    let (Some((monomial, (value, size))), None) = (terms.next(), terms.next()) else { return None };
    let inverted = monomial.iter().map(|(atom, power)| (*atom, -power)).collect();
    let term = (1.0 / value, size / value.abs() / value.abs());
    (term.0.is_finite() && term.1.is_finite()).then(|| Polynomial::from([(inverted, term)]))
}

fn scaled(a: &Polynomial, factor: f64) -> Polynomial {
    a.iter().map(|(m, (value, size))| (m.clone(), (value * factor, size * factor.abs()))).collect()
}

fn sum(a: Option<Polynomial>, b: Option<Polynomial>, sign: f64) -> Option<Polynomial> {
    let (mut a, b) = (a?, b?);
    for (monomial, (value, size)) in b {
        let entry = a.entry(monomial).or_default();
        *entry = (entry.0 + sign * value, entry.1 + size);
    }
    a.retain(|_, (value, size)| value.abs() > CANCELLED * *size);
    Some(a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_sines_and_cosines_cancel() {
        let mut graph = Graph::new();
        let (x, w) = (graph.variable("x"), graph.variable("w"));
        let (s, c) = (graph.unary(Unary::Sin, x), graph.unary(Unary::Cos, x));
        let (a, b) = (graph.mul(w, c), graph.mul(w, s));
        let (a, b) = (graph.mul(a, a), graph.mul(b, b));
        let all = graph.add(a, b);
        let square = graph.mul(w, w);
        assert_eq!(graph.collect(all), square);
        let mixed = graph.mul(a, s);
        assert_eq!(graph.collect(mixed), mixed);
    }

    #[test]
    fn factors_of_quotients_cancel() {
        let mut graph = Graph::new();
        let (x, y) = (graph.variable("x"), graph.variable("y"));
        let s = graph.unary(Unary::Sin, x);
        let quotient = graph.div(y, s);
        let more = graph.mul(quotient, s);
        let sum = graph.add(more, y);
        let twice = graph.scale(2.0, y);
        assert_eq!(graph.collect(sum), twice);
    }

    #[test]
    fn high_powers_are_left_alone() {
        let mut graph = Graph::new();
        let x = graph.variable("x");
        let (s, c) = (graph.unary(Unary::Sin, x), graph.unary(Unary::Cos, x));
        let eight = graph.constant(8.0);
        let power = graph.pow(s, eight);
        let power = graph.pow(power, eight);
        let sum = graph.add(power, c);
        assert_eq!(graph.collect(sum), sum);
    }

    #[test]
    fn what_is_left_of_a_difference_counts_in_products() {
        let mut graph = Graph::new();
        let x = graph.variable("x");
        let y = graph.variable("y");
        let (a, b) = (graph.scale(1.0 + 1e-10, x), graph.add(x, y));
        let (a, b) = (graph.add(a, y), b);
        let rest = graph.sub(a, b);
        let square = graph.mul(rest, rest);
        let collected = graph.collect(square);
        assert!(!graph.is_zero(collected));
    }

    #[test]
    fn rounding_does_not_keep_terms() {
        let mut graph = Graph::new();
        let x = graph.variable("x");
        let y = graph.variable("y");
        let (a, b, c) = (graph.scale(0.1, x), graph.scale(0.2, x), graph.scale(0.3, x));
        let sum = graph.add(a, y);
        let sum = graph.add(sum, b);
        let sum = graph.sub(sum, c);
        assert_eq!(graph.collect(sum), y);
    }
}
