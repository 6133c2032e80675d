//! Lowering: the part of the graph that some outputs need, as a straight list
//! of instructions on numbered slots.
//!
//! Slots `0..inputs` are the inputs, then come the constants, then one slot per
//! computed value. A product that is used once, by a sum, is fused with it into
//! one instruction (two roundings, as before); sine and cosine of one angle are
//! computed together.

use crate::graph::{Graph, Id, Node};
use crate::op::{Binary, Unary};
use rustc_hash::FxHashMap;

/// What an instruction does with its operands `a`, `b`, `c`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) enum Code {
    Unary(Unary),
    Binary(Binary),
    /// `a != 0 ? b : c`
    Select,
    /// `a * b + c`
    MulAdd,
    /// `a * b - c`
    MulSub,
    /// `c - a * b`
    SubMul,
    /// `dst = sin a`, slot `b` receives `cos a`
    SinCos,
}

/// One instruction; unused operands repeat `a`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub(crate) code: Code,
    pub(crate) dst: u32,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) c: u32,
}

impl Instruction {
    /// Slots that are read.
    pub(crate) fn reads(&self) -> impl Iterator<Item = u32> + use<> {
        let count = match self.code {
            Code::Unary(_) | Code::SinCos => 1,
            Code::Binary(_) => 2,
            Code::Select | Code::MulAdd | Code::MulSub | Code::SubMul => 3,
        };
        [self.a, self.b, self.c].into_iter().take(count)
    }

    /// Slots that are written.
    pub(crate) fn writes(&self) -> impl Iterator<Item = u32> + use<> {
        let second = (self.code == Code::SinCos).then_some(self.b);
        [self.dst].into_iter().chain(second)
    }

    /// True if a library function computes it.
    #[cfg(feature = "jit")]
    pub(crate) fn is_call(&self) -> bool {
        match self.code {
            Code::Unary(op) => !matches!(op, Unary::Neg | Unary::Sqrt | Unary::Abs | Unary::Sign),
            Code::Binary(op) => matches!(op, Binary::Pow | Binary::Atan2),
            Code::SinCos => true,
            _ => false,
        }
    }
}

/// A straight-line program on slots.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    pub(crate) inputs: usize,
    pub(crate) constants: Vec<f64>,
    pub(crate) instructions: Vec<Instruction>,
    /// The slot of each output.
    pub(crate) outputs: Vec<u32>,
    /// Number of slots.
    pub(crate) slots: usize,
}

/// Lowers `outputs`; the error is a variable that is not among the inputs.
pub(crate) fn lower(graph: &Graph, inputs: &[Id], outputs: &[Id]) -> Result<Tape, Id> {
    let order = graph.reachable(outputs);
    let fused = fusible_products(graph, &order, outputs);
    let mut lowering = Lowering::new(graph, inputs, &order)?;
    for &id in &order {
        if !fused.contains_key(&id) {
            lowering.emit(id, &fused);
        }
    }
    let outputs = outputs.iter().map(|id| lowering.slot[id]).collect();
    Ok(Tape {
        inputs: inputs.len(),
        constants: lowering.constants,
        instructions: lowering.instructions,
        outputs,
        slots: lowering.slots as usize,
    })
}

/// Products that one sum or difference alone uses: they are computed inside it.
fn fusible_products(graph: &Graph, order: &[Id], outputs: &[Id]) -> FxHashMap<Id, ()> {
    let mut uses: FxHashMap<Id, u32> = FxHashMap::default();
    for operand in order.iter().flat_map(|&id| graph.node(id).operands()).chain(outputs.iter().copied()) {
        *uses.entry(operand).or_default() += 1;
    }
    let single = |id: Id| matches!(graph.node(id), Node::Binary(Binary::Mul, ..)) && uses[&id] == 1;
    let mut fused = FxHashMap::default();
    for &id in order {
        if let Node::Binary(Binary::Add | Binary::Sub, a, b) = graph.node(id) {
            let candidate = [b, a].into_iter().find(|&operand| single(operand));
            fused.extend(candidate.map(|product| (product, ())));
        }
    }
    fused
}

struct Lowering<'g> {
    graph: &'g Graph,
    slot: FxHashMap<Id, u32>,
    constants: Vec<f64>,
    instructions: Vec<Instruction>,
    slots: u32,
    /// Angles of which both sine and cosine are wanted.
    paired: FxHashMap<Id, ()>,
}

impl<'g> Lowering<'g> {
    fn new(graph: &'g Graph, inputs: &[Id], order: &[Id]) -> Result<Self, Id> {
        let mut slot: FxHashMap<Id, u32> = inputs.iter().enumerate().map(|(i, &id)| (id, i as u32)).collect();
        let mut constants = Vec::new();
        for &id in order {
            if let Some(value) = graph.value(id) {
                slot.insert(id, (inputs.len() + constants.len()) as u32);
                constants.push(value);
            } else if matches!(graph.node(id), Node::Variable(_)) && !slot.contains_key(&id) {
                return Err(id);
            }
        }
        let angles = |wanted: Unary| {
            order.iter().filter_map(move |&id| match graph.node(id) {
                Node::Unary(op, x) if op == wanted => Some(x),
                _ => None,
            })
        };
        let sines: FxHashMap<Id, ()> = angles(Unary::Sin).map(|x| (x, ())).collect();
        let paired = angles(Unary::Cos).filter(|x| sines.contains_key(x)).map(|x| (x, ())).collect();
        let slots = (inputs.len() + constants.len()) as u32;
        Ok(Self { graph, slot, constants, instructions: Vec::new(), slots, paired })
    }

    fn emit(&mut self, id: Id, fused: &FxHashMap<Id, ()>) {
        if self.slot.contains_key(&id) {
            return;
        }
        match self.graph.node(id) {
            Node::Constant(_) | Node::Variable(_) => {}
            Node::Unary(Unary::Sin | Unary::Cos, x) if self.paired.contains_key(&x) => self.emit_pair(x),
            Node::Unary(op, x) => self.push(id, Code::Unary(op), [x; 3]),
            Node::Select(condition, a, b) => self.push(id, Code::Select, [condition, a, b]),
            Node::Binary(op, a, b) => match (op, self.product(b, fused), self.product(a, fused)) {
                (Binary::Add, Some((x, y)), _) => self.push(id, Code::MulAdd, [x, y, a]),
                (Binary::Add, _, Some((x, y))) => self.push(id, Code::MulAdd, [x, y, b]),
                (Binary::Sub, Some((x, y)), _) => self.push(id, Code::SubMul, [x, y, a]),
                (Binary::Sub, _, Some((x, y))) => self.push(id, Code::MulSub, [x, y, b]),
                _ => self.push(id, Code::Binary(op), [a, b, a]),
            },
        }
    }

    /// The factors of a product that is computed inside its user.
    fn product(&self, id: Id, fused: &FxHashMap<Id, ()>) -> Option<(Id, Id)> {
        match self.graph.node(id) {
            Node::Binary(Binary::Mul, x, y) if fused.contains_key(&id) => Some((x, y)),
            _ => None,
        }
    }

    fn push(&mut self, id: Id, code: Code, operands: [Id; 3]) {
        let [a, b, c] = operands.map(|operand| self.slot[&operand]);
        let dst = self.fresh();
        self.slot.insert(id, dst);
        self.instructions.push(Instruction { code, dst, a, b, c });
    }

    fn emit_pair(&mut self, x: Id) {
        let a = self.slot[&x];
        let (sine, cosine) = (self.fresh(), self.fresh());
        for (op, slot) in [(Unary::Sin, sine), (Unary::Cos, cosine)] {
            let node = self.graph.find(Node::Unary(op, x));
            self.slot.extend(node.map(|id| (id, slot)));
        }
        self.instructions.push(Instruction { code: Code::SinCos, dst: sine, a, b: cosine, c: a });
    }

    fn fresh(&mut self) -> u32 {
        self.slots += 1;
        self.slots - 1
    }
}
