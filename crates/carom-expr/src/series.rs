//! Taylor series of expressions along a curve, to any order.
//!
//! If the variables are power series in time, `x(t) = sum_k x[k] t^k`, so is
//! every expression of them, and its coefficients follow from those of its
//! operands by recurrences that cost `O(k)` each:
//!
//! ```text
//! c = a b        c[k] = sum_j a[j] b[k-j]
//! c = a / b      c[k] = (a[k] - sum_(j>=1) b[j] c[k-j]) / b[0]
//! c = sqrt a     c[k] = (a[k] - sum_(0<j<k) c[j] c[k-j]) / (2 c[0])
//! c = exp a      k c[k] = sum_j j a[j] c[k-j]
//! c = f(a)       k r[0] c[k] = k a[k] - sum_(0<j<k) j c[j] r[k-j],   where r c' = a'
//! ```
//!
//! Coefficients are expressions themselves, so that the series of a whole
//! system becomes one straight-line function. Source: Jorba and Zou, *A
//! software package for the numerical integration of ODEs by means of
//! high-order Taylor methods* (2005).

use crate::graph::{Graph, Id, Node};
use crate::op::{Binary, Unary};
use rustc_hash::FxHashMap;

/// Taylor coefficients of expressions, order by order.
pub struct Series<'g> {
    graph: &'g mut Graph,
    /// Nodes whose coefficients are computed, operands first: without and with late variables.
    early: Vec<Id>,
    late: Vec<Id>,
    coefficients: FxHashMap<Id, Vec<Id>>,
    /// Helper expressions, such as `sqrt(1 - x^2)` for `asin(x)`.
    helpers: FxHashMap<Id, Id>,
}

impl<'g> Series<'g> {
    /// Prepares the series of `roots`; powers with variable exponents are rewritten, so the
    /// expressions to ask for are returned. Coefficients of `late` variables may follow from those
    /// of expressions that do not depend on them, of the same order.
    pub fn new(graph: &'g mut Graph, roots: &[Id], late: &[Id]) -> (Self, Vec<Id>) {
        let roots = rewrite_powers(graph, roots);
        let mut helpers = FxHashMap::default();
        let mut nodes = graph.reachable(&roots);
        // Helpers may need helpers: sine and cosine need each other.
        loop {
            let missing: Vec<Id> = nodes.iter().copied().filter(|id| !helpers.contains_key(id)).collect();
            let found: Vec<(Id, Id)> = missing.iter().filter_map(|&id| Some((id, helper(graph, id)?))).collect();
            if found.is_empty() {
                break;
            }
            helpers.extend(found);
            nodes.extend(helpers.values());
            nodes = graph.reachable(&nodes);
        }
        let mut dependent: FxHashMap<Id, ()> = late.iter().map(|&id| (id, ())).collect();
        for &id in &nodes {
            if graph.node(id).operands().any(|operand| dependent.contains_key(&operand)) {
                dependent.insert(id, ());
            }
        }
        let (late, early) = nodes.into_iter().partition(|id| dependent.contains_key(id));
        (Self { graph, early, late, coefficients: FxHashMap::default(), helpers }, roots)
    }

    /// The graph, for coefficients of variables.
    pub fn graph(&mut self) -> &mut Graph {
        self.graph
    }

    /// Appends the next coefficient of a variable. Variables that are never seeded are constant.
    pub fn seed(&mut self, variable: Id, coefficient: Id) {
        self.coefficients.entry(variable).or_default().push(coefficient);
    }

    /// Computes coefficient `k` of every expression without late variables.
    pub fn advance_early(&mut self, k: usize) {
        let nodes = std::mem::take(&mut self.early);
        nodes.iter().for_each(|&id| self.extend(id, k));
        self.early = nodes;
    }

    /// Computes coefficient `k` of every expression with late variables.
    pub fn advance_late(&mut self, k: usize) {
        let nodes = std::mem::take(&mut self.late);
        nodes.iter().for_each(|&id| self.extend(id, k));
        self.late = nodes;
    }

    /// Computes coefficient `k` of one expression from those of its operands.
    fn extend(&mut self, id: Id, k: usize) {
        let coefficient = match self.graph.node(id) {
            Node::Variable(_) if self.coefficients.get(&id).is_some_and(|known| known.len() > k) => return,
            // A variable that nobody seeds does not change.
            Node::Constant(_) | Node::Variable(_) if k == 0 => id,
            Node::Constant(_) | Node::Variable(_) => self.graph.constant(0.0),
            _ if k == 0 => self.value(id),
            Node::Unary(op, a) => self.unary(op, id, a, k),
            Node::Binary(op, a, b) => self.binary(op, id, a, b, k),
            Node::Select(condition, a, b) => {
                let (c, x, y) = (self.at(condition, 0), self.at(a, k), self.at(b, k));
                self.graph.select(c, x, y)
            }
        };
        self.coefficients.entry(id).or_default().push(coefficient);
    }

    /// Coefficient `k` of an expression or variable.
    pub fn at(&self, id: Id, k: usize) -> Id {
        self.coefficients[&id][k]
    }

    /// Coefficient zero: the value at the expansion point.
    fn value(&mut self, id: Id) -> Id {
        match self.graph.node(id) {
            Node::Unary(op, a) => {
                let a = self.at(a, 0);
                self.graph.unary(op, a)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.at(a, 0), self.at(b, 0));
                self.graph.binary(op, a, b)
            }
            Node::Select(c, a, b) => {
                let (c, a, b) = (self.at(c, 0), self.at(a, 0), self.at(b, 0));
                self.graph.select(c, a, b)
            }
            Node::Constant(_) | Node::Variable(_) => id,
        }
    }

    fn unary(&mut self, op: Unary, id: Id, a: Id, k: usize) -> Id {
        let ak = self.at(a, k);
        match op {
            Unary::Neg => self.graph.neg(ak),
            Unary::Sqrt => {
                let inner = self.convolve(id, id, 1, k - 1, k);
                let rest = self.graph.sub(ak, inner);
                let twice = self.at(id, 0);
                let twice = self.graph.scale(2.0, twice);
                self.graph.div(rest, twice)
            }
            Unary::Exp => self.weighted(a, id, k, 1.0),
            Unary::Sin | Unary::Sinh | Unary::Cosh | Unary::Tan | Unary::Tanh => {
                let slope = self.helpers[&id];
                self.weighted(a, slope, k, 1.0)
            }
            Unary::Cos => {
                let sine = self.helpers[&id];
                self.weighted(a, sine, k, -1.0)
            }
            Unary::Log => self.quotient_rule(ak, a, id, k),
            Unary::Asin | Unary::Atan => {
                let r = self.helpers[&id];
                self.quotient_rule(ak, r, id, k)
            }
            Unary::Acos => {
                let r = self.helpers[&id];
                let minus = self.graph.neg(ak);
                self.quotient_rule(minus, r, id, k)
            }
            Unary::Abs => {
                let a0 = self.at(a, 0);
                let sign = self.graph.unary(Unary::Sign, a0);
                self.graph.mul(sign, ak)
            }
            Unary::Sign => self.graph.constant(0.0),
        }
    }

    fn binary(&mut self, op: Binary, id: Id, a: Id, b: Id, k: usize) -> Id {
        match op {
            Binary::Add | Binary::Sub => {
                let (a, b) = (self.at(a, k), self.at(b, k));
                self.graph.binary(op, a, b)
            }
            Binary::Mul if a == b => self.square(a, k),
            Binary::Mul => self.convolve(a, b, 0, k, k),
            Binary::Div => {
                let inner = self.convolve(b, id, 1, k, k);
                let (ak, b0) = (self.at(a, k), self.at(b, 0));
                let rest = self.graph.sub(ak, inner);
                self.graph.div(rest, b0)
            }
            Binary::Pow => self.power(id, a, b, k),
            Binary::Atan2 => {
                // r c' = x y' - y x' with r = x^2 + y^2; here a = y, b = x.
                let r = self.helpers[&id];
                let (forward, backward) = (self.weighted(a, b, k, 1.0), self.weighted(b, a, k, 1.0));
                let driving = self.graph.sub(forward, backward);
                self.quotient_rule(driving, r, id, k)
            }
            Binary::Min | Binary::Max => {
                let (x, y) = (self.at(a, 0), self.at(b, 0));
                let (x, y) = if op == Binary::Min { (x, y) } else { (y, x) };
                let first = self.graph.binary(Binary::Less, x, y);
                let (ak, bk) = (self.at(a, k), self.at(b, k));
                self.graph.select(first, ak, bk)
            }
            Binary::Less | Binary::LessEqual | Binary::Equal => self.graph.constant(0.0),
        }
    }

    /// `c = a^e` for a number `e`: `k a[0] c[k] = sum_(j>=1) (e j - (k - j)) a[j] c[k-j]`.
    fn power(&mut self, id: Id, a: Id, exponent: Id, k: usize) -> Id {
        let e = self.graph.value(exponent).unwrap_or(f64::NAN);
        let mut sum = self.graph.constant(0.0);
        for j in 1..=k {
            let product = self.graph.mul(self.at(a, j), self.at(id, k - j));
            let term = self.graph.scale((e * j as f64 - (k - j) as f64) / k as f64, product);
            sum = self.graph.add(sum, term);
        }
        let a0 = self.at(a, 0);
        self.graph.div(sum, a0)
    }

    /// `sum_(j=first..=last) a[j] b[k-j]`
    fn convolve(&mut self, a: Id, b: Id, first: usize, last: usize, k: usize) -> Id {
        let mut sum = self.graph.constant(0.0);
        for j in first..=last {
            let product = self.graph.mul(self.at(a, j), self.at(b, k - j));
            sum = self.graph.add(sum, product);
        }
        sum
    }

    /// `sum_j a[j] a[k-j]` with half of the products.
    fn square(&mut self, a: Id, k: usize) -> Id {
        let mut sum = self.graph.constant(0.0);
        for j in 0..k.div_ceil(2) {
            let product = self.graph.mul(self.at(a, j), self.at(a, k - j));
            sum = self.graph.add(sum, product);
        }
        let twice = self.graph.scale(2.0, sum);
        if k % 2 == 1 {
            return twice;
        }
        let middle = self.at(a, k / 2);
        let middle = self.graph.mul(middle, middle);
        self.graph.add(twice, middle)
    }

    /// `sign / k sum_(j>=1) j a[j] b[k-j]`: coefficient of the integral of `b a'`.
    fn weighted(&mut self, a: Id, b: Id, k: usize, sign: f64) -> Id {
        let mut sum = self.graph.constant(0.0);
        for j in 1..=k {
            let scaled = self.at(a, j);
            let scaled = self.graph.scale(j as f64, scaled);
            let product = self.graph.mul(scaled, self.at(b, k - j));
            sum = self.graph.add(sum, product);
        }
        self.graph.scale(sign / k as f64, sum)
    }

    /// `c` from `r c' = d'`: `k r[0] c[k] = k d[k] - sum_(0<j<k) j c[j] r[k-j]`.
    fn quotient_rule(&mut self, driving: Id, r: Id, c: Id, k: usize) -> Id {
        let mut sum = self.graph.constant(0.0);
        for j in 1..k {
            let product = self.graph.mul(self.at(c, j), self.at(r, k - j));
            let term = self.graph.scale(j as f64 / k as f64, product);
            sum = self.graph.add(sum, term);
        }
        let rest = self.graph.sub(driving, sum);
        let r0 = self.at(r, 0);
        self.graph.div(rest, r0)
    }
}

/// What else must be expanded to expand this node.
fn helper(graph: &mut Graph, id: Id) -> Option<Id> {
    let one = graph.constant(1.0);
    Some(match graph.node(id) {
        Node::Unary(Unary::Sin, x) => graph.unary(Unary::Cos, x),
        Node::Unary(Unary::Cos, x) => graph.unary(Unary::Sin, x),
        Node::Unary(Unary::Sinh, x) => graph.unary(Unary::Cosh, x),
        Node::Unary(Unary::Cosh, x) => graph.unary(Unary::Sinh, x),
        Node::Unary(Unary::Tan, _) => {
            let square = graph.mul(id, id);
            graph.add(one, square)
        }
        Node::Unary(Unary::Tanh, _) => {
            let square = graph.mul(id, id);
            graph.sub(one, square)
        }
        Node::Unary(Unary::Asin | Unary::Acos, x) => {
            let square = graph.mul(x, x);
            let rest = graph.sub(one, square);
            graph.unary(Unary::Sqrt, rest)
        }
        Node::Unary(Unary::Atan, x) => {
            let square = graph.mul(x, x);
            graph.add(one, square)
        }
        Node::Binary(Binary::Atan2, y, x) => {
            let (yy, xx) = (graph.mul(y, y), graph.mul(x, x));
            graph.add(yy, xx)
        }
        _ => return None,
    })
}

/// `a^b` with a variable exponent becomes `exp(b log a)`; with a positive whole one, a product,
/// which unlike the recurrence of powers needs no division by `a`.
fn rewrite_powers(graph: &mut Graph, roots: &[Id]) -> Vec<Id> {
    let mut image: Vec<(Id, Id)> = Vec::new();
    for id in graph.reachable(roots) {
        let Node::Binary(Binary::Pow, a, b) = graph.node(id) else { continue };
        // Inner powers come first and are replaced inside outer ones.
        let inner = graph.substitute(&[a, b], &image);
        let power = match graph.value(b) {
            None => {
                let log = graph.unary(Unary::Log, inner[0]);
                let product = graph.mul(inner[1], log);
                graph.unary(Unary::Exp, product)
            }
            Some(n) if n.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&n) => {
                graph.whole_power(inner[0], n as u32)
            }
            Some(_) => continue,
        };
        image.push((id, power));
    }
    if image.is_empty() { roots.to_vec() } else { graph.substitute(roots, &image) }
}
