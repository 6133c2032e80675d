//! `Expr`: operators on the expression graph.
//!
//! All expressions of a process live in one graph, so that formulas of different models can be combined; equal
//! expressions are one node. Models are built from their texts ([`texts`]), which is what a model file has.

use crate::errors;
use carom::expr::text::{NameError, Names};
use carom::expr::{Binary, Graph, Id, Unary};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

static GRAPH: LazyLock<Mutex<Graph>> = LazyLock::new(Mutex::default);

/// The graph of all expressions.
fn graph() -> MutexGuard<'static, Graph> {
    GRAPH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A formula: a number, a variable, or an operation on formulas.
#[pyclass(frozen, module = "carom")]
#[derive(Clone, Copy)]
pub struct Expr(Id);

/// An expression, or a number that becomes one.
#[derive(FromPyObject)]
pub enum Operand<'py> {
    Expr(PyRef<'py, Expr>),
    Number(f64),
}

impl Operand<'_> {
    fn id(&self, graph: &mut Graph) -> Id {
        match self {
            Self::Expr(expr) => expr.0,
            Self::Number(value) => graph.constant(*value),
        }
    }
}

/// The variable called `name`.
#[pyfunction]
pub fn variable(name: &str) -> Expr {
    Expr(graph().variable(name))
}

/// A number as an expression.
#[pyfunction]
pub fn constant(value: f64) -> Expr {
    Expr(graph().constant(value))
}

/// The expression that a text stands for, its names those of variables.
#[pyfunction]
pub fn parse(text: &str) -> PyResult<Expr> {
    let parsed = carom::expr::text::parse(&mut graph(), text, &mut Anything);
    parsed.map(Expr).map_err(|error| errors::settings(&format!("`{text}`: {error}")))
}

/// Every name is a variable.
struct Anything;

impl Names for Anything {
    fn resolve(&mut self, graph: &mut Graph, name: &str, primes: usize) -> Result<Id, NameError> {
        Ok(graph.variable(&format!("{name}{}", "'".repeat(primes))))
    }

    fn known(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A function by its name in model files: `sin`, `atan2`, `min`, `if`, ...
#[pyfunction]
pub fn apply(name: &str, arguments: Vec<Operand<'_>>) -> PyResult<Expr> {
    let mut graph = graph();
    let ids: Vec<Id> = arguments.iter().map(|argument| argument.id(&mut graph)).collect();
    let unary = Unary::NAMED.iter().find(|(known, _)| *known == name);
    let binary = Binary::NAMED.iter().find(|(known, _)| *known == name);
    match (unary, binary, &ids[..]) {
        (Some((_, op)), _, &[x]) => Ok(Expr(graph.unary(*op, x))),
        (_, Some((_, op)), &[a, b]) => Ok(Expr(graph.binary(*op, a, b))),
        (None, None, &[condition, a, b]) if name == "if" => Ok(Expr(graph.select(condition, a, b))),
        _ => Err(PyTypeError::new_err(format!("there is no function `{name}` of {} arguments", ids.len()))),
    }
}

/// Texts of expressions as model files have them: `(definitions, texts)`. Definitions, `[(name, text), ...]`, are
/// parts that are long and shared; their names are `prefix` with a number.
#[pyfunction]
pub fn texts(expressions: Vec<PyRef<'_, Expr>>, prefix: &str) -> (Vec<(String, String)>, Vec<String>) {
    let ids: Vec<Id> = expressions.iter().map(|expression| expression.0).collect();
    let written = graph().written(&ids, |k| format!("{prefix}{}", k + 1));
    (written.definitions, written.texts)
}

#[pymethods]
impl Expr {
    fn __repr__(&self) -> String {
        graph().display(self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.index().hash(&mut hasher);
        hasher.finish()
    }

    fn __bool__(&self) -> PyResult<bool> {
        let value = graph().value(self.0);
        value.map(|value| value != 0.0).ok_or_else(|| {
            PyTypeError::new_err("an expression has no truth value; carom.where(condition, a, b) chooses")
        })
    }

    fn __float__(&self) -> PyResult<f64> {
        graph().value(self.0).ok_or_else(|| {
            PyTypeError::new_err("the expression is not a number; .evaluate(x=...) gives values to its variables")
        })
    }

    /// `<` and the like are expressions, 1 or 0; `==` says whether two expressions are the same.
    fn __richcmp__<'py>(&self, other: &Bound<'py, PyAny>, op: CompareOp) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let Ok(operand) = other.extract::<Operand<'_>>() else { return Ok(py.NotImplemented().into_bound(py)) };
        let mut graph = graph();
        let (a, b) = (self.0, operand.id(&mut graph));
        let made = match op {
            CompareOp::Eq => return Ok((a == b).into_pyobject(py)?.to_owned().into_any()),
            CompareOp::Ne => return Ok((a != b).into_pyobject(py)?.to_owned().into_any()),
            CompareOp::Lt => graph.binary(Binary::Less, a, b),
            CompareOp::Le => graph.binary(Binary::LessEqual, a, b),
            CompareOp::Gt => graph.binary(Binary::Less, b, a),
            CompareOp::Ge => graph.binary(Binary::LessEqual, b, a),
        };
        drop(graph);
        Ok(Bound::new(py, Expr(made))?.into_any())
    }

    fn __add__(&self, other: Operand<'_>) -> Expr {
        self.with(Binary::Add, &other)
    }
    fn __radd__(&self, other: Operand<'_>) -> Expr {
        self.after(Binary::Add, &other)
    }
    fn __sub__(&self, other: Operand<'_>) -> Expr {
        self.with(Binary::Sub, &other)
    }
    fn __rsub__(&self, other: Operand<'_>) -> Expr {
        self.after(Binary::Sub, &other)
    }
    fn __mul__(&self, other: Operand<'_>) -> Expr {
        self.with(Binary::Mul, &other)
    }
    fn __rmul__(&self, other: Operand<'_>) -> Expr {
        self.after(Binary::Mul, &other)
    }
    fn __truediv__(&self, other: Operand<'_>) -> Expr {
        self.with(Binary::Div, &other)
    }
    fn __rtruediv__(&self, other: Operand<'_>) -> Expr {
        self.after(Binary::Div, &other)
    }
    fn __pow__(&self, other: Operand<'_>, _modulo: Option<i64>) -> Expr {
        self.with(Binary::Pow, &other)
    }
    fn __rpow__(&self, other: Operand<'_>, _modulo: Option<i64>) -> Expr {
        self.after(Binary::Pow, &other)
    }
    fn __neg__(&self) -> Expr {
        Expr(graph().unary(Unary::Neg, self.0))
    }
    fn __pos__(&self) -> Expr {
        *self
    }
    fn __abs__(&self) -> Expr {
        Expr(graph().unary(Unary::Abs, self.0))
    }

    /// NumPy's ufuncs build expressions; see `carom.expressions`.
    #[pyo3(signature = (ufunc, method, *inputs, **options))]
    fn __array_ufunc__(
        slf: &Bound<'_, Self>,
        ufunc: &Bound<'_, PyAny>,
        method: &str,
        inputs: &Bound<'_, pyo3::types::PyTuple>,
        options: Option<&Bound<'_, pyo3::types::PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let module = slf.py().import("carom.expressions")?;
        module.getattr("_ufunc")?.call1((ufunc, method, inputs, options)).map(Bound::unbind)
    }

    /// The name, if it is a variable.
    #[getter]
    fn name(&self) -> Option<String> {
        graph().variable_name(self.0).map(str::to_owned)
    }

    /// The number, if it is one.
    #[getter]
    fn value(&self) -> Option<f64> {
        graph().value(self.0)
    }

    /// Names of the variables that it depends on.
    #[getter]
    fn variables(&self) -> Vec<String> {
        let graph = graph();
        let free = graph.free_variables(&[self.0]);
        free.into_iter().filter_map(|id| graph.variable_name(id).map(str::to_owned)).collect()
    }

    /// The derivative with respect to a variable, exact.
    fn derivative(&self, variable: PyRef<'_, Expr>) -> PyResult<Expr> {
        let mut graph = graph();
        if graph.variable_name(variable.0).is_none() {
            return Err(PyValueError::new_err("derivatives are taken with respect to variables"));
        }
        Ok(Expr(graph.gradient(self.0, &[variable.0])[0]))
    }

    /// The number that it has where its variables have the given values.
    #[pyo3(signature = (**values))]
    fn evaluate(&self, values: Option<HashMap<String, f64>>) -> PyResult<f64> {
        // Python code runs when an error is made: the graph must be free by then.
        self.value_at(&values.unwrap_or_default()).map_err(|name| errors::settings(&format!("`{name}` has no value")))
    }
}

impl Expr {
    /// The value, or the name of a variable that has none.
    fn value_at(&self, values: &HashMap<String, f64>) -> Result<f64, String> {
        let graph = graph();
        let mut given = Vec::new();
        for id in graph.free_variables(&[self.0]) {
            let name = graph.variable_name(id).unwrap_or_default();
            given.push((id, *values.get(name).ok_or_else(|| name.to_owned())?));
        }
        Ok(graph.evaluate(&[self.0], &given)[0])
    }

    fn with(&self, op: Binary, other: &Operand<'_>) -> Expr {
        let mut graph = graph();
        let other = other.id(&mut graph);
        Expr(graph.binary(op, self.0, other))
    }

    fn after(&self, op: Binary, other: &Operand<'_>) -> Expr {
        let mut graph = graph();
        let other = other.id(&mut graph);
        Expr(graph.binary(op, other, self.0))
    }
}
