//! Exact derivatives, built as new expressions of the same graph.
//!
//! *Reverse mode* carries the adjoint `df/dx_i` from the result to the
//! operands: one sweep gives the whole gradient of a scalar. *Forward mode*
//! carries the tangent `dx_i/ds` from the variables to the results: one sweep
//! gives one directional derivative of many results.
//!
//! Derivatives are taken almost everywhere: `abs`, `sign`, `min`, `max`,
//! comparisons and `if` are differentiated on the side that is active, and
//! their switching points contribute nothing; the other side may be undefined.

use crate::graph::{Graph, Id, Node};
use crate::op::{Binary, Unary};
use rustc_hash::{FxHashMap, FxHashSet};

impl Graph {
    /// Gradient of `f` with respect to `variables`, by one reverse sweep.
    pub fn gradient(&mut self, f: Id, variables: &[Id]) -> Vec<Id> {
        let one = self.constant(1.0);
        self.weighted_gradient(&[(f, one)], variables)
    }

    /// Gradient of `sum_k w_k f_k` with `terms = [(f_1, w_1), ...]` and weights that are held fixed.
    pub(crate) fn weighted_gradient(&mut self, terms: &[(Id, Id)], variables: &[Id]) -> Vec<Id> {
        let roots: Vec<Id> = terms.iter().map(|term| term.0).collect();
        let order = self.reachable(&roots);
        let active = self.active(&order, variables);
        let mut adjoint: FxHashMap<Id, Id> = terms.iter().copied().collect();
        // Nodes whose adjoint a gate has closed on one side: there they may be undefined.
        let mut gated: FxHashSet<Id> = FxHashSet::default();
        for &id in order.iter().rev() {
            if !active.contains_key(&id) {
                continue;
            }
            let Some(&bar) = adjoint.get(&id) else { continue };
            for (operand, slope) in self.slopes(id, |operand| active.contains_key(&operand)) {
                let term = if gated.contains(&id) { self.guarded(bar, &slope) } else { self.chain(bar, &slope) };
                if gated.contains(&id) || matches!(slope, Slope::Gate(..)) {
                    gated.insert(operand);
                }
                let sum = match adjoint.get(&operand) {
                    Some(&before) => self.add(before, term),
                    None => term,
                };
                adjoint.insert(operand, sum);
            }
        }
        let zero = self.constant(0.0);
        variables.iter().map(|v| adjoint.get(v).copied().unwrap_or(zero)).collect()
    }

    /// Derivatives of `results` along a direction: `sum_i df/dx_i d_i` with
    /// `seeds = [(x_1, d_1), ...]`, by one forward sweep.
    pub fn directional(&mut self, results: &[Id], seeds: &[(Id, Id)]) -> Vec<Id> {
        let order = self.reachable(results);
        let mut tangent: FxHashMap<Id, Id> = seeds.iter().copied().collect();
        for &id in &order {
            if tangent.contains_key(&id) {
                continue;
            }
            let mut total = None;
            for (operand, slope) in self.slopes(id, |operand| tangent.contains_key(&operand)) {
                let term = self.chain(tangent[&operand], &slope);
                total = Some(match total {
                    Some(before) => self.add(before, term),
                    None => term,
                });
            }
            if let Some(total) = total.filter(|&t| !self.is_zero(t)) {
                tangent.insert(id, total);
            }
        }
        let zero = self.constant(0.0);
        results.iter().map(|r| tangent.get(r).copied().unwrap_or(zero)).collect()
    }

    /// Hessian of `f` times a vector: the gradient's derivative along `direction`.
    pub fn hessian_vector(&mut self, f: Id, variables: &[Id], direction: &[Id]) -> Vec<Id> {
        let gradient = self.gradient(f, variables);
        let seeds: Vec<(Id, Id)> = variables.iter().copied().zip(direction.iter().copied()).collect();
        self.directional(&gradient, &seeds)
    }

    /// Those nodes of `order` that depend on `variables`.
    pub(crate) fn active(&self, order: &[Id], variables: &[Id]) -> FxHashMap<Id, ()> {
        let mut active: FxHashMap<Id, ()> = variables.iter().map(|&v| (v, ())).collect();
        for &id in order {
            if self.node(id).operands().any(|operand| active.contains_key(&operand)) {
                active.insert(id, ());
            }
        }
        active
    }

    /// `bar * slope`, where a slope of `Gate` keeps `bar` on one branch only.
    fn chain(&mut self, bar: Id, slope: &Slope) -> Id {
        match *slope {
            Slope::Factor(factor) => self.mul_in_place(bar, factor),
            Slope::Quotient(divisor) => self.div(bar, divisor),
            Slope::MinusQuotient(value, divisor) => {
                let ratio = self.div(bar, divisor);
                let product = self.mul(ratio, value);
                self.neg(product)
            }
            Slope::Gate(condition, open) => {
                let zero = self.constant(0.0);
                if open { self.select(condition, bar, zero) } else { self.select(condition, zero, bar) }
            }
        }
    }

    /// `bar * slope`, but zero where `bar` is zero, even if the slope is not a number there.
    fn guarded(&mut self, bar: Id, slope: &Slope) -> Id {
        let term = self.chain(bar, slope);
        match *slope {
            Slope::Gate(..) => term,
            Slope::Factor(factor) if self.value(factor).is_some() => term,
            _ => {
                let zero = self.constant(0.0);
                let closed = self.binary(Binary::Equal, bar, zero);
                self.select(closed, zero, term)
            }
        }
    }

    /// Partial derivatives of a node with respect to those operands that `wanted` names.
    fn slopes(&mut self, id: Id, wanted: impl Fn(Id) -> bool) -> Vec<(Id, Slope)> {
        let mut slopes = Vec::with_capacity(2);
        match self.node(id) {
            Node::Constant(_) | Node::Variable(_) => {}
            Node::Unary(op, x) => {
                if wanted(x)
                    && let Some(slope) = self.unary_slope(op, x, id)
                {
                    slopes.push((x, slope));
                }
            }
            Node::Binary(op, a, b) => {
                for (operand, first) in [(a, true), (b, false)] {
                    if wanted(operand)
                        && let Some(slope) = self.binary_slope(op, a, b, id, first)
                    {
                        slopes.push((operand, slope));
                    }
                }
            }
            Node::Select(condition, a, b) => {
                slopes.extend(wanted(a).then_some((a, Slope::Gate(condition, true))));
                slopes.extend(wanted(b).then_some((b, Slope::Gate(condition, false))));
            }
        }
        slopes
    }

    /// `d op(x) / dx`, where `value` is `op(x)`.
    fn unary_slope(&mut self, op: Unary, x: Id, value: Id) -> Option<Slope> {
        let one = self.constant(1.0);
        let factor = match op {
            Unary::Neg => self.constant(-1.0),
            Unary::Sqrt => return Some(Slope::Quotient(self.scale(2.0, value))),
            Unary::Exp => value,
            Unary::Log => return Some(Slope::Quotient(x)),
            Unary::Sin => self.unary(Unary::Cos, x),
            Unary::Cos => {
                let sine = self.unary(Unary::Sin, x);
                self.neg(sine)
            }
            Unary::Tan => {
                let square = self.mul(value, value);
                self.add(one, square)
            }
            Unary::Asin | Unary::Acos => {
                let square = self.mul(x, x);
                let rest = self.sub(one, square);
                let root = self.unary(Unary::Sqrt, rest);
                return Some(Slope::Quotient(if op == Unary::Asin { root } else { self.neg(root) }));
            }
            Unary::Atan => {
                let square = self.mul(x, x);
                return Some(Slope::Quotient(self.add(one, square)));
            }
            Unary::Sinh => self.unary(Unary::Cosh, x),
            Unary::Cosh => self.unary(Unary::Sinh, x),
            Unary::Tanh => {
                let square = self.mul(value, value);
                self.sub(one, square)
            }
            Unary::Abs => self.unary(Unary::Sign, x),
            Unary::Sign => return None,
        };
        Some(Slope::Factor(factor))
    }

    /// Partial derivative of `a op b` with respect to its first or second operand.
    fn binary_slope(&mut self, op: Binary, a: Id, b: Id, value: Id, first: bool) -> Option<Slope> {
        let slope = match (op, first) {
            (Binary::Add, _) | (Binary::Sub, true) => Slope::Factor(self.constant(1.0)),
            (Binary::Sub, false) => Slope::Factor(self.constant(-1.0)),
            (Binary::Mul, true) => Slope::Factor(b),
            (Binary::Mul, false) => Slope::Factor(a),
            (Binary::Div, true) => Slope::Quotient(b),
            (Binary::Div, false) => Slope::MinusQuotient(value, b),
            (Binary::Pow, true) => {
                // b a^(b-1), written so that a = 0 is no division by zero.
                let one = self.constant(1.0);
                let lower = self.sub(b, one);
                let power = self.pow(a, lower);
                Slope::Factor(self.mul(b, power))
            }
            (Binary::Pow, false) => {
                let log = self.unary(Unary::Log, a);
                Slope::Factor(self.mul(value, log))
            }
            (Binary::Atan2, _) => {
                // d atan2(a, b) = (b da - a db) / (a^2 + b^2)
                let (aa, bb) = (self.mul(a, a), self.mul(b, b));
                let square = self.add(aa, bb);
                let other = if first { b } else { self.neg(a) };
                Slope::Factor(self.div(other, square))
            }
            (Binary::Min, _) => Slope::Gate(self.binary(Binary::Less, a, b), first),
            (Binary::Max, _) => Slope::Gate(self.binary(Binary::Less, b, a), first),
            (Binary::Less | Binary::LessEqual | Binary::Equal, _) => return None,
        };
        Some(slope)
    }
}

/// How a tangent or an adjoint passes one operand.
enum Slope {
    /// Times this factor.
    Factor(Id),
    /// Divided by this divisor.
    Quotient(Id),
    /// Times minus the first, divided by the second: `d(a/b)/db = -(a/b)/b`.
    MinusQuotient(Id, Id),
    /// Kept where the condition has this truth value, else zero.
    Gate(Id, bool),
}
