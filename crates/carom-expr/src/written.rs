//! Expressions as texts that can be read again, with names for parts that are large and used several times.
//!
//! A graph shares its parts; a text does not. Written out in full, the kinetic energy of a chain of bodies grows
//! exponentially with its length. So a part that is long and used more than once becomes a definition of its own,
//! as does one that would nest too deeply. Reading the texts gives the same operations on the same operands.

use crate::display::{infix, write_number};
use crate::graph::{Graph, Id, Node};
use crate::op::{Binary, Unary};

/// A shared part with a longer text than this gets a name.
const SHARED_LENGTH: usize = 60;
/// A part with a longer text than this gets a name, shared or not.
const MAX_LENGTH: usize = 1500;
/// A part that is nested more deeply than this gets a name.
const MAX_DEPTH: usize = 60;
/// Binding strength of what needs no brackets anywhere.
const ATOM: u8 = 5;

/// Expressions as texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Names with their texts, those first that others use.
    pub definitions: Vec<(String, String)>,
    /// The expressions, in the order of the roots.
    pub texts: Vec<String>,
}

/// The text of a node.
#[derive(Clone, Default)]
struct Piece {
    text: String,
    /// Binding strength of its outermost operation.
    strength: u8,
    depth: usize,
}

impl Graph {
    /// Texts of `roots`; `name` gives the name of the k-th definition.
    pub fn written(&self, roots: &[Id], name: impl Fn(usize) -> String) -> Written {
        let reachable = self.reachable(roots);
        let top = reachable.last().map_or(0, |id| id.index() + 1);
        let mut uses = vec![0_usize; top];
        reachable.iter().flat_map(|&id| self.node(id).operands()).for_each(|operand| uses[operand.index()] += 1);
        roots.iter().for_each(|root| uses[root.index()] += 1);
        let mut pieces = vec![Piece::default(); top];
        let mut definitions = Vec::new();
        for id in reachable {
            let mut piece = self.piece(id, &pieces);
            let is_long = piece.text.len() > if uses[id.index()] > 1 { SHARED_LENGTH } else { MAX_LENGTH };
            let is_used = uses[id.index()] > usize::from(roots.contains(&id));
            if is_used && (is_long || piece.depth > MAX_DEPTH) {
                let name = name(definitions.len());
                definitions.push((name.clone(), piece.text));
                piece = Piece { text: name, strength: ATOM, depth: 0 };
            }
            pieces[id.index()] = piece;
        }
        let texts = roots.iter().map(|root| pieces[root.index()].text.clone()).collect();
        Written { definitions, texts }
    }

    /// The text of a node, from those of its operands.
    fn piece(&self, id: Id, pieces: &[Piece]) -> Piece {
        let node = self.node(id);
        let depth = node.operands().map(|operand| pieces[operand.index()].depth + 1).max().unwrap_or(0);
        let (text, strength) = match node {
            Node::Constant(bits) => number(f64::from_bits(bits)),
            Node::Variable(_) => (self.variable_name(id).unwrap_or("?").to_owned(), ATOM),
            Node::Unary(Unary::Neg, x) => (format!("-{}", within(pieces, x, 2)), 1),
            Node::Unary(op, x) => {
                let name = Unary::NAMED.iter().find(|(_, named)| *named == op).map_or("?", |(name, _)| name);
                (call(name, &[x], pieces), ATOM)
            }
            Node::Binary(op, a, b) => binary(op, a, b, pieces),
            Node::Select(condition, a, b) => (call("if", &[condition, a, b], pieces), ATOM),
        };
        Piece { text, strength, depth }
    }
}

/// A number, with the strength of what it looks like.
fn number(value: f64) -> (String, u8) {
    let mut text = String::new();
    write_number(value, 0, &mut text);
    (text, if value < 0.0 || !value.is_finite() { 1 } else { ATOM })
}

fn binary(op: Binary, a: Id, b: Id, pieces: &[Piece]) -> (String, u8) {
    if let Some((name, _)) = Binary::NAMED.iter().find(|(_, named)| *named == op) {
        return (call(name, &[a, b], pieces), ATOM);
    }
    let (symbol, own, left, right) = infix(op);
    // Sums and products are read from the left: `a + (b + c)` keeps its brackets, and its rounding.
    let right = if matches!(op, Binary::Add | Binary::Mul) { own + 1 } else { right };
    (format!("{}{symbol}{}", within(pieces, a, left), within(pieces, b, right)), own)
}

fn call(name: &str, arguments: &[Id], pieces: &[Piece]) -> String {
    let arguments: Vec<&str> = arguments.iter().map(|argument| pieces[argument.index()].text.as_str()).collect();
    format!("{name}({})", arguments.join(", "))
}

/// The text of an operand, in brackets where its surroundings bind more strongly.
fn within(pieces: &[Piece], id: Id, strength: u8) -> String {
    let piece = &pieces[id.index()];
    if piece.strength < strength { format!("({})", piece.text) } else { piece.text.clone() }
}
