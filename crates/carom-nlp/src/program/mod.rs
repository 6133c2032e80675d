//! Programs made of expressions: a few kernels, placed many times.
//!
//! ```text
//! f(x) = sum_p f_p(x_p),     c_j(x) = sum over placements p that name row j
//! ```
//!
//! A kernel is a small function of a few variables: one interval of a trajectory, one boundary
//! condition. It is differentiated and compiled once, and placed wherever it is needed: a placement says
//! which variables of the program it reads, and to which rows its results are added.
//!
//! ```
//! use carom_nlp::{Kernel, Options, Placement, Program, Range, Row, Variable, solver};
//! use carom_expr::{Backend, Scope};
//!
//! // minimise (x - 1)^2 + y^2  subject to  x + y = 3
//! let scope = Scope::default();
//! let (x, y) = (scope.variable("x"), scope.variable("y"));
//! let (cost, row) = ((x - 1.0).square() + y.square(), x + y);
//! let (inputs, cost, outputs) = ([x.id(), y.id()], cost.id(), [row.id()]);
//! let kernel = Kernel::new(scope.into_graph(), &inputs, &[], Some(cost), &outputs);
//!
//! let variable = |name: &str| Variable { name: name.into(), range: Range::FREE, start: 0.0, stage: 0 };
//! let row = Row { name: "sum".into(), range: Range::fixed(3.0), stage: 0 };
//! let place = Placement { kernel: 0, variables: vec![0, 1], data: vec![], rows: vec![0] };
//! let (variables, rows) = (vec![variable("x"), variable("y")], vec![row]);
//! let mut program = Program::new(variables, rows, vec![kernel], vec![place], Backend::default())?;
//!
//! let outcome = solver("interior")?.solve(&mut program, &Options::default(), &mut |_| true);
//! assert!(outcome.status.is_success());
//! assert!((outcome.point[0] - 2.0).abs() < 1e-6 && (outcome.point[1] - 1.0).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assemble;
mod dump;
mod kernel;
mod load;
mod text;

pub use dump::DumpError;
pub use kernel::{Kernel, KernelError};
pub use text::{FormulaError, Formulas};

use crate::nlp::{Nlp, Pattern, Range, Stages};
use assemble::{Assembly, assemble};
use kernel::Compiled;

/// A variable of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its bounds.
    pub range: Range,
    /// Where the search begins.
    pub start: f64,
    /// Its place along the chain ([`Stages`]).
    pub stage: u32,
}

/// A row of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its bounds.
    pub range: Range,
    /// Its place along the chain ([`Stages`]).
    pub stage: u32,
}

/// A kernel at its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Number of the kernel.
    pub kernel: usize,
    /// Variables of the program, in the order of the kernel's variables.
    pub variables: Vec<u32>,
    /// Numbers for the kernel's data.
    pub data: Vec<f64>,
    /// Rows to which the kernel's rows are added.
    pub rows: Vec<u32>,
}

/// Why a program cannot be assembled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum ProgramError {
    #[error("kernel {kernel}: {error}")]
    Kernel { kernel: usize, error: KernelError },
    #[error("placement {placement} names kernel {kernel}; there are {count}")]
    UnknownKernel { placement: usize, kernel: usize, count: usize },
    #[error("placement {placement} gives {found} {what}; its kernel has {needed}")]
    Size { placement: usize, what: &'static str, found: usize, needed: usize },
    #[error("placement {placement} names {what} {index}; there are {count}")]
    Index { placement: usize, what: &'static str, index: usize, count: usize },
    #[error("placement {placement} reads variable `{name}` twice")]
    Twice { placement: usize, name: String },
    #[error("there are no variables")]
    Empty,
}

/// A program made of placed kernels.
pub struct Program {
    /// The variables.
    variables: Vec<Variable>,
    rows: Vec<Row>,
    placements: Vec<Placement>,
    sources: Vec<Kernel>,
    kernels: Vec<Compiled>,
    assembly: Assembly,
    variable_ranges: Vec<Range>,
    row_ranges: Vec<Range>,
    start: Vec<f64>,
    stages: Stages,
}

impl Program {
    /// Differentiates and compiles the kernels, and finds the patterns.
    pub fn new(
        variables: Vec<Variable>,
        rows: Vec<Row>,
        kernels: Vec<Kernel>,
        placements: Vec<Placement>,
        backend: carom_expr::Backend,
    ) -> Result<Self, ProgramError> {
        let compile = |(kernel, source): (usize, &Kernel)| {
            source.compile(backend).map_err(|error| ProgramError::Kernel { kernel, error })
        };
        let compiled: Vec<Compiled> = kernels.iter().enumerate().map(compile).collect::<Result<_, _>>()?;
        if variables.is_empty() {
            return Err(ProgramError::Empty);
        }
        let assembly = assemble(&variables, rows.len(), &compiled, &placements)?;
        let stages = Stages {
            variables: variables.iter().map(|variable| variable.stage).collect(),
            rows: rows.iter().map(|row| row.stage).collect(),
        };
        Ok(Self {
            variable_ranges: variables.iter().map(|variable| variable.range).collect(),
            row_ranges: rows.iter().map(|row| row.range).collect(),
            start: variables.iter().map(|variable| variable.start).collect(),
            stages,
            variables,
            rows,
            placements,
            sources: kernels,
            kernels: compiled,
            assembly,
        })
    }

    /// The variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The kernels.
    pub fn kernels(&self) -> &[Kernel] {
        &self.sources
    }

    /// The placements.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Begins the search elsewhere.
    pub fn set_start(&mut self, start: &[f64]) {
        self.start.copy_from_slice(start);
        self.variables.iter_mut().zip(start).for_each(|(variable, &start)| variable.start = start);
    }

    /// Changes the bounds of a row.
    pub fn set_row_range(&mut self, row: usize, range: Range) {
        self.rows[row].range = range;
        self.row_ranges[row] = range;
    }

    /// Changes the bounds of a variable.
    pub fn set_variable_range(&mut self, variable: usize, range: Range) {
        self.variables[variable].range = range;
        self.variable_ranges[variable] = range;
    }

    /// Changes the data of a placement.
    pub fn set_data(&mut self, placement: usize, data: &[f64]) {
        self.placements[placement].data.copy_from_slice(data);
    }
}

impl Nlp for Program {
    fn variable_ranges(&self) -> &[Range] {
        &self.variable_ranges
    }

    fn row_ranges(&self) -> &[Range] {
        &self.row_ranges
    }

    fn start(&self) -> &[f64] {
        &self.start
    }

    fn variable_name(&self, index: usize) -> String {
        self.variables[index].name.clone()
    }

    fn row_name(&self, index: usize) -> String {
        self.rows[index].name.clone()
    }

    fn jacobian_pattern(&self) -> &Pattern {
        &self.assembly.jacobian
    }

    fn hessian_pattern(&self) -> &Pattern {
        &self.assembly.hessian
    }

    fn stages(&self) -> Option<&Stages> {
        // One stage is no chain.
        let first = self.stages.variables[0];
        self.stages.variables.iter().any(|&stage| stage != first).then_some(&self.stages)
    }

    fn values(&mut self, x: &[f64], rows: &mut [f64]) -> f64 {
        rows.fill(0.0);
        let mut objective = 0.0;
        for placement in &self.placements {
            let kernel = &mut self.kernels[placement.kernel];
            let out = kernel.values(x, placement);
            objective += out[0];
            for (&row, value) in placement.rows.iter().zip(&out[1..]) {
                rows[row as usize] += value;
            }
        }
        objective
    }

    fn slopes(&mut self, x: &[f64], gradient: &mut [f64], jacobian: &mut [f64]) {
        gradient.fill(0.0);
        jacobian.fill(0.0);
        let mut targets = self.assembly.jacobian_targets.iter();
        for placement in &self.placements {
            let kernel = &mut self.kernels[placement.kernel];
            let (pattern, by_cost, by_rows) = kernel.slopes(x, placement);
            for (&local, value) in pattern.iter().zip(by_cost) {
                gradient[placement.variables[local] as usize] += value;
            }
            for (value, &target) in by_rows.iter().zip(&mut targets) {
                jacobian[target as usize] += value;
            }
        }
    }

    fn curvature(&mut self, x: &[f64], weight: f64, y: &[f64], hessian: &mut [f64]) {
        hessian.fill(0.0);
        let mut targets = self.assembly.hessian_targets.iter();
        for placement in &self.placements {
            let kernel = &mut self.kernels[placement.kernel];
            let values = kernel.curvature(x, placement, weight, y);
            for (value, &target) in values.iter().zip(&mut targets) {
                hessian[target as usize] += value;
            }
        }
    }
}
