//! Substitution of expressions for variables, and evaluation at a point.

use crate::graph::{Graph, Id, Node};
use crate::op::Binary;
use rustc_hash::FxHashMap;

impl Graph {
    /// Replaces, in each of `roots`, every key of `replacements` by its value,
    /// all at once; the results are simplified anew.
    pub fn substitute(&mut self, roots: &[Id], replacements: &[(Id, Id)]) -> Vec<Id> {
        let mut image: FxHashMap<Id, Id> = replacements.iter().copied().collect();
        for id in self.reachable(roots) {
            if image.contains_key(&id) {
                continue;
            }
            let of = |operand: Id| image[&operand];
            let new = match self.node(id) {
                Node::Constant(_) | Node::Variable(_) => id,
                Node::Unary(op, x) => {
                    let x = of(x);
                    self.unary(op, x)
                }
                Node::Binary(Binary::Mul, a, b) if self.keeps_factors(a, b) => {
                    let (a, b) = (of(a), of(b));
                    self.mul_in_place(a, b)
                }
                Node::Binary(op, a, b) => {
                    let (a, b) = (of(a), of(b));
                    self.binary(op, a, b)
                }
                Node::Select(condition, a, b) => {
                    let (condition, a, b) = (of(condition), of(a), of(b));
                    self.select(condition, a, b)
                }
            };
            image.insert(id, new);
        }
        roots.iter().map(|root| image[root]).collect()
    }

    /// Values of `roots` where the variables have the given values.
    ///
    /// Meant for a few evaluations (checks, initial values); compile a
    /// [`Function`](crate::Function) for more. A variable without a value
    /// counts as not-a-number.
    pub fn evaluate(&self, roots: &[Id], values: &[(Id, f64)]) -> Vec<f64> {
        let mut known: FxHashMap<Id, f64> = values.iter().copied().collect();
        for id in self.reachable(roots) {
            if known.contains_key(&id) {
                continue;
            }
            let value = match self.node(id) {
                Node::Constant(bits) => f64::from_bits(bits),
                Node::Variable(_) => f64::NAN,
                Node::Unary(op, x) => op.apply(known[&x]),
                Node::Binary(op, a, b) => op.apply(known[&a], known[&b]),
                Node::Select(c, a, b) => crate::op::select(known[&c], known[&a], known[&b]),
            };
            known.insert(id, value);
        }
        roots.iter().map(|root| known[root]).collect()
    }
}

impl Graph {
    /// The expressions `roots` of another graph, built in this one; variables of equal names are the same.
    pub fn import(&mut self, other: &Graph, roots: &[Id]) -> Vec<Id> {
        let mut built: FxHashMap<Id, Id> = FxHashMap::default();
        for id in other.reachable(roots) {
            let new = match other.node(id) {
                Node::Constant(bits) => self.constant(f64::from_bits(bits)),
                Node::Variable(_) => self.variable(other.variable_name(id).unwrap_or_default()),
                Node::Unary(op, x) => self.unary(op, built[&x]),
                Node::Binary(op, a, b) => self.binary(op, built[&a], built[&b]),
                Node::Select(c, a, b) => self.select(built[&c], built[&a], built[&b]),
            };
            built.insert(id, new);
        }
        roots.iter().map(|root| built[root]).collect()
    }
}
