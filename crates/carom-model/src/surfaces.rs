//! Gaps with kinks as unions of smooth obstacles.
//!
//! Bodies are apart when the gap is positive. A gap that is the smallest of several smooth ones,
//! `phi = min(phi_1, ..., phi_k)`, says that all of them are positive: `k` smooth contacts. Kinks of
//! that kind are written with `min`, or with `-|a| = min(a, -a)`, and survive sums and positive factors:
//!
//! ```text
//! y - l(|sin theta| + |cos theta|) = min over the signs of  y -+ l sin theta -+ l cos theta.
//! ```
//!
//! The largest of several gaps is another matter: there it is enough that one of them is positive, and
//! the obstacle has a corner that points inwards. Such gaps are not split.

use carom_expr::{Binary, Graph, Id, Node, Unary};
use std::collections::HashMap;

/// More pieces than this are not worth the name of a contact.
const MAX_PIECES: usize = 64;

/// An expression as the smallest or the largest of smooth ones.
#[derive(Clone, Debug)]
enum Piecewise {
    Smooth(Id),
    Least(Vec<Id>),
    Greatest(Vec<Id>),
}

/// The smooth gaps whose smallest is `gap`; none if it cannot be written like that.
pub fn smooth_pieces(graph: &mut Graph, gap: Id) -> Option<Vec<Id>> {
    let mut known: HashMap<Id, Option<Piecewise>> = HashMap::new();
    for id in graph.reachable(&[gap]) {
        let split = split(graph, &known, id);
        known.insert(id, split);
    }
    match known.remove(&gap)?? {
        Piecewise::Smooth(id) => Some(vec![id]),
        Piecewise::Least(mut pieces) => {
            pieces.sort();
            pieces.dedup();
            (pieces.len() <= MAX_PIECES).then_some(pieces)
        }
        Piecewise::Greatest(_) => None,
    }
}

/// One node from its operands.
fn split(graph: &mut Graph, known: &HashMap<Id, Option<Piecewise>>, id: Id) -> Option<Piecewise> {
    let operand = |id: Id| known.get(&id).cloned().flatten();
    match graph.node(id) {
        Node::Constant(_) | Node::Variable(_) => Some(Piecewise::Smooth(id)),
        Node::Unary(Unary::Neg, a) => Some(operand(a)?.scaled(graph, -1.0)),
        Node::Unary(Unary::Abs, a) => match operand(a)? {
            Piecewise::Smooth(a) => Some(Piecewise::Greatest(vec![a, graph.neg(a)])),
            _ => None,
        },
        Node::Binary(Binary::Add, a, b) => operand(a)?.plus(graph, operand(b)?),
        Node::Binary(Binary::Sub, a, b) => {
            let minus = operand(b)?.scaled(graph, -1.0);
            operand(a)?.plus(graph, minus)
        }
        Node::Binary(Binary::Mul, a, b) => match (graph.value(a), graph.value(b)) {
            (Some(factor), _) => Some(operand(b)?.scaled(graph, factor)),
            (_, Some(factor)) => Some(operand(a)?.scaled(graph, factor)),
            _ => smooth(id, &[operand(a)?, operand(b)?]),
        },
        Node::Binary(Binary::Div, a, b) => match graph.value(b) {
            Some(divisor) => Some(operand(a)?.scaled(graph, 1.0 / divisor)),
            None => smooth(id, &[operand(a)?, operand(b)?]),
        },
        Node::Binary(Binary::Min, a, b) => match (operand(a)?, operand(b)?) {
            (Piecewise::Greatest(_), _) | (_, Piecewise::Greatest(_)) => None,
            (a, b) => Some(Piecewise::Least([a.pieces(), b.pieces()].concat())),
        },
        Node::Binary(Binary::Max, a, b) => match (operand(a)?, operand(b)?) {
            (Piecewise::Least(_), _) | (_, Piecewise::Least(_)) => None,
            (a, b) => Some(Piecewise::Greatest([a.pieces(), b.pieces()].concat())),
        },
        Node::Unary(Unary::Sign, _) | Node::Select(..) => None,
        node => {
            let operands: Option<Vec<Piecewise>> = node.operands().map(operand).collect();
            smooth(id, &operands?)
        }
    }
}

/// A node whose operands must be smooth.
fn smooth(id: Id, operands: &[Piecewise]) -> Option<Piecewise> {
    let all_smooth = operands.iter().all(|operand| matches!(operand, Piecewise::Smooth(_)));
    all_smooth.then_some(Piecewise::Smooth(id))
}

impl Piecewise {
    fn pieces(self) -> Vec<Id> {
        match self {
            Self::Smooth(id) => vec![id],
            Self::Least(pieces) | Self::Greatest(pieces) => pieces,
        }
    }

    /// A negative factor turns the smallest into the largest.
    fn scaled(self, graph: &mut Graph, factor: f64) -> Self {
        let is_flipped = factor < 0.0;
        let mut scale = |pieces: Vec<Id>| pieces.into_iter().map(|id| graph.scale(factor, id)).collect();
        match self {
            Self::Smooth(id) => Self::Smooth(graph.scale(factor, id)),
            Self::Least(pieces) if is_flipped => Self::Greatest(scale(pieces)),
            Self::Greatest(pieces) if is_flipped => Self::Least(scale(pieces)),
            Self::Least(pieces) => Self::Least(scale(pieces)),
            Self::Greatest(pieces) => Self::Greatest(scale(pieces)),
        }
    }

    /// Sums of smallest ones are the smallest of all sums.
    fn plus(self, graph: &mut Graph, other: Self) -> Option<Self> {
        let is_least = matches!(self, Self::Least(_)) || matches!(other, Self::Least(_));
        let is_greatest = matches!(self, Self::Greatest(_)) || matches!(other, Self::Greatest(_));
        if is_least && is_greatest {
            return None;
        }
        let (a, b) = (self.pieces(), other.pieces());
        if a.len() * b.len() > MAX_PIECES {
            return None;
        }
        let mut sums = Vec::with_capacity(a.len() * b.len());
        for &x in &a {
            sums.extend(b.iter().map(|&y| graph.add(x, y)));
        }
        Some(match (is_least, is_greatest) {
            (true, _) => Self::Least(sums),
            (_, true) => Self::Greatest(sums),
            _ => Self::Smooth(sums[0]),
        })
    }
}
