//! Maps that are defined by equations, and their derivatives.
//!
//! With unknowns `z` that solve `R(z, x) = 0` the map is `y = Y(z, x)`. By the implicit function theorem
//!
//! ```text
//! dy/dx = Y_x - Y_z R_z^-1 R_x,
//! ```
//!
//! and for a covector `nu` of the results, with `R_z^T mu = -Y_z^T nu`,
//!
//! ```text
//! nu . dy/dx = d/dx (mu . R + nu . Y).
//! ```
//!
//! Along directions `X` of the inputs, with `Z = -R_z^-1 R_x X`, the second derivative of `nu . y` is
//!
//! ```text
//! (Z, X)^T  d^2(mu . R + nu . Y)/d(z, x)^2  (Z, X).
//! ```
//!
//! Nothing is said about how `z` was found: iterations are never differentiated. The second form costs one solve and
//! one gradient, whatever the number of inputs.

use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group, Id};
use carom_linalg::{Lu, Singular, dot};

/// A map `x -> y = Y(z, x)` with `R(z, x) = 0`, and its derivative both ways.
pub struct ImplicitMap {
    graph: Graph,
    backend: Backend,
    unknowns: Vec<Id>,
    inputs: Vec<Id>,
    residual: Vec<Id>,
    outputs: Vec<Id>,
    /// `(z, x)` to `R_z`, `Y_z`, `R`, `Y`.
    inner: Evaluator,
    /// `(z, x)` to `R_x`, `Y_x`; compiled when it is asked for.
    outer: Option<Evaluator>,
    /// `(z, x, mu, nu)` to the gradient of `mu . R + nu . Y`; compiled when it is asked for.
    pulled: Option<Evaluator>,
    /// `(z, x, mu, nu)` to the lower triangle of the Hessian of `mu . R + nu . Y` in `(z, x)`, with its places; compiled
    /// when it is asked for.
    bent: Option<(Evaluator, Vec<(usize, usize)>)>,
    lu: Lu,
    values: Vec<f64>,
    slopes: Vec<f64>,
}

impl ImplicitMap {
    /// The map of `residual` and `outputs`, expressions of `graph` in the variables `unknowns` and `inputs`.
    pub fn new(
        mut graph: Graph,
        (unknowns, inputs): (&[Id], &[Id]),
        (residual, outputs): (&[Id], &[Id]),
        backend: Backend,
    ) -> Result<Self, FunctionError> {
        let mut inner = graph.jacobian(residual, unknowns).dense(&mut graph);
        inner.extend(graph.jacobian(outputs, unknowns).dense(&mut graph));
        inner.extend(residual);
        inner.extend(outputs);
        let given = [Group::new("unknowns", unknowns), Group::new("inputs", inputs)];
        let inner = Function::compile(&graph, &given, &[Group::new("slopes", &inner)], backend)?.evaluator();
        Ok(Self {
            backend,
            unknowns: unknowns.to_vec(),
            inputs: inputs.to_vec(),
            residual: residual.to_vec(),
            outputs: outputs.to_vec(),
            values: vec![0.0; inner.function().output_len()],
            slopes: Vec::new(),
            inner,
            outer: None,
            pulled: None,
            bent: None,
            lu: Lu::new(unknowns.len()),
            graph,
        })
    }

    /// Number of unknowns.
    pub fn unknown_count(&self) -> usize {
        self.unknowns.len()
    }

    /// Number of inputs.
    pub fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// Number of results.
    pub fn output_count(&self) -> usize {
        self.outputs.len()
    }

    /// `R(z, x)` at `at = (z, x)`: how well the unknowns solve the equations.
    pub fn residual(&mut self, at: &[f64]) -> &[f64] {
        self.inner.eval(at, &mut self.values);
        self.residual_of_last()
    }

    /// `Y(z, x)` at `at = (z, x)`.
    pub fn outputs(&mut self, at: &[f64]) -> &[f64] {
        self.inner.eval(at, &mut self.values);
        &self.values[self.values.len() - self.outputs.len()..]
    }

    /// One step of Newton's method, exact where the equations are linear in the unknowns: `at = (z, x)` receives better
    /// unknowns. The size of the change.
    pub fn correct(&mut self, at: &mut [f64]) -> Result<f64, MapError> {
        self.factor(at)?;
        let mut step = self.residual_of_last().to_vec();
        self.lu.solve(&mut step);
        at.iter_mut().zip(&step).for_each(|(value, step)| *value -= step);
        Ok(carom_linalg::max_abs(&step))
    }

    /// The residual of the last evaluation.
    fn residual_of_last(&self) -> &[f64] {
        let end = self.values.len() - self.outputs.len();
        &self.values[end - self.residual.len()..end]
    }

    /// `dy/dx` at a solution `at = (z, x)`, row by row.
    pub fn derivative(&mut self, at: &[f64]) -> Result<Vec<f64>, MapError> {
        self.factor(at)?;
        let (k, n, m) = (self.unknowns.len(), self.inputs.len(), self.outputs.len());
        let outer = match self.outer.take() {
            Some(outer) => outer,
            None => self.compile_outer()?,
        };
        let outer = self.outer.insert(outer);
        self.slopes.resize(outer.function().output_len(), 0.0);
        outer.eval(at, &mut self.slopes);
        let (by_x, direct) = self.slopes.split_at(k * n);
        let mut result = direct.to_vec();
        let mut column = vec![0.0; k];
        for j in 0..n {
            (0..k).for_each(|i| column[i] = by_x[i * n + j]);
            self.lu.solve(&mut column);
            for i in 0..m {
                result[i * n + j] -= dot(&self.values[k * k + i * k..k * k + (i + 1) * k], &column);
            }
        }
        Ok(result)
    }

    /// `nu . dy/dx` at a solution `at = (z, x)`.
    pub fn pull(&mut self, at: &[f64], nu: &[f64]) -> Result<Vec<f64>, MapError> {
        self.factor(at)?;
        let mu = self.multipliers(nu);
        let pulled = match self.pulled.take() {
            Some(pulled) => pulled,
            None => self.compile_pulled()?,
        };
        Ok(self.pulled.insert(pulled).values(&[at, &mu, nu].concat()))
    }

    /// The second derivative of `nu . y` along directions of the inputs at a solution `at = (z, x)`: one row of
    /// `directions` per input, one column per direction; a symmetric matrix, row by row.
    pub fn curvature(&mut self, at: &[f64], nu: &[f64], directions: &[Vec<f64>]) -> Result<Vec<f64>, MapError> {
        let width = directions.first().map_or(0, Vec::len);
        let mut rows = self.unknown_rows(at, directions, width)?;
        rows.extend(directions.iter().cloned());
        let mu = self.multipliers(nu);
        let (bent, places) = match self.bent.take() {
            Some(bent) => bent,
            None => self.compile_bent()?,
        };
        let (bent, places) = self.bent.insert((bent, places));
        let values = bent.values(&[at, &mu, nu].concat());
        let mut result = vec![0.0; width * width];
        for (&(i, j), value) in places.iter().zip(&values).filter(|(_, value)| **value != 0.0) {
            for a in 0..width {
                for b in 0..width {
                    let mirrored = if i == j { 0.0 } else { rows[j][a] * rows[i][b] };
                    result[a * width + b] += value * (rows[i][a] * rows[j][b] + mirrored);
                }
            }
        }
        Ok(result)
    }

    /// `Z = -R_z^-1 R_x X`, row by row; leaves the equations factored.
    fn unknown_rows(&mut self, at: &[f64], directions: &[Vec<f64>], width: usize) -> Result<Vec<Vec<f64>>, MapError> {
        self.factor(at)?;
        let (k, n) = (self.unknowns.len(), self.inputs.len());
        let outer = match self.outer.take() {
            Some(outer) => outer,
            None => self.compile_outer()?,
        };
        let slopes = self.outer.insert(outer).values(at);
        let mut rows = vec![vec![0.0; width]; k];
        let mut column = vec![0.0; k];
        for a in 0..width {
            for (sum, slope) in column.iter_mut().zip(slopes.chunks_exact(n)) {
                *sum = -slope.iter().zip(directions).map(|(slope, row)| slope * row[a]).sum::<f64>();
            }
            self.lu.solve(&mut column);
            rows.iter_mut().zip(&column).for_each(|(row, value)| row[a] = *value);
        }
        Ok(rows)
    }

    /// `R_z^T mu = -Y_z^T nu`, where the equations are factored.
    fn multipliers(&mut self, nu: &[f64]) -> Vec<f64> {
        let k = self.unknowns.len();
        let mut mu = vec![0.0; k];
        for (row, weight) in self.values[k * k..].chunks_exact(k.max(1)).zip(nu) {
            mu.iter_mut().zip(row).for_each(|(sum, slope)| *sum -= weight * slope);
        }
        self.lu.solve_transposed(&mut mu);
        mu
    }

    fn factor(&mut self, at: &[f64]) -> Result<(), MapError> {
        let k = self.unknowns.len();
        self.inner.eval(at, &mut self.values);
        Ok(self.lu.factor(&self.values[..k * k])?)
    }

    fn compile_outer(&mut self) -> Result<Evaluator, FunctionError> {
        let graph = &mut self.graph;
        let mut slopes = graph.jacobian(&self.residual, &self.inputs).dense(graph);
        slopes.extend(graph.jacobian(&self.outputs, &self.inputs).dense(graph));
        let given = [Group::new("unknowns", &self.unknowns), Group::new("inputs", &self.inputs)];
        Ok(Function::compile(graph, &given, &[Group::new("slopes", &slopes)], self.backend)?.evaluator())
    }

    fn compile_pulled(&mut self) -> Result<Evaluator, FunctionError> {
        let (weights, sum) = self.weighted();
        let gradient = self.graph.gradient(sum, &self.inputs);
        self.compile_weighted(&weights, &gradient)
    }

    fn compile_bent(&mut self) -> Result<(Evaluator, Vec<(usize, usize)>), FunctionError> {
        let (weights, sum) = self.weighted();
        let variables = [&self.unknowns[..], &self.inputs].concat();
        let hessian = self.graph.hessian(sum, &variables);
        let places = hessian.entries().iter().map(|entry| (entry.0, entry.1)).collect();
        let values: Vec<Id> = hessian.entries().iter().map(|entry| entry.2).collect();
        Ok((self.compile_weighted(&weights, &values)?, places))
    }

    /// Weights `(mu, nu)` and `mu . R + nu . Y`.
    fn weighted(&mut self) -> ([Vec<Id>; 2], Id) {
        let graph = &mut self.graph;
        // Brackets cannot occur in names of a model.
        let mu = graph.variables("[mu]", self.residual.len());
        let nu = graph.variables("[nu of y]", self.outputs.len());
        let (left, right) = (graph.dot(&mu, &self.residual), graph.dot(&nu, &self.outputs));
        let sum = graph.add(left, right);
        ([mu, nu], sum)
    }

    fn compile_weighted(&self, [mu, nu]: &[Vec<Id>; 2], outputs: &[Id]) -> Result<Evaluator, FunctionError> {
        let given = [
            Group::new("unknowns", &self.unknowns),
            Group::new("inputs", &self.inputs),
            Group::new("mu", mu),
            Group::new("nu", nu),
        ];
        Ok(Function::compile(&self.graph, &given, &[Group::new("weighted", outputs)], self.backend)?.evaluator())
    }
}

/// Why a map has no derivative.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MapError {
    /// The equations do not determine their unknowns.
    #[error("the equations do not determine their unknowns here (no pivot in column {})", .0.column)]
    Singular(Singular),
    /// A function could not be compiled.
    #[error(transparent)]
    Function(#[from] FunctionError),
}

impl From<Singular> for MapError {
    fn from(singular: Singular) -> Self {
        Self::Singular(singular)
    }
}
