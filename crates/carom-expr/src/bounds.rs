//! Bounds of expressions over boxes.
//!
//! The natural interval extension: every operation of the expression is done on
//! intervals instead of numbers, which encloses the range
//!
//! ```text
//! F(X₁, ..., Xₙ) ⊇ { f(x₁, ..., xₙ) : xᵢ ∈ Xᵢ },     width F(X) - width f(X) = O(width X)
//! ```
//!
//! (Moore, Kearfott and Cloud, *Introduction to Interval Analysis*, SIAM 2009,
//! chapters 5 and 6). A variable that occurs more than once is taken as if its
//! occurrences were independent, so bounds over wide boxes are loose; halving the
//! box halves the excess. Only `x x` is known to be a square. What is bounded is the
//! graph as it was built, with the constants that folding has rounded.
//!
//! ```
//! use carom_expr::{Bounds, Graph, Interval};
//! let mut graph = Graph::new();
//! let (x, y) = (graph.variable("x"), graph.variable("y"));
//! let square = graph.mul(x, x);
//! let gap = graph.sub(y, square);
//! let mut bounds = Bounds::new(&graph, &[x, y], &[gap])?;
//! let mut gaps = [Interval::ENTIRE];
//! bounds.eval(&[Interval::new(-1.0, 1.0), Interval::new(2.0, 3.0)], &mut gaps);
//! // The path stays above the parabola: the gap is at least 2 - 1.
//! assert!(gaps[0].lo > 0.999);
//! # Ok::<(), carom_expr::FunctionError>(())
//! ```

use crate::compile::FunctionError;
use crate::compile::tape::{Code, Instruction, lower};
use crate::graph::{Graph, Id};
use crate::interval::Interval;
use crate::op::{Binary, Unary};

/// Encloses the ranges of several expressions over boxes, without allocating.
#[derive(Clone, Debug)]
pub struct Bounds {
    instructions: Vec<Instruction>,
    /// Values of the tape's slots: inputs, constants, what is computed.
    slots: Slots,
    inputs: usize,
    /// The slot of each root.
    roots: Vec<u32>,
}

impl Bounds {
    /// Prepares `roots` as functions of `inputs`; subexpressions are shared by all roots.
    pub fn new(graph: &Graph, inputs: &[Id], roots: &[Id]) -> Result<Self, FunctionError> {
        if let Some(&id) = inputs.iter().find(|&&id| graph.variable_name(id).is_none()) {
            return Err(FunctionError::NotAVariable { name: graph.display(id) });
        }
        let names = || inputs.iter().filter_map(|&id| graph.variable_name(id)).collect::<Vec<_>>().join(", ");
        let tape = lower(graph, inputs, roots).map_err(|id| FunctionError::UnboundVariable {
            variable: graph.variable_name(id).unwrap_or("?").to_owned(),
            inputs: names(),
        })?;
        // Constants stay in place for ever; the rest is written before it is read.
        let mut slots = Slots { lo: vec![0.0; tape.slots], hi: vec![0.0; tape.slots] };
        for (index, &value) in tape.constants.iter().enumerate() {
            slots.set((tape.inputs + index) as u32, Interval::point(value));
        }
        Ok(Self { instructions: tape.instructions, slots, inputs: tape.inputs, roots: tape.outputs })
    }

    /// `outputs[k] ⊇ { rootₖ(x) : xᵢ ∈ inputs[i], rootₖ(x) defined }`
    ///
    /// An input whose ends are not in order, infinite on the wrong side or not numbers
    /// counts as the whole line.
    ///
    /// # Panics
    /// If a slice does not have the length of the inputs or of the roots.
    #[inline]
    pub fn eval(&mut self, inputs: &[Interval], outputs: &mut [Interval]) {
        assert_eq!(inputs.len(), self.inputs, "number of inputs");
        assert_eq!(outputs.len(), self.roots.len(), "number of outputs");
        for (index, input) in inputs.iter().enumerate() {
            self.slots.set(index as u32, Interval::new(input.lo, input.hi));
        }
        for instruction in &self.instructions {
            execute(instruction, &mut self.slots);
        }
        for (output, &root) in outputs.iter_mut().zip(&self.roots) {
            *output = self.slots.get(root);
        }
    }
}

/// The ends apart: a processor forwards an end that was just stored to the next
/// instruction, but not two stores to one load of a pair. That halves the time.
#[derive(Clone, Debug)]
struct Slots {
    lo: Vec<f64>,
    hi: Vec<f64>,
}

impl Slots {
    #[inline(always)]
    fn get(&self, index: u32) -> Interval {
        Interval { lo: self.lo[index as usize], hi: self.hi[index as usize] }
    }

    #[inline(always)]
    fn set(&mut self, index: u32, value: Interval) {
        self.lo[index as usize] = value.lo;
        self.hi[index as usize] = value.hi;
    }
}

#[inline(always)]
fn execute(instruction: &Instruction, slots: &mut Slots) {
    let [a, b, c] = [instruction.a, instruction.b, instruction.c].map(|index| slots.get(index));
    let equal = instruction.a == instruction.b;
    let value = match instruction.code {
        Code::Binary(Binary::Mul) => product(a, b, equal),
        Code::MulAdd => product(a, b, equal) + c,
        Code::MulSub => product(a, b, equal) - c,
        Code::SubMul => c - product(a, b, equal),
        Code::Select => Interval::select(a, b, c),
        Code::SinCos => {
            let (sine, cosine) = a.sin_cos();
            slots.set(instruction.b, cosine);
            sine
        }
        Code::Unary(op) => unary(op, a),
        Code::Binary(op) => binary(op, a, b),
    };
    slots.set(instruction.dst, value);
}

/// Equal expressions have equal slots, and their product is a square.
#[inline(always)]
fn product(a: Interval, b: Interval, equal: bool) -> Interval {
    if equal { a.square() } else { a * b }
}

pub(crate) fn unary(op: Unary, x: Interval) -> Interval {
    match op {
        Unary::Neg => -x,
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => x.exp(),
        Unary::Log => x.log(),
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tan => x.tan(),
        Unary::Asin => x.asin(),
        Unary::Acos => x.acos(),
        Unary::Atan => x.atan(),
        Unary::Sinh => x.sinh(),
        Unary::Cosh => x.cosh(),
        Unary::Tanh => x.tanh(),
        Unary::Abs => x.abs(),
        Unary::Sign => x.sign(),
    }
}

pub(crate) fn binary(op: Binary, a: Interval, b: Interval) -> Interval {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Pow => a.pow(b),
        Binary::Atan2 => a.atan2(b),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::Less => a.less(b),
        Binary::LessEqual => a.less_equal(b),
        Binary::Equal => a.equal(b),
    }
}
