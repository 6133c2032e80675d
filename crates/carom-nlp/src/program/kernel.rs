//! One kernel: a small function with its derivatives.

use super::Placement;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group, Id, Node};
use std::collections::HashMap;

/// A function of a few variables and data: a cost and rows, as expressions.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub(crate) graph: Graph,
    pub(crate) variables: Vec<Id>,
    pub(crate) data: Vec<Id>,
    pub(crate) cost: Option<Id>,
    pub(crate) rows: Vec<Id>,
}

/// Why a kernel cannot be compiled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KernelError {
    /// An expression cannot become a function.
    #[error(transparent)]
    Function(#[from] FunctionError),
}

/// A kernel ready for evaluation, with its workspace.
pub(crate) struct Compiled {
    pub(crate) variables: usize,
    pub(crate) data: usize,
    pub(crate) rows: usize,
    /// Variables of the entries of the gradient of the cost.
    cost_pattern: Vec<usize>,
    /// `(row, variable)` of the entries of the Jacobian.
    pub(crate) jacobian: Vec<(usize, usize)>,
    /// `(variable, variable)`, lower triangle, of the Hessian of the Lagrangian.
    pub(crate) hessian: Vec<(usize, usize)>,
    values: Call,
    slopes: Call,
    curvature: Call,
}

/// A function with room for its inputs and outputs.
struct Call {
    evaluator: Evaluator,
    inputs: Vec<f64>,
    outputs: Vec<f64>,
}

impl Call {
    fn new(function: &Function) -> Self {
        let (inputs, outputs) = (vec![0.0; function.input_len()], vec![0.0; function.output_len()]);
        Self { evaluator: function.evaluator(), inputs, outputs }
    }

    /// Gathers variables and data; what comes behind them is left alone.
    fn gather(&mut self, x: &[f64], placement: &Placement) {
        for (input, &variable) in self.inputs.iter_mut().zip(&placement.variables) {
            *input = x[variable as usize];
        }
        let count = placement.variables.len();
        self.inputs[count..count + placement.data.len()].copy_from_slice(&placement.data);
    }

    fn run(&mut self) -> &[f64] {
        self.evaluator.eval(&self.inputs, &mut self.outputs);
        &self.outputs
    }
}

impl Kernel {
    /// `cost` and `rows` as functions of `variables` (of the program) and `data` (numbers of a placement).
    pub fn new(graph: Graph, variables: &[Id], data: &[Id], cost: Option<Id>, rows: &[Id]) -> Self {
        // Only what is needed is kept: derivatives are then the same whatever else was built in the graph.
        let roots = [variables, data, rows, cost.as_slice()].concat();
        let (graph, image) = copied(&graph, &graph.reachable(&roots));
        let move_all = |ids: &[Id]| ids.iter().map(|id| image[id]).collect();
        Self {
            variables: move_all(variables),
            data: move_all(data),
            cost: cost.map(|id| image[&id]),
            rows: move_all(rows),
            graph,
        }
    }

    pub(crate) fn compile(&self, backend: Backend) -> Result<Compiled, KernelError> {
        let mut graph = self.graph.clone();
        let zero = graph.constant(0.0);
        let cost = self.cost.unwrap_or(zero);
        let by_cost = graph.jacobian(&[cost], &self.variables);
        let by_rows = graph.jacobian(&self.rows, &self.variables);

        // The Lagrangian of the kernel, with multipliers as further inputs.
        let weight = graph.variable("[[weight]]");
        let y = graph.variables("[[y]]", self.rows.len());
        let mut lagrangian = graph.mul(weight, cost);
        for (&y, &row) in y.iter().zip(&self.rows) {
            let term = graph.mul(y, row);
            lagrangian = graph.add(lagrangian, term);
        }
        let hessian = graph.hessian(lagrangian, &self.variables);

        let inputs = [self.variables.clone(), self.data.clone()].concat();
        let weighted = [inputs.clone(), vec![weight], y].concat();
        let compile = |inputs: &[Id], outputs: &[Id]| {
            let outputs = [Group::new("outputs", outputs)];
            Function::compile(&graph, &[Group::new("inputs", inputs)], &outputs, backend)
        };
        let values = compile(&inputs, &[&[cost][..], &self.rows].concat())?;
        let slopes = compile(&inputs, &[by_cost.expressions(), by_rows.expressions()].concat())?;
        let curvature = compile(&weighted, &hessian.expressions())?;
        Ok(Compiled {
            variables: self.variables.len(),
            data: self.data.len(),
            rows: self.rows.len(),
            cost_pattern: by_cost.pattern().into_iter().map(|(_, variable)| variable).collect(),
            jacobian: by_rows.pattern(),
            hessian: hessian.pattern(),
            values: Call::new(&values),
            slopes: Call::new(&slopes),
            curvature: Call::new(&curvature),
        })
    }
}

impl Compiled {
    /// Cost and rows.
    pub(crate) fn values(&mut self, x: &[f64], placement: &Placement) -> &[f64] {
        self.values.gather(x, placement);
        self.values.run()
    }

    /// Variables and entries of the gradient of the cost, and entries of the Jacobian of the rows.
    pub(crate) fn slopes(&mut self, x: &[f64], placement: &Placement) -> (&[usize], &[f64], &[f64]) {
        self.slopes.gather(x, placement);
        let (by_cost, by_rows) = self.slopes.run().split_at(self.cost_pattern.len());
        (&self.cost_pattern, by_cost, by_rows)
    }

    /// Entries of the Hessian of `weight cost + y . rows`.
    pub(crate) fn curvature(&mut self, x: &[f64], placement: &Placement, weight: f64, y: &[f64]) -> &[f64] {
        if self.hessian.is_empty() {
            return &[];
        }
        self.curvature.gather(x, placement);
        let at = self.variables + self.data;
        self.curvature.inputs[at] = weight;
        for (input, &row) in self.curvature.inputs[at + 1..].iter_mut().zip(&placement.rows) {
            *input = y[row as usize];
        }
        self.curvature.run()
    }
}

/// The nodes `order` (operands before users) in a graph of their own, and where each of them stands there.
fn copied(graph: &Graph, order: &[Id]) -> (Graph, HashMap<Id, Id>) {
    let (mut copy, mut image) = (Graph::new(), HashMap::with_capacity(order.len()));
    for &id in order {
        let node = match graph.node(id) {
            Node::Unary(op, a) => Node::Unary(op, image[&a]),
            Node::Binary(op, a, b) => Node::Binary(op, image[&a], image[&b]),
            Node::Select(c, a, b) => Node::Select(image[&c], image[&a], image[&b]),
            leaf => leaf,
        };
        let here = match graph.variable_name(id) {
            Some(name) => copy.variable(name),
            None => copy.verbatim(node).expect("operands stand before users"),
        };
        image.insert(id, here);
    }
    (copy, image)
}
