//! Construction of expressions: constants fold, signs and constant factors move
//! outwards, operands of commutative operations are sorted.
//!
//! The rules are local (they look at a node and its operands) and never
//! lengthen an expression. A product with the constant zero is zero, whatever
//! the other factor: that is what makes derivatives sparse.

use crate::graph::{Graph, Id, Node};
use crate::op::{Binary, Unary, select};

/// Largest whole exponent that is unrolled into multiplications.
const MAX_UNROLLED_EXPONENT: f64 = 16.0;

impl Graph {
    /// Any unary operation.
    pub fn unary(&mut self, op: Unary, x: Id) -> Id {
        if let Some(value) = self.value(x) {
            return self.constant(op.apply(value));
        }
        match (op, self.node(x)) {
            (Unary::Neg, _) => self.neg(x),
            // sin, tan, asin, atan, sinh, tanh and sign are odd; cos, cosh and abs are even.
            (
                Unary::Sin | Unary::Tan | Unary::Asin | Unary::Atan | Unary::Sinh | Unary::Tanh | Unary::Sign,
                Node::Unary(Unary::Neg, inner),
            ) => {
                let value = self.intern(Node::Unary(op, inner));
                self.neg(value)
            }
            (Unary::Cos | Unary::Cosh | Unary::Abs, Node::Unary(Unary::Neg, inner)) => {
                self.intern(Node::Unary(op, inner))
            }
            _ => self.intern(Node::Unary(op, x)),
        }
    }

    /// Any binary operation.
    pub fn binary(&mut self, op: Binary, a: Id, b: Id) -> Id {
        match op {
            Binary::Add => return self.add(a, b),
            Binary::Sub => return self.sub(a, b),
            Binary::Mul => return self.mul(a, b),
            Binary::Div => return self.div(a, b),
            Binary::Pow => return self.pow(a, b),
            _ => {}
        }
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return self.constant(op.apply(x, y));
        }
        match op {
            Binary::Min | Binary::Max if a == b => a,
            _ => self.intern_sorted(op, a, b),
        }
    }

    /// `a + b`
    pub fn add(&mut self, a: Id, b: Id) -> Id {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => return self.constant(x + y),
            (Some(0.0), _) => return b,
            (_, Some(0.0)) => return a,
            _ => {}
        }
        if let Node::Unary(Unary::Neg, inner) = self.node(b) {
            return self.sub(a, inner);
        }
        if let Node::Unary(Unary::Neg, inner) = self.node(a) {
            return self.sub(b, inner);
        }
        // Like terms: c x + d x = (c + d) x.
        let ((c, x), (d, y)) = (self.split_factor(a), self.split_factor(b));
        if x == y {
            return self.scale(c + d, x);
        }
        self.intern_sorted(Binary::Add, a, b)
    }

    /// `a - b`
    pub fn sub(&mut self, a: Id, b: Id) -> Id {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => return self.constant(x - y),
            (Some(0.0), _) => return self.neg(b),
            (_, Some(0.0)) => return a,
            (_, Some(y)) => {
                let minus = self.constant(-y);
                return self.add(a, minus);
            }
            _ => {}
        }
        if let Node::Unary(Unary::Neg, inner) = self.node(b) {
            return self.add(a, inner);
        }
        let ((c, x), (d, y)) = (self.split_factor(a), self.split_factor(b));
        if x == y {
            return self.scale(c - d, x);
        }
        if let Node::Unary(Unary::Neg, inner) = self.node(a) {
            let sum = self.add(inner, b);
            return self.neg(sum);
        }
        self.intern(Node::Binary(Binary::Sub, a, b))
    }

    /// `-a`
    pub fn neg(&mut self, a: Id) -> Id {
        match self.node(a) {
            Node::Constant(bits) => self.constant(-f64::from_bits(bits)),
            Node::Unary(Unary::Neg, inner) => inner,
            Node::Binary(Binary::Sub, x, y) => self.sub(y, x),
            Node::Binary(Binary::Mul, c, x) if self.value(c).is_some() => {
                let factor = -self.value(c).unwrap_or(1.0);
                self.scale(factor, x)
            }
            _ => self.intern(Node::Unary(Unary::Neg, a)),
        }
    }

    /// `a * b`
    pub fn mul(&mut self, a: Id, b: Id) -> Id {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => return self.constant(x * y),
            (Some(x), None) => return self.scale(x, b),
            (None, Some(y)) => return self.scale(y, a),
            _ => {}
        }
        // Signs and constant factors leave the product.
        let ((c, x), (d, y)) = (self.split_factor(a), self.split_factor(b));
        if c != 1.0 || d != 1.0 {
            let product = self.mul(x, y);
            return self.scale(c * d, product);
        }
        self.intern_sorted(Binary::Mul, a, b)
    }

    /// `a * b` that leaves constant factors where they are (signs still move outwards).
    ///
    /// Many products of one adjoint `c x` share it: `(c x) y` and `(c x) z` are three
    /// multiplications, `c (x y)` and `c (x z)` are four.
    pub(crate) fn mul_in_place(&mut self, a: Id, b: Id) -> Id {
        if self.value(a).is_some() || self.value(b).is_some() {
            return self.mul(a, b);
        }
        match (self.node(a), self.node(b)) {
            (Node::Unary(Unary::Neg, x), _) => {
                let product = self.mul_in_place(x, b);
                self.neg(product)
            }
            (_, Node::Unary(Unary::Neg, y)) => {
                let product = self.mul_in_place(a, y);
                self.neg(product)
            }
            _ => self.intern_sorted(Binary::Mul, a, b),
        }
    }

    /// True if the product `a * b` can only have been built by [`Self::mul_in_place`].
    pub(crate) fn keeps_factors(&self, a: Id, b: Id) -> bool {
        self.value(a).is_none() && (self.split_factor(a).0 != 1.0 || self.split_factor(b).0 != 1.0)
    }

    /// `a / b`
    pub fn div(&mut self, a: Id, b: Id) -> Id {
        if self.is_zero(a) && !self.is_zero(b) {
            return a;
        }
        if let Some(divisor) = self.value(b) {
            return match self.value(a) {
                Some(dividend) => self.constant(dividend / divisor),
                // One rounding more than a division, several times faster.
                None if (1.0 / divisor).is_normal() => self.scale(1.0 / divisor, a),
                None => self.intern(Node::Binary(Binary::Div, a, b)),
            };
        }
        let ((c, x), (d, y)) = (self.split_factor(a), self.split_factor(b));
        if self.value(x).is_none() && (c != 1.0 || d != 1.0) {
            let ratio = self.intern(Node::Binary(Binary::Div, x, y));
            return self.scale(c / d, ratio);
        }
        self.intern(Node::Binary(Binary::Div, a, b))
    }

    /// `a ^ b`; small whole exponents become products, `1/2` a square root.
    pub fn pow(&mut self, a: Id, b: Id) -> Id {
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return self.constant(x.powf(y));
        }
        let Some(exponent) = self.value(b) else {
            return self.intern(Node::Binary(Binary::Pow, a, b));
        };
        if exponent == 0.5 {
            return self.unary(Unary::Sqrt, a);
        }
        if exponent.fract() != 0.0 || exponent.abs() > MAX_UNROLLED_EXPONENT {
            return self.intern(Node::Binary(Binary::Pow, a, b));
        }
        let power = self.whole_power(a, exponent.abs() as u32);
        if exponent >= 0.0 {
            return power;
        }
        let one = self.constant(1.0);
        self.div(one, power)
    }

    /// `if condition then a else b`
    pub fn select(&mut self, condition: Id, a: Id, b: Id) -> Id {
        if let Some(value) = self.value(condition) {
            return if select(value, 1.0, 0.0) == 1.0 { a } else { b };
        }
        if a == b {
            return a;
        }
        self.intern(Node::Select(condition, a, b))
    }

    /// The sum of many terms.
    pub fn sum(&mut self, terms: impl IntoIterator<Item = Id>) -> Id {
        let zero = self.constant(0.0);
        terms.into_iter().fold(zero, |total, term| self.add(total, term))
    }

    /// `sum_i a_i b_i`
    pub fn dot(&mut self, a: &[Id], b: &[Id]) -> Id {
        let products: Vec<Id> = a.iter().zip(b).map(|(&x, &y)| self.mul(x, y)).collect();
        self.sum(products)
    }

    /// `factor * x` for a number `factor`.
    pub fn scale(&mut self, factor: f64, x: Id) -> Id {
        let (inner, x) = self.split_factor(x);
        let factor = factor * inner;
        if let Some(value) = self.value(x) {
            return self.constant(factor * value);
        }
        if factor == 0.0 {
            return self.constant(0.0);
        }
        if factor == 1.0 {
            return x;
        }
        if factor == -1.0 {
            return self.intern_negation(x);
        }
        let factor = self.constant(factor);
        // Constants stand first, so that `split_factor` finds them.
        self.intern(Node::Binary(Binary::Mul, factor, x))
    }

    /// Writes `x` as a number times an expression without such a factor.
    fn split_factor(&self, x: Id) -> (f64, Id) {
        match self.node(x) {
            Node::Unary(Unary::Neg, inner) => (-1.0, inner),
            Node::Binary(Binary::Mul, c, inner) => match self.value(c) {
                Some(factor) => (factor, inner),
                None => (1.0, x),
            },
            _ => (1.0, x),
        }
    }

    /// `-x` for an `x` that is neither a constant nor a scaled expression.
    fn intern_negation(&mut self, x: Id) -> Id {
        match self.node(x) {
            Node::Binary(Binary::Sub, a, b) => self.sub(b, a),
            _ => self.intern(Node::Unary(Unary::Neg, x)),
        }
    }

    /// `a^n` by repeated squaring.
    pub(crate) fn whole_power(&mut self, a: Id, n: u32) -> Id {
        match n {
            0 => self.constant(1.0),
            1 => a,
            _ => {
                let half = self.whole_power(a, n / 2);
                let square = self.mul(half, half);
                if n.is_multiple_of(2) { square } else { self.mul(square, a) }
            }
        }
    }

    fn intern_sorted(&mut self, op: Binary, a: Id, b: Id) -> Id {
        let swap = op.is_commutative() && b < a;
        let (a, b) = if swap { (b, a) } else { (a, b) };
        self.intern(Node::Binary(op, a, b))
    }
}
