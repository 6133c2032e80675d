//! The expression graph: every distinct expression is stored once.
//!
//! Nodes are hash-consed, so equal expressions have equal [`Id`]s and common
//! subexpressions are shared by construction. Operands always have smaller
//! identifiers than the node that uses them: the order of identifiers is a
//! topological order, and every sweep over the graph is a plain loop.

use crate::op::{Binary, Unary};
use rustc_hash::FxHashMap;

/// Names an expression of one [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(pub(crate) u32);

impl Id {
    /// Position of the node in its graph.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What stands at a place of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A number, by its bits.
    Constant(u64),
    /// The variable with this number (see [`Graph::variable_name`]).
    Variable(u32),
    /// One operand.
    Unary(Unary, Id),
    /// Two operands.
    Binary(Binary, Id, Id),
    /// `if condition != 0 then first else second`
    Select(Id, Id, Id),
}

impl Node {
    /// The operands, in order.
    pub fn operands(&self) -> impl Iterator<Item = Id> + use<> {
        let (list, count) = match *self {
            Self::Constant(_) | Self::Variable(_) => ([Id(0); 3], 0),
            Self::Unary(_, a) => ([a, Id(0), Id(0)], 1),
            Self::Binary(_, a, b) => ([a, b, Id(0)], 2),
            Self::Select(c, a, b) => ([c, a, b], 3),
        };
        list.into_iter().take(count)
    }
}

/// A hash-consed expression graph.
///
/// Construction folds constants and applies local simplifications; see the
/// methods named after the operations. For readable formulas with operators,
/// wrap the graph in a [`Scope`](crate::Scope).
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    known: FxHashMap<Node, Id>,
    names: Vec<String>,
    by_name: FxHashMap<String, Id>,
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of nodes, constants and variables included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if nothing has been built yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node behind an identifier.
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id.index()]
    }

    /// The number `value`.
    pub fn constant(&mut self, value: f64) -> Id {
        // Both zeros are one constant: simplification cannot tell them apart.
        let value = if value == 0.0 { 0.0 } else { value };
        self.intern(Node::Constant(value.to_bits()))
    }

    /// The variable called `name`; the same name gives the same variable.
    pub fn variable(&mut self, name: &str) -> Id {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = self.intern(Node::Variable(self.names.len() as u32));
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), id);
        id
    }

    /// The variable called `name`, if there is one.
    pub fn find_variable(&self, name: &str) -> Option<Id> {
        self.by_name.get(name).copied()
    }

    /// Several variables `prefix[0]`, `prefix[1]`, ...
    pub fn variables(&mut self, prefix: &str, count: usize) -> Vec<Id> {
        (0..count).map(|i| self.variable(&format!("{prefix}[{i}]"))).collect()
    }

    /// The name of a variable, if `id` is one.
    pub fn variable_name(&self, id: Id) -> Option<&str> {
        match self.node(id) {
            Node::Variable(number) => Some(&self.names[number as usize]),
            _ => None,
        }
    }

    /// The number behind `id`, if it is a constant.
    pub fn value(&self, id: Id) -> Option<f64> {
        match self.node(id) {
            Node::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// True if `id` is the constant zero.
    pub fn is_zero(&self, id: Id) -> bool {
        self.value(id) == Some(0.0)
    }

    /// Stores a node as it stands, nothing simplified: for graphs that are rebuilt node by node.
    ///
    /// None if it names an operand that is not there yet, or is a variable (see [`Graph::variable`]). Nodes
    /// that no construction leaves behind (`--x`, `2*(3*x)`) are not put right; simplification recurses along them.
    pub fn verbatim(&mut self, node: Node) -> Option<Id> {
        let is_known = node.operands().all(|operand| operand.index() < self.len());
        let is_variable = matches!(node, Node::Variable(_));
        (is_known && !is_variable).then(|| self.intern(node))
    }

    /// Stores a node, or finds it if it is there already.
    pub(crate) fn intern(&mut self, node: Node) -> Id {
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        let id = Id(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.nodes.push(node);
        self.known.insert(node, id);
        id
    }

    /// The identifier of a node, if it has been built.
    pub(crate) fn find(&self, node: Node) -> Option<Id> {
        self.known.get(&node).copied()
    }

    /// All nodes that `roots` rest on, operands before users.
    pub fn reachable(&self, roots: &[Id]) -> Vec<Id> {
        let Some(top) = roots.iter().max() else { return Vec::new() };
        let mut marked = vec![false; top.index() + 1];
        for root in roots {
            marked[root.index()] = true;
        }
        for index in (0..marked.len()).rev() {
            if marked[index] {
                self.nodes[index].operands().for_each(|o| marked[o.index()] = true);
            }
        }
        (0..marked.len()).filter(|&i| marked[i]).map(|i| Id(i as u32)).collect()
    }

    /// Number of arithmetic operations behind `roots` (shared ones count once).
    pub fn operation_count(&self, roots: &[Id]) -> usize {
        let is_operation = |id: &Id| self.node(*id).operands().next().is_some();
        self.reachable(roots).iter().filter(|id| is_operation(id)).count()
    }

    /// The variables that `roots` depend on, in the order of their creation.
    pub fn free_variables(&self, roots: &[Id]) -> Vec<Id> {
        let mut found = self.reachable(roots);
        found.retain(|&id| matches!(self.node(id), Node::Variable(_)));
        found
    }

    /// True if expressions have kinks or jumps: absolute values, minima, conditions and the like.
    pub fn has_switches(&self, roots: &[Id]) -> bool {
        self.reachable(roots).iter().any(|&id| match self.node(id) {
            Node::Unary(op, _) => matches!(op, Unary::Abs | Unary::Sign),
            Node::Binary(op, ..) => {
                matches!(op, Binary::Min | Binary::Max | Binary::Less | Binary::LessEqual | Binary::Equal)
            }
            Node::Select(..) => true,
            Node::Constant(_) | Node::Variable(_) => false,
        })
    }

    /// True if `root` depends on any of `variables`.
    pub fn depends_on(&self, root: Id, variables: &[Id]) -> bool {
        self.any_depends_on(&[root], variables)
    }

    /// True if one of `roots` depends on one of `variables`; all of them are looked at in one pass.
    pub fn any_depends_on(&self, roots: &[Id], variables: &[Id]) -> bool {
        self.free_variables(roots).iter().any(|id| variables.contains(id))
    }
}
