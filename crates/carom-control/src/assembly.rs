//! A program in the making: variables, rows, kernels and placements are added one after the other.

use crate::error::ControlError;
use carom_expr::{Backend, Graph, Id};
use carom_nlp::{Kernel, Placement, Program, Range, Row, Variable};

/// Collects the parts of a [`Program`].
#[derive(Default)]
pub(crate) struct Assembly {
    pub(crate) variables: Vec<Variable>,
    pub(crate) rows: Vec<Row>,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) placements: Vec<Placement>,
}

impl Assembly {
    /// Adds a variable and returns its number.
    pub(crate) fn variable(&mut self, name: String, range: Range, stage: u32) -> u32 {
        self.variables.push(Variable { name, range, start: 0.0, stage });
        (self.variables.len() - 1) as u32
    }

    /// Adds a row and returns its number.
    pub(crate) fn row(&mut self, name: String, range: Range, stage: u32) -> u32 {
        self.rows.push(Row { name, range, stage });
        (self.rows.len() - 1) as u32
    }

    /// Adds a kernel that reads just those of `variables` and `data` that its results depend on.
    pub(crate) fn kernel(&mut self, graph: Graph, inputs: &Inputs, cost: Option<Id>, rows: &[Id]) -> Shape {
        let roots: Vec<Id> = cost.iter().chain(rows).copied().collect();
        let used = graph.free_variables(&roots);
        let keep = |all: &[Id]| (0..all.len()).filter(|&i| used.contains(&all[i])).collect::<Vec<_>>();
        let (variables, data) = (keep(&inputs.variables), keep(&inputs.data));
        let pick = |all: &[Id], kept: &[usize]| kept.iter().map(|&i| all[i]).collect::<Vec<_>>();
        let (reads, numbers) = (pick(&inputs.variables, &variables), pick(&inputs.data, &data));
        self.kernels.push(Kernel::new(graph, &reads, &numbers, cost, rows));
        Shape { kernel: self.kernels.len() - 1, variables, data }
    }

    /// Places a kernel; `variables` and `data` are all that [`Inputs`] listed.
    pub(crate) fn place(&mut self, shape: &Shape, variables: &[u32], data: &[f64], rows: &[u32]) -> usize {
        self.placements.push(Placement {
            kernel: shape.kernel,
            variables: shape.variables.iter().map(|&i| variables[i]).collect(),
            data: shape.data.iter().map(|&i| data[i]).collect(),
            rows: rows.to_vec(),
        });
        self.placements.len() - 1
    }

    /// Narrows the range of a variable; false if nothing is left of it.
    pub(crate) fn narrow(&mut self, variable: u32, range: Range) -> bool {
        let own = &mut self.variables[variable as usize].range;
        *own = Range::new(own.lower.max(range.lower), own.upper.min(range.upper));
        own.lower <= own.upper
    }

    /// The program.
    pub(crate) fn finish(self, backend: Backend) -> Result<Program, ControlError> {
        Ok(Program::new(self.variables, self.rows, self.kernels, self.placements, backend)?)
    }
}

/// All that a kernel may read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    pub(crate) variables: Vec<Id>,
    pub(crate) data: Vec<Id>,
}

/// A kernel, and which of its inputs it reads.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    kernel: usize,
    variables: Vec<usize>,
    data: Vec<usize>,
}
