//! `Function`: compiled functions of the state.
//!
//! ```text
//! f(q, v, t)            values at one state, or at many: the last axis of q and v is that of the coordinates
//! df/dq, df/dv, df/dt   functions again: one more axis, exact
//! ```

use crate::errors;
use carom::Backend;
use carom::expr::{Graph, Group, Id};
use carom::model::{Dynamics, System, formula_of};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use std::sync::Arc;

/// A function of `(q, v, t)` with values of some shape.
#[pyclass(frozen, module = "carom._carom")]
pub struct Function {
    system: Arc<carom::Model>,
    graph: Arc<Graph>,
    outputs: Vec<Id>,
    #[pyo3(get)]
    shape: Vec<usize>,
    #[pyo3(get)]
    name: String,
    compiled: carom::expr::Function,
}

/// What can be named; formulas of the model can be, too.
pub const NAMES: [&str; 9] = [
    "lagrangian",
    "energy",
    "momentum",
    "mass",
    "force",
    "gap",
    "constraint",
    "constraint_jacobian",
    "velocity_constraint",
];

impl Function {
    /// A function by its name, or a formula.
    pub fn new(model: &Arc<carom::Model>, name: &str) -> Result<Self, String> {
        let dynamics = model.system.dynamics();
        let mut graph = dynamics.graph.clone();
        let (outputs, shape) = outputs(&mut graph, &dynamics, &model.system, name)?;
        Self::compile(model.clone(), graph, outputs, shape, name.to_owned())
    }

    fn compile(
        system: Arc<carom::Model>,
        graph: Graph,
        outputs: Vec<Id>,
        shape: Vec<usize>,
        name: String,
    ) -> Result<Self, String> {
        let dynamics = system.system.dynamics();
        let time = [dynamics.time];
        let inputs = [Group::new("q", &dynamics.q), Group::new("v", &dynamics.v), Group::new("t", &time)];
        let groups = [Group::new("value", &outputs)];
        let compiled = carom::expr::Function::compile(&graph, &inputs, &groups, Backend::fastest());
        let compiled = compiled.map_err(|error| format!("`{name}`: {error}"))?;
        Ok(Self { system, graph: Arc::new(graph), outputs, shape, name, compiled })
    }
}

/// Expressions behind a name, and their shape.
fn outputs(
    graph: &mut Graph,
    dynamics: &Dynamics,
    system: &System,
    name: &str,
) -> Result<(Vec<Id>, Vec<usize>), String> {
    let n = dynamics.dimension();
    let vector = |ids: Vec<Id>| {
        let shape = vec![ids.len()];
        (ids, shape)
    };
    Ok(match name {
        "lagrangian" => (vec![dynamics.lagrangian], Vec::new()),
        "energy" => (vec![dynamics.energy(graph)], Vec::new()),
        "momentum" => vector(dynamics.momentum(graph)),
        "mass" => {
            let momentum = dynamics.momentum(graph);
            (graph.jacobian(&momentum, &dynamics.v).dense(graph), vec![n, n])
        }
        "force" => vector(dynamics.forces.clone()),
        "gap" => vector(dynamics.gaps.clone()),
        "constraint" => vector(dynamics.constraints.clone()),
        "constraint_jacobian" => {
            (graph.jacobian(&dynamics.constraints, &dynamics.q).dense(graph), vec![dynamics.constraints.len(), n])
        }
        "velocity_constraint" => vector(dynamics.velocity_constraints.clone()),
        formula => {
            let id = formula_of(graph, system, formula);
            let known = NAMES.join(", ");
            let id = id.map_err(|error| {
                format!("`{formula}` is neither a formula of the model ({error}) nor one of: {known}")
            })?;
            (vec![id], Vec::new())
        }
    })
}

#[pymethods]
impl Function {
    /// Values at `count` states: `q`, `v` row by row, and times.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        q: PyReadonlyArray1<'py, f64>,
        v: PyReadonlyArray1<'py, f64>,
        t: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (q, v, t) = (q.as_slice()?, v.as_slice()?, t.as_slice()?);
        let n = self.system.system.dimension();
        let count = t.len();
        if q.len() != n * count || v.len() != n * count {
            return Err(errors::settings(&format!("q and v need {n} values per state")));
        }
        Ok(PyArray1::from_vec(py, py.detach(|| self.values(q, v, t))))
    }

    /// The derivative with respect to `q`, `v` or `t`: one more axis, without one for `t`.
    fn derivative(&self, py: Python<'_>, with_respect_to: &str) -> PyResult<Self> {
        py.detach(|| self.derived(with_respect_to)).map_err(|message| errors::settings(&message))
    }

    /// True if it depends on the velocity.
    #[getter]
    fn needs_velocity(&self) -> bool {
        self.graph.any_depends_on(&self.outputs, &self.system.system.dynamics().v)
    }

    /// Number of instructions per evaluation.
    #[getter]
    fn operations(&self) -> usize {
        self.compiled.operations()
    }
}

impl Function {
    fn derived(&self, with_respect_to: &str) -> Result<Self, String> {
        let dynamics = self.system.system.dynamics();
        let time = [dynamics.time];
        let variables = match with_respect_to {
            "q" => &dynamics.q[..],
            "v" => &dynamics.v[..],
            "t" => &time[..],
            other => return Err(format!("`{other}` is not one of: q, v, t")),
        };
        let mut graph = (*self.graph).clone();
        let outputs = graph.jacobian(&self.outputs, variables).dense(&mut graph);
        let mut shape = self.shape.clone();
        shape.extend((with_respect_to != "t").then_some(variables.len()));
        Self::compile(self.system.clone(), graph, outputs, shape, format!("d({})/d{with_respect_to}", self.name))
    }

    fn values(&self, q: &[f64], v: &[f64], t: &[f64]) -> Vec<f64> {
        let n = self.system.system.dimension();
        let width = self.outputs.len();
        let mut evaluator = self.compiled.evaluator();
        let mut inputs = vec![0.0; 2 * n + 1];
        let mut values = vec![0.0; width * t.len()];
        for (k, &t) in t.iter().enumerate() {
            inputs[..n].copy_from_slice(&q[k * n..(k + 1) * n]);
            inputs[n..2 * n].copy_from_slice(&v[k * n..(k + 1) * n]);
            inputs[2 * n] = t;
            evaluator.eval(&inputs, &mut values[k * width..(k + 1) * width]);
        }
        values
    }
}
