//! Compiled functions: named groups of inputs to named groups of outputs.
//!
//! ```
//! use carom_expr::{Backend, Function, Graph, Group};
//! let mut graph = Graph::new();
//! let x = graph.variable("x");
//! let square = graph.mul(x, x);
//! let slope = graph.gradient(square, &[x]);
//! let function = Function::compile(
//!     &graph,
//!     &[Group::new("x", &[x])],
//!     &[Group::new("value", &[square]), Group::new("slope", &slope)],
//!     Backend::Interpreter,
//! )?;
//! let mut evaluator = function.evaluator();
//! let mut out = [0.0; 2];
//! evaluator.eval(&[3.0], &mut out);
//! assert_eq!(out, [9.0, 6.0]);
//! # Ok::<(), carom_expr::FunctionError>(())
//! ```

use super::interpret::{File, execute, register_file};
#[cfg(feature = "jit")]
use super::native;
use super::program::{Program, REGISTERS, schedule};
use super::registers::Registers;
use super::tape::lower;
use super::unchecked;
use crate::graph::{Graph, Id};
use std::ops::Range;
use std::sync::Arc;

/// Points that the interpreter evaluates at once in [`Evaluator::eval_lanes`].
pub const LANES: usize = 8;

/// How a function is executed. The results are the same, bit for bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// Ready at once, on every platform, also over several lanes.
    #[default]
    Interpreter,
    /// Machine code: 3 to 4 times faster, for milliseconds of compilation.
    #[cfg(feature = "jit")]
    Native,
}

impl Backend {
    /// The fastest back end that this build has.
    pub fn fastest() -> Self {
        #[cfg(feature = "jit")]
        return Self::Native;
        #[cfg(not(feature = "jit"))]
        Self::Interpreter
    }
}

/// Several expressions under one name.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    name: &'a str,
    ids: &'a [Id],
}

impl<'a> Group<'a> {
    /// Names a list of variables (inputs) or expressions (outputs).
    pub fn new(name: &'a str, ids: &'a [Id]) -> Self {
        Self { name, ids }
    }
}

/// Why expressions cannot become a function.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum FunctionError {
    #[error("`{variable}` is used by the outputs but is not among the inputs ({inputs})")]
    UnboundVariable { variable: String, inputs: String },
    #[error("input `{name}` is not a variable")]
    NotAVariable { name: String },
    #[error("the function needs {needed} registers, more than the {limit} there are; split it")]
    TooLarge { needed: usize, limit: usize },
    #[error("native code could not be generated: {message}")]
    Native { message: String },
}

/// A compiled function: immutable, shareable between threads, cheap to clone.
#[derive(Clone)]
pub struct Function {
    shared: Arc<Shared>,
}

struct Shared {
    program: Program,
    #[cfg(feature = "jit")]
    machine: Option<unchecked::Machine>,
    inputs: Vec<(String, Range<usize>)>,
    outputs: Vec<(String, Range<usize>)>,
    operations: usize,
}

impl Function {
    /// Compiles `outputs` as a function of `inputs`; subexpressions are shared by all outputs.
    pub fn compile(
        graph: &Graph,
        inputs: &[Group<'_>],
        outputs: &[Group<'_>],
        backend: Backend,
    ) -> Result<Self, FunctionError> {
        let input_ids = flatten(inputs);
        for (group, id) in inputs.iter().flat_map(|group| group.ids.iter().map(move |id| (group, *id))) {
            if graph.variable_name(id).is_none() {
                return Err(FunctionError::NotAVariable { name: group.name.to_owned() });
            }
        }
        let tape = lower(graph, &input_ids, &flatten(outputs)).map_err(|id| FunctionError::UnboundVariable {
            variable: graph.variable_name(id).unwrap_or("?").to_owned(),
            inputs: inputs.iter().map(|group| group.name).collect::<Vec<_>>().join(", "),
        })?;
        let too_large = |needed| FunctionError::TooLarge { needed, limit: REGISTERS };
        let shared = Shared {
            program: schedule(&tape).map_err(too_large)?,
            #[cfg(feature = "jit")]
            machine: match backend {
                Backend::Native => Some(native::compile(&tape).map_err(|message| FunctionError::Native { message })?),
                Backend::Interpreter => None,
            },
            inputs: ranges(inputs),
            outputs: ranges(outputs),
            operations: tape.instructions.len(),
        };
        #[cfg(not(feature = "jit"))]
        let Backend::Interpreter = backend;
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Where a group of inputs stands in the flat list of inputs.
    pub fn input(&self, name: &str) -> Option<Range<usize>> {
        find(&self.shared.inputs, name)
    }

    /// Where a group of outputs stands in the flat list of outputs.
    pub fn output(&self, name: &str) -> Option<Range<usize>> {
        find(&self.shared.outputs, name)
    }

    /// Number of inputs, all groups together.
    pub fn input_len(&self) -> usize {
        self.shared.inputs.last().map_or(0, |(_, range)| range.end)
    }

    /// Number of outputs, all groups together.
    pub fn output_len(&self) -> usize {
        self.shared.outputs.last().map_or(0, |(_, range)| range.end)
    }

    /// Number of instructions per evaluation.
    pub fn operations(&self) -> usize {
        self.shared.operations
    }

    /// Number of runs of one operation in the interpreter's program.
    pub fn runs(&self) -> usize {
        self.shared.program.runs.len()
    }

    /// A workspace for evaluations; every thread needs its own.
    pub fn evaluator(&self) -> Evaluator {
        #[cfg(feature = "jit")]
        let scratch = self.shared.machine.as_ref().map(|machine| vec![0.0; machine.scratch()]);
        #[cfg(feature = "jit")]
        let file = if scratch.is_none() { Registers::new(&self.shared.program) } else { Registers::none() };
        #[cfg(not(feature = "jit"))]
        let file = Registers::new(&self.shared.program);
        Evaluator {
            function: self.clone(),
            file,
            lanes: None,
            #[cfg(feature = "jit")]
            scratch: scratch.unwrap_or_default(),
        }
    }
}

impl std::fmt::Debug for Function {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = |groups: &[(String, Range<usize>)]| groups.iter().map(|g| g.0.clone()).collect::<Vec<_>>();
        formatter
            .debug_struct("Function")
            .field("inputs", &names(&self.shared.inputs))
            .field("outputs", &names(&self.shared.outputs))
            .field("operations", &self.shared.operations)
            .finish()
    }
}

/// Evaluates one function without allocating.
pub struct Evaluator {
    function: Function,
    file: Registers,
    lanes: Option<File<[f64; LANES]>>,
    #[cfg(feature = "jit")]
    scratch: Vec<f64>,
}

impl Clone for Evaluator {
    /// A copy takes registers of its own when it first needs them.
    fn clone(&self) -> Self {
        Self {
            function: self.function.clone(),
            file: self.file.clone(),
            lanes: None,
            #[cfg(feature = "jit")]
            scratch: self.scratch.clone(),
        }
    }
}

impl Evaluator {
    /// The function that is evaluated.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Evaluates at one point. Both slices hold all groups, one after the other.
    ///
    /// # Panics
    /// If a slice does not have the length of the function's inputs or outputs.
    #[inline]
    pub fn eval(&mut self, inputs: &[f64], outputs: &mut [f64]) {
        let shared = &*self.function.shared;
        #[cfg(feature = "jit")]
        if let Some(machine) = &shared.machine {
            return machine.run(inputs, outputs, &mut self.scratch);
        }
        self.function.check(inputs.len(), outputs.len());
        let file = self.file.of(&shared.program);
        execute(&shared.program, inputs, outputs, file);
    }

    /// Evaluates at [`LANES`] points at once, always by the interpreter.
    ///
    /// # Panics
    /// If a slice does not have the length of the function's inputs or outputs.
    pub fn eval_lanes(&mut self, inputs: &[[f64; LANES]], outputs: &mut [[f64; LANES]]) {
        self.function.check(inputs.len(), outputs.len());
        let program = &self.function.shared.program;
        let file = self.lanes.get_or_insert_with(|| register_file(program));
        unchecked::execute_lanes(program, inputs, outputs, file);
    }

    /// Evaluates once and returns the outputs in a new vector.
    pub fn values(&mut self, inputs: &[f64]) -> Vec<f64> {
        let mut outputs = vec![0.0; self.function.output_len()];
        self.eval(inputs, &mut outputs);
        outputs
    }
}

impl Function {
    fn check(&self, inputs: usize, outputs: usize) {
        assert_eq!(inputs, self.input_len(), "number of inputs");
        assert_eq!(outputs, self.output_len(), "number of outputs");
    }
}

fn flatten(groups: &[Group<'_>]) -> Vec<Id> {
    groups.iter().flat_map(|group| group.ids.iter().copied()).collect()
}

fn ranges(groups: &[Group<'_>]) -> Vec<(String, Range<usize>)> {
    let mut start = 0;
    let mut range = |group: &Group<'_>| {
        let range = start..start + group.ids.len();
        start = range.end;
        (group.name.to_owned(), range)
    };
    groups.iter().map(&mut range).collect()
}

fn find(groups: &[(String, Range<usize>)], name: &str) -> Option<Range<usize>> {
    groups.iter().find(|(known, _)| known == name).map(|(_, range)| range.clone())
}
